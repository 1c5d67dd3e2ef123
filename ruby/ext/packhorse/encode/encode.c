/* The encoder's switch and its container loops. */
#include "encode/encode.h"

#include "classes/ext_types.h"
#include "encode/encode_object.h"
#include "runtime/errors.h"
#include "runtime/ruby_layout.h"

/* Elements for which room is made at once. */
#define RUN 64

/* Containers around a Hash that make it a deep one. */
#define DEEP 32

void ph_encoder_init(ph_encoder *encoder, VALUE packer, VALUE io, VALUE options, VALUE types)
{
    ph_byte_queue_init(&encoder->queue, packer, io, options);
    encoder->types = types;
    encoder->lookup_cache = Qnil;
    encoder->packer = packer;
    encoder->child = Qfalse;
    encoder->child_in_use = false;
    encoder->compatibility = ph_option_set(options, "compatibility_mode");
    encoder->depth = 0;
}

void ph_encoder_check_depth(uint32_t depth)
{
    if (PH_UNLIKELY(depth >= PH_DEFAULT_DEPTH || ruby_stack_check())) {
        ph_raise_pack_depth(depth);
    }
}

uint32_t ph_encoder_length(long length, const char *what)
{
    if (PH_UNLIKELY((unsigned long)length > PH_PUT_LENGTH_MAX)) {
        rb_raise(rb_eArgError, "size of %s is too long to pack: %lu bytes should be <= %lu", what,
                 (unsigned long)length, (unsigned long)PH_PUT_LENGTH_MAX);
    }
    return (uint32_t)length;
}

/* Short runs are copied without a call. */
#define SHORT_COPY 32

PH_INLINE uint8_t *put_bytes(uint8_t *to, const void *bytes, size_t length)
{
    if (PH_LIKELY(length <= SHORT_COPY)) {
        ph_copy_exact_short(to, bytes, length);
    } else {
        memcpy(to, bytes, length);
    }
    return to + length;
}

/* A String that goes out as it is: the class itself, UTF-8, and a length for 32 bits. */
PH_INLINE bool is_plain_string(const ph_encoder *encoder, VALUE value)
{
    return !RB_SPECIAL_CONST_P(value) && RBASIC_CLASS(value) == rb_cString &&
           RB_ENCODING_GET_INLINED(value) == ph_index_utf8 && !encoder->compatibility &&
           (unsigned long)RSTRING_LEN(value) <= PH_PUT_LENGTH_MAX;
}

PH_INLINE uint8_t *put_plain_string(uint8_t *to, VALUE string)
{
    uint32_t length = (uint32_t)RSTRING_LEN(string);
    return put_bytes(ph_put_string_header(to, length), RSTRING_PTR(string), length);
}

typedef enum string_family { FAMILY_STRING, FAMILY_BINARY, FAMILY_RAW } string_family;

PH_INLINE void write_bytes(ph_encoder *encoder, VALUE string, string_family family)
{
    uint32_t length = ph_encoder_length(RSTRING_LEN(string), "string");
    uint8_t *to = ph_encoder_room(encoder, PH_PUT_ROOM + (size_t)length);
    switch (family) {
    case FAMILY_STRING: to = ph_put_string_header(to, length); break;
    case FAMILY_BINARY: to = ph_put_binary_header(to, length); break;
    case FAMILY_RAW: to = ph_put_raw_header(to, length); break;
    }
    ph_encoder_wrote(encoder, put_bytes(to, RSTRING_PTR(string), length));
    RB_GC_GUARD(string);
}

static PH_NOINLINE void encode_other_string(ph_encoder *encoder, VALUE string)
{
    int index = rb_enc_get_index(string);
    if (encoder->compatibility) {
        write_bytes(encoder, string, FAMILY_RAW);
    } else if (index == ph_index_binary) {
        write_bytes(encoder, string, FAMILY_BINARY);
    } else {
        if (index != ph_index_ascii && index != ph_index_utf8 &&
            rb_enc_str_coderange(string) != ENC_CODERANGE_7BIT) {
            string = rb_str_encode(string, rb_enc_from_encoding(ph_encoding_utf8), 0, Qnil);
        }
        write_bytes(encoder, string, FAMILY_STRING);
    }
}

void ph_encode_string(ph_encoder *encoder, VALUE string)
{
    if (PH_LIKELY(RB_ENCODING_GET_INLINED(string) == ph_index_utf8 && !encoder->compatibility)) {
        write_bytes(encoder, string, FAMILY_STRING);
    } else {
        encode_other_string(encoder, string);
    }
}

void ph_encode_binary(ph_encoder *encoder, VALUE string)
{
    if (rb_enc_get_index(string) != ph_index_binary) {
        string = rb_str_encode(string, rb_enc_from_encoding(ph_encoding_binary), 0, Qnil);
    }
    write_bytes(encoder, string, encoder->compatibility ? FAMILY_RAW : FAMILY_BINARY);
}

