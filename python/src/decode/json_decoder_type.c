/* packhorse.json.Decoder: options kept between calls; decode, decode_lines. */
#include "decode/json_call.h"

#include <structmember.h> /* PyMemberDef, before 3.12 */

typedef struct ph_json_decoder {
    PyObject_HEAD
    ph_module_state *state;  /* of ph_module_state_hold */
    ph_json_reading reading; /* its hook is the member below */
    /* The options as they were given, to be read back. */
    PyObject *type; /* NULL: typing.Any, which is not imported before somebody asks */
    PyObject *dec_hook;
    PyObject *float_hook;
    PyObject *allow;
    PyObject *duplicate_keys;
    char strict;
} ph_json_decoder;

static bool set_options(ph_json_decoder *decoder, int strict)
{
    ph_json_reading *reading = &decoder->reading;
    decoder->strict = (char)strict;
    return (decoder->type == NULL || ph_json_check_type(decoder->type)) &&
           ph_json_check_dec_hook(decoder->dec_hook) &&
           ph_json_set_float_hook(reading, decoder->float_hook) &&
           ph_json_set_allow(reading, decoder->allow) &&
           ph_json_set_duplicate_keys(reading, decoder->duplicate_keys);
}

static PyObject *decoder_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"type",  "strict",         "dec_hook", "float_hook",
                            "allow", "duplicate_keys", NULL};
    PyObject *wanted = NULL, *dec_hook = Py_None, *float_hook = Py_None, *allow = Py_None;
    PyObject *duplicate_keys = NULL;
    int strict = 1;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O$pOOOO:Decoder", names, &wanted,
                                     &strict, &dec_hook, &float_hook, &allow, &duplicate_keys)) {
        return NULL;
    }
    ph_json_decoder *decoder = (ph_json_decoder *)type->tp_alloc(type, 0);
    if (decoder == NULL) {
        return NULL;
    }
    decoder->reading = ph_json_reading_default;
    decoder->state = ph_module_state_hold(type);
    if (decoder->state == NULL) {
        Py_DECREF(decoder);
        return NULL;
    }
    decoder->type = Py_XNewRef(wanted);
    decoder->dec_hook = Py_NewRef(dec_hook);
    decoder->float_hook = Py_NewRef(float_hook);
    decoder->allow = Py_NewRef(allow);
    decoder->duplicate_keys =
        duplicate_keys == NULL ? PyUnicode_FromString("last") : Py_NewRef(duplicate_keys);
    if (decoder->duplicate_keys == NULL || !set_options(decoder, strict)) {
        Py_CLEAR(decoder);
    }
    return (PyObject *)decoder;
}

PyDoc_STRVAR(decode_doc, "decode($self, buf, /)\n--\n\n"
                         "Return the object of a JSON text in bytes, another buffer or a str.");

static PyObject *decoder_decode(PyObject *self, PyObject *text)
{
    ph_json_decoder *decoder = (ph_json_decoder *)self;
    return ph_json_decode_object(decoder->state, &decoder->reading, text, 0);
}

PyDoc_STRVAR(decode_at_doc, "_decode_at($self, buf, offset, /)\n--\n\n"
                            "As decode, for a text that begins `offset` bytes into the input:\n"
                            "that is where the offsets of errors count from.");

static PyObject *decoder_decode_at(PyObject *self, PyObject *const *arguments, Py_ssize_t count)
{
    ph_json_decoder *decoder = (ph_json_decoder *)self;
    if (count != 2) {
        PyErr_Format(PyExc_TypeError, "_decode_at() takes 2 arguments (%zd given)", count);
        return NULL;
    }
    Py_ssize_t offset = PyNumber_AsSsize_t(arguments[1], PyExc_OverflowError);
    if (offset == -1 && PyErr_Occurred() != NULL) {
        return NULL;
    }
    return ph_json_decode_object(decoder->state, &decoder->reading, arguments[0], offset);
}

PyDoc_STRVAR(decode_lines_doc,
             "decode_lines($self, buf, /)\n--\n\n"
             "Return a list of the objects of a text that holds one JSON value a line, or any\n"
             "number of values with white space between them.");

