/* Elements of JSON arrays that are numbers and words (true, false, null), made objects many at a time. */
#ifndef PH_PYTHON_DECODE_JSON_NUMBERS_H
#define PH_PYTHON_DECODE_JSON_NUMBERS_H

#include "decode/decoder.h"

#include "json/scalar_batch.h"

/* Bytes below which neither of these may be called: the end of an input is left to the scanner. */
#define PH_JSON_NUMBERS_SMALLEST 96

/* Elements from `position` on, onto the stack of values. Returns the position after the last of them;
 * `position` itself if the first is something else, or unusual; NULL with MemoryError set. by_batches:
 * what ph_json_reads_batches said. */
const uint8_t *ph_json_numbers(ph_decoder *d, const uint8_t *position, bool by_batches);

/* The same for elements that are arrays of numbers, where batches can be read. The bracket of the first is
 * at `position`. */
const uint8_t *ph_json_rows(ph_decoder *d, const uint8_t *position);

#endif
