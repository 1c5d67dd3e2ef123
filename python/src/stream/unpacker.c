/* The Unpacker type: keywords, methods, guards against re-entry, life and death. */
#include "stream/unpacker.h"

#include "stream/next_object.h"
#include "stream/unpacker_object.h"

#include <limits.h>

#define DEFAULT_READ_SIZE (1024 * 1024)

/* --- creation --- */

static void reset_stream(ph_unpacker *self, Py_ssize_t max_buffer_size)
{
    self->max_buffer_size = max_buffer_size;
    self->read_size = max_buffer_size < DEFAULT_READ_SIZE ? max_buffer_size : DEFAULT_READ_SIZE;
    self->limits = ph_decode_options_limits(&self->options, max_buffer_size);
    /* Strings, binaries and exts are judged when they are whole, as msgpack does: what may be
     * buffered bounds them before that. */
    self->frame_limits = self->limits;
    self->frame_limits.string_bytes = PH_NO_LIMIT;
    self->frame_limits.binary_bytes = PH_NO_LIMIT;
    self->frame_limits.ext_bytes = PH_NO_LIMIT;
}

/* A usable Unpacker with default options even if a subclass never calls __init__. */
static PyObject *unpacker_new(PyTypeObject *type, PyObject *Py_UNUSED(arguments),
                              PyObject *Py_UNUSED(keywords))
{
    ph_module_state *state = ph_module_state_of_subclass(type);
    if (state == NULL) {
        return NULL;
    }
    ph_unpacker *self = (ph_unpacker *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->state = state;
    ph_decode_options_init(&self->options);
    reset_stream(self, PH_DEFAULT_BUFFERED_BYTES);
    return (PyObject *)self;
}

static int set_size(Py_ssize_t *size, PyObject *value)
{
    PyObject *number = PyNumber_Index(value);
    if (number == NULL) {
        return -1;
    }
    *size = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    return *size == -1 && PyErr_Occurred() ? -1 : 0;
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
        return set_size(&given->max_buffer_size, value);
    }
    if (PyUnicode_CompareWithASCIIString(name, "read_size") == 0) {
        return set_size(&given->read_size, value);
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

static int refuse_busy(const ph_unpacker *self, const char *method)
{
    if (!self->busy) {
        return 0;
    }
    PyErr_Format(PyExc_RuntimeError,
                 "Unpacker.%s() cannot be called while unpacking is in progress", method);
    return -1;
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
    if (refuse_busy(self, "__init__") < 0) {
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
        refuse_busy(self, "__init__") < 0) {
        return -1;
    }
    swap_settings(self, given);
    return 0;
}

static int unpacker_init(PyObject *object, PyObject *arguments, PyObject *keywords)
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

/* --- methods --- */

/* The one argument of a method, positional or by name; NULL with TypeError set. Borrowed. */
static PyObject *only_argument(const char *method, const char *name, PyObject *const *arguments,
                               Py_ssize_t count, PyObject *keywords)
{
    Py_ssize_t named = keywords == NULL ? 0 : PyTuple_GET_SIZE(keywords);
    if (count + named != 1) {
        PyErr_Format(PyExc_TypeError, "%s() takes exactly 1 positional argument (%zd given)",
                     method, count + named);
        return NULL;
    }
    if (named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), name) != 0) {
        PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", method,
                     PyTuple_GET_ITEM(keywords, 0));
        return NULL;
    }
    return arguments[0];
}

static int check_feed(const ph_unpacker *self)
{
    if (refuse_busy(self, "feed") < 0) {
        return -1;
    }
    if (self->source.file != NULL) {
        PyErr_SetString(PyExc_AssertionError,
                        "unpacker.feed() is not be able to use with `file_like`.");
        return -1;
    }
    return 0;
}

static int feed_data(ph_unpacker *self, PyObject *data)
{
    if (check_feed(self) < 0) {
        return -1;
    }
    PyObject *bytes = ph_input_bytes(data);
    if (bytes == NULL) {
        return -1;
    }
    /* Once more: getting at the bytes may have run user code. */
    int status = check_feed(self) < 0 ? -1 : ph_unpacker_append(self, bytes);
    Py_DECREF(bytes);
    return status;
}

