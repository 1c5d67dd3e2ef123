/* class Buffer: first in, first out, with an optional IO behind it. */
#include "classes/buffer_class.h"

#include "runtime/errors.h"

typedef struct ph_buffer_object {
    ph_byte_queue own;
    ph_byte_queue *queue; /* own, or the owner's */
    VALUE owner;          /* Packer or Unpacker, or Qfalse */
} ph_buffer_object;

static ID id_close;
static ID id_write;

static void mark_buffer(void *pointer)
{
    ph_buffer_object *buffer = pointer;
    ph_byte_queue_mark(&buffer->own);
    rb_gc_mark_movable(buffer->owner);
}

static void compact_buffer(void *pointer)
{
    ph_buffer_object *buffer = pointer;
    ph_byte_queue_compact(&buffer->own);
    buffer->owner = rb_gc_location(buffer->owner);
}

static size_t size_of_buffer(const void *pointer)
{
    const ph_buffer_object *buffer = pointer;
    return sizeof *buffer + ph_byte_queue_memory(&buffer->own);
}

static const rb_data_type_t buffer_type = {
    .wrap_struct_name = "Packhorse::Buffer",
    .function = {.dmark = mark_buffer,
                 .dfree = RUBY_DEFAULT_FREE,
                 .dsize = size_of_buffer,
                 .dcompact = compact_buffer},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static ph_buffer_object *buffer_get(VALUE self)
{
    return rb_check_typeddata(self, &buffer_type);
}

static ph_byte_queue *queue_of(VALUE self)
{
    return buffer_get(self)->queue;
}

static VALUE allocate(VALUE klass)
{
    ph_buffer_object *buffer;
    VALUE self = TypedData_Make_Struct(klass, ph_buffer_object, &buffer_type, buffer);
    ph_byte_queue_init(&buffer->own, self, Qnil, Qnil);
    buffer->queue = &buffer->own;
    buffer->owner = Qfalse;
    return self;
}

VALUE ph_buffer_object_over(ph_byte_queue *queue, VALUE owner)
{
    VALUE self = allocate(ph_class_buffer);
    ph_buffer_object *buffer = buffer_get(self);
    buffer->queue = queue;
    RB_OBJ_WRITE(self, &buffer->owner, owner);
    return self;
}

/* call-seq: new(io = nil, options = nil) */
static VALUE initialize(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    ph_scan_io_and_options(argc, argv, &io, &options);
    ph_byte_queue_init(&buffer_get(self)->own, self, io, options);
    return self;
}

static VALUE clear(VALUE self)
{
    ph_byte_queue_release(queue_of(self));
    return Qnil;
}

static VALUE size(VALUE self)
{
    return SIZET2NUM(ph_byte_queue_length(queue_of(self)));
}

static VALUE is_empty(VALUE self)
{
    return ph_byte_queue_length(queue_of(self)) == 0 ? Qtrue : Qfalse;
}

/* Appends bytes; returns how many. */
static VALUE write_bytes(VALUE self, VALUE string)
{
    StringValue(string);
    ph_byte_queue_feed(queue_of(self), string);
    return LONG2NUM(RSTRING_LEN(string));
}

static VALUE append(VALUE self, VALUE string)
{
    write_bytes(self, string);
    return self;
}

/* Reads from io until `wanted` bytes are there, or io ends. */
static size_t fill_up_to(ph_byte_queue *queue, size_t wanted)
{
    while (ph_byte_queue_length(queue) < wanted && ph_byte_queue_fill(queue)) {
    }
    return ph_byte_queue_length(queue);
}

static size_t count_argument(VALUE count)
{
    long number = NUM2LONG(count);
    if (number < 0) {
        rb_raise(rb_eArgError, "a count of bytes can not be negative: %ld", number);
    }
    return (size_t)number;
}

/* Takes `length` bytes from the front into `out` (a String or nil), or a new String. */
static VALUE take_front(ph_byte_queue *queue, size_t length, VALUE out)
{
    if (NIL_P(out)) {
        out = rb_str_new((const char *)ph_byte_queue_position(queue), (long)length);
    } else {
        StringValue(out);
        rb_str_modify(out);
        rb_str_resize(out, (long)length);
        if (length != 0) {
            memcpy(RSTRING_PTR(out), ph_byte_queue_position(queue), length);
        }
    }
    ph_byte_queue_consume(queue, length);
    if (ph_byte_queue_length(queue) == 0 && !queue->in_use) {
        ph_byte_queue_release(queue);
    }
    return out;
}

NORETURN(static void raise_end(const ph_byte_queue *queue))
{
    ph_raise_located(ph_error_truncated, rb_str_new_cstr("end of buffer reached"),
                     ph_byte_queue_offset(queue), Qnil);
}

/* call-seq:
 *   read -> String
 *   read(n, out = nil) -> String or nil
 *
 * Up to n bytes, nil at the end; without n all there is. */
static VALUE read_some(int argc, VALUE *argv, VALUE self)
{
    VALUE count, out;
    rb_scan_args(argc, argv, "02", &count, &out);
    ph_byte_queue *queue = queue_of(self);
    if (NIL_P(count)) {
        return take_front(queue, fill_up_to(queue, SIZE_MAX), out);
    }
    size_t wanted = count_argument(count);
    if (wanted == 0) {
        return take_front(queue, 0, out);
    }
    size_t present = fill_up_to(queue, wanted);
    if (present == 0) {
        return Qnil;
    }
    return take_front(queue, present < wanted ? present : wanted, out);
}

/* As read, but EOFError, nothing consumed, when there are fewer than n bytes. */
static VALUE read_all(int argc, VALUE *argv, VALUE self)
{
    VALUE count, out;
    rb_scan_args(argc, argv, "02", &count, &out);
    ph_byte_queue *queue = queue_of(self);
    if (NIL_P(count)) {
        return take_front(queue, fill_up_to(queue, SIZE_MAX), out);
    }
    size_t wanted = count_argument(count);
    if (fill_up_to(queue, wanted) < wanted) {
        raise_end(queue);
    }
    return take_front(queue, wanted, out);
}

/* Drops up to n bytes; returns how many. */
static VALUE skip(VALUE self, VALUE count)
{
    ph_byte_queue *queue = queue_of(self);
    size_t wanted = count_argument(count);
    size_t dropped = 0;
    /* Piece by piece: skipping a gigabyte of an IO does not keep it. */
    while (dropped < wanted) {
        size_t present = ph_byte_queue_length(queue);
        if (present == 0) {
            if (!ph_byte_queue_fill(queue)) {
                break;
            }
            continue;
        }
        size_t step = present < wanted - dropped ? present : wanted - dropped;
        ph_byte_queue_consume(queue, step);
        dropped += step;
    }
    return SIZET2NUM(dropped);
}

/* Drops n bytes; EOFError, nothing dropped, when there are fewer. */
static VALUE skip_all(VALUE self, VALUE count)
{
    ph_byte_queue *queue = queue_of(self);
    size_t wanted = count_argument(count);
    if (fill_up_to(queue, wanted) < wanted) {
        raise_end(queue);
    }
    ph_byte_queue_consume(queue, wanted);
    return self;
}

static VALUE get_io(VALUE self)
{
    return queue_of(self)->io;
}

static VALUE flush(VALUE self)
{
    ph_byte_queue_flush(queue_of(self));
    return self;
}

/* Closes io, if it can be closed. */
static VALUE close_io(VALUE self)
{
    VALUE io = queue_of(self)->io;
    return NIL_P(io) ? Qnil : rb_funcall(io, id_close, 0);
}

VALUE ph_buffer_write_to(ph_byte_queue *queue, VALUE io)
{
    VALUE bytes = ph_byte_queue_take(queue);
    VALUE count = LONG2NUM(RSTRING_LEN(bytes));
    if (RSTRING_LEN(bytes) != 0) {
        rb_funcall(io, id_write, 1, bytes);
    }
    return count;
}

static VALUE write_to(VALUE self, VALUE io)
{
    return ph_buffer_write_to(queue_of(self), io);
}

static VALUE to_string(VALUE self)
{
    return ph_byte_queue_to_string(queue_of(self));
}

VALUE ph_buffer_chunks(const ph_byte_queue *queue)
{
    VALUE chunks = rb_ary_new();
    if (ph_byte_queue_length(queue) != 0) {
        rb_ary_push(chunks, ph_byte_queue_to_string(queue));
    }
    return chunks;
}

static VALUE to_array(VALUE self)
{
    return ph_buffer_chunks(queue_of(self));
}

void ph_init_buffer(void)
{
    id_close = rb_intern("close");
    id_write = rb_intern("write");
    VALUE klass = rb_define_class_under(ph_module, "Buffer", rb_cObject);
    ph_class_buffer = klass;
    rb_define_alloc_func(klass, allocate);
    rb_define_method(klass, "initialize", initialize, -1);
    rb_define_method(klass, "clear", clear, 0);
    rb_define_method(klass, "size", size, 0);
    rb_define_method(klass, "empty?", is_empty, 0);
    rb_define_method(klass, "write", write_bytes, 1);
    rb_define_method(klass, "<<", append, 1);
    rb_define_method(klass, "skip", skip, 1);
    rb_define_method(klass, "skip_all", skip_all, 1);
    rb_define_method(klass, "read", read_some, -1);
    rb_define_method(klass, "read_all", read_all, -1);
    rb_define_method(klass, "io", get_io, 0);
    rb_define_method(klass, "flush", flush, 0);
    rb_define_method(klass, "close", close_io, 0);
    rb_define_method(klass, "write_to", write_to, 1);
    rb_define_method(klass, "to_s", to_string, 0);
    rb_define_alias(klass, "to_str", "to_s");
    rb_define_method(klass, "to_a", to_array, 0);
}
