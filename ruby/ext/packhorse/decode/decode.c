/* The element loop: ask the cursor for a token, make an object of it. */
#include "decode/decode.h"

#include "decode/decode_ext.h"
#include "decode/decode_path.h"
#include "wire/cursor.h"

/* Values reserved at once because a header claims them; more are reserved as they arrive. */
#define HINT_MAX ((size_t)1 << 17)

void ph_decoder_init(ph_decoder *decoder, const uint8_t *start, const uint8_t *end, VALUE holder,
                     const ph_decode_options *options, VALUE types)
{
    decoder->start = start;
    decoder->end = end;
    decoder->position = start;
    decoder->holder = holder;
    decoder->offset = 0;
    decoder->options = options;
    decoder->types = types;
    decoder->depth = 0;
    decoder->recursion = 0;
    decoder->host.commit = NULL;
    decoder->host.nested_unpacker = NULL;
    decoder->host.context = NULL;
    decoder->failure.kind = PH_FAILURE_NONE;
    decoder->committed = false;
    ph_builder_init(&decoder->builder, options->freeze, options->symbolize_keys,
                    options->use_key_cache);
}

static PH_NOINLINE ph_error_code check_limit(const ph_limits *limits, const ph_token *token)
{
    switch (token->kind) {
    case PH_TOKEN_STRING:
        return token->length > limits->string_bytes ? PH_ERROR_STRING_LIMIT : PH_ERROR_NONE;
    case PH_TOKEN_BINARY:
        return token->length > limits->binary_bytes ? PH_ERROR_BINARY_LIMIT : PH_ERROR_NONE;
    case PH_TOKEN_EXT:
        return token->length > limits->ext_bytes ? PH_ERROR_EXT_LIMIT : PH_ERROR_NONE;
    case PH_TOKEN_ARRAY:
        return token->length > limits->array_elements ? PH_ERROR_ARRAY_LIMIT : PH_ERROR_NONE;
    case PH_TOKEN_MAP:
        return token->length > limits->map_entries ? PH_ERROR_MAP_LIMIT : PH_ERROR_NONE;
    default: return PH_ERROR_NONE;
    }
}

/* Fills the failure: the code of an error token, or one found by the host. */
static PH_COLD VALUE fail(ph_decoder *decoder, const ph_decode_place *place, ph_failure_kind kind,
                          ph_error_code code, const uint8_t *at)
{
    decoder->failure.kind = kind;
    decoder->failure.code = code;
    decoder->failure.offset = decoder->offset + ph_left(decoder->start, at);
    decoder->failure.path = ph_decode_path(decoder->stack, place);
    return Qundef;
}

#define FAIL(kind, code)                                                        \
 do {                                                                           \
  ph_decode_place place = {.open = open, .base = base, .map = map, .top = top}; \
  return fail(decoder, &place, kind, code, at);                                 \
 } while (0)

#define LIMIT()                                                \
 do {                                                          \
  if (PH_UNLIKELY(options->limited)) {                         \
   ph_error_code code = check_limit(&options->limits, &token); \
   if (code != PH_ERROR_NONE) {                                \
    FAIL(PH_FAILURE_CORE, code);                               \
   }                                                           \
  }                                                            \
 } while (0)

/* Elements of which so many come, or more, are worth a call of read_immediates. */
#define RUN_SHORTEST 16

/* Reads what needs neither memory nor a look at the options, up to `limit`, and moves *to. Returns the
 * position of what is something else. Most long arrays are numbers, and a loop that knows no more is
 * faster than the one that knows all. */
static PH_NOINLINE const uint8_t *read_immediates(const uint8_t *position, const uint8_t *end,
                                                  VALUE **to, const VALUE *limit)
{
    VALUE *at = *to;
    while (at < limit) {
        ph_token token;
        const uint8_t *behind = ph_cursor_next(position, end, &token);
        switch (token.kind) {
        case PH_TOKEN_UNSIGNED: *at = ph_build_unsigned(token.value.u); break;
        case PH_TOKEN_SIGNED: *at = ph_build_signed(token.value.i); break;
        case PH_TOKEN_FLOAT32:
        case PH_TOKEN_FLOAT64: *at = ph_float_new(token.value.f); break;
        case PH_TOKEN_NIL: *at = Qnil; break;
        case PH_TOKEN_FALSE: *at = Qfalse; break;
        case PH_TOKEN_TRUE: *at = Qtrue; break;
        default: *to = at; return position;
        }
        at++;
        position = behind;
    }
    *to = at;
    return position;
}

