/* The rare types in MessagePack, in the order in which msgpack asks for them, and the hook. */
#include "encode/msgpack/msgpack_values.h"

#include "cpython_read.h"
#include "encode/pairs.h"
#include "encode/payload.h"
#include "values/datetime.h"

#include "wire/put.h"

/* An exception that user code may have raised stays as it is; only our own get a path. */

static uint8_t *write_binary(ph_encoder *encoder, uint8_t *to, const void *bytes, size_t size,
                             const char *type_name)
{
    if (size > PH_PUT_LENGTH_MAX) {
        PyErr_Format(PyExc_ValueError, "%.200s object is too large", type_name);
        return ph_encoder_capture(encoder);
    }
    to = ph_output_ensure(&encoder->output, to, PH_PUT_ROOM + size);
    if (to == NULL) {
        return NULL;
    }
    to = encoder->options->bin_type ? ph_put_binary_header(to, (uint32_t)size)
                                    : ph_put_raw_header(to, (uint32_t)size);
    if (size > 0) {
        memcpy(to, bytes, size);
    }
    return to + size;
}

uint8_t *ph_msgpack_write_ext(ph_encoder *encoder, uint8_t *to, int8_t ext_type,
                              const uint8_t *payload, size_t size)
{
    if (size > PH_PUT_LENGTH_MAX) {
        return ph_encoder_too_large(encoder, "EXT data");
    }
    to = ph_output_ensure(&encoder->output, to, PH_PUT_ROOM + size);
    if (to == NULL) {
        return NULL;
    }
    to = ph_put_ext_header(to, ext_type, (uint32_t)size);
    if (size > 0) {
        memcpy(to, payload, size);
    }
    return to + size;
}

static uint8_t *write_timestamp(ph_encoder *encoder, uint8_t *to, ph_timestamp timestamp)
{
    uint8_t payload[PH_TIMESTAMP_PAYLOAD_MAX];
    size_t size = ph_timestamp_write(timestamp, payload);
    return ph_msgpack_write_ext(encoder, to, PH_TIMESTAMP_EXT_TYPE, payload, size);
}

/* Any int; NULL without an exception when it is too wide. */
static uint8_t *write_int(uint8_t *to, PyObject *number)
{
    int64_t value;
    switch (ph_int_read_wide(number, &value)) {
    case PH_INT_SIGNED: return ph_put_signed(to, value);
    case PH_INT_UNSIGNED: return ph_put_unsigned(to, (uint64_t)value);
    case PH_INT_TOO_WIDE: break;
    }
    return NULL;
}

static uint8_t *write_float(ph_encoder *encoder, uint8_t *to, double value)
{
    if (!encoder->options->single_float) {
        return ph_put_float64(to, value);
    }
    *to = PH_FORMAT_FLOAT32;
    if (PyFloat_Pack4(value, (char *)to + 1, 0) < 0) {
        return ph_encoder_capture(encoder);
    }
    return to + 5;
}

/* Since 3.12 a subclass may have a __buffer__ and a __release_buffer__ of its own. */
static uint8_t *write_bytearray(ph_encoder *encoder, uint8_t *to, PyObject *array)
{
    Py_buffer view;
    bool is_exact = PyByteArray_CheckExact(array);
    encoder->user_code_calls += !is_exact;
    if (PyObject_GetBuffer(array, &view, PyBUF_SIMPLE) < 0) {
        return is_exact ? ph_encoder_capture(encoder) : NULL;
    }
    to = write_binary(encoder, to, view.buf, (size_t)view.len, Py_TYPE(array)->tp_name);
    PyBuffer_Release(&view);
    return to;
}

static uint8_t *write_memoryview(ph_encoder *encoder, uint8_t *to, PyObject *memory)
{
    Py_buffer view;
    if (PyObject_GetBuffer(memory, &view, PyBUF_SIMPLE) < 0) {
        return ph_encoder_capture(encoder);
    }
    if ((size_t)view.len > PH_PUT_LENGTH_MAX) {
        to = ph_encoder_too_large(encoder, "memoryview");
    } else {
        to = write_binary(encoder, to, view.buf, (size_t)view.len, "memoryview");
    }
    PyBuffer_Release(&view);
    return to;
}

/* An ExtType is a tuple of code and data; a subclass may compute either. */
static uint8_t *write_ext_type(ph_encoder *encoder, uint8_t *to, PyObject *ext)
{
    encoder->user_code_calls++;
    PyObject *code = PyObject_GetAttr(ext, encoder->state->name.code);
    PyObject *data = code == NULL ? NULL : PyObject_GetAttr(ext, encoder->state->name.data);
    int8_t ext_type;
    ph_payload payload;
    if (data != NULL && ph_ext_code(code, &ext_type) && ph_payload_get(data, &payload)) {
        to = ph_msgpack_write_ext(encoder, to, ext_type, payload.bytes, payload.size);
        ph_payload_release(&payload);
    } else {
        to = NULL;
    }
    Py_XDECREF(code);
    Py_XDECREF(data);
    return to;
}

