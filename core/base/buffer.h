/* A growable output buffer: one inline room check, growth out of line. */
#ifndef PH_BASE_BUFFER_H
#define PH_BASE_BUFFER_H

#include "base/alloc.h"
#include "base/bytes.h"

/* The writer's position is `end`; bytes from start to end are written, end to limit are free.
 * The caller owns the struct; the buffer owns the memory until ph_buffer_clear. Not thread safe. */
typedef struct ph_buffer {
    uint8_t *start;
    uint8_t *end;
    uint8_t *limit;
    const ph_allocator *allocator; /* borrowed, must outlive the buffer */
} ph_buffer;

/* An empty buffer that has allocated nothing. */
PH_INLINE void ph_buffer_init(ph_buffer *buffer, const ph_allocator *allocator)
{
    buffer->start = NULL;
    buffer->end = NULL;
    buffer->limit = NULL;
    buffer->allocator = allocator;
}

PH_INLINE size_t ph_buffer_length(const ph_buffer *buffer)
{
    return buffer->start == NULL ? 0 : ph_left(buffer->start, buffer->end);
}

PH_INLINE size_t ph_buffer_room(const ph_buffer *buffer)
{
    return buffer->start == NULL ? 0 : ph_left(buffer->end, buffer->limit);
}

/* Makes room for at least `more` bytes after the end, growing by half or more. False when memory
 * or size_t runs out; the buffer is then unchanged and still usable. */
PH_WARN_UNUSED bool ph_buffer_grow(ph_buffer *buffer, size_t more);

/* The hot check: true when `more` bytes can be written at `end`. */
PH_INLINE PH_WARN_UNUSED bool ph_buffer_ensure(ph_buffer *buffer, size_t more)
{
    return PH_LIKELY(ph_buffer_room(buffer) >= more) || ph_buffer_grow(buffer, more);
}

/* Copies `size` bytes to the end; bytes may be NULL when size is 0. False as ph_buffer_grow. */
PH_WARN_UNUSED bool ph_buffer_append(ph_buffer *buffer, const void *bytes, size_t size);

/* Releases the memory; the buffer is empty and usable again. */
void ph_buffer_clear(ph_buffer *buffer);

#endif
