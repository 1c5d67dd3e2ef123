/* packhorse.json.Encoder: options kept between calls; encode, encode_into, encode_lines. */
#include "encode/json/json_encode.h"

#include "cpython_build.h"

#include <structmember.h> /* PyMemberDef, before 3.12 */

typedef struct ph_json_encoder {
    PyObject_HEAD
    ph_module_state *state; /* of ph_module_state_hold */
    ph_encode_options options;
    /* The options as they were given, to be read back. */
    PyObject *enc_hook;
    PyObject *decimal_format;
    PyObject *uuid_format;
    PyObject *order;
} ph_json_encoder;

static bool set_decimal_format(ph_encode_options *options, PyObject *value)
{
    bool is_text = PyUnicode_Check(value);
    if (is_text && PyUnicode_CompareWithASCIIString(value, "string") == 0) {
        options->decimal_form = PH_DECIMAL_STRING;
    } else if (is_text && PyUnicode_CompareWithASCIIString(value, "number") == 0) {
        options->decimal_form = PH_DECIMAL_NUMBER;
    } else if (PyCallable_Check(value)) {
        options->decimal_form = PH_DECIMAL_HOOK;
        Py_XSETREF(options->decimal_hook, Py_NewRef(value));
    } else {
        PyErr_Format(PyExc_ValueError,
                     "`decimal_format` must be 'string', 'number', or a callable, got %R", value);
        return false;
    }
    return true;
}

static bool set_uuid_format(ph_encode_options *options, PyObject *value)
{
    bool is_text = PyUnicode_Check(value);
    if (is_text && PyUnicode_CompareWithASCIIString(value, "hex") == 0) {
        options->uuid_hex = true;
        return true;
    }
    if (!is_text || PyUnicode_CompareWithASCIIString(value, "canonical") != 0) {
        PyErr_Format(PyExc_ValueError, "`uuid_format` must be 'canonical' or 'hex', got %R", value);
        return false;
    }
    return true;
}

static void keep(PyObject **kept, PyObject *value)
{
    *kept = Py_NewRef(value == NULL ? Py_None : value);
}

static PyObject *encoder_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"enc_hook", "decimal_format", "uuid_format", "order", NULL};
    PyObject *hook = Py_None, *decimal = NULL, *uuid = NULL, *order = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:Encoder", names, &hook, &decimal,
                                     &uuid, &order)) {
        return NULL;
    }
    ph_json_encoder *encoder = (ph_json_encoder *)type->tp_alloc(type, 0);
    if (encoder == NULL) {
        return NULL;
    }
    encoder->options = ph_encode_options_json;
    encoder->state = ph_module_state_hold(type);
    if (encoder->state == NULL) {
        Py_DECREF(encoder);
        return NULL;
    }
    PyObject *string = PyUnicode_FromString("string");
    PyObject *canonical = PyUnicode_FromString("canonical");
    if (string != NULL && canonical != NULL) {
        keep(&encoder->enc_hook, hook);
        keep(&encoder->decimal_format, decimal == NULL ? string : decimal);
        keep(&encoder->uuid_format, uuid == NULL ? canonical : uuid);
        keep(&encoder->order, order);
    }
    Py_XDECREF(string);
    Py_XDECREF(canonical);
    if (encoder->order == NULL || !ph_json_set_hook(&encoder->options, hook) ||
        !set_decimal_format(&encoder->options, encoder->decimal_format) ||
        !set_uuid_format(&encoder->options, encoder->uuid_format) ||
        !ph_json_set_order(&encoder->options, order)) {
        Py_DECREF(encoder);
        return NULL;
    }
    return (PyObject *)encoder;
}

PyDoc_STRVAR(encode_doc, "encode($self, obj, /)\n--\n\nReturn obj as JSON, in bytes.");

static PyObject *encoder_encode(PyObject *self, PyObject *object)
{
    ph_json_encoder *encoder = (ph_json_encoder *)self;
    return ph_json_encode_bytes(encoder->state, &encoder->options, object);
}

PyDoc_STRVAR(encode_into_doc,
             "encode_into($self, obj, buffer, offset=0, /)\n--\n\n"
             "Write obj as JSON into a bytearray from offset on, -1 for its end; what was behind\n"
             "the offset is gone. When it fails the buffer is as it was.");

/* Puts what was encoded at its place and ends the bytearray there; with `fast` it keeps its memory. */
static bool place(bool fast, PyObject *buffer, Py_ssize_t offset, const uint8_t *bytes, size_t size)
{
    bool placed;
    Py_BEGIN_CRITICAL_SECTION(buffer);
    Py_ssize_t before = PyByteArray_GET_SIZE(buffer);
    if (offset == -1) {
        offset = before;
    }
    placed = offset <= PY_SSIZE_T_MAX - (Py_ssize_t)size &&
             ph_bytearray_resize(buffer, offset + (Py_ssize_t)size, fast);
    if (placed) {
        char *start = PyByteArray_AS_STRING(buffer);
        if (offset > before) {
            memset(start + before, 0, (size_t)(offset - before));
        }
        memcpy(start + offset, bytes, size);
    } else if (PyErr_Occurred() == NULL) {
        PyErr_NoMemory();
    }
    Py_END_CRITICAL_SECTION();
    return placed;
}

