/* class Unpacker: what Ruby sees of it. */
#include "classes/buffer_class.h"
#include "classes/stream_object.h"
#include "classes/unpacker.h"
#include "wire/cursor.h"

/* types, buffer and child. */
#define REFERENCES 3

static void mark_unpacker(void *pointer)
{
    ph_unpacker *unpacker = pointer;
    ph_stream_object_mark(&unpacker->queue, &unpacker->types, REFERENCES);
}

static void compact_unpacker(void *pointer)
{
    ph_unpacker *unpacker = pointer;
    ph_stream_object_compact(&unpacker->queue, &unpacker->types, REFERENCES);
}

static size_t size_of_unpacker(const void *pointer)
{
    const ph_unpacker *unpacker = pointer;
    return ph_stream_object_size(sizeof *unpacker, &unpacker->queue, unpacker->types);
}

static const rb_data_type_t unpacker_type = {
    .wrap_struct_name = "Packhorse::Unpacker",
    .function = {.dmark = mark_unpacker,
                 .dfree = RUBY_DEFAULT_FREE,
                 .dsize = size_of_unpacker,
                 .dcompact = compact_unpacker},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

ph_unpacker *ph_unpacker_get(VALUE self)
{
    return rb_check_typeddata(self, &unpacker_type);
}

static VALUE allocate(VALUE klass)
{
    ph_unpacker *unpacker;
    VALUE self = TypedData_Make_Struct(klass, ph_unpacker, &unpacker_type, unpacker);
    ph_byte_queue_init(&unpacker->queue, self, Qnil, Qnil);
    ph_decode_options_set(&unpacker->options, Qnil);
    unpacker->types = ph_ext_types_none();
    unpacker->buffer = Qfalse;
    unpacker->child = Qfalse;
    return self;
}

static void set_up(VALUE self, VALUE io, VALUE options, VALUE types)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    ph_byte_queue_init(&unpacker->queue, self, io, options);
    ph_decode_options_set(&unpacker->options, options);
    RB_OBJ_WRITE(self, &unpacker->types, types);
}

VALUE ph_unpacker_new(VALUE io, VALUE options, VALUE types)
{
    VALUE self = allocate(ph_class_unpacker);
    set_up(self, io, options, ph_ext_types_share(types));
    return self;
}

/* call-seq: new(io = nil, options = nil)
 *
 * io answers readpartial or read. Options: symbolize_keys, freeze, allow_unknown_ext, key_cache
 * (default true), io_buffer_size, limits (a Hash with depth, string_bytes, binary_bytes,
 * array_elements, map_entries, ext_bytes, buffered_bytes). */
static VALUE initialize(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    ph_scan_io_and_options(argc, argv, &io, &options);
    set_up(self, io, options, ph_ext_types_none());
    return self;
}

static VALUE get_symbolize_keys(VALUE self)
{
    return ph_unpacker_get(self)->options.symbolize_keys ? Qtrue : Qfalse;
}

static VALUE get_freeze(VALUE self)
{
    return ph_unpacker_get(self)->options.freeze ? Qtrue : Qfalse;
}

static VALUE get_allow_unknown_ext(VALUE self)
{
    return ph_unpacker_get(self)->options.allow_unknown_ext ? Qtrue : Qfalse;
}

static VALUE get_buffer(VALUE self)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    if (unpacker->buffer == Qfalse) {
        VALUE buffer = ph_buffer_object_over(&unpacker->queue, self);
        RB_OBJ_WRITE(self, &unpacker->buffer, buffer);
    }
    return unpacker->buffer;
}

/* Appends bytes to be read; a long String is kept by reference. */
static VALUE feed(VALUE self, VALUE data)
{
    StringValue(data);
    ph_byte_queue_feed(&ph_unpacker_get(self)->queue, data);
    return self;
}

/* The next value. EOFError when it is not whole yet: feed more and call again. */
static VALUE read_value(VALUE self)
{
    VALUE value = ph_unpacker_next(self);
    if (value == Qundef) {
        ph_unpacker_raise_end(ph_unpacker_get(self));
    }
    return value;
}

/* Steps over the next value without making it. EOFError as read. */
static VALUE skip(VALUE self)
{
    if (!ph_unpacker_skip(self)) {
        ph_unpacker_raise_end(ph_unpacker_get(self));
    }
    return Qnil;
}

