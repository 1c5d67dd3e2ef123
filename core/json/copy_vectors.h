/* Copying long text while looking for what JSON escapes, with AVX2 and AVX-512. */
#ifndef PH_JSON_COPY_VECTORS_H
#define PH_JSON_COPY_VECTORS_H

#include "text/processor.h"

#if defined(PH_HAS_AVX2_VARIANT)

# include <immintrin.h>

# define PH_AVX2 __attribute__((target("avx2")))

/* Exchanging the bits of 0x20 and 0x22 puts the quotation mark right above the control characters:
 * one comparison finds both. */
# define PH_QUOTE_BIT 0x02

/* Quotation marks, backslashes and control characters as bytes of all bits. */
PH_AVX2 static inline __m256i specials_of_32(__m256i bytes)
{
    __m256i moved = _mm256_xor_si256(bytes, _mm256_set1_epi8(PH_QUOTE_BIT));
    __m256i below = _mm256_cmpeq_epi8(_mm256_min_epu8(moved, _mm256_set1_epi8(0x20)), moved);
    return _mm256_or_si256(below, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
}

PH_AVX2 static inline __m256i copy_32(uint8_t *to, const uint8_t *from)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)to, bytes);
    return specials_of_32(bytes);
}

/* As ph_json_copy_clean, for 64 bytes and more; writes nothing behind `size`. The last step overlaps
 * the one before it. */
PH_AVX2 static size_t copy_clean_avx2(uint8_t *to, const uint8_t *text, size_t size)
{
    size_t last = size - 64;
    for (size_t at = 0;;) {
        __m256i first = copy_32(to + at, text + at);
        __m256i second = copy_32(to + at + 32, text + at + 32);
        if (PH_UNLIKELY(
                !_mm256_testz_si256(_mm256_or_si256(first, second), _mm256_set1_epi8(-1)))) {
            uint64_t specials = (uint32_t)_mm256_movemask_epi8(first) |
                                (uint64_t)(uint32_t)_mm256_movemask_epi8(second) << 32;
            return at + (unsigned)__builtin_ctzll(specials);
        }
        if (at == last) {
            return size;
        }
        at = last - at < 64 ? last : at + 64;
    }
}

PH_AVX512 static inline __mmask64 copy_64(uint8_t *to, const uint8_t *from)
{
    __m512i bytes = _mm512_loadu_si512(from);
    _mm512_storeu_si512(to, bytes);
    __m512i moved = _mm512_xor_si512(bytes, _mm512_set1_epi8(PH_QUOTE_BIT));
    return _mm512_cmple_epu8_mask(moved, _mm512_set1_epi8(0x20)) |
           _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
}

/* The same. */
PH_AVX512 static size_t copy_clean_avx512(uint8_t *to, const uint8_t *text, size_t size)
{
    size_t last = size - 64;
    for (size_t at = 0;;) {
        __mmask64 specials = copy_64(to + at, text + at);
        if (PH_UNLIKELY(specials != 0)) {
            return at + (unsigned)__builtin_ctzll(specials);
        }
        if (at == last) {
            return size;
        }
        at = last - at < 64 ? last : at + 64;
    }
}

#endif

#endif
