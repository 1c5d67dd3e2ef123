/* packb: options from keywords, one encoding, bytes. */
#include "encode/msgpack/packb.h"

#include "encode/msgpack/walk_msgpack.h"

PyObject *ph_msgpack_encode(ph_module_state *state, const ph_encode_options *options,
                            PyObject *object, atomic_size_t *expected)
{
    ph_encoder encoder;
    const ph_walk *walk = ph_walk_msgpack(state);
    uint8_t *to = ph_encoder_begin(&encoder, state, options, walk,
                                   atomic_load_explicit(expected, memory_order_relaxed));
    to = walk->value(&encoder, to, object);
    if (PH_UNLIKELY(to == NULL)) {
        return ph_encoder_fail(&encoder);
    }
    if (encoder.output.bytes != NULL) {
        size_t size = (size_t)(to - encoder.output.start);
        atomic_store_explicit(expected, size, memory_order_relaxed);
    }
    return ph_output_finish(&encoder.output, to);
}

/* Reads the keywords of packb; *object is set by `o` when it was not given by position. */
static bool read_keywords(ph_module_state *state, PyObject *const *values, PyObject *keywords,
                          ph_encode_options *options, PyObject **object)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); i++) {
        PyObject *name = PyTuple_GET_ITEM(keywords, i);
        int set = ph_encode_options_set(state, options, name, values[i]);
        if (set < 0) {
            return false;
        }
        if (set == 0) {
            bool is_object = PyUnicode_CompareWithASCIIString(name, "o") == 0;
            if (!is_object || *object != NULL) {
                PyErr_Format(PyExc_TypeError,
                             is_object ? "packb() got multiple values for argument '%U'"
                                       : "packb() got an unexpected keyword argument '%U'",
                             name);
                return false;
            }
            *object = values[i];
        }
    }
    return true;
}

static PH_NOINLINE PyObject *packb_with_options(ph_module_state *state, PyObject *const *arguments,
                                                Py_ssize_t count, PyObject *keywords)
{
    if (count > 1) {
        PyErr_Format(PyExc_TypeError, "packb() takes 1 positional argument but %zd were given",
                     count);
        return NULL;
    }
    ph_encode_options options = ph_encode_options_default;
    PyObject *object = count == 1 ? arguments[0] : NULL;
    PyObject *result = NULL;
    if (keywords == NULL || read_keywords(state, arguments + count, keywords, &options, &object)) {
        if (object == NULL) {
            PyErr_SetString(PyExc_TypeError, "packb() missing 1 required positional argument: 'o'");
        } else {
            result = ph_msgpack_encode(state, &options, object, &state->encode->last_size);
        }
    }
    ph_encode_options_clear(&options);
    return result;
}

PyObject *ph_packb(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                   PyObject *keywords)
{
    ph_module_state *state = ph_module_state_of(module);
    if (PH_LIKELY(count == 1 && keywords == NULL)) {
        return ph_msgpack_encode(state, &ph_encode_options_default, arguments[0],
                                 &state->encode->last_size);
    }
    return packb_with_options(state, arguments, count, keywords);
}
