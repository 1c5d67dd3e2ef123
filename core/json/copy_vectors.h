/* Copying long text while looking for what JSON escapes, with AVX2 and AVX-512. */
#ifndef PH_JSON_COPY_VECTORS_H
#define PH_JSON_COPY_VECTORS_H

#include "json/special_vectors.h"

#if defined(PH_HAS_AVX2_VARIANT)

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
    return specials_of_64(bytes);
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
