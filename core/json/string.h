/* The text between the quotes of a JSON string: checking it, and undoing its escapes. */
#ifndef PH_JSON_STRING_H
#define PH_JSON_STRING_H

#include "base/bytes.h"
#include "base/error.h"

/* Undoes the escapes of an ESCAPED_STRING token: `size` bytes at `text`, between the quotes. Writes
 * UTF-8 at `to`, where `size` bytes are free (the text never gets longer), and sets *written. A
 * surrogate escape must be followed by its partner, also escaped.
 *
 * Bytes that are no escape are copied as they are: whether they are UTF-8 is to be asked first, of
 * `text` (ph_utf8_measure), where offsets mean something; the result is then UTF-8 too.
 *
 * The error's offset counts from `text` and is that of the byte that is wrong: the letter after the
 * backslash, the character that is no hexadecimal digit, the backslash of a lone surrogate.
 * *written is not set on error. The areas may not overlap. Thread safe. */
ph_error ph_json_unescape(uint8_t *to, const uint8_t *text, size_t size, size_t *written);

/* The same, faster for short texts: memory from `text` up to `readable_end` may be read, and at `to`
 * PH_JSON_UNESCAPE_ROOM bytes more are free. */
#define PH_JSON_UNESCAPE_ROOM 16
ph_error ph_json_unescape_within(uint8_t *to, const uint8_t *text, size_t size,
                                 const uint8_t *readable_end, size_t *written);

/* Checks escapes as ph_json_unescape does, and UTF-8, without writing. has_escapes and is_ascii are
 * what the scanner's token says: parts that it rules out are not looked at. */
ph_error ph_json_check_string(const uint8_t *text, size_t size, bool has_escapes, bool is_ascii);

/* A position for people. Lines end with a line feed; both numbers count from one. */
typedef struct ph_line_column {
    size_t line;
    size_t column; /* in code points; bytes that are no UTF-8 count one each */
} ph_line_column;

/* Where `offset` (at most the size of the text) is. Takes time in proportion to offset. */
ph_line_column ph_text_locate(const uint8_t *text, size_t offset);

#endif
