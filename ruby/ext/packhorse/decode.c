/* The element loop: ask the cursor for a token, make an object of it. */
#include "decode.h"

#include "decode_ext.h"
#include "decode_path.h"
#include "ruby_layout.h"
#include "wire/cursor.h"

#define LOCAL_VALUES 512
#define LOCAL_FRAMES 32
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
    decoder->state = NULL;
}

/* A bigger value stack, in memory that the collector scans and frees if an exception passes. */
static PH_NOINLINE VALUE *grow_values(ph_decoder *decoder, size_t used, size_t wanted)
{
    size_t capacity = decoder->capacity * 2;
    if (capacity < wanted) {
        capacity = wanted;
    }
    volatile VALUE memory = Qfalse;
    VALUE *values = rb_alloc_tmp_buffer(&memory, (long)(capacity * sizeof *values));
    memcpy(values, decoder->values, used * sizeof *values);
    VALUE old = decoder->values_memory;
    decoder->values_memory = memory;
    decoder->values = values;
    decoder->capacity = capacity;
    if (old != Qfalse) {
        volatile VALUE unused = old;
        rb_free_tmp_buffer(&unused);
    }
    return values;
}

static PH_NOINLINE ph_decode_frame *grow_frames(ph_decoder *decoder)
{
    size_t capacity = decoder->frame_capacity * 4;
    volatile VALUE memory = Qfalse;
    ph_decode_frame *frames = rb_alloc_tmp_buffer(&memory, (long)(capacity * sizeof *frames));
    memcpy(frames, decoder->frames, decoder->frame_capacity * sizeof *frames);
    VALUE old = decoder->frames_memory;
    decoder->frames_memory = memory;
    decoder->frames = frames;
    decoder->frame_capacity = capacity;
    if (old != Qfalse) {
        volatile VALUE unused = old;
        rb_free_tmp_buffer(&unused);
    }
    return frames;
}

static PH_NOINLINE void use_state(ph_decoder *decoder)
{
    decoder->state = ph_ractor_state_get();
    decoder->strings_stored = decoder->state->strings.stored;
    decoder->symbols_stored = decoder->state->symbols.stored;
    decoder->values_stored = decoder->state->values.stored;
}

PH_INLINE VALUE new_text(ph_decoder *decoder, const ph_token *token)
{
    const char *bytes = (const char *)token->value.bytes;
    if (decoder->options->freeze) {
        if (PH_LIKELY(decoder->options->use_key_cache)) {
            if (PH_UNLIKELY(decoder->state == NULL)) {
                use_state(decoder);
            }
            return ph_key_cache_get(&decoder->state->values, token->value.bytes, token->length);
        }
        return rb_enc_interned_str(bytes, (long)token->length, ph_encoding_utf8);
    }
    return rb_utf8_str_new(bytes, (long)token->length);
}

static VALUE new_binary(const ph_decode_options *options, const ph_token *token)
{
    const char *bytes = (const char *)token->value.bytes;
    if (options->freeze) {
        return rb_enc_interned_str(bytes, (long)token->length, ph_encoding_binary);
    }
    return rb_str_new(bytes, (long)token->length);
}

/* Qundef: a Symbol that is not valid UTF-8. */
PH_INLINE VALUE new_key(ph_decoder *decoder, const ph_token *token)
{
    bool symbol = decoder->options->symbolize_keys;
    if (PH_LIKELY(decoder->options->use_key_cache)) {
        ph_key_cache *cache = symbol ? &decoder->state->symbols : &decoder->state->strings;
        return ph_key_cache_get(cache, token->value.bytes, token->length);
    }
    return ph_key_new(token->value.bytes, token->length, symbol);
}

static VALUE new_array(const ph_decode_options *options, const VALUE *values, size_t length)
{
    VALUE array = rb_ary_new_from_values((long)length, values);
    if (options->freeze) {
        ph_freeze_fresh(array);
    }
    return array;
}

