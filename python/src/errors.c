/* Offset, path and note of an exception, put on while it travels out of nested containers. */
#include "errors.h"

/* Segments of a path that are written out; the middle of a longer one is left away. */
#define PATH_SEGMENTS_MAX 64

static PyObject *take_raised(void)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyErr_GetRaisedException();
#else
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL) {
        PyException_SetTraceback(value, traceback);
        Py_DECREF(traceback);
    }
    Py_XDECREF(type);
    return value;
#endif
}

static void raise_again(PyObject *exception)
{
#if PY_VERSION_HEX >= 0x030c0000
    PyErr_SetRaisedException(exception);
#else
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    Py_DECREF(exception);
#endif
}

void ph_trace_capture(ph_trace *trace, Py_ssize_t offset)
{
    trace->exception = take_raised();
    if (trace->exception != NULL && offset >= 0) {
        ph_trace_offset(trace, offset);
    }
}

void ph_trace_offset(ph_trace *trace, Py_ssize_t offset)
{
    PyObject *number = PyLong_FromSsize_t(offset);
    if (number == NULL || PyObject_SetAttrString(trace->exception, "offset", number) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(number);
}

/* Steals segment. Losing a segment for want of memory loses part of a path, not the error. */
static void add_segment(ph_trace *trace, PyObject *segment)
{
    if (segment != NULL && trace->segments == NULL) {
        trace->segments = PyList_New(0);
    }
    if (segment == NULL || trace->segments == NULL || PyList_Append(trace->segments, segment) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(segment);
}

void ph_trace_index(ph_trace *trace, Py_ssize_t index)
{
    if (trace->exception != NULL) {
        add_segment(trace, PyLong_FromSsize_t(index));
    }
}

void ph_trace_key(ph_trace *trace, PyObject *key)
{
    if (trace->exception != NULL && key != NULL) {
        add_segment(trace, Py_NewRef(key));
    }
}

/* The text of one segment: .name, ["other name"], [3]; the type's name for keys of other types. */
static PyObject *segment_text(PyObject *segment)
{
    if (PyUnicode_CheckExact(segment)) {
        return PyUnicode_IsIdentifier(segment) == 1 ? PyUnicode_FromFormat(".%U", segment)
                                                    : PyUnicode_FromFormat("[%R]", segment);
    }
    if (PyLong_CheckExact(segment) || PyBytes_CheckExact(segment) || PyFloat_CheckExact(segment)) {
        return PyUnicode_FromFormat("[%R]", segment);
    }
    return PyUnicode_FromFormat("[<%s>]", Py_TYPE(segment)->tp_name);
}

static PyObject *path_text(PyObject *segments)
{
    Py_ssize_t count = segments == NULL ? 0 : PyList_GET_SIZE(segments);
    PyObject *path = PyUnicode_FromString("$");
    for (Py_ssize_t i = count - 1; path != NULL && i >= 0; i--) {
        Py_ssize_t from_root = count - 1 - i;
        if (count > PATH_SEGMENTS_MAX && from_root == PATH_SEGMENTS_MAX / 2) {
            i = PATH_SEGMENTS_MAX / 2;
            PyUnicode_AppendAndDel(&path, PyUnicode_FromString("[...]"));
            continue;
        }
        PyUnicode_AppendAndDel(&path, segment_text(PyList_GET_ITEM(segments, i)));
    }
    return path;
}

static int add_note(ph_module_state *state, PyObject *exception, PyObject *path)
{
    PyObject *offset = PyObject_GetAttr(exception, state->name.offset);
    if (offset == NULL) {
        PyErr_Clear();
    }
    PyObject *note = offset == NULL ? PyUnicode_FromFormat("at %U", path)
                                    : PyUnicode_FromFormat("at %U, byte %S", path, offset);
    Py_XDECREF(offset);
    if (note == NULL) {
        return -1;
    }
    PyObject *result = PyObject_CallMethodOneArg(exception, state->name.add_note, note);
    Py_DECREF(note);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

void ph_trace_finish(ph_module_state *state, ph_trace *trace)
{
    if (trace->exception != NULL) {
        PyObject *path = path_text(trace->segments);
        if (path == NULL || PyObject_SetAttr(trace->exception, state->name.path, path) < 0 ||
            add_note(state, trace->exception, path) < 0) {
            PyErr_Clear();
        }
        Py_XDECREF(path);
        raise_again(trace->exception);
    }
    Py_CLEAR(trace->segments);
    trace->exception = NULL;
}
