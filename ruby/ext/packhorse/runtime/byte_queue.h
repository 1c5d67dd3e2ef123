/* Bytes in, bytes out, in one contiguous run: what Packer, Unpacker and Buffer keep. */
#ifndef PH_RUBY_BYTE_QUEUE_H
#define PH_RUBY_BYTE_QUEUE_H

#include "packhorse.h"

/* The memory is that of a String: a hidden one of the queue's own, or one that was fed and is only
 * read. So the collector owns it, and an exception can fly through anything here.
 *
 * Queues live in the data of a Ruby object (owner), whose mark function calls ph_byte_queue_mark, or
 * on the machine stack (owner Qfalse), where the collector finds `holder` by itself. */
typedef struct ph_byte_queue {
    ph_buffer bytes;        /* stored from start to end, room up to limit */
    size_t consumed;        /* bytes at the start that have been read */
    uint64_t dropped;       /* bytes read and forgotten before start: the stream's offset */
    VALUE holder;           /* whose memory it is; Qfalse: none, or the caller's scratch */
    VALUE owner;            /* for write barriers */
    VALUE io;               /* source and sink, Qnil if there is none */
    bool borrowed;          /* holder was fed by a caller: never written to */
    bool in_use;            /* a decoder may be reading holder's memory: never moved */
    size_t expected;        /* of the next run: what was taken last */
    long io_bytes;          /* bytes asked of io at once, and buffered before io is written to */
    ph_allocator allocator; /* gives String memory to `bytes` */
} ph_byte_queue;

#define PH_IO_BYTES 32768

/* An empty queue. options: nil or a Hash with io_buffer_size. */
void ph_byte_queue_init(ph_byte_queue *queue, VALUE owner, VALUE io, VALUE options);

/* Starts a queue on `size` bytes of scratch memory, which must outlive it. */
void ph_byte_queue_use_scratch(ph_byte_queue *queue, uint8_t *scratch, size_t size);

/* For the mark and compact functions of the owner. */
void ph_byte_queue_mark(const ph_byte_queue *queue);
void ph_byte_queue_compact(ph_byte_queue *queue);

/* Bytes of memory behind the queue, for ObjectSpace.memsize_of. */
size_t ph_byte_queue_memory(const ph_byte_queue *queue);

PH_INLINE const uint8_t *ph_byte_queue_position(const ph_byte_queue *queue)
{
    return queue->bytes.start == NULL ? NULL : queue->bytes.start + queue->consumed;
}

/* Bytes that have not been read. */
PH_INLINE size_t ph_byte_queue_length(const ph_byte_queue *queue)
{
    return ph_buffer_length(&queue->bytes) - queue->consumed;
}

/* Offset in the stream of the next byte to read. */
PH_INLINE uint64_t ph_byte_queue_offset(const ph_byte_queue *queue)
{
    return queue->dropped + queue->consumed;
}

/* Takes `size` unread bytes away from the front. */
PH_INLINE void ph_byte_queue_consume(ph_byte_queue *queue, size_t size)
{
    queue->consumed += size;
}

/* Makes room for `more` bytes at bytes.end, which may move everything. Raises NoMemoryError. */
void ph_byte_queue_make_room(ph_byte_queue *queue, size_t more);

PH_INLINE void ph_byte_queue_reserve(ph_byte_queue *queue, size_t more)
{
    if (PH_UNLIKELY(ph_buffer_room(&queue->bytes) < more)) {
        ph_byte_queue_make_room(queue, more);
    }
}

/* Appends bytes. They must not be the queue's own memory. */
void ph_byte_queue_append(ph_byte_queue *queue, const void *bytes, size_t size);

/* Appends the bytes of a String; a long one is kept by reference when the queue is empty. */
void ph_byte_queue_feed(ph_byte_queue *queue, VALUE string);

/* Makes the queue `size` bytes at `start` of holder's memory, at this offset of a stream. What was in
 * it is forgotten. */
void ph_byte_queue_borrow(ph_byte_queue *queue, VALUE holder, const uint8_t *start, size_t size,
                          uint64_t offset);

/* Reads once from io. False at its end. Calls user code. */
bool ph_byte_queue_fill(ph_byte_queue *queue);

/* Writes all unread bytes to io, if there is one. Calls user code. */
void ph_byte_queue_flush(ph_byte_queue *queue);

/* Whether io is there and enough bytes wait for it. */
PH_INLINE bool ph_byte_queue_wants_flush(const ph_byte_queue *queue)
{
    return PH_UNLIKELY(queue->io != Qnil) && ph_byte_queue_length(queue) >= (size_t)queue->io_bytes;
}

/* Forgets all bytes, and memory beyond a small size. */
void ph_byte_queue_clear(ph_byte_queue *queue);

/* Forgets all bytes and all memory. */
void ph_byte_queue_release(ph_byte_queue *queue);

/* A new binary String of the unread bytes; the queue is unchanged. */
VALUE ph_byte_queue_to_string(const ph_byte_queue *queue);

/* As ph_byte_queue_to_string, and clears the queue: a big run is handed over without a copy. */
VALUE ph_byte_queue_take(ph_byte_queue *queue);

#endif
