/* Maps and arrays that are iterated instead of read: subclasses with their own ways, pair lists. */
#ifndef PH_PYTHON_ENCODE_PAIRS_H
#define PH_PYTHON_ENCODE_PAIRS_H

#include "encode/encoder.h"

/* All of these run user code, and compare what they wrote with what the header says: RuntimeError
 * when a length and an iteration disagree. */

/* A map from an instance of a subclass of dict (or frozendict): by its storage, unless it has a length
 * or items() of its own, which then are asked. */
uint8_t *ph_write_mapping(ph_encoder *encoder, uint8_t *to, PyObject *mapping);

/* A map from any object with a length that iterates over pairs. `type_name` is for errors. */
uint8_t *ph_write_pairs(ph_encoder *encoder, uint8_t *to, PyObject *pairs, Py_ssize_t count,
                        const char *type_name);

/* An array from a list, a tuple or an instance of a subclass: by its storage, unless it iterates in its
 * own way. */
uint8_t *ph_write_sequence(ph_encoder *encoder, uint8_t *to, PyObject *sequence);

#endif
