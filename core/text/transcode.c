/* The loops that decode and encode. ASCII goes eight units at a time, the rest one sequence at a time;
 * where the processor allows transcode_vectors.h takes over. */
#include "text/transcode.h"

#include "text/transcode_avx512.h"
#include "text/transcode_vectors.h"

/* The code point at `at` in valid text; *length gets its bytes. */
PH_INLINE uint32_t decode_sequence(const uint8_t *at, size_t *length)
{
    uint32_t lead = at[0];
    if (lead < 0x80) {
        *length = 1;
        return lead;
    }
    if (lead < 0xE0) {
        *length = 2;
        return (lead & 0x1F) << 6 | (at[1] & 0x3Fu);
    }
    if (lead < 0xF0) {
        *length = 3;
        return (lead & 0x0F) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    }
    *length = 4;
    return (lead & 0x07) << 18 | (at[1] & 0x3Fu) << 12 | (at[2] & 0x3Fu) << 6 | (at[3] & 0x3Fu);
}

/* True when eight ASCII bytes stand at `at`. */
PH_INLINE bool eight_are_ascii(const uint8_t *at, const uint8_t *end)
{
    return ph_left(at, end) >= 8 && (ph_load_native64(at) & PH_HIGH_BITS) == 0;
}

/* In Latin-1 a lead byte is C2 or C3, and its continuation is the code point, less 0x40 after C3. */
PH_INLINE uint8_t join_latin1(uint8_t lead, uint8_t continuation)
{
    return (uint8_t)(continuation | (lead & 1) << 6);
}

void ph_utf8_decode_latin1(uint8_t *to, size_t code_points, const uint8_t *text, size_t size)
{
    const uint8_t *at = text;
    const uint8_t *end = text + size;
    const uint8_t *to_end = to + code_points;
    while (ph_left(at, end) >= 17 && to_end - to >= 16) {
        uint64_t word = ph_load_native64(at);
        memcpy(to, &word, 8);
        if ((word & PH_HIGH_BITS) == 0) {
            at += 8;
            to += 8;
            continue;
        }
        /* What follows a lead byte moves up by one: eight bytes are copied once more for each. */
        const uint8_t *word_end = at + 8;
        while (at < word_end) {
            if (*at < 0x80) {
                at++;
                to++;
                continue;
            }
            uint8_t joined = join_latin1(at[0], at[1]);
            memcpy(to + 1, at + 2, 8);
            *to++ = joined;
            at += 2;
        }
    }
    while (to < to_end) {
        if (*at < 0x80) {
            *to++ = *at++;
        } else {
            *to++ = join_latin1(at[0], at[1]);
            at += 2;
        }
    }
}

void ph_utf8_decode_ucs2(uint16_t *to, size_t code_points, const uint8_t *text, size_t size)
{
    const uint8_t *at = text;
    const uint8_t *end = text + size;
    const uint16_t *to_end = to + code_points;
#if defined(PH_HAS_AVX2_VARIANT)
    bool has_vectors = size >= 28 && ph_cpu_has_avx2();
#endif
    while (to < to_end) {
        if (*at < 0x80) {
            while (eight_are_ascii(at, end)) {
                for (size_t i = 0; i < 8; i++) {
                    to[i] = at[i];
                }
                at += 8;
                to += 8;
            }
            while (to < to_end && *at < 0x80) {
                *to++ = *at++;
            }
            continue;
        }
#if defined(PH_HAS_AVX2_VARIANT)
        if (has_vectors && *at >= 0xE0) {
            size_t done = decode_three_byte_run(to, (size_t)(to_end - to), at, ph_left(at, end));
            if (done != 0) {
                at += 3 * done;
                to += done;
                continue;
            }
        }
#endif
        do {
            size_t length;
            *to++ = (uint16_t)decode_sequence(at, &length);
            at += length;
        } while (to < to_end && *at >= 0x80);
    }
}

void ph_utf8_decode_ucs4(uint32_t *to, size_t code_points, const uint8_t *text, size_t size)
{
    const uint8_t *at = text;
    const uint8_t *end = text + size;
    const uint32_t *to_end = to + code_points;
    while (to < to_end) {
        if (eight_are_ascii(at, end)) {
            for (size_t i = 0; i < 8; i++) {
                to[i] = at[i];
            }
            at += 8;
            to += 8;
            continue;
        }
        size_t length;
        *to++ = decode_sequence(at, &length);
        at += length;
    }
}

