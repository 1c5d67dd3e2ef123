/* Measuring UTF-8 with AVX2 and NEON. The method is that of Keiser and Lemire, "Validating UTF-8 in
 * less than one instruction per byte" (2021): each byte is judged with the one before it by three 16-entry tables indexed by four bits each; a
 * bit that survives in all three is an error. Third and fourth bytes are judged by looking two and
 * three bytes back. Looking back is done by loading again from one to three bytes earlier, so that
 * the last vector may overlap the one before it and no partial vector is ever loaded. */
#include "text/utf8_variants.h"

#if defined(PH_HAS_AVX2_VARIANT) || defined(PH_HAS_NEON_VARIANT)

/* Error bits. TWO_CONTINUATIONS is no error in a third or fourth byte, where it is expected. */
# define TOO_SHORT         0x01 /* a lead byte without its continuation */
# define TOO_LONG          0x02 /* a continuation after ASCII */
# define OVERLONG_3        0x04
# define TOO_LARGE         0x08 /* above U+10FFFF */
# define SURROGATE         0x10
# define OVERLONG_2        0x20
# define OVERLONG_4        0x40
# define TOO_LARGE_1000    0x40 /* F5 and up; never meets OVERLONG_4 in the low table */
# define TWO_CONTINUATIONS 0x80
# define ANY_LOW           (TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS)
# define LARGE_LOW         (ANY_LOW | TOO_LARGE | TOO_LARGE_1000)
# define SECOND_LOW        (TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS)

/* By the upper half of the earlier byte. */
static const uint8_t earlier_high[16] = {
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
};

/* By the lower half of the earlier byte. */
static const uint8_t earlier_low[16] = {
    ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    ANY_LOW | OVERLONG_2,
    ANY_LOW,
    ANY_LOW,
    ANY_LOW | TOO_LARGE,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW,
    LARGE_LOW | SURROGATE,
    LARGE_LOW,
    LARGE_LOW,
};

/* By the upper half of the byte itself. */
static const uint8_t byte_high[16] = {
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    SECOND_LOW | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4,
    SECOND_LOW | OVERLONG_3 | TOO_LARGE,
    SECOND_LOW | SURROGATE | TOO_LARGE,
    SECOND_LOW | SURROGATE | TOO_LARGE,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
};

/* A lead byte so near the end that its sequence is cut off. */
static bool is_cut_off(const uint8_t *text, size_t size)
{
    return text[size - 1] >= 0xC0 || text[size - 2] >= 0xE0 || text[size - 3] >= 0xF0;
}

static ph_text_width width_of_highest(uint8_t highest)
{
    if (highest < 0xC0) {
        return PH_WIDTH_ASCII; /* in valid text there is then no byte above 0x7F */
    }
    if (highest < 0xC4) {
        return PH_WIDTH_LATIN1;
    }
    return highest < 0xF0 ? PH_WIDTH_UCS2 : PH_WIDTH_UCS4;
}

#endif

#if defined(PH_HAS_AVX2_VARIANT)

# include <immintrin.h>

# define PH_AVX2 __attribute__((target("avx2,popcnt")))

PH_AVX2 static inline __m256i load_32(const uint8_t *from)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

PH_AVX2 static inline __m256i table_32(const uint8_t *table)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

/* Non-zero bytes mark errors; `one`, `two`, `three` hold what stands that many bytes earlier. */
PH_AVX2 static inline __m256i errors_32(__m256i bytes, __m256i one, __m256i two, __m256i three)
{
    const __m256i low_half = _mm256_set1_epi8(0x0F);
    __m256i pairs = _mm256_shuffle_epi8(table_32(earlier_high),
                                        _mm256_and_si256(_mm256_srli_epi16(one, 4), low_half));
    pairs = _mm256_and_si256(
        pairs, _mm256_shuffle_epi8(table_32(earlier_low), _mm256_and_si256(one, low_half)));
    pairs = _mm256_and_si256(
        pairs, _mm256_shuffle_epi8(table_32(byte_high),
                                   _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low_half)));
    __m256i third = _mm256_subs_epu8(two, _mm256_set1_epi8(0xE0 - 0x80));
    __m256i fourth = _mm256_subs_epu8(three, _mm256_set1_epi8((char)(0xF0 - 0x80)));
    __m256i expected =
        _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(pairs, expected);
}

/* One bit for each byte that begins a code point. */
PH_AVX2 static inline uint32_t begins_32(__m256i bytes)
{
    __m256i begins = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8((char)0xBF));
    return (uint32_t)_mm256_movemask_epi8(begins);
}

