/* The JSON scanner: position in, position out, one token in the caller's locals.
 *
 * It gives the tokens of wire/cursor.h. What differs, as JSON tells no counts beforehand:
 *   - PH_TOKEN_ARRAY and PH_TOKEN_MAP only say that one begins; length is 0. Its elements are asked
 *     for one after the other until PH_TOKEN_END_ARRAY or PH_TOKEN_END_MAP comes.
 *   - A map's keys are tokens of their own, PH_TOKEN_STRING or PH_TOKEN_ESCAPED_STRING; the colon
 *     is read with the key.
 *   - Of strings ext_type is zero if all bytes are ASCII. An ESCAPED_STRING is the text between the
 *     quotes as it stands: ph_json_unescape undoes and checks it. UTF-8 is not checked here.
 *   - Of numbers length is the size of their text, which ends at the position returned. With
 *     PH_JSON_NUMBERS_AS_TEXT that is all: the kind tells integers (UNSIGNED) from floats, no more.
 *   - Integers beyond 64 bits are PH_TOKEN_BIG_INTEGER, their text a view. Minus zero is
 *     PH_TOKEN_SIGNED 0, and the only SIGNED token that is not negative.
 *   - A float that overflows is infinite: the host decides whether that is an error. The words that
 *     PH_JSON_NON_FINITE accepts are PH_TOKEN_FLOAT32, which no number is.
 *
 * A host's loop (depth is its own affair, nothing here recurses):
 *
 *     position = ph_json_next(position, end, PH_JSON_FIRST_ELEMENT, PH_JSON_STRICT, &token);
 *     while (token.kind != PH_TOKEN_END_ARRAY) {
 *         ... make an object of the token, or fail if it is PH_TOKEN_ERROR ...
 *         position = ph_json_next(position, end, PH_JSON_ELEMENT, PH_JSON_STRICT, &token);
 *     }
 *
 * In a loop whose body is large let `place` be a variable, so that the scanner is expanded once. */
#ifndef PH_JSON_SCAN_H
#define PH_JSON_SCAN_H

#include "base/token.h"
#include "text/float_text.h"
#include "text/integer_text.h"
#include "json/block.h"

/* Where the scanner stands, and so what may come. */
typedef enum ph_json_place {
    PH_JSON_VALUE,         /* at the top, or after a key: one value */
    PH_JSON_FIRST_ELEMENT, /* after [: a value or END_ARRAY */
    PH_JSON_ELEMENT,       /* after an element: a comma and a value, or END_ARRAY */
    PH_JSON_FIRST_KEY,     /* after {: a key or END_MAP */
    PH_JSON_KEY            /* after a key's value: a comma and a key, or END_MAP */
} ph_json_place;

typedef enum ph_json_options {
    PH_JSON_STRICT = 0, /* RFC 8259 to the letter */
    PH_JSON_RELAXED =
        1, /* for files that people write: comments as in C and C++, trailing commas */
    PH_JSON_NUMBERS_AS_TEXT = 2, /* numbers are checked and measured, their value is not computed */
    PH_JSON_NON_FINITE = 4       /* the words NaN, Infinity and -Infinity are values */
} ph_json_options;

/* Options that change which texts are accepted. */
#define PH_JSON_DIALECT (PH_JSON_RELAXED | PH_JSON_NON_FINITE)

/* 10^0 to 10^7. */
extern const uint32_t ph_json_small_powers[8];

/* The cold ways out of the scanner; see scan.c. */
const uint8_t *ph_json_skip_space(const uint8_t *position, const uint8_t *end,
                                  ph_json_options options);
const uint8_t *ph_json_scan_number(const uint8_t *number, const uint8_t *end, ph_token *token);
const uint8_t *ph_json_scan_number_text(const uint8_t *number, const uint8_t *end, ph_token *token);
const uint8_t *ph_json_scan_string(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                                   bool is_ascii, ph_token *token);
const uint8_t *ph_json_refuse(const uint8_t *position, const uint8_t *end, ph_json_place place,
                              bool after_comma, ph_token *token);
const uint8_t *ph_json_scan_non_finite(const uint8_t *position, const uint8_t *end,
                                       const uint8_t *refused, ph_token *token);

