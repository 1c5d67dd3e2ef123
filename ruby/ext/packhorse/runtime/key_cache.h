/* Decoded map keys that come back: bytes to interned String or Symbol for the price of a hash. */
#ifndef PH_RUBY_KEY_CACHE_H
#define PH_RUBY_KEY_CACHE_H

#include "packhorse.h"
#include "wire/keyslot.h"

/* The slots whose hashes fall into one set, with their hashes and their texts. */
typedef struct ph_key_set {
    uint32_t hashes[PH_KEYSLOT_WAYS];
    VALUE texts[PH_KEYSLOT_WAYS]; /* frozen Strings; Qfalse: free */
    uint32_t only_frozen;         /* bit n: texts[n] is not interned; never in a cache of keys */
} ph_key_set;

/* A Ractor has two, one of Strings and one of Symbols: both give the object that Ruby's own table of
 * interned strings would give, so nobody can tell a hit from a miss. Strong references, so bounded:
 * PH_KEYSLOT_COUNT keys of at most PH_KEYSLOT_LENGTH_MAX bytes. */
typedef struct ph_key_cache {
    ph_key_set *sets; /* NULL until the first key */
    VALUE *symbols;   /* one for each slot; NULL in the cache of Strings */
    ph_keyslot_policy policy;
    uint64_t stored; /* since the cache was last emptied */
    uint32_t turn;   /* which way is overwritten next */
    bool for_symbols;
} ph_key_cache;

void ph_key_cache_mark(const ph_key_cache *cache);
void ph_key_cache_free(ph_key_cache *cache);

/* Forgets what was stored after `stored` keys were in it: those of a message that failed. */
void ph_key_cache_forget_since(ph_key_cache *cache, uint64_t stored);

/* The key that is not in the cache: made, and stored when that may help. Returns Qundef when it is
 * to be a Symbol and is not valid UTF-8. Allocates. */
VALUE ph_key_cache_miss(ph_key_cache *cache, const uint8_t *bytes, size_t length, uint32_t hash);

/* The key itself, without the cache. Qundef as above. Allocates. */
VALUE ph_key_new(const uint8_t *bytes, size_t length, bool symbol);

/* After a key that was not found: whether it is to be stored, or the cache has just gone to rest. */
bool ph_key_cache_may_store(ph_key_cache *cache);

/* Puts a text into the cache, maybe in place of another. Returns its slot. */
uint32_t ph_key_cache_store(ph_key_cache *cache, uint32_t hash, VALUE text);

/* The slot of a text of up to PH_KEYSLOT_LENGTH_MAX bytes, or PH_KEYSLOT_COUNT. */
PH_INLINE uint32_t ph_key_cache_find(const ph_key_cache *cache, const uint8_t *bytes, size_t length,
                                     uint32_t hash)
{
    if (PH_LIKELY(cache->sets != NULL)) {
        uint32_t first = ph_keyslot_first(hash);
        const ph_key_set *set = &cache->sets[first / PH_KEYSLOT_WAYS];
        for (uint32_t way = 0; way < PH_KEYSLOT_WAYS; way++) {
            VALUE text = set->texts[way];
            if (set->hashes[way] == hash && text != Qfalse && (size_t)RSTRING_LEN(text) == length &&
                ph_keyslot_equal((const uint8_t *)RSTRING_PTR(text), bytes, length)) {
                return first + way;
            }
        }
    }
    return PH_KEYSLOT_COUNT;
}

/* The String or Symbol of a key's bytes. Qundef as above. May allocate. */
PH_INLINE VALUE ph_key_cache_get(ph_key_cache *cache, const uint8_t *bytes, size_t length)
{
    if (PH_UNLIKELY(length > PH_KEYSLOT_LENGTH_MAX || !ph_keyslot_awake(&cache->policy))) {
        return ph_key_new(bytes, length, cache->for_symbols);
    }
    uint32_t hash = ph_keyslot_hash(bytes, length);
    uint32_t slot = ph_key_cache_find(cache, bytes, length, hash);
    if (PH_UNLIKELY(slot == PH_KEYSLOT_COUNT)) {
        return ph_key_cache_miss(cache, bytes, length, hash);
    }
    ph_keyslot_hit(&cache->policy);
    return cache->for_symbols ? cache->symbols[slot]
                              : cache->sets[slot / PH_KEYSLOT_WAYS].texts[slot % PH_KEYSLOT_WAYS];
}

#endif
