/* JSON text to Python objects: the entry points of the decoder. */
#ifndef PH_PYTHON_UNTYPED_JSON_DECODE_H
#define PH_PYTHON_UNTYPED_JSON_DECODE_H

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

/* Raises the exception for an error that the core found at `offset` of a JSON text. */
void ph_json_raise(ph_module_state *state, ph_error_code code, Py_ssize_t offset);

/* json_decode(buf, float_hook, jsonc, unique_keys) and json_decode_lines(...) of the module, called
 * by packhorse.json with all arguments in place; METH_FASTCALL. */
PyObject *ph_json_decode_call(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *ph_json_decode_lines_call(PyObject *module, PyObject *const *arguments, Py_ssize_t count);

#endif
