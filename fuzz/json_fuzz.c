/* Skipping, laying out, scanning and unescaping JSON agree about what is JSON and where it is not;
 * what was laid out reads the same; numbers come back from their own text. */
#include "fuzz_input.h"

#include "text/utf8.h"
#include "json/format.h"
#include "json/nesting.h"
#include "json/string.h"

#include <string.h>

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static const ph_allocator allocator = {resize, NULL};

static ph_error lay_out(ph_buffer *output, const uint8_t *text, size_t size, int32_t indent,
                        ph_json_options options)
{
    ph_buffer_init(output, &allocator);
    return ph_json_format(output, text, size, indent, PH_JSON_SKIP_DEPTH, options);
}

static void check_float(double value)
{
    uint8_t text[PH_FLOAT_TEXT_ROOM];
    ph_token token;
    if (value - value != 0) {
        return; /* overflowed, which the host refuses */
    }
    for (int style = PH_FLOAT_STYLE_MSGSPEC; style <= PH_FLOAT_STYLE_PYTHON; style++) {
        uint8_t *end = ph_text_put_double(text, value, (ph_float_style)style);
        const uint8_t *next = ph_json_next(text, end, PH_JSON_VALUE, PH_JSON_STRICT, &token);
        FUZZ_CHECK(next == end && token.kind == PH_TOKEN_FLOAT64);
        FUZZ_CHECK(memcmp(&token.value.f, &value, sizeof value) == 0);
    }
}

static void check_integer(const ph_token *token, const uint8_t *number)
{
    uint8_t text[PH_INTEGER_TEXT_ROOM];
    uint8_t *end = token->kind == PH_TOKEN_SIGNED ? ph_text_put_i64(text, token->value.i)
                                                  : ph_text_put_u64(text, token->value.u);
    bool minus_zero = token->kind == PH_TOKEN_SIGNED && token->value.i == 0;
    FUZZ_CHECK(minus_zero ||
               ((size_t)(end - text) == token->length && memcmp(text, number, token->length) == 0));
}

/* The code for the text of a string token, and its offset in *at. */
static ph_error_code check_string(const ph_token *token, const uint8_t **at)
{
    bool is_escaped = token->kind == PH_TOKEN_ESCAPED_STRING;
    const uint8_t *text = token->value.bytes;
    size_t valid = ph_utf8_valid_bytes(text, token->length);
    FUZZ_CHECK(token->ext_type != 0 || valid == token->length);
    ph_error checked = ph_json_check_string(text, token->length, is_escaped, token->ext_type == 0);
    if (checked.code == PH_ERROR_NONE && is_escaped) {
        size_t written;
        uint8_t *plain = malloc(token->length);
        FUZZ_CHECK(plain != NULL);
        FUZZ_CHECK(ph_json_unescape(plain, text, token->length, &written).code == PH_ERROR_NONE);
        FUZZ_CHECK(written < token->length);
        FUZZ_CHECK(ph_utf8_valid_bytes(plain, written) == written);
        free(plain);
    }
    *at = text + checked.offset;
    return checked.code;
}

