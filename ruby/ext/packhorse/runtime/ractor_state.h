/* What a Ractor keeps between calls: its key caches and shapes. */
#ifndef PH_RUBY_RACTOR_STATE_H
#define PH_RUBY_RACTOR_STATE_H

#include "runtime/frozen_texts.h"
#include "runtime/shapes.h"

/* Only touched by the Ractor that owns it, under its lock, and never across a call to user code. */
typedef struct ph_ractor_state {
    ph_key_cache strings;
    ph_key_cache symbols;
    ph_frozen_texts texts; /* values, where everything is frozen */
    ph_shape_table shapes;
    long number; /* of the Ractor among those that used this extension; never given twice */
} ph_ractor_state;

/* The state of the running Ractor, made at its first use. Never NULL; raises NoMemoryError. */
ph_ractor_state *ph_ractor_state_get(void);

#endif
