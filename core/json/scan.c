/* What the scanner leaves to calls. That is long white space, comments, ends of input, escapes, unusual
 * numbers, and saying what is wrong. */
#include "json/scan.h"

#include "json/special_vectors.h"
#include "json/string_window.h"

const uint32_t ph_json_small_powers[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

PH_INLINE bool is_space(uint8_t byte)
{
    return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
}

/* The position after a comment at `position`; `position` itself if there is none; the end if it is
 * not closed. */
static const uint8_t *skip_comment(const uint8_t *position, const uint8_t *end)
{
    if (ph_left(position, end) < 2) {
        return position;
    }
    const uint8_t *at = position + 2;
    if (position[1] == '/') {
        while (at < end && *at != '\n') {
            at++;
        }
        return at;
    }
    if (position[1] != '*') {
        return position;
    }
    for (; at < end; at++) {
        if (*at == '*' && ph_left(at, end) > 1 && at[1] == '/') {
            return at + 2;
        }
    }
    return end;
}

const uint8_t *PH_NOINLINE ph_json_skip_space(const uint8_t *position, const uint8_t *end,
                                              ph_json_options options)
{
    for (;;) {
        while (ph_left(position, end) >= PH_BLOCK_BYTES) {
            ph_block_mask others = ph_block_not_space(ph_block_load(position));
            if (others != 0) {
                position += ph_block_first(others);
                break;
            }
            position += PH_BLOCK_BYTES;
        }
        while (position < end && is_space(*position)) {
            position++;
        }
        if ((options & PH_JSON_RELAXED) == 0 || position == end || *position != '/') {
            return position;
        }
        const uint8_t *after = skip_comment(position, end);
        if (after == position) {
            return position;
        }
        position = after;
    }
}

PH_INLINE const uint8_t *string_token(const uint8_t *text, const uint8_t *quote, ph_token_kind kind,
                                      bool is_ascii, ph_token *token)
{
    token->kind = kind;
    token->ext_type = !is_ascii;
    token->length = (size_t)(quote - text);
    token->value.bytes = text;
    return quote + 1;
}

/* The last bytes of the input, one after the other. */
static const uint8_t *scan_string_end(const uint8_t *text, const uint8_t *at, const uint8_t *end,
                                      ph_token_kind kind, bool is_ascii, ph_token *token)
{
    for (; at < end; at++) {
        uint8_t byte = *at;
        if (byte == '"') {
            return string_token(text, at, kind, is_ascii, token);
        }
        if (byte == '\\') {
            /* What follows may be a quote; whether it may follow is for ph_json_unescape to say. */
            kind = PH_TOKEN_ESCAPED_STRING;
            at++;
            if (at == end) {
                break;
            }
            if (*at < 0x20) {
                return ph_json_error(token, PH_ERROR_JSON_ESCAPE, at);
            }
        } else if (byte < 0x20) {
            return ph_json_error(token, PH_ERROR_JSON_CONTROL, at);
        }
        is_ascii = is_ascii && *at < 0x80;
    }
    return ph_json_error(token, PH_ERROR_TRUNCATED, end);
}

#if defined(PH_HAS_AVX2_VARIANT)

PH_AVX2 static const uint8_t *skip_plain_avx2(const uint8_t *at, const uint8_t *end, bool *is_ascii)
{
    __m256i seen = _mm256_setzero_si256();
    for (; ph_left(at, end) >= 64; at += 64) {
        __m256i front = _mm256_loadu_si256((const __m256i *)(const void *)at);
        __m256i back = _mm256_loadu_si256((const __m256i *)(const void *)(at + 32));
        __m256i specials = _mm256_or_si256(specials_of_32(front), specials_of_32(back));
        if (_mm256_movemask_epi8(specials) != 0) {
            break;
        }
        seen = _mm256_or_si256(seen, _mm256_or_si256(front, back));
    }
    *is_ascii = *is_ascii && _mm256_movemask_epi8(seen) == 0;
    return at;
}

PH_AVX512 static const uint8_t *skip_plain_avx512(const uint8_t *at, const uint8_t *end,
                                                  bool *is_ascii)
{
    __m512i seen = _mm512_setzero_si512();
    for (; ph_left(at, end) >= 128; at += 128) {
        __m512i front = _mm512_loadu_si512(at);
        __m512i back = _mm512_loadu_si512(at + 64);
        if ((specials_of_64(front) | specials_of_64(back)) != 0) {
            break;
        }
        seen = _mm512_or_si512(seen, _mm512_or_si512(front, back));
    }
    *is_ascii = *is_ascii && _mm512_movepi8_mask(seen) == 0;
    return at;
}

#endif

/* Passes over plain characters of a long string, in large steps, at most up to the first other one. */
static const uint8_t *skip_plain(const uint8_t *at, const uint8_t *end, bool *is_ascii)
{
#if defined(PH_HAS_AVX2_VARIANT)
    if (ph_cpu_has_avx512()) {
        return skip_plain_avx512(at, end, is_ascii);
    }
    if (ph_cpu_has_avx2()) {
        return skip_plain_avx2(at, end, is_ascii);
    }
#endif
    ph_block_mask not_ascii = 0;
    for (; ph_left(at, end) >= PH_BLOCK_BYTES; at += PH_BLOCK_BYTES) {
        ph_block block = ph_block_load(at);
        if (ph_block_specials(block) != 0) {
            break;
        }
        not_ascii |= ph_block_not_ascii(block);
    }
    *is_ascii = *is_ascii && not_ascii == 0;
    return at;
}

const uint8_t *PH_NOINLINE ph_json_scan_string(const uint8_t *text, const uint8_t *at,
                                               const uint8_t *end, bool is_ascii, ph_token *token)
{
    ph_token_kind kind = PH_TOKEN_STRING;
    if ((size_t)(at - text) >= PH_JSON_STRING_SHORT) {
        at = skip_plain(at, end, &is_ascii);
    }
    while (ph_left(at, end) >= PH_STRING_WINDOW_BYTES) {
        ph_string_window window = ph_string_window_load(at);
        uint64_t escaped = ph_string_window_escaped(window.backslashes);
        uint64_t stops = (window.quotes & ~escaped) | window.controls;
        uint64_t before = (stops - 1) & ~stops; /* all, if there is none */
        if ((window.backslashes & before) != 0) {
            kind = PH_TOKEN_ESCAPED_STRING;
        }
        is_ascii = is_ascii && (window.not_ascii & before) == 0;
        if (stops != 0) {
            uint64_t stop = stops & (0 - stops);
            at += __builtin_ctzll(stops);
            if (PH_LIKELY((window.quotes & stop) != 0)) {
                return string_token(text, at, kind, is_ascii, token);
            }
            return ph_json_error(
                token, (escaped & stop) != 0 ? PH_ERROR_JSON_ESCAPE : PH_ERROR_JSON_CONTROL, at);
        }
        /* A backslash at the end stays with what it escapes. */
        at += PH_STRING_WINDOW_BYTES - ((window.backslashes & ~escaped) >> 63);
    }
    return scan_string_end(text, at, end, kind, is_ascii, token);
}

/* Reads the digits at `at`, joining them to *number (modulo 2^64), and returns the position after
 * them; `at` itself if there are none. */
PH_INLINE const uint8_t *scan_digits(const uint8_t *at, const uint8_t *end, uint64_t *number)
{
    while (ph_left(at, end) >= 8) {
        ph_digit_word word = ph_digit_word_load(at);
        if (word.others != 0) {
            unsigned count = ph_digit_word_count(word);
            if (count != 0) {
                *number = *number * ph_json_small_powers[count] + ph_digit_word_join(word);
            }
            return at + count;
        }
        *number = *number * PH_EIGHT_DIGITS + ph_join_eight_digits(word.digits);
        at += 8;
    }
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        *number = *number * 10 + (uint64_t)(*at - '0');
    }
    return at;
}

