/* The walk that writes JSON, reading private layouts where the interpreter is known. */
#include "encode/json/walk_json.h"

#include "encode/json/sink_json.h"

#define PH_WALK_NAME ph_walk_json_fast
#define PH_WALK_FAST true
#include "encode/walk.h"
