/* Failing, and finishing containers: the cold parts of decoding that both formats share. */
#include "decode/decoder.h"

static Py_ssize_t offset_of(const ph_decoder *d, const uint8_t *position)
{
    return d->base_offset + (position - d->start);
}

PH_COLD const uint8_t *ph_decoder_fail(ph_decoder *d, ph_error_code code, const uint8_t *position,
                                       uint64_t length, uint64_t limit)
{
    d->failed = position;
    d->raise(d->state, code, offset_of(d, position), length, limit);
    ph_trace_capture(&d->trace, offset_of(d, position));
    return NULL;
}

PH_COLD const uint8_t *ph_decoder_fail_as_set(ph_decoder *d, const uint8_t *position)
{
    d->failed = position;
    return NULL;
}

PH_COLD const uint8_t *ph_decoder_fail_own(ph_decoder *d, const uint8_t *position)
{
    d->failed = position;
    /* An interrupt, or no memory: not what the input holds. */
    if (PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_OverflowError)) {
        ph_trace_capture(&d->trace, offset_of(d, position));
    }
    return NULL;
}

PH_COLD const uint8_t *ph_decoder_fail_text(ph_decoder *d, const uint8_t *position)
{
    d->failed = position;
    if (d->errors == NULL && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        ph_trace_capture(&d->trace, offset_of(d, position));
    }
    return NULL;
}

PH_COLD const uint8_t *ph_decoder_fail_insertion(ph_decoder *d, const uint8_t *position)
{
    d->failed = position;
    /* A key of MessagePack that can not be hashed was refused when its pair was complete: this is an
     * __eq__ of user code, or no memory. */
    if (d->format == PH_READER_JSON) {
        ph_trace_capture(&d->trace, offset_of(d, position));
        ph_trace_failed_key(d->state, &d->trace);
    }
    return NULL;
}

static PH_COLD bool refuse_key(ph_decoder *d, const uint8_t *position, PyObject *key)
{
    PyErr_Format(PyExc_ValueError, "%s is not allowed for map key when strict_map_key=True",
                 Py_TYPE(key)->tp_name);
    d->failed = position;
    ph_trace_capture(&d->trace, offset_of(d, position));
    return false;
}

/* Whether the hash of the key can not fail. */
static bool is_plain_key(PyObject *key)
{
    return PyUnicode_CheckExact(key) || PyBytes_CheckExact(key) || PyLong_CheckExact(key) ||
           PyFloat_CheckExact(key) || PyBool_Check(key) || key == Py_None;
}

/* False with the exception that a dict raises for such a key: since 3.14 it names the type. */
static bool is_hashable(PyObject *key)
{
    if (PyObject_Hash(key) != -1) {
        return true;
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
        return false;
    }
    PyErr_Clear();
    PyObject *dict = PyDict_New();
    bool hashable = dict != NULL && PyDict_SetItem(dict, key, Py_None) == 0;
    Py_XDECREF(dict);
    return hashable;
}

/* What makes a key unhashable: 1: a list or dict, which it is or holds; -1: perhaps an object that a
 * hook made, which comes before; 0: neither. Goes no deeper than hashing went. */
static int find_unhashable(ph_module_state *state, PyObject *key)
{
    if (PyList_CheckExact(key) || PyDict_CheckExact(key)) {
        return 1;
    }
    if (is_plain_key(key) || Py_IS_TYPE(key, (PyTypeObject *)state->class.ext_type) ||
        Py_IS_TYPE(key, (PyTypeObject *)state->class.timestamp)) {
        return 0;
    }
    int found = PyTuple_CheckExact(key) ? 0 : -1;
    for (Py_ssize_t i = 0; found == 0 && i < PyTuple_GET_SIZE(key); i++) {
        found = find_unhashable(state, PyTuple_GET_ITEM(key, i));
    }
    return found;
}

/* Known now, the error comes with the key's position and before whatever is wrong behind it. */
static PH_COLD bool check_hashable(ph_decoder *d, const uint8_t *position, PyObject *key)
{
    if (d->options->object_pairs_hook != NULL || is_hashable(key)) {
        return true;
    }
    d->failed = position;
    if (PyErr_ExceptionMatches(PyExc_TypeError) && find_unhashable(d->state, key) > 0) {
        ph_trace_capture(&d->trace, offset_of(d, position));
    }
    return false;
}