static const uint8_t *refuse_number(const uint8_t *at, const uint8_t *end, ph_token *token)
{
    return ph_json_error(token, at == end ? PH_ERROR_TRUNCATED : PH_ERROR_JSON_NUMBER, at);
}

#define DIGITS_IN_WORD 19 /* any number of so many digits fits in 64 bits */

static const uint8_t *integer_token(const uint8_t *number, const uint8_t *at, uint64_t magnitude,
                                    ph_token *token)
{
    bool is_negative = *number == '-';
    token->length = (size_t)(at - number);
    size_t digits = token->length - is_negative;
    bool fits = digits <= DIGITS_IN_WORD ||
                ph_text_to_u64(number + is_negative, digits, &magnitude) == PH_ERROR_NONE;
    if (!fits || (is_negative && magnitude > (uint64_t)1 << 63)) {
        token->kind = PH_TOKEN_BIG_INTEGER;
        token->value.bytes = number;
        return at;
    }
    token->kind = is_negative ? PH_TOKEN_SIGNED : PH_TOKEN_UNSIGNED;
    token->value.u = is_negative ? 0 - magnitude : magnitude;
    return at;
}

/* Reads the exponent whose letter is at `at`, modulo 2^64; NULL, and *wrong, if it is malformed. */
static const uint8_t *scan_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent,
                                    const uint8_t **wrong)
{
    at++;
    bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '+' || *at == '-');
    uint64_t magnitude = 0;
    const uint8_t *after = scan_digits(at, end, &magnitude);
    if (after == at) {
        *wrong = at;
        return NULL;
    }
    *exponent = (int64_t)(is_negative ? 0 - magnitude : magnitude);
    return after;
}

