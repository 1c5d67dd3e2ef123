/* Transcoding several code points at a time with SSE 4.1. Decoded so are runs of three-byte sequences
 * (kana, kanji, hangul, Indic scripts), encoded is any mixture. The idea of packing through a table is that of
 * Lemire and Mula, "Transcoding billions of Unicode characters per second with SIMD" (2022). */
#ifndef PH_TEXT_TRANSCODE_VECTORS_H
#define PH_TEXT_TRANSCODE_VECTORS_H

#include "text/transcode.h"
#include "text/transcode_tables.h"
#include "text/utf8_variants.h"

#if defined(PH_HAS_AVX2_VARIANT)

# include <immintrin.h>

# define PH_SSE41 __attribute__((target("sse4.1,popcnt")))

/* Twelve bytes of `bytes` as four 32-bit lanes of one sequence each, lead byte highest. */
PH_SSE41 static inline __m128i lanes_of_three(__m128i bytes)
{
    const __m128i order = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
    return _mm_shuffle_epi8(bytes, order);
}

PH_SSE41 static inline __m128i code_points_of_lanes(__m128i lanes)
{
    __m128i top = _mm_and_si128(_mm_srli_epi32(lanes, 4), _mm_set1_epi32(0xF000));
    __m128i middle = _mm_and_si128(_mm_srli_epi32(lanes, 2), _mm_set1_epi32(0x0FC0));
    __m128i low = _mm_and_si128(lanes, _mm_set1_epi32(0x3F));
    return _mm_or_si128(_mm_or_si128(top, middle), low);
}

/* Decodes three-byte sequences from valid text, eight at a time, as long as eight follow each
 * other and 28 bytes and room for eight units are left. Returns how many units were written. */
PH_SSE41 static inline size_t decode_three_byte_run(uint16_t *to, size_t room, const uint8_t *text,
                                                    size_t size)
{
    const __m128i lead_mask = _mm_set1_epi32(0xF00000);
    const __m128i lead = _mm_set1_epi32(0xE00000);
    size_t done = 0;
    while (room - done >= 8 && size - 3 * done >= 28) {
        const uint8_t *from = text + 3 * done;
        __m128i first = lanes_of_three(_mm_loadu_si128((const __m128i *)(const void *)from));
        __m128i second =
            lanes_of_three(_mm_loadu_si128((const __m128i *)(const void *)(from + 12)));
        /* In valid text a lead byte in each third place makes the other two continuations. */
        __m128i are_leads = _mm_and_si128(_mm_cmpeq_epi32(_mm_and_si128(first, lead_mask), lead),
                                          _mm_cmpeq_epi32(_mm_and_si128(second, lead_mask), lead));
        if (_mm_movemask_epi8(are_leads) != 0xFFFF) {
            break;
        }
        __m128i units = _mm_packus_epi32(code_points_of_lanes(first), code_points_of_lanes(second));
        _mm_storeu_si128((__m128i *)(void *)(to + done), units);
        done += 8;
    }
    return done;
}

/* Four code points (in 32-bit lanes, at most U+10FFFF) as UTF-8: writes 16 bytes at `to`, of which
 * as many count as are returned. Each lane gets its bytes right-aligned, then the table packs them. */
PH_SSE41 static inline size_t encode_four_lanes(uint8_t *to, __m128i code_points)
{
    __m128i from_two = _mm_cmpgt_epi32(code_points, _mm_set1_epi32(0x7F));
    __m128i from_three = _mm_cmpgt_epi32(code_points, _mm_set1_epi32(0x7FF));
    __m128i from_four = _mm_cmpgt_epi32(code_points, _mm_set1_epi32(0xFFFF));
    __m128i last = _mm_andnot_si128(_mm_slli_epi32(from_two, 30), _mm_slli_epi32(code_points, 24));
    __m128i third = _mm_and_si128(_mm_slli_epi32(code_points, 10), _mm_set1_epi32(0x3F0000));
    __m128i second = _mm_and_si128(_mm_srli_epi32(code_points, 4), _mm_set1_epi32(0x3F00));
    __m128i first = _mm_srli_epi32(code_points, 18);
    __m128i bits = _mm_or_si128(_mm_or_si128(last, third), _mm_or_si128(second, first));
    /* The upper bits that mark lead and continuation bytes; each length changes those below it. */
    __m128i marks = _mm_and_si128(from_two, _mm_set1_epi32((int)0x80C00000));
    marks = _mm_xor_si128(marks, _mm_and_si128(from_three, _mm_set1_epi32(0x0040E000)));
    marks = _mm_xor_si128(marks, _mm_and_si128(from_four, _mm_set1_epi32(0x000060F0)));
    __m128i odd = _mm_xor_si128(_mm_xor_si128(from_two, from_three), from_four);
    unsigned low = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(odd));
    unsigned high = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(from_three));
    const void *order = ph_pack_lanes[low | high << 4];
    __m128i packed =
        _mm_shuffle_epi8(_mm_or_si128(bits, marks), _mm_loadu_si128((const __m128i *)order));
    _mm_storeu_si128((__m128i *)(void *)to, packed);
    return (size_t)(4 + _mm_popcnt_u32(low) + 2 * _mm_popcnt_u32(high));
}

