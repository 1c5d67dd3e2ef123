/* json_decode and json_loads of the module: inputs of every kind, options by keyword. */
#include "decode/json_call.h"

#include "errors.h"
#include "input_buffer.h"

const ph_json_reading ph_json_reading_default = {PH_JSON_STRICT, NULL, false};

/* ---- inputs ---- */

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

PyObject *ph_json_decode_object(ph_module_state *state, const ph_json_reading *reading,
                                PyObject *text, Py_ssize_t base_offset)
{
    if (PH_LIKELY(PyBytes_CheckExact(text))) {
        const uint8_t *start = (const uint8_t *)PyBytes_AS_STRING(text);
        return ph_json_decode(state, reading, start, start + PyBytes_GET_SIZE(text), base_offset);
    }
    Py_buffer view;
    if (text_buffer(text, &view) < 0) {
        return NULL;
    }
    const uint8_t *start = view.buf;
    PyObject *made = ph_json_decode(state, reading, start, start + view.len, base_offset);
    PyBuffer_Release(&view);
    return made;
}

PyObject *ph_json_decode_object_lines(ph_module_state *state, const ph_json_reading *reading,
                                      PyObject *text)
{
    Py_buffer view;
    if (text_buffer(text, &view) < 0) {
        return NULL;
    }
    const uint8_t *start = view.buf;
    PyObject *list = ph_json_decode_lines(state, reading, start, start + view.len);
    PyBuffer_Release(&view);
    return list;
}

/* ---- options ---- */

static bool is_text(PyObject *value, const char *text)
{
    return PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, text) == 0;
}

static bool check_hook(PyObject *value, const char *name)
{
    if (value != Py_None && !PyCallable_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be callable", name);
        return false;
    }
    return true;
}

bool ph_json_check_dec_hook(PyObject *value)
{
    return check_hook(value, "dec_hook");
}

bool ph_json_set_float_hook(ph_json_reading *reading, PyObject *value)
{
    reading->float_hook = value == Py_None ? NULL : value;
    return check_hook(value, "float_hook");
}

bool ph_json_set_allow(ph_json_reading *reading, PyObject *value)
{
    bool relaxed = is_text(value, "jsonc");
    if (!relaxed && value != Py_None) {
        PyErr_Format(PyExc_ValueError, "`allow` must be None or 'jsonc', got %R", value);
        return false;
    }
    reading->dialect = relaxed ? PH_JSON_RELAXED : PH_JSON_STRICT;
    return true;
}

bool ph_json_set_duplicate_keys(ph_json_reading *reading, PyObject *value)
{
    reading->unique_keys = is_text(value, "error");
    if (!reading->unique_keys && !is_text(value, "last")) {
        PyErr_Format(PyExc_ValueError, "`duplicate_keys` must be 'last' or 'error', got %R", value);
        return false;
    }
    return true;
}

PyObject *ph_json_any(void)
{
    PyObject *typing = PyImport_ImportModule("typing");
    PyObject *any = typing == NULL ? NULL : PyObject_GetAttrString(typing, "Any");
    Py_XDECREF(typing);
    return any;
}

bool ph_json_check_type(PyObject *value)
{
    if (value == (PyObject *)&PyBaseObject_Type) {
        return true;
    }
    PyObject *any = ph_json_any();
    if (any == NULL) {
        return false;
    }
    Py_DECREF(any); /* its module keeps it */
    if (value != any) {
        PyErr_Format(PyExc_TypeError,
                     "this version of packhorse decodes to plain Python objects only: "
                     "type must be typing.Any, not %R",
                     value);
        return false;
    }
    return true;
}

/* ---- json_decode(buf, /, *, type=Any, strict=True, dec_hook=None, ...) ---- */

static bool read_keyword(PyObject *name, PyObject *value, ph_json_reading *reading)
{
    if (is_text(name, "type")) {
        return ph_json_check_type(value);
    }
    if (is_text(name, "dec_hook")) {
        return ph_json_check_dec_hook(value);
    }
    if (is_text(name, "strict")) {
        return PyObject_IsTrue(value) >= 0;
    }
    if (is_text(name, "allow")) {
        return ph_json_set_allow(reading, value);
    }
    if (is_text(name, "duplicate_keys")) {
        return ph_json_set_duplicate_keys(reading, value);
    }
    PyErr_SetString(PyExc_TypeError, "Extra keyword arguments provided");
    return false;
}

static PyObject *json_decode(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                             PyObject *keywords)
{
    if (count != 1) {
        PyErr_SetString(PyExc_TypeError, count == 0 ? "Missing 1 required arguments"
                                                    : "Extra positional arguments provided");
        return NULL;
    }
    ph_module_state *state = ph_module_state_of(module);
    if (PH_LIKELY(keywords == NULL)) {
        return ph_json_decode_object(state, &ph_json_reading_default, arguments[0], 0);
    }
    ph_json_reading reading = ph_json_reading_default;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); i++) {
        if (!read_keyword(PyTuple_GET_ITEM(keywords, i), arguments[1 + i], &reading)) {
            return NULL;
        }
    }
    return ph_json_decode_object(state, &reading, arguments[0], 0);
}

/* ---- json_loads(obj, /) ---- */

/* Raises what packhorse.json.errors makes of the exception that is set. */
static PH_COLD void raise_like_orjson(PyObject *text)
{
    ph_trace caught;
    ph_trace_begin(&caught);
    ph_trace_capture(&caught, -1);
    PyObject *errors = PyImport_ImportModule("packhorse.json.errors");
    PyObject *error = NULL;
    if (errors != NULL && caught.exception != NULL) {
        error = PyObject_CallMethod(errors, "loads_error", "OO", text, caught.exception);
    }
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    }
    Py_XDECREF(error);
    Py_XDECREF(errors);
    Py_XDECREF(caught.exception);
}

static PyObject *json_loads(PyObject *module, PyObject *text)
{
    PyObject *made =
        ph_json_decode_object(ph_module_state_of(module), &ph_json_reading_default, text, 0);
    if (PH_UNLIKELY(made == NULL) && !PyErr_ExceptionMatches(PyExc_MemoryError)) {
        raise_like_orjson(text);
    }
    return made;
}

/* ---- the module ---- */

static PyMethodDef json_functions[] = {
    {"decode", (PyCFunction)(void (*)(void))json_decode, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR(
         "decode($module, buf, /, *, type=..., strict=True, dec_hook=None, allow=None,\n"
         "       duplicate_keys='last')\n--\n\n"
         "Return the object of a JSON text in bytes, another buffer or a str.\n\n"
         "allow='jsonc' accepts comments and trailing commas, duplicate_keys='error' refuses\n"
         "objects that have a key twice. What is wrong raises DecodeError, whose offset counts\n"
         "bytes.")},
    {"loads", json_loads, METH_O,
     PyDoc_STR("loads($module, obj, /)\n--\n\n"
               "Return the object of a JSON text; what is wrong raises JSONDecodeError.")},
    {NULL, NULL, 0, NULL},
};

int ph_json_decode_add(PyObject *module)
{
    PyTypeObject *type = ph_json_decoder_type_new(module);
    int added = type == NULL ? -1 : PyModule_AddObjectRef(module, "JsonDecoder", (PyObject *)type);
    Py_XDECREF(type);
    return added < 0 ? -1 : ph_module_add_json_functions(module, json_functions);
}
