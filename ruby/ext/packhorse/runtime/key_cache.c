/* What the key cache does when a key is not in it. */
#include "runtime/key_cache.h"

#define SET_COUNT PH_KEYSLOT_SETS

void ph_key_cache_mark(const ph_key_cache *cache)
{
    if (cache->stored == 0) {
        return;
    }
    for (uint32_t at = 0; at < SET_COUNT; at++) {
        for (uint32_t way = 0; way < PH_KEYSLOT_WAYS; way++) {
            if (cache->sets[at].texts[way] != Qfalse) {
                rb_gc_mark(cache->sets[at].texts[way]);
                if (cache->for_symbols) {
                    rb_gc_mark(cache->symbols[at * PH_KEYSLOT_WAYS + way]);
                }
            }
        }
    }
}

void ph_key_cache_free(ph_key_cache *cache)
{
    xfree(cache->sets);
    xfree(cache->symbols);
    cache->sets = NULL;
    cache->symbols = NULL;
}

void ph_key_cache_forget_since(ph_key_cache *cache, uint64_t stored)
{
    if (cache->stored != stored) {
        memset(cache->sets, 0, SET_COUNT * sizeof *cache->sets);
        cache->stored = 0;
    }
}

VALUE ph_key_new(const uint8_t *bytes, size_t length, bool symbol)
{
    VALUE text = rb_enc_interned_str((const char *)bytes, (long)length, ph_encoding_utf8);
    if (!symbol) {
        return text;
    }
    if (rb_enc_str_coderange(text) == ENC_CODERANGE_BROKEN) {
        return Qundef;
    }
    return rb_str_intern(text);
}

static void prepare(ph_key_cache *cache)
{
    if (cache->for_symbols && cache->symbols == NULL) {
        cache->symbols = xcalloc(PH_KEYSLOT_COUNT, sizeof *cache->symbols);
    }
    if (cache->sets == NULL) {
        cache->sets = xcalloc(SET_COUNT, sizeof *cache->sets);
    }
}

bool ph_key_cache_may_store(ph_key_cache *cache)
{
    ph_keyslot_miss(&cache->policy);
    if (PH_LIKELY(cache->policy.resting == 0)) {
        return true;
    }
    /* It did not help. What one window stored is kept, as it is what the next window can be tried on;
     * more would only be work for the collector. */
    if (cache->stored > PH_KEYSLOT_WINDOW) {
        ph_key_cache_forget_since(cache, 0);
    }
    return false;
}

uint32_t ph_key_cache_store(ph_key_cache *cache, uint32_t hash, VALUE text)
{
    if (PH_UNLIKELY(cache->sets == NULL)) {
        prepare(cache);
    }
    uint32_t first = ph_keyslot_first(hash);
    ph_key_set *set = &cache->sets[first / PH_KEYSLOT_WAYS];
    uint32_t way = 0;
    while (way < PH_KEYSLOT_WAYS && set->texts[way] != Qfalse) {
        way++;
    }
    if (way == PH_KEYSLOT_WAYS) {
        way = cache->turn++ % PH_KEYSLOT_WAYS;
    }
    set->hashes[way] = hash;
    set->texts[way] = text;
    set->only_frozen &= ~(UINT32_C(1) << way);
    cache->stored++;
    return first + way;
}

VALUE ph_key_cache_miss(ph_key_cache *cache, const uint8_t *bytes, size_t length, uint32_t hash)
{
    if (!ph_key_cache_may_store(cache)) {
        return ph_key_new(bytes, length, cache->for_symbols);
    }
    VALUE text = rb_enc_interned_str((const char *)bytes, (long)length, ph_encoding_utf8);
    if (!cache->for_symbols) {
        ph_key_cache_store(cache, hash, text);
        return text;
    }
    if (rb_enc_str_coderange(text) == ENC_CODERANGE_BROKEN) {
        return Qundef;
    }
    VALUE symbol = rb_str_intern(text);
    uint32_t slot = ph_key_cache_store(cache, hash, text);
    cache->symbols[slot] = symbol;
    return symbol;
}