/* The header at the front, reading from io as needed. Nothing is consumed; returns its size. */
static size_t peek(VALUE self, ph_token *token)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    for (;;) {
        const uint8_t *position = ph_byte_queue_position(&unpacker->queue);
        if (position != NULL) {
            const uint8_t *behind = ph_cursor_next(position, unpacker->queue.bytes.end, token);
            if (token->kind != PH_TOKEN_ERROR) {
                return ph_left(position, behind);
            }
            if (token->length != PH_ERROR_TRUNCATED) {
                ph_raise_code((ph_error_code)token->length, ph_byte_queue_offset(&unpacker->queue));
            }
        }
        if (!ph_byte_queue_fill(&unpacker->queue)) {
            ph_unpacker_raise_end(unpacker);
        }
    }
}

/* Whether the next value is nil; a nil is consumed. */
static VALUE skip_nil(VALUE self)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    if (ph_byte_queue_length(&unpacker->queue) == 0 && !ph_byte_queue_fill(&unpacker->queue)) {
        ph_unpacker_raise_end(unpacker);
    }
    ph_token token;
    const uint8_t *position = ph_byte_queue_position(&unpacker->queue);
    ph_cursor_next(position, unpacker->queue.bytes.end, &token);
    if (token.kind != PH_TOKEN_NIL) {
        return Qfalse;
    }
    ph_byte_queue_consume(&unpacker->queue, 1);
    return Qtrue;
}

static VALUE read_header(VALUE self, ph_token_kind kind)
{
    ph_token token;
    size_t size = peek(self, &token);
    ph_unpacker *unpacker = ph_unpacker_get(self);
    if (token.kind != kind) {
        ph_raise_located(ph_error_unexpected_type, rb_str_new_cstr("unexpected type"),
                         ph_byte_queue_offset(&unpacker->queue), Qnil);
    }
    ph_byte_queue_consume(&unpacker->queue, size);
    return SIZET2NUM(token.length);
}

/* The number of elements of the array that is next; its elements are the next values. */
static VALUE read_array_header(VALUE self)
{
    return read_header(self, PH_TOKEN_ARRAY);
}

/* The number of pairs of the map that is next; its keys and values are the next values. */
static VALUE read_map_header(VALUE self)
{
    return read_header(self, PH_TOKEN_MAP);
}

/* Yields each whole value; returns nil where the rest is not whole. */
static VALUE each(VALUE self)
{
    RETURN_ENUMERATOR(self, 0, NULL);
    for (;;) {
        VALUE value = ph_unpacker_next(self);
        if (value == Qundef) {
            return Qnil;
        }
        rb_yield(value);
    }
}

/* feed and each in one. */
static VALUE feed_each(VALUE self, VALUE data)
{
    RETURN_ENUMERATOR(self, 1, &data);
    feed(self, data);
    return each(self);
}

/* One value and nothing behind it; then the unpacker is reset. */
static VALUE full_unpack(VALUE self)
{
    return ph_unpacker_full(self);
}

static VALUE reset(VALUE self)
{
    ph_unpacker_reset(ph_unpacker_get(self));
    return Qnil;
}

static VALUE registered_types(VALUE self)
{
    return ph_ext_types_unpackers(ph_unpacker_get(self)->types);
}

static VALUE register_type(VALUE self, VALUE id, VALUE module, VALUE proc)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    ph_stream_object_register(self, &unpacker->types, id, module, proc, ph_ext_types_add_unpacker);
    unpacker->child = Qfalse;
    return Qnil;
}

void ph_init_unpacker(void)
{
    VALUE klass = rb_define_class_under(ph_module, "Unpacker", rb_cObject);
    ph_class_unpacker = klass;
    rb_define_alloc_func(klass, allocate);
    rb_define_method(klass, "initialize", initialize, -1);
    rb_define_method(klass, "symbolize_keys?", get_symbolize_keys, 0);
    rb_define_method(klass, "freeze?", get_freeze, 0);
    rb_define_method(klass, "allow_unknown_ext?", get_allow_unknown_ext, 0);
    rb_define_method(klass, "buffer", get_buffer, 0);
    rb_define_method(klass, "feed", feed, 1);
    rb_define_alias(klass, "feed_reference", "feed");
    rb_define_method(klass, "read", read_value, 0);
    rb_define_alias(klass, "unpack", "read");
    rb_define_method(klass, "skip", skip, 0);
    rb_define_method(klass, "skip_nil", skip_nil, 0);
    rb_define_method(klass, "read_array_header", read_array_header, 0);
    rb_define_method(klass, "read_map_header", read_map_header, 0);
    rb_define_method(klass, "each", each, 0);
    rb_define_method(klass, "feed_each", feed_each, 1);
    rb_define_method(klass, "full_unpack", full_unpack, 0);
    rb_define_method(klass, "reset", reset, 0);
    rb_define_private_method(klass, "registered_types_internal", registered_types, 0);
    rb_define_private_method(klass, "register_type_internal", register_type, 3);
}
