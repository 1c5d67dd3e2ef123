/* The Unpacker type: its methods, each under the object's lock, and its life. */
#include "stream/unpacker.h"

#include "stream/next_object.h"
#include "stream/unpacker_object.h"

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
    if (ph_unpacker_refuse_busy(self, "feed") < 0) {
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
    if (size == NULL || ph_unpacker_size_argument(&wanted, size) < 0) {
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
    PH_MODULE_STATE_VISIT(self->state);
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
    ph_module_state_release(((ph_unpacker *)object)->state);
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
             "unicode_errors=None, max_buffer_size=104857600, ext_hook=None, max_str_len=-1, "
             "max_bin_len=-1, max_array_len=-1, max_map_len=-1, max_ext_len=-1, tuple_keys=False, "
             "gc=True)\n"
             "--\n\n"
             "Unpack a stream of objects: from bytes that are fed, or from a file.");

static PyType_Slot unpacker_slots[] = {
    {Py_tp_new, (void *)ph_unpacker_new},        {Py_tp_init, (void *)ph_unpacker_init},
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
