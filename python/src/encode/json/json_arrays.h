/* Arrays of numbers in a buffer, as JSON arrays nested by dimension. */
#ifndef PH_PYTHON_ENCODE_JSON_JSON_ARRAYS_H
#define PH_PYTHON_ENCODE_JSON_JSON_ARRAYS_H

#include "encode/encoder.h"

/* Writes the elements of a C-contiguous view, a number alone if it has no dimensions. *known is false,
 * with nothing written, when its format is none of a number or truth value in native byte order. NULL
 * on failure. */
uint8_t *ph_json_write_elements(ph_encoder *encoder, uint8_t *to, const Py_buffer *view,
                                bool *known);

#endif
