/* Which containers a walk over JSON is in, one bit a level: for walks that must not recurse. */
#ifndef PH_JSON_NESTING_H
#define PH_JSON_NESTING_H

#include "json/scan.h"
#include "json/skip.h"

typedef struct ph_json_nesting {
    uint32_t depth;
    uint32_t limit;
    uint64_t maps[PH_JSON_SKIP_DEPTH / 64]; /* a one for each level that is a map */
} ph_json_nesting;

PH_INLINE void ph_json_nesting_init(ph_json_nesting *nesting, uint32_t limit)
{
    nesting->depth = 0;
    nesting->limit = limit < PH_JSON_SKIP_DEPTH ? limit : PH_JSON_SKIP_DEPTH;
}

/* False when one more level is not allowed. */
PH_INLINE bool ph_json_nesting_enter(ph_json_nesting *nesting, bool is_map)
{
    if (PH_UNLIKELY(nesting->depth == nesting->limit)) {
        return false;
    }
    uint64_t *word = &nesting->maps[nesting->depth / 64];
    uint64_t bit = (uint64_t)1 << nesting->depth % 64;
    *word = is_map ? *word | bit : *word & ~bit;
    nesting->depth++;
    return true;
}

PH_INLINE void ph_json_nesting_leave(ph_json_nesting *nesting)
{
    nesting->depth--;
}

/* Where the scanner is after a value; depth is not zero. */
PH_INLINE ph_json_place ph_json_nesting_place(const ph_json_nesting *nesting)
{
    uint32_t level = nesting->depth - 1;
    return nesting->maps[level / 64] >> level % 64 & 1 ? PH_JSON_KEY : PH_JSON_ELEMENT;
}

#endif
