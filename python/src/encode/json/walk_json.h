/* The two walks that write JSON. */
#ifndef PH_PYTHON_ENCODE_JSON_WALK_JSON_H
#define PH_PYTHON_ENCODE_JSON_WALK_JSON_H

#include "encode/encoder.h"

extern const ph_walk ph_walk_json_fast;
extern const ph_walk ph_walk_json_portable;

/* The one to use in this interpreter. */
PH_INLINE const ph_walk *ph_walk_json(const ph_module_state *state)
{
    return state->fast_path ? &ph_walk_json_fast : &ph_walk_json_portable;
}

#endif