static PyObject *unpacker_feed(PyObject *object, PyObject *const *arguments, Py_ssize_t count,
                               PyObject *keywords)
{
    PyObject *data = only_argument("feed", "next_bytes", arguments, count, keywords);
    if (data == NULL) {
        return NULL;
    }
    int status;
    Py_BEGIN_CRITICAL_SECTION(object);
    status = feed_data((ph_unpacker *)object, data);
    Py_END_CRITICAL_SECTION();
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *out_of_data(ph_unpacker *self)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(self->state->class.out_of_data, "No more data to unpack.");
    }
    return NULL;
}

static PyObject *unpacker_unpack(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    PyObject *value;
    Py_BEGIN_CRITICAL_SECTION(object);
    value = ph_unpacker_take_value((ph_unpacker *)object);
    Py_END_CRITICAL_SECTION();
    return value != NULL ? value : out_of_data((ph_unpacker *)object);
}

static PyObject *unpacker_next(PyObject *object)
{
    PyObject *value;
    Py_BEGIN_CRITICAL_SECTION(object);
    value = ph_unpacker_take_value((ph_unpacker *)object);
    Py_END_CRITICAL_SECTION();
    return value;
}

static PyObject *unpacker_unpack_raw(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    PyObject *raw;
    Py_BEGIN_CRITICAL_SECTION(object);
    raw = ph_unpacker_take_raw((ph_unpacker *)object);
    Py_END_CRITICAL_SECTION();
    return raw != NULL ? raw : out_of_data((ph_unpacker *)object);
}

static PyObject *unpacker_skip(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    int found;
    Py_BEGIN_CRITICAL_SECTION(object);
    found = ph_unpacker_skip_value((ph_unpacker *)object);
    Py_END_CRITICAL_SECTION();
    return found > 0 ? Py_NewRef(Py_None) : out_of_data((ph_unpacker *)object);
}

static PyObject *read_header(PyObject *object, ph_taking taking)
{
    int found;
    size_t count = 0;
    Py_BEGIN_CRITICAL_SECTION(object);
    found = ph_unpacker_take_header((ph_unpacker *)object, taking, &count);
    Py_END_CRITICAL_SECTION();
    return found > 0 ? PyLong_FromSize_t(count) : out_of_data((ph_unpacker *)object);
}

static PyObject *unpacker_read_array_header(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    return read_header(object, PH_TAKING_ARRAY_HEADER);
}

static PyObject *unpacker_read_map_header(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    return read_header(object, PH_TAKING_MAP_HEADER);
}

static PyObject *unpacker_read_bytes(PyObject *object, PyObject *const *arguments, Py_ssize_t count,
                                     PyObject *keywords)
{
    PyObject *size = only_argument("read_bytes", "nbytes", arguments, count, keywords);
    Py_ssize_t wanted;
    if (size == NULL || set_size(&wanted, size) < 0) {
        return NULL;
    }
    PyObject *bytes;
    Py_BEGIN_CRITICAL_SECTION(object);
    bytes = ph_unpacker_take_bytes((ph_unpacker *)object, wanted);
    Py_END_CRITICAL_SECTION();
    return bytes;
}

static PyObject *unpacker_resync(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t skipped;
    Py_BEGIN_CRITICAL_SECTION(object);
    skipped = ph_unpacker_resync((ph_unpacker *)object);
    Py_END_CRITICAL_SECTION();
    return skipped < 0 ? NULL : PyLong_FromSsize_t(skipped);
}

static PyObject *unpacker_tell(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ph_unpacker *self = (ph_unpacker *)object;
    uint64_t position;
    Py_BEGIN_CRITICAL_SECTION(object);
    position = self->offset + self->ahead;
    Py_END_CRITICAL_SECTION();
    return PyLong_FromUnsignedLongLong(position);
}

static PyObject *unpacker_sizeof(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    size_t size;
    Py_BEGIN_CRITICAL_SECTION(object);
    size = (size_t)Py_TYPE(object)->tp_basicsize + ((ph_unpacker *)object)->input.capacity;
    Py_END_CRITICAL_SECTION();
    return PyLong_FromSize_t(size);
}

/* --- life --- */

static int unpacker_traverse(PyObject *object, visitproc visit, void *arg)
{
    ph_unpacker *self = (ph_unpacker *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->source.file);
    Py_VISIT(self->source.read);
    Py_VISIT(self->source.iterator);
    return ph_decode_options_traverse(&self->options, visit, arg);
}

