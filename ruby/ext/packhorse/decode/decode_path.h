/* Where in the tree a decoder stands, for messages. */
#ifndef PH_RUBY_DECODE_PATH_H
#define PH_RUBY_DECODE_PATH_H

#include "decode/value_stack.h"

/* The loop's locals at the moment of failure. */
typedef struct ph_decode_place {
    size_t open;
    size_t base;
    bool map;
    size_t top;
} ph_decode_place;

/* A String: "$" for the value itself, then "[2]" for each array and ".name" or "[key]" for each map
 * around the place. Very deep and very long ones are cut with "...". Allocates. */
VALUE ph_decode_path(const ph_value_stack *stack, const ph_decode_place *place);

#endif
