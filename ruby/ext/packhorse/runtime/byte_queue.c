/* The byte queue: memory that the collector owns, borrowing, and an IO at either end. */
#include "runtime/byte_queue.h"

/* A String of this many bytes is never embedded in its slot, so its bytes stay where they are. */
#define SMALLEST_OWN 1024
/* Shorter fed strings are copied: a reference would cost a Ruby object. */
#define SHORTEST_BORROWED 512
/* What a cleared queue keeps for its next use. */
#define LARGEST_KEPT 65536
/* Results at least this long take the queue's memory with them. */
#define SHORTEST_TAKEN 16384
/* Memory that is made at once because the last run was long. */
#define LARGEST_EXPECTED ((size_t)1 << 24)

static ID id_read;
static ID id_readpartial;
static ID id_write;
static ID id_append;

static void set_holder(ph_byte_queue *queue, VALUE holder)
{
    if (queue->owner != Qfalse && holder != Qfalse) {
        RB_OBJ_WRITE(queue->owner, &queue->holder, holder);
    } else {
        queue->holder = holder;
    }
    queue->in_use = false;
}

static VALUE new_own_string(size_t size)
{
    VALUE string = rb_str_buf_new((long)size);
    rb_str_set_len(string, (long)size);
    return rb_obj_hide(string);
}

/* The allocator of ph_buffer over hidden Strings, each exactly as long as the block. */
static void *resize_string_memory(void *context, void *block, size_t old_size, size_t new_size)
{
    ph_byte_queue *queue = context;
    if (new_size == 0) {
        set_holder(queue, Qfalse);
        return NULL;
    }
    if (new_size > LONG_MAX / 2) {
        return NULL;
    }
    /* More than was asked for: growing copies, and what stays unused is given back by take. */
    new_size += new_size / 4;
    if (new_size < queue->expected) {
        new_size = queue->expected;
    }
    if (new_size < SMALLEST_OWN) {
        new_size = SMALLEST_OWN;
    }
    if (block != NULL && queue->holder != Qfalse && !queue->borrowed && !queue->in_use) {
        rb_str_resize(queue->holder, (long)new_size);
        return RSTRING_PTR(queue->holder);
    }
    VALUE string = new_own_string(new_size);
    if (old_size != 0) {
        memcpy(RSTRING_PTR(string), block, old_size);
    }
    set_holder(queue, string);
    queue->borrowed = false;
    return RSTRING_PTR(string);
}

void ph_byte_queue_init(ph_byte_queue *queue, VALUE owner, VALUE io, VALUE options)
{
    queue->allocator.resize = resize_string_memory;
    queue->allocator.context = queue;
    ph_buffer_init(&queue->bytes, &queue->allocator);
    queue->consumed = 0;
    queue->dropped = 0;
    queue->holder = Qfalse;
    queue->owner = owner;
    queue->io = Qnil;
    queue->borrowed = false;
    queue->in_use = false;
    queue->expected = 0;
    queue->io_bytes = PH_IO_BYTES;
    if (owner != Qfalse) {
        RB_OBJ_WRITE(owner, &queue->io, io);
    } else {
        queue->io = io;
    }
    if (!NIL_P(options)) {
        VALUE size = ph_option(options, "io_buffer_size");
        if (size != Qundef && !NIL_P(size)) {
            long bytes = NUM2LONG(size);
            queue->io_bytes = bytes < 1024 ? 1024 : bytes;
        }
    }
}

void ph_byte_queue_use_scratch(ph_byte_queue *queue, uint8_t *scratch, size_t size)
{
    queue->bytes.start = scratch;
    queue->bytes.end = scratch;
    queue->bytes.limit = scratch + size;
}

void ph_byte_queue_mark(const ph_byte_queue *queue)
{
    /* Pinned: a fed String may be embedded, its bytes then move with it. */
    if (queue->holder != Qfalse) {
        rb_gc_mark(queue->holder);
    }
    rb_gc_mark_movable(queue->io);
}

void ph_byte_queue_compact(ph_byte_queue *queue)
{
    queue->io = rb_gc_location(queue->io);
    /* Not marked, being the object that is compacted. */
    queue->owner = rb_gc_location(queue->owner);
}

size_t ph_byte_queue_memory(const ph_byte_queue *queue)
{
    if (queue->holder == Qfalse) {
        return 0;
    }
    return ph_buffer_length(&queue->bytes) + ph_buffer_room(&queue->bytes);
}

void ph_byte_queue_make_room(ph_byte_queue *queue, size_t more)
{
    if (queue->consumed != 0) {
        size_t unread = ph_byte_queue_length(queue);
        const uint8_t *from = ph_byte_queue_position(queue);
        if (queue->borrowed || queue->in_use) {
            size_t size;
            if (!ph_size_add(unread, more, &size) || size > LONG_MAX / 2) {
                rb_memerror();
            }
            size = size < SMALLEST_OWN ? SMALLEST_OWN : size + size / 2;
            VALUE string = new_own_string(size);
            memcpy(RSTRING_PTR(string), from, unread);
            set_holder(queue, string);
            queue->borrowed = false;
            queue->bytes.start = (uint8_t *)RSTRING_PTR(string);
            queue->bytes.limit = queue->bytes.start + size;
        } else if (unread != 0) {
            memmove(queue->bytes.start, from, unread);
        }
        queue->bytes.end = queue->bytes.start + unread;
        queue->dropped += queue->consumed;
        queue->consumed = 0;
    }
    if (!ph_buffer_ensure(&queue->bytes, more)) {
        rb_memerror();
    }
    /* Blocks may be bigger than asked for. */
    if (queue->holder != Qfalse && !queue->borrowed) {
        queue->bytes.limit = queue->bytes.start + RSTRING_LEN(queue->holder);
    }
}

