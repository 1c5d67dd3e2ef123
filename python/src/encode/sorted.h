/* The order of dict keys for order="sorted". */
#ifndef PH_PYTHON_ENCODE_SORTED_H
#define PH_PYTHON_ENCODE_SORTED_H

#include "encode/encoder.h"

/* The keys of a dict, in order: what is not text by the bytes it is packed as, then text by its
 * UTF-8, which is the order of code points. Packed keys are kept, so that none is packed twice. */
typedef struct ph_sorted_keys {
    PyObject *list; /* owned: the keys, or tuples as sorted.c makes them */
    Py_ssize_t count;
    bool plain; /* all keys are exactly str: the list holds nothing but them */
} ph_sorted_keys;

/* Takes and sorts the keys of a dict. The place behind `*to` in the output is used for a while, which
 * may move it. May run user code. False with an exception set or captured; nothing is to be cleared
 * then. */
bool ph_sorted_keys_init(ph_encoder *encoder, ph_sorted_keys *keys, uint8_t **to, PyObject *dict);

/* A new reference to the key at index `at`. */
PyObject *ph_sorted_key(const ph_sorted_keys *keys, Py_ssize_t at);

/* The bytes object (borrowed) that the key is written as, NULL when it has yet to be written. */
PyObject *ph_sorted_key_written(const ph_sorted_keys *keys, Py_ssize_t at);

void ph_sorted_keys_clear(ph_sorted_keys *keys);

/* A new reference to the value of a key; NULL with an error captured when the key is gone. */
PyObject *ph_dict_value(ph_encoder *encoder, PyObject *dict, PyObject *key);

#endif
