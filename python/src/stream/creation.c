/* Making an Unpacker: the keywords of __init__, which may be called again. */
#include "stream/unpacker_object.h"

#include <limits.h>

#define DEFAULT_READ_SIZE (1024 * 1024)

int ph_unpacker_size_argument(Py_ssize_t *size, PyObject *value)
{
    PyObject *number = PyNumber_Index(value);
    if (number == NULL) {
        return -1;
    }
    *size = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    return *size == -1 && PyErr_Occurred() ? -1 : 0;
}

int ph_unpacker_refuse_busy(const ph_unpacker *self, const char *method)
{
    if (!self->busy) {
        return 0;
    }
    PyErr_Format(PyExc_RuntimeError,
                 "Unpacker.%s() cannot be called while unpacking is in progress", method);
    return -1;
}

static void reset_stream(ph_unpacker *self, Py_ssize_t max_buffer_size)
{
    self->max_buffer_size = max_buffer_size;
    self->read_size = max_buffer_size < DEFAULT_READ_SIZE ? max_buffer_size : DEFAULT_READ_SIZE;
    self->user_code = ph_decode_options_user_code(&self->options);
    self->limits = ph_decode_options_limits(&self->options, max_buffer_size);
    /* Strings, binaries and exts are judged when they are whole, as msgpack does: what may be
     * buffered bounds them before that. */
    self->frame_limits = self->limits;
    self->frame_limits.string_bytes = PH_NO_LIMIT;
    self->frame_limits.binary_bytes = PH_NO_LIMIT;
    self->frame_limits.ext_bytes = PH_NO_LIMIT;
}

/* A usable Unpacker with default options even if a subclass never calls __init__. */
PyObject *ph_unpacker_new(PyTypeObject *type, PyObject *Py_UNUSED(arguments),
                          PyObject *Py_UNUSED(keywords))
{
    ph_module_state *state = ph_module_state_hold(type);
    if (state == NULL) {
        return NULL;
    }
    ph_unpacker *self = (ph_unpacker *)type->tp_alloc(type, 0);
    if (self == NULL) {
        ph_module_state_release(state);
        return NULL;
    }
    self->state = state;
    ph_decode_options_init(&self->options);
    reset_stream(self, PH_DEFAULT_BUFFERED_BYTES);
    return (PyObject *)self;
}

/* What __init__ was given. Everything is converted and checked before the object changes, because
 * that runs user code; then the two are swapped, and this holds what the object had before. */
typedef struct settings {
    ph_decode_options options;
    ph_input input;
    PyObject *file_like; /* owned */
    ph_source source;
    Py_ssize_t read_size;
    Py_ssize_t max_buffer_size;
} settings;

static int set_keyword(ph_module_state *state, settings *given, PyObject *name, PyObject *value)
{
    int found = ph_decode_options_set(state, &given->options, name, value);
    if (found != 0) {
        return found < 0 ? -1 : 0;
    }
    if (PyUnicode_CompareWithASCIIString(name, "max_buffer_size") == 0) {
        return ph_unpacker_size_argument(&given->max_buffer_size, value);
    }
    if (PyUnicode_CompareWithASCIIString(name, "read_size") == 0) {
        return ph_unpacker_size_argument(&given->read_size, value);
    }
    if (PyUnicode_CompareWithASCIIString(name, "file_like") == 0) {
        if (given->file_like != NULL) {
            PyErr_SetString(PyExc_TypeError,
                            "__init__() got multiple values for argument 'file_like'");
            return -1;
        }
        given->file_like = Py_NewRef(value);
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "__init__() got an unexpected keyword argument '%U'", name);
    return -1;
}

static int set_keywords(ph_module_state *state, settings *given, PyObject *keywords)
{
    Py_ssize_t position = 0;
    PyObject *name, *value;
    while (keywords != NULL && PyDict_Next(keywords, &position, &name, &value)) {
        Py_INCREF(name);
        Py_INCREF(value);
        int set = set_keyword(state, given, name, value);
        Py_DECREF(name);
        Py_DECREF(value);
        if (set < 0) {
            return -1;
        }
    }
    return 0;
}

static int check_settings(ph_module_state *state, settings *given)
{
    if (given->max_buffer_size == 0) {
        given->max_buffer_size = INT_MAX;
    }
    if (given->read_size > given->max_buffer_size) {
        PyErr_SetString(PyExc_ValueError, "read_size should be less or equal to max_buffer_size");
        return -1;
    }
    if (given->read_size < 0) {
        PyErr_SetString(PyExc_MemoryError, "Unable to allocate internal buffer.");
        return -1;
    }
    if (ph_decode_options_check(&given->options) < 0) {
        return -1;
    }
    return given->file_like == NULL ? 0 : ph_source_open(state, &given->source, given->file_like);
}

static void swap_settings(ph_unpacker *self, settings *given)
{
    settings before = {.options = self->options, .input = self->input, .source = self->source};
    self->options = given->options;
    self->input = given->input;
    self->source = given->source;
    given->options = before.options;
    given->input = before.input;
    given->source = before.source;
    self->offset = 0;
    self->pending = PH_TAKING_NOTHING;
    self->ahead = 0;
    self->failed = false;
    reset_stream(self, given->max_buffer_size);
    if (given->read_size != 0) {
        self->read_size = given->read_size;
    }
}

static int initialise(ph_unpacker *self, settings *given, PyObject *arguments, PyObject *keywords)
{
    if (ph_unpacker_refuse_busy(self, "__init__") < 0) {
        return -1;
    }
    if (PyTuple_GET_SIZE(arguments) > 1) {
        PyErr_Format(PyExc_TypeError, "__init__() takes at most 1 positional argument (%zd given)",
                     PyTuple_GET_SIZE(arguments));
        return -1;
    }
    if (PyTuple_GET_SIZE(arguments) == 1) {
        given->file_like = Py_NewRef(PyTuple_GET_ITEM(arguments, 0));
    }
    if (set_keywords(self->state, given, keywords) < 0 || check_settings(self->state, given) < 0 ||
        ph_unpacker_refuse_busy(self, "__init__") < 0) {
        return -1;
    }
    swap_settings(self, given);
    return 0;
}

int ph_unpacker_init(PyObject *object, PyObject *arguments, PyObject *keywords)
{
    settings given = {.max_buffer_size = PH_DEFAULT_BUFFERED_BYTES};
    ph_decode_options_init(&given.options);
    int status;
    Py_BEGIN_CRITICAL_SECTION(object);
    status = initialise((ph_unpacker *)object, &given, arguments, keywords);
    Py_END_CRITICAL_SECTION();
    ph_decode_options_clear(&given.options);
    ph_input_clear(&given.input);
    ph_source_clear(&given.source);
    Py_XDECREF(given.file_like);
    return status;
}