static PyObject *decoder_decode_lines(PyObject *self, PyObject *text)
{
    ph_json_decoder *decoder = (ph_json_decoder *)self;
    return ph_json_decode_object_lines(decoder->state, &decoder->reading, text);
}

static PyObject *decoder_get_type(PyObject *self, void *Py_UNUSED(closure))
{
    ph_json_decoder *decoder = (ph_json_decoder *)self;
    return decoder->type == NULL ? ph_json_any() : Py_NewRef(decoder->type);
}

static PyObject *decoder_repr(PyObject *self)
{
    PyObject *type = decoder_get_type(self, NULL);
    PyObject *repr = type == NULL ? NULL : PyUnicode_FromFormat("packhorse.json.Decoder(%R)", type);
    Py_XDECREF(type);
    return repr;
}

static int decoder_traverse(PyObject *self, visitproc visit, void *arg)
{
    ph_json_decoder *decoder = (ph_json_decoder *)self;
    Py_VISIT(Py_TYPE(self));
    PH_MODULE_STATE_VISIT(decoder->state);
    Py_VISIT(decoder->type);
    Py_VISIT(decoder->dec_hook);
    Py_VISIT(decoder->float_hook);
    Py_VISIT(decoder->allow);
    Py_VISIT(decoder->duplicate_keys);
    return 0;
}

static int decoder_clear(PyObject *self)
{
    ph_json_decoder *decoder = (ph_json_decoder *)self;
    decoder->reading = ph_json_reading_default;
    Py_CLEAR(decoder->type);
    Py_CLEAR(decoder->dec_hook);
    Py_CLEAR(decoder->float_hook);
    Py_CLEAR(decoder->allow);
    Py_CLEAR(decoder->duplicate_keys);
    return 0;
}

static void decoder_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    decoder_clear(self);
    ph_module_state_release(((ph_json_decoder *)self)->state);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef decoder_methods[] = {
    {"decode", decoder_decode, METH_O, decode_doc},
    {"decode_lines", decoder_decode_lines, METH_O, decode_lines_doc},
    {"_decode_at", (PyCFunction)(void (*)(void))decoder_decode_at, METH_FASTCALL, decode_at_doc},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, PyDoc_STR("For annotations.")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef decoder_members[] = {
    {"strict", T_BOOL, offsetof(ph_json_decoder, strict), READONLY, NULL},
    {"dec_hook", T_OBJECT, offsetof(ph_json_decoder, dec_hook), READONLY, NULL},
    {"float_hook", T_OBJECT, offsetof(ph_json_decoder, float_hook), READONLY, NULL},
    {"allow", T_OBJECT, offsetof(ph_json_decoder, allow), READONLY, NULL},
    {"duplicate_keys", T_OBJECT, offsetof(ph_json_decoder, duplicate_keys), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef decoder_getters[] = {
    {"type", decoder_get_type, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(decoder_doc,
             "Decoder(type=..., *, strict=True, dec_hook=None, float_hook=None, allow=None,\n"
             "        duplicate_keys='last')\n--\n\n"
             "Decodes JSON texts, with the same options for all of them.\n\n"
             "float_hook is called with the text of each number that has a fraction or exponent.");

static PyType_Slot decoder_slots[] = {
    {Py_tp_doc, (void *)decoder_doc},         {Py_tp_new, (void *)decoder_new},
    {Py_tp_dealloc, (void *)decoder_dealloc}, {Py_tp_traverse, (void *)decoder_traverse},
    {Py_tp_clear, (void *)decoder_clear},     {Py_tp_repr, (void *)decoder_repr},
    {Py_tp_methods, decoder_methods},         {Py_tp_members, decoder_members},
    {Py_tp_getset, decoder_getters},          {0, NULL},
};

static PyType_Spec decoder_spec = {
    .name = "packhorse.json.Decoder",
    .basicsize = sizeof(ph_json_decoder),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = decoder_slots,
};

PyTypeObject *ph_json_decoder_type_new(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &decoder_spec, NULL);
}
