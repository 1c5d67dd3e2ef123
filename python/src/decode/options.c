/* Decode options from keywords: one setter for each kind of value, checks, limits, ownership. */
#include "decode/options.h"

static int set_flag(bool *flag, PyObject *value)
{
    int truth = PyObject_IsTrue(value);
    if (truth < 0) {
        return -1;
    }
    *flag = truth != 0;
    return 1;
}

/* Whether it can be called is asked in ph_decode_options_check, where the order of several
 * complaints does not depend on the order of the keywords. */
static int set_hook(PyObject **hook, PyObject *value)
{
    Py_XSETREF(*hook, value == Py_None ? NULL : Py_NewRef(value));
    return 1;
}

static int set_length(Py_ssize_t *length, PyObject *value)
{
    PyObject *number = PyNumber_Index(value);
    if (number == NULL) {
        return -1;
    }
    *length = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    return *length == -1 && PyErr_Occurred() ? -1 : 1;
}

/* Takes whatever int() takes, but for text. */
static int set_timestamp(ph_timestamp_mode *mode, PyObject *value)
{
    if (!PyNumber_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "an integer is required");
        return -1;
    }
    PyObject *integer = PyNumber_Long(value);
    if (integer == NULL) {
        return -1;
    }
    long number = PyLong_AsLong(integer);
    Py_DECREF(integer);
    if (number == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (number < 0 || number > PH_TIMESTAMP_DATETIME) {
        PyErr_SetString(PyExc_ValueError, "timestamp must be 0..3");
        return -1;
    }
    *mode = (ph_timestamp_mode)number;
    return 1;
}

/* The name of a codec error handler: ASCII text, or any bytes-like object. */
static int set_unicode_errors(PyObject **unicode_errors, PyObject *value)
{
    if (value == Py_None) {
        Py_CLEAR(*unicode_errors);
        return 1;
    }
    if (!PyUnicode_Check(value) && !PyBytes_Check(value) && !PyByteArray_Check(value)) {
        PyErr_Format(PyExc_TypeError, "expected bytes, %.200s found", Py_TYPE(value)->tp_name);
        return -1;
    }
    PyObject *encoded =
        PyUnicode_Check(value) ? PyUnicode_AsASCIIString(value) : PyBytes_FromObject(value);
    if (encoded == NULL) {
        return -1;
    }
    PyObject *handler = PyUnicode_FromString(PyBytes_AS_STRING(encoded));
    Py_DECREF(encoded);
    if (handler == NULL) {
        return -1;
    }
    if (PyUnicode_CompareWithASCIIString(handler, "strict") == 0) {
        Py_CLEAR(handler);
    }
    Py_XSETREF(*unicode_errors, handler);
    return 1;
}

/* `name` must be one of the interned names itself; 0 when it is none of them. */
static int set_interned(const ph_module_state *state, ph_decode_options *options, PyObject *name,
                        PyObject *value)
{
    const ph_names *names = &state->name;
    if (name == names->use_list) {
        return set_flag(&options->use_list, value);
    }
    if (name == names->raw) {
        return set_flag(&options->raw, value);
    }
    if (name == names->strict_map_key) {
        return set_flag(&options->strict_map_key, value);
    }
    if (name == names->tuple_keys) {
        return set_flag(&options->tuple_keys, value);
    }
    if (name == names->gc) {
        return set_flag(&options->gc, value);
    }
    if (name == names->timestamp) {
        return set_timestamp(&options->timestamp, value);
    }
    if (name == names->object_hook) {
        return set_hook(&options->object_hook, value);
    }
    if (name == names->object_pairs_hook) {
        return set_hook(&options->object_pairs_hook, value);
    }
    if (name == names->list_hook) {
        return set_hook(&options->list_hook, value);
    }
    if (name == names->ext_hook) {
        /* The default needs no call: the decoder makes the object itself. */
        return set_hook(&options->ext_hook, value == state->class.ext_type ? Py_None : value);
    }
    if (name == names->unicode_errors) {
        return set_unicode_errors(&options->unicode_errors, value);
    }
    if (name == names->max_str_len) {
        return set_length(&options->max_str_len, value);
    }
    if (name == names->max_bin_len) {
        return set_length(&options->max_bin_len, value);
    }
    if (name == names->max_array_len) {
        return set_length(&options->max_array_len, value);
    }
    if (name == names->max_map_len) {
        return set_length(&options->max_map_len, value);
    }
    if (name == names->max_ext_len) {
        return set_length(&options->max_ext_len, value);
    }
    return 0;
}

int ph_decode_options_set(ph_module_state *state, ph_decode_options *options, PyObject *name,
                          PyObject *value)
{
    int found = set_interned(state, options, name, value);
    if (found != 0) {
        return found;
    }
    /* Keywords written in a call are interned; those of a dict made at run time need not be. */
    const ph_names *names = &state->name;
    PyObject *const known[] = {
        names->use_list,          names->raw,
        names->strict_map_key,    names->tuple_keys,
        names->timestamp,         names->object_hook,
        names->object_pairs_hook, names->list_hook,
        names->ext_hook,          names->unicode_errors,
        names->max_str_len,       names->max_bin_len,
        names->max_array_len,     names->max_map_len,
        names->max_ext_len,       names->gc,
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (PyUnicode_Compare(name, known[i]) == 0) {
            return set_interned(state, options, known[i], value);
        }
    }
    return 0;
}

static int check_hook(PyObject *hook, const char *name)
{
    if (hook == NULL || PyCallable_Check(hook)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "%s must be a callable.", name);
    return -1;
}

int ph_decode_options_check(const ph_decode_options *options)
{
    if (options->object_hook != NULL && options->object_pairs_hook != NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "object_pairs_hook and object_hook are mutually exclusive.");
        return -1;
    }
    if (check_hook(options->object_hook, "object_hook") < 0 ||
        check_hook(options->object_pairs_hook, "object_pairs_hook") < 0 ||
        check_hook(options->list_hook, "list_hook") < 0 ||
        check_hook(options->ext_hook, "ext_hook") < 0) {
        return -1;
    }
    return 0;
}

int ph_decode_options_traverse(const ph_decode_options *options, visitproc visit, void *arg)
{
    Py_VISIT(options->object_hook);
    Py_VISIT(options->object_pairs_hook);
    Py_VISIT(options->list_hook);
    Py_VISIT(options->ext_hook);
    return 0;
}

void ph_decode_options_clear(ph_decode_options *options)
{
    Py_CLEAR(options->object_hook);
    Py_CLEAR(options->object_pairs_hook);
    Py_CLEAR(options->list_hook);
    Py_CLEAR(options->ext_hook);
    Py_CLEAR(options->unicode_errors);
}
