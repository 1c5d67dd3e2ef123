/* Containers by iteration. Everything is owned across every step: each of them is user code. */
#include "encode/pairs.h"

/* The C function behind a method of a builtin type; NULL for any other object. */
static PyCFunction builtin_function(PyObject *method)
{
    return PyCFunction_Check(method) ? PyCFunction_GET_FUNCTION(method) : NULL;
}

/* Whether nothing overrides the length and the items() of this instance of a dict subclass; -1 with an
 * exception set, of user code. */
static int iterates_as_stored(ph_encoder *encoder, PyObject *mapping)
{
    PyMappingMethods *methods = Py_TYPE(mapping)->tp_as_mapping;
    if (!PyDict_Check(mapping) || methods == NULL ||
        methods->mp_length != PyDict_Type.tp_as_mapping->mp_length) {
        return 0;
    }
    encoder->user_code_calls++;
    PyObject *items = PyObject_GetAttr(mapping, encoder->state->name.items);
    if (items == NULL) {
        return -1;
    }
    PyObject *descriptor = PyObject_GetAttr((PyObject *)&PyDict_Type, encoder->state->name.items);
    int stored =
        descriptor == NULL
            ? -1
            : Py_IS_TYPE(descriptor, &PyMethodDescr_Type) && PyCFunction_Check(items) &&
                  PyCFunction_GET_SELF(items) == mapping &&
                  builtin_function(items) == ((PyMethodDescrObject *)descriptor)->d_method->ml_meth;
    Py_DECREF(items);
    Py_XDECREF(descriptor);
    return stored;
}

/* Unpacks any iterable of two into new references, as `key, value = pair` does. */
static bool unpack_pair(PyObject *pair, PyObject **key, PyObject **value)
{
    if (PyTuple_CheckExact(pair) && PyTuple_GET_SIZE(pair) == 2) {
        *key = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
        *value = Py_NewRef(PyTuple_GET_ITEM(pair, 1));
        return true;
    }
    PyObject *iterator = PyObject_GetIter(pair);
    if (iterator == NULL) {
        return false;
    }
    PyObject *parts[3] = {NULL, NULL, NULL};
    int count = 0;
    while (count < 3 && (parts[count] = PyIter_Next(iterator)) != NULL) {
        count++;
    }
    Py_DECREF(iterator);
    if (count == 2 && PyErr_Occurred() == NULL) {
        *key = parts[0];
        *value = parts[1];
        return true;
    }
    if (PyErr_Occurred() == NULL) {
        PyErr_Format(PyExc_ValueError,
                     count > 2 ? "too many values to unpack (expected 2)"
                               : "need more than %d value%s to unpack",
                     count, count == 1 ? "" : "s");
    }
    for (int i = 0; i < count; i++) {
        Py_DECREF(parts[i]);
    }
    return false;
}

static uint8_t *write_pair(ph_encoder *encoder, uint8_t *to, PyObject *pair)
{
    PyObject *key, *value;
    if (!unpack_pair(pair, &key, &value)) {
        return NULL;
    }
    to = ph_output_ensure(&encoder->output, to, 0);
    if (to != NULL) {
        to = encoder->walk->key(encoder, to, key);
        if (to == NULL) {
            ph_trace_failed_key(encoder->state, &encoder->trace);
        }
    }
    if (to != NULL) {
        to = ph_output_ensure(&encoder->output, to, 0);
    }
    if (to != NULL) {
        to = encoder->walk->value(encoder, to, value);
        if (to == NULL) {
            ph_trace_key(&encoder->trace, key);
        }
    }
    Py_DECREF(key);
    Py_DECREF(value);
    return to;
}

