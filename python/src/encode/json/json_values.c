/* The rare types in JSON, for packhorse.json.encode and for dumps, and the hooks. */
#include "encode/json/json_values.h"

#include "cpython_read.h"
#include "encode/json/json_numpy.h"
#include "encode/pairs.h"
#include "encode/payload.h"
#include "values/classes.h"
#include "values/text_forms.h"

#include "text/integer_text.h"

uint8_t *ph_json_unsupported(ph_encoder *encoder, PyObject *value)
{
    PyErr_Format(PyExc_TypeError,
                 encoder->options->like_orjson ? "Type is not JSON serializable: %.200s"
                                               : "Encoding objects of type %.200s is unsupported",
                 Py_TYPE(value)->tp_name);
    return ph_encoder_capture(encoder);
}

static uint8_t *write_text_form(ph_encoder *encoder, uint8_t *to, ph_text_form form,
                                PyObject *value)
{
    bool user_code = false;
    to = form == PH_TEXT_FORM_FAILED
             ? NULL
             : ph_output_ensure(&encoder->output, to, PH_TEXT_FORM_ROOM + 2);
    if (to == NULL) {
        return NULL;
    }
    *to = '"';
    to = ph_put_text_form(encoder->state, encoder->options, form, value, to + 1, &user_code);
    encoder->user_code_calls += user_code;
    if (to == NULL) {
        /* A time with a zone is refused by us, not by user code. */
        return encoder->options->like_orjson && form == PH_TEXT_FORM_TIME &&
                       encoder->trace.exception == NULL
                   ? ph_encoder_capture(encoder)
                   : NULL;
    }
    *to = '"';
    return to + 1;
}

static uint8_t *write_buffer(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) < 0) {
        return ph_encoder_capture(encoder);
    }
    to = ph_json_write_base64(encoder, to, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return to;
}

/* Sets and frozensets, and what derives from them, which has their room at least: most objects are smaller,
 * and their bases need not be looked through. */
static bool is_set(PyObject *value)
{
    return Py_TYPE(value)->tp_basicsize >= PySet_Type.tp_basicsize && PyAnySet_Check(value);
}

/* What is iterated once into a list of our own: sets, in order when the options ask for it. */
static uint8_t *write_set(ph_encoder *encoder, uint8_t *to, PyObject *set)
{
    encoder->user_code_calls++;
    PyObject *items = PySequence_List(set);
    if (items == NULL || (encoder->options->sorted && PyList_Sort(items) < 0)) {
        Py_XDECREF(items);
        return NULL;
    }
    to = encoder->walk->sequence(encoder, to, items);
    Py_DECREF(items);
    return to;
}

/* Whether an instance is to be copied first: a hook may give it attributes while it is written, as
 * properties that are computed once do. */
static bool may_be_changed(const ph_encoder *encoder)
{
    return encoder->options->default_hook != NULL;
}

/* Takes over `fields`, NULL with an exception set. */
static uint8_t *write_fields(ph_encoder *encoder, uint8_t *to, PyObject *fields)
{
    encoder->user_code_calls++;
    if (fields == NULL) {
        return NULL;
    }
    to = encoder->options->sorted_fields ? encoder->walk->dict(encoder, to, fields)
                                         : encoder->walk->unsorted_dict(encoder, to, fields);
    Py_DECREF(fields);
    return to;
}

/* Writes what stands for a value, counted as a level of nesting: it may need a stand-in itself. Takes
 * over `stand_in`, NULL with an exception set. */
static uint8_t *write_stand_in(ph_encoder *encoder, uint8_t *to, PyObject *stand_in,
                               ph_write_function write)
{
    encoder->user_code_calls++;
    if (stand_in == NULL) {
        return NULL;
    }
    if (ph_encoder_enter(encoder)) {
        to = write(encoder, to, stand_in);
        ph_encoder_leave(encoder);
    } else {
        to = NULL;
    }
    Py_DECREF(stand_in);
    return to;
}

/* A member of an enum: by its value, but as the int or str that it is itself if it is one. */
static uint8_t *write_enum(ph_encoder *encoder, uint8_t *to, PyObject *member)
{
    if (PyLong_Check(member)) {
        return ph_json_write_integer(encoder, to, member);
    }
    if (PyUnicode_Check(member)) {
        return ph_json_write_text(encoder, to, member);
    }
    PyObject *stand_in = ph_enum_value(encoder->state, member);
    return write_stand_in(encoder, to, stand_in, encoder->walk->value);
}

