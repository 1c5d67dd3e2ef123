/* The MessagePack sink of the walk: what encode/walk.h writes, as MessagePack. */
#ifndef PH_PYTHON_ENCODE_MSGPACK_SINK_MSGPACK_H
#define PH_PYTHON_ENCODE_MSGPACK_SINK_MSGPACK_H

#include "cpython_read.h"
#include "encode/msgpack/msgpack_values.h"
#include "encode/sorted.h"
#include "encode/wide_text.h"

#include "wire/put.h"

/* Bytes that a float needs; and the lists whose floats are taken many at a time. */
#define SINK_DOUBLE_ROOM  9
#define SINK_DOUBLES_FROM 64
#define SINK_DOUBLES_MAX  64

/* The longest text that needs no check of its own: a key and a value of that length, with the
 * overshoot of their copies, fit into PH_OUTPUT_ROOM. */
#define SINK_SHORT_TEXT 192
_Static_assert(2 * (2 + SINK_SHORT_TEXT + 32) <= PH_OUTPUT_ROOM, "a pair fits into the room");

PH_INLINE uint8_t *sink_nil(uint8_t *to)
{
    return ph_put_nil(to);
}

PH_INLINE uint8_t *sink_bool(uint8_t *to, bool value)
{
    return ph_put_bool(to, value);
}

PH_INLINE uint8_t *sink_integer(uint8_t *to, int64_t value)
{
    return ph_put_signed(to, value);
}

PH_INLINE uint8_t *sink_digit(uint8_t *to, uint32_t magnitude, bool negative)
{
    if (negative) {
        return ph_put_signed(to, -(int64_t)magnitude);
    }
    if (magnitude < 0x80) {
        return ph_put_byte(to, (uint8_t)magnitude);
    }
    /* The compiler lays out the loop for numbers of this size, the others on its sides. */
    if (PH_LIKELY(magnitude > UINT8_MAX && magnitude <= UINT16_MAX)) {
        return ph_put_with16(to, PH_FORMAT_UINT16, (uint16_t)magnitude);
    }
    return ph_put_unsigned(to, magnitude);
}

PH_INLINE bool sink_takes_integer(const ph_encoder *Py_UNUSED(encoder), int64_t Py_UNUSED(value))
{
    return true;
}

/* What needs 64 bits: no less than 2^60 in magnitude, from -2^63 to 2^64 - 1. */
PH_INLINE uint8_t *sink_large_integer(const ph_encoder *Py_UNUSED(encoder), uint8_t *to,
                                      uint64_t magnitude, bool negative)
{
    return ph_put_with64(to, negative ? PH_FORMAT_INT64 : PH_FORMAT_UINT64,
                         negative ? 0 - magnitude : magnitude);
}

PH_INLINE bool sink_takes_double(const ph_encoder *encoder)
{
    return !encoder->options->single_float;
}

PH_INLINE uint8_t *sink_double(const ph_encoder *Py_UNUSED(encoder), uint8_t *to, double value)
{
    return ph_put_float64(to, value);
}

/* A list of two floats. */
PH_INLINE uint8_t *sink_pair(const ph_encoder *encoder, uint8_t *to, double first, double second)
{
    to = ph_put_byte(to, PH_FORMAT_FIXARRAY | 2);
    return sink_double(encoder, sink_double(encoder, to, first), second);
}

PH_INLINE bool sink_four_floats(PyObject *const *items)
{
    return Py_IS_TYPE(items[0], &PyFloat_Type) && Py_IS_TYPE(items[1], &PyFloat_Type) &&
           Py_IS_TYPE(items[2], &PyFloat_Type) && Py_IS_TYPE(items[3], &PyFloat_Type);
}

/* Floats from `items` on, at most `count`, for which there is room, with what separates elements.
 * Returns how many were written, 0 to let them be written one by one. */
PH_INLINE Py_ssize_t sink_doubles(const ph_encoder *encoder, uint8_t **to, PyObject *const *items,
                                  Py_ssize_t count)
{
    uint8_t *at = *to;
    Py_ssize_t done = 0;
    for (; count - done >= 4 && sink_four_floats(items + done); done += 4) {
        for (int i = 0; i < 4; i++) {
            at = sink_double(encoder, at, PyFloat_AS_DOUBLE(items[done + i]));
        }
    }
    *to = at;
    return done;
}

