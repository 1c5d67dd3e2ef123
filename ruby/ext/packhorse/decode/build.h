/* Ruby objects of decoded values: what MessagePack and JSON make of the same tokens. */
#ifndef PH_RUBY_BUILD_H
#define PH_RUBY_BUILD_H

#include "runtime/ractor_state.h"
#include "runtime/ruby_layout.h"

/* What is wanted of the objects, and the Ractor's caches while one value is read. */
typedef struct ph_builder {
    bool freeze;         /* everything frozen */
    bool symbolize_keys; /* text keys become Symbols */
    bool use_cache;
    ph_ractor_state *state;  /* NULL until it is needed */
    uint64_t strings_stored; /* in its caches when it was set */
    uint64_t symbols_stored;
    uint64_t texts_stored;
} ph_builder;

PH_INLINE void ph_builder_init(ph_builder *builder, bool freeze, bool symbolize_keys,
                               bool use_cache)
{
    builder->freeze = freeze;
    builder->symbolize_keys = symbolize_keys;
    builder->use_cache = use_cache;
    builder->state = NULL;
}

/* Looks the state up. */
void ph_builder_use_state(ph_builder *builder);

/* Keys of a message that failed must not live on. */
void ph_builder_forget(ph_builder *builder);

PH_INLINE ph_ractor_state *ph_builder_state(ph_builder *builder)
{
    if (PH_UNLIKELY(builder->state == NULL)) {
        ph_builder_use_state(builder);
    }
    return builder->state;
}

PH_INLINE VALUE ph_build_unsigned(uint64_t number)
{
    return PH_LIKELY(number <= (uint64_t)RUBY_FIXNUM_MAX) ? LONG2FIX((long)number)
                                                          : ULL2NUM(number);
}

PH_INLINE VALUE ph_build_signed(int64_t number)
{
    return PH_LIKELY(FIXABLE(number)) ? LONG2FIX((long)number) : LL2NUM(number);
}

/* A mutable UTF-8 String. rb_utf8_str_new sets the encoding by a call, with checks that a String just
 * made does not need. */
PH_INLINE VALUE ph_new_utf8_string(const uint8_t *bytes, size_t length)
{
    VALUE string = rb_str_new((const char *)bytes, (long)length);
    RB_ENCODING_SET_INLINED(string, ph_index_utf8);
    return string;
}

/* A UTF-8 String. */
PH_INLINE VALUE ph_build_text(ph_builder *builder, const uint8_t *bytes, size_t length)
{
    if (!builder->freeze) {
        return ph_new_utf8_string(bytes, length);
    }
    if (PH_LIKELY(builder->use_cache)) {
        return ph_frozen_texts_get(&ph_builder_state(builder)->texts, bytes, length);
    }
    return rb_enc_interned_str((const char *)bytes, (long)length, ph_encoding_utf8);
}

/* A binary String. */
PH_INLINE VALUE ph_build_binary(ph_builder *builder, const uint8_t *bytes, size_t length)
{
    if (!builder->freeze) {
        return rb_str_new((const char *)bytes, (long)length);
    }
    if (PH_LIKELY(builder->use_cache)) {
        return ph_frozen_texts_other(&ph_builder_state(builder)->texts, bytes, length,
                                     ph_index_binary);
    }
    return rb_enc_interned_str((const char *)bytes, (long)length, ph_encoding_binary);
}

/* A map's key. Qundef: a Symbol that is not valid UTF-8. */
PH_INLINE VALUE ph_build_key(ph_builder *builder, const uint8_t *bytes, size_t length)
{
    if (PH_LIKELY(builder->use_cache)) {
        ph_ractor_state *state = ph_builder_state(builder);
        return ph_key_cache_get(builder->symbolize_keys ? &state->symbols : &state->strings, bytes,
                                length);
    }
    return ph_key_new(bytes, length, builder->symbolize_keys);
}

PH_INLINE VALUE ph_build_frozen_if_asked(const ph_builder *builder, VALUE fresh)
{
    if (builder->freeze) {
        ph_freeze_fresh(fresh);
    }
    return fresh;
}

PH_INLINE VALUE ph_build_array(const ph_builder *builder, const VALUE *values, size_t length)
{
    return ph_build_frozen_if_asked(builder, rb_ary_new_from_values((long)length, values));
}

/* Keys and values alternate. */
PH_INLINE VALUE ph_build_map(ph_builder *builder, const VALUE *values, size_t pairs)
{
    ph_shape_table *shapes = builder->use_cache ? &ph_builder_state(builder)->shapes : NULL;
    return ph_build_frozen_if_asked(builder, ph_hash_build(shapes, values, pairs));
}

#endif
