/* json_encode, json_dumps and json_format: options, one encoding, bytes. */
#include "encode/json/json_encode.h"

#include "decode/json_call.h"
#include "decode/json_decode.h"
#include "encode/json/json_values.h"
#include "encode/json/walk_json.h"
#include "input_buffer.h"

#include "json/format.h"

uint8_t *ph_json_begin(ph_encoder *encoder, ph_module_state *state,
                       const ph_encode_options *options)
{
    atomic_size_t *expected = &state->encode->last_json_size;
    return ph_encoder_begin(encoder, state, options, ph_walk_json(state),
                            atomic_load_explicit(expected, memory_order_relaxed));
}

PyObject *ph_json_end(ph_encoder *encoder, uint8_t *to)
{
    if (PH_UNLIKELY(to == NULL)) {
        return ph_encoder_fail(encoder);
    }
    if (encoder->output.bytes != NULL) {
        atomic_store_explicit(&encoder->state->encode->last_json_size,
                              (size_t)(to - encoder->output.start), memory_order_relaxed);
    }
    return ph_output_finish(&encoder->output, to);
}

PyObject *ph_json_encode_bytes(ph_module_state *state, const ph_encode_options *options,
                               PyObject *object)
{
    ph_encoder encoder;
    uint8_t *to = ph_json_begin(&encoder, state, options);
    return ph_json_end(&encoder, encoder.walk->value(&encoder, to, object));
}

/* ---- json_encode(obj, /, *, enc_hook=None, order=None) ---- */

bool ph_json_set_hook(ph_encode_options *options, PyObject *value)
{
    if (value != Py_None && !PyCallable_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "enc_hook must be callable");
        return false;
    }
    Py_XSETREF(options->default_hook, value == Py_None ? NULL : Py_NewRef(value));
    return true;
}

bool ph_json_set_order(ph_encode_options *options, PyObject *value)
{
    bool is_text = PyUnicode_Check(value);
    bool all = is_text && PyUnicode_CompareWithASCIIString(value, "sorted") == 0;
    bool keys = is_text && PyUnicode_CompareWithASCIIString(value, "deterministic") == 0;
    if (!all && !keys && value != Py_None) {
        PyErr_Format(PyExc_ValueError,
                     "`order` must be one of `{None, 'deterministic', 'sorted'}`, got %R", value);
        return false;
    }
    options->sorted = all || keys;
    options->sorted_fields = all;
    return true;
}

static bool read_encode_keywords(PyObject *const *values, PyObject *keywords,
                                 ph_encode_options *options)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); i++) {
        PyObject *name = PyTuple_GET_ITEM(keywords, i);
        bool read;
        if (PyUnicode_CompareWithASCIIString(name, "enc_hook") == 0) {
            read = ph_json_set_hook(options, values[i]);
        } else if (PyUnicode_CompareWithASCIIString(name, "order") == 0) {
            read = ph_json_set_order(options, values[i]);
        } else {
            PyErr_SetString(PyExc_TypeError, "Extra keyword arguments provided");
            read = false;
        }
        if (!read) {
            return false;
        }
    }
    return true;
}

static PyObject *json_encode(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                             PyObject *keywords)
{
    ph_module_state *state = ph_module_state_of(module);
    if (count != 1) {
        PyErr_SetString(PyExc_TypeError, count == 0 ? "Missing 1 required arguments"
                                                    : "Extra positional arguments provided");
        return NULL;
    }
    if (PH_LIKELY(keywords == NULL)) {
        return ph_json_encode_bytes(state, &ph_encode_options_json, arguments[0]);
    }
    ph_encode_options options = ph_encode_options_json;
    PyObject *result = NULL;
    if (read_encode_keywords(arguments + 1, keywords, &options)) {
        result = ph_json_encode_bytes(state, &options, arguments[0]);
    }
    ph_encode_options_clear(&options);
    return result;
}

/* ---- json_format(buf, *, indent=2) ---- */

static void *resize_block(void *Py_UNUSED(context), void *block, size_t Py_UNUSED(old_size),
                          size_t new_size)
{
    if (new_size == 0) {
        PyMem_RawFree(block);
        return NULL;
    }
    return PyMem_RawRealloc(block, new_size);
}

static const ph_allocator raw_allocator = {.resize = resize_block, .context = NULL};

/* Lays out text anew, without the interpreter: false with *error set. */
static bool lay_out(ph_buffer *output, const uint8_t *text, size_t size, int32_t indent,
                    ph_error *error)
{
    Py_BEGIN_ALLOW_THREADS;
    *error = ph_json_format(output, text, size, indent, PH_DEFAULT_DEPTH, PH_JSON_STRICT);
    Py_END_ALLOW_THREADS;
    return error->code == PH_ERROR_NONE;
}

