/* Encoding UTF-8 with AVX-512: up to 16 code points, or 32 of Latin-1, a step. Each stands in a lane as
 * wide as its longest form; one instruction packs the bytes that count. Lanes behind the end are
 * masked, so that short texts need no loop of their own and nothing outside the text is read. */
#ifndef PH_TEXT_TRANSCODE_AVX512_H
#define PH_TEXT_TRANSCODE_AVX512_H

#include "text/transcode.h"

#if defined(PH_HAS_AVX512_VARIANT)

# include <immintrin.h>

/* Writes 64 bytes at `to`, of which those marked in `which` count, moved together; returns the
 * position after them. */
PH_AVX512 static inline uint8_t *put_packed_bytes(uint8_t *to, __m512i bytes, __mmask64 which)
{
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(which, bytes));
    return to + _mm_popcnt_u64(which);
}

/* The code points (up to U+10FFFF) of the lanes in `which` as UTF-8. `two_bytes`: all of them are
 * below U+10000. */
PH_AVX512 static inline uint8_t *put_code_points(uint8_t *to, __m512i code_points, __mmask16 which,
                                                 bool two_bytes)
{
    __mmask16 from_two = _mm512_mask_cmpgt_epu32_mask(which, code_points, _mm512_set1_epi32(0x7F));
    __mmask16 from_three =
        _mm512_mask_cmpgt_epu32_mask(which, code_points, _mm512_set1_epi32(0x7FF));
    /* The fields of six bits, the last one in the highest byte of each lane. */
    __m512i offsets = _mm512_set1_epi64(0x20262C3200060C12);
    __m512i fields = _mm512_multishift_epi64_epi8(offsets, code_points);
    __m512i marks = _mm512_set1_epi32((int)0x80C00000);
    __m512i lengths = _mm512_maskz_set1_epi32(which, (int)0xFF000000);
    marks = _mm512_mask_mov_epi32(marks, from_three, _mm512_set1_epi32((int)0x8080E000));
    lengths = _mm512_mask_mov_epi32(lengths, from_two, _mm512_set1_epi32((int)0xFFFF0000));
    lengths = _mm512_mask_mov_epi32(lengths, from_three, _mm512_set1_epi32((int)0xFFFFFF00));
    if (!two_bytes) {
        __mmask16 four =
            _mm512_mask_cmpgt_epu32_mask(which, code_points, _mm512_set1_epi32(0xFFFF));
        marks = _mm512_mask_mov_epi32(marks, four, _mm512_set1_epi32((int)0x808080F0));
        lengths = _mm512_mask_mov_epi32(lengths, four, _mm512_set1_epi32(-1));
    }
    /* (fields & ...) | marks, where it is not ASCII. */
    __m512i bytes = _mm512_mask_ternarylogic_epi32(fields, from_two, _mm512_set1_epi32(0x3F3F3F07),
                                                   marks, 0xEA);
    return put_packed_bytes(to, bytes, _mm512_movepi8_mask(lengths));
}

/* The lowest `count` lanes, at most 32. */
PH_AVX512 static inline __mmask32 first_lanes(size_t count)
{
    return (__mmask32)_bzhi_u64(UINT32_MAX, (unsigned)count);
}

/* The three below encode until a unit that can not be encoded or, if `plain_only`, one that JSON
 * escapes: quotation mark, backslash, control characters. Up to 64 bytes
 * behind the end are written. */