/* Eight units in 16-bit lanes, each of which takes three bytes: 24 bytes, and 4 more are written. */
PH_SSE41 static inline void encode_eight_of_three(uint8_t *to, __m128i units)
{
    __m128i lead = _mm_or_si128(_mm_srli_epi16(units, 12), _mm_set1_epi16(0x00E0));
    __m128i middle = _mm_and_si128(_mm_srli_epi16(units, 6), _mm_set1_epi16(0x003F));
    __m128i last = _mm_and_si128(_mm_slli_epi16(units, 8), _mm_set1_epi16(0x3F00));
    __m128i rest = _mm_or_si128(_mm_or_si128(middle, last), _mm_set1_epi16((short)0x8080));
    const __m128i order = _mm_setr_epi8(0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, -1, -1, -1, -1);
    __m128i first = _mm_shuffle_epi8(_mm_unpacklo_epi16(lead, rest), order);
    __m128i second = _mm_shuffle_epi8(_mm_unpackhi_epi16(lead, rest), order);
    _mm_storeu_si128((__m128i *)(void *)to, first);
    _mm_storeu_si128((__m128i *)(void *)(to + 12), second);
}

/* Eight units in 16-bit lanes, at most 28 bytes written; NULL when a surrogate is among them. */
PH_SSE41 static inline uint8_t *encode_eight_units(uint8_t *to, __m128i units)
{
    if (_mm_testz_si128(units, _mm_set1_epi16((short)0xFF80))) {
        _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(units, units));
        return to + 8;
    }
    __m128i prefix = _mm_and_si128(units, _mm_set1_epi16((short)0xF800));
    __m128i surrogates = _mm_cmpeq_epi16(prefix, _mm_set1_epi16((short)0xD800));
    if (PH_UNLIKELY(!_mm_testz_si128(surrogates, surrogates))) {
        return NULL;
    }
    __m128i below_three = _mm_cmpeq_epi16(prefix, _mm_setzero_si128());
    if (_mm_testz_si128(below_three, below_three)) {
        encode_eight_of_three(to, units);
        return to + 24;
    }
    to += encode_four_lanes(to, _mm_cvtepu16_epi32(units));
    return to + encode_four_lanes(to, _mm_cvtepu16_epi32(_mm_srli_si128(units, 8)));
}

/* Encodes `count` >= 8 units, eight a step and at last what is left, until eight among which a
 * surrogate is. */
PH_SSE41 static inline ph_encoded encode_ucs2_run(uint8_t *to, const uint16_t *units, size_t count)
{
    size_t done = 0;
    for (; count - done >= 8; done += 8) {
        const void *from = units + done;
        uint8_t *after = encode_eight_units(to, _mm_loadu_si128((const __m128i *)from));
        if (PH_UNLIKELY(after == NULL)) {
            break;
        }
        to = after;
    }
    if (done != count && count - done < 8) {
        /* The last eight units, those done already moved out: zeros follow, a byte each. */
        static const int8_t moves[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                         11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1,
                                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
        size_t again = 8 - (count - done);
        const void *from = units + count - 8, *move = moves + 2 * again;
        __m128i left = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)from),
                                        _mm_loadu_si128((const __m128i *)move));
        uint8_t *after = encode_eight_units(to, left);
        if (PH_LIKELY(after != NULL)) {
            to = after - again;
            done = count;
        }
    }
    ph_encoded encoded = {to, done};
    return encoded;
}

/* As above for four-byte units, four a step; stops before units that are no code point. */
PH_SSE41 static inline ph_encoded encode_ucs4_run(uint8_t *to, const uint32_t *units, size_t count)
{
    const __m128i prefix = _mm_set1_epi32((int)0xFFFFF800);
    size_t done = 0;
    while (count - done >= 4) {
        __m128i four = _mm_loadu_si128((const __m128i *)(const void *)(units + done));
        if (_mm_testz_si128(four, _mm_set1_epi32((int)0xFFFFFF80))) {
            __m128i narrow = _mm_packus_epi32(four, four);
            narrow = _mm_packus_epi16(narrow, narrow);
            _mm_storeu_si128((__m128i *)(void *)to, narrow);
            to += 4;
            done += 4;
            continue;
        }
        __m128i surrogates = _mm_cmpeq_epi32(_mm_and_si128(four, prefix), _mm_set1_epi32(0xD800));
        __m128i too_large =
            _mm_or_si128(_mm_cmpgt_epi32(four, _mm_set1_epi32(0x10FFFF)), _mm_srai_epi32(four, 31));
        __m128i refused = _mm_or_si128(surrogates, too_large);
        if (!_mm_testz_si128(refused, refused)) {
            break;
        }
        to += encode_four_lanes(to, four);
        done += 4;
    }
    ph_encoded encoded = {to, done};
    return encoded;
}

#endif

#endif
