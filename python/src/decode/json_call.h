/* What the functions and the class that decode JSON share: inputs of every kind, and options. */
#ifndef PH_PYTHON_DECODE_JSON_CALL_H
#define PH_PYTHON_DECODE_JSON_CALL_H

#include "decode/json_decode.h"

/* Strict RFC 8259, doubles, the last of equal keys. */
extern const ph_json_reading ph_json_reading_default;

/* The object of a text: bytes, bytearray, memoryview, mmap and other buffers, or str. base_offset as
 * for ph_json_decode. A new reference; NULL with DecodeError, with TypeError for other objects, or
 * with what a hook raised. */
PyObject *ph_json_decode_object(ph_module_state *state, const ph_json_reading *reading,
                                PyObject *text, Py_ssize_t base_offset);

/* The same for any number of values, as a list. */
PyObject *ph_json_decode_object_lines(ph_module_state *state, const ph_json_reading *reading,
                                      PyObject *text);

/* Set an option from the value of a keyword; false with TypeError or ValueError set. A hook is
 * borrowed. ph_json_check_type refuses every type but typing.Any and object. */
bool ph_json_set_float_hook(ph_json_reading *reading, PyObject *value);
bool ph_json_set_allow(ph_json_reading *reading, PyObject *value);
bool ph_json_set_duplicate_keys(ph_json_reading *reading, PyObject *value);
bool ph_json_check_dec_hook(PyObject *value);
bool ph_json_check_type(PyObject *value);

/* typing.Any, a new reference; NULL with an exception set. */
PyObject *ph_json_any(void);

/* Creates the type; a new reference, NULL with an exception set. */
PyTypeObject *ph_json_decoder_type_new(PyObject *module);

#endif