static int unpacker_clear(PyObject *object)
{
    ph_unpacker *self = (ph_unpacker *)object;
    ph_decode_options_clear(&self->options);
    ph_input_clear(&self->input);
    ph_source_clear(&self->source);
    return 0;
}

static void unpacker_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    unpacker_clear(object);
    type->tp_free(object);
    Py_DECREF(type);
}

#define FASTCALL(function) (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS

static PyMethodDef unpacker_methods[] = {
    {"feed", FASTCALL(unpacker_feed),
     PyDoc_STR("feed($self, next_bytes)\n--\n\nAppend bytes to what is to be unpacked.\n\n"
               "Raises BufferFull when more than max_buffer_size bytes would be waiting.")},
    {"unpack", unpacker_unpack, METH_NOARGS,
     PyDoc_STR("unpack($self)\n--\n\nReturn the next object.\n\n"
               "Raises OutOfData when it has not arrived as a whole.")},
    {"unpack_raw", unpacker_unpack_raw, METH_NOARGS,
     PyDoc_STR(
         "unpack_raw($self)\n--\n\nReturn the bytes of the next object without building it.")},
    {"skip", unpacker_skip, METH_NOARGS,
     PyDoc_STR("skip($self)\n--\n\nStep over the next object without building it.")},
    {"read_array_header", unpacker_read_array_header, METH_NOARGS,
     PyDoc_STR("read_array_header($self)\n--\n\nReturn the length n of the array that comes next; "
               "the next n objects are its elements.")},
    {"read_map_header", unpacker_read_map_header, METH_NOARGS,
     PyDoc_STR("read_map_header($self)\n--\n\nReturn the length n of the map that comes next; "
               "the next 2 * n objects are its keys and values.")},
    {"read_bytes", FASTCALL(unpacker_read_bytes),
     PyDoc_STR(
         "read_bytes($self, nbytes)\n--\n\nReturn up to nbytes bytes of the stream as they are.")},
    {"resync", unpacker_resync, METH_NOARGS,
     PyDoc_STR(
         "resync($self)\n--\n\nGo on after an error: drop the object that failed, or the bytes "
         "up to\nwhere the next one could begin. Returns the number of bytes dropped.")},
    {"tell", unpacker_tell, METH_NOARGS,
     PyDoc_STR("tell($self)\n--\n\nReturn the number of bytes of the stream that were consumed.")},
    {"__sizeof__", unpacker_sizeof, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(unpacker_documentation,
             "Unpacker(file_like=None, *, read_size=0, use_list=True, raw=False, timestamp=0, "
             "strict_map_key=True, object_hook=None, object_pairs_hook=None, list_hook=None, "
             "unicode_errors=None, max_buffer_size=104857600, ext_hook=ExtType, max_str_len=-1, "
             "max_bin_len=-1, max_array_len=-1, max_map_len=-1, max_ext_len=-1, tuple_keys=False)\n"
             "--\n\n"
             "Unpack a stream of objects: from bytes that are fed, or from a file.");

static PyType_Slot unpacker_slots[] = {
    {Py_tp_new, (void *)unpacker_new},           {Py_tp_init, (void *)unpacker_init},
    {Py_tp_dealloc, (void *)unpacker_dealloc},   {Py_tp_traverse, (void *)unpacker_traverse},
    {Py_tp_clear, (void *)unpacker_clear},       {Py_tp_iter, (void *)PyObject_SelfIter},
    {Py_tp_iternext, (void *)unpacker_next},     {Py_am_aiter, (void *)PyObject_SelfIter},
    {Py_am_anext, (void *)ph_next_object_new},   {Py_tp_methods, unpacker_methods},
    {Py_tp_doc, (void *)unpacker_documentation}, {0, NULL},
};

static PyType_Spec unpacker_spec = {
    .name = "packhorse._core.Unpacker",
    .basicsize = sizeof(ph_unpacker),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = unpacker_slots,
};

PyTypeObject *ph_unpacker_type_new(PyObject *module)
{
    ph_module_state *state = ph_module_state_of(module);
    state->next_object_type = ph_next_object_type_new(module);
    if (state->next_object_type == NULL) {
        return NULL;
    }
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &unpacker_spec, NULL);
}