PH_INLINE const uint8_t *ph_json_error(ph_token *token, ph_error_code code, const uint8_t *position)
{
    token->kind = PH_TOKEN_ERROR;
    token->length = (size_t)code;
    return position;
}

/* The first position that is not white space (or, where those are allowed, in a comment), maybe the
 * end. One space, as in ", " and ": ", stays inline. */
PH_INLINE const uint8_t *ph_json_space(const uint8_t *position, const uint8_t *end,
                                       ph_json_options options)
{
    if (PH_LIKELY(position != end) &&
        (*position <= ' ' || ((options & PH_JSON_RELAXED) != 0 && *position == '/'))) {
        if (*position == ' ' && ph_left(position, end) > 1 && position[1] > ' ' &&
            (options & PH_JSON_RELAXED) == 0) {
            return position + 1;
        }
        return ph_json_skip_space(position, end, options);
    }
    return position;
}

PH_INLINE const uint8_t *ph_json_string_token(const uint8_t *text, const uint8_t *quote,
                                              bool is_ascii, ph_token *token)
{
    token->kind = PH_TOKEN_STRING;
    token->ext_type = !is_ascii;
    token->length = (size_t)(quote - text);
    token->value.bytes = text;
    return quote + 1;
}

/* About so many bytes of a string are looked through where it is asked for; the rest of a long one by a
 * call, in larger steps. */
#define PH_JSON_STRING_SHORT 128

/* A string whose opening quote is before `text`. */
PH_INLINE const uint8_t *ph_json_string(const uint8_t *text, const uint8_t *end, ph_token *token)
{
    const uint8_t *at = text;
    ph_block_mask not_ascii = 0;
#if PH_BLOCK_MASK_BITS == 1
    /* Two blocks at once first: most strings end there, whether in the one or the other. */
    if (PH_LIKELY(ph_left(at, end) >= 2 * PH_BLOCK_BYTES)) {
        ph_block front = ph_block_load(at);
        ph_block back = ph_block_load(at + PH_BLOCK_BYTES);
        ph_block_mask specials = ph_block_specials(front) | ph_block_specials(back)
                                                                << PH_BLOCK_BYTES;
        not_ascii = ph_block_not_ascii(front) | ph_block_not_ascii(back) << PH_BLOCK_BYTES;
        if (PH_LIKELY(specials != 0)) {
            unsigned count = ph_block_first(specials);
            not_ascii = ph_block_before(not_ascii, count);
            at += count;
            return PH_LIKELY(*at == '"')
                       ? ph_json_string_token(text, at, not_ascii == 0, token)
                       : ph_json_scan_string(text, at, end, not_ascii == 0, token);
        }
        at += 2 * PH_BLOCK_BYTES;
    }
#endif
    const uint8_t *stop = ph_left(at, end) > PH_JSON_STRING_SHORT ? at + PH_JSON_STRING_SHORT : end;
    while (PH_LIKELY(ph_left(at, stop) >= PH_BLOCK_BYTES)) {
        ph_block block = ph_block_load(at);
        ph_block_mask specials = ph_block_specials(block);
        if (specials != 0) {
            unsigned count = ph_block_first(specials);
            not_ascii |= ph_block_before(ph_block_not_ascii(block), count);
            at += count;
            if (PH_UNLIKELY(*at != '"')) {
                break;
            }
            return ph_json_string_token(text, at, not_ascii == 0, token);
        }
        not_ascii |= ph_block_not_ascii(block);
        at += PH_BLOCK_BYTES;
    }
    return ph_json_scan_string(text, at, end, not_ascii == 0, token);
}

PH_INLINE bool ph_json_is_fraction_or_exponent(uint8_t byte)
{
    return byte == '.' || (byte | 0x20) == 'e';
}

/* A number that begins at `number`, its first eight digits at `at` being `word`: integers of up to
 * fifteen digits are read here. Sixteen bytes can be read. */
