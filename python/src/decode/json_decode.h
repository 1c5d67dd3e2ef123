/* JSON text to Python objects: the entry points of the decoder. */
#ifndef PH_PYTHON_DECODE_JSON_DECODE_H
#define PH_PYTHON_DECODE_JSON_DECODE_H

#include "module.h"

#include "json/scan.h"

/* How one text is read. */
typedef struct ph_json_reading {
    ph_json_options dialect; /* PH_JSON_STRICT or PH_JSON_RELAXED */
    PyObject *float_hook;    /* borrowed, called with the text of each float; NULL: double */
    bool unique_keys;        /* a key that comes twice in one object is an error */
} ph_json_reading;

/* Decodes one value that begins at `start`, white space around it allowed, and nothing else in
 * [start, end). Those bytes must stay valid and unchanged, also while a hook runs. base_offset: the
 * offset of `start` in what the user calls the input. A new reference, or NULL with DecodeError or
 * whatever the hook raised. */
PyObject *ph_json_decode(ph_module_state *state, const ph_json_reading *reading,
                         const uint8_t *start, const uint8_t *end, Py_ssize_t base_offset);

/* Decodes any number of values with white space between them into a list; errors as above, their
 * paths beginning with the number of the value. */
PyObject *ph_json_decode_lines(ph_module_state *state, const ph_json_reading *reading,
                               const uint8_t *start, const uint8_t *end);

/* Raises the exception for an error that the core found at `offset` of a JSON text. */
void ph_json_raise(ph_module_state *state, ph_error_code code, Py_ssize_t offset);

/* Adds json_decode, json_loads and the type JsonDecoder to the module; -1 with an exception set. */
int ph_json_decode_add(PyObject *module);

#endif
