/* Ext codes and payloads from arguments, as lenient as msgpack takes them. */
#include "encode/payload.h"

#include "encode/encode_options.h"

bool ph_payload_get(PyObject *data, ph_payload *payload)
{
    if (PyUnicode_Check(data)) {
        PyObject *ascii = PyUnicode_AsASCIIString(data);
        if (ascii == NULL) {
            return false;
        }
        int got = PyObject_GetBuffer(ascii, &payload->view, PyBUF_SIMPLE);
        Py_DECREF(ascii); /* the view owns it now */
        if (got < 0) {
            return false;
        }
    } else if (!PyObject_CheckBuffer(data)) {
        PyErr_Format(PyExc_TypeError, "expected bytes, %.200s found", Py_TYPE(data)->tp_name);
        return false;
    } else if (PyObject_GetBuffer(data, &payload->view, PyBUF_SIMPLE) < 0) {
        return false;
    }
    payload->bytes = payload->view.buf;
    payload->size = (size_t)payload->view.len;
    return true;
}

void ph_payload_release(ph_payload *payload)
{
    PyBuffer_Release(&payload->view);
}

bool ph_ext_code(PyObject *object, int8_t *code)
{
    long long value;
    if (!ph_integer_argument(object, &value)) {
        return false;
    }
    if (value < INT8_MIN || value > INT8_MAX) {
        PyErr_SetString(PyExc_OverflowError, "value too large to convert to char");
        return false;
    }
    *code = (int8_t)value;
    return true;
}