bool ph_decoder_allows_key(ph_decoder *d, const uint8_t *position, PyObject *key)
{
    if (PH_LIKELY(PyUnicode_CheckExact(key)) || PyBytes_CheckExact(key)) {
        return true;
    }
    if (!d->options->strict_map_key || (d->options->tuple_keys && PyTuple_CheckExact(key))) {
        return is_plain_key(key) || check_hashable(d, position, key);
    }
    return refuse_key(d, position, key);
}

static bool holds_only_atoms(PyObject *container)
{
    if (PyDict_CheckExact(container)) {
        PyObject *key, *value;
        for (Py_ssize_t at = 0; PyDict_Next(container, &at, &key, &value);) {
            if (PyObject_IS_GC(key) || PyObject_IS_GC(value)) {
                return false;
            }
        }
        return true;
    }
    return ph_are_atoms(PySequence_Fast_ITEMS(container),
                        (size_t)PySequence_Fast_GET_SIZE(container));
}

void ph_decoder_hide_leaf(PyObject *container)
{
    if (holds_only_atoms(container)) {
        PyObject_GC_UnTrack(container);
    }
}

PyObject *ph_decoder_finish_rare_array(ph_decoder *d, PyObject *list)
{
    if (d->list_as_tuple) {
        Py_SETREF(list, PyList_AsTuple(list));
    }
    if (list != NULL && d->options->list_hook != NULL && !d->in_key) {
        Py_SETREF(list, ph_call_hook(d->options->list_hook, list));
    } else if (list != NULL && (d->list_as_tuple || !d->options->gc)) {
        /* A tuple of atoms stays one for ever: nobody loses when it is always hidden. */
        ph_decoder_hide_leaf(list);
    }
    return list;
}

int ph_decoder_spread(ph_decoder *d, PyObject **values, const ph_shape *shape, uint32_t count)
{
    ph_value_stack *stack = &d->values;
    if (ph_value_stack_reserve(stack, 2 * (size_t)shape->count) < 0) {
        ph_dict_values_drop(values, count, shape->count);
        return -1;
    }
    for (uint32_t i = 0; i < count; i++) {
        ph_value_stack_push(stack, Py_NewRef(shape->fields[i].key));
        ph_value_stack_push(stack, values[i]);
    }
    ph_dict_values_free(values, shape->count);
    return 0;
}

static PyObject *dict_by_insertion(PyObject *const *items, size_t count)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict != NULL && i < count; i++) {
        if (PyDict_SetItem(dict, items[2 * i], items[2 * i + 1]) < 0) {
            Py_CLEAR(dict);
        }
    }
    return dict;
}

/* Takes over the pairs' references. */
static PyObject *dict_from_items(const ph_decoder *d, PyObject **items, size_t count, bool all_text)
{
    PyObject *dict;
#if PH_FAST_PATH
    if (all_text && count > PH_DICT_FIRST_PAIRS && d->cache->samples.trusted &&
        ph_dict_pairs_available()) {
        dict = ph_dict_from_pairs(items, count);
    } else
#endif
    {
        (void)d;
        (void)all_text;
        dict = dict_by_insertion(items, count);
    }
    for (size_t i = 0; i < 2 * count; i++) {
        Py_DECREF(items[i]);
    }
    return dict;
}

PyObject *ph_decoder_dict(ph_decoder *d, const uint8_t *start, size_t base, size_t count,
                          ph_shape_site *site, bool all_text)
{
    PyObject **items = d->values.items + base;
    d->values.used = base;
    ph_shape *shape = NULL;
    if (all_text && d->shapes && count != 0 && count <= PH_SHAPE_FIELDS_MAX) {
        shape = ph_shape_learn(&d->cache->shapes, items, 2, (uint32_t)count);
    }
    if (shape == NULL) {
        PyObject *dict = dict_from_items(d, items, count, all_text);
        if (PH_UNLIKELY(d->unique_keys) && dict != NULL && (size_t)PyDict_GET_SIZE(dict) != count) {
            Py_CLEAR(dict);
            d->raise(d->state, PH_ERROR_DUPLICATE_KEY, offset_of(d, start), 0, 0);
        }
        return dict;
    }
    if (site != NULL) {
        *site = shape;
    }
    for (size_t i = 0; i < count; i++) {
        Py_DECREF(items[2 * i]);
        items[i] = items[2 * i + 1];
    }
    return ph_shape_build(shape, items);
}
