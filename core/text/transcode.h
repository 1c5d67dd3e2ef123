/* Between UTF-8 and strings of fixed width (Latin-1, UCS-2, UCS-4), as Python and others keep them. */
#ifndef PH_TEXT_TRANSCODE_H
#define PH_TEXT_TRANSCODE_H

#include "text/utf8.h"

/* Decoding. `text` is valid UTF-8 of `size` bytes with exactly `code_points` code points, none
 * beyond the width (ph_utf8_measure finds all three); nothing is checked again. `to` has room for
 * `code_points` units and nothing is written after them. Thread safe. */
void ph_utf8_decode_latin1(uint8_t *to, size_t code_points, const uint8_t *text, size_t size);
void ph_utf8_decode_ucs2(uint16_t *to, size_t code_points, const uint8_t *text, size_t size);
void ph_utf8_decode_ucs4(uint32_t *to, size_t code_points, const uint8_t *text, size_t size);

#define PH_UTF8_NOT_BMP SIZE_MAX

/* Checks and decodes in one pass, for short texts: `size` bytes at `text` into `to`, which has room
 * for `size` units. Returns the units written, and ors each code point into *seen; PH_UTF8_NOT_BMP
 * when the text is not valid or holds a code point above U+FFFF, *seen and `to` then being
 * unspecified. Thread safe. */
size_t ph_utf8_decode_bmp(uint16_t *to, const uint8_t *text, size_t size, uint32_t *seen);

/* The room encoding needs at most, in bytes a unit. The encoders may write anywhere in that room,
 * also behind the end they return. The caller checks that the product fits in size_t. */
#define PH_UTF8_PER_LATIN1 2
#define PH_UTF8_PER_UCS2   3
#define PH_UTF8_PER_UCS4   4

/* Encodes `count` units and returns the position after the last byte written. No unit can fail. */
uint8_t *ph_utf8_encode_latin1(uint8_t *to, const uint8_t *units, size_t count);

/* As above; NULL when a unit is a surrogate (or, in UCS-4, above U+10FFFF), with its index in
 * *bad_unit, which is not touched otherwise. UCS-2 is not UTF-16: pairs are not combined.
 * Thread safe. */
uint8_t *ph_utf8_encode_ucs2(uint8_t *to, const uint16_t *units, size_t count, size_t *bad_unit);
uint8_t *ph_utf8_encode_ucs4(uint8_t *to, const uint32_t *units, size_t count, size_t *bad_unit);

#endif