/* The types of msgspec.json; NULL with *known false when the value has none of them. */
static uint8_t *write_known(ph_encoder *encoder, uint8_t *to, PyObject *value, bool *known)
{
    *known = true;
    if (PyLong_CheckExact(value)) {
        return ph_json_write_integer(encoder, to, value);
    }
    if (PyBytes_CheckExact(value) || PyByteArray_CheckExact(value) || PyMemoryView_Check(value)) {
        return write_buffer(encoder, to, value);
    }
    if (PyList_Check(value) || PyTuple_Check(value)) {
        return ph_write_sequence(encoder, to, value);
    }
    if (PyDict_Check(value)) {
        return ph_write_mapping(encoder, to, value);
    }
#if PY_VERSION_HEX >= 0x030f0000
    if (PyFrozenDict_Check(value)) {
        return ph_write_mapping(encoder, to, value);
    }
#endif
    if (is_set(value)) {
        return write_set(encoder, to, value);
    }
    ph_module_state *state = encoder->state;
    int is_enum = ph_is_enum_member(state, value);
    if (is_enum != 0) {
        return is_enum < 0 ? NULL : write_enum(encoder, to, value);
    }
    ph_text_form form = ph_text_form_of_derived(state, encoder->options, value);
    if (form != PH_TEXT_FORM_NONE) {
        return write_text_form(encoder, to, form, value);
    }
    int is = ph_is_of_imported(state, value, PH_IMPORTED_DECIMAL);
    if (is != 0) {
        return is < 0 ? NULL : ph_json_write_decimal(encoder, to, value, false);
    }
    bool copy = may_be_changed(encoder);
    PyObject *fields;
    is = ph_dataclass_fields(state, value, copy, &fields);
    if (is != 0) {
        return write_fields(encoder, to, fields);
    }
    is = ph_is_attrs(state, value);
    if (is != 0) {
        return write_fields(encoder, to, is < 0 ? NULL : ph_attrs_fields(state, value, copy));
    }
    is = encoder->options->default_hook == NULL ? ph_is_numpy(state, value) : 0;
    if (is != 0) {
        return is < 0 ? NULL : ph_json_write_numpy(encoder, to, value, known);
    }
    *known = false;
    return NULL;
}

/* The subclasses that orjson takes for what they derive from. */
static uint8_t *write_subclass(ph_encoder *encoder, uint8_t *to, PyObject *value, bool *known)
{
    *known = true;
    if (PyUnicode_Check(value)) {
        return ph_json_write_text(encoder, to, value);
    }
    if (PyLong_Check(value)) {
        return ph_json_write_integer(encoder, to, value);
    }
    if (PyList_Check(value)) {
        return ph_write_sequence(encoder, to, value);
    }
    if (PyDict_Check(value)) {
        return ph_write_mapping(encoder, to, value);
    }
    *known = false;
    return NULL;
}

/* The types of orjson.dumps, in its order. */
static uint8_t *write_known_to_orjson(ph_encoder *encoder, uint8_t *to, PyObject *value,
                                      bool *known)
{
    ph_module_state *state = encoder->state;
    uint32_t bits = encoder->options->orjson_options;
    *known = true;
    if (PyLong_CheckExact(value)) {
        return ph_json_write_integer(encoder, to, value);
    }
    if ((bits & PH_ORJSON_PASSTHROUGH_SUBCLASS) == 0) {
        uint8_t *after = write_subclass(encoder, to, value, known);
        if (*known) {
            return after;
        }
    }
    *known = true;
    ph_text_form form = ph_text_form_of_derived(state, encoder->options, value);
    if (form != PH_TEXT_FORM_NONE) {
        return write_text_form(encoder, to, form, value);
    }
    int is = ph_is_enum_member(state, value);
    if (is != 0) {
        PyObject *stand_in = is < 0 ? NULL : ph_enum_public_value(state, value);
        return write_stand_in(encoder, to, stand_in, encoder->walk->value);
    }
    is = (bits & PH_ORJSON_PASSTHROUGH_DATACLASS) == 0 ? ph_is_dataclass(state, value) : 0;
    if (is != 0) {
        bool copy = may_be_changed(encoder);
        return write_fields(encoder, to,
                            is < 0 ? NULL : ph_dataclass_attributes(state, value, copy));
    }
    is = (bits & PH_ORJSON_SERIALIZE_NUMPY) != 0 ? ph_is_numpy(state, value) : 0;
    if (is != 0) {
        return is < 0 ? NULL : ph_json_write_numpy(encoder, to, value, known);
    }
    *known = false;
    return NULL;
}

