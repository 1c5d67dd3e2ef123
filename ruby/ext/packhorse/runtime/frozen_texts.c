/* When Strings of frozen trees are interned, and what is remembered of those that came. */
#include "runtime/frozen_texts.h"

#include "runtime/ruby_layout.h"

#define SAMPLES 2048
/* Bytes looked at on either side of a long text. */
#define SAMPLED 32

void ph_frozen_texts_mark(const ph_frozen_texts *texts)
{
    ph_key_cache_mark(&texts->cache);
}

void ph_frozen_texts_free(ph_frozen_texts *texts)
{
    ph_key_cache_free(&texts->cache);
    xfree(texts->seen);
    texts->seen = NULL;
}

VALUE ph_frozen_string_new(const uint8_t *bytes, size_t length, int encoding)
{
    VALUE string = rb_str_new((const char *)bytes, (long)length);
    RB_ENCODING_SET_INLINED(string, encoding);
    ph_freeze_fresh(string);
    return string;
}

static VALUE interned(const uint8_t *bytes, size_t length, int encoding)
{
    return rb_enc_interned_str((const char *)bytes, (long)length,
                               encoding == ph_index_utf8 ? ph_encoding_utf8 : ph_encoding_binary);
}

VALUE ph_frozen_texts_miss(ph_frozen_texts *texts, const uint8_t *bytes, size_t length,
                           uint32_t hash)
{
    ph_key_cache *cache = &texts->cache;
    if (!ph_key_cache_may_store(cache)) {
        return ph_frozen_string_new(bytes, length, ph_index_utf8);
    }
    bool is_new = cache->policy.mostly_new;
    VALUE text = is_new ? ph_frozen_string_new(bytes, length, ph_index_utf8)
                        : interned(bytes, length, ph_index_utf8);
    uint32_t slot = ph_key_cache_store(cache, hash, text);
    cache->sets[slot / PH_KEYSLOT_WAYS].only_frozen |= (uint32_t)is_new << slot % PH_KEYSLOT_WAYS;
    return text;
}

VALUE ph_frozen_texts_intern(ph_frozen_texts *texts, uint32_t slot)
{
    ph_key_set *set = &texts->cache.sets[slot / PH_KEYSLOT_WAYS];
    uint32_t way = slot % PH_KEYSLOT_WAYS;
    VALUE text = rb_str_to_interned_str(set->texts[way]);
    set->texts[way] = text;
    set->only_frozen &= ~(UINT32_C(1) << way);
    return text;
}

/* What is remembered of bytes: not zero, and rarely the same for others. */
static uint32_t sample(const uint8_t *bytes, size_t length, int encoding)
{
    uint32_t hash = (uint32_t)length ^ (uint32_t)encoding << 16;
    if (length <= 2 * SAMPLED) {
        hash ^= ph_keyslot_hash(bytes, length);
    } else {
        hash ^= ph_keyslot_hash(bytes, SAMPLED);
        hash = hash * 31 + ph_keyslot_hash(bytes + length - SAMPLED, SAMPLED);
    }
    return hash | 1;
}

VALUE ph_frozen_texts_other(ph_frozen_texts *texts, const uint8_t *bytes, size_t length,
                            int encoding)
{
    ph_keyslot_policy *policy = &texts->others;
    if (!ph_keyslot_awake(policy)) {
        return ph_frozen_string_new(bytes, length, encoding);
    }
    if (texts->seen == NULL) {
        texts->seen = xcalloc(SAMPLES, sizeof *texts->seen);
    }
    uint32_t found = sample(bytes, length, encoding);
    uint32_t *place = &texts->seen[found / 2 % SAMPLES];
    if (*place == found) {
        ph_keyslot_hit(policy);
        return interned(bytes, length, encoding);
    }
    *place = found;
    ph_keyslot_miss(policy);
    return policy->mostly_new ? ph_frozen_string_new(bytes, length, encoding)
                              : interned(bytes, length, encoding);
}