static VALUE new_map(const ph_decoder *decoder, const VALUE *values, size_t pairs)
{
    ph_shape_table *shapes = decoder->options->use_key_cache ? &decoder->state->shapes : NULL;
    VALUE hash = ph_hash_build(shapes, values, pairs);
    if (decoder->options->freeze) {
        ph_freeze_fresh(hash);
    }
    return hash;
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
static PH_COLD VALUE fail(ph_decoder *decoder, const ph_decode_place *place,
                          ph_failure_kind kind, ph_error_code code, const uint8_t *at)
{
    decoder->failure.kind = kind;
    decoder->failure.code = code;
    decoder->failure.offset = decoder->offset + ph_left(decoder->start, at);
    decoder->failure.path = ph_decode_path(decoder, place);
    return Qundef;
}

#define FAIL(kind, code)                                                                  \
 do {                                                                                     \
  ph_decode_place place = {.open = open, .base = base, .left = left, .map = map, .top = top}; \
  return fail(decoder, &place, kind, code, at);                                           \
 } while (0)

#define LIMIT()                                                        \
 do {                                                                  \
  if (PH_UNLIKELY(options->limited)) {                                 \
   ph_error_code code = check_limit(&options->limits, &token);         \
   if (code != PH_ERROR_NONE) {                                        \
    FAIL(PH_FAILURE_CORE, code);                                       \
   }                                                                   \
  }                                                                    \
 } while (0)

static VALUE run(ph_decoder *decoder)
{
    const ph_decode_options *options = decoder->options;
    const uint8_t *position = decoder->start;
    const uint8_t *end = decoder->end;
    VALUE *values = decoder->values;
    size_t capacity = decoder->capacity;
    size_t top = 0;
    size_t open = 0;
    size_t base = 0; /* these three: the frame at the top */
    uint64_t left = 1;
    bool map = false;
    size_t depth_left = options->limits.depth > decoder->depth
                            ? options->limits.depth - decoder->depth
                            : 0;

    for (;;) {
        ph_token token;
        VALUE value;
        const uint8_t *at = position;
        position = ph_cursor_next(position, end, &token);
        switch (token.kind) {
        case PH_TOKEN_NIL: value = Qnil; break;
        case PH_TOKEN_FALSE: value = Qfalse; break;
        case PH_TOKEN_TRUE: value = Qtrue; break;
        case PH_TOKEN_UNSIGNED:
            value = PH_LIKELY(token.value.u <= (uint64_t)RUBY_FIXNUM_MAX)
                        ? LONG2FIX((long)token.value.u)
                        : ULL2NUM(token.value.u);
            break;
        case PH_TOKEN_SIGNED:
            value = PH_LIKELY(FIXABLE(token.value.i)) ? LONG2FIX((long)token.value.i)
                                                      : LL2NUM(token.value.i);
            break;
        case PH_TOKEN_FLOAT32:
        case PH_TOKEN_FLOAT64: value = ph_float_new(token.value.f); break;
        case PH_TOKEN_STRING:
            LIMIT();
            if (map && (left & 1) == 0) {
                value = new_key(decoder, &token);
                if (PH_UNLIKELY(value == Qundef)) {
                    FAIL(PH_FAILURE_INVALID_SYMBOL, PH_ERROR_INVALID_UTF8);
                }
            } else {
                value = new_text(decoder, &token);
            }
            break;
        case PH_TOKEN_BINARY:
            LIMIT();
            if (map && (left & 1) == 0 && options->symbolize_keys) {
                value = new_key(decoder, &token);
                if (PH_UNLIKELY(value == Qundef)) {
                    FAIL(PH_FAILURE_INVALID_SYMBOL, PH_ERROR_INVALID_UTF8);
                }
            } else {
                value = new_binary(options, &token);
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
                value = is_map ? rb_hash_new() : rb_ary_new_capa(0);
                if (options->freeze) {
                    ph_freeze_fresh(value);
                }
                break;
            }
            if (PH_UNLIKELY(open == decoder->frame_capacity)) {
                grow_frames(decoder);
            }
            decoder->frames[open++] = (ph_decode_frame){.base = base, .left = left, .map = map};
            base = top;
            left = is_map ? 2 * (uint64_t)token.length : token.length;
            map = is_map;
            if (is_map && decoder->state == NULL) {
                use_state(decoder);
            }
            size_t hint = ph_left(position, end);
            hint = left < hint ? (size_t)left : hint;
            hint = top + (hint < HINT_MAX ? hint : HINT_MAX);
            if (PH_UNLIKELY(hint > capacity)) {
                values = grow_values(decoder, top, hint);
                capacity = decoder->capacity;
            }
            continue;
        }
        case PH_TOKEN_ERROR: FAIL(PH_FAILURE_CORE, (ph_error_code)token.length);
        default: PH_UNREACHABLE();
        }

        if (PH_UNLIKELY(top == capacity)) {
            values = grow_values(decoder, top, 0);
            capacity = decoder->capacity;
        }
        values[top++] = value;
        while (--left == 0) {
            if (open == 0) {
                decoder->position = position;
                return values[0];
            }
            VALUE container = map ? new_map(decoder, values + base, (top - base) / 2)
                                  : new_array(options, values + base, top - base);
            top = base;
            values[top++] = container;
            ph_decode_frame frame = decoder->frames[--open];
            base = frame.base;
            left = frame.left;
            map = frame.map;
        }
    }
}

VALUE ph_decode(ph_decoder *decoder)
{
    VALUE local_values[LOCAL_VALUES];
    ph_decode_frame local_frames[LOCAL_FRAMES];
    decoder->values = local_values;
    decoder->capacity = LOCAL_VALUES;
    decoder->values_memory = Qfalse;
    decoder->frames = local_frames;
    decoder->frame_capacity = LOCAL_FRAMES;
    decoder->frames_memory = Qfalse;

    VALUE result = run(decoder);

    if (PH_UNLIKELY(result == Qundef) && decoder->state != NULL) {
        /* Keys of a message that failed must not live on. */
        ph_key_cache_forget_since(&decoder->state->strings, decoder->strings_stored);
        ph_key_cache_forget_since(&decoder->state->symbols, decoder->symbols_stored);
        ph_key_cache_forget_since(&decoder->state->values, decoder->values_stored);
    }
    if (decoder->values_memory != Qfalse) {
        rb_free_tmp_buffer(&decoder->values_memory);
    }
    if (decoder->frames_memory != Qfalse) {
        rb_free_tmp_buffer(&decoder->frames_memory);
    }
    RB_GC_GUARD(decoder->holder);
    RB_GC_GUARD(decoder->types);
    return result;
}
