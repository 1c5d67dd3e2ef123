/* module Bigint: the payload for Integers of any size: a sign byte, then words of 32 bits in network
 * order, the least significant word first. */
#include "runtime/errors.h"

#define WORD_BYTES 4
#define WORD_ORDER (INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST)

/* call-seq: to_msgpack_ext(integer) -> String */
static VALUE to_payload(VALUE module, VALUE integer)
{
    (void)module;
    integer = rb_to_int(integer);
    size_t words = rb_absint_numwords(integer, WORD_BYTES * 8, NULL);
    VALUE payload = rb_str_new(NULL, (long)(1 + words * WORD_BYTES));
    char *bytes = RSTRING_PTR(payload);
    int sign = rb_integer_pack(integer, bytes + 1, words, WORD_BYTES, 0, WORD_ORDER);
    bytes[0] = sign < 0;
    return payload;
}

/* call-seq: from_msgpack_ext(payload) -> Integer
 *
 * MalformedFormatError unless there is a sign byte and whole words. */
static VALUE from_payload(VALUE module, VALUE payload)
{
    (void)module;
    StringValue(payload);
    size_t length = (size_t)RSTRING_LEN(payload);
    if (length == 0 || (length - 1) % WORD_BYTES != 0) {
        rb_raise(ph_error_malformed,
                 "a big integer has 1 byte and a multiple of %d, not %" PRIuSIZE, WORD_BYTES,
                 length);
    }
    const char *bytes = RSTRING_PTR(payload);
    int negative = bytes[0] != 0 ? INTEGER_PACK_NEGATIVE : 0;
    VALUE integer = rb_integer_unpack(bytes + 1, (length - 1) / WORD_BYTES, WORD_BYTES, 0,
                                      WORD_ORDER | negative);
    RB_GC_GUARD(payload);
    return integer;
}

void ph_init_bigint(void)
{
    VALUE module = rb_define_module_under(ph_module, "Bigint");
    rb_define_singleton_method(module, "to_msgpack_ext", to_payload, 1);
    rb_define_singleton_method(module, "from_msgpack_ext", from_payload, 1);
}