/* What iteration gives, one after the other; NULL unless it is exactly `count`. */
static uint8_t *write_all(ph_encoder *encoder, uint8_t *to, PyObject *iterable, Py_ssize_t count,
                          bool as_pairs, const char *type_name)
{
    PyObject *iterator = PyObject_GetIter(iterable);
    if (iterator == NULL) {
        return NULL;
    }
    Py_ssize_t done = 0;
    PyObject *item;
    while (to != NULL && (item = PyIter_Next(iterator)) != NULL) {
        if (done == count) {
            to = ph_encoder_changed(encoder, type_name);
        } else if (as_pairs) {
            to = write_pair(encoder, to, item);
        } else {
            to = ph_output_ensure(&encoder->output, to, 0);
            to = to == NULL ? NULL : encoder->walk->value(encoder, to, item);
            if (to == NULL) {
                ph_trace_index(&encoder->trace, done);
            }
        }
        to = to == NULL ? NULL : encoder->walk->after_element(to);
        done++;
        Py_DECREF(item);
    }
    Py_DECREF(iterator);
    if (to != NULL && PyErr_Occurred() != NULL) {
        return NULL;
    }
    return to != NULL && done != count ? ph_encoder_changed(encoder, type_name) : to;
}

uint8_t *ph_write_pairs(ph_encoder *encoder, uint8_t *to, PyObject *pairs, Py_ssize_t count,
                        const char *type_name)
{
    if (!ph_encoder_enter(encoder) || !ph_encoder_call_user_code(encoder)) {
        return NULL;
    }
    to = encoder->walk->map_begin(encoder, to, count);
    if (to != NULL) {
        to = write_all(encoder, to, pairs, count, true, type_name);
    }
    ph_encoder_leave(encoder);
    return to == NULL ? NULL : encoder->walk->map_end(encoder, to, count);
}

/* A dict with the pairs that items() gave; a new reference. */
static PyObject *dict_from_items(PyObject *items)
{
    PyObject *dict = PyDict_New();
    if (dict != NULL && PyDict_MergeFromSeq2(dict, items, 1) < 0) {
        Py_CLEAR(dict);
    }
    return dict;
}

/* A map from `mapping`: its len(), then its items(). Sorted when the options say so. */
static uint8_t *write_items(ph_encoder *encoder, uint8_t *to, PyObject *mapping)
{
    if (!ph_encoder_call_user_code(encoder)) {
        return NULL;
    }
    Py_ssize_t count = PyObject_Size(mapping);
    PyObject *items =
        count < 0 ? NULL : PyObject_CallMethodNoArgs(mapping, encoder->state->name.items);
    if (items == NULL) {
        return NULL;
    }
    if (!encoder->options->sorted) {
        to = ph_write_pairs(encoder, to, items, count, "dictionary");
        Py_DECREF(items);
        return to;
    }
    PyObject *dict = dict_from_items(items);
    Py_DECREF(items);
    if (dict == NULL) {
        return NULL;
    }
    to = PyDict_GET_SIZE(dict) == count ? encoder->walk->dict(encoder, to, dict)
                                        : ph_encoder_changed(encoder, "dictionary");
    Py_DECREF(dict);
    return to;
}

uint8_t *ph_write_mapping(ph_encoder *encoder, uint8_t *to, PyObject *mapping)
{
    int stored = iterates_as_stored(encoder, mapping);
    if (stored < 0) {
        return NULL;
    }
    return stored > 0 ? encoder->walk->dict(encoder, to, mapping)
                      : write_items(encoder, to, mapping);
}

/* The header is the stored size. */
static uint8_t *write_iterated(ph_encoder *encoder, uint8_t *to, PyObject *sequence)
{
    if (!ph_encoder_enter(encoder) || !ph_encoder_call_user_code(encoder)) {
        return NULL;
    }
    Py_ssize_t count = Py_SIZE(sequence);
    to = encoder->walk->array_begin(encoder, to, count);
    if (to != NULL) {
        to = write_all(encoder, to, sequence, count, false,
                       PyList_Check(sequence) ? "list" : "tuple");
    }
    ph_encoder_leave(encoder);
    return to == NULL ? NULL : encoder->walk->array_end(encoder, to, count);
}

uint8_t *ph_write_sequence(ph_encoder *encoder, uint8_t *to, PyObject *sequence)
{
    getiterfunc stored = PyList_Check(sequence) ? PyList_Type.tp_iter : PyTuple_Type.tp_iter;
    return Py_TYPE(sequence)->tp_iter == stored ? encoder->walk->sequence(encoder, to, sequence)
                                                : write_iterated(encoder, to, sequence);
}
