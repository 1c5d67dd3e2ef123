/* Sixty-four bytes of a JSON string at once: where its special characters are, as one bit a byte. */
#ifndef PH_JSON_STRING_WINDOW_H
#define PH_JSON_STRING_WINDOW_H

#include "json/block.h"

#define PH_STRING_WINDOW_BYTES 64u

/* Bit n stands for byte n of the window. */
typedef struct ph_string_window {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t controls; /* below 0x20 */
    uint64_t not_ascii;
} ph_string_window;

#if defined(__SSE2__)

PH_INLINE ph_string_window ph_string_window_load(const uint8_t *from)
{
    ph_string_window window = {0, 0, 0, 0};
    for (unsigned at = 0; at < PH_STRING_WINDOW_BYTES; at += 16) {
        __m128i block = ph_block_load(from + at);
        __m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
        __m128i backslashes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
        __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
        window.quotes |= (uint64_t)(unsigned)_mm_movemask_epi8(quotes) << at;
        window.backslashes |= (uint64_t)(unsigned)_mm_movemask_epi8(backslashes) << at;
        window.controls |= (uint64_t)(unsigned)_mm_movemask_epi8(controls) << at;
        window.not_ascii |= (uint64_t)(unsigned)_mm_movemask_epi8(block) << at;
    }
    return window;
}

#else

PH_INLINE ph_string_window ph_string_window_load(const uint8_t *from)
{
    ph_string_window window = {0, 0, 0, 0};
    for (unsigned at = 0; at < PH_STRING_WINDOW_BYTES; at += 8) {
        uint64_t word = ph_text_load_word(from + at);
        uint64_t from_space = ((word & ~PH_HIGH_BITS) + PH_EACH_BYTE * 0x60) | word;
        window.quotes |= ph_gather_high_bits(ph_word_equals(word, '"')) << at;
        window.backslashes |= ph_gather_high_bits(ph_word_equals(word, '\\')) << at;
        window.controls |= ph_gather_high_bits(~from_space) << at;
        window.not_ascii |= ph_gather_high_bits(word) << at;
    }
    return window;
}

#endif

/* The bytes that backslashes escape; the first byte of the window is not one. A run of backslashes
 * escapes every second of its bytes and, if it is odd, the byte after it: adding the beginnings at odd
 * places to the runs tells which of them end at an even place. This is how simdjson does it (Langdale and
 * Lemire, "Parsing gigabytes of JSON per second", 2019). */
PH_INLINE uint64_t ph_string_window_escaped(uint64_t backslashes)
{
    const uint64_t even = 0x5555555555555555u;
    uint64_t follows = backslashes << 1;
    uint64_t odd_beginnings = backslashes & ~even & ~follows;
    uint64_t moved = (odd_beginnings + backslashes) << 1;
    return (even ^ moved) & follows;
}

#endif
