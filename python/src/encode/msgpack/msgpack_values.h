/* MessagePack for what the walk does not write in line: longer text, and the rare types. */
#ifndef PH_PYTHON_ENCODE_MSGPACK_MSGPACK_VALUES_H
#define PH_PYTHON_ENCODE_MSGPACK_MSGPACK_VALUES_H

#include "encode/encoder.h"

/* All three are ph_write_functions. */

/* Text of any length and width (str or a subclass). */
uint8_t *ph_msgpack_write_text(ph_encoder *encoder, uint8_t *to, PyObject *text);

/* Text of at most PH_SHORT_WIDE characters that is not ASCII, where that is fastest: NULL for any
 * other, and for surrogates. Writes into PH_OUTPUT_ROOM without a check. */
uint8_t *ph_msgpack_write_short_wide(const ph_encoder *encoder, uint8_t *to, PyObject *text);

/* Any object: subclasses, wide ints, bytes, ExtType, Timestamp, memoryview, datetime, then the
 * default hook. */
uint8_t *ph_msgpack_write_other(ph_encoder *encoder, uint8_t *to, PyObject *value);

/* Header and payload of an ext type. */
uint8_t *ph_msgpack_write_ext(ph_encoder *encoder, uint8_t *to, int8_t ext_type,
                              const uint8_t *payload, size_t size);

#endif
