/* Maps and arrays that are iterated instead of read: subclasses with their own ways, pair lists. */
#ifndef PH_PYTHON_ENCODE_PAIRS_H
#define PH_PYTHON_ENCODE_PAIRS_H

#include "encode/encoder.h"

/* All of these run user code, and compare what they wrote with what the header says: RuntimeError
 * when a length and an iteration disagree. */

/* True when nothing overrides the length and the items() of this instance of a dict subclass. */
bool ph_iterates_as_stored(ph_encoder *encoder, PyObject *mapping);

/* A map from `mapping`: its len(), then its items(). Sorted when the options say so. */
uint8_t *ph_write_items(ph_encoder *encoder, uint8_t *to, PyObject *mapping);

/* A map from any object with a length that iterates over pairs. `type_name` is for errors. */
uint8_t *ph_write_pairs(ph_encoder *encoder, uint8_t *to, PyObject *pairs, Py_ssize_t count,
                        const char *type_name);

/* An array from a list or tuple whose subclass iterates in its own way; the header is the stored
 * size. */
uint8_t *ph_write_iterated(ph_encoder *encoder, uint8_t *to, PyObject *sequence);

#endif
