/* class Packer: what Ruby sees of it. */
#include "classes/buffer_class.h"
#include "classes/packer.h"
#include "classes/stream_object.h"
#include "encode/encode_object.h"

/* types, lookup_cache and child. */
#define REFERENCES 3

static void mark_packer(void *pointer)
{
    ph_encoder *encoder = pointer;
    ph_stream_object_mark(&encoder->queue, &encoder->types, REFERENCES);
}

static void compact_packer(void *pointer)
{
    ph_encoder *encoder = pointer;
    ph_stream_object_compact(&encoder->queue, &encoder->types, REFERENCES);
    encoder->packer = encoder->queue.owner;
}

static size_t size_of_packer(const void *pointer)
{
    const ph_encoder *encoder = pointer;
    return ph_stream_object_size(sizeof *encoder, &encoder->queue, encoder->types);
}

static const rb_data_type_t packer_type = {
    .wrap_struct_name = "Packhorse::Packer",
    .function = {.dmark = mark_packer,
                 .dfree = RUBY_DEFAULT_FREE,
                 .dsize = size_of_packer,
                 .dcompact = compact_packer},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

ph_encoder *ph_packer_get(VALUE self)
{
    return rb_check_typeddata(self, &packer_type);
}

static VALUE allocate(VALUE klass)
{
    ph_encoder *encoder;
    VALUE self = TypedData_Make_Struct(klass, ph_encoder, &packer_type, encoder);
    ph_encoder_init(encoder, self, Qnil, Qnil, ph_ext_types_none());
    return self;
}

static void set_up(VALUE self, VALUE io, VALUE options, VALUE types)
{
    ph_encoder *encoder = ph_packer_get(self);
    ph_encoder_init(encoder, self, io, options, types);
    RB_OBJ_WRITTEN(self, Qundef, types);
}

VALUE ph_packer_new(VALUE io, VALUE options, VALUE types)
{
    VALUE self = allocate(ph_class_packer);
    set_up(self, io, options, ph_ext_types_share(types));
    return self;
}

VALUE ph_packer_new_child(const ph_encoder *encoder)
{
    VALUE self = ph_packer_new(Qnil, Qnil, encoder->types);
    ph_packer_get(self)->compatibility = encoder->compatibility;
    return self;
}

/* call-seq: new(io = nil, options = nil)
 *
 * io answers write or <<. Options: compatibility_mode, io_buffer_size. */
static VALUE initialize(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    ph_scan_io_and_options(argc, argv, &io, &options);
    set_up(self, io, options, ph_ext_types_none());
    return self;
}

static VALUE get_compatibility_mode(VALUE self)
{
    return ph_packer_get(self)->compatibility ? Qtrue : Qfalse;
}

static VALUE get_buffer(VALUE self)
{
    return ph_buffer_object_over(&ph_packer_get(self)->queue, self);
}

/* Appends any object. */
static VALUE write_value(VALUE self, VALUE value)
{
    ph_encode(ph_packer_get(self), value);
    return self;
}

static VALUE write_nil(VALUE self)
{
    return write_value(self, Qnil);
}

static VALUE write_true(VALUE self)
{
    return write_value(self, Qtrue);
}

static VALUE write_false(VALUE self)
{
    return write_value(self, Qfalse);
}

static VALUE write_float(VALUE self, VALUE number)
{
    ph_encoder *encoder = ph_packer_get(self);
    double value = NUM2DBL(number);
    ph_encoder_wrote(encoder, ph_put_float64(ph_encoder_room(encoder, PH_PUT_ROOM), value));
    return self;
}

static VALUE write_float32(VALUE self, VALUE number)
{
    if (!RTEST(rb_obj_is_kind_of(number, rb_cNumeric))) {
        rb_raise(rb_eArgError, "Expected numeric");
    }
    ph_encoder *encoder = ph_packer_get(self);
    float value = (float)NUM2DBL(number);
    ph_encoder_wrote(encoder, ph_put_float32(ph_encoder_room(encoder, PH_PUT_ROOM), value));
    return self;
}

/* Appends `value` by one of the encoder's functions. */
static VALUE write_by(VALUE self, VALUE value,
                      void (*encode)(ph_encoder *, VALUE, const ph_object_place *))
{
    ph_encoder *encoder = ph_packer_get(self);
    ph_object_place root = ph_object_root(encoder->depth);
    encode(encoder, value, &root);
    return self;
}

static VALUE write_string(VALUE self, VALUE string)
{
    Check_Type(string, T_STRING);
    return write_by(self, string, ph_encode_string);
}

static VALUE write_bin(VALUE self, VALUE string)
{
    Check_Type(string, T_STRING);
    return write_by(self, string, ph_encode_binary);
}

static VALUE write_array(VALUE self, VALUE array)
{
    Check_Type(array, T_ARRAY);
    return write_by(self, array, ph_encode_array);
}

static VALUE write_hash(VALUE self, VALUE hash)
{
    Check_Type(hash, T_HASH);
    return write_by(self, hash, ph_encode_hash);
}

static VALUE write_symbol(VALUE self, VALUE symbol)
{
    Check_Type(symbol, T_SYMBOL);
    return write_by(self, symbol, ph_encode_symbol);
}

static VALUE write_int(VALUE self, VALUE integer)
{
    if (!RB_INTEGER_TYPE_P(integer)) {
        Check_Type(integer, T_FIXNUM);
    }
    return write_by(self, integer, ph_encode_integer);
}

/* A count for a header: 0 to 2^32 - 1, RangeError beyond. */
static uint32_t header_count(VALUE count)
{
    if (!RB_INTEGER_TYPE_P(count)) {
        count = rb_to_int(count);
    }
    if (!RB_FIXNUM_P(count) || FIX2LONG(count) < 0 || FIX2LONG(count) > (long)UINT32_MAX) {
        ph_object_place root = ph_object_root(0);
        ph_raise_at(rb_eRangeError,
                    rb_sprintf("a header holds 0 to 4294967295, not %" PRIsVALUE, count), &root);
    }
    return (uint32_t)FIX2LONG(count);
}

static VALUE write_header(VALUE self, VALUE count, uint8_t *(*put)(uint8_t *, uint32_t))
{
    uint32_t length = header_count(count);
    ph_encoder *encoder = ph_packer_get(self);
    ph_encoder_wrote(encoder, put(ph_encoder_room(encoder, PH_PUT_ROOM), length));
    return self;
}

static VALUE write_array_header(VALUE self, VALUE count)
{
    return write_header(self, count, ph_put_array_header);
}

static VALUE write_map_header(VALUE self, VALUE count)
{
    return write_header(self, count, ph_put_map_header);
}

static VALUE write_bin_header(VALUE self, VALUE count)
{
    return write_header(self, count, ph_put_binary_header);
}

static VALUE write_ext(VALUE self, VALUE type, VALUE payload)
{
    int id = ph_ext_type_id(type);
    StringValue(payload);
    ph_encoder *encoder = ph_packer_get(self);
    ph_object_place root = ph_object_root(encoder->depth);
    ph_encode_ext(encoder, id, payload, &root);
    return self;
}

static VALUE write_extension(VALUE self, VALUE value)
{
    if (!RTEST(rb_obj_is_kind_of(value, ph_class_extension_value))) {
        rb_raise(rb_eTypeError, "wrong argument type %s (expected ExtensionValue)",
                 rb_obj_classname(value));
    }
    return write_ext(self, rb_struct_aref(value, INT2FIX(0)), rb_struct_aref(value, INT2FIX(1)));
}

static VALUE flush(VALUE self)
{
    ph_byte_queue_flush(&ph_packer_get(self)->queue);
    return self;
}

static VALUE reset(VALUE self)
{
    ph_byte_queue_clear(&ph_packer_get(self)->queue);
    return Qnil;
}

static VALUE size(VALUE self)
{
    return SIZET2NUM(ph_byte_queue_length(&ph_packer_get(self)->queue));
}

static VALUE is_empty(VALUE self)
{
    return ph_byte_queue_length(&ph_packer_get(self)->queue) == 0 ? Qtrue : Qfalse;
}

static VALUE to_string(VALUE self)
{
    return ph_byte_queue_to_string(&ph_packer_get(self)->queue);
}

static VALUE to_array(VALUE self)
{
    return ph_buffer_chunks(&ph_packer_get(self)->queue);
}

static VALUE write_to(VALUE self, VALUE io)
{
    return ph_buffer_write_to(&ph_packer_get(self)->queue, io);
}

VALUE ph_packer_full(ph_encoder *encoder)
{
    if (NIL_P(encoder->queue.io)) {
        return ph_byte_queue_take(&encoder->queue);
    }
    ph_byte_queue_flush(&encoder->queue);
    return Qnil;
}

static VALUE full_pack(VALUE self)
{
    return ph_packer_full(ph_packer_get(self));
}

static VALUE registered_types(VALUE self)
{
    return ph_ext_types_packers(ph_packer_get(self)->types);
}

static VALUE register_type(VALUE self, VALUE id, VALUE module, VALUE proc)
{
    ph_encoder *encoder = ph_packer_get(self);
    ph_stream_object_register(self, &encoder->types, id, module, proc, ph_ext_types_add_packer);
    encoder->lookup_cache = Qnil;
    encoder->child = Qfalse;
    return Qnil;
}

static void define_writers(VALUE klass)
{
    rb_define_method(klass, "write", write_value, 1);
    rb_define_alias(klass, "pack", "write");
    rb_define_method(klass, "write_nil", write_nil, 0);
    rb_define_method(klass, "write_true", write_true, 0);
    rb_define_method(klass, "write_false", write_false, 0);
    rb_define_method(klass, "write_float", write_float, 1);
    rb_define_method(klass, "write_float32", write_float32, 1);
    rb_define_method(klass, "write_string", write_string, 1);
    rb_define_method(klass, "write_bin", write_bin, 1);
    rb_define_method(klass, "write_array", write_array, 1);
    rb_define_method(klass, "write_hash", write_hash, 1);
    rb_define_method(klass, "write_symbol", write_symbol, 1);
    rb_define_method(klass, "write_int", write_int, 1);
    rb_define_method(klass, "write_extension", write_extension, 1);
    rb_define_method(klass, "write_ext", write_ext, 2);
    rb_define_method(klass, "write_array_header", write_array_header, 1);
    rb_define_method(klass, "write_map_header", write_map_header, 1);
    rb_define_method(klass, "write_bin_header", write_bin_header, 1);
}

void ph_init_packer(void)
{
    ph_init_encode_object();
    VALUE klass = rb_define_class_under(ph_module, "Packer", rb_cObject);
    ph_class_packer = klass;
    rb_define_alloc_func(klass, allocate);
    rb_define_method(klass, "initialize", initialize, -1);
    rb_define_method(klass, "compatibility_mode?", get_compatibility_mode, 0);
    rb_define_method(klass, "buffer", get_buffer, 0);
    define_writers(klass);
    rb_define_method(klass, "flush", flush, 0);
    rb_define_method(klass, "reset", reset, 0);
    rb_define_alias(klass, "clear", "reset");
    rb_define_method(klass, "size", size, 0);
    rb_define_method(klass, "empty?", is_empty, 0);
    rb_define_method(klass, "to_s", to_string, 0);
    rb_define_alias(klass, "to_str", "to_s");
    rb_define_method(klass, "to_a", to_array, 0);
    rb_define_method(klass, "write_to", write_to, 1);
    rb_define_method(klass, "full_pack", full_pack, 0);
    rb_define_private_method(klass, "registered_types_internal", registered_types, 0);
    rb_define_private_method(klass, "register_type_internal", register_type, 3);
}
