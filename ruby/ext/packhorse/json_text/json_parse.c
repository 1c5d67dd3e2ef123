/* The element loop over JSON tokens: the same objects as decode.c makes, from the other format. */
#include "json_text/json_parse.h"

#include "decode/decode_path.h"
#include "decode/value_stack.h"
#include "json_text/json_build.h"
#include "json_text/json_errors.h"
#include "json/scan.h"
#include "json/string.h"

/* Escaped keys and interned texts up to this size are undone on the machine stack. */
#define LOCAL_TEXT 256
/* Bytes of the input that a message shows. */
#define TEXT_SHOWN 32

typedef struct parser {
    const uint8_t *start;
    const uint8_t *position;
    const uint8_t *end;
    uint64_t stream_offset; /* of start */
    bool at_end;            /* nothing will follow `end` */
    const ph_json_parse_options *options;
    ph_builder builder;
    ph_value_stack *stack;
} parser;

typedef struct place {
    ph_decode_place tree;
    const uint8_t *at;
} place;

NORETURN(static PH_COLD void fail(parser *reader, const place *where, VALUE exception_class,
                                  VALUE message))
{
    VALUE path = ph_decode_path(reader->stack, &where->tree);
    ph_builder_forget(&reader->builder);
    size_t at = ph_left(reader->start, where->at);
    ph_json_raise_at(exception_class, message, reader->start, at, reader->stream_offset + at, path);
}

/* "unexpected character: 'x, ...'", with what follows it. */
static VALUE unexpected_character(const parser *reader, const uint8_t *at)
{
    size_t shown = ph_left(at, reader->end);
    VALUE text = rb_utf8_str_new((const char *)at, (long)(shown < TEXT_SHOWN ? shown : TEXT_SHOWN));
    VALUE scrubbed = rb_str_scrub(text, Qnil);
    VALUE message = rb_utf8_str_new_cstr("unexpected character: '");
    rb_str_append(message, NIL_P(scrubbed) ? text : scrubbed); /* may hold zero bytes */
    return rb_str_cat_cstr(message, "'");
}

NORETURN(static PH_COLD void fail_code(parser *reader, const place *where, ph_error_code code))
{
    VALUE message;
    switch (code) {
    case PH_ERROR_TRUNCATED: message = rb_str_new_cstr("unexpected end of input"); break;
    case PH_ERROR_JSON_CHARACTER: message = unexpected_character(reader, where->at); break;
    default: message = rb_str_new_cstr(ph_error_message(code));
    }
    fail(reader, where, ph_json_parser_error, message);
}

/* The text of an escaped string: in `local` if it fits there, otherwise in a String, *holder. */
static const uint8_t *unescape(parser *reader, const place *where, const ph_token *token,
                               uint8_t *local, VALUE *holder, size_t *length)
{
    uint8_t *to = local;
    if (token->length > LOCAL_TEXT) {
        *holder = rb_str_new(NULL, (long)token->length);
        to = (uint8_t *)RSTRING_PTR(*holder);
    }
    ph_error error = ph_json_unescape(to, token->value.bytes, token->length, length);
    if (PH_UNLIKELY(error.code != PH_ERROR_NONE)) {
        place inside = *where;
        inside.at = token->value.bytes + error.offset;
        fail_code(reader, &inside, error.code);
    }
    return to;
}

static PH_NOINLINE VALUE new_escaped(parser *reader, const place *where, const ph_token *token,
                                     bool is_key)
{
    uint8_t local[LOCAL_TEXT];
    VALUE holder = Qnil;
    size_t length;
    const uint8_t *text = unescape(reader, where, token, local, &holder, &length);
    VALUE value = is_key ? ph_build_key(&reader->builder, text, length)
                         : ph_build_text(&reader->builder, text, length);
    RB_GC_GUARD(holder);
    return value;
}

PH_INLINE VALUE new_text(parser *reader, const ph_token *token)
{
    VALUE text = ph_build_text(&reader->builder, token->value.bytes, token->length);
    if (!reader->builder.freeze && token->ext_type == 0) {
        /* Known from the scan; spares the next reader of the String another. */
        ENC_CODERANGE_SET(text, ENC_CODERANGE_7BIT);
    }
    return text;
}

