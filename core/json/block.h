/* A block of text at once: which bytes end a run of plain string characters, and which are not ASCII.
 * Sixteen bytes with SSE2 or NEON, eight elsewhere. */
#ifndef PH_JSON_BLOCK_H
#define PH_JSON_BLOCK_H

#include "text/integer_text.h"
#include "text/utf8.h"

#define PH_EACH_BYTE 0x0101010101010101u

/* In a word of eight bytes the high bit of each byte that is as asked; exact for every byte. */
PH_INLINE uint64_t ph_word_equals(uint64_t word, uint8_t byte)
{
    uint64_t difference = word ^ (PH_EACH_BYTE * byte);
    uint64_t low_bits = (difference & ~PH_HIGH_BITS) + ~PH_HIGH_BITS;
    return ~(low_bits | difference) & PH_HIGH_BITS;
}

/* Quotes, backslashes and control characters. */
PH_INLINE uint64_t ph_word_specials(uint64_t word)
{
    uint64_t from_space = ((word & ~PH_HIGH_BITS) + PH_EACH_BYTE * 0x60) | word;
    return ph_word_equals(word, '"') | ph_word_equals(word, '\\') | (~from_space & PH_HIGH_BITS);
}

/* Masks have PH_BLOCK_MASK_BITS bits for each byte, the first byte in the lowest bits. */
#if defined(__SSE2__)

# include <emmintrin.h>

# define PH_BLOCK_BYTES     16u
# define PH_BLOCK_MASK_BITS 1u
typedef uint32_t ph_block_mask;
typedef __m128i ph_block;

PH_INLINE ph_block ph_block_load(const uint8_t *from)
{
    return _mm_loadu_si128((const __m128i *)(const void *)from);
}

PH_INLINE void ph_block_store(uint8_t *to, ph_block block)
{
    _mm_storeu_si128((__m128i *)(void *)to, block);
}

/* Quotes, backslashes and control characters: what a JSON string can not hold as it is. */
PH_INLINE ph_block_mask ph_block_specials(ph_block block)
{
    __m128i backslashes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    /* Exchanging 0x20 and 0x22 puts the quotation mark right above the control characters. */
    __m128i moved = _mm_xor_si128(block, _mm_set1_epi8(0x02));
    __m128i below = _mm_cmpeq_epi8(_mm_min_epu8(moved, _mm_set1_epi8(0x20)), moved);
    return (ph_block_mask)_mm_movemask_epi8(_mm_or_si128(below, backslashes));
}

/* Bytes with the high bit set. */
PH_INLINE ph_block_mask ph_block_not_ascii(ph_block block)
{
    return (ph_block_mask)_mm_movemask_epi8(block);
}

/* Bytes that are not JSON white space. */
PH_INLINE ph_block_mask ph_block_not_space(ph_block block)
{
    __m128i spaces = _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8(' ')),
                                  _mm_cmpeq_epi8(block, _mm_set1_epi8('\n')));
    spaces = _mm_or_si128(spaces, _mm_cmpeq_epi8(block, _mm_set1_epi8('\r')));
    spaces = _mm_or_si128(spaces, _mm_cmpeq_epi8(block, _mm_set1_epi8('\t')));
    return (ph_block_mask)_mm_movemask_epi8(spaces) ^ 0xFFFF;
}

/* Quotes, brackets and braces. */
PH_INLINE ph_block_mask ph_block_not_scalars(ph_block block)
{
    __m128i folded = _mm_or_si128(block, _mm_set1_epi8(0x20)); /* brackets become braces */
    __m128i found = _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')),
                                 _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    found = _mm_or_si128(found, _mm_cmpeq_epi8(block, _mm_set1_epi8('"')));
    return (ph_block_mask)_mm_movemask_epi8(found);
}

#elif defined(__aarch64__) && PH_LITTLE_ENDIAN

# include <arm_neon.h>

# define PH_BLOCK_BYTES     16u
# define PH_BLOCK_MASK_BITS 4u
typedef uint64_t ph_block_mask;
typedef uint8x16_t ph_block;

