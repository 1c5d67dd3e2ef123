/* Ext payloads to objects: Timestamp, float, nanoseconds, datetime, ExtType, the hook's answer. */
#include "decode/extension.h"

#include "cpython_build.h"
#include "stack_room.h"

#include "wire/timestamp.h"

/* Timestamp has two slots that hold ints: they are filled without a call. */
static PyObject *timestamp_object(ph_module_state *state, ph_timestamp timestamp)
{
    PyTypeObject *type = (PyTypeObject *)state->class.timestamp;
    PyObject *seconds = PyLong_FromLongLong(timestamp.seconds);
    PyObject *nanoseconds = PyLong_FromUnsignedLong(timestamp.nanoseconds);
    PyObject *object = NULL;
    if (seconds != NULL && nanoseconds != NULL) {
        object = type->tp_alloc(type, 0);
    }
    if (object == NULL) {
        Py_XDECREF(seconds);
        Py_XDECREF(nanoseconds);
        return NULL;
    }
    *(PyObject **)((char *)object + state->timestamp_seconds_offset) = seconds;
    *(PyObject **)((char *)object + state->timestamp_nanoseconds_offset) = nanoseconds;
    return object;
}

/* seconds * 10^9 + nanoseconds, which needs more than 64 bits for most of the range. */
static PyObject *nanoseconds_object(ph_timestamp timestamp)
{
    int64_t total;
    if (!__builtin_mul_overflow(timestamp.seconds, (int64_t)PH_NANOSECONDS_PER_SECOND, &total) &&
        !__builtin_add_overflow(total, (int64_t)timestamp.nanoseconds, &total)) {
        return PyLong_FromLongLong(total);
    }
    PyObject *seconds = PyLong_FromLongLong(timestamp.seconds);
    PyObject *factor = PyLong_FromUnsignedLong(PH_NANOSECONDS_PER_SECOND);
    PyObject *rest = PyLong_FromUnsignedLong(timestamp.nanoseconds);
    PyObject *product =
        seconds != NULL && factor != NULL ? PyNumber_Multiply(seconds, factor) : NULL;
    PyObject *sum = product != NULL && rest != NULL ? PyNumber_Add(product, rest) : NULL;
    Py_XDECREF(seconds);
    Py_XDECREF(factor);
    Py_XDECREF(rest);
    Py_XDECREF(product);
    return sum;
}

/* The class does the arithmetic and raises what it raises for dates out of range. */
static PyObject *datetime_object(ph_module_state *state, ph_timestamp timestamp)
{
    int64_t days = timestamp.seconds / 86400;
    if (days < INT32_MIN || days > INT32_MAX) {
        PyErr_Format(PyExc_OverflowError, "days=%lld; too large to convert to C int",
                     (long long)days);
        return NULL;
    }
    PyObject *object = timestamp_object(state, timestamp);
    if (object == NULL) {
        return NULL;
    }
    PyObject *datetime = PyObject_CallMethodNoArgs(object, state->name.to_datetime);
    Py_DECREF(object);
    return datetime;
}

static PyObject *timestamp_value(ph_module_state *state, ph_timestamp_mode mode,
                                 const uint8_t *payload, size_t length, ph_error_code *code)
{
    ph_timestamp timestamp;
    *code = ph_timestamp_read(payload, length, &timestamp);
    if (*code != PH_ERROR_NONE) {
        return NULL;
    }
    switch (mode) {
    case PH_TIMESTAMP_OBJECT: return timestamp_object(state, timestamp);
    case PH_TIMESTAMP_FLOAT:
        return PyFloat_FromDouble((double)timestamp.seconds + timestamp.nanoseconds / 1e9);
    case PH_TIMESTAMP_NANOSECONDS: return nanoseconds_object(timestamp);
    case PH_TIMESTAMP_DATETIME: return datetime_object(state, timestamp);
    }
    Py_UNREACHABLE();
}

/* ExtType is a tuple of two; its own constructor would only check what is known to be right. */
static PyObject *ext_type_object(ph_module_state *state, int32_t ext_type, PyObject *data)
{
    PyTypeObject *type = (PyTypeObject *)state->class.ext_type;
    if (ext_type < 0) { /* what the constructor says, without running Python code */
        PyErr_SetString(PyExc_ValueError, "code must be 0~127");
        return NULL;
    }
    PyObject *code = PyLong_FromLong(ext_type);
    PyObject *object = code != NULL ? type->tp_alloc(type, 2) : NULL;
    if (object == NULL) {
        Py_XDECREF(code);
        return NULL;
    }
    ph_tuple_forget_hash(object);
    PyTuple_SET_ITEM(object, 0, code);
    PyTuple_SET_ITEM(object, 1, Py_NewRef(data));
    return object;
}

PyObject *ph_extension_object(ph_module_state *state, const ph_decode_options *options,
                              int32_t ext_type, const uint8_t *payload, size_t length,
                              ph_error_code *code)
{
    if (ext_type == PH_TIMESTAMP_EXT_TYPE) {
        return timestamp_value(state, options->timestamp, payload, length, code);
    }
    PyObject *data = PyBytes_FromStringAndSize((const char *)payload, (Py_ssize_t)length);
    if (data == NULL) {
        return NULL;
    }
    PyObject *object;
    if (options->ext_hook == NULL || options->ext_hook == state->class.ext_type) {
        object = ext_type_object(state, ext_type, data);
    } else {
        PyObject *number = PyLong_FromLong(ext_type);
        PyObject *arguments[3] = {NULL, number, data};
        bool may_call = number != NULL && ph_stack_allows_call();
        object = !may_call ? NULL
                           : PyObject_Vectorcall(options->ext_hook, arguments + 1,
                                                 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        Py_XDECREF(number);
    }
    Py_DECREF(data);
    return object;
}