/* How many values may follow, if the rest of the text is like what `count` of them took. */
static PH_COLD size_t expected_values(const parser *reader, const uint8_t *position, size_t count)
{
    size_t read = ph_left(reader->position, position);
    size_t left = ph_left(position, reader->end);
    /* A value takes two bytes at least. */
    size_t most = left / 2 + 1;
    size_t expected = read == 0 ? count : count * (left / read + 1);
    return expected < most ? expected : most;
}

static ph_json_options dialect_of(const ph_json_parse_options *options)
{
    return (options->relaxed ? PH_JSON_RELAXED : PH_JSON_STRICT) |
           (options->allow_nan ? PH_JSON_NON_FINITE : PH_JSON_STRICT);
}

PH_INLINE ph_json_place place_after(size_t open, bool map, bool was_key)
{
    if (was_key || open == 0) {
        return PH_JSON_VALUE;
    }
    return map ? PH_JSON_KEY : PH_JSON_ELEMENT;
}

#define PLACE(position) \
 ((place){.tree = {.open = open, .base = base, .map = map, .top = top}, .at = (position)})

#define FAIL_CODE(code, position)  \
 do {                              \
  place where = PLACE(position);   \
  fail_code(reader, &where, code); \
 } while (0)

/* Qundef: cut off by the end, which may not be the end of the stream. */
static VALUE run(parser *reader)
{
    const ph_json_parse_options *options = reader->options;
    const uint8_t *position = reader->position;
    const uint8_t *end = reader->end;
    ph_value_stack *stack = reader->stack;
    ph_builder *builder = &reader->builder;
    VALUE *values = stack->values;
    size_t capacity = stack->capacity;
    size_t top = 0;
    size_t open = 0;
    size_t base = 0; /* these three: the container at the top */
    bool map = false;
    uint64_t begin = 0; /* where it begins */
    ph_json_place next = PH_JSON_VALUE;
    ph_json_options dialect = dialect_of(options);

    for (;;) {
        ph_token token;
        VALUE value;
        bool is_key = next == PH_JSON_FIRST_KEY || next == PH_JSON_KEY;
        if (next == PH_JSON_ELEMENT) {
            position = ph_json_next(position, end, PH_JSON_ELEMENT, dialect, &token);
        } else {
            position = ph_json_next(position, end, next, dialect, &token);
        }
        switch (token.kind) {
        case PH_TOKEN_NIL: value = Qnil; break;
        case PH_TOKEN_FALSE: value = Qfalse; break;
        case PH_TOKEN_TRUE: value = Qtrue; break;
        case PH_TOKEN_UNSIGNED: value = ph_build_unsigned(token.value.u); break;
        case PH_TOKEN_SIGNED: value = ph_build_signed(token.value.i); break;
        case PH_TOKEN_BIG_INTEGER:
            value = rb_str_to_inum(rb_str_new((const char *)token.value.bytes, (long)token.length),
                                   10, 0);
            break;
        case PH_TOKEN_FLOAT32: /* a word, which a decimal class need not know */
            value = DBL2NUM(token.value.f);
            break;
        case PH_TOKEN_FLOAT64:
            value = NIL_P(options->decimal_class)
                        ? ph_float_new(token.value.f)
                        : ph_json_decimal(options->decimal_class, position - token.length,
                                          token.length);
            break;
        case PH_TOKEN_STRING:
            if (is_key) {
                value = ph_build_key(builder, token.value.bytes, token.length);
                if (PH_UNLIKELY(value == Qundef)) {
                    FAIL_CODE(PH_ERROR_INVALID_UTF8, token.value.bytes);
                }
            } else {
                value = new_text(reader, &token);
            }
            break;
        case PH_TOKEN_ESCAPED_STRING: {
            place where = PLACE(token.value.bytes);
            value = new_escaped(reader, &where, &token, is_key);
            if (PH_UNLIKELY(value == Qundef)) {
                FAIL_CODE(PH_ERROR_INVALID_UTF8, token.value.bytes);
            }
            break;
        }
        case PH_TOKEN_ARRAY:
        case PH_TOKEN_MAP: {
            if (PH_UNLIKELY(open >= options->max_nesting)) {
                place where = PLACE(position - 1);
                fail(reader, &where, ph_json_nesting_error,
                     rb_sprintf("nesting of %" PRIuSIZE " is too deep", open + 1));
            }
            if (PH_UNLIKELY(open == stack->container_capacity)) {
                ph_value_stack_grow_containers(stack);
            }
            stack->containers[open++] =
                (ph_open_container){.base = base, .left = begin, .map = map};
            begin = ph_left(reader->start, position - 1);
            base = top;
            map = token.kind == PH_TOKEN_MAP;
            next = map ? PH_JSON_FIRST_KEY : PH_JSON_FIRST_ELEMENT;
            continue;
        }
        case PH_TOKEN_END_ARRAY:
        case PH_TOKEN_END_MAP: {
            size_t count = top - base;
            if (map) {
                value = ph_json_build_map(builder, options, values + base, count / 2);
                if (PH_UNLIKELY(value == Qundef)) {
                    const ph_open_container *outer = &stack->containers[open - 1];
                    place where = {.tree = {.open = open - 1,
                                            .base = outer->base,
                                            .map = outer->map,
                                            .top = base},
                                   .at = reader->start + begin};
                    fail(reader, &where, ph_json_parser_error,
                         ph_json_duplicate_key_message(values + base, count / 2));
                }
            } else {
                value = ph_json_build_array(builder, options, values + base, count);
            }
            top = base;
            ph_open_container outer = stack->containers[--open];
            base = outer.base;
            begin = outer.left;
            map = outer.map;
            is_key = false;
            break;
        }
        case PH_TOKEN_ERROR: {
            ph_error_code code = (ph_error_code)token.length;
            if (code == PH_ERROR_TRUNCATED && !reader->at_end) {
                ph_builder_forget(builder);
                return Qundef;
            }
            FAIL_CODE(code, position);
        }
        default: PH_UNREACHABLE();
        }
        if (PH_UNLIKELY(!NIL_P(options->on_load)) && !is_key) {
            value = ph_json_call(options->on_load, value);
        }
        if (PH_UNLIKELY(top == capacity)) {
            values = ph_value_stack_grow(stack, top, top + expected_values(reader, position, top));
            capacity = stack->capacity;
        }
        values[top++] = value;
        if (open == 0) {
            reader->position = position;
            return values[0];
        }
        next = place_after(open, map, is_key);
    }
}

