/* The two walks that write MessagePack. */
#ifndef PH_PYTHON_ENCODE_MSGPACK_WALK_MSGPACK_H
#define PH_PYTHON_ENCODE_MSGPACK_WALK_MSGPACK_H

#include "encode/encoder.h"

extern const ph_walk ph_walk_msgpack_fast;
extern const ph_walk ph_walk_msgpack_portable;

/* The one to use in this interpreter. */
PH_INLINE const ph_walk *ph_walk_msgpack(const ph_module_state *state)
{
    return state->fast_path ? &ph_walk_msgpack_fast : &ph_walk_msgpack_portable;
}

#endif
