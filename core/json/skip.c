/* The walk that checks a JSON value and builds nothing. */
#include "json/skip.h"

#include "json/nesting.h"
#include "json/string.h"

/* Inlined once for the strict dialect, which then does not ask, and once for all others. */
PH_INLINE const uint8_t *skip_value(const uint8_t *position, const uint8_t *end, uint32_t depth,
                                    ph_json_options options, ph_error_code *code)
{
    ph_json_nesting nesting;
    ph_json_nesting_init(&nesting, depth);
    ph_json_place place = PH_JSON_VALUE;
    for (;;) {
        ph_token token;
        position = ph_json_next(position, end, place, options, &token);
        switch (token.kind) {
        case PH_TOKEN_ERROR: *code = (ph_error_code)token.length; return position;
        case PH_TOKEN_ARRAY:
        case PH_TOKEN_MAP: {
            bool is_map = token.kind == PH_TOKEN_MAP;
            if (PH_UNLIKELY(!ph_json_nesting_enter(&nesting, is_map))) {
                *code = PH_ERROR_DEPTH_LIMIT;
                return position - 1;
            }
            place = is_map ? PH_JSON_FIRST_KEY : PH_JSON_FIRST_ELEMENT;
            continue;
        }
        case PH_TOKEN_END_ARRAY:
        case PH_TOKEN_END_MAP: ph_json_nesting_leave(&nesting); break;
        case PH_TOKEN_STRING:
        case PH_TOKEN_ESCAPED_STRING: {
            bool is_escaped = token.kind == PH_TOKEN_ESCAPED_STRING;
            if (PH_UNLIKELY(is_escaped || token.ext_type != 0)) {
                ph_error error = ph_json_check_string(token.value.bytes, token.length, is_escaped,
                                                      token.ext_type == 0);
                if (PH_UNLIKELY(error.code != PH_ERROR_NONE)) {
                    *code = error.code;
                    return token.value.bytes + error.offset;
                }
            }
            if (place == PH_JSON_FIRST_KEY || place == PH_JSON_KEY) {
                place = PH_JSON_VALUE;
                continue;
            }
            break;
        }
        default: break;
        }
        if (nesting.depth == 0) {
            *code = PH_ERROR_NONE;
            return position;
        }
        place = ph_json_nesting_place(&nesting);
    }
}

const uint8_t *ph_json_skip(const uint8_t *position, const uint8_t *end, uint32_t depth,
                            ph_json_options options, ph_error_code *code)
{
    return (options & PH_JSON_DIALECT) == 0
               ? skip_value(position, end, depth, PH_JSON_NUMBERS_AS_TEXT, code)
               : skip_value(position, end, depth, options | PH_JSON_NUMBERS_AS_TEXT, code);
}
