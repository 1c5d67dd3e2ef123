/* How an Unpacker gets from bytes to values: decode what is whole, otherwise scan the frame. */
#include "classes/unpacker.h"

#include "classes/ext_types.h"

static void commit(void *context, size_t size)
{
    ph_unpacker *unpacker = ph_unpacker_get((VALUE)context);
    ph_byte_queue_consume(&unpacker->queue, size);
}

static VALUE nested_unpacker(void *context, const ph_decoder *decoder, const uint8_t *payload,
                             size_t size)
{
    VALUE self = (VALUE)context;
    ph_unpacker *unpacker = ph_unpacker_get(self);
    VALUE child = ph_unpacker_for_payload(unpacker->child_in_use ? Qfalse : unpacker->child,
                                          decoder, payload, size);
    if (child != unpacker->child) {
        RB_OBJ_WRITE(self, &unpacker->child, child);
    }
    unpacker->child_in_use = true;
    return child;
}

static void nested_done(void *context)
{
    ph_unpacker_get((VALUE)context)->child_in_use = false;
}

VALUE ph_unpacker_for_payload(VALUE child, const ph_decoder *decoder, const uint8_t *payload,
                              size_t size)
{
    if (child == Qfalse) {
        child = ph_unpacker_new(Qnil, Qnil, decoder->types);
    }
    ph_unpacker *unpacker = ph_unpacker_get(child);
    unpacker->options = *decoder->options;
    unpacker->depth = decoder->depth + (uint32_t)decoder->open + 1;
    unpacker->recursion = decoder->recursion + 1;
    unpacker->scanning = false;
    ph_byte_queue_borrow(&unpacker->queue, decoder->holder, payload, size,
                         decoder->offset + ph_left(decoder->start, payload));
    return child;
}

/* Decodes from the front of the queue. Qundef: not whole, nothing consumed. */
static VALUE decode_front(VALUE self, ph_unpacker *unpacker)
{
    ph_byte_queue *queue = &unpacker->queue;
    const uint8_t *start = ph_byte_queue_position(queue);
    VALUE holder = queue->holder;
    ph_decoder decoder;
    ph_decoder_init(&decoder, start, queue->bytes.end, holder, &unpacker->options, unpacker->types);
    decoder.offset = ph_byte_queue_offset(queue);
    decoder.depth = unpacker->depth;
    decoder.recursion = unpacker->recursion;
    decoder.host.commit = commit;
    decoder.host.nested_unpacker = nested_unpacker;
    decoder.host.nested_done = nested_done;
    decoder.host.context = (void *)self;
    queue->in_use = true;
    /* Types that procs register count from the next value on. */
    ph_ext_types_share(unpacker->types);

    VALUE value = ph_decode(&decoder);

    if (queue->holder == holder) {
        queue->in_use = false;
    }
    if (PH_LIKELY(value != Qundef)) {
        if (!decoder.committed) {
            ph_byte_queue_consume(queue, ph_left(start, decoder.position));
        }
        return value;
    }
    ph_failure failure = decoder.failure;
    if (failure.kind == PH_FAILURE_CORE) {
        if (failure.code == PH_ERROR_TRUNCATED && !decoder.committed) {
            return Qundef;
        }
    } else if (!decoder.committed) {
        /* Well-formed, only not to be understood: the next read begins behind it. */
        const uint8_t *failed;
        ph_error_code code;
        const uint8_t *value_end = ph_find_end(start, decoder.end, &failed, &code);
        if (value_end != NULL) {
            ph_byte_queue_consume(queue, ph_left(start, value_end));
        }
    }
    ph_raise_failure(&failure);
}

static void check_depth(ph_unpacker *unpacker, const uint8_t *start, const uint8_t *end)
{
    uint32_t depth = unpacker->options.limits.depth > unpacker->depth
                         ? unpacker->options.limits.depth - unpacker->depth
                         : 0;
    if (unpacker->frame.containers < unpacker->next_depth_check ||
        unpacker->frame.containers < depth) {
        return;
    }
    unpacker->next_depth_check = 2 * unpacker->frame.containers;
    volatile VALUE memory = Qfalse;
    uint64_t *counts = rb_alloc_tmp_buffer(&memory, (long)(((size_t)depth + 1) * sizeof *counts));
    const uint8_t *deepest = ph_frame_depth(start, end, depth, counts);
    rb_free_tmp_buffer(&memory);
    if (deepest != NULL) {
        ph_raise_code(PH_ERROR_DEPTH_LIMIT, unpacker->scan_start + ph_left(start, deepest));
    }
}

