/* The builder's use of its Ractor's state. */
#include "decode/build.h"

void ph_builder_use_state(ph_builder *builder)
{
    ph_ractor_state *state = ph_ractor_state_get();
    builder->strings_stored = state->strings.stored;
    builder->symbols_stored = state->symbols.stored;
    builder->texts_stored = state->texts.cache.stored;
    builder->state = state;
}

void ph_builder_forget(ph_builder *builder)
{
    if (builder->state != NULL) {
        ph_key_cache_forget_since(&builder->state->strings, builder->strings_stored);
        ph_key_cache_forget_since(&builder->state->symbols, builder->symbols_stored);
        ph_key_cache_forget_since(&builder->state->texts.cache, builder->texts_stored);
    }
}
