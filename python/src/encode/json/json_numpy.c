/* NumPy's values in JSON: numbers by their buffers, dates and times by way of datetime. */
#include "encode/json/json_numpy.h"

#include "encode/json/json_arrays.h"
#include "values/classes.h"

int ph_is_numpy(ph_module_state *state, PyObject *value)
{
    int is_array = ph_is_of_imported(state, value, PH_IMPORTED_NUMPY_ARRAY);
    if (is_array != 0) {
        return is_array;
    }
    PyTypeObject *scalar;
    int found = ph_imported_class(state, PH_IMPORTED_NUMPY_SCALAR, &scalar);
    return found > 0 ? PyType_IsSubtype(Py_TYPE(value), scalar) : found;
}

/* NumPy refused: what that means is up to the hook. An interrupt, or no memory, is no answer: false,
 * and it stays set. */
static bool forget_refusal(void)
{
    if (!PyErr_ExceptionMatches(PyExc_Exception) || PyErr_ExceptionMatches(PyExc_MemoryError)) {
        return false;
    }
    PyErr_Clear();
    return true;
}

/* 1 for arrays and scalars of type datetime64; -1 with an exception set. */
static int holds_datetimes(PyObject *value)
{
    PyObject *dtype = PyObject_GetAttrString(value, "dtype");
    PyObject *kind = dtype == NULL ? NULL : PyObject_GetAttrString(dtype, "kind");
    int answer =
        kind != NULL && PyUnicode_Check(kind) && PyUnicode_CompareWithASCIIString(kind, "M") == 0;
    if (kind == NULL && !forget_refusal()) {
        answer = -1;
    }
    Py_XDECREF(dtype);
    Py_XDECREF(kind);
    return answer;
}

/* packhorse.json.numpy_values.name(value, ...), what this shares with the fallback; `argument` may be
 * NULL. A new reference, NULL with an exception set. */
static PyObject *ask(const char *name, PyObject *value, PyObject *argument)
{
    PyObject *rules = PyImport_ImportModule("packhorse.json.numpy_values");
    PyObject *function = rules == NULL ? NULL : PyObject_GetAttrString(rules, name);
    PyObject *answer =
        function == NULL ? NULL : PyObject_CallFunctionObjArgs(function, value, argument, NULL);
    Py_XDECREF(function);
    Py_XDECREF(rules);
    return answer;
}

/* datetime64 has no buffer. */
static uint8_t *write_datetimes(ph_encoder *encoder, uint8_t *to, PyObject *value, bool *known)
{
    encoder->user_code_calls++;
    PyObject *plain = ask("plain_times", value, encoder->options->like_orjson ? Py_True : Py_False);
    if (plain == NULL || !PyTuple_Check(plain) || PyTuple_GET_SIZE(plain) != 1) {
        *known = plain == NULL && !forget_refusal();
        to = NULL;
    } else {
        to = encoder->walk->value(encoder, to, PyTuple_GET_ITEM(plain, 0));
    }
    Py_XDECREF(plain);
    return to;
}

uint8_t *ph_json_write_numpy(ph_encoder *encoder, uint8_t *to, PyObject *value, bool *known)
{
    Py_buffer view;
    *known = true;
    int datetimes = holds_datetimes(value);
    int is_array = ph_is_of_imported(encoder->state, value, PH_IMPORTED_NUMPY_ARRAY);
    if (datetimes != 0 || is_array < 0) {
        return datetimes > 0 ? write_datetimes(encoder, to, value, known) : NULL;
    }
    if (PyObject_GetBuffer(value, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
        *known = !forget_refusal();
        return NULL;
    }
    /* Scalars that are no numbers show their bytes as an array; and orjson leaves arrays without
     * dimensions to the hook. */
    if (is_array ? view.ndim == 0 && encoder->options->like_orjson : view.ndim != 0) {
        *known = false;
        to = NULL;
    } else {
        to = ph_json_write_elements(encoder, to, &view, known);
    }
    PyBuffer_Release(&view);
    return to;
}

bool ph_json_explain_numpy(ph_encoder *encoder, PyObject *value)
{
    int is_numpy = ph_is_numpy(encoder->state, value);
    PyObject *reason = is_numpy > 0 ? ask("refusal", value, NULL) : NULL;
    bool explained = reason != NULL && PyUnicode_Check(reason);
    if (explained) {
        PyErr_SetObject(PyExc_TypeError, reason);
    } else if (PyErr_Occurred()) {
        forget_refusal();
    }
    Py_XDECREF(reason);
    return explained;
}