static VALUE read_value(parser *reader, VALUE source, long offset, uint64_t stream_offset,
                        bool at_end, const ph_json_parse_options *options)
{
    ph_value_stack stack;
    ph_value_stack_init(&stack);
    reader->start = (const uint8_t *)RSTRING_PTR(source);
    reader->position = reader->start + offset;
    reader->end = reader->start + RSTRING_LEN(source);
    reader->stream_offset = stream_offset;
    reader->at_end = at_end;
    reader->options = options;
    reader->stack = &stack;
    ph_builder_init(&reader->builder, options->freeze, options->symbolize_names,
                    options->use_key_cache);
    VALUE value = run(reader);
    ph_value_stack_free(&stack);
    return value;
}

VALUE ph_json_parse(VALUE source, const ph_json_parse_options *options)
{
    parser reader;
    VALUE value = read_value(&reader, source, 0, 0, true, options);
    const uint8_t *rest = ph_json_space(reader.position, reader.end, dialect_of(options));
    if (PH_UNLIKELY(rest != reader.end)) {
        size_t at = ph_left(reader.start, rest);
        ph_json_raise_at(ph_json_parser_error, rb_str_new_cstr("unexpected token at end of stream"),
                         reader.start, at, at, Qnil);
    }
    RB_GC_GUARD(source);
    return value;
}

VALUE ph_json_parse_next(VALUE source, long offset, bool at_end, uint64_t stream_offset,
                         const ph_json_parse_options *options, long *behind)
{
    parser reader;
    VALUE value = read_value(&reader, source, offset, stream_offset, at_end, options);
    if (value != Qundef) {
        bool may_go_on = reader.position == reader.end && !at_end &&
                         (RB_INTEGER_TYPE_P(value) || RB_FLOAT_TYPE_P(value));
        if (may_go_on) {
            return Qundef;
        }
        *behind = (long)ph_left(reader.start, reader.position);
    }
    RB_GC_GUARD(source);
    return value;
}
