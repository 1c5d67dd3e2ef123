/* Sorting keys: text by code points behind everything else, which is sorted by its packed bytes. */
#include "encode/sorted.h"

/* The bytes that a key is written as: written at `*to`, behind what the output holds, and taken from
 * there. The output may move, and `*to` with it. NULL with an exception set or captured. */
static PyObject *written_key(ph_encoder *encoder, uint8_t **to, PyObject *key)
{
    ph_output *output = &encoder->output;
    size_t used = (size_t)(*to - output->start);
    uint8_t *end = ph_output_ensure(output, *to, 0);
    end = end == NULL ? NULL : encoder->walk->key(encoder, end, key);
    if (end == NULL) {
        ph_trace_failed_key(encoder->state, &encoder->trace);
        return NULL;
    }
    *to = output->start + used;
    return PyBytes_FromStringAndSize((const char *)*to, end - *to);
}

/* (False, written, index, key, written), or (True, text, index, key, written) for text. The index
 * settles ties. */
static PyObject *sort_entry(ph_encoder *encoder, uint8_t **to, PyObject *key, Py_ssize_t at)
{
    PyObject *written = written_key(encoder, to, key);
    if (written == NULL) {
        return NULL;
    }
    Py_ssize_t size = PyBytes_GET_SIZE(written);
    const char *text = encoder->walk->text_of_key(written, &size);
    const char *sort_by = text != NULL ? text : PyBytes_AS_STRING(written);
    PyObject *entry = Py_BuildValue("(Oy#nOO)", text != NULL ? Py_True : Py_False, sort_by, size,
                                    at, key, written);
    Py_DECREF(written);
    return entry;
}

static bool all_exact_text(PyObject *list)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); at++) {
        if (!PyUnicode_CheckExact(PyList_GET_ITEM(list, at))) {
            return false;
        }
    }
    return true;
}

/* Replaces each key of the list, which nobody else knows, by its sort entry. */
static bool make_entries(ph_encoder *encoder, uint8_t **to, PyObject *list)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(list); at++) {
        PyObject *entry = sort_entry(encoder, to, PyList_GET_ITEM(list, at), at);
        if (entry == NULL || PyList_SetItem(list, at, entry) < 0) {
            return false;
        }
    }
    return true;
}

bool ph_sorted_keys_init(ph_encoder *encoder, ph_sorted_keys *keys, uint8_t **to, PyObject *dict)
{
    encoder->user_code_calls++; /* hooks for keys, and comparisons */
    keys->list = PyDict_Check(dict) ? PyDict_Keys(dict) : PySequence_List(dict);
    if (keys->list == NULL) {
        return false;
    }
    keys->count = PyList_GET_SIZE(keys->list);
    keys->plain = all_exact_text(keys->list);
    if ((!keys->plain && !make_entries(encoder, to, keys->list)) || PyList_Sort(keys->list) < 0) {
        Py_DECREF(keys->list);
        return false;
    }
    return true;
}

PyObject *ph_sorted_key(const ph_sorted_keys *keys, Py_ssize_t at)
{
    PyObject *entry = PyList_GET_ITEM(keys->list, at);
    return Py_NewRef(keys->plain ? entry : PyTuple_GET_ITEM(entry, 3));
}

PyObject *ph_sorted_key_written(const ph_sorted_keys *keys, Py_ssize_t at)
{
    return keys->plain ? NULL : PyTuple_GET_ITEM(PyList_GET_ITEM(keys->list, at), 4);
}

void ph_sorted_keys_clear(ph_sorted_keys *keys)
{
    Py_DECREF(keys->list);
}

PyObject *ph_dict_value(ph_encoder *encoder, PyObject *dict, PyObject *key)
{
    encoder->user_code_calls++; /* __hash__ and __eq__ of the key */
    PyObject *value = NULL;
#if PY_VERSION_HEX >= 0x030d0000
    int found = PyDict_GetItemRef(dict, key, &value);
#else
    value = Py_XNewRef(PyDict_GetItemWithError(dict, key));
    int found = value != NULL ? 1 : PyErr_Occurred() != NULL ? -1 : 0;
#endif
    if (found == 0) {
        ph_encoder_changed(encoder, "dictionary");
    }
    return value;
}
