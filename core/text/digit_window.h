/* Digits of a text many at a time: where they end within sixty-four bytes, and up to nineteen joined.
 * With SSE2 in vectors, elsewhere in words; both read the same bytes and give the same results. */
#ifndef PH_TEXT_DIGIT_WINDOW_H
#define PH_TEXT_DIGIT_WINDOW_H

#include "text/integer_text.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

/* Bit n stands for byte n of the window. */
#define PH_DIGIT_WINDOW_BYTES 64u
typedef struct ph_digit_window {
    uint64_t others;  /* neither a digit nor a minus sign */
    uint64_t minuses; /* a minus sign */
} ph_digit_window;

#if defined(__SSE2__)

PH_INLINE ph_digit_window ph_digit_window_load(const uint8_t *from)
{
    ph_digit_window window = {0, 0};
    for (unsigned at = 0; at < PH_DIGIT_WINDOW_BYTES; at += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(from + at));
        /* Digits become the ten smallest signed numbers. */
        __m128i moved = _mm_sub_epi8(block, _mm_set1_epi8((char)('0' + 128)));
        __m128i not_digits = _mm_cmpgt_epi8(moved, _mm_set1_epi8(9 - 128));
        __m128i minuses = _mm_cmpeq_epi8(block, _mm_set1_epi8('-'));
        window.others |= (uint64_t)(unsigned)_mm_movemask_epi8(not_digits) << at;
        window.minuses |= (uint64_t)(unsigned)_mm_movemask_epi8(minuses) << at;
    }
    window.others ^= window.minuses;
    return window;
}

/* The number that the last `count` (at most sixteen) of the sixteen digits before `end` make. */
PH_INLINE uint64_t ph_join_last_digits(const uint8_t *end, size_t count)
{
    static const uint8_t keep[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                     0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    __m128i digits = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)(end - 16)),
                                  _mm_set1_epi8('0'));
    digits = _mm_and_si128(digits, _mm_loadu_si128((const __m128i *)(const void *)(keep + count)));
    __m128i pairs = _mm_srli_epi16(_mm_mullo_epi16(digits, _mm_set1_epi16(1 + (10 << 8))), 8);
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
    fours = _mm_packs_epi32(fours, fours);
    __m128i eights = _mm_madd_epi16(fours, _mm_set1_epi32(10000 | 1 << 16));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return (both & UINT32_MAX) * PH_EIGHT_DIGITS + (both >> 32);
}

#else

PH_INLINE ph_digit_window ph_digit_window_load(const uint8_t *from)
{
    ph_digit_window window = {0, 0};
    const uint64_t low_bits = 0x7F7F7F7F7F7F7F7Fu;
    for (unsigned at = 0; at < PH_DIGIT_WINDOW_BYTES; at += 8) {
        uint64_t digits = ph_text_load_word(from + at) ^ PH_ASCII_ZEROS;
        uint64_t not_digits = ((digits & low_bits) + 0x7676767676767676u) | digits;
        uint64_t difference = digits ^ 0x1D1D1D1D1D1D1D1Du; /* '-' ^ '0' */
        uint64_t minuses = ~(((difference & low_bits) + low_bits) | difference);
        window.others |= ph_gather_high_bits(not_digits & ~minuses) << at;
        window.minuses |= ph_gather_high_bits(minuses) << at;
    }
    return window;
}

/* The number that the last `count` (at most sixteen) of the sixteen digits before `end` make. */
PH_INLINE uint64_t ph_join_last_digits(const uint8_t *end, size_t count)
{
    uint64_t front = ph_text_load_word(end - 16) ^ PH_ASCII_ZEROS;
    uint64_t back = ph_text_load_word(end - 8) ^ PH_ASCII_ZEROS;
    unsigned left_out = 8 * (unsigned)(16 - count);
    if (left_out >= 64) {
        front = 0;
        back = left_out == 128 ? 0 : back >> (left_out - 64) << (left_out - 64);
    } else {
        front = front >> left_out << left_out;
    }
    return (uint64_t)ph_join_eight_digits(front) * PH_EIGHT_DIGITS + ph_join_eight_digits(back);
}

#endif

/* The number that `count` digits at `at` make, one to eight of them; eight bytes are read. */
PH_INLINE uint64_t ph_join_short_digits(const uint8_t *at, size_t count)
{
    return ph_join_eight_digits((ph_text_load_word(at) ^ PH_ASCII_ZEROS) << (64 - 8 * count));
}

/* The number that the digits from `at` to `end` make, one to nineteen of them. How many there are is
 * not asked by a branch, which would often be mispredicted. Four bytes from `at` on are read, and the
 * sixteen before `end`. */
PH_INLINE uint64_t ph_join_digits(const uint8_t *at, const uint8_t *end)
{
    size_t count = (size_t)(end - at);
    size_t back = count < 16 ? count : 16;
    uint64_t front = (ph_text_load_half_word(at) ^ 0x30303030u) << (32 - 8 * (count - back));
    front = ((front & UINT32_MAX) * (1 + (10u << 8)) >> 8) & 0x00FF00FFu;
    front = (front * (1 + (100u << 16)) >> 16) & 0xFFFF;
    return front * PH_SIXTEEN_DIGITS + ph_join_last_digits(end, back);
}

/* The same for one to eighteen digits. */
PH_INLINE uint64_t ph_join_eighteen_digits(const uint8_t *at, const uint8_t *end)
{
    size_t count = (size_t)(end - at);
    size_t back = count < 16 ? count : 16;
    uint32_t front = (uint32_t)((at[0] | at[1] << 8) ^ 0x3030) << (16 - 8 * (count - back));
    front = ((front & 0xFFFF) * (1 + (10u << 8)) >> 8) & 0xFF;
    return front * PH_SIXTEEN_DIGITS + ph_join_last_digits(end, back);
}

#endif
