/* MessagePack headers and scalars in their shortest form, written where room is guaranteed. */
#ifndef PH_WIRE_PUT_H
#define PH_WIRE_PUT_H

#include "base/bytes.h"
#include "wire/formats.h"

/* Every function here writes at `to`, where the caller guarantees PH_PUT_ROOM bytes, and returns
 * the position behind what it wrote. None can fail, none allocates. */
#define PH_PUT_ROOM 9

#define PH_PUT_LENGTH_MAX UINT32_MAX

PH_INLINE uint8_t *ph_put_byte(uint8_t *to, uint8_t byte)
{
    *to = byte;
    return to + 1;
}

PH_INLINE uint8_t *ph_put_with8(uint8_t *to, ph_format format, uint8_t value)
{
    to[0] = (uint8_t)format;
    to[1] = value;
    return to + 2;
}

PH_INLINE uint8_t *ph_put_with16(uint8_t *to, ph_format format, uint16_t value)
{
    to[0] = (uint8_t)format;
    ph_store_big16(to + 1, value);
    return to + 3;
}

PH_INLINE uint8_t *ph_put_with32(uint8_t *to, ph_format format, uint32_t value)
{
    to[0] = (uint8_t)format;
    ph_store_big32(to + 1, value);
    return to + 5;
}

PH_INLINE uint8_t *ph_put_with64(uint8_t *to, ph_format format, uint64_t value)
{
    to[0] = (uint8_t)format;
    ph_store_big64(to + 1, value);
    return to + 9;
}

PH_INLINE uint8_t *ph_put_nil(uint8_t *to)
{
    return ph_put_byte(to, PH_FORMAT_NIL);
}

PH_INLINE uint8_t *ph_put_bool(uint8_t *to, bool value)
{
    return ph_put_byte(to, value ? PH_FORMAT_TRUE : PH_FORMAT_FALSE);
}

/* Non-negative integers use the unsigned family. */
PH_INLINE uint8_t *ph_put_unsigned(uint8_t *to, uint64_t value)
{
    if (value < 0x80) {
        return ph_put_byte(to, (uint8_t)value);
    }
    if (value <= UINT8_MAX) {
        return ph_put_with8(to, PH_FORMAT_UINT8, (uint8_t)value);
    }
    if (value <= UINT16_MAX) {
        return ph_put_with16(to, PH_FORMAT_UINT16, (uint16_t)value);
    }
    if (value <= UINT32_MAX) {
        return ph_put_with32(to, PH_FORMAT_UINT32, (uint32_t)value);
    }
    return ph_put_with64(to, PH_FORMAT_UINT64, value);
}

/* Any signed value; those that are not negative go out as unsigned. */
PH_INLINE uint8_t *ph_put_signed(uint8_t *to, int64_t value)
{
    if (value >= 0) {
        return ph_put_unsigned(to, (uint64_t)value);
    }
    if (value >= -32) {
        return ph_put_byte(to, (uint8_t)value);
    }
    if (value >= INT8_MIN) {
        return ph_put_with8(to, PH_FORMAT_INT8, (uint8_t)value);
    }
    if (value >= INT16_MIN) {
        return ph_put_with16(to, PH_FORMAT_INT16, (uint16_t)value);
    }
    if (value >= INT32_MIN) {
        return ph_put_with32(to, PH_FORMAT_INT32, (uint32_t)value);
    }
    return ph_put_with64(to, PH_FORMAT_INT64, (uint64_t)value);
}

PH_INLINE uint8_t *ph_put_float32(uint8_t *to, float value)
{
    return ph_put_with32(to, PH_FORMAT_FLOAT32, ph_bits_from_float(value));
}

PH_INLINE uint8_t *ph_put_float64(uint8_t *to, double value)
{
    return ph_put_with64(to, PH_FORMAT_FLOAT64, ph_bits_from_double(value));
}

/* Lengths in bytes; the payload follows. */
PH_INLINE uint8_t *ph_put_string_header(uint8_t *to, uint32_t length)
{
    if (length < 32) {
        return ph_put_byte(to, (uint8_t)(PH_FORMAT_FIXSTR | length));
    }
    if (length <= UINT8_MAX) {
        return ph_put_with8(to, PH_FORMAT_STR8, (uint8_t)length);
    }
    if (length <= UINT16_MAX) {
        return ph_put_with16(to, PH_FORMAT_STR16, (uint16_t)length);
    }
    return ph_put_with32(to, PH_FORMAT_STR32, length);
}

/* The raw family of the specification before 2013, which had no str8 and no bin. */
PH_INLINE uint8_t *ph_put_raw_header(uint8_t *to, uint32_t length)
{
    if (length < 32) {
        return ph_put_byte(to, (uint8_t)(PH_FORMAT_FIXSTR | length));
    }
    if (length <= UINT16_MAX) {
        return ph_put_with16(to, PH_FORMAT_STR16, (uint16_t)length);
    }
    return ph_put_with32(to, PH_FORMAT_STR32, length);
}

PH_INLINE uint8_t *ph_put_binary_header(uint8_t *to, uint32_t length)
{
    if (length <= UINT8_MAX) {
        return ph_put_with8(to, PH_FORMAT_BIN8, (uint8_t)length);
    }
    if (length <= UINT16_MAX) {
        return ph_put_with16(to, PH_FORMAT_BIN16, (uint16_t)length);
    }
    return ph_put_with32(to, PH_FORMAT_BIN32, length);
}

/* Elements; the elements follow. */
PH_INLINE uint8_t *ph_put_array_header(uint8_t *to, uint32_t elements)
{
    if (elements < 16) {
        return ph_put_byte(to, (uint8_t)(PH_FORMAT_FIXARRAY | elements));
    }
    if (elements <= UINT16_MAX) {
        return ph_put_with16(to, PH_FORMAT_ARRAY16, (uint16_t)elements);
    }
    return ph_put_with32(to, PH_FORMAT_ARRAY32, elements);
}

/* Pairs; keys and values follow, alternating. */
PH_INLINE uint8_t *ph_put_map_header(uint8_t *to, uint32_t pairs)
{
    if (pairs < 16) {
        return ph_put_byte(to, (uint8_t)(PH_FORMAT_FIXMAP | pairs));
    }
    if (pairs <= UINT16_MAX) {
        return ph_put_with16(to, PH_FORMAT_MAP16, (uint16_t)pairs);
    }
    return ph_put_with32(to, PH_FORMAT_MAP32, pairs);
}

/* Format byte, length and ext type; the payload of `length` bytes follows. */
PH_INLINE uint8_t *ph_put_ext_header(uint8_t *to, int8_t ext_type, uint32_t length)
{
    switch (length) {
    case 1: to = ph_put_byte(to, PH_FORMAT_FIXEXT1); break;
    case 2: to = ph_put_byte(to, PH_FORMAT_FIXEXT2); break;
    case 4: to = ph_put_byte(to, PH_FORMAT_FIXEXT4); break;
    case 8: to = ph_put_byte(to, PH_FORMAT_FIXEXT8); break;
    case 16: to = ph_put_byte(to, PH_FORMAT_FIXEXT16); break;
    default:
        if (length <= UINT8_MAX) {
            to = ph_put_with8(to, PH_FORMAT_EXT8, (uint8_t)length);
        } else if (length <= UINT16_MAX) {
            to = ph_put_with16(to, PH_FORMAT_EXT16, (uint16_t)length);
        } else {
            to = ph_put_with32(to, PH_FORMAT_EXT32, length);
        }
    }
    return ph_put_byte(to, (uint8_t)ext_type);
}

#endif
