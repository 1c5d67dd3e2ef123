/* Packer: options kept between calls, and a buffer for those who collect before they send.
 *
 * Every value is encoded into an output of its own and delivered when it is complete: a call that
 * fails leaves the buffer as it was, and a hook that calls back finds a Packer in order. */
#include "stream/packer.h"

#include "encode/msgpack/msgpack_values.h"
#include "encode/msgpack/walk_msgpack.h"
#include "encode/pairs.h"
#include "encode/payload.h"

#include "wire/put.h"

/* A buffer of more bytes than this is released by reset(). */
#define KEPT_BYTES 262144

typedef struct ph_packer {
    PyObject_HEAD
    ph_module_state *state; /* of ph_module_state_hold */
    ph_encode_options options;
    PyObject *buffered; /* a bytes object nobody else has, for its storage; NULL: none */
    Py_ssize_t used;    /* bytes of it that are packed values */
    Py_ssize_t exports; /* views of it that are alive */
    atomic_size_t expected;
} ph_packer;

static bool check_exports(const ph_packer *packer)
{
    if (packer->exports > 0) {
        PyErr_SetString(PyExc_BufferError, "Existing exports of data: Packer cannot be changed");
        return false;
    }
    return true;
}

/* ---- the buffer; called with the packer locked ---- */

static bool make_room(ph_packer *packer, Py_ssize_t more)
{
    Py_ssize_t capacity = packer->buffered == NULL ? 0 : PyBytes_GET_SIZE(packer->buffered);
    if (capacity - packer->used >= more) {
        return true;
    }
    if (more > PY_SSIZE_T_MAX / 4 - packer->used) {
        PyErr_NoMemory();
        return false;
    }
    PyObject *larger = PyBytes_FromStringAndSize(NULL, (packer->used + more) * 2);
    if (larger == NULL) {
        return false;
    }
    if (packer->used > 0) {
        memcpy(PyBytes_AS_STRING(larger), PyBytes_AS_STRING(packer->buffered),
               (size_t)packer->used);
    }
    Py_XSETREF(packer->buffered, larger);
    return true;
}

static bool append(ph_packer *packer, const uint8_t *bytes, size_t size)
{
    if (!check_exports(packer) || !make_room(packer, (Py_ssize_t)size)) {
        return false;
    }
    memcpy(PyBytes_AS_STRING(packer->buffered) + packer->used, bytes, size);
    packer->used += (Py_ssize_t)size;
    return true;
}

static PyObject *buffered_bytes(const ph_packer *packer)
{
    return packer->used == 0
               ? PyBytes_FromStringAndSize(NULL, 0)
               : PyBytes_FromStringAndSize(PyBytes_AS_STRING(packer->buffered), packer->used);
}

static void forget_buffered(ph_packer *packer)
{
    packer->used = 0;
    if (packer->buffered != NULL && PyBytes_GET_SIZE(packer->buffered) > KEPT_BYTES) {
        Py_CLEAR(packer->buffered);
    }
}

/* The result of a call whose value lies between the output's start and `to`: bytes, or None when
 * the value stays in the buffer. */
static PyObject *deliver_locked(ph_packer *packer, ph_encoder *encoder, uint8_t *to)
{
    bool autoreset = encoder->options->autoreset;
    if (autoreset && packer->used == 0) {
        return check_exports(packer) ? ph_output_finish(&encoder->output, to) : NULL;
    }
    Py_ssize_t used = packer->used;
    if (!append(packer, encoder->output.start, (size_t)(to - encoder->output.start))) {
        return NULL;
    }
    if (!autoreset) {
        Py_RETURN_NONE;
    }
    PyObject *bytes = buffered_bytes(packer);
    if (bytes == NULL) {
        packer->used = used;
        return NULL;
    }
    forget_buffered(packer);
    return bytes;
}

/* ---- one call ---- */

/* The options as they are now, owned: a hook may initialise the packer again. False with
 * BufferError set while views exist. */
static bool begin_call(ph_packer *packer, ph_encode_options *options)
{
    bool free_to_change;
    Py_BEGIN_CRITICAL_SECTION(packer);
    free_to_change = check_exports(packer);
    if (free_to_change) {
        *options = ph_encode_options_copy(&packer->options);
    }
    Py_END_CRITICAL_SECTION();
    return free_to_change;
}

static uint8_t *begin_encoder(ph_packer *packer, ph_encoder *encoder,
                              const ph_encode_options *options)
{
    return ph_encoder_begin(encoder, packer->state, options, ph_walk_msgpack(packer->state),
                            atomic_load_explicit(&packer->expected, memory_order_relaxed));
}

