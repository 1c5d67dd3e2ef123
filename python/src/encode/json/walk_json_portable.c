/* The walk that writes JSON by public calls only. */
#include "encode/json/walk_json.h"

#include "encode/json/sink_json.h"

#define PH_WALK_NAME ph_walk_json_portable
#define PH_WALK_FAST false
#include "encode/walk.h"
