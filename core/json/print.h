/* Writing JSON: strings of every width with their escapes, and line breaks for the pretty form.
 *
 * Escaped are quotation mark, backslash and the control characters below U+0020 (as \b \t \n \f \r
 * where JSON has a letter, else as \u00XX in lower case); all else is written as UTF-8.
 * Numbers are written with text/integer_text.h and text/float_text.h. */
#ifndef PH_JSON_PRINT_H
#define PH_JSON_PRINT_H

#include "text/transcode.h"
#include "json/block.h"

/* Room beyond the text itself that ph_json_copy_clean and ph_json_put_escaped need, as they write whole
 * blocks. */
#define PH_JSON_COPY_ROOM 16
_Static_assert(PH_BLOCK_BYTES <= PH_JSON_COPY_ROOM, "a block fits into the room");

/* Copies UTF-8 or ASCII until a byte that must be escaped, and returns how many bytes that were:
 * `size` if none must. The test is part of the copy. At `to` size + PH_JSON_COPY_ROOM bytes are free;
 * at `text` nothing is read beyond `size`. The areas may not overlap.
 *
 * So a host writes a string with room for size + 2 + PH_JSON_COPY_ROOM: a quote, the copy, a quote;
 * and only if the copy stopped early makes room for ph_json_escaped_room of the rest and calls
 * ph_json_put_escaped. */
PH_INLINE size_t ph_json_copy_clean(uint8_t *to, const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (size - at >= PH_BLOCK_BYTES) {
        ph_block block = ph_block_load(text + at);
        ph_block_store(to + at, block);
        ph_block_mask specials = ph_block_specials(block);
        if (PH_UNLIKELY(specials != 0)) {
            return at + ph_block_first(specials);
        }
        at += PH_BLOCK_BYTES;
    }
    size_t left = size - at;
    if (PH_BLOCK_BYTES > 8 && left >= 8) {
        uint64_t word = ph_text_load_word(text + at);
        ph_text_store_word(to + at, word);
        uint64_t specials = ph_word_specials(word);
        if (PH_UNLIKELY(specials != 0)) {
            return at + (unsigned)__builtin_ctzll(specials) / 8;
        }
        at += 8;
        left -= 8;
    }
    if (left != 0) {
        /* One to seven bytes joined to a word; a byte that is no special fills it. */
        uint64_t word;
        if (left >= 4) {
            uint64_t upper = ph_text_load_half_word(text + size - 4);
            word = ph_text_load_half_word(text + at) | upper << 8 * (left - 4);
        } else {
            word = text[at] | (uint64_t)text[at + left / 2] << 8 * (left / 2) |
                   (uint64_t)text[size - 1] << 8 * (left - 1);
        }
        word |= PH_EACH_BYTE * ' ' << 8 * left;
        ph_text_store_word(to + at, word);
        uint64_t specials = ph_word_specials(word);
        if (PH_UNLIKELY(specials != 0)) {
            return at + (unsigned)__builtin_ctzll(specials) / 8;
        }
    }
    return size;
}

/* The same with the widest vectors the processor has: faster from about a hundred bytes on. */
size_t ph_json_copy_clean_long(uint8_t *to, const uint8_t *text, size_t size);

/* Bytes that a byte of text can become: the longest escape is \u00XX. */
#define PH_JSON_PER_BYTE 6

/* The room that ph_json_put_escaped needs for a text: exact, plus the room of the copy. As much as
 * size * PH_JSON_PER_BYTE + PH_JSON_COPY_ROOM is always enough. */
size_t ph_json_escaped_room(const uint8_t *text, size_t size);

/* Writes UTF-8 or ASCII with its escapes, without quotes, and returns the position after it.
 * Thread safe, as all here. */
uint8_t *ph_json_put_escaped(uint8_t *to, const uint8_t *text, size_t size);

/* Encode units as UTF-8 until one that must be escaped or that is no code point. Room: count *
 * PH_UTF8_PER_LATIN1 (and so on) + PH_UTF8_ENCODE_ROOM. */
ph_encoded ph_json_encode_clean_latin1(uint8_t *to, const uint8_t *units, size_t count);
ph_encoded ph_json_encode_clean_ucs2(uint8_t *to, const uint16_t *units, size_t count);
ph_encoded ph_json_encode_clean_ucs4(uint8_t *to, const uint32_t *units, size_t count);

/* The same in two passes, as without AVX-512: named so that a test can compare them. */
ph_encoded ph_json_encode_clean_latin1_in_two(uint8_t *to, const uint8_t *units, size_t count);
ph_encoded ph_json_encode_clean_ucs2_in_two(uint8_t *to, const uint16_t *units, size_t count);
ph_encoded ph_json_encode_clean_ucs4_in_two(uint8_t *to, const uint32_t *units, size_t count);

/* The room that the functions below need for strings of fixed width: an upper bound, quotes not
 * included. SIZE_MAX if that does not fit in size_t. */
size_t ph_json_latin1_room(const uint8_t *units, size_t count);
size_t ph_json_ucs2_room(const uint16_t *units, size_t count);
size_t ph_json_ucs4_room(const uint32_t *units, size_t count);

/* Write `count` units as UTF-8 with escapes, without quotes, and return the position after the last
 * byte. NULL when a unit is a surrogate or above U+10FFFF. */
uint8_t *ph_json_put_latin1(uint8_t *to, const uint8_t *units, size_t count);
uint8_t *ph_json_put_ucs2(uint8_t *to, const uint16_t *units, size_t count);
uint8_t *ph_json_put_ucs4(uint8_t *to, const uint32_t *units, size_t count);

/* The room of a line break and its indentation. */
PH_INLINE size_t ph_json_break_room(size_t depth, size_t step)
{
    return 1 + depth * step;
}

/* Writes a line break and depth * step spaces. */
PH_INLINE uint8_t *ph_json_put_break(uint8_t *to, size_t depth, size_t step)
{
    *to++ = '\n';
    memset(to, ' ', depth * step);
    return to + depth * step;
}

#endif