/* Ends the call that begin_call began; `to` is NULL when it failed. */
static PyObject *end_call(ph_packer *packer, ph_encoder *encoder, ph_encode_options *options,
                          uint8_t *to)
{
    PyObject *result = NULL;
    if (to == NULL) {
        ph_encoder_fail(encoder);
    } else {
        if (encoder->output.bytes != NULL) {
            atomic_store_explicit(&packer->expected, (size_t)(to - encoder->output.start),
                                  memory_order_relaxed);
        }
        Py_BEGIN_CRITICAL_SECTION(packer);
        result = deliver_locked(packer, encoder, to);
        Py_END_CRITICAL_SECTION();
        ph_output_discard(&encoder->output);
    }
    ph_encode_options_clear(options);
    return result;
}

/* Sorts the arguments of method `name` into `values`, in the order of `names`, all required. */
static bool take_arguments(const char *name, const char *const *names, Py_ssize_t wanted,
                           PyObject *const *arguments, Py_ssize_t count, PyObject *keywords,
                           PyObject **values)
{
    Py_ssize_t given = count;
    if (count <= wanted) {
        for (Py_ssize_t i = 0; i < wanted; i++) {
            values[i] = i < count ? arguments[i] : NULL;
        }
    }
    for (Py_ssize_t k = 0; keywords != NULL && count <= wanted && k < PyTuple_GET_SIZE(keywords);
         k++) {
        PyObject *keyword = PyTuple_GET_ITEM(keywords, k);
        Py_ssize_t i = 0;
        while (i < wanted && PyUnicode_CompareWithASCIIString(keyword, names[i]) != 0) {
            i++;
        }
        if (i == wanted || values[i] != NULL) {
            PyErr_Format(PyExc_TypeError,
                         i == wanted ? "%s() got an unexpected keyword argument '%U'"
                                     : "%s() got multiple values for keyword argument '%U'",
                         name, keyword);
            return false;
        }
        values[i] = arguments[count + k];
        given++;
    }
    if (given != wanted) {
        PyErr_Format(PyExc_TypeError, "%s() takes exactly %zd positional argument%s (%zd given)",
                     name, wanted, wanted == 1 ? "" : "s", count);
        return false;
    }
    return true;
}

/* ---- methods ---- */

PyDoc_STRVAR(pack_doc, "pack($self, /, obj)\n--\n\n"
                       "Pack obj; return the bytes, or None with autoreset=False.");

static PyObject *packer_pack(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                             PyObject *keywords)
{
    static const char *const names[] = {"obj"};
    ph_packer *packer = (ph_packer *)self;
    PyObject *object;
    if (PH_LIKELY(count == 1 && keywords == NULL)) {
        object = arguments[0];
    } else if (!take_arguments("pack", names, 1, arguments, count, keywords, &object)) {
        return NULL;
    }
    ph_encode_options options;
    if (!begin_call(packer, &options)) {
        return NULL;
    }
    ph_encoder encoder;
    uint8_t *to = begin_encoder(packer, &encoder, &options);
    to = encoder.walk->value(&encoder, to, object);
    return end_call(packer, &encoder, &options, to);
}

/* A header on its own: `put` writes it, the texts are msgpack's. */
static PyObject *pack_header(ph_packer *packer, PyObject *size,
                             uint8_t *(*put)(uint8_t *to, uint32_t count), const char *negative,
                             const char *too_large)
{
    long long elements;
    if (!ph_integer_argument(size, &elements)) {
        return NULL;
    }
    if (elements < 0 || elements > PH_PUT_LENGTH_MAX) {
        PyErr_SetString(PyExc_ValueError, elements < 0 ? negative : too_large);
        return NULL;
    }
    ph_encode_options options;
    if (!begin_call(packer, &options)) {
        return NULL;
    }
    ph_encoder encoder;
    uint8_t *to = begin_encoder(packer, &encoder, &options);
    return end_call(packer, &encoder, &options, put(to, (uint32_t)elements));
}

static uint8_t *put_array(uint8_t *to, uint32_t count)
{
    return ph_put_array_header(to, count);
}

static uint8_t *put_map(uint8_t *to, uint32_t count)
{
    return ph_put_map_header(to, count);
}

PyDoc_STRVAR(pack_array_header_doc, "pack_array_header($self, /, size)\n--\n\n"
                                    "Pack the header of an array; pack its size elements next.");

static PyObject *packer_pack_array_header(PyObject *self, PyObject *const *arguments,
                                          Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"size"};
    PyObject *size;
    if (!take_arguments("pack_array_header", names, 1, arguments, count, keywords, &size)) {
        return NULL;
    }
    return pack_header((ph_packer *)self, size, put_array, "array size must be non-negative",
                       "array too large");
}