PH_INLINE const uint8_t *ph_json_long_integer(const uint8_t *number, const uint8_t *at,
                                              const uint8_t *end, ph_digit_word word,
                                              ph_token *token)
{
    ph_digit_word next = ph_digit_word_load(at + 8);
    unsigned count = next.others == 0 ? 0 : ph_digit_word_count(next);
    const uint8_t *after = at + 8 + count;
    if (PH_UNLIKELY(next.others == 0) || PH_UNLIKELY((uint8_t)word.digits == 0) ||
        PH_UNLIKELY(ph_json_is_fraction_or_exponent(*after))) {
        return ph_json_scan_number(number, end, token);
    }
    uint64_t whole = ph_join_eight_digits(word.digits);
    if (count != 0) {
        whole = whole * ph_json_small_powers[count] + ph_digit_word_join(next);
    }
    bool is_negative = at != number;
    token->kind = is_negative ? PH_TOKEN_SIGNED : PH_TOKEN_UNSIGNED;
    token->length = (size_t)(after - number);
    token->value.u = is_negative ? 0 - whole : whole;
    return after;
}

/* A number that begins at `number` with a digit or a minus sign. Integers of up to fifteen digits
 * are read here with one or two words, fractions with two to four; everything else, and every error, is left
 * to ph_json_scan_number. How many digits there are is not predicted but computed: the host's work on
 * the token before goes on meanwhile. */
PH_INLINE const uint8_t *ph_json_number(const uint8_t *number, const uint8_t *end, ph_token *token)
{
    const uint8_t *at = number;
    bool is_negative = *number == '-';
    if (is_negative) {
        at++;
        __asm__(
            ""
            : "+r"(at)); /* a branch, please: it is predicted, an addition would be waited for */
    }
    if (PH_UNLIKELY(ph_left(at, end) < 34)) {
        return ph_json_scan_number(number, end, token);
    }
    ph_digit_word word = ph_digit_word_load(at);
    if (word.others == 0) {
        return ph_json_long_integer(number, at, end, word, token);
    }
    /* The first is no digit, or it is a zero before others. */
    if (PH_UNLIKELY((uint8_t)word.others != 0 ||
                    ((uint8_t)word.digits == 0 && ph_digit_word_count(word) != 1))) {
        return ph_json_scan_number(number, end, token);
    }
    uint64_t whole = ph_digit_word_join(word);
    at += ph_digit_word_count(word);
    if (PH_LIKELY(!ph_json_is_fraction_or_exponent(*at))) {
        token->kind = is_negative ? PH_TOKEN_SIGNED : PH_TOKEN_UNSIGNED;
        token->length = (size_t)(at - number);
        token->value.u = is_negative ? 0 - whole : whole;
        return at;
    }
    const uint8_t *fraction = at + 1;
    word = ph_digit_word_load(fraction);
    if (PH_UNLIKELY(*at != '.' || (uint8_t)word.others != 0)) {
        return ph_json_scan_number(number, end, token);
    }
    at = fraction;
    for (unsigned words = 0; words < 2 && word.others == 0; words++) {
        whole = whole * PH_EIGHT_DIGITS + ph_join_eight_digits(word.digits);
        at += 8;
        word = ph_digit_word_load(at);
    }
    if (PH_UNLIKELY(word.others == 0)) {
        return ph_json_scan_number(number, end, token);
    }
    /* Nineteen digits fit in a word. */
    unsigned count = ph_digit_word_count(word);
    at += count;
    if (PH_UNLIKELY((*at | 0x20) == 'e' || (size_t)(at - number) > 20)) {
        return ph_json_scan_number(number, end, token);
    }
    if (count != 0) {
        whole = whole * ph_json_small_powers[count] + ph_digit_word_join(word);
    }
    int64_t exponent = fraction - at;
    double value = PH_DOUBLES_ROUND_ONCE && whole <= PH_EXACT_INTEGER_LARGEST
                       ? (double)whole / ph_exact_powers_of_ten[-exponent]
                       : ph_double_from_decimal(whole, exponent);
    token->kind = PH_TOKEN_FLOAT64;
    token->length = (size_t)(at - number);
    token->value.f = is_negative ? -value : value;
    return at;
}

/* One of the words true, false and null, whose first byte has been seen. */
PH_INLINE const uint8_t *ph_json_word(const uint8_t *position, const uint8_t *end, const char *word,
                                      unsigned size, ph_token_kind kind, ph_token *token)
{
    if (PH_LIKELY(ph_left(position, end) >= size) && PH_LIKELY(memcmp(position, word, size) == 0)) {
        token->kind = kind;
        return position + size;
    }
    return ph_json_refuse(position, end, PH_JSON_VALUE, false, token);
}

