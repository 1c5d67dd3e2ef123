/* Bytes-like input: one set of rules and texts for everything that is decoded or fed. */
#ifndef PH_PYTHON_INPUT_BUFFER_H
#define PH_PYTHON_INPUT_BUFFER_H

#include "cpython.h"

/* Exports `object` as contiguous bytes. Views with gaps are copied, and without a GIL whatever can be
 * written; PyBuffer_Release works on the result either way. -1 with an exception set: TypeError "a bytes-like object is required" for
 * objects without the buffer protocol, BufferError for items of several bytes. */
int ph_input_buffer_get(PyObject *object, Py_buffer *view);

#endif
