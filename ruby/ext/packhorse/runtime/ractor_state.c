/* Storage of the state that belongs to a Ractor. */
#include "runtime/ractor_state.h"

static rb_ractor_local_key_t storage_key;
static long last_number; /* changed atomically: Ractors start at the same time */

static void mark_state(void *pointer)
{
    ph_ractor_state *state = pointer;
    if (state != NULL) {
        ph_key_cache_mark(&state->strings);
        ph_key_cache_mark(&state->symbols);
        ph_frozen_texts_mark(&state->texts);
        ph_shape_table_mark(&state->shapes);
    }
}

static void free_state(void *pointer)
{
    ph_ractor_state *state = pointer;
    if (state != NULL) {
        ph_key_cache_free(&state->strings);
        ph_key_cache_free(&state->symbols);
        ph_frozen_texts_free(&state->texts);
        ph_shape_table_free(&state->shapes);
        xfree(state);
    }
}

static const struct rb_ractor_local_storage_type storage_type = {mark_state, free_state};

ph_ractor_state *ph_ractor_state_get(void)
{
    ph_ractor_state *state = rb_ractor_local_storage_ptr(storage_key);
    if (PH_UNLIKELY(state == NULL)) {
        state = xcalloc(1, sizeof *state);
        state->symbols.for_symbols = true;
        state->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
        rb_ractor_local_storage_ptr_set(storage_key, state);
    }
    return state;
}

void ph_init_ractor_state(void)
{
    storage_key = rb_ractor_local_storage_ptr_newkey(&storage_type);
}
