/* Between UTF-8 and strings of fixed width (Latin-1, UCS-2, UCS-4), as Python and others keep them. */
#ifndef PH_TEXT_TRANSCODE_H
#define PH_TEXT_TRANSCODE_H

#include "text/processor.h"
#include "text/utf8.h"

/* Decoding. `text` is valid UTF-8 of `size` bytes with exactly `code_points` code points, none
 * beyond the width (ph_utf8_measure finds all three); nothing is checked again. `to` has room for
 * `code_points` units and nothing is written after them. Thread safe. */
void ph_utf8_decode_latin1(uint8_t *to, size_t code_points, const uint8_t *text, size_t size);
void ph_utf8_decode_ucs2(uint16_t *to, size_t code_points, const uint8_t *text, size_t size);
void ph_utf8_decode_ucs4(uint32_t *to, size_t code_points, const uint8_t *text, size_t size);

/* Encoding. Room in bytes a unit, and what the encoders may write behind that, and behind the end
 * they return. The caller checks that the product fits in size_t. */
#define PH_UTF8_PER_LATIN1  2
#define PH_UTF8_PER_UCS2    3
#define PH_UTF8_PER_UCS4    4
#define PH_UTF8_ENCODE_ROOM 64

/* How far an encoder came. Returned in registers: a position that is passed by its address would be
 * written to memory and read again for each string. */
typedef struct ph_encoded {
    uint8_t *end; /* behind the last byte */
    size_t units;
} ph_encoded;

/* Encode `count` units at `to`: all, or fewer when the next one is a surrogate (or, in UCS-4, above
 * U+10FFFF). UCS-2 is not UTF-16: pairs are not combined. No unit of Latin-1 can fail. Thread safe. */
ph_encoded ph_utf8_encode_latin1(uint8_t *to, const uint8_t *units, size_t count);
ph_encoded ph_utf8_encode_ucs2(uint8_t *to, const uint16_t *units, size_t count);
ph_encoded ph_utf8_encode_ucs4(uint8_t *to, const uint32_t *units, size_t count);

/* The implementations behind them, named so that a test can compare them. With SSE 4.1, where
 * ph_cpu_has_avx2, from 8 units of UCS-2 and 4 of UCS-4. */
ph_encoded ph_utf8_encode_latin1_portable(uint8_t *to, const uint8_t *units, size_t count);
ph_encoded ph_utf8_encode_ucs2_portable(uint8_t *to, const uint16_t *units, size_t count);
ph_encoded ph_utf8_encode_ucs4_portable(uint8_t *to, const uint32_t *units, size_t count);
#if defined(PH_HAS_AVX2_VARIANT)
ph_encoded ph_utf8_encode_ucs2_sse41(uint8_t *to, const uint16_t *units, size_t count);
ph_encoded ph_utf8_encode_ucs4_sse41(uint8_t *to, const uint32_t *units, size_t count);
#endif

#endif
