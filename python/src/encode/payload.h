/* Arguments that stand for an ext type: the code and the payload. */
#ifndef PH_PYTHON_ENCODE_PAYLOAD_H
#define PH_PYTHON_ENCODE_PAYLOAD_H

#include "cpython.h"

#include "base/compiler.h"

/* Bytes borrowed from an object, which stays exported until ph_payload_release. */
typedef struct ph_payload {
    const uint8_t *bytes;
    size_t size;
    Py_buffer view;
} ph_payload;

/* Takes bytes, any other contiguous buffer, or ASCII str. False with an exception set: TypeError
 * "expected bytes, NAME found", BufferError, UnicodeEncodeError. May run user code. */
bool ph_payload_get(PyObject *data, ph_payload *payload);

void ph_payload_release(ph_payload *payload);

/* An ext code, -128 to 127; false with TypeError or OverflowError set. May run user code. */
bool ph_ext_code(PyObject *object, int8_t *code);

#endif
