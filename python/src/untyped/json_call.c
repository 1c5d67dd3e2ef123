/* The JSON decoding functions of the module: inputs of every kind, whole texts and lines. */
#include "untyped/json_decode.h"

#include "input_buffer.h"

/* The bytes of a text: those of a str of ASCII letters or of a bytes-like object as they are, other
 * str encoded. -1 with an exception set; otherwise PyBuffer_Release(view) when done. */
static int text_buffer(PyObject *text, Py_buffer *view)
{
    if (!PyUnicode_Check(text)) {
        return ph_input_buffer_get(text, view);
    }
    if (PyUnicode_IS_ASCII(text)) {
        return PyBuffer_FillInfo(view, text, PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text),
                                 1, PyBUF_SIMPLE);
    }
    PyObject *encoded = PyUnicode_AsUTF8String(text); /* leaves no copy within the str */
    if (encoded == NULL) {
        return -1;
    }
    int result = PyObject_GetBuffer(encoded, view, PyBUF_SIMPLE);
    Py_DECREF(encoded);
    return result;
}

/* Arguments behind the text: float_hook (None or callable), relaxed, unique_keys. */
static int read_arguments(const char *name, PyObject *const *arguments, Py_ssize_t count,
                          ph_json_reading *reading)
{
    if (count != 4) {
        PyErr_Format(PyExc_TypeError, "%s() takes 4 arguments (%zd given)", name, count);
        return -1;
    }
    int relaxed = PyObject_IsTrue(arguments[2]), unique = PyObject_IsTrue(arguments[3]);
    if (relaxed < 0 || unique < 0) {
        return -1;
    }
    reading->float_hook = arguments[1] == Py_None ? NULL : arguments[1];
    reading->dialect = relaxed ? PH_JSON_RELAXED : PH_JSON_STRICT;
    reading->unique_keys = unique != 0;
    return 0;
}

PyObject *ph_json_decode_call(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    static const ph_json_reading plain = {PH_JSON_STRICT, NULL, false};
    ph_module_state *state = ph_module_state_of(module);
    ph_json_reading reading = plain;
    if (count != 1 && read_arguments("json_decode", arguments, count, &reading) < 0) {
        return NULL;
    }
    if (PH_LIKELY(PyBytes_CheckExact(arguments[0]))) {
        const uint8_t *start = (const uint8_t *)PyBytes_AS_STRING(arguments[0]);
        return ph_json_decode(state, &reading, start, start + PyBytes_GET_SIZE(arguments[0]), 0);
    }
    Py_buffer view;
    if (text_buffer(arguments[0], &view) < 0) {
        return NULL;
    }
    const uint8_t *start = view.buf;
    PyObject *made = ph_json_decode(state, &reading, start, start + view.len, 0);
    PyBuffer_Release(&view);
    return made;
}

/* One value a line; lines without anything but white space count for nothing. */
static PyObject *decode_lines(ph_module_state *state, const ph_json_reading *reading,
                              const uint8_t *start, const uint8_t *end)
{
    PyObject *list = PyList_New(0);
    const uint8_t *line = start;
    while (list != NULL && line != end) {
        const uint8_t *stop = memchr(line, '\n', ph_left(line, end));
        stop = stop != NULL ? stop : end;
        if (ph_json_space(line, stop, reading->dialect) != stop) {
            PyObject *value = ph_json_decode(state, reading, line, stop, line - start);
            if (value == NULL || PyList_Append(list, value) < 0) {
                Py_CLEAR(list);
            }
            Py_XDECREF(value);
        }
        line = stop != end ? stop + 1 : end;
    }
    return list;
}

PyObject *ph_json_decode_lines_call(PyObject *module, PyObject *const *arguments, Py_ssize_t count)
{
    ph_module_state *state = ph_module_state_of(module);
    ph_json_reading reading;
    Py_buffer view;
    if (read_arguments("json_decode_lines", arguments, count, &reading) < 0 ||
        text_buffer(arguments[0], &view) < 0) {
        return NULL;
    }
    const uint8_t *start = view.buf;
    PyObject *list = decode_lines(state, &reading, start, start + view.len);
    PyBuffer_Release(&view);
    return list;
}
