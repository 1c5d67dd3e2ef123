/* Escapes of JSON strings undone and checked; offsets to lines and columns. */
#include "json/string.h"

#include "text/utf8.h"
#include "json/string_window.h"

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

/* The characters that letters after a backslash stand for; 0 for all others. */
static const uint8_t letter_escapes[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

/* Reads the escape whose backslash is before `at`; as above. */
PH_INLINE const uint8_t *read_escape(const uint8_t *at, const uint8_t *end, uint32_t *code_point,
                                     ph_error_code *code)
{
    uint8_t letter = at < end ? *at : 0;
    if (letter == 'u') {
        return read_unicode_escape(at + 1, end, code_point, code);
    }
    *code_point = letter_escapes[letter];
    *code = *code_point == 0 ? PH_ERROR_JSON_ESCAPE : PH_ERROR_NONE;
    return *code_point == 0 ? at : at + 1;
}

static ph_error error_at(ph_error_code code, const uint8_t *text, const uint8_t *at)
{
    ph_error error = {code, (uint64_t)(at - text)};
    return error;
}

/* A walk over a raw text. */
typedef struct text_walk {
    const uint8_t *at;
    const uint8_t *end;
    const uint8_t *readable_end; /* memory after `end` may be read up to here */
    uint8_t *to;                 /* NULL: only check */
    ph_error_code code;          /* what is wrong at `at` */
} text_walk;

/* Escapes from `at` on, up to the next character that is none; false on error. */
PH_INLINE bool walk_escapes(text_walk *walk)
{
    do {
        uint32_t code_point = 0;
        walk->at = read_escape(walk->at + 1, walk->end, &code_point, &walk->code);
        if (PH_UNLIKELY(walk->code != PH_ERROR_NONE)) {
            return false;
        }
        if (walk->to != NULL) {
            walk->to = ph_utf8_put(walk->to, code_point);
        }
    } while (walk->at < walk->end && *walk->at == '\\');
    return true;
}

/* Plain characters up to `stop`, block by block. */
PH_INLINE void walk_plain(text_walk *walk, const uint8_t *stop)
{
    size_t count = ph_left(walk->at, stop);
    if (walk->to != NULL) {
        ph_block16 block = ph_load_block16(walk->at);
        memcpy(walk->to, &block, sizeof block);
        for (size_t done = 16; PH_UNLIKELY(done < count); done += 16) {
            block = ph_load_block16(walk->at + done);
            memcpy(walk->to + done, &block, sizeof block);
        }
        walk->to += count;
    }
    walk->at = stop;
}

/* Room for the blocks of walk_plain, which may begin with the last byte of a window. */
#define WINDOW_AND_BLOCK (PH_STRING_WINDOW_BYTES + 16)

/* One window, or what comes before an escape of the longer kind within it, and that. */
PH_INLINE bool walk_window(text_walk *walk)
{
    const uint8_t *base = walk->at;
    size_t count = ph_left(base, walk->end);
    uint64_t backslashes = ph_string_window_load(base).backslashes;
    uint64_t escapes = backslashes & ~ph_string_window_escaped(backslashes);
    if (count < PH_STRING_WINDOW_BYTES) {
        escapes &= ((uint64_t)1 << count) - 1;
    } else {
        count = PH_STRING_WINDOW_BYTES;
    }
    while (escapes != 0) {
        size_t index = (size_t)__builtin_ctzll(escapes);
        walk_plain(walk, base + index);
        uint8_t letter = index + 1 < count ? letter_escapes[base[index + 1]] : 0;
        if (PH_UNLIKELY(letter == 0)) {
            return walk_escapes(walk);
        }
        if (walk->to != NULL) {
            *walk->to++ = letter;
        }
        walk->at += 2;
        escapes &= escapes - 1;
    }
    walk_plain(walk, base + count);
    return true;
}

/* The end of a text behind which nothing may be read or written. */
PH_INLINE bool walk_end(text_walk *walk)
{
    while (walk->at < walk->end) {
        if (*walk->at == '\\') {
            if (PH_UNLIKELY(!walk_escapes(walk))) {
                return false;
            }
            continue;
        }
        if (walk->to != NULL) {
            *walk->to++ = *walk->at;
        }
        walk->at++;
    }
    return true;
}

PH_INLINE ph_error walk_text(text_walk *walk)
{
    const uint8_t *text = walk->at;
    bool is_right = true;
    /* What is written is never ahead of what is read: where a block is left it also fits. */
    while (is_right && walk->at < walk->end &&
           ph_left(walk->at, walk->readable_end) >= WINDOW_AND_BLOCK) {
        is_right = walk_window(walk);
    }
    if (is_right) {
        walk_end(walk);
    }
    return error_at(walk->code, text, walk->code == PH_ERROR_NONE ? text : walk->at);
}

ph_error ph_json_unescape_within(uint8_t *to, const uint8_t *text, size_t size,
                                 const uint8_t *readable_end, size_t *written)
{
    text_walk walk = {text, text + size, readable_end, to, PH_ERROR_NONE};
    ph_error error = walk_text(&walk);
    if (error.code == PH_ERROR_NONE) {
        *written = (size_t)(walk.to - to);
    }
    return error;
}

ph_error ph_json_unescape(uint8_t *to, const uint8_t *text, size_t size, size_t *written)
{
    return ph_json_unescape_within(to, text, size, text + size, written);
}

ph_error ph_json_check_string(const uint8_t *text, size_t size, bool has_escapes, bool is_ascii)
{
    ph_error error = {PH_ERROR_NONE, 0};
    size_t valid_bytes = is_ascii ? size : ph_utf8_valid_bytes(text, size);
    if (has_escapes) {
        text_walk walk = {text, text + size, text + size, NULL, PH_ERROR_NONE};
        error = walk_text(&walk);
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
