/* The walk that writes MessagePack, reading private layouts where the interpreter is known. */
#include "encode/msgpack/walk_msgpack.h"

#include "encode/msgpack/sink_msgpack.h"

#define PH_WALK_NAME ph_walk_msgpack_fast
#define PH_WALK_FAST true
#include "encode/walk.h"
