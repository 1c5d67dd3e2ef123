/* UTF-8: is it valid, how many code points, which string width holds them; one code point out. */
#ifndef PH_TEXT_UTF8_H
#define PH_TEXT_UTF8_H

#include "base/bytes.h"

/* The narrowest fixed-width string that holds every code point of a text, in rising order. */
typedef enum ph_text_width {
    PH_WIDTH_ASCII,  /* all below U+0080 */
    PH_WIDTH_LATIN1, /* all below U+0100: one byte each */
    PH_WIDTH_UCS2,   /* all below U+10000: two bytes each */
    PH_WIDTH_UCS4    /* four bytes each */
} ph_text_width;

/* What one pass over a text finds. When valid_bytes is less than the size given, it is the offset
 * of the first sequence that is not UTF-8 (of its lead byte, where Python's decoder reports it), and
 * the other members describe the bytes before it. */
typedef struct ph_text_facts {
    size_t valid_bytes;
    size_t code_points;
    ph_text_width width;
} ph_text_facts;

/* Measures `size` bytes at `text` (NULL when size is 0). Overlong forms, surrogates, values above
 * U+10FFFF and a sequence cut off by the end are invalid. Reads nothing outside the bytes given.
 * Chooses the widest vectors the processor has. Thread safe. */
ph_text_facts ph_utf8_measure(const uint8_t *text, size_t size);

/* The offset of the first invalid sequence, or size when there is none. Thread safe. */
PH_INLINE size_t ph_utf8_valid_bytes(const uint8_t *text, size_t size)
{
    return ph_utf8_measure(text, size).valid_bytes;
}

#define PH_HIGH_BITS 0x8080808080808080u

/* Sixteen bytes at once: gcc and clang make vector instructions of it wherever there are any. */
typedef uint64_t ph_block16 __attribute__((vector_size(16)));

PH_INLINE ph_block16 ph_load_block16(const uint8_t *from)
{
    ph_block16 block;
    memcpy(&block, from, sizeof block);
    return block;
}

PH_INLINE bool ph_block16_is_ascii(ph_block16 block)
{
    return ((block[0] | block[1]) & PH_HIGH_BITS) == 0;
}

/* True when no byte has its high bit set. Inline, in steps of sixteen bytes. */
PH_INLINE bool ph_text_is_ascii(const uint8_t *text, size_t size)
{
    if (size >= 16) {
        ph_block16 seen = ph_load_block16(text + size - 16); /* overlaps the last step */
        for (size_t at = 0; size - at > 16; at += 16) {
            seen |= ph_load_block16(text + at);
        }
        return ph_block16_is_ascii(seen);
    }
    uint64_t seen = 0;
    if (size >= 8) {
        seen = ph_load_native64(text) | ph_load_native64(text + size - 8);
    } else if (size >= 4) {
        seen = ph_load_native32(text) | ph_load_native32(text + size - 4);
    } else if (size > 0) {
        seen = (uint64_t)(text[0] | text[size / 2] | text[size - 1]);
    }
    return (seen & PH_HIGH_BITS) == 0;
}

/* Copies exactly `size` bytes and says whether all of them were ASCII: the test costs nothing
 * beside the copy. The bytes are copied whatever the answer. The areas may not overlap. */
PH_INLINE bool ph_text_copy_is_ascii(uint8_t *to, const uint8_t *text, size_t size)
{
    if (size >= 16) {
        ph_block16 last = ph_load_block16(text + size - 16);
        ph_block16 seen = last;
        for (size_t at = 0; size - at > 16; at += 16) {
            ph_block16 block = ph_load_block16(text + at);
            memcpy(to + at, &block, sizeof block);
            seen |= block;
        }
        memcpy(to + size - 16, &last, sizeof last);
        return ph_block16_is_ascii(seen);
    }
    uint64_t seen = 0;
    if (size >= 8) {
        uint64_t first = ph_load_native64(text), last = ph_load_native64(text + size - 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
        seen = first | last;
    } else if (size >= 4) {
        uint32_t first = ph_load_native32(text), last = ph_load_native32(text + size - 4);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
        seen = first | last;
    } else {
        for (size_t at = 0; at < size; at++) {
            to[at] = text[at];
            seen |= text[at];
        }
    }
    return (seen & PH_HIGH_BITS) == 0;
}

/* The length of the valid sequence at `at` (1 to 4 bytes), 0 when it is invalid or cut off by the
 * end. `at` is before `end`. */
PH_INLINE size_t ph_utf8_sequence_length(const uint8_t *at, const uint8_t *end)
{
    uint8_t lead = at[0];
    size_t left = ph_left(at, end);
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xE0) {
        return lead >= 0xC2 && left >= 2 && (at[1] & 0xC0) == 0x80 ? 2 : 0;
    }
    if (lead < 0xF0) {
        if (left < 3 || (at[1] & 0xC0) != 0x80 || (at[2] & 0xC0) != 0x80) {
            return 0;
        }
        unsigned top = (unsigned)(lead & 0x0F) << 6 | (at[1] & 0x3F);
        /* Below U+0800 is overlong; U+D800 to U+DFFF are surrogates. */
        return top >= 0x20 && (top & 0x3E0) != 0x360 ? 3 : 0;
    }
    if (left < 4 || (at[1] & 0xC0) != 0x80 || (at[2] & 0xC0) != 0x80 || (at[3] & 0xC0) != 0x80) {
        return 0;
    }
    unsigned top = (unsigned)(lead & 0x0F) << 6 | (at[1] & 0x3F);
    return top >= 0x10 && top < 0x110 ? 4 : 0;
}

/* Writes a code point as 1 to 4 bytes and returns the position after them. The code point must be
 * at most U+10FFFF; a surrogate is written as three bytes that no check accepts. */
PH_INLINE uint8_t *ph_utf8_put(uint8_t *to, uint32_t code_point)
{
    if (code_point < 0x80) {
        *to++ = (uint8_t)code_point;
        return to;
    }
    if (code_point < 0x800) {
        *to++ = (uint8_t)(0xC0 | code_point >> 6);
    } else {
        if (code_point < 0x10000) {
            *to++ = (uint8_t)(0xE0 | code_point >> 12);
        } else {
            *to++ = (uint8_t)(0xF0 | code_point >> 18);
            *to++ = (uint8_t)(0x80 | (code_point >> 12 & 0x3F));
        }
        *to++ = (uint8_t)(0x80 | (code_point >> 6 & 0x3F));
    }
    *to++ = (uint8_t)(0x80 | (code_point & 0x3F));
    return to;
}

#endif