/* A walk with values, as a host does it; returns where it ended and says why. */
static const uint8_t *walk(const uint8_t *position, const uint8_t *end, ph_json_options options,
                           ph_error_code *code)
{
    ph_json_nesting nesting;
    ph_json_nesting_init(&nesting, PH_JSON_SKIP_DEPTH);
    ph_json_place place = PH_JSON_VALUE;
    *code = PH_ERROR_NONE;
    do {
        ph_token token;
        const uint8_t *next = ph_json_next(position, end, place, options, &token);
        FUZZ_CHECK(next >= position && next <= end);
        position = next;
        bool is_key = place == PH_JSON_FIRST_KEY || place == PH_JSON_KEY;
        if (token.kind == PH_TOKEN_ERROR) {
            *code = (ph_error_code)token.length;
            return position;
        }
        if (token.kind == PH_TOKEN_ARRAY || token.kind == PH_TOKEN_MAP) {
            bool is_map = token.kind == PH_TOKEN_MAP;
            if (!ph_json_nesting_enter(&nesting, is_map)) {
                *code = PH_ERROR_DEPTH_LIMIT;
                return position - 1;
            }
            place = is_map ? PH_JSON_FIRST_KEY : PH_JSON_FIRST_ELEMENT;
            continue;
        }
        if (token.kind == PH_TOKEN_END_ARRAY || token.kind == PH_TOKEN_END_MAP) {
            ph_json_nesting_leave(&nesting);
        } else if (token.kind == PH_TOKEN_STRING || token.kind == PH_TOKEN_ESCAPED_STRING) {
            const uint8_t *at;
            *code = check_string(&token, &at);
            if (*code != PH_ERROR_NONE) {
                return at;
            }
            if (is_key) {
                place = PH_JSON_VALUE;
                continue;
            }
        } else if (token.kind == PH_TOKEN_FLOAT64) {
            check_float(token.value.f);
        } else if (token.kind == PH_TOKEN_SIGNED || token.kind == PH_TOKEN_UNSIGNED) {
            check_integer(&token, position - token.length);
        }
        place = nesting.depth == 0 ? PH_JSON_VALUE : ph_json_nesting_place(&nesting);
    } while (nesting.depth != 0 || place != PH_JSON_VALUE);
    return position;
}

/* Minified, then laid out and minified again: the same. */
static void check_layouts(const ph_buffer *minified, const uint8_t *text, size_t size,
                          ph_json_options options)
{
    for (int32_t indent = PH_JSON_MINIFIED; indent <= 3; indent++) {
        ph_buffer output, again;
        FUZZ_CHECK(lay_out(&output, text, size, indent, options).code == PH_ERROR_NONE);
        size_t length = ph_buffer_length(&output);
        ph_error error = lay_out(&again, output.start, length, PH_JSON_MINIFIED, PH_JSON_STRICT);
        FUZZ_CHECK(error.code == PH_ERROR_NONE);
        FUZZ_CHECK(ph_buffer_length(&again) == ph_buffer_length(minified));
        FUZZ_CHECK(memcmp(again.start, minified->start, ph_buffer_length(&again)) == 0);
        ph_buffer_clear(&output);
        ph_buffer_clear(&again);
    }
}

static void check_text(const uint8_t *text, size_t size, ph_json_options options)
{
    const uint8_t *end = text + size;
    ph_error_code skipped, walked;
    const uint8_t *skip_end = ph_json_skip(text, end, PH_JSON_SKIP_DEPTH, options, &skipped);
    const uint8_t *walk_end = walk(text, end, options, &walked);
    FUZZ_CHECK(skipped == walked && skip_end == walk_end);

    ph_buffer minified;
    ph_error error = lay_out(&minified, text, size, PH_JSON_MINIFIED, options);
    if (skipped == PH_ERROR_NONE) {
        const uint8_t *rest = ph_json_space(skip_end, end, options);
        FUZZ_CHECK(error.code == (rest == end ? PH_ERROR_NONE : PH_ERROR_EXTRA_DATA));
        FUZZ_CHECK(error.offset == (uint64_t)(rest - text));
    } else {
        FUZZ_CHECK(error.code == skipped && error.offset == (uint64_t)(skip_end - text));
    }
    if (error.code == PH_ERROR_NONE) {
        check_layouts(&minified, text, size, options);
    }
    ph_buffer_clear(&minified);
    ph_line_column where = ph_text_locate(text, size);
    FUZZ_CHECK(where.line >= 1 && where.column >= 1 && where.line + where.column <= size + 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t setting = fuzz_setting(&data, &size);
    /* A block of exact size, so that a byte read too far is noticed. */
    uint8_t *text = malloc(size == 0 ? 1 : size);
    FUZZ_CHECK(text != NULL);
    if (size != 0) {
        memcpy(text, data, size);
    }
    check_text(text, size, (setting & 1) != 0 ? PH_JSON_RELAXED : PH_JSON_STRICT);
    free(text);
    return 0;
}
