/* The walk that writes MessagePack, reading private layouts where the interpreter is known. */
#include "encode/walk_msgpack.h"

#include "encode/sink_msgpack.h"

#define PH_WALK_NAME ph_walk_msgpack_fast
#define PH_WALK_FAST true
#include "encode/walk.h"