static VALUE run(ph_decoder *decoder)
{
    const ph_decode_options *options = decoder->options;
    const uint8_t *position = decoder->start;
    const uint8_t *end = decoder->end;
    ph_value_stack *stack = decoder->stack;
    ph_builder *builder = &decoder->builder;
    VALUE *values = stack->values;
    size_t capacity = stack->capacity;
    size_t top = 0;
    size_t open = 0;
    size_t base = 0; /* these three: the frame at the top */
    uint64_t left = 1;
    bool map = false;
    size_t depth_left =
        options->limits.depth > decoder->depth ? options->limits.depth - decoder->depth : 0;

    for (;;) {
        ph_token token;
        VALUE value;
        const uint8_t *at = position;
        position = ph_cursor_next(position, end, &token);
        switch (token.kind) {
        case PH_TOKEN_NIL: value = Qnil; break;
        case PH_TOKEN_FALSE: value = Qfalse; break;
        case PH_TOKEN_TRUE: value = Qtrue; break;
        case PH_TOKEN_UNSIGNED: value = ph_build_unsigned(token.value.u); break;
        case PH_TOKEN_SIGNED: value = ph_build_signed(token.value.i); break;
        case PH_TOKEN_FLOAT32:
        case PH_TOKEN_FLOAT64: value = ph_float_new(token.value.f); break;
        case PH_TOKEN_STRING:
            LIMIT();
            if (map && (left & 1) == 0) {
                value = ph_build_key(builder, token.value.bytes, token.length);
                if (PH_UNLIKELY(value == Qundef)) {
                    FAIL(PH_FAILURE_INVALID_SYMBOL, PH_ERROR_INVALID_UTF8);
                }
            } else {
                value = ph_build_text(builder, token.value.bytes, token.length);
            }
            break;
        case PH_TOKEN_BINARY:
            LIMIT();
            if (map && (left & 1) == 0 && options->symbolize_keys) {
                value = ph_build_key(builder, token.value.bytes, token.length);
                if (PH_UNLIKELY(value == Qundef)) {
                    FAIL(PH_FAILURE_INVALID_SYMBOL, PH_ERROR_INVALID_UTF8);
                }
            } else {
                value = ph_build_binary(builder, token.value.bytes, token.length);
            }
            break;
        case PH_TOKEN_EXT: {
            LIMIT();
            decoder->open = open;
            ph_decode_ext_result result = ph_decode_ext(decoder, &token, &value);
            if (PH_UNLIKELY(result.kind != PH_FAILURE_NONE)) {
                at = result.at == NULL ? at : result.at;
                decoder->failure.ext_type = token.ext_type;
                FAIL(result.kind, result.code);
            }
            break;
        }
        case PH_TOKEN_ARRAY:
        case PH_TOKEN_MAP: {
            LIMIT();
            if (PH_UNLIKELY(open >= depth_left)) {
                FAIL(PH_FAILURE_CORE, PH_ERROR_DEPTH_LIMIT);
            }
            bool is_map = token.kind == PH_TOKEN_MAP;
            if (token.length == 0) {
                value =
                    ph_build_frozen_if_asked(builder, is_map ? rb_hash_new() : rb_ary_new_capa(0));
                break;
            }
            if (PH_UNLIKELY(open == stack->container_capacity)) {
                ph_value_stack_grow_containers(stack);
            }
            stack->containers[open++] = (ph_open_container){.base = base, .left = left, .map = map};
            base = top;
            left = is_map ? 2 * (uint64_t)token.length : token.length;
            map = is_map;
            size_t hint = ph_left(position, end);
            hint = left < hint ? (size_t)left : hint;
            hint = top + (hint < HINT_MAX ? hint : HINT_MAX);
            if (PH_UNLIKELY(hint > capacity)) {
                values = ph_value_stack_grow(stack, top, hint);
                capacity = stack->capacity;
            }
            if (left >= RUN_SHORTEST && !is_map) {
                /* All but the last, with which the array is complete. */
                VALUE *to = values + top;
                size_t room = capacity - top;
                position =
                    read_immediates(position, end, &to, to + (left - 1 < room ? left - 1 : room));
                left -= (uint64_t)(to - values) - top;
                top = (size_t)(to - values);
            }
            continue;
        }
        case PH_TOKEN_ERROR: FAIL(PH_FAILURE_CORE, (ph_error_code)token.length);
        default: PH_UNREACHABLE();
        }

        if (PH_UNLIKELY(top == capacity)) {
            values = ph_value_stack_grow(stack, top, 0);
            capacity = stack->capacity;
        }
        values[top++] = value;
        while (--left == 0) {
            if (open == 0) {
                decoder->position = position;
                return values[0];
            }
            VALUE container = map ? ph_build_map(builder, values + base, (top - base) / 2)
                                  : ph_build_array(builder, values + base, top - base);
            top = base;
            values[top++] = container;
            ph_open_container outer = stack->containers[--open];
            base = outer.base;
            left = outer.left;
            map = outer.map;
        }
    }
}

VALUE ph_decode(ph_decoder *decoder)
{
    ph_value_stack stack;
    ph_value_stack_init(&stack);
    decoder->stack = &stack;
    VALUE result = run(decoder);
    if (PH_UNLIKELY(result == Qundef)) {
        ph_builder_forget(&decoder->builder);
    }
    ph_value_stack_free(&stack);
    RB_GC_GUARD(decoder->holder);
    RB_GC_GUARD(decoder->types);
    return result;
}