/* An empty queue starts again at the front of its own memory. */
static void rewind_if_empty(ph_byte_queue *queue)
{
    if (queue->consumed != 0 && ph_byte_queue_length(queue) == 0 && !queue->in_use) {
        ph_byte_queue_clear(queue);
    }
}

void ph_byte_queue_append(ph_byte_queue *queue, const void *bytes, size_t size)
{
    if (size == 0) {
        return;
    }
    rewind_if_empty(queue);
    ph_byte_queue_reserve(queue, size);
    memcpy(queue->bytes.end, bytes, size);
    queue->bytes.end += size;
}

void ph_byte_queue_feed(ph_byte_queue *queue, VALUE string)
{
    size_t size = (size_t)RSTRING_LEN(string);
    if (size >= SHORTEST_BORROWED && ph_byte_queue_length(queue) == 0) {
        VALUE frozen = rb_str_new_frozen(string);
        ph_byte_queue_borrow(queue, frozen, (const uint8_t *)RSTRING_PTR(frozen), size,
                             ph_byte_queue_offset(queue));
        return;
    }
    ph_byte_queue_append(queue, RSTRING_PTR(string), size);
    RB_GC_GUARD(string);
}

static VALUE read_from_io(VALUE argument)
{
    const ph_byte_queue *queue = (const ph_byte_queue *)argument;
    ID method = rb_respond_to(queue->io, id_readpartial) ? id_readpartial : id_read;
    return rb_funcall(queue->io, method, 1, LONG2NUM(queue->io_bytes));
}

static VALUE end_of_io(VALUE argument, VALUE exception)
{
    (void)argument;
    (void)exception;
    return Qnil;
}

bool ph_byte_queue_fill(ph_byte_queue *queue)
{
    if (NIL_P(queue->io)) {
        return false;
    }
    VALUE string = rb_rescue2(read_from_io, (VALUE)queue, end_of_io, Qnil, rb_eEOFError, (VALUE)0);
    if (NIL_P(string)) {
        return false;
    }
    StringValue(string);
    if (RSTRING_LEN(string) == 0) {
        return false;
    }
    ph_byte_queue_feed(queue, string);
    RB_GC_GUARD(string);
    return true;
}

void ph_byte_queue_flush(ph_byte_queue *queue)
{
    VALUE io = queue->io;
    if (NIL_P(io) || ph_byte_queue_length(queue) == 0) {
        return;
    }
    VALUE string = ph_byte_queue_take(queue);
    rb_funcall(io, rb_respond_to(io, id_write) ? id_write : id_append, 1, string);
}

void ph_byte_queue_release(ph_byte_queue *queue)
{
    queue->dropped += ph_buffer_length(&queue->bytes);
    queue->consumed = 0;
    set_holder(queue, Qfalse);
    queue->borrowed = false;
    ph_buffer_init(&queue->bytes, &queue->allocator);
}

void ph_byte_queue_clear(ph_byte_queue *queue)
{
    if (queue->borrowed || queue->in_use || ph_byte_queue_memory(queue) > LARGEST_KEPT) {
        ph_byte_queue_release(queue);
    } else {
        queue->dropped += ph_buffer_length(&queue->bytes);
        queue->consumed = 0;
        queue->bytes.end = queue->bytes.start;
    }
}

VALUE ph_byte_queue_to_string(const ph_byte_queue *queue)
{
    return rb_str_new((const char *)ph_byte_queue_position(queue),
                      (long)ph_byte_queue_length(queue));
}

VALUE ph_byte_queue_take(ph_byte_queue *queue)
{
    size_t length = ph_byte_queue_length(queue);
    VALUE string;
    if (length < SHORTEST_TAKEN || queue->holder == Qfalse || queue->borrowed || queue->in_use ||
        queue->consumed != 0) {
        string = ph_byte_queue_to_string(queue);
    } else {
        string = rb_obj_reveal(queue->holder, rb_cString);
        rb_str_resize(string, (long)length);
        set_holder(queue, Qfalse);
        ph_buffer_init(&queue->bytes, &queue->allocator);
        queue->dropped += length;
        queue->expected = length > LARGEST_EXPECTED ? LARGEST_EXPECTED : length + length / 8;
        return string;
    }
    queue->expected = 0;
    ph_byte_queue_clear(queue);
    return string;
}

void ph_byte_queue_borrow(ph_byte_queue *queue, VALUE holder, const uint8_t *start, size_t size,
                          uint64_t offset)
{
    set_holder(queue, holder);
    queue->borrowed = true;
    queue->bytes.start = (uint8_t *)(uintptr_t)start;
    queue->bytes.end = queue->bytes.start + size;
    queue->bytes.limit = queue->bytes.end;
    queue->consumed = 0;
    queue->dropped = offset;
}

void ph_init_byte_queue(void)
{
    id_read = rb_intern("read");
    id_readpartial = rb_intern("readpartial");
    id_write = rb_intern("write");
    id_append = rb_intern("<<");
}
