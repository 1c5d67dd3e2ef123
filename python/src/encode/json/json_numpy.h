/* NumPy arrays and scalars as JSON. */
#ifndef PH_PYTHON_ENCODE_JSON_JSON_NUMPY_H
#define PH_PYTHON_ENCODE_JSON_JSON_NUMPY_H

#include "encode/encoder.h"

/* 1 for NumPy arrays (no subclasses) and NumPy scalars; 0 as long as nobody has imported NumPy; -1
 * with an exception set. */
int ph_is_numpy(ph_module_state *state, PyObject *value);

/* Writes one: arrays as nested arrays, numbers, true and false, dates and times as naive text.
 * *known is false, with nothing written, for element types that JSON does not have and for arrays
 * that are not contiguous or not in native byte order; those are up to the hook. So are, for orjson's
 * users, times that are none (NaT, otherwise null) or finer than a nanosecond. */
uint8_t *ph_json_write_numpy(ph_encoder *encoder, uint8_t *to, PyObject *value, bool *known);

/* Sets a TypeError that says why such a value is refused, in orjson's words; false when there is no
 * more to say than its type, then no exception is set. False with one set for an interrupt, or
 * without memory. */
bool ph_json_explain_numpy(ph_encoder *encoder, PyObject *value);

#endif