PH_AVX2 static inline uint8_t highest_of_32(__m256i bytes)
{
    __m128i highest =
        _mm_max_epu8(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
    highest = _mm_max_epu8(highest, _mm_srli_si128(highest, 8));
    highest = _mm_max_epu8(highest, _mm_srli_si128(highest, 4));
    highest = _mm_max_epu8(highest, _mm_srli_si128(highest, 2));
    highest = _mm_max_epu8(highest, _mm_srli_si128(highest, 1));
    return (uint8_t)_mm_extract_epi8(highest, 0);
}

PH_AVX2 ph_text_facts ph_utf8_measure_avx2(const uint8_t *text, size_t size)
{
    __m256i bytes = load_32(text);
    __m256i before = _mm256_permute2x128_si256(bytes, bytes, 0x08); /* zero, then the lower half */
    __m256i errors =
        errors_32(bytes, _mm256_alignr_epi8(bytes, before, 15),
                  _mm256_alignr_epi8(bytes, before, 14), _mm256_alignr_epi8(bytes, before, 13));
    __m256i highest = bytes;
    size_t code_points = (size_t)_mm_popcnt_u32(begins_32(bytes));
    size_t at = 32;
    if (_mm256_movemask_epi8(bytes) == 0) {
        while (size - at >= 32 && _mm256_movemask_epi8(load_32(text + at)) == 0) {
            at += 32;
        }
        code_points = at;
    }
    while (at < size) {
        size_t step = size - at;
        size_t overlap = 0;
        if (step < 32) {
            overlap = 32 - step;
            at -= overlap;
        }
        const uint8_t *from = text + at;
        bytes = load_32(from);
        errors = _mm256_or_si256(
            errors, errors_32(bytes, load_32(from - 1), load_32(from - 2), load_32(from - 3)));
        highest = _mm256_max_epu8(highest, bytes);
        code_points += (size_t)_mm_popcnt_u32(begins_32(bytes) >> overlap);
        at += 32;
    }
    if (PH_UNLIKELY(!_mm256_testz_si256(errors, errors) || is_cut_off(text, size))) {
        return ph_utf8_measure_portable(text, size);
    }
    ph_text_facts facts = {size, code_points, width_of_highest(highest_of_32(highest))};
    return facts;
}

#endif

#if defined(PH_HAS_NEON_VARIANT)

# include <arm_neon.h>

static inline uint8x16_t errors_16(uint8x16_t bytes, uint8x16_t one, uint8x16_t two,
                                   uint8x16_t three)
{
    uint8x16_t pairs = vqtbl1q_u8(vld1q_u8(earlier_high), vshrq_n_u8(one, 4));
    pairs = vandq_u8(pairs, vqtbl1q_u8(vld1q_u8(earlier_low), vandq_u8(one, vdupq_n_u8(0x0F))));
    pairs = vandq_u8(pairs, vqtbl1q_u8(vld1q_u8(byte_high), vshrq_n_u8(bytes, 4)));
    uint8x16_t third = vqsubq_u8(two, vdupq_n_u8(0xE0 - 0x80));
    uint8x16_t fourth = vqsubq_u8(three, vdupq_n_u8(0xF0 - 0x80));
    return veorq_u8(pairs, vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)));
}

/* How many of the bytes from index `overlap` on begin a code point. */
static inline size_t begins_16(uint8x16_t bytes, size_t overlap)
{
    static const uint8_t index[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint8x16_t begins = vcgtq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8((int8_t)0xBF));
    uint8x16_t counted = vcgeq_u8(vld1q_u8(index), vdupq_n_u8((uint8_t)overlap));
    return vaddvq_u8(vandq_u8(vandq_u8(begins, counted), vdupq_n_u8(1)));
}

ph_text_facts ph_utf8_measure_neon(const uint8_t *text, size_t size)
{
    const uint8x16_t zero = vdupq_n_u8(0);
    uint8x16_t bytes = vld1q_u8(text);
    uint8x16_t errors = errors_16(bytes, vextq_u8(zero, bytes, 15), vextq_u8(zero, bytes, 14),
                                  vextq_u8(zero, bytes, 13));
    uint8x16_t highest = bytes;
    size_t code_points = begins_16(bytes, 0);
    size_t at = 16;
    while (at < size) {
        size_t step = size - at;
        size_t overlap = 0;
        if (step < 16) {
            overlap = 16 - step;
            at -= overlap;
        }
        const uint8_t *from = text + at;
        bytes = vld1q_u8(from);
        errors = vorrq_u8(
            errors, errors_16(bytes, vld1q_u8(from - 1), vld1q_u8(from - 2), vld1q_u8(from - 3)));
        highest = vmaxq_u8(highest, bytes);
        code_points += begins_16(bytes, overlap);
        at += 16;
    }
    if (PH_UNLIKELY(vmaxvq_u8(errors) != 0 || is_cut_off(text, size))) {
        return ph_utf8_measure_portable(text, size);
    }
    ph_text_facts facts = {size, code_points, width_of_highest(vmaxvq_u8(highest))};
    return facts;
}

#endif

/* On other machines this file is empty, which ISO C does not allow. */
typedef int ph_utf8_vectors_not_empty;
