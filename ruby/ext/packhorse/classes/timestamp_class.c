/* class Timestamp: the payload of ext type -1, read and written by the core. */
#include "runtime/errors.h"
#include "wire/timestamp.h"

static ID id_sec;
static ID id_nsec;

/* call-seq: from_msgpack_ext(payload) -> Timestamp
 *
 * MalformedFormatError unless the payload has 4, 8 or 12 bytes and its nanoseconds are in range. */
static VALUE from_payload(VALUE klass, VALUE payload)
{
    StringValue(payload);
    ph_timestamp timestamp;
    ph_error_code code = ph_timestamp_read((const uint8_t *)RSTRING_PTR(payload),
                                           (size_t)RSTRING_LEN(payload), &timestamp);
    if (code == PH_ERROR_TIMESTAMP_LENGTH) {
        rb_raise(ph_error_malformed, "Invalid timestamp data size: %ld", RSTRING_LEN(payload));
    }
    if (code != PH_ERROR_NONE) {
        rb_raise(ph_error_malformed, "%s, not %lu", ph_error_message(code),
                 (unsigned long)timestamp.nanoseconds);
    }
    VALUE arguments[2] = {LL2NUM(timestamp.seconds), UINT2NUM(timestamp.nanoseconds)};
    return rb_class_new_instance(2, arguments, klass);
}

/* call-seq: to_msgpack_ext(sec, nsec) -> String
 *
 * The shortest payload. RangeError for nanoseconds beyond 0 to 999,999,999. */
static VALUE to_payload(VALUE klass, VALUE sec, VALUE nsec)
{
    (void)klass;
    uint8_t payload[PH_TIMESTAMP_PAYLOAD_MAX];
    int64_t seconds = NUM2LL(sec);
    long nanoseconds = NUM2LONG(nsec);
    if (nanoseconds < 0 || nanoseconds >= (long)PH_NANOSECONDS_PER_SECOND) {
        rb_raise(rb_eRangeError, "nanoseconds are 0 to 999999999, not %ld", nanoseconds);
    }
    ph_timestamp timestamp = {.seconds = seconds, .nanoseconds = (uint32_t)nanoseconds};
    return rb_str_new((const char *)payload, (long)ph_timestamp_write(timestamp, payload));
}

static VALUE instance_to_payload(VALUE self)
{
    return to_payload(rb_obj_class(self), rb_funcall(self, id_sec, 0),
                      rb_funcall(self, id_nsec, 0));
}

void ph_init_timestamp(void)
{
    id_sec = rb_intern("sec");
    id_nsec = rb_intern("nsec");
    VALUE klass = rb_define_class_under(ph_module, "Timestamp", rb_cObject);
    ph_class_timestamp = klass;
    rb_define_const(klass, "TYPE", INT2FIX(PH_TIMESTAMP_EXT_TYPE));
    rb_define_singleton_method(klass, "from_msgpack_ext", from_payload, 1);
    rb_define_singleton_method(klass, "to_msgpack_ext", to_payload, 2);
    rb_define_method(klass, "to_msgpack_ext", instance_to_payload, 0);
}
