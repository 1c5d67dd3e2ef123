/* Maps with the same keys in the same order: copy a Hash that has them, then set its values. */
#ifndef PH_RUBY_SHAPES_H
#define PH_RUBY_SHAPES_H

#include "packhorse.h"

#define PH_SHAPE_COUNT     64
#define PH_SHAPE_PAIRS_MIN 2
#define PH_SHAPE_PAIRS_MAX 1024

/* A key sequence that came at least twice. */
typedef struct ph_shape {
    size_t pairs;     /* 0: none yet */
    VALUE *keys;      /* `pairs` keys, compared by identity: interned, so equal keys are the same */
    VALUE hash;       /* a Hash with these keys and nil for each value */
    size_t candidate; /* fingerprint of the key sequence that may take this place */
    uint32_t seen;    /* times the candidate came in a row, not counting hits of the shape */
    uint32_t needed;  /* times it has to come; doubled by each change, so that two sequences that
                         fall into one place do not evict each other for ever */
} ph_shape;

typedef struct ph_shape_table {
    ph_shape shapes[PH_SHAPE_COUNT];
    uint32_t used;
} ph_shape_table;

void ph_shape_table_mark(const ph_shape_table *table);
void ph_shape_table_free(ph_shape_table *table);

/* Forgets all shapes. */
void ph_shape_table_clear(ph_shape_table *table);

/* A Hash of `pairs` keys and values, alternating at `values`, which the collector must be able to
 * see. The last of equal keys wins. Calls user code where keys are not Ruby's own. */
VALUE ph_hash_build(ph_shape_table *table, const VALUE *values, size_t pairs);

#endif
