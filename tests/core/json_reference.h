/* A slow JSON recogniser, written from RFC 8259's grammar and nothing else: one function a rule. */
#ifndef TESTS_CORE_JSON_REFERENCE_H
#define TESTS_CORE_JSON_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REFERENCE_DEPTH 64

typedef struct reference {
    const uint8_t *at;
    const uint8_t *end;
    int depth;
} reference;

static inline bool reference_value(reference *input);

static inline bool reference_take(reference *input, uint8_t byte)
{
    if (input->at == input->end || *input->at != byte) {
        return false;
    }
    input->at++;
    return true;
}

static inline bool reference_in(reference *input, uint8_t low, uint8_t high)
{
    return input->at < input->end && *input->at >= low && *input->at <= high;
}

static inline void reference_space(reference *input)
{
    while (input->at < input->end && strchr(" \n\r\t", *input->at) != NULL && *input->at != 0) {
        input->at++;
    }
}

static inline bool reference_digits(reference *input)
{
    if (!reference_in(input, '0', '9')) {
        return false;
    }
    while (reference_in(input, '0', '9')) {
        input->at++;
    }
    return true;
}

static inline bool reference_number(reference *input)
{
    reference_take(input, '-');
    if (!reference_take(input, '0') &&
        !(reference_in(input, '1', '9') && reference_digits(input))) {
        return false;
    }
    if (reference_take(input, '.') && !reference_digits(input)) {
        return false;
    }
    if (reference_take(input, 'e') || reference_take(input, 'E')) {
        if (!reference_take(input, '+')) {
            reference_take(input, '-');
        }
        return reference_digits(input);
    }
    return true;
}

static inline bool reference_hex(reference *input, unsigned *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++, input->at++) {
        if (reference_in(input, '0', '9')) {
            *unit = *unit * 16 + *input->at - '0';
        } else if (reference_in(input, 'a', 'f')) {
            *unit = *unit * 16 + *input->at - 'a' + 10;
        } else if (reference_in(input, 'A', 'F')) {
            *unit = *unit * 16 + *input->at - 'A' + 10;
        } else {
            return false;
        }
    }
    return true;
}

static inline bool reference_escape(reference *input)
{
    if (input->at == input->end) {
        return false;
    }
    uint8_t letter = *input->at++;
    if (letter != 'u') {
        return letter != 0 && strchr("\"\\/bfnrt", letter) != NULL;
    }
    unsigned unit;
    unsigned partner;
    if (!reference_hex(input, &unit)) {
        return false;
    }
    if (unit < 0xD800 || unit > 0xDFFF) {
        return true;
    }
    return unit < 0xDC00 && reference_take(input, '\\') && reference_take(input, 'u') &&
           reference_hex(input, &partner) && partner >= 0xDC00 && partner <= 0xDFFF;
}

static inline bool reference_continuation(reference *input, uint8_t low, uint8_t high)
{
    bool is_in = reference_in(input, low, high);
    input->at += is_in;
    return is_in;
}

/* One character that is not ASCII: table 3-7 of the Unicode standard. */
static inline bool reference_character(reference *input)
{
    uint8_t lead = *input->at++;
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    int more = lead >= 0xC2 && lead <= 0xDF   ? 1
               : lead >= 0xE0 && lead <= 0xEF ? 2
               : lead >= 0xF0 && lead <= 0xF4 ? 3
                                              : 0;
    if (more == 0 || !reference_continuation(input, low, high)) {
        return false;
    }
    while (--more > 0) {
        if (!reference_continuation(input, 0x80, 0xBF)) {
            return false;
        }
    }
    return true;
}

static inline bool reference_string(reference *input)
{
    if (!reference_take(input, '"')) {
        return false;
    }
    while (!reference_take(input, '"')) {
        if (reference_take(input, '\\')) {
            if (!reference_escape(input)) {
                return false;
            }
        } else if (input->at == input->end || *input->at < 0x20) {
            return false;
        } else if (*input->at < 0x80) {
            input->at++;
        } else if (!reference_character(input)) {
            return false;
        }
    }
    return true;
}

static inline bool reference_container(reference *input, bool is_map)
{
    uint8_t bracket = is_map ? '}' : ']';
    input->at++;
    reference_space(input);
    if (reference_take(input, bracket)) {
        return true;
    }
    do {
        reference_space(input);
        if (is_map) {
            if (!reference_string(input)) {
                return false;
            }
            reference_space(input);
            if (!reference_take(input, ':')) {
                return false;
            }
        }
        if (!reference_value(input)) {
            return false;
        }
        reference_space(input);
    } while (reference_take(input, ','));
    return reference_take(input, bracket);
}

static inline bool reference_word(reference *input, const char *word)
{
    while (*word != 0) {
        if (!reference_take(input, (uint8_t)*word++)) {
            return false;
        }
    }
    return true;
}

static inline bool reference_value(reference *input)
{
    reference_space(input);
    if (input->at == input->end) {
        return false;
    }
    switch (*input->at) {
    case '{':
    case '[': {
        if (input->depth == REFERENCE_DEPTH) {
            return false;
        }
        input->depth++;
        bool is_valid = reference_container(input, *input->at == '{');
        input->depth--;
        return is_valid;
    }
    case '"': return reference_string(input);
    case 't': return reference_word(input, "true");
    case 'f': return reference_word(input, "false");
    case 'n': return reference_word(input, "null");
    default: return reference_number(input);
    }
}

/* Whether the bytes are one JSON document, nested no deeper than REFERENCE_DEPTH. */
static inline bool reference_accepts(const uint8_t *text, size_t size)
{
    reference input = {text, text + size, 0};
    if (!reference_value(&input)) {
        return false;
    }
    reference_space(&input);
    return input.at == input.end;
}

#endif
