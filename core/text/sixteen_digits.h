/* Sixteen decimal digits at once, for printing doubles. With SSE2 they are one vector, elsewhere two
 * words. */
#ifndef PH_TEXT_SIXTEEN_DIGITS_H
#define PH_TEXT_SIXTEEN_DIGITS_H

#include "text/integer_text.h"

#if defined(__SSE2__)

# include <emmintrin.h>

/* Digits (0 to 9, not characters), the first in the lowest byte. */
typedef __m128i ph_sixteen_digits;

/* The constants of the function below, and how they are read: from memory. Compilers would make each
 * anew in three instructions, and replace multiplications by more than they save. */
typedef struct ph_digit_constants {
    uint64_t to_fours[2];
    uint64_t fours[2];
    uint16_t to_hundreds[8];
    uint16_t hundreds[8];
    uint16_t to_tens[8];
    uint16_t tens[8];
} ph_digit_constants;

PH_INLINE __m128i ph_load_lanes(const void *lanes)
{
    return _mm_load_si128((const __m128i *)lanes);
}

# define PH_EACH_LANE(value)                              \
  {                                                       \
   value, value, value, value, value, value, value, value \
  }

/* The sixteen digits of a number below 10^16, zeros in front. */
PH_INLINE ph_sixteen_digits ph_split_sixteen_digits(uint64_t number)
{
    static const _Alignas(16) ph_digit_constants known = {
        {3518437209, 3518437209}, {10000, 10000},     PH_EACH_LANE(5243),
        PH_EACH_LANE(100),        PH_EACH_LANE(6554), PH_EACH_LANE(2559)};
    const ph_digit_constants *constants = &known;
    __asm__("" : "+r"(constants));
    /* Its first eight digits in the lower half of a word, the others in the upper half. */
    uint64_t word =
        (number << 32) - number / PH_EIGHT_DIGITS * (((uint64_t)PH_EIGHT_DIGITS << 32) - 1);
    __m128i halves = _mm_unpacklo_epi32(_mm_cvtsi64_si128((long long)word), _mm_setzero_si128());
    /* Each step divides all lanes by multiplying with a rounded reciprocal, exact for the range, and
     * puts quotient and remainder side by side in lanes half as wide. */
    __m128i fours = _mm_srli_epi64(_mm_mul_epu32(halves, ph_load_lanes(constants->to_fours)), 45);
    __m128i rest = _mm_sub_epi32(halves, _mm_mul_epu32(fours, ph_load_lanes(constants->fours)));
    fours = _mm_or_si128(fours, _mm_slli_epi64(rest, 32));
    __m128i hundreds =
        _mm_srli_epi16(_mm_mulhi_epu16(fours, ph_load_lanes(constants->to_hundreds)), 3);
    rest = _mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, ph_load_lanes(constants->hundreds)));
    __m128i pairs = _mm_or_si128(hundreds, _mm_slli_epi32(rest, 16));
    __m128i tens = _mm_mulhi_epu16(pairs, ph_load_lanes(constants->to_tens));
    /* tens + 256 * (pairs - 10 * tens) */
    return _mm_sub_epi16(_mm_slli_epi16(pairs, 8),
                         _mm_mullo_epi16(tens, ph_load_lanes(constants->tens)));
}

/* How many digits there are up to the last that is not zero; they are not all zero. */
PH_INLINE int32_t ph_sixteen_significant(ph_sixteen_digits digits)
{
    unsigned others = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(digits, _mm_setzero_si128()));
    return 32 - __builtin_clz(others);
}

/* Writes sixteen characters. */
PH_INLINE void ph_store_sixteen(uint8_t *to, ph_sixteen_digits digits)
{
    __m128i text = _mm_or_si128(digits, _mm_set1_epi8('0'));
    _mm_storeu_si128((__m128i *)(void *)to, text);
}

/* Writes seventeen characters: a point stands after the first `before` digits (1 to 15). */
PH_INLINE void ph_store_sixteen_with_point(uint8_t *to, ph_sixteen_digits digits, unsigned before)
{
    static const uint8_t keep[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255};
    __m128i text = _mm_or_si128(digits, _mm_set1_epi8('0'));
    __m128i mask = _mm_loadu_si128((const __m128i *)(const void *)(keep + 16 - before));
    __m128i moved = _mm_slli_si128(text, 1);
    __m128i joined = _mm_or_si128(_mm_and_si128(mask, text), _mm_andnot_si128(mask, moved));
    _mm_storeu_si128((__m128i *)(void *)(to + 1), text); /* for its last character */
    _mm_storeu_si128((__m128i *)(void *)to, joined);
    to[before] = '.';
}

#else

/* Digits (0 to 9, not characters), the first in the lowest byte of `front`. */
typedef struct ph_sixteen_digits {
    uint64_t front;
    uint64_t back;
} ph_sixteen_digits;

/* The sixteen digits of a number below 10^16, zeros in front. */
PH_INLINE ph_sixteen_digits ph_split_sixteen_digits(uint64_t number)
{
    uint32_t front = (uint32_t)(number / PH_EIGHT_DIGITS);
    uint32_t back = (uint32_t)(number % PH_EIGHT_DIGITS);
    ph_sixteen_digits digits = {ph_split_eight_digits(front), ph_split_eight_digits(back)};
    return digits;
}

/* How many digits there are up to the last that is not zero; they are not all zero. */
PH_INLINE int32_t ph_sixteen_significant(ph_sixteen_digits digits)
{
    return digits.back != 0 ? 16 - __builtin_clzll(digits.back) / 8
                            : 8 - __builtin_clzll(digits.front) / 8;
}

/* Writes sixteen characters. */
PH_INLINE void ph_store_sixteen(uint8_t *to, ph_sixteen_digits digits)
{
    ph_text_store_word(to, digits.front + PH_ASCII_ZEROS);
    ph_text_store_word(to + 8, digits.back + PH_ASCII_ZEROS);
}

/* Writes seventeen characters: a point stands after the first `before` digits (1 to 15). */
PH_INLINE void ph_store_sixteen_with_point(uint8_t *to, ph_sixteen_digits digits, unsigned before)
{
    uint8_t text[16];
    ph_store_sixteen(text, digits);
    for (unsigned i = 0; i < 16; i++) {
        to[i + (i >= before)] = text[i];
    }
    to[before] = '.';
}

#endif

#endif