PH_INLINE ph_block ph_block_load(const uint8_t *from)
{
    return vld1q_u8(from);
}

PH_INLINE void ph_block_store(uint8_t *to, ph_block block)
{
    vst1q_u8(to, block);
}

/* Bytes of 0 or 0xFF to four bits each. */
PH_INLINE ph_block_mask ph_block_narrow(uint8x16_t lanes)
{
    uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(lanes), 4);
    return vget_lane_u64(vreinterpret_u64_u8(nibbles), 0);
}

PH_INLINE ph_block_mask ph_block_specials(ph_block block)
{
    uint8x16_t specials =
        vorrq_u8(vceqq_u8(block, vdupq_n_u8('"')), vceqq_u8(block, vdupq_n_u8('\\')));
    return ph_block_narrow(vorrq_u8(specials, vcltq_u8(block, vdupq_n_u8(0x20))));
}

PH_INLINE ph_block_mask ph_block_not_ascii(ph_block block)
{
    return ph_block_narrow(vcgeq_u8(block, vdupq_n_u8(0x80)));
}

PH_INLINE ph_block_mask ph_block_not_space(ph_block block)
{
    uint8x16_t spaces =
        vorrq_u8(vceqq_u8(block, vdupq_n_u8(' ')), vceqq_u8(block, vdupq_n_u8('\n')));
    spaces = vorrq_u8(spaces, vceqq_u8(block, vdupq_n_u8('\r')));
    spaces = vorrq_u8(spaces, vceqq_u8(block, vdupq_n_u8('\t')));
    return ~ph_block_narrow(spaces);
}

PH_INLINE ph_block_mask ph_block_not_scalars(ph_block block)
{
    uint8x16_t folded = vorrq_u8(block, vdupq_n_u8(0x20));
    uint8x16_t found =
        vorrq_u8(vceqq_u8(folded, vdupq_n_u8('{')), vceqq_u8(folded, vdupq_n_u8('}')));
    return ph_block_narrow(vorrq_u8(found, vceqq_u8(block, vdupq_n_u8('"'))));
}

#else

# define PH_BLOCK_BYTES     8u
# define PH_BLOCK_MASK_BITS 8u
typedef uint64_t ph_block_mask;
typedef uint64_t ph_block;

PH_INLINE ph_block ph_block_load(const uint8_t *from)
{
    return ph_text_load_word(from);
}

PH_INLINE void ph_block_store(uint8_t *to, ph_block block)
{
    ph_text_store_word(to, block);
}

PH_INLINE ph_block_mask ph_block_specials(ph_block block)
{
    return ph_word_specials(block);
}

PH_INLINE ph_block_mask ph_block_not_ascii(ph_block block)
{
    return block & PH_HIGH_BITS;
}

PH_INLINE ph_block_mask ph_block_not_space(ph_block block)
{
    return ~(ph_word_equals(block, ' ') | ph_word_equals(block, '\n') |
             ph_word_equals(block, '\r') | ph_word_equals(block, '\t')) &
           PH_HIGH_BITS;
}

PH_INLINE ph_block_mask ph_block_not_scalars(ph_block block)
{
    uint64_t folded = block | PH_EACH_BYTE * 0x20;
    return ph_word_equals(folded, '{') | ph_word_equals(folded, '}') | ph_word_equals(block, '"');
}

#endif

/* Bytes before the first one of a mask that is not zero. */
PH_INLINE unsigned ph_block_first(ph_block_mask mask)
{
    return (unsigned)__builtin_ctzll(mask) / PH_BLOCK_MASK_BITS;
}

/* What a mask says about the bytes before number `count` (below PH_BLOCK_BYTES). */
PH_INLINE ph_block_mask ph_block_before(ph_block_mask mask, unsigned count)
{
    return mask & (((ph_block_mask)1 << count * PH_BLOCK_MASK_BITS) - 1);
}

#endif