/* Text that fits into the room that is always there; NULL for any other. */
PH_INLINE uint8_t *sink_short_text(const ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    const uint8_t *from = ph_str_ascii(text);
    if (PH_UNLIKELY(!ph_str_is_ascii(text))) {
        from = ph_encoder_kept_utf8(encoder, text, &length);
        if (from == NULL) {
            return ph_msgpack_write_short_wide(encoder, to, text);
        }
    }
    if (PH_LIKELY(length < 32)) {
        to = ph_put_byte(to, (uint8_t)(PH_FORMAT_FIXSTR | length));
        ph_copy_short(to, from, length);
        return to + length;
    }
    if (length <= SINK_SHORT_TEXT && PH_LIKELY(encoder->options->bin_type)) {
        to = ph_put_with8(to, PH_FORMAT_STR8, (uint8_t)length);
        ph_copy_medium(to, from, length);
        return to + length;
    }
    return NULL;
}

PH_INLINE uint8_t *sink_short_key(const ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    return sink_short_text(encoder, to, key);
}

/* Bytes that fit into the room that is always there; NULL for any other. */
PH_INLINE uint8_t *sink_short_bytes(const ph_encoder *encoder, uint8_t *to, PyObject *bytes)
{
    size_t size = (size_t)PyBytes_GET_SIZE(bytes);
    const uint8_t *from = (const uint8_t *)PyBytes_AS_STRING(bytes);
    if (PH_UNLIKELY(size > SINK_SHORT_TEXT || !encoder->options->bin_type)) {
        return NULL;
    }
    to = ph_put_with8(to, PH_FORMAT_BIN8, (uint8_t)size);
    if (size < 32) {
        ph_copy_short(to, from, size);
    } else {
        ph_copy_medium(to, from, size);
    }
    return to + size;
}

PH_INLINE uint8_t *sink_text(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    return ph_msgpack_write_text(encoder, to, text);
}

PH_INLINE uint8_t *sink_key(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    return encoder->walk->value(encoder, to, key);
}

PH_INLINE bool sink_takes_tuple(const ph_encoder *encoder)
{
    return !encoder->options->strict_types;
}

PH_INLINE uint8_t *sink_other(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    return ph_msgpack_write_other(encoder, to, value);
}

PH_INLINE uint8_t *sink_array_begin(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return PH_LIKELY((size_t)count <= PH_PUT_LENGTH_MAX) ? ph_put_array_header(to, (uint32_t)count)
                                                         : ph_encoder_too_large(encoder, "list");
}

PH_INLINE uint8_t *sink_map_begin(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return PH_LIKELY((size_t)count <= PH_PUT_LENGTH_MAX) ? ph_put_map_header(to, (uint32_t)count)
                                                         : ph_encoder_too_large(encoder, "dict");
}

PH_INLINE uint8_t *sink_empty_array(uint8_t *to)
{
    return ph_put_byte(to, PH_FORMAT_FIXARRAY);
}

PH_INLINE uint8_t *sink_empty_map(uint8_t *to)
{
    return ph_put_byte(to, PH_FORMAT_FIXMAP);
}

/* The bytes of text in its packed form, NULL when the packed form is no text. */
static inline const char *sink_text_of_key(PyObject *written, Py_ssize_t *size)
{
    const char *start = PyBytes_AS_STRING(written);
    uint8_t format = (uint8_t)start[0];
    Py_ssize_t header;
    if (format >= PH_FORMAT_FIXSTR && format < PH_FORMAT_NIL) {
        header = 1;
    } else if (format >= PH_FORMAT_STR8 && format <= PH_FORMAT_STR32) {
        header = 1 + (1 << (format - PH_FORMAT_STR8));
    } else {
        return NULL;
    }
    *size = PyBytes_GET_SIZE(written) - header;
    return start + header;
}

/* MessagePack has no separators and no end tokens. */
PH_INLINE uint8_t *sink_after_key(uint8_t *to)
{
    return to;
}

PH_INLINE uint8_t *sink_after_element(uint8_t *to)
{
    return to;
}

PH_INLINE uint8_t *sink_array_end(ph_encoder *Py_UNUSED(encoder), uint8_t *to,
                                  Py_ssize_t Py_UNUSED(count))
{
    return to;
}

PH_INLINE uint8_t *sink_map_end(ph_encoder *Py_UNUSED(encoder), uint8_t *to,
                                Py_ssize_t Py_UNUSED(count))
{
    return to;
}

#endif
