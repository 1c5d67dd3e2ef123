/* unpackb: arguments, input buffers, what follows the value, and the exceptions of the core's codes. */
#include "decode/decode.h"

#include "errors.h"
#include "input_buffer.h"

/* The text that callers of msgpack know, with the numbers they look for. */
static void raise_limit(const char *option, uint64_t length, uint64_t limit)
{
    PyErr_Format(PyExc_ValueError, "%llu exceeds %s(%llu)", (unsigned long long)length, option,
                 (unsigned long long)limit);
}

void ph_decode_raise(ph_module_state *state, ph_error_code code, Py_ssize_t offset, uint64_t length,
                     uint64_t limit)
{
    (void)offset;
    switch (code) {
    case PH_ERROR_TRUNCATED:
        PyErr_SetString(PyExc_ValueError, "Unpack failed: incomplete input");
        return;
    case PH_ERROR_RESERVED_BYTE: PyErr_SetNone(state->class.format_error); return;
    case PH_ERROR_DEPTH_LIMIT: PyErr_SetNone(state->class.stack_error); return;
    case PH_ERROR_STRING_LIMIT: raise_limit("max_str_len", length, limit); return;
    case PH_ERROR_BINARY_LIMIT: raise_limit("max_bin_len", length, limit); return;
    case PH_ERROR_ARRAY_LIMIT: raise_limit("max_array_len", length, limit); return;
    case PH_ERROR_MAP_LIMIT: raise_limit("max_map_len", length, limit); return;
    case PH_ERROR_EXT_LIMIT: raise_limit("max_ext_len", length, limit); return;
    case PH_ERROR_TIMESTAMP_LENGTH:
        PyErr_Format(PyExc_ValueError, "invalid timestamp data (length %llu)",
                     (unsigned long long)length);
        return;
    case PH_ERROR_TIMESTAMP_NANOSECONDS:
        PyErr_SetString(PyExc_ValueError, "nanoseconds must be a non-negative integer not greater "
                                          "than 999999999.");
        return;
    case PH_ERROR_NO_MEMORY: PyErr_NoMemory(); return;
    default: PyErr_SetString(PyExc_ValueError, ph_error_message(code));
    }
}

/* A whole value was decoded and bytes follow. Takes over `unpacked`. */
static void raise_extra_data(ph_module_state *state, PyObject *unpacked, const uint8_t *extra,
                             const uint8_t *end, Py_ssize_t offset)
{
    PyObject *rest = PyBytes_FromStringAndSize((const char *)extra, end - extra);
    PyObject *exception =
        rest == NULL ? NULL
                     : PyObject_CallFunctionObjArgs(state->class.extra_data, unpacked, rest, NULL);
    if (exception != NULL) {
        PyErr_SetObject(state->class.extra_data, exception);
        ph_trace trace;
        ph_trace_begin(&trace);
        ph_trace_capture(&trace, offset);
        ph_trace_finish(state, &trace);
    }
    Py_XDECREF(exception);
    Py_XDECREF(rest);
    Py_DECREF(unpacked);
}

static PyObject *unpack_bytes(ph_module_state *state, const ph_decode_options *options,
                              const void *bytes, Py_ssize_t size)
{
    const uint8_t *start = bytes, *end = start + size;
    ph_decode_stop stop;
    ph_limits limits = ph_decode_options_limits(options, size);
    PyObject *made = ph_decode(state, options, &limits, start, end, 0, &stop);
    if (made != NULL && stop.position != end) {
        raise_extra_data(state, made, stop.position, end, stop.position - start);
        return NULL;
    }
    return made;
}

/* The buffer stays exported while hooks run, so that nobody can resize it beneath us. */
static PyObject *unpack_buffer(ph_module_state *state, const ph_decode_options *options,
                               PyObject *packed)
{
    Py_buffer view;
    if (ph_input_buffer_get(packed, &view) < 0) {
        return NULL;
    }
    PyObject *made = unpack_bytes(state, options, view.buf, view.len);
    PyBuffer_Release(&view);
    return made;
}

static PyObject *unpack_object(ph_module_state *state, const ph_decode_options *options,
                               PyObject *packed)
{
    if (PH_LIKELY(PyBytes_CheckExact(packed))) {
        return unpack_bytes(state, options, PyBytes_AS_STRING(packed), PyBytes_GET_SIZE(packed));
    }
    return unpack_buffer(state, options, packed);
}

static PyObject *bad_arguments(Py_ssize_t count)
{
    PyErr_Format(PyExc_TypeError, "unpackb() takes exactly 1 positional argument (%zd given)",
                 count);
    return NULL;
}

/* The decode options among keyword arguments, and `packed` where it is one of them (borrowed). */
static int parse_keywords(ph_module_state *state, ph_decode_options *options,
                          PyObject *const *values, PyObject *keywords, PyObject **packed)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); i++) {
        PyObject *name = PyTuple_GET_ITEM(keywords, i);
        int known = ph_decode_options_set(state, options, name, values[i]);
        if (known == 0 && PyUnicode_Compare(name, state->name.packed) == 0 && *packed == NULL) {
            *packed = values[i];
        } else if (known == 0) {
            PyErr_Format(PyExc_TypeError, "unpackb() got an unexpected keyword argument '%U'",
                         name);
            return -1;
        } else if (known < 0) {
            return -1;
        }
    }
    return ph_decode_options_check(options);
}

/* The call with options, kept apart so that the plain call prepares none. */
static PH_NOINLINE PyObject *unpack_with_keywords(ph_module_state *state,
                                                  PyObject *const *arguments, Py_ssize_t count,
                                                  PyObject *keywords)
{
    ph_decode_options options;
    ph_decode_options_init(&options);
    PyObject *packed = count == 1 ? arguments[0] : NULL;
    PyObject *made = NULL;
    if (parse_keywords(state, &options, arguments + count, keywords, &packed) == 0) {
        made = packed != NULL ? unpack_object(state, &options, packed) : bad_arguments(0);
    }
    ph_decode_options_clear(&options);
    return made;
}

PyObject *ph_unpackb(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                     PyObject *keywords)
{
    static const ph_decode_options plain = PH_DECODE_OPTIONS_DEFAULT;
    ph_module_state *state = ph_module_state_of(module);
    if (PH_UNLIKELY(count > 1)) {
        return bad_arguments(count);
    }
    if (keywords != NULL) {
        return unpack_with_keywords(state, arguments, count, keywords);
    }
    return PH_LIKELY(count == 1) ? unpack_object(state, &plain, arguments[0]) : bad_arguments(0);
}