/* A key whose opening quote is at `position`, and the colon after it. */
PH_INLINE const uint8_t *ph_json_key(const uint8_t *position, const uint8_t *end,
                                     ph_json_options options, ph_token *token)
{
    position = ph_json_string(position + 1, end, token);
    if (PH_UNLIKELY(token->kind == PH_TOKEN_ERROR)) {
        return position;
    }
    position = ph_json_space(position, end, options);
    if (PH_UNLIKELY(position == end)) {
        return ph_json_error(token, PH_ERROR_TRUNCATED, position);
    }
    if (PH_UNLIKELY(*position != ':')) {
        return ph_json_error(token, PH_ERROR_JSON_COLON, position);
    }
    return position + 1;
}

/* A value whose first byte is at `position`. */
PH_INLINE const uint8_t *ph_json_value(const uint8_t *position, const uint8_t *end,
                                       ph_json_place place, bool after_comma,
                                       ph_json_options options, ph_token *token)
{
    const uint8_t *behind;
    switch (*position) {
    case '"': return ph_json_string(position + 1, end, token);
    case '-':
    case '0' ... '9':
        behind = (options & PH_JSON_NUMBERS_AS_TEXT) != 0
                     ? ph_json_scan_number_text(position, end, token)
                     : ph_json_number(position, end, token);
        break;
    case '{':
        token->kind = PH_TOKEN_MAP;
        token->length = 0;
        return position + 1;
    case '[':
        token->kind = PH_TOKEN_ARRAY;
        token->length = 0;
        return position + 1;
    case 't': return ph_json_word(position, end, "true", 4, PH_TOKEN_TRUE, token);
    case 'f': return ph_json_word(position, end, "false", 5, PH_TOKEN_FALSE, token);
    case 'n': return ph_json_word(position, end, "null", 4, PH_TOKEN_NIL, token);
    default: behind = ph_json_refuse(position, end, place, after_comma, token);
    }
    if (PH_UNLIKELY(token->kind == PH_TOKEN_ERROR) && (options & PH_JSON_NON_FINITE) != 0) {
        return ph_json_scan_non_finite(position, end, behind, token);
    }
    return behind;
}

/* Reads the next token at `place`, white space, comma and colon included.
 *
 * position <= end, both in one readable buffer. Returns the position after the token: for scalars
 * and strings after their text, for [ and { after the bracket, for keys after the colon. On error
 * token->kind is PH_TOKEN_ERROR, token->length the ph_error_code, and the position returned that of
 * the byte that is wrong (the end, for PH_ERROR_TRUNCATED). Nothing is allocated, nothing outside
 * [position, end) is read. A top-level value is read with PH_JSON_VALUE; what follows it is checked
 * with ph_json_space(position, end, options) == end. */
PH_INLINE const uint8_t *ph_json_next(const uint8_t *position, const uint8_t *end,
                                      ph_json_place place, ph_json_options options, ph_token *token)
{
    bool is_key = place == PH_JSON_FIRST_KEY || place == PH_JSON_KEY;
    bool after_comma = false;
    position = ph_json_space(position, end, options);
    if (PH_UNLIKELY(position == end)) {
        return ph_json_error(token, PH_ERROR_TRUNCATED, position);
    }
    if (place == PH_JSON_ELEMENT || place == PH_JSON_KEY) {
        if (PH_LIKELY(*position == ',')) {
            after_comma = true;
            position = ph_json_space(position + 1, end, options);
            if (PH_UNLIKELY(position == end)) {
                return ph_json_error(token, PH_ERROR_TRUNCATED, position);
            }
        } else if (PH_UNLIKELY(*position != (is_key ? '}' : ']'))) {
            return ph_json_refuse(position, end, place, false, token);
        }
    }
    if (place != PH_JSON_VALUE && *position == (is_key ? '}' : ']') &&
        (!after_comma || (options & PH_JSON_RELAXED) != 0)) {
        token->kind = is_key ? PH_TOKEN_END_MAP : PH_TOKEN_END_ARRAY;
        return position + 1;
    }
    if (is_key) {
        if (PH_UNLIKELY(*position != '"')) {
            return ph_json_refuse(position, end, place, after_comma, token);
        }
        return ph_json_key(position, end, options, token);
    }
    return ph_json_value(position, end, place, after_comma, options, token);
}

#endif