void ph_encode_symbol(ph_encoder *encoder, VALUE symbol)
{
    ph_encode_string(encoder, rb_sym2str(symbol));
}

void ph_encode_integer(ph_encoder *encoder, VALUE integer)
{
    uint8_t *to = ph_encoder_room(encoder, PH_PUT_ROOM);
    if (RB_FIXNUM_P(integer)) {
        to = ph_put_signed(to, FIX2LONG(integer));
    } else if (RBIGNUM_POSITIVE_P(integer)) {
        to = ph_put_unsigned(to, rb_big2ull(integer));
    } else {
        to = ph_put_signed(to, rb_big2ll(integer));
    }
    ph_encoder_wrote(encoder, to);
}

void ph_encode_ext(ph_encoder *encoder, int type, VALUE payload)
{
    uint32_t length = ph_encoder_length(RSTRING_LEN(payload), "extended data");
    uint8_t *to = ph_encoder_room(encoder, PH_PUT_ROOM + (size_t)length);
    to = ph_put_ext_header(to, (int8_t)type, length);
    memcpy(to, RSTRING_PTR(payload), length);
    ph_encoder_wrote(encoder, to + length);
    RB_GC_GUARD(payload);
}

/* What takes no more than PH_PUT_ROOM and runs no code of others; NULL: something else. */
PH_INLINE uint8_t *put_immediate(uint8_t *to, VALUE value)
{
    if (RB_FIXNUM_P(value)) {
        return ph_put_signed(to, FIX2LONG(value));
    }
    if (RB_FLONUM_P(value)) {
        return ph_put_float64(to, ph_flonum_value(value));
    }
    if (value == Qnil) {
        return ph_put_nil(to);
    }
    if (value == Qtrue || value == Qfalse) {
        return ph_put_bool(to, value == Qtrue);
    }
    return NULL;
}

void ph_encode_array(ph_encoder *encoder, VALUE array, uint32_t depth)
{
    long length = RARRAY_LEN(array);
    uint32_t header = ph_encoder_length(length, "array");
    ph_encoder_check_depth(depth);
    ph_encoder_wrote(encoder, ph_put_array_header(ph_encoder_room(encoder, PH_PUT_ROOM), header));
    long at = 0;
    while (at < length) {
        if (ph_byte_queue_wants_flush(&encoder->queue)) {
            ph_byte_queue_flush(&encoder->queue);
        }
        long stop = length - at < RUN ? length : at + RUN;
        size_t headers = (size_t)(stop - at) * PH_PUT_ROOM;
        uint8_t *to = ph_encoder_room(encoder, headers);
        uint8_t *text_limit = encoder->queue.bytes.limit - headers;
        /* Elements may have gone since the header was written; what is missing is packed as nil. */
        long present = RARRAY_LEN(array);
        const VALUE *items = ph_array_items(array);
        VALUE value = Qundef;
        while (at < stop) {
            value = at < present ? items[at] : Qnil;
            uint8_t *next = put_immediate(to, value);
            if (next == NULL) {
                /* Texts take what room there is beyond that for the headers. */
                if (!is_plain_string(encoder, value) || to > text_limit ||
                    (size_t)RSTRING_LEN(value) > ph_left(to, text_limit)) {
                    break;
                }
                next = put_plain_string(to, value);
            }
            to = next;
            at++;
        }
        ph_encoder_wrote(encoder, to);
        if (at < stop) {
            ph_encode_inside(encoder, value, depth + 1);
            at++;
        }
    }
    RB_GC_GUARD(array);
}

typedef struct pair_walk {
    ph_encoder *encoder;
    uint32_t depth;
    size_t left; /* pairs that the header still promises */
} pair_walk;

static int encode_pair(VALUE key, VALUE value, VALUE argument)
{
    pair_walk *walk = (pair_walk *)argument;
    if (walk->left == 0) {
        return ST_STOP;
    }
    walk->left--;
    ph_encoder *encoder = walk->encoder;
    if (PH_UNLIKELY(!is_plain_string(encoder, key))) {
        ph_encode_inside(encoder, key, walk->depth);
        ph_encode_inside(encoder, value, walk->depth);
    } else {
        /* One check of the room for both; nothing in between can change either String. */
        size_t room = 2 * PH_PUT_ROOM + (size_t)RSTRING_LEN(key);
        bool plain_value = is_plain_string(encoder, value);
        if (plain_value) {
            room += (size_t)RSTRING_LEN(value);
        }
        uint8_t *to = put_plain_string(ph_encoder_room(encoder, room), key);
        uint8_t *next = plain_value ? put_plain_string(to, value) : put_immediate(to, value);
        ph_encoder_wrote(encoder, next == NULL ? to : next);
        if (next == NULL) {
            ph_encode_inside(encoder, value, walk->depth);
        }
    }
    if (ph_byte_queue_wants_flush(&encoder->queue)) {
        ph_byte_queue_flush(&encoder->queue);
    }
    return ST_CONTINUE;
}