/* Whether the exception that is set, one of ours, is about a place before `offset`: then it is cleared. */
static bool forget_before(ph_module_state *state, Py_ssize_t offset)
{
    ph_trace caught;
    ph_trace_begin(&caught);
    ph_trace_capture(&caught, -1);
    PyObject *said = PyObject_GetAttr(caught.exception, state->name.offset);
    bool is_before = said == NULL || PyLong_AsSsize_t(said) < offset;
    Py_XDECREF(said);
    PyErr_Clear(); /* a place that is no number is none */
    if (!is_before) {
        PyErr_SetObject((PyObject *)Py_TYPE(caught.exception), caught.exception);
    }
    Py_DECREF(caught.exception);
    return is_before;
}

/* Raises what decoding would raise, which knows the path, for an error that laying out found; without
 * a path when decoding refuses a number before, which may have any size here. */
static PH_COLD void raise_with_path(ph_module_state *state, const uint8_t *text, size_t size,
                                    const ph_error *error)
{
    Py_ssize_t offset = (Py_ssize_t)error->offset;
    ph_json_reading reading = ph_json_reading_default;
    reading.float_hook = (PyObject *)&PyUnicode_Type; /* floats of any size */
    if (error->code != PH_ERROR_NO_MEMORY) {
        Py_XDECREF(ph_json_decode(state, &reading, text, text + size, 0));
    }
    if (PyErr_Occurred() == NULL ||
        (PyErr_ExceptionMatches(state->class.decode_error) && forget_before(state, offset))) {
        ph_json_raise(state, error->code, offset);
    }
}

/* The text laid out, as bytes or str, with a line feed behind it when asked. */
static PyObject *format_text(ph_module_state *state, const uint8_t *text, size_t size,
                             int32_t indent, bool as_str, bool line_feed)
{
    ph_buffer output;
    ph_error error;
    PyObject *result = NULL;
    ph_buffer_init(&output, &raw_allocator);
    if (lay_out(&output, text, size, indent, &error)) {
        if (line_feed && !ph_buffer_append(&output, "\n", 1)) {
            PyErr_NoMemory();
        } else {
            const char *start = (const char *)output.start;
            Py_ssize_t length = (Py_ssize_t)ph_buffer_length(&output);
            result = as_str ? PyUnicode_DecodeUTF8(start, length, NULL)
                            : PyBytes_FromStringAndSize(start, length);
        }
    } else {
        raise_with_path(state, text, size, &error);
    }
    ph_buffer_clear(&output);
    return result;
}

static PyObject *format_object(ph_module_state *state, PyObject *text, int32_t indent)
{
    if (PyUnicode_Check(text)) {
        PyObject *utf8 = PyUnicode_AsUTF8String(text);
        if (utf8 == NULL) {
            return NULL;
        }
        PyObject *result = format_text(state, (const uint8_t *)PyBytes_AS_STRING(utf8),
                                       (size_t)PyBytes_GET_SIZE(utf8), indent, true, false);
        Py_DECREF(utf8);
        return result;
    }
    Py_buffer view;
    if (ph_input_buffer_get(text, &view) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (view.readonly) {
        result = format_text(state, view.buf, (size_t)view.len, indent, false, false);
    } else { /* others may write to it while the interpreter is left to them */
        PyObject *bytes = PyBytes_FromStringAndSize(view.buf, view.len);
        if (bytes != NULL) {
            result = format_text(state, (const uint8_t *)PyBytes_AS_STRING(bytes), (size_t)view.len,
                                 indent, false, false);
            Py_DECREF(bytes);
        }
    }
    PyBuffer_Release(&view);
    return result;
}

static PyObject *json_format(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"buf", "indent", NULL};
    PyObject *text;
    Py_ssize_t indent = 2;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$n:format", names, &text, &indent)) {
        return NULL;
    }
    int32_t layout = indent < 0                    ? PH_JSON_MINIFIED
                     : indent > PH_JSON_INDENT_MAX ? PH_JSON_INDENT_MAX
                                                   : (int32_t)indent;
    return format_object(ph_module_state_of(module), text, layout);
}

/* ---- json_dumps(obj, /, default=None, option=None) ---- */

/* False with an exception set unless `option` is None or a sum of known options. */
static bool read_option(PyObject *option, uint32_t *bits)
{
    *bits = 0;
    if (option == NULL || option == Py_None) {
        return true;
    }
    long value = PyLong_CheckExact(option) ? PyLong_AsLong(option) : -1;
    if (value < 0 || value > PH_ORJSON_OPTIONS_ALL) {
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "Invalid opts");
        return false;
    }
    *bits = (uint32_t)value;
    return true;
}

