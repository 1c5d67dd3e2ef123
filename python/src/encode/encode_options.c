/* Setting encode options by keyword, with the checks and texts of msgpack. */
#include "encode/encode_options.h"

const ph_encode_options ph_encode_options_default = {.autoreset = true, .bin_type = true};
const ph_encode_options ph_encode_options_json = {.json = true,
                                                  .float_style = PH_FLOAT_STYLE_MSGSPEC};

bool ph_integer_argument(PyObject *object, long long *value)
{
    if (!PyIndex_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "an integer is required");
        return false;
    }
    PyObject *number = PyNumber_Index(object);
    if (number == NULL) {
        return false;
    }
    *value = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return *value != -1 || PyErr_Occurred() == NULL;
}

/* The hint is checked as msgpack checks it, which takes __int__ too, and otherwise not needed:
 * buffers size themselves. */
static int check_buffer_size(PyObject *value)
{
    PyNumberMethods *methods = Py_TYPE(value)->tp_as_number;
    bool by_int = !PyIndex_Check(value) && methods != NULL && methods->nb_int != NULL;
    PyObject *number = by_int ? PyNumber_Long(value) : Py_NewRef(value);
    long long size = 0;
    bool read = number != NULL && ph_integer_argument(number, &size);
    Py_XDECREF(number);
    if (!read) {
        return -1;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_OverflowError, "can't convert negative value to size_t");
        return -1;
    }
    return 1;
}

static int set_default_hook(ph_encode_options *options, PyObject *value)
{
    if (value != Py_None && !PyCallable_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "default must be a callable.");
        return -1;
    }
    Py_XSETREF(options->default_hook, value == Py_None ? NULL : Py_NewRef(value));
    return 1;
}

static int set_unicode_errors(ph_encode_options *options, PyObject *value)
{
    PyObject *name = NULL;
    if (PyUnicode_Check(value)) {
        name = PyUnicode_AsASCIIString(value);
    } else if (PyBytes_Check(value) || PyByteArray_Check(value)) {
        name = PyBytes_FromObject(value);
    } else if (value != Py_None) {
        PyErr_Format(PyExc_TypeError, "expected bytes, %.200s found", Py_TYPE(value)->tp_name);
    }
    if (name == NULL && value != Py_None) {
        return -1;
    }
    Py_XSETREF(options->unicode_errors, name);
    return 1;
}

static int set_order(ph_encode_options *options, PyObject *value)
{
    bool sorted = PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, "sorted") == 0;
    if (!sorted && value != Py_None) {
        PyErr_SetString(PyExc_ValueError, "order must be None or 'sorted'");
        return -1;
    }
    options->sorted = sorted;
    return 1;
}

static int set_bool(bool *option, PyObject *value)
{
    int truth = PyObject_IsTrue(value);
    if (truth < 0) {
        return -1;
    }
    *option = truth != 0;
    return 1;
}

/* Keywords of a call are interned in practice, which makes the first round enough. */
static ph_encode_option find_option(const ph_encode_state *encode, PyObject *name)
{
    for (int i = 0; i < PH_ENCODE_OPTION_COUNT; i++) {
        if (encode->option_names[i] == name) {
            return (ph_encode_option)i;
        }
    }
    for (int i = 0; i < PH_ENCODE_OPTION_COUNT; i++) {
        if (PyUnicode_Compare(encode->option_names[i], name) == 0) {
            return (ph_encode_option)i;
        }
    }
    return PH_ENCODE_OPTION_COUNT;
}

int ph_encode_options_set(ph_module_state *state, ph_encode_options *options, PyObject *name,
                          PyObject *value)
{
    switch (find_option(state->encode, name)) {
    case PH_ENCODE_OPTION_DEFAULT: return set_default_hook(options, value);
    case PH_ENCODE_OPTION_SINGLE_FLOAT: return set_bool(&options->single_float, value);
    case PH_ENCODE_OPTION_AUTORESET: return set_bool(&options->autoreset, value);
    case PH_ENCODE_OPTION_BIN_TYPE: return set_bool(&options->bin_type, value);
    case PH_ENCODE_OPTION_STRICT_TYPES: return set_bool(&options->strict_types, value);
    case PH_ENCODE_OPTION_DATETIME: return set_bool(&options->datetime, value);
    case PH_ENCODE_OPTION_UNICODE_ERRORS: return set_unicode_errors(options, value);
    case PH_ENCODE_OPTION_BUFFER_SIZE: return check_buffer_size(value);
    case PH_ENCODE_OPTION_ORDER: return set_order(options, value);
    case PH_ENCODE_OPTION_COUNT: break;
    }
    return 0;
}

ph_encode_options ph_encode_options_copy(const ph_encode_options *options)
{
    ph_encode_options copy = *options;
    Py_XINCREF(copy.default_hook);
    Py_XINCREF(copy.unicode_errors);
    Py_XINCREF(copy.decimal_hook);
    return copy;
}

int ph_encode_options_traverse(const ph_encode_options *options, visitproc visit, void *arg)
{
    Py_VISIT(options->default_hook);
    Py_VISIT(options->decimal_hook);
    return 0;
}

void ph_encode_options_clear(ph_encode_options *options)
{
    Py_CLEAR(options->default_hook);
    Py_CLEAR(options->unicode_errors);
    Py_CLEAR(options->decimal_hook);
    if (options->decimal_form == PH_DECIMAL_HOOK) {
        options->decimal_form = PH_DECIMAL_STRING;
    }
}