PyDoc_STRVAR(pack_map_header_doc, "pack_map_header($self, /, size)\n--\n\n"
                                  "Pack the header of a map; pack size keys and values next.");

static PyObject *packer_pack_map_header(PyObject *self, PyObject *const *arguments,
                                        Py_ssize_t count, PyObject *keywords)
{
    static const char *const names[] = {"size"};
    PyObject *size;
    if (!take_arguments("pack_map_header", names, 1, arguments, count, keywords, &size)) {
        return NULL;
    }
    return pack_header((ph_packer *)self, size, put_map, "map size must be non-negative",
                       "map too large");
}

PyDoc_STRVAR(pack_map_pairs_doc,
             "pack_map_pairs($self, /, pairs)\n--\n\n"
             "Pack a map from pairs, which must have a length and give (key, value) pairs.");

static PyObject *packer_pack_map_pairs(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                                       PyObject *keywords)
{
    static const char *const names[] = {"pairs"};
    ph_packer *packer = (ph_packer *)self;
    PyObject *pairs;
    if (!take_arguments("pack_map_pairs", names, 1, arguments, count, keywords, &pairs)) {
        return NULL;
    }
    ph_encode_options options;
    if (!begin_call(packer, &options)) {
        return NULL;
    }
    ph_encoder encoder;
    uint8_t *to = begin_encoder(packer, &encoder, &options);
    Py_ssize_t size = PyObject_Size(pairs);
    if (size > (Py_ssize_t)PH_PUT_LENGTH_MAX) {
        PyErr_SetString(PyExc_ValueError, "map too large");
        size = -1;
    }
    to = size < 0 ? NULL : ph_write_pairs(&encoder, to, pairs, size, "pairs");
    return end_call(packer, &encoder, &options, to);
}

PyDoc_STRVAR(pack_ext_type_doc, "pack_ext_type($self, /, typecode, data)\n--\n\n"
                                "Pack an ext type: its code and its payload.");

static PyObject *packer_pack_ext_type(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                                      PyObject *keywords)
{
    static const char *const names[] = {"typecode", "data"};
    ph_packer *packer = (ph_packer *)self;
    PyObject *values[2];
    int8_t code;
    ph_payload payload;
    if (!take_arguments("pack_ext_type", names, 2, arguments, count, keywords, values) ||
        !ph_ext_code(values[0], &code)) {
        return NULL;
    }
    ph_encode_options options;
    if (!begin_call(packer, &options)) {
        return NULL;
    }
    ph_encoder encoder;
    uint8_t *to = begin_encoder(packer, &encoder, &options);
    if (ph_payload_get(values[1], &payload)) {
        to = ph_msgpack_write_ext(&encoder, to, code, payload.bytes, payload.size);
        ph_payload_release(&payload);
    } else {
        to = NULL;
    }
    return end_call(packer, &encoder, &options, to);
}

PyDoc_STRVAR(bytes_doc, "bytes($self, /)\n--\n\nReturn a copy of the buffered bytes.");

static PyObject *packer_bytes(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *bytes;
    Py_BEGIN_CRITICAL_SECTION(self);
    bytes = buffered_bytes((ph_packer *)self);
    Py_END_CRITICAL_SECTION();
    return bytes;
}

PyDoc_STRVAR(reset_doc, "reset($self, /)\n--\n\nForget the buffered bytes.");

static PyObject *packer_reset(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    ph_packer *packer = (ph_packer *)self;
    bool free_to_change;
    Py_BEGIN_CRITICAL_SECTION(self);
    free_to_change = check_exports(packer);
    if (free_to_change) {
        forget_buffered(packer);
    }
    Py_END_CRITICAL_SECTION();
    if (!free_to_change) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(getbuffer_doc,
             "getbuffer($self, /)\n--\n\n"
             "Return a view of the buffered bytes; the packer can not change while it exists.");

static PyObject *packer_getbuffer(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyMemoryView_FromObject(self);
}

/* ---- the type ---- */

static int packer_get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    ph_packer *packer = (ph_packer *)self;
    static char nothing[1];
    int filled;
    Py_BEGIN_CRITICAL_SECTION(self);
    char *start = packer->buffered == NULL ? nothing : PyBytes_AS_STRING(packer->buffered);
    filled = PyBuffer_FillInfo(view, self, start, packer->used, 1, flags);
    packer->exports += filled == 0;
    Py_END_CRITICAL_SECTION();
    return filled;
}