/* The slots of a Timestamp hold ints unless somebody has put something else there. */
static uint8_t *write_timestamp_object(ph_encoder *encoder, uint8_t *to, PyObject *object)
{
    encoder->user_code_calls++;
    PyObject *seconds = PyObject_GetAttr(object, encoder->state->name.seconds);
    PyObject *nanoseconds =
        seconds == NULL ? NULL : PyObject_GetAttr(object, encoder->state->name.nanoseconds);
    long long whole = 0;
    long long fraction = 0;
    bool read = nanoseconds != NULL && ph_integer_argument(seconds, &whole) &&
                ph_integer_argument(nanoseconds, &fraction);
    Py_XDECREF(seconds);
    Py_XDECREF(nanoseconds);
    if (!read) {
        return NULL;
    }
    if (fraction < 0 || fraction >= PH_NANOSECONDS_PER_SECOND) {
        PyErr_SetString(PyExc_ValueError, "nanoseconds must be a non-negative integer not greater "
                                          "than 999999999.");
        return ph_encoder_capture(encoder);
    }
    return write_timestamp(encoder, to,
                           (ph_timestamp){.seconds = whole, .nanoseconds = (uint32_t)fraction});
}

static uint8_t *write_datetime(ph_encoder *encoder, uint8_t *to, PyObject *datetime)
{
    ph_timestamp timestamp;
    bool user_code = false;
    bool read = ph_datetime_read(encoder->state, datetime, &timestamp, &user_code);
    encoder->user_code_calls += user_code;
    return read ? write_timestamp(encoder, to, timestamp) : NULL;
}

/* The types that are packed when they are exactly themselves, and nothing else with strict_types.
 * NULL with *known false when `value` is none of them. */
static uint8_t *write_known(ph_encoder *encoder, uint8_t *to, PyObject *value, bool *known)
{
    PyTypeObject *type = Py_TYPE(value);
    bool strict = encoder->options->strict_types;
    *known = true;
#define IS(kind) (strict ? kind##_CheckExact(value) : kind##_Check(value))
    if (value == Py_None || PyBool_Check(value)) {
        return encoder->walk->value(encoder, to, value);
    }
    if (IS(PyLong)) {
        uint8_t *after = write_int(to, value);
        *known = after != NULL;
        return after;
    }
    if (IS(PyFloat)) {
        return write_float(encoder, to, PyFloat_AS_DOUBLE(value));
    }
    if (IS(PyBytes)) {
        return write_binary(encoder, to, PyBytes_AS_STRING(value), (size_t)PyBytes_GET_SIZE(value),
                            type->tp_name);
    }
    if (IS(PyByteArray)) {
        return write_bytearray(encoder, to, value);
    }
    if (IS(PyUnicode)) {
        return ph_msgpack_write_text(encoder, to, value);
    }
    if (IS(PyDict)) {
        return ph_write_mapping(encoder, to, value);
    }
#if PY_VERSION_HEX >= 0x030f0000
    if (IS(PyFrozenDict)) {
        return ph_write_mapping(encoder, to, value);
    }
#endif
    PyTypeObject *ext_type = (PyTypeObject *)encoder->state->class.ext_type;
    if (type == ext_type || (!strict && PyType_IsSubtype(type, ext_type))) {
        return write_ext_type(encoder, to, value);
    }
    if (type == (PyTypeObject *)encoder->state->class.timestamp) {
        return write_timestamp_object(encoder, to, value);
    }
    if (IS(PyList) || (!strict && PyTuple_Check(value))) {
        return ph_write_sequence(encoder, to, value);
    }
#undef IS
    if (PyMemoryView_Check(value)) {
        return write_memoryview(encoder, to, value);
    }
    if (encoder->options->datetime && ph_datetime_is_exact(encoder->state, value) &&
        ph_datetime_is_aware(value)) {
        return write_datetime(encoder, to, value);
    }
    *known = false;
    return NULL;
}

static PH_COLD uint8_t *unsupported(ph_encoder *encoder, PyObject *value)
{
    bool strict = encoder->options->strict_types;
    const char *name = Py_TYPE(value)->tp_name;
    if (strict ? PyLong_CheckExact(value) : PyLong_Check(value)) {
        PyErr_SetString(PyExc_OverflowError, "Integer value out of range");
    } else if (encoder->options->datetime && ph_datetime_is_exact(encoder->state, value)) {
        PyErr_Format(PyExc_ValueError, "can not serialize '%.200s' object where tzinfo=None", name);
    } else {
        PyErr_Format(PyExc_TypeError, "can not serialize '%.200s' object", name);
    }
    return ph_encoder_capture(encoder);
}

uint8_t *ph_msgpack_write_other(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    bool known;
    uint8_t *after = write_known(encoder, to, value, &known);
    if (PH_LIKELY(known)) {
        return after;
    }
    PyObject *hook = encoder->options->default_hook;
    if (hook == NULL) {
        return unsupported(encoder, value);
    }
    PyObject *result = ph_encoder_call_user_code(encoder) ? PyObject_CallOneArg(hook, value) : NULL;
    if (result == NULL) {
        return NULL;
    }
    /* The hook is asked once for each place, not again for what it returns. */
    after = write_known(encoder, to, result, &known);
    if (!known) {
        unsupported(encoder, result);
        after = NULL;
    }
    Py_DECREF(result);
    return after;
}