static void begin_scan(ph_unpacker *unpacker)
{
    unpacker->scanning = true;
    unpacker->scan_start = ph_byte_queue_offset(&unpacker->queue);
    unpacker->scanned = 0;
    unpacker->next_depth_check = 0;
    ph_frame_begin(&unpacker->frame);
}

/* Scans what has arrived of the value at the front. True: it is whole, `scanned` bytes long. */
static bool scan_front(ph_unpacker *unpacker)
{
    ph_byte_queue *queue = &unpacker->queue;
    const ph_limits *limits = unpacker->options.limited ? &unpacker->options.limits : NULL;
    const uint8_t *start = ph_byte_queue_position(queue);
    const uint8_t *end = queue->bytes.end;
    if (start == NULL) {
        return false;
    }
    const uint8_t *position = start + unpacker->scanned;
    ph_error_code code = PH_ERROR_NONE;
    ph_frame_status status = ph_frame_scan(&unpacker->frame, &position, end, limits, &code);
    unpacker->scanned = ph_left(start, position);
    if (status == PH_FRAME_ERROR) {
        unpacker->scanning = false;
        ph_raise_code(code, unpacker->scan_start + unpacker->scanned);
    }
    check_depth(unpacker, start, position);
    if (status == PH_FRAME_INCOMPLETE &&
        ph_byte_queue_length(queue) > unpacker->options.limits.buffered_bytes) {
        ph_raise_code(PH_ERROR_BUFFER_LIMIT, unpacker->scan_start);
    }
    return status == PH_FRAME_COMPLETE;
}

/* Whether the value at the front is still the one that was being scanned: Unpacker#buffer lets users
 * read and clear under it. */
static bool is_scanning(const ph_unpacker *unpacker)
{
    return unpacker->scanning && unpacker->scan_start == ph_byte_queue_offset(&unpacker->queue) &&
           unpacker->scanned <= ph_byte_queue_length(&unpacker->queue);
}

VALUE ph_unpacker_next(VALUE self)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    for (;;) {
        if (ph_byte_queue_length(&unpacker->queue) != 0) {
            if (!is_scanning(unpacker)) {
                VALUE value = decode_front(self, unpacker);
                if (PH_LIKELY(value != Qundef)) {
                    return value;
                }
                begin_scan(unpacker);
            }
            if (scan_front(unpacker)) {
                unpacker->scanning = false;
                return decode_front(self, unpacker);
            }
        }
        if (!ph_byte_queue_fill(&unpacker->queue)) {
            return Qundef;
        }
    }
}

bool ph_unpacker_skip(VALUE self)
{
    ph_unpacker *unpacker = ph_unpacker_get(self);
    if (!is_scanning(unpacker)) {
        begin_scan(unpacker);
    }
    for (;;) {
        if (scan_front(unpacker)) {
            unpacker->next_depth_check = 0;
            check_depth(unpacker, ph_byte_queue_position(&unpacker->queue),
                        ph_byte_queue_position(&unpacker->queue) + unpacker->scanned);
            unpacker->scanning = false;
            ph_byte_queue_consume(&unpacker->queue, unpacker->scanned);
            return true;
        }
        if (!ph_byte_queue_fill(&unpacker->queue)) {
            return false;
        }
        if (!is_scanning(unpacker)) {
            begin_scan(unpacker);
        }
    }
}

void ph_unpacker_raise_end(const ph_unpacker *unpacker)
{
    const ph_byte_queue *queue = &unpacker->queue;
    uint64_t offset = ph_byte_queue_offset(queue);
    if (is_scanning(unpacker)) {
        offset += unpacker->scanned;
    }
    const char *text = NIL_P(queue->io) ? "end of buffer reached" : "end of file reached";
    ph_raise_located(ph_error_truncated, rb_str_new_cstr(text), offset, Qnil);
}

VALUE ph_unpacker_full(VALUE self)
{
    VALUE value = ph_unpacker_next(self);
    ph_unpacker *unpacker = ph_unpacker_get(self);
    if (value == Qundef) {
        ph_unpacker_raise_end(unpacker);
    }
    size_t extra = ph_byte_queue_length(&unpacker->queue);
    if (extra != 0) {
        VALUE text = rb_sprintf("%" PRIuSIZE " extra bytes after the deserialized object", extra);
        ph_raise_located(ph_error_malformed, text, ph_byte_queue_offset(&unpacker->queue), Qnil);
    }
    ph_unpacker_reset(unpacker);
    return value;
}

void ph_unpacker_reset(ph_unpacker *unpacker)
{
    ph_byte_queue_clear(&unpacker->queue);
    unpacker->queue.dropped = 0;
    unpacker->scanning = false;
}