static int collect_pair(VALUE key, VALUE value, VALUE pairs)
{
    rb_ary_push(pairs, key);
    rb_ary_push(pairs, value);
    return ST_CONTINUE;
}

/* Deep down the walk of Ruby, which takes a kilobyte of the machine stack, ends before the values are
 * packed: a thousand containers have to fit on the stack of a Fiber. */
static PH_NOINLINE void encode_deep_hash(ph_encoder *encoder, VALUE hash, uint32_t depth)
{
    VALUE pairs = rb_obj_hide(rb_ary_new_capa((long)(2 * RHASH_SIZE(hash))));
    rb_hash_foreach(hash, collect_pair, pairs);
    for (long at = 0; at < RARRAY_LEN(pairs); at++) {
        ph_encode_inside(encoder, RARRAY_AREF(pairs, at), depth);
    }
    RB_GC_GUARD(pairs);
}

void ph_encode_hash(ph_encoder *encoder, VALUE hash, uint32_t depth)
{
    size_t pairs = RHASH_SIZE(hash);
    uint32_t header = ph_encoder_length((long)pairs, "hash");
    ph_encoder_check_depth(depth);
    ph_encoder_wrote(encoder, ph_put_map_header(ph_encoder_room(encoder, PH_PUT_ROOM), header));
    if (pairs == 0) {
        return;
    }
    if (PH_UNLIKELY(depth >= DEEP)) {
        encode_deep_hash(encoder, hash, depth + 1);
        return;
    }
    pair_walk walk = {.encoder = encoder, .depth = depth + 1, .left = pairs};
    rb_hash_foreach(hash, encode_pair, (VALUE)&walk);
    if (walk.left != 0) {
        rb_raise(rb_eRuntimeError, "pairs were deleted from a Hash while it was packed");
    }
    RB_GC_GUARD(hash);
}

static void encode_bignum(ph_encoder *encoder, VALUE value, uint32_t depth)
{
    /* Beyond 64 bits, by the magnitude: -2^63 counts as beyond, as in the msgpack gem. */
    if (ph_ext_types_get(encoder->types)->has_oversized_integer &&
        (rb_absint_size(value, NULL) > 8 ||
         (RBIGNUM_NEGATIVE_P(value) && rb_absint_numwords(value, 63, NULL) > 1))) {
        if (ph_encode_registered(encoder, value, depth)) {
            return;
        }
    }
    ph_encode_integer(encoder, value);
}

void ph_encode_inside(ph_encoder *encoder, VALUE value, uint32_t depth)
{
    if (RB_SPECIAL_CONST_P(value)) {
        uint8_t *to = ph_encoder_room(encoder, PH_PUT_ROOM);
        uint8_t *next = put_immediate(to, value);
        if (next != NULL) {
            ph_encoder_wrote(encoder, next);
            return;
        }
    } else {
        VALUE klass = RBASIC_CLASS(value);
        if (klass == rb_cString) {
            ph_encode_string(encoder, value);
            return;
        }
        if (klass == rb_cHash) {
            ph_encode_hash(encoder, value, depth);
            return;
        }
        if (klass == rb_cArray) {
            ph_encode_array(encoder, value, depth);
            return;
        }
    }
    switch (rb_type(value)) {
    case T_SYMBOL:
        if (!ph_ext_types_get(encoder->types)->has_symbol ||
            !ph_encode_registered(encoder, value, depth)) {
            ph_encode_symbol(encoder, value);
        }
        return;
    case T_FLOAT:
        ph_encoder_wrote(
            encoder, ph_put_float64(ph_encoder_room(encoder, PH_PUT_ROOM), RFLOAT_VALUE(value)));
        return;
    case T_BIGNUM: encode_bignum(encoder, value, depth); return;
    case T_STRING:
        if (!ph_encode_registered(encoder, value, depth)) {
            ph_encode_string(encoder, value);
        }
        return;
    case T_ARRAY:
        if (!ph_encode_registered(encoder, value, depth)) {
            ph_encode_array(encoder, value, depth);
        }
        return;
    case T_HASH:
        if (!ph_encode_registered(encoder, value, depth)) {
            ph_encode_hash(encoder, value, depth);
        }
        return;
    default: ph_encode_object(encoder, value, depth);
    }
}

void ph_encode(ph_encoder *encoder, VALUE value)
{
    ph_encode_inside(encoder, value, encoder->depth);
    if (ph_byte_queue_wants_flush(&encoder->queue) && encoder->depth == 0) {
        ph_byte_queue_flush(&encoder->queue);
    }
}