static void packer_release_buffer(PyObject *self, Py_buffer *Py_UNUSED(view))
{
    Py_BEGIN_CRITICAL_SECTION(self);
    ((ph_packer *)self)->exports--;
    Py_END_CRITICAL_SECTION();
}

/* Takes whatever arguments the __init__ of a subclass takes. */
static PyObject *packer_new(PyTypeObject *type, PyObject *Py_UNUSED(arguments),
                            PyObject *Py_UNUSED(keywords))
{
    ph_module_state *state = ph_module_state_hold(type);
    if (state == NULL) {
        return NULL;
    }
    ph_packer *packer = (ph_packer *)type->tp_alloc(type, 0);
    if (packer == NULL) {
        ph_module_state_release(state);
        return NULL;
    }
    packer->state = state;
    packer->options = ph_encode_options_default;
    return (PyObject *)packer;
}

static bool read_keywords(ph_packer *packer, PyObject *keywords, ph_encode_options *options)
{
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (keywords != NULL && PyDict_Next(keywords, &position, &name, &value)) {
        Py_INCREF(name);
        Py_INCREF(value);
        int set = ph_encode_options_set(packer->state, options, name, value);
        if (set == 0) {
            PyErr_Format(PyExc_TypeError, "__init__() got an unexpected keyword argument '%U'",
                         name);
        }
        Py_DECREF(name);
        Py_DECREF(value);
        if (set <= 0) {
            return false;
        }
    }
    return true;
}

/* May be called again; what is buffered stays. */
static int packer_init(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    ph_packer *packer = (ph_packer *)self;
    if (PyTuple_GET_SIZE(arguments) > 0) {
        PyErr_Format(PyExc_TypeError, "__init__() takes exactly 0 positional arguments (%zd given)",
                     PyTuple_GET_SIZE(arguments));
        return -1;
    }
    ph_encode_options options = ph_encode_options_default;
    bool read = read_keywords(packer, keywords, &options);
    if (read) {
        ph_encode_options before;
        Py_BEGIN_CRITICAL_SECTION(self);
        before = packer->options;
        packer->options = options;
        Py_END_CRITICAL_SECTION();
        options = before;
    }
    ph_encode_options_clear(&options);
    return read ? 0 : -1;
}

static int packer_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    PH_MODULE_STATE_VISIT(((ph_packer *)self)->state);
    return ph_encode_options_traverse(&((ph_packer *)self)->options, visit, arg);
}

static int packer_clear(PyObject *self)
{
    ph_encode_options_clear(&((ph_packer *)self)->options);
    return 0;
}

static void packer_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    packer_clear(self);
    Py_XDECREF(((ph_packer *)self)->buffered);
    ph_module_state_release(((ph_packer *)self)->state);
    type->tp_free(self);
    Py_DECREF(type);
}

#define KEYWORD_METHOD(name)                                                                   \
 {                                                                                             \
#  name, (PyCFunction)(void (*)(void))packer_##name, METH_FASTCALL | METH_KEYWORDS, name##_doc \
 }

static PyMethodDef packer_methods[] = {
    KEYWORD_METHOD(pack),
    KEYWORD_METHOD(pack_array_header),
    KEYWORD_METHOD(pack_map_header),
    KEYWORD_METHOD(pack_map_pairs),
    KEYWORD_METHOD(pack_ext_type),
    {"bytes", packer_bytes, METH_NOARGS, bytes_doc},
    {"reset", packer_reset, METH_NOARGS, reset_doc},
    {"getbuffer", packer_getbuffer, METH_NOARGS, getbuffer_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(packer_doc,
             "Packer(*, default=None, use_single_float=False, autoreset=True, use_bin_type=True, "
             "strict_types=False, datetime=False, unicode_errors=None, buf_size=262144, "
             "order=None)\n--\n\n"
             "Packs objects as MessagePack, with the same options for all of them.");

static PyType_Slot packer_slots[] = {
    {Py_tp_doc, (void *)packer_doc},
    {Py_tp_new, (void *)packer_new},
    {Py_tp_init, (void *)packer_init},
    {Py_tp_dealloc, (void *)packer_dealloc},
    {Py_tp_traverse, (void *)packer_traverse},
    {Py_tp_clear, (void *)packer_clear},
    {Py_tp_methods, packer_methods},
    {Py_bf_getbuffer, (void *)packer_get_buffer},
    {Py_bf_releasebuffer, (void *)packer_release_buffer},
    {0, NULL},
};

static PyType_Spec packer_spec = {
    .name = "packhorse._core.Packer",
    .basicsize = sizeof(ph_packer),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = packer_slots,
};

PyTypeObject *ph_packer_type_new(PyObject *module)
{
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &packer_spec, NULL);
}
