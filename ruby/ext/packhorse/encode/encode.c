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

void ph_encoder_check_depth(const ph_object_place *place)
{
    if (PH_UNLIKELY(place->depth >= PH_DEFAULT_DEPTH || ruby_stack_check())) {
        ph_raise_at(ph_error_stack,
                    rb_sprintf("stack level too deep: more than %" PRIu32
                               " containers inside each other",
                               place->depth),
                    place);
    }
}

NORETURN(static PH_COLD void raise_length(long length, const char *what,
                                          const ph_object_place *place))
{
    ph_raise_at(rb_eArgError,
                rb_sprintf("size of %s is too long to pack: %lu bytes should be <= %lu", what,
                           (unsigned long)length, (unsigned long)PH_PUT_LENGTH_MAX),
                place);
}

uint32_t ph_encoder_length(long length, const char *what, const ph_object_place *place)
{
    if (PH_UNLIKELY((unsigned long)length > PH_PUT_LENGTH_MAX)) {
        raise_length(length, what, place);
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

PH_INLINE void write_bytes(ph_encoder *encoder, VALUE string, string_family family,
                           const ph_object_place *place)
{
    uint32_t length = ph_encoder_length(RSTRING_LEN(string), "string", place);
    uint8_t *to = ph_encoder_room(encoder, PH_PUT_ROOM + (size_t)length);
    switch (family) {
    case FAMILY_STRING: to = ph_put_string_header(to, length); break;
    case FAMILY_BINARY: to = ph_put_binary_header(to, length); break;
    case FAMILY_RAW: to = ph_put_raw_header(to, length); break;
    }
    ph_encoder_wrote(encoder, put_bytes(to, RSTRING_PTR(string), length));
    RB_GC_GUARD(string);
}

static PH_NOINLINE void encode_other_string(ph_encoder *encoder, VALUE string,
                                            const ph_object_place *place)
{
    int index = rb_enc_get_index(string);
    if (encoder->compatibility) {
        write_bytes(encoder, string, FAMILY_RAW, place);
    } else if (index == ph_index_binary) {
        write_bytes(encoder, string, FAMILY_BINARY, place);
    } else {
        if (index != ph_index_ascii && index != ph_index_utf8 &&
            rb_enc_str_coderange(string) != ENC_CODERANGE_7BIT) {
            string = ph_transcode_at(string, ph_encoding_utf8, place);
        }
        write_bytes(encoder, string, FAMILY_STRING, place);
    }
}

void ph_encode_string(ph_encoder *encoder, VALUE string, const ph_object_place *place)
{
    if (PH_LIKELY(RB_ENCODING_GET_INLINED(string) == ph_index_utf8 && !encoder->compatibility)) {
        write_bytes(encoder, string, FAMILY_STRING, place);
    } else {
        encode_other_string(encoder, string, place);
    }
}

void ph_encode_binary(ph_encoder *encoder, VALUE string, const ph_object_place *place)
{
    if (rb_enc_get_index(string) != ph_index_binary) {
        string = ph_transcode_at(string, ph_encoding_binary, place);
    }
    write_bytes(encoder, string, encoder->compatibility ? FAMILY_RAW : FAMILY_BINARY, place);
}

void ph_encode_symbol(ph_encoder *encoder, VALUE symbol, const ph_object_place *place)
{
    ph_encode_string(encoder, rb_sym2str(symbol), place);
}

/* Raises RangeError in Ruby's words. */
static VALUE refuse_big(VALUE integer)
{
    return RBIGNUM_POSITIVE_P(integer) ? ULL2NUM(rb_big2ull(integer)) : LL2NUM(rb_big2ll(integer));
}

void ph_encode_integer(ph_encoder *encoder, VALUE integer, const ph_object_place *place)
{
    uint8_t *to = ph_encoder_room(encoder, PH_PUT_ROOM);
    if (RB_FIXNUM_P(integer)) {
        ph_encoder_wrote(encoder, ph_put_signed(to, FIX2LONG(integer)));
        return;
    }
    uint64_t word;
    int sign = rb_integer_pack(integer, &word, 1, sizeof word, 0,
                               INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER);
    if (PH_LIKELY(sign == 1)) {
        to = ph_put_unsigned(to, word);
    } else if (sign == -1 && word <= UINT64_C(1) << 63) {
        to = ph_put_signed(to, (int64_t)(0 - word));
    } else {
        ph_convert_at(refuse_big, integer, place);
    }
    ph_encoder_wrote(encoder, to);
}

void ph_encode_ext(ph_encoder *encoder, int type, VALUE payload, const ph_object_place *place)
{
    uint32_t length = ph_encoder_length(RSTRING_LEN(payload), "extended data", place);
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

void ph_encode_array(ph_encoder *encoder, VALUE array, const ph_object_place *place)
{
    long length = RARRAY_LEN(array);
    uint32_t header = ph_encoder_length(length, "array", place);
    ph_encoder_check_depth(place);
    ph_object_place inside;
    ph_object_enter(&inside, place, false);
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
            inside.at = (size_t)at;
            ph_encode_inside(encoder, value, &inside);
            at++;
        }
    }
    RB_GC_GUARD(array);
}

typedef struct pair_walk {
    ph_encoder *encoder;
    size_t pairs; /* that the header promises */
    ph_object_place inside;
} pair_walk;

static void encode_pair_parts(pair_walk *walk, VALUE key, VALUE value)
{
    walk->inside.key = Qundef;
    ph_encode_inside(walk->encoder, key, &walk->inside);
    walk->inside.key = key;
    ph_encode_inside(walk->encoder, value, &walk->inside);
}

static int encode_pair(VALUE key, VALUE value, VALUE argument)
{
    pair_walk *walk = (pair_walk *)argument;
    if (walk->inside.at == walk->pairs) {
        return ST_STOP;
    }
    ph_encoder *encoder = walk->encoder;
    if (PH_UNLIKELY(!is_plain_string(encoder, key))) {
        encode_pair_parts(walk, key, value);
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
            walk->inside.key = key;
            ph_encode_inside(encoder, value, &walk->inside);
        }
    }
    walk->inside.at++;
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
static PH_NOINLINE void encode_deep_hash(pair_walk *walk, VALUE hash)
{
    VALUE pairs = rb_obj_hide(rb_ary_new_capa((long)(2 * RHASH_SIZE(hash))));
    rb_hash_foreach(hash, collect_pair, pairs);
    for (; 2 * walk->inside.at < (size_t)RARRAY_LEN(pairs); walk->inside.at++) {
        long at = (long)(2 * walk->inside.at);
        encode_pair_parts(walk, RARRAY_AREF(pairs, at), RARRAY_AREF(pairs, at + 1));
    }
    RB_GC_GUARD(pairs);
}

void ph_encode_hash(ph_encoder *encoder, VALUE hash, const ph_object_place *place)
{
    size_t pairs = RHASH_SIZE(hash);
    uint32_t header = ph_encoder_length((long)pairs, "hash", place);
    ph_encoder_check_depth(place);
    ph_encoder_wrote(encoder, ph_put_map_header(ph_encoder_room(encoder, PH_PUT_ROOM), header));
    if (pairs == 0) {
        return;
    }
    pair_walk walk;
    walk.encoder = encoder;
    walk.pairs = pairs;
    walk.inside.at = 0;
    ph_object_enter(&walk.inside, place, true);
    if (PH_UNLIKELY(place->depth >= DEEP)) {
        encode_deep_hash(&walk, hash);
        return;
    }
    rb_hash_foreach(hash, encode_pair, (VALUE)&walk);
    if (walk.inside.at != pairs) {
        ph_raise_at(rb_eRuntimeError,
                    rb_str_new_cstr("pairs were deleted from a Hash while it was packed"), place);
    }
    RB_GC_GUARD(hash);
}

static void encode_bignum(ph_encoder *encoder, VALUE value, const ph_object_place *place)
{
    /* Beyond 64 bits, by the magnitude: -2^63 counts as beyond, as in the msgpack gem. */
    if (ph_ext_types_get(encoder->types)->has_oversized_integer &&
        (rb_absint_size(value, NULL) > 8 ||
         (RBIGNUM_NEGATIVE_P(value) && rb_absint_numwords(value, 63, NULL) > 1))) {
        if (ph_encode_registered(encoder, value, place)) {
            return;
        }
    }
    ph_encode_integer(encoder, value, place);
}

void ph_encode_inside(ph_encoder *encoder, VALUE value, const ph_object_place *place)
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
            ph_encode_string(encoder, value, place);
            return;
        }
        if (klass == rb_cHash) {
            ph_encode_hash(encoder, value, place);
            return;
        }
        if (klass == rb_cArray) {
            ph_encode_array(encoder, value, place);
            return;
        }
    }
    switch (rb_type(value)) {
    case T_SYMBOL:
        if (!ph_ext_types_get(encoder->types)->has_symbol ||
            !ph_encode_registered(encoder, value, place)) {
            ph_encode_symbol(encoder, value, place);
        }
        return;
    case T_FLOAT:
        ph_encoder_wrote(
            encoder, ph_put_float64(ph_encoder_room(encoder, PH_PUT_ROOM), RFLOAT_VALUE(value)));
        return;
    case T_BIGNUM: encode_bignum(encoder, value, place); return;
    case T_STRING:
        if (!ph_encode_registered(encoder, value, place)) {
            ph_encode_string(encoder, value, place);
        }
        return;
    case T_ARRAY:
        if (!ph_encode_registered(encoder, value, place)) {
            ph_encode_array(encoder, value, place);
        }
        return;
    case T_HASH:
        if (!ph_encode_registered(encoder, value, place)) {
            ph_encode_hash(encoder, value, place);
        }
        return;
    default: ph_encode_object(encoder, value, place);
    }
}

void ph_encode(ph_encoder *encoder, VALUE value)
{
    ph_object_place root = ph_object_root(encoder->depth);
    ph_encode_inside(encoder, value, &root);
    if (ph_byte_queue_wants_flush(&encoder->queue) && encoder->depth == 0) {
        ph_byte_queue_flush(&encoder->queue);
    }
}
