/* The parts that paths of errors are made of: ".name", "[2]", "[key 0]". */
#ifndef PH_RUBY_PATH_PARTS_H
#define PH_RUBY_PATH_PARTS_H

#include "packhorse.h"

/* Parts shown at either end of a deep path; what is between them is "...". */
#define PH_PATH_PARTS_SHOWN 16

/* Each appends to the String `path` and allocates; no methods of the key are called. */

/* The part for the value of a key: ".name", or ["other text"], [5], [ClassName]. */
void ph_path_append_key(VALUE path, VALUE key);

/* The part for an element: "[index]". */
void ph_path_append_index(VALUE path, size_t index);

/* The part for the key, not the value, of a pair: "[key number]". */
void ph_path_append_key_number(VALUE path, size_t number);

#endif
