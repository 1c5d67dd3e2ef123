/* Escapes of JSON strings undone and checked; offsets to lines and columns. */
#include "json/string.h"

#include "text/utf8.h"
#include "json/block.h"

#define NO_DIGIT 16

/* The value of hexadecimal digits; NO_DIGIT, or more, for everything else. */
PH_INLINE unsigned hex_value(uint8_t byte)
{
    unsigned decimal = (unsigned)byte - '0';
    unsigned letter = ((unsigned)byte | 0x20) - 'a';
    return decimal < 10 ? decimal : letter < 6 ? letter + 10 : NO_DIGIT;
}

/* Four hexadecimal digits at `at`; false, and *wrong, if one is missing. */
PH_INLINE bool read_hex(const uint8_t *at, const uint8_t *end, uint32_t *unit,
                        const uint8_t **wrong)
{
    *unit = 0;
    for (unsigned i = 0; i < 4; i++, at++) {
        unsigned digit = at < end ? hex_value(*at) : NO_DIGIT;
        if (PH_UNLIKELY(digit >= NO_DIGIT)) {
            *wrong = at;
            return false;
        }
        *unit = *unit << 4 | digit;
    }
    return true;
}

/* Reads \uXXXX, or a pair of them that is one code point; `at` is at the first digit. Returns the
 * position after it; on error that of the wrong byte, and *code says what is wrong. */
PH_INLINE const uint8_t *read_unicode_escape(const uint8_t *at, const uint8_t *end,
                                             uint32_t *code_point, ph_error_code *code)
{
    const uint8_t *wrong = at;
    uint32_t unit;
    if (!read_hex(at, end, &unit, &wrong)) {
        *code = PH_ERROR_JSON_HEX;
        return wrong;
    }
    *code_point = unit;
    const uint8_t *after = at + 4;
    if (PH_LIKELY((unit & 0xF800) != 0xD800)) {
        return after;
    }
    if ((unit & 0x0400) != 0 || ph_left(after, end) < 2 || after[0] != '\\' || after[1] != 'u') {
        *code = PH_ERROR_JSON_SURROGATE;
        return at - 2;
    }
    uint32_t partner;
    if (!read_hex(after + 2, end, &partner, &wrong)) {
        *code = PH_ERROR_JSON_HEX;
        return wrong;
    }
    if ((partner & 0xFC00) != 0xDC00) {
        *code = PH_ERROR_JSON_SURROGATE;
        return at - 2;
    }
    *code_point = 0x10000 + ((unit & 0x3FF) << 10 | (partner & 0x3FF));
    return after + 6;
}

/* Reads the escape whose backslash is before `at`; as above. */
PH_INLINE const uint8_t *read_escape(const uint8_t *at, const uint8_t *end, uint32_t *code_point,
                                     ph_error_code *code)
{
    uint8_t letter = at < end ? *at : 0;
    switch (letter) {
    case '"':
    case '\\':
    case '/': *code_point = letter; return at + 1;
    case 'b': *code_point = '\b'; return at + 1;
    case 'f': *code_point = '\f'; return at + 1;
    case 'n': *code_point = '\n'; return at + 1;
    case 'r': *code_point = '\r'; return at + 1;
    case 't': *code_point = '\t'; return at + 1;
    case 'u': return read_unicode_escape(at + 1, end, code_point, code);
    default: *code = PH_ERROR_JSON_ESCAPE; return at;
    }
}

static ph_error error_at(ph_error_code code, const uint8_t *text, const uint8_t *at)
{
    ph_error error = {code, (uint64_t)(at - text)};
    return error;
}

/* The walk over a raw text; without `writes` it only checks. */
PH_INLINE ph_error walk_text(uint8_t *to, const uint8_t *text, size_t size, bool writes,
                             size_t *written)
{
    const uint8_t *at = text;
    const uint8_t *end = text + size;
    uint8_t *start = to;
    while (at < end) {
        if (*at == '\\') {
            uint32_t code_point = 0;
            ph_error_code code = PH_ERROR_NONE;
            at = read_escape(at + 1, end, &code_point, &code);
            if (PH_UNLIKELY(code != PH_ERROR_NONE)) {
                return error_at(code, text, at);
            }
            if (writes) {
                to = ph_utf8_put(to, code_point);
            }
            continue;
        }
        /* What is written is never ahead of what is read: a whole block fits if one is left. */
        unsigned count = 1;
        if (ph_left(at, end) >= PH_BLOCK_BYTES) {
            ph_block block = ph_block_load(at);
            ph_block_mask specials = ph_block_specials(block);
            if (writes) {
                ph_block_store(to, block);
            }
            count = specials == 0 ? PH_BLOCK_BYTES : ph_block_first(specials);
            count += count == 0; /* a byte that should be escaped, in a text that no scanner saw */
        } else if (writes) {
            *to = *at;
        }
        at += count;
        if (writes) {
            to += count;
        }
    }
    if (writes) {
        *written = (size_t)(to - start);
    }
    return error_at(PH_ERROR_NONE, text, text);
}

ph_error ph_json_unescape(uint8_t *to, const uint8_t *text, size_t size, size_t *written)
{
    return walk_text(to, text, size, true, written);
}

ph_error ph_json_check_string(const uint8_t *text, size_t size, bool has_escapes, bool is_ascii)
{
    ph_error error = {PH_ERROR_NONE, 0};
    size_t valid_bytes = is_ascii ? size : ph_utf8_valid_bytes(text, size);
    if (has_escapes) {
        error = walk_text(NULL, text, size, false, NULL);
    }
    if (valid_bytes != size && (error.code == PH_ERROR_NONE || valid_bytes < error.offset)) {
        error.code = PH_ERROR_INVALID_UTF8;
        error.offset = valid_bytes;
    }
    return error;
}

ph_line_column ph_text_locate(const uint8_t *text, size_t offset)
{
    ph_line_column where = {1, 1};
    const uint8_t *at = text;
    const uint8_t *end = offset == 0 ? text : text + offset;
    while (at < end) {
        if (*at == '\n') {
            where.line++;
            where.column = 0;
        }
        size_t length = ph_utf8_sequence_length(at, end);
        at += length == 0 ? 1 : length;
        where.column++;
    }
    return where;
}