ph_encoded ph_utf8_encode_latin1(uint8_t *to, const uint8_t *units, size_t count)
{
#if defined(PH_HAS_AVX512_VARIANT)
    if (PH_LIKELY(ph_cpu_has_avx512())) {
        return encode_latin1_avx512(to, units, count, false);
    }
#endif
    return ph_utf8_encode_latin1_portable(to, units, count);
}

ph_encoded ph_utf8_encode_ucs2(uint8_t *to, const uint16_t *units, size_t count)
{
#if defined(PH_HAS_AVX512_VARIANT)
    if (PH_LIKELY(ph_cpu_has_avx512())) {
        return encode_ucs2_avx512(to, units, count, false);
    }
#endif
#if defined(PH_HAS_AVX2_VARIANT)
    if (count >= 8 && ph_cpu_has_avx2()) {
        return ph_utf8_encode_ucs2_sse41(to, units, count);
    }
#endif
    return ph_utf8_encode_ucs2_portable(to, units, count);
}

ph_encoded ph_utf8_encode_ucs4(uint8_t *to, const uint32_t *units, size_t count)
{
#if defined(PH_HAS_AVX512_VARIANT)
    if (PH_LIKELY(ph_cpu_has_avx512())) {
        return encode_ucs4_avx512(to, units, count, false);
    }
#endif
#if defined(PH_HAS_AVX2_VARIANT)
    if (count >= 4 && ph_cpu_has_avx2()) {
        return ph_utf8_encode_ucs4_sse41(to, units, count);
    }
#endif
    return ph_utf8_encode_ucs4_portable(to, units, count);
}

ph_encoded ph_utf8_encode_latin1_portable(uint8_t *to, const uint8_t *units, size_t count)
{
    const uint8_t *end = units + count;
    while (units < end) {
        if (eight_are_ascii(units, end)) {
            memcpy(to, units, 8);
            units += 8;
            to += 8;
            continue;
        }
        size_t step = ph_left(units, end) < 8 ? ph_left(units, end) : 8;
        for (size_t i = 0; i < step; i++) {
            uint8_t unit = units[i];
            bool is_ascii = unit < 0x80;
            to[0] = is_ascii ? unit : (uint8_t)(0xC0 | unit >> 6);
            to[1] = (uint8_t)(0x80 | (unit & 0x3F)); /* overwritten after ASCII */
            to += is_ascii ? 1 : 2;
        }
        units += step;
    }
    ph_encoded encoded = {to, count};
    return encoded;
}

ph_encoded ph_utf8_encode_ucs2_portable(uint8_t *to, const uint16_t *units, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        uint32_t unit = units[at];
        if (PH_UNLIKELY((unit & 0xF800) == 0xD800)) {
            count = at;
            break;
        }
        to = ph_utf8_put(to, unit);
    }
    ph_encoded encoded = {to, count};
    return encoded;
}

ph_encoded ph_utf8_encode_ucs4_portable(uint8_t *to, const uint32_t *units, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        uint32_t unit = units[at];
        if (PH_UNLIKELY((unit & 0xFFFFF800) == 0xD800 || unit > 0x10FFFF)) {
            count = at;
            break;
        }
        to = ph_utf8_put(to, unit);
    }
    ph_encoded encoded = {to, count};
    return encoded;
}

#if defined(PH_HAS_AVX2_VARIANT)

ph_encoded ph_utf8_encode_ucs2_sse41(uint8_t *to, const uint16_t *units, size_t count)
{
    ph_encoded run = encode_ucs2_run(to, units, count);
    ph_encoded rest = ph_utf8_encode_ucs2_portable(run.end, units + run.units, count - run.units);
    rest.units += run.units;
    return rest;
}

ph_encoded ph_utf8_encode_ucs4_sse41(uint8_t *to, const uint32_t *units, size_t count)
{
    ph_encoded run = encode_ucs4_run(to, units, count);
    ph_encoded rest = ph_utf8_encode_ucs4_portable(run.end, units + run.units, count - run.units);
    rest.units += run.units;
    return rest;
}

#endif