PH_AVX512 static inline ph_encoded encode_latin1_avx512(uint8_t *to, const uint8_t *units,
                                                        size_t count, bool plain_only)
{
    size_t done = 0;
    while (done < count) {
        size_t step = count - done < 32 ? count - done : 32;
        __mmask32 which = first_lanes(step);
        __m256i narrow = _mm256_maskz_loadu_epi8(which, units + done);
        if (plain_only) {
            __mmask32 stops = _mm256_mask_cmplt_epu8_mask(which, narrow, _mm256_set1_epi8(0x20)) |
                              _mm256_cmpeq_epi8_mask(narrow, _mm256_set1_epi8('"')) |
                              _mm256_cmpeq_epi8_mask(narrow, _mm256_set1_epi8('\\'));
            if (PH_UNLIKELY(stops != 0)) {
                step = (size_t)__builtin_ctz(stops);
                count = done + step;
                which = first_lanes(step);
            }
        }
        __m512i wide = _mm512_cvtepu8_epi16(narrow);
        __mmask32 not_ascii = _mm256_movepi8_mask(narrow) & which;
        /* The lead byte, C2 or C3, and behind it the unit without its sixth bit. */
        __m512i last = _mm512_slli_epi16(wide, 8);
        __m512i both = _mm512_ternarylogic_epi32(last, _mm512_set1_epi16((short)0xBF00),
                                                 _mm512_srli_epi16(wide, 6), 0xEA);
        both = _mm512_or_si512(both, _mm512_set1_epi16(0x00C0));
        __m512i bytes = _mm512_mask_mov_epi16(last, not_ascii, both);
        __m512i lengths = _mm512_maskz_set1_epi16(which, (short)0xFF00);
        lengths = _mm512_mask_mov_epi16(lengths, not_ascii, _mm512_set1_epi16(-1));
        to = put_packed_bytes(to, bytes, _mm512_movepi8_mask(lengths));
        done += step;
    }
    ph_encoded encoded = {to, done};
    return encoded;
}

PH_AVX512 static inline ph_encoded encode_ucs2_avx512(uint8_t *to, const uint16_t *units,
                                                      size_t count, bool plain_only)
{
    size_t done = 0;
    while (done < count) {
        size_t step = count - done < 16 ? count - done : 16;
        __mmask16 which = (__mmask16)first_lanes(step);
        __m256i narrow = _mm256_maskz_loadu_epi16(which, units + done);
        __m256i prefix = _mm256_and_si256(narrow, _mm256_set1_epi16((short)0xF800));
        __mmask16 stops = _mm256_cmpeq_epi16_mask(prefix, _mm256_set1_epi16((short)0xD800));
        if (plain_only) {
            stops |= _mm256_mask_cmplt_epu16_mask(which, narrow, _mm256_set1_epi16(0x20)) |
                     _mm256_cmpeq_epi16_mask(narrow, _mm256_set1_epi16('"')) |
                     _mm256_cmpeq_epi16_mask(narrow, _mm256_set1_epi16('\\'));
        }
        if (PH_UNLIKELY(stops != 0)) {
            step = (size_t)__builtin_ctz(stops);
            count = done + step;
            which = (__mmask16)first_lanes(step);
        }
        to = put_code_points(to, _mm512_cvtepu16_epi32(narrow), which, true);
        done += step;
    }
    ph_encoded encoded = {to, done};
    return encoded;
}

PH_AVX512 static inline ph_encoded encode_ucs4_avx512(uint8_t *to, const uint32_t *units,
                                                      size_t count, bool plain_only)
{
    size_t done = 0;
    while (done < count) {
        size_t step = count - done < 16 ? count - done : 16;
        __mmask16 which = (__mmask16)first_lanes(step);
        __m512i wide = _mm512_maskz_loadu_epi32(which, units + done);
        __m512i prefix = _mm512_and_si512(wide, _mm512_set1_epi32((int)0xFFFFF800));
        __mmask16 stops = _mm512_cmpeq_epi32_mask(prefix, _mm512_set1_epi32(0xD800)) |
                          _mm512_cmpgt_epu32_mask(wide, _mm512_set1_epi32(0x10FFFF));
        if (plain_only) {
            stops |= _mm512_mask_cmplt_epu32_mask(which, wide, _mm512_set1_epi32(0x20)) |
                     _mm512_cmpeq_epi32_mask(wide, _mm512_set1_epi32('"')) |
                     _mm512_cmpeq_epi32_mask(wide, _mm512_set1_epi32('\\'));
        }
        if (PH_UNLIKELY(stops != 0)) {
            step = (size_t)__builtin_ctz(stops);
            count = done + step;
            which = (__mmask16)first_lanes(step);
        }
        to = put_code_points(to, wide, which, false);
        done += step;
    }
    ph_encoded encoded = {to, done};
    return encoded;
}

#endif

#endif
