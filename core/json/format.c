/* The walk that copies JSON tokens with new white space between them. */
#include "json/format.h"

#include "json/nesting.h"
#include "json/print.h"
#include "json/string.h"

/* How the output is laid out; step is spaces a level. */
typedef struct layout {
    bool has_spaces;
    bool has_lines;
    size_t step;
} layout;

/* What one token may need besides its own text and a line break: comma, colon and spaces, and what
 * copying whole blocks writes behind the text. */
#define TOKEN_ROOM (8 + 2 * PH_BLOCK_BYTES)

PH_INLINE bool has_room(ph_buffer *output, const ph_json_nesting *nesting, layout form, size_t size)
{
    size_t indentation = form.has_lines ? ph_json_break_room(nesting->depth, form.step) : 0;
    return ph_buffer_ensure(output, size + indentation + TOKEN_ROOM);
}

/* Copies a token's text; whole blocks if the input has them, so that short texts take no call. */
PH_INLINE void append_text(ph_buffer *output, const uint8_t *text, size_t size, const uint8_t *end)
{
    uint8_t *to = output->end;
    if (PH_LIKELY(size <= 2 * PH_BLOCK_BYTES && ph_left(text, end) >= 2 * PH_BLOCK_BYTES)) {
        ph_block_store(to, ph_block_load(text));
        ph_block_store(to + PH_BLOCK_BYTES, ph_block_load(text + PH_BLOCK_BYTES));
    } else {
        memcpy(to, text, size);
    }
    output->end = to + size;
}

PH_INLINE void append_byte(ph_buffer *output, uint8_t byte)
{
    *output->end++ = byte;
}

/* What stands before an element or a key: a comma unless it is the first, and a break or space. */
PH_INLINE void append_separator(ph_buffer *output, const ph_json_nesting *nesting, layout form,
                                ph_json_place place)
{
    bool is_first = place == PH_JSON_FIRST_ELEMENT || place == PH_JSON_FIRST_KEY;
    if (!is_first) {
        append_byte(output, ',');
    }
    if (form.has_lines) {
        output->end = ph_json_put_break(output->end, nesting->depth, form.step);
    } else if (form.has_spaces && !is_first) {
        append_byte(output, ' ');
    }
}

/* Leaves a container whose bracket has been read; empty ones are closed on the same line. */
PH_INLINE void append_end(ph_buffer *output, ph_json_nesting *nesting, layout form,
                          ph_json_place place, uint8_t bracket)
{
    ph_json_nesting_leave(nesting);
    if (form.has_lines && place != PH_JSON_FIRST_ELEMENT && place != PH_JSON_FIRST_KEY) {
        output->end = ph_json_put_break(output->end, nesting->depth, form.step);
    }
    append_byte(output, bracket);
}

/* Where the text of a scalar or string token is, which ends at `position` (before the colon and the
 * space around it, for keys). */
PH_INLINE const uint8_t *token_text(const ph_token *token, const uint8_t *position, size_t *size)
{
    switch (token->kind) {
    case PH_TOKEN_STRING:
    case PH_TOKEN_ESCAPED_STRING: *size = token->length + 2; return token->value.bytes - 1;
    case PH_TOKEN_NIL:
    case PH_TOKEN_TRUE: *size = 4; break;
    case PH_TOKEN_FALSE: *size = 5; break;
    default: *size = token->length; break;
    }
    return position - *size;
}

PH_INLINE ph_error check_token(const ph_token *token, const uint8_t *text)
{
    ph_error error = {PH_ERROR_NONE, 0};
    bool is_escaped = token->kind == PH_TOKEN_ESCAPED_STRING;
    bool is_string = is_escaped || token->kind == PH_TOKEN_STRING;
    if (is_string && PH_UNLIKELY(is_escaped || token->ext_type != 0)) {
        error = ph_json_check_string(token->value.bytes, token->length, is_escaped,
                                     token->ext_type == 0);
        error.offset += (uint64_t)(token->value.bytes - text);
    }
    return error;
}

static ph_error error_at(ph_error_code code, const uint8_t *text, const uint8_t *position)
{
    ph_error error = {code, (uint64_t)(position - text)};
    return error;
}

/* Inlined for each layout that must be fast. */
PH_INLINE ph_error format_document(ph_buffer *output, const uint8_t *text, size_t size, layout form,
                                   uint32_t depth, ph_json_options options)
{
    const uint8_t *position = text;
    const uint8_t *end = text + size;
    ph_json_nesting nesting;
    ph_json_nesting_init(&nesting, depth);
    ph_json_place place = PH_JSON_VALUE;
    do {
        ph_token token;
        position = ph_json_next(position, end, place, options, &token);
        if (PH_UNLIKELY(token.kind == PH_TOKEN_ERROR)) {
            return error_at((ph_error_code)token.length, text, position);
        }
        size_t token_size = 0;
        const uint8_t *token_start = token_text(&token, position, &token_size);
        if (PH_UNLIKELY(!has_room(output, &nesting, form, token_size))) {
            return error_at(PH_ERROR_NO_MEMORY, text, position);
        }
        if (token.kind == PH_TOKEN_END_ARRAY || token.kind == PH_TOKEN_END_MAP) {
            append_end(output, &nesting, form, place, token.kind == PH_TOKEN_END_MAP ? '}' : ']');
        } else {
            if (place != PH_JSON_VALUE) {
                append_separator(output, &nesting, form, place);
            }
            if (token.kind == PH_TOKEN_ARRAY || token.kind == PH_TOKEN_MAP) {
                bool is_map = token.kind == PH_TOKEN_MAP;
                append_byte(output, is_map ? '{' : '[');
                if (PH_UNLIKELY(!ph_json_nesting_enter(&nesting, is_map))) {
                    return error_at(PH_ERROR_DEPTH_LIMIT, text, position - 1);
                }
                place = is_map ? PH_JSON_FIRST_KEY : PH_JSON_FIRST_ELEMENT;
                continue;
            }
            ph_error error = check_token(&token, text);
            if (PH_UNLIKELY(error.code != PH_ERROR_NONE)) {
                return error;
            }
            append_text(output, token_start, token_size, end);
            if (place == PH_JSON_FIRST_KEY || place == PH_JSON_KEY) {
                append_byte(output, ':');
                if (form.has_spaces) {
                    append_byte(output, ' ');
                }
                place = PH_JSON_VALUE;
                continue;
            }
        }
        place = nesting.depth == 0 ? PH_JSON_VALUE : ph_json_nesting_place(&nesting);
    } while (nesting.depth != 0 || place != PH_JSON_VALUE);
    position = ph_json_space(position, end, options);
    return error_at(position == end ? PH_ERROR_NONE : PH_ERROR_EXTRA_DATA, text, position);
}

ph_error ph_json_format(ph_buffer *output, const uint8_t *text, size_t size, int32_t indent,
                        uint32_t depth, ph_json_options options)
{
    if (indent < 0 && (options & PH_JSON_DIALECT) == 0) {
        layout minified = {false, false, 0};
        return format_document(output, text, size, minified, depth, PH_JSON_NUMBERS_AS_TEXT);
    }
    options |= PH_JSON_NUMBERS_AS_TEXT;
    layout form = {indent >= 0, indent > 0, 0};
    form.step = indent > PH_JSON_INDENT_MAX ? PH_JSON_INDENT_MAX : indent > 0 ? (size_t)indent : 0;
    return format_document(output, text, size, form, depth, options);
}