/* The grammar of numbers, once; without conversion all arithmetic falls away. */
PH_INLINE const uint8_t *scan_number(const uint8_t *number, const uint8_t *end, bool converts,
                                     ph_token *token)
{
    const uint8_t *first = number + (*number == '-');
    uint64_t digits = 0;
    const uint8_t *at = scan_digits(first, end, &digits);
    if (PH_UNLIKELY(at == first)) {
        return refuse_number(at, end, token);
    }
    if (PH_UNLIKELY(*first == '0' && at - first > 1)) {
        return refuse_number(first + 1, end, token);
    }
    if (at == end || !ph_json_is_fraction_or_exponent(*at)) {
        if (converts) {
            return integer_token(number, at, digits, token);
        }
        token->kind = PH_TOKEN_UNSIGNED;
        token->length = (size_t)(at - number);
        return at;
    }
    int64_t fractional = 0;
    int64_t exponent = 0;
    ptrdiff_t count = at - first;
    ptrdiff_t exponent_size = 0;
    if (*at == '.') {
        const uint8_t *fraction = at + 1;
        at = scan_digits(fraction, end, &digits);
        if (PH_UNLIKELY(at == fraction)) {
            return refuse_number(at, end, token);
        }
        fractional = at - fraction;
        count += at - fraction;
    }
    if (at < end && (*at | 0x20) == 'e') {
        const uint8_t *wrong = NULL;
        const uint8_t *after = scan_exponent(at, end, &exponent, &wrong);
        if (PH_UNLIKELY(after == NULL)) {
            return refuse_number(wrong, end, token);
        }
        exponent_size = after - at;
        at = after;
    }
    token->kind = PH_TOKEN_FLOAT64;
    token->length = (size_t)(at - number);
    if (converts) {
        double value = count <= DIGITS_IN_WORD && exponent_size < DIGITS_IN_WORD
                           ? ph_double_from_decimal(digits, exponent - fractional)
                           : ph_double_from_digits(first, (size_t)(at - first));
        token->value.f = first == number ? value : -value;
    }
    return at;
}

const uint8_t *PH_NOINLINE ph_json_scan_number(const uint8_t *number, const uint8_t *end,
                                               ph_token *token)
{
    return scan_number(number, end, true, token);
}

const uint8_t *PH_NOINLINE ph_json_scan_number_text(const uint8_t *number, const uint8_t *end,
                                                    ph_token *token)
{
    return scan_number(number, end, false, token);
}

/* The first byte that departs from the word that begins at `position`, or the end. */
static const uint8_t *departure_from(const char *word, const uint8_t *position, const uint8_t *end)
{
    const uint8_t *at = position;
    while (*word != 0 && at < end && *at == (uint8_t)*word) {
        word++;
        at++;
    }
    return at;
}

const uint8_t *PH_COLD ph_json_refuse(const uint8_t *position, const uint8_t *end,
                                      ph_json_place place, bool after_comma, ph_token *token)
{
    switch (place) {
    case PH_JSON_FIRST_KEY: return ph_json_error(token, PH_ERROR_JSON_KEY, position);
    case PH_JSON_KEY:
        if (!after_comma) {
            return ph_json_error(token, PH_ERROR_JSON_MAP_COMMA, position);
        }
        return ph_json_error(
            token, *position == '}' ? PH_ERROR_JSON_MAP_TRAILING : PH_ERROR_JSON_KEY, position);
    case PH_JSON_ELEMENT:
        if (!after_comma) {
            return ph_json_error(token, PH_ERROR_JSON_ARRAY_COMMA, position);
        }
        if (*position == ']') {
            return ph_json_error(token, PH_ERROR_JSON_ARRAY_TRAILING, position);
        }
        break;
    case PH_JSON_FIRST_ELEMENT:
    case PH_JSON_VALUE: break;
    }
    const uint8_t *at = position;
    switch (*position) {
    case 't': at = departure_from("true", position, end); break;
    case 'f': at = departure_from("false", position, end); break;
    case 'n': at = departure_from("null", position, end); break;
    default: break;
    }
    return ph_json_error(token, at == end ? PH_ERROR_TRUNCATED : PH_ERROR_JSON_CHARACTER, at);
}

/* The value at `position` has been refused at `refused`, which *token says: that stands unless one of
 * the words of PH_JSON_NON_FINITE, or what may become one, is there. */
const uint8_t *PH_COLD ph_json_scan_non_finite(const uint8_t *position, const uint8_t *end,
                                               const uint8_t *refused, ph_token *token)
{
    bool is_negative = *position == '-';
    const uint8_t *word = position + is_negative;
    bool is_nan = word < end && *word == 'N' && !is_negative;
    if (!is_nan && (word == end || *word != 'I')) {
        return refused;
    }
    const uint8_t *behind = departure_from(is_nan ? "NaN" : "Infinity", word, end);
    if (behind - word != (is_nan ? 3 : 8)) {
        return ph_json_error(token, behind == end ? PH_ERROR_TRUNCATED : PH_ERROR_JSON_CHARACTER,
                             behind);
    }
    uint64_t magnitude = is_nan ? UINT64_C(0x7FF8000000000000) : UINT64_C(0x7FF0000000000000);
    token->kind = PH_TOKEN_FLOAT32;
    token->length = (size_t)(behind - position);
    token->value.f = ph_double_from_bits(magnitude | (uint64_t)is_negative << 63);
    return behind;
}
