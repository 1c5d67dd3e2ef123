/* Big-endian and little-endian loads and stores at any alignment, bit casts, checked sizes. */
#ifndef PH_BASE_BYTES_H
#define PH_BASE_BYTES_H

#include "base/compiler.h"

#include <stdbool.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
# define PH_LITTLE_ENDIAN 1
# define PH_BIG16(value)  __builtin_bswap16(value)
# define PH_BIG32(value)  __builtin_bswap32(value)
# define PH_BIG64(value)  __builtin_bswap64(value)
#else
# define PH_LITTLE_ENDIAN 0
# define PH_BIG16(value)  (value)
# define PH_BIG32(value)  (value)
# define PH_BIG64(value)  (value)
#endif

/* Every load and store goes through memcpy: no alignment is ever assumed, and the compiler turns
 * each into one instruction. */
PH_INLINE uint16_t ph_load_big16(const uint8_t *from)
{
    uint16_t raw;
    memcpy(&raw, from, sizeof raw);
    return PH_BIG16(raw);
}

PH_INLINE uint32_t ph_load_big32(const uint8_t *from)
{
    uint32_t raw;
    memcpy(&raw, from, sizeof raw);
    return PH_BIG32(raw);
}

PH_INLINE uint64_t ph_load_big64(const uint8_t *from)
{
    uint64_t raw;
    memcpy(&raw, from, sizeof raw);
    return PH_BIG64(raw);
}

/* In the machine's own byte order: for comparing and hashing only. */
PH_INLINE uint32_t ph_load_native32(const uint8_t *from)
{
    uint32_t raw;
    memcpy(&raw, from, sizeof raw);
    return raw;
}

PH_INLINE uint64_t ph_load_native64(const uint8_t *from)
{
    uint64_t raw;
    memcpy(&raw, from, sizeof raw);
    return raw;
}

PH_INLINE void ph_store_big16(uint8_t *to, uint16_t value)
{
    uint16_t raw = PH_BIG16(value);
    memcpy(to, &raw, sizeof raw);
}

PH_INLINE void ph_store_big32(uint8_t *to, uint32_t value)
{
    uint32_t raw = PH_BIG32(value);
    memcpy(to, &raw, sizeof raw);
}

PH_INLINE void ph_store_big64(uint8_t *to, uint64_t value)
{
    uint64_t raw = PH_BIG64(value);
    memcpy(to, &raw, sizeof raw);
}

PH_INLINE double ph_double_from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

PH_INLINE uint64_t ph_bits_from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

PH_INLINE float ph_float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

PH_INLINE uint32_t ph_bits_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define PH_COPY_SHORT_MAX 32

/* Copies up to PH_COPY_SHORT_MAX bytes without a call and without reading beyond them. Room for them at `to`. */
PH_INLINE void ph_copy_exact_short(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size >= 16) {
        uint8_t last[16];
        memcpy(last, from + size - 16, 16);
        memcpy(to, from, 16);
        memcpy(to + size - 16, last, 16);
    } else if (size >= 8) {
        uint64_t first = ph_load_native64(from);
        uint64_t last = ph_load_native64(from + size - 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
    } else if (size >= 4) {
        uint32_t first = ph_load_native32(from);
        uint32_t last = ph_load_native32(from + size - 4);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
    } else {
        for (size_t at = 0; at < size; at++) {
            to[at] = from[at];
        }
    }
}

/* Bytes between two positions of one buffer; end is never before position. */
PH_INLINE size_t ph_left(const uint8_t *position, const uint8_t *end)
{
    return (size_t)(end - position);
}

/* False when the result does not fit in size_t; *result is then unspecified. */
PH_INLINE bool ph_size_add(size_t a, size_t b, size_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

PH_INLINE bool ph_size_multiply(size_t a, size_t b, size_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

#endif