/* The encoding of dumps, and what comes after it: layout and line feed. */
static PyObject *dump(ph_module_state *state, const ph_encode_options *options, PyObject *object)
{
    ph_encoder encoder;
    uint8_t *to = ph_json_begin(&encoder, state, options);
    to = encoder.walk->value(&encoder, to, object);
    bool line_feed = (options->orjson_options & PH_ORJSON_APPEND_NEWLINE) != 0;
    bool indent = (options->orjson_options & PH_ORJSON_INDENT_2) != 0;
    if (to != NULL && indent) {
        PyObject *result = format_text(state, encoder.output.start,
                                       (size_t)(to - encoder.output.start), 2, false, line_feed);
        ph_output_discard(&encoder.output);
        return result;
    }
    if (to != NULL && line_feed) {
        to = ph_output_append(&encoder.output, to, "\n", 1);
    }
    return ph_json_end(&encoder, to);
}

/* Sorts default and option out of what follows the object; each NULL when not given. */
static bool read_dumps_arguments(PyObject *const *arguments, Py_ssize_t count, PyObject *keywords,
                                 PyObject **hook, PyObject **option)
{
    if (count < 1 || count > 3) {
        PyErr_SetString(PyExc_TypeError,
                        count < 1 ? "dumps() missing 1 required positional argument: 'obj'"
                                  : "dumps() takes at most 3 positional arguments");
        return false;
    }
    *hook = count > 1 ? arguments[1] : NULL;
    *option = count > 2 ? arguments[2] : NULL;
    for (Py_ssize_t i = 0; keywords != NULL && i < PyTuple_GET_SIZE(keywords); i++) {
        PyObject *name = PyTuple_GET_ITEM(keywords, i);
        bool is_hook = PyUnicode_CompareWithASCIIString(name, "default") == 0;
        bool is_option = PyUnicode_CompareWithASCIIString(name, "option") == 0;
        PyObject **target = is_hook ? hook : option;
        if ((!is_hook && !is_option) || *target != NULL) {
            PyErr_Format(PyExc_TypeError,
                         is_hook || is_option ? "dumps() got multiple values for argument: '%U'"
                                              : "dumps() got an unexpected keyword argument '%U'",
                         name);
            return false;
        }
        *target = arguments[count + i];
    }
    return true;
}

static PyObject *json_dumps(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                            PyObject *keywords)
{
    ph_module_state *state = ph_module_state_of(module);
    ph_encode_options options = {
        .json = true, .like_orjson = true, .float_style = PH_FLOAT_STYLE_ORJSON};
    PyObject *hook, *option;
    if (!read_dumps_arguments(arguments, count, keywords, &hook, &option) ||
        !read_option(option, &options.orjson_options)) {
        return NULL;
    }
    options.sorted = (options.orjson_options & PH_ORJSON_SORT_KEYS) != 0;
    options.strict_integer = (options.orjson_options & PH_ORJSON_STRICT_INTEGER) != 0;
    options.default_hook = hook == NULL || hook == Py_None ? NULL : Py_NewRef(hook);
    PyObject *result = dump(state, &options, arguments[0]);
    ph_encode_options_clear(&options);
    return result;
}

/* ---- the module ---- */

static PyMethodDef json_functions[] = {
    {"encode", (PyCFunction)(void (*)(void))json_encode, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("encode($module, obj, /, *, enc_hook=None, order=None)\n--\n\n"
               "Return obj as JSON, in bytes.")},
    {"dumps", (PyCFunction)(void (*)(void))json_dumps, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("dumps($module, obj, /, default=None, option=None)\n--\n\n"
               "Return obj as JSON, in bytes, with the types and options of orjson.")},
    {"format", (PyCFunction)(void (*)(void))json_format, METH_VARARGS | METH_KEYWORDS,
     PyDoc_STR("format($module, buf, *, indent=2)\n--\n\n"
               "Return the JSON text laid out anew: indented, on one line (0) or minified (-1).")},
    {NULL, NULL, 0, NULL},
};

int ph_json_encode_add(PyObject *module)
{
    PyTypeObject *type = ph_json_encoder_type_new(module);
    int added = type == NULL ? -1 : PyModule_AddObjectRef(module, "JsonEncoder", (PyObject *)type);
    Py_XDECREF(type);
    return added < 0 ? -1 : ph_module_add_json_functions(module, json_functions);
}
