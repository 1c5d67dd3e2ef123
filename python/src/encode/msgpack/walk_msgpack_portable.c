/* The walk that writes MessagePack by public calls only. */
#include "encode/msgpack/walk_msgpack.h"

#include "encode/msgpack/sink_msgpack.h"

#define PH_WALK_NAME ph_walk_msgpack_portable
#define PH_WALK_FAST false
#include "encode/walk.h"
