/* Exporting bytes-like objects, copying those whose bytes do not lie together. */
#include "input_buffer.h"

/* The bytes of a view in C order; a new reference, or NULL with an exception set. */
static PyObject *bytes_of(const Py_buffer *view)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, view->len);
    if (bytes != NULL &&
        PyBuffer_ToContiguous(PyBytes_AS_STRING(bytes), view, view->len, 'C') < 0) {
        Py_CLEAR(bytes);
    }
    return bytes;
}

/* Without a GIL another thread can write into a bytearray while it is read; what was measured must
 * still be so when it is copied. */
static bool may_change_any_time(const Py_buffer *view)
{
#ifdef Py_GIL_DISABLED
    return !view->readonly;
#else
    (void)view;
    return false;
#endif
}

int ph_input_buffer_get(PyObject *object, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO) < 0) {
        return -1;
    }
    if (view->itemsize != 1) {
        PyBuffer_Release(view);
        PyErr_SetString(PyExc_BufferError, "cannot unpack from multi-byte object");
        return -1;
    }
    if (PyBuffer_IsContiguous(view, 'C') && !may_change_any_time(view)) {
        return 0;
    }
    PyObject *bytes = bytes_of(view);
    PyBuffer_Release(view);
    if (bytes == NULL) {
        return -1;
    }
    int result = PyObject_GetBuffer(bytes, view, PyBUF_SIMPLE);
    Py_DECREF(bytes);
    return result;
}
