/* Key caches: the hash of a key's bytes, the slot policy, and when to step aside. */
#ifndef PH_WIRE_KEYSLOT_H
#define PH_WIRE_KEYSLOT_H

#include "base/bytes.h"

#include <stdbool.h>

/* The cache itself lives in each host, because it holds the host's objects; all hosts share how a
 * key is hashed, how many slots there are and when a cache that does not help rests. */

/* Longer keys are not worth caching: hashing and comparing them costs what decoding does. */
#define PH_KEYSLOT_LENGTH_MAX 64

/* Sets of PH_KEYSLOT_WAYS slots. A direct-mapped cache of 2,048 slots has about 5 colliding pairs
 * among 145 keys; 4 ways of 512 sets have practically none. */
#define PH_KEYSLOT_SETS  512
#define PH_KEYSLOT_WAYS  4
#define PH_KEYSLOT_COUNT (PH_KEYSLOT_SETS * PH_KEYSLOT_WAYS)

/* 64-bit mix by one widening multiply, folding both halves (the building block of wyhash). */
PH_INLINE uint64_t ph_keyslot_mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Hash of `length` bytes (0 allowed). Reads only [bytes, bytes + length). In native byte order: for
 * use inside one process only. Not resistant to chosen keys: caches built on it bound the harm to a
 * missed lookup. */
PH_INLINE uint32_t ph_keyslot_hash(const uint8_t *bytes, size_t length)
{
    uint64_t first, last;
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) ^ length;
    if (length >= 8) {
        while (PH_UNLIKELY(length > 16)) {
            state = ph_keyslot_mix(state ^ ph_load_native64(bytes), UINT64_C(0xa0761d6478bd642f));
            bytes += 8;
            length -= 8;
        }
        first = ph_load_native64(bytes);
        last = ph_load_native64(bytes + length - 8);
    } else if (length >= 4) {
        first = ph_load_native32(bytes);
        last = ph_load_native32(bytes + length - 4);
    } else if (length > 0) {
        first = (uint64_t)bytes[0] << 16 | (uint64_t)bytes[length >> 1] << 8 | bytes[length - 1];
        last = 0;
    } else {
        first = 0;
        last = 0;
    }
    uint64_t hash = ph_keyslot_mix(first ^ state, last ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint32_t)(hash ^ hash >> 32);
}

PH_INLINE uint32_t ph_keyslot_first(uint32_t hash)
{
    return (hash & (PH_KEYSLOT_SETS - 1)) * PH_KEYSLOT_WAYS;
}

/* Equality of two runs of `length` bytes without a call, for keys of up to PH_KEYSLOT_LENGTH_MAX. */
PH_INLINE bool ph_keyslot_equal(const uint8_t *a, const uint8_t *b, size_t length)
{
    if (length >= 8) {
        size_t at = 0;
        while (at + 8 < length) {
            if (ph_load_native64(a + at) != ph_load_native64(b + at)) {
                return false;
            }
            at += 8;
        }
        return ph_load_native64(a + length - 8) == ph_load_native64(b + length - 8);
    }
    if (length >= 4) {
        return ph_load_native32(a) == ph_load_native32(b) &&
               ph_load_native32(a + length - 4) == ph_load_native32(b + length - 4);
    }
    return length == 0 ||
           (a[0] == b[0] && a[length >> 1] == b[length >> 1] && a[length - 1] == b[length - 1]);
}

/* Watches whether a cache helps. Data whose keys never repeat must not pay for it: after a window of
 * lookups with hardly any hit the cache rests (no lookups, no stores) for a while, longer each time,
 * then tries another window. */
typedef struct ph_keyslot_policy {
    uint32_t lookups; /* in this window */
    uint32_t hits;    /* in this window */
    uint32_t resting; /* keys still to pass by without a lookup */
    uint32_t rest;    /* length of the next rest, in keys */
    bool mostly_new;  /* in the last full window most keys were not found */
} ph_keyslot_policy;

#define PH_KEYSLOT_WINDOW     512
#define PH_KEYSLOT_HITS_MIN   64
#define PH_KEYSLOT_REST_FIRST 4096
#define PH_KEYSLOT_REST_MAX   65536

/* Call once for each key that may be cached; false: treat it as not cached, do not store it. */
PH_INLINE bool ph_keyslot_awake(ph_keyslot_policy *policy)
{
    if (PH_LIKELY(policy->resting == 0)) {
        policy->lookups++;
        return true;
    }
    policy->resting--;
    return false;
}

PH_INLINE void ph_keyslot_hit(ph_keyslot_policy *policy)
{
    policy->hits++;
}

/* Call after a miss: closes a full window and decides about a rest. Hits alone never need it. */
PH_INLINE void ph_keyslot_miss(ph_keyslot_policy *policy)
{
    if (PH_LIKELY(policy->lookups < PH_KEYSLOT_WINDOW)) {
        return;
    }
    if (policy->hits < policy->lookups / (PH_KEYSLOT_WINDOW / PH_KEYSLOT_HITS_MIN)) {
        uint32_t rest = policy->rest == 0 ? PH_KEYSLOT_REST_FIRST : policy->rest;
        policy->resting = rest;
        policy->rest = rest < PH_KEYSLOT_REST_MAX ? rest * 2 : PH_KEYSLOT_REST_MAX;
    } else {
        policy->rest = 0;
    }
    policy->mostly_new = policy->hits < policy->lookups / 2;
    policy->lookups = 0;
    policy->hits = 0;
}

#endif
