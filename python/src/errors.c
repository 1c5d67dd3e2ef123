/* The path and offset of an exception, gathered while it travels out of nested containers. */
#include "errors.h"

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
    trace->offset = offset;
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

void ph_trace_failed_key(ph_module_state *state, ph_trace *trace)
{
    ph_trace_key(trace, state->class.failed_key);
}

/* location.locate(error, segments, offset); -1 with an exception set. Not if the collector has cleared
 * the function: then it can not be called. */
static int locate(ph_module_state *state, ph_trace *trace)
{
    if (PyFunction_Check(state->class.locate) &&
        PyFunction_GET_GLOBALS(state->class.locate) == NULL) {
        return 0;
    }
    PyObject *segments = trace->segments != NULL ? Py_NewRef(trace->segments) : PyList_New(0);
    PyObject *offset = trace->offset >= 0 ? PyLong_FromSsize_t(trace->offset) : Py_NewRef(Py_None);
    PyObject *located = NULL;
    if (segments != NULL && offset != NULL && PyList_Reverse(segments) == 0) {
        located = PyObject_CallFunctionObjArgs(state->class.locate, trace->exception, segments,
                                               offset, NULL);
    }
    Py_XDECREF(segments);
    Py_XDECREF(offset);
    Py_XDECREF(located);
    return located == NULL ? -1 : 0;
}

void ph_trace_finish(ph_module_state *state, ph_trace *trace)
{
    if (trace->exception != NULL) {
        if (locate(state, trace) < 0 && !PyErr_ExceptionMatches(PyExc_Exception)) {
            Py_DECREF(trace->exception); /* an interrupt came in between and goes first */
        } else {
            PyErr_Clear(); /* the error itself matters more than where it is */
            raise_again(trace->exception);
        }
    }
    Py_CLEAR(trace->segments);
    trace->exception = NULL;
}
