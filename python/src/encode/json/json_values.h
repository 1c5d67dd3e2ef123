/* JSON for what the walk does not write in line: text that needs care, keys, and the rare types. */
#ifndef PH_PYTHON_ENCODE_JSON_JSON_VALUES_H
#define PH_PYTHON_ENCODE_JSON_JSON_VALUES_H

#include "encode/encoder.h"

/* All are ph_write_functions. */

/* Text of any length and width (str or a subclass), quotes and escapes included. */
uint8_t *ph_json_write_text(ph_encoder *encoder, uint8_t *to, PyObject *text);

/* Text of at most PH_SHORT_WIDE characters that is not ASCII, where that is fastest: NULL for any
 * other, for escapes and surrogates. Writes into PH_OUTPUT_ROOM without a check. */
uint8_t *ph_json_write_short_wide(uint8_t *to, PyObject *text);

/* A key of any type that has a text, without the colon. */
uint8_t *ph_json_write_key(ph_encoder *encoder, uint8_t *to, PyObject *key);

/* Any object: wide ints, subclasses, values that are written as text, objects with fields, then the
 * hook. */
uint8_t *ph_json_write_other(ph_encoder *encoder, uint8_t *to, PyObject *value);

/* Bytes of ASCII that need no escapes, in quotes. */
uint8_t *ph_json_write_ascii(ph_encoder *encoder, uint8_t *to, const void *text, size_t size);

/* Bytes as base64, in quotes. */
uint8_t *ph_json_write_base64(ph_encoder *encoder, uint8_t *to, const void *bytes, size_t size);

/* An int of any size in decimal; NULL with an exception set or captured. */
uint8_t *ph_json_write_integer(ph_encoder *encoder, uint8_t *to, PyObject *number);

/* A Decimal as the options want it. */
uint8_t *ph_json_write_decimal(ph_encoder *encoder, uint8_t *to, PyObject *decimal, bool as_key);

/* The JSON that a packhorse.json.Fragment holds, as it is. */
uint8_t *ph_json_write_fragment(ph_encoder *encoder, uint8_t *to, PyObject *fragment);

/* TypeError for a value that can not be encoded, captured. Returns NULL. */
PH_COLD uint8_t *ph_json_unsupported(ph_encoder *encoder, PyObject *value);

#define PH_JSON_STRICT_INTEGER_MAX ((int64_t)(((uint64_t)1 << 53) - 1))

/* What a double holds exactly, with every integer closer to zero. */
PH_INLINE bool ph_json_is_strict_integer(int64_t value)
{
    return value >= -PH_JSON_STRICT_INTEGER_MAX && value <= PH_JSON_STRICT_INTEGER_MAX;
}

PH_INLINE bool ph_double_is_finite(double value)
{
    return (ph_bits_from_double(value) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
}

#endif
