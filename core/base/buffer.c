/* Growth of the output buffer, kept out of the hot path. */
#include "base/buffer.h"

#define SMALLEST_CAPACITY 64

bool PH_COLD ph_buffer_grow(ph_buffer *buffer, size_t more)
{
    size_t used = ph_buffer_length(buffer);
    size_t capacity = used + ph_buffer_room(buffer);
    size_t needed;
    if (!ph_size_add(used, more, &needed)) {
        return false;
    }
    size_t grown;
    if (!ph_size_add(capacity, capacity / 2, &grown)) {
        grown = needed;
    }
    if (grown < needed) {
        grown = needed;
    }
    if (grown < SMALLEST_CAPACITY) {
        grown = SMALLEST_CAPACITY;
    }
    uint8_t *start = ph_reallocate(buffer->allocator, buffer->start, capacity, grown);
    if (start == NULL) {
        return false;
    }
    buffer->start = start;
    buffer->end = start + used;
    buffer->limit = start + grown;
    return true;
}

bool ph_buffer_append(ph_buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0) {
        return true;
    }
    if (!ph_buffer_ensure(buffer, size)) {
        return false;
    }
    memcpy(buffer->end, bytes, size);
    buffer->end += size;
    return true;
}

void ph_buffer_clear(ph_buffer *buffer)
{
    size_t capacity = ph_buffer_length(buffer) + ph_buffer_room(buffer);
    ph_release(buffer->allocator, buffer->start, capacity);
    ph_buffer_init(buffer, buffer->allocator);
}
