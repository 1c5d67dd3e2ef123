/* Building Hashes: by a known shape, otherwise in bulk. */
#include "runtime/shapes.h"

#include "runtime/ruby_layout.h"

#define NEEDED_MAX 4095

static VALUE new_hash(size_t pairs)
{
#ifdef HAVE_RB_HASH_NEW_CAPA
    return rb_hash_new_capa((long)pairs);
#else
    (void)pairs;
    return rb_hash_new();
#endif
}

static VALUE bulk_hash(const VALUE *values, size_t pairs)
{
    VALUE hash = new_hash(pairs);
    rb_hash_bulk_insert((long)(2 * pairs), values, hash);
    return hash;
}

void ph_shape_table_mark(const ph_shape_table *table)
{
    if (table->used == 0) {
        return;
    }
    for (size_t at = 0; at < PH_SHAPE_COUNT; at++) {
        const ph_shape *shape = &table->shapes[at];
        if (shape->pairs != 0) {
            rb_gc_mark_locations(shape->keys, shape->keys + shape->pairs);
            rb_gc_mark(shape->hash);
        }
    }
}

void ph_shape_table_clear(ph_shape_table *table)
{
    for (size_t at = 0; at < PH_SHAPE_COUNT; at++) {
        xfree(table->shapes[at].keys);
    }
    memset(table, 0, sizeof *table);
}

void ph_shape_table_free(ph_shape_table *table)
{
    ph_shape_table_clear(table);
}

static bool same_keys(const ph_shape *shape, const VALUE *values, size_t pairs)
{
    for (size_t at = 0; at < pairs; at++) {
        if (shape->keys[at] != values[2 * at]) {
            return false;
        }
    }
    return true;
}

/* Only keys that the collector and user code leave alone: interned Strings, Symbols, numbers. */
static bool can_be_shape(const VALUE *values, size_t pairs)
{
    for (size_t at = 0; at < pairs; at++) {
        VALUE key = values[2 * at];
        if (!RB_SPECIAL_CONST_P(key) && !RB_TYPE_P(key, T_SYMBOL) &&
            !(RB_TYPE_P(key, T_STRING) && RB_OBJ_FROZEN_RAW(key))) {
            return false;
        }
    }
    return true;
}

static PH_NOINLINE void remember(ph_shape_table *table, ph_shape *shape, const VALUE *values,
                                 size_t pairs)
{
    VALUE hash = new_hash(pairs);
    for (size_t at = 0; at < pairs; at++) {
        rb_hash_aset(hash, values[2 * at], Qnil);
    }
    if (RHASH_SIZE(hash) != pairs) {
        return;
    }
    /* Copies are not frozen; this one must stay as it is, whoever finds it in ObjectSpace. */
    ph_freeze_fresh(hash);
    VALUE *keys = xmalloc2(pairs, sizeof *keys);
    for (size_t at = 0; at < pairs; at++) {
        keys[at] = values[2 * at];
    }
    xfree(shape->keys);
    shape->keys = keys;
    shape->hash = hash;
    shape->pairs = pairs;
    shape->needed = shape->needed < NEEDED_MAX ? 2 * shape->needed + 1 : NEEDED_MAX;
    table->used = 1;
}

/* Whether the key sequence of fingerprint `mix` has now come often enough. */
static bool is_worth_remembering(ph_shape *shape, size_t mix)
{
    if (shape->candidate != mix) {
        shape->candidate = mix;
        shape->seen = 0;
        return false;
    }
    if (shape->seen < shape->needed) {
        shape->seen++;
        return false;
    }
    shape->seen = 0;
    return true;
}

VALUE ph_hash_build(ph_shape_table *table, const VALUE *values, size_t pairs)
{
    if (pairs < PH_SHAPE_PAIRS_MIN || pairs > PH_SHAPE_PAIRS_MAX || table == NULL ||
        !ph_layout_known.hash) {
        return bulk_hash(values, pairs);
    }
    size_t mix = (size_t)(values[0] >> 3) * 31 + (size_t)(values[2 * pairs - 2] >> 3) * 17 + pairs;
    mix ^= mix >> 9;
    ph_shape *shape = &table->shapes[mix % PH_SHAPE_COUNT];
    if (PH_LIKELY(shape->pairs == pairs) && same_keys(shape, values, pairs)) {
        VALUE hash = rb_hash_dup(shape->hash);
        ph_layout_fill_hash(hash, values, pairs);
        return hash;
    }
    VALUE hash = bulk_hash(values, pairs);
    if (is_worth_remembering(shape, mix) && RHASH_SIZE(hash) == pairs &&
        can_be_shape(values, pairs)) {
        remember(table, shape, values, pairs);
    }
    return hash;
}
