/* Skipping a JSON value without building it, and still checking all of it. */
#ifndef PH_JSON_SKIP_H
#define PH_JSON_SKIP_H

#include "json/scan.h"

/* Nesting is remembered in one bit a level on the stack: this is how many there are. */
#define PH_JSON_SKIP_DEPTH 8192

/* Skips the value at `position` (white space before it included) and returns the position after it,
 * with *code PH_ERROR_NONE. Checks all that a decoder would: structure, words, numbers, escapes,
 * surrogates and UTF-8. On error *code says what is wrong and the position returned is where.
 * `depth` is how many containers may be nested in the value (a scalar needs none); more, or more
 * than PH_JSON_SKIP_DEPTH, is PH_ERROR_DEPTH_LIMIT. Allocates nothing, does not recurse, reads nothing
 * outside [position, end). Thread safe. */
const uint8_t *ph_json_skip(const uint8_t *position, const uint8_t *end, uint32_t depth,
                            ph_json_options options, ph_error_code *code);

#endif