/* orjson's users expect a TypeError that names the type, with what the hook raised as its cause. An
 * interrupt is not an answer of the hook and stays what it is. */
static uint8_t *hook_failed(ph_encoder *encoder, PyObject *value)
{
    if (!encoder->options->like_orjson || !PyErr_ExceptionMatches(PyExc_Exception)) {
        return NULL;
    }
    ph_trace cause;
    ph_trace_begin(&cause);
    ph_trace_capture(&cause, -1);
    ph_json_unsupported(encoder, value);
    if (encoder->trace.exception != NULL && cause.exception != NULL) {
        PyException_SetCause(encoder->trace.exception, cause.exception);
    } else {
        Py_XDECREF(cause.exception);
    }
    return NULL;
}

static PH_COLD uint8_t *hook_too_deep(ph_encoder *encoder)
{
    if (!encoder->options->like_orjson) {
        return ph_encoder_too_deep(encoder);
    }
    PyErr_SetString(PyExc_TypeError, "default serializer exceeds recursion limit");
    return ph_encoder_capture(encoder);
}

/* Nobody knows the value, and there is no hook. */
static PH_COLD uint8_t *refuse(ph_encoder *encoder, PyObject *value)
{
    const ph_encode_options *options = encoder->options;
    if (options->like_orjson && (options->orjson_options & PH_ORJSON_SERIALIZE_NUMPY) != 0) {
        if (ph_json_explain_numpy(encoder, value)) {
            return ph_encoder_capture(encoder);
        }
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    return ph_json_unsupported(encoder, value);
}

/* What is none of the classes that have a text form, but maybe derived from one. */
static PH_NOINLINE uint8_t *write_unusual(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    /* Asking for classes is user code as well: modules may load lazily, metaclasses answer. */
    encoder->user_code_calls++;
    bool known;
    uint8_t *after = encoder->options->like_orjson
                         ? write_known_to_orjson(encoder, to, value, &known)
                         : write_known(encoder, to, value, &known);
    if (known) {
        return after;
    }
    int is_fragment = ph_is_of_imported(encoder->state, value, PH_IMPORTED_FRAGMENT);
    if (is_fragment != 0) {
        return is_fragment < 0 ? NULL : ph_json_write_fragment(encoder, to, value);
    }
    PyObject *hook = encoder->options->default_hook;
    if (hook == NULL) {
        return refuse(encoder, value);
    }
    /* What the hook returns may need it again, as deep as containers may be nested. */
    if (encoder->depth_left == 0) {
        return hook_too_deep(encoder);
    }
    if (!ph_encoder_call_user_code(encoder)) {
        return NULL;
    }
    PyObject *result = PyObject_CallOneArg(hook, value);
    if (result == NULL) {
        return hook_failed(encoder, value);
    }
    return write_stand_in(encoder, to, result, encoder->walk->value);
}

uint8_t *ph_json_write_other(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    ph_text_form form =
        ph_text_form_of_exact(encoder->state, encoder->options, false, Py_TYPE(value));
    return form != PH_TEXT_FORM_NONE ? write_text_form(encoder, to, form, value)
                                     : write_unusual(encoder, to, value);
}

static uint8_t *bad_key(ph_encoder *encoder, const char *text)
{
    PyErr_SetString(PyExc_TypeError, text);
    return ph_encoder_capture(encoder);
}

/* The quotes around what write_value writes for a number, null, true or false. */
static uint8_t *write_quoted(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    *to = '"';
    to = encoder->walk->value(encoder, to + 1, value);
    to = to == NULL ? NULL : ph_output_ensure(&encoder->output, to, 1);
    if (to == NULL) {
        return NULL;
    }
    *to = '"';
    return to + 1;
}

/* As text, infinities and NaN have names. */
static uint8_t *write_float_key(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    double value = PyFloat_AS_DOUBLE(key);
    if (ph_double_is_finite(value)) {
        return write_quoted(encoder, to, key);
    }
    const char *name = value != value ? "nan" : value > 0 ? "inf" : "-inf";
    return ph_json_write_ascii(encoder, to, name, strlen(name));
}

/* A key whose text form, enum value or Decimal is the key; NULL with *known false for others. */
static uint8_t *write_value_key(ph_encoder *encoder, uint8_t *to, PyObject *key, bool *known)
{
    ph_module_state *state = encoder->state;
    *known = true;
    int is_enum = ph_is_enum_member(state, key);
    if (is_enum > 0 && PyLong_Check(key)) {
        return write_quoted(encoder, to, key);
    }
    if (is_enum != 0) {
        PyObject *stand_in = is_enum < 0                     ? NULL
                             : encoder->options->like_orjson ? ph_enum_public_value(state, key)
                                                             : ph_enum_value(state, key);
        return write_stand_in(encoder, to, stand_in, ph_json_write_key);
    }
    ph_text_form form = ph_text_form_of_exact(state, encoder->options, true, Py_TYPE(key));
    if (form == PH_TEXT_FORM_NONE) {
        form = ph_text_form_of_derived(state, encoder->options, key);
    }
    if (form != PH_TEXT_FORM_NONE) {
        return write_text_form(encoder, to, form, key);
    }
    *known = false;
    return NULL;
}

/* OPT_STRICT_INTEGER is about values only. */
static uint8_t *write_integer_key(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    int64_t value;
    ph_int_range range = ph_int_read_wide(key, &value);
    if (range == PH_INT_TOO_WIDE) {
        return bad_key(encoder, "Dict integer key must be within 64-bit range");
    }
    *to++ = '"';
    to = range == PH_INT_SIGNED ? ph_text_put_i64(to, value) : ph_text_put_u64(to, (uint64_t)value);
    *to++ = '"';
    return to;
}

static uint8_t *write_key_like_orjson(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    if ((encoder->options->orjson_options & PH_ORJSON_NON_STR_KEYS) == 0) {
        return bad_key(encoder, "Dict key must be str");
    }
    if (PyUnicode_Check(key)) {
        return ph_json_write_text(encoder, to, key);
    }
    if (PyLong_Check(key) && !PyBool_Check(key)) {
        return write_integer_key(encoder, to, key);
    }
    bool known;
    uint8_t *after = write_value_key(encoder, to, key, &known);
    if (known) {
        return after;
    }
    if (PyFloat_CheckExact(key) || PyBool_Check(key) || key == Py_None) {
        return write_quoted(encoder, to, key);
    }
    return bad_key(encoder, "Dict key must a type serializable with OPT_NON_STR_KEYS");
}

uint8_t *ph_json_write_key(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    if (PyUnicode_CheckExact(key)) {
        return ph_json_write_text(encoder, to, key);
    }
    encoder->user_code_calls++; /* as in ph_json_write_other */
    if (encoder->options->like_orjson) {
        return write_key_like_orjson(encoder, to, key);
    }
    if (PyUnicode_Check(key)) {
        return ph_json_write_text(encoder, to, key);
    }
    if (encoder->options->sorted) {
        return bad_key(encoder,
                       "Only dicts with str keys are supported when `order` is not `None`");
    }
    if (PyLong_CheckExact(key)) {
        return write_quoted(encoder, to, key);
    }
    bool known;
    uint8_t *after = write_value_key(encoder, to, key, &known);
    if (known) {
        return after;
    }
    if (PyFloat_CheckExact(key)) {
        return write_float_key(encoder, to, key);
    }
    if (PyBytes_CheckExact(key)) {
        return write_buffer(encoder, to, key);
    }
    int is_decimal = ph_is_of_imported(encoder->state, key, PH_IMPORTED_DECIMAL);
    if (is_decimal != 0) {
        return is_decimal < 0 ? NULL : ph_json_write_decimal(encoder, to, key, true);
    }
    PyObject *hook = encoder->options->default_hook;
    if (hook == NULL) {
        return bad_key(encoder, "Only dicts with str-like or number-like keys are supported");
    }
    PyObject *result = ph_encoder_call_user_code(encoder) ? PyObject_CallOneArg(hook, key) : NULL;
    return write_stand_in(encoder, to, result, ph_json_write_key);
}