static PyObject *encoder_encode_into(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    ph_json_encoder *encoder = (ph_json_encoder *)self;
    if (count < 2 || count > 3) {
        PyErr_SetString(PyExc_TypeError, count < 2 ? "Missing 1 required arguments"
                                                   : "Extra positional arguments provided");
        return NULL;
    }
    PyObject *buffer = arguments[1];
    if (!PyByteArray_CheckExact(buffer)) {
        PyErr_SetString(PyExc_TypeError, "buffer must be a `bytearray`");
        return NULL;
    }
    long long offset = 0;
    if (count == 3 && !ph_integer_argument(arguments[2], &offset)) {
        return NULL;
    }
    if (offset < -1) {
        PyErr_SetString(PyExc_ValueError, "offset must be >= -1");
        return NULL;
    }
    ph_encoder encoding;
    uint8_t *to = ph_json_begin(&encoding, encoder->state, &encoder->options);
    to = encoding.walk->value(&encoding, to, arguments[0]);
    if (to == NULL) {
        return ph_encoder_fail(&encoding);
    }
    bool placed = place(encoder->state->fast_path, buffer, (Py_ssize_t)offset,
                        encoding.output.start, (size_t)(to - encoding.output.start));
    ph_output_discard(&encoding.output);
    if (!placed) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(encode_lines_doc,
             "encode_lines($self, items, /)\n--\n\n"
             "Return each of the items as JSON with a line feed behind it, in bytes.");

static PyObject *encoder_encode_lines(PyObject *self, PyObject *items)
{
    ph_json_encoder *encoder = (ph_json_encoder *)self;
    PyObject *iterator = PyObject_GetIter(items);
    if (iterator == NULL) {
        return NULL;
    }
    ph_encoder encoding;
    uint8_t *to = ph_json_begin(&encoding, encoder->state, &encoder->options);
    PyObject *item;
    Py_ssize_t line = 0;
    while (to != NULL && (item = PyIter_Next(iterator)) != NULL) {
        to = encoding.walk->value(&encoding, to, item);
        if (to == NULL) {
            ph_trace_index(&encoding.trace, line);
        } else {
            *to = '\n';
            to = ph_output_ensure(&encoding.output, to + 1, 0);
        }
        line++;
        Py_DECREF(item);
    }
    Py_DECREF(iterator);
    return ph_json_end(&encoding, to != NULL && PyErr_Occurred() != NULL ? NULL : to);
}

static int encoder_traverse(PyObject *self, visitproc visit, void *arg)
{
    ph_json_encoder *encoder = (ph_json_encoder *)self;
    Py_VISIT(Py_TYPE(self));
    PH_MODULE_STATE_VISIT(encoder->state);
    Py_VISIT(encoder->enc_hook);
    Py_VISIT(encoder->decimal_format);
    Py_VISIT(encoder->uuid_format);
    Py_VISIT(encoder->order);
    return ph_encode_options_traverse(&encoder->options, visit, arg);
}

static int encoder_clear(PyObject *self)
{
    ph_json_encoder *encoder = (ph_json_encoder *)self;
    ph_encode_options_clear(&encoder->options);
    Py_CLEAR(encoder->enc_hook);
    Py_CLEAR(encoder->decimal_format);
    Py_CLEAR(encoder->uuid_format);
    Py_CLEAR(encoder->order);
    return 0;
}

static void encoder_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    encoder_clear(self);
    ph_module_state_release(((ph_json_encoder *)self)->state);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef encoder_methods[] = {
    {"encode", encoder_encode, METH_O, encode_doc},
    {"encode_into", (PyCFunction)(void (*)(void))encoder_encode_into, METH_FASTCALL,
     encode_into_doc},
    {"encode_lines", encoder_encode_lines, METH_O, encode_lines_doc},
    {NULL, NULL, 0, NULL},
};

#define READ_ONLY(name)                                            \
 {                                                                 \
#  name, T_OBJECT, offsetof(ph_json_encoder, name), READONLY, NULL \
 }

static PyMemberDef encoder_members[] = {
    READ_ONLY(enc_hook), READ_ONLY(decimal_format), READ_ONLY(uuid_format),
    READ_ONLY(order),    {NULL, 0, 0, 0, NULL},
};

PyDoc_STRVAR(encoder_doc,
             "Encoder(*, enc_hook=None, decimal_format='string', uuid_format='canonical', "
             "order=None)\n--\n\n"
             "Encodes objects as JSON, with the same options for all of them.");

static PyType_Slot encoder_slots[] = {
    {Py_tp_doc, (void *)encoder_doc},         {Py_tp_new, (void *)encoder_new},
    {Py_tp_dealloc, (void *)encoder_dealloc}, {Py_tp_traverse, (void *)encoder_traverse},
    {Py_tp_clear, (void *)encoder_clear},     {Py_tp_methods, encoder_methods},
    {Py_tp_members, encoder_members},         {0, NULL},
};

static PyType_Spec encoder_spec = {
    .name = "packhorse.json.Encoder",
    .basicsize = sizeof(ph_json_encoder),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = encoder_slots,
};

PyTypeObject *ph_json_encoder_type_new(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &encoder_spec, NULL);
}
