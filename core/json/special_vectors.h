/* What a JSON string can not hold as it is, found in vectors: quotation marks, backslashes, control characters. */
#ifndef PH_JSON_SPECIAL_VECTORS_H
#define PH_JSON_SPECIAL_VECTORS_H

#include "text/processor.h"

#if defined(PH_HAS_AVX2_VARIANT)

# include <immintrin.h>

# define PH_AVX2 __attribute__((target("avx2")))

/* Exchanging the bits of 0x20 and 0x22 puts the quotation mark right above the control characters:
 * one comparison finds both. */
# define PH_QUOTE_BIT 0x02

/* As bytes of all bits. */
PH_AVX2 static inline __m256i specials_of_32(__m256i bytes)
{
    __m256i moved = _mm256_xor_si256(bytes, _mm256_set1_epi8(PH_QUOTE_BIT));
    __m256i below = _mm256_cmpeq_epi8(_mm256_min_epu8(moved, _mm256_set1_epi8(0x20)), moved);
    return _mm256_or_si256(below, _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')));
}

PH_AVX512 static inline __mmask64 specials_of_64(__m512i bytes)
{
    __m512i moved = _mm512_xor_si512(bytes, _mm512_set1_epi8(PH_QUOTE_BIT));
    return _mm512_cmple_epu8_mask(moved, _mm512_set1_epi8(0x20)) |
           _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\'));
}

#endif

#endif
