/* Python objects to JSON: the entry points, and what the Encoder class shares with them. */
#ifndef PH_PYTHON_ENCODE_JSON_JSON_ENCODE_H
#define PH_PYTHON_ENCODE_JSON_JSON_ENCODE_H

#include "encode/encoder.h"

/* Adds json_encode, json_dumps, json_format and the type JsonEncoder to the module; -1 with an
 * exception set. */
int ph_json_encode_add(PyObject *module);

/* Creates the type; a new reference, NULL with an exception set. */
PyTypeObject *ph_json_encoder_type_new(PyObject *module);

/* Begins an encoding with the size of the last large result as a hint; returns the position. */
uint8_t *ph_json_begin(ph_encoder *encoder, ph_module_state *state,
                       const ph_encode_options *options);

/* Ends it: the bytes up to `to` as a new bytes object; with `to` NULL raises what made it fail. */
PyObject *ph_json_end(ph_encoder *encoder, uint8_t *to);

/* Encodes one object; a new bytes object, NULL with an exception set. */
PyObject *ph_json_encode_bytes(ph_module_state *state, const ph_encode_options *options,
                               PyObject *object);

/* Set an option from the value of a keyword, as msgspec takes it; false with an exception set. */
bool ph_json_set_hook(ph_encode_options *options, PyObject *value);
bool ph_json_set_order(ph_encode_options *options, PyObject *value);

#endif
