/* The unread bytes of a stream: bytes objects read in place, memory for what crosses two of them. */
#ifndef PH_PYTHON_STREAM_INPUT_H
#define PH_PYTHON_STREAM_INPUT_H

#include "cpython.h"

#include "base/bytes.h"

/* Unread are the bytes in memory, then those of the chunk. Whole values inside one chunk are never
 * copied; a value that began in an earlier chunk is completed in memory, and what was copied there
 * beyond its end is handed back to the chunk. Owned by one Unpacker; not thread safe by itself. */
typedef struct ph_input {
    uint8_t *memory; /* owned; NULL as long as nothing needs it */
    size_t capacity;
    size_t start; /* unread bytes in memory: [start, end) */
    size_t end;
    size_t lent;        /* the last bytes in memory that also stand before chunk_start */
    PyObject *chunk;    /* owned, exact bytes; NULL when there is none or it is used up */
    size_t chunk_start; /* where its unread bytes begin */
} ph_input;

/* A stream without bytes; allocates nothing. */
PH_INLINE void ph_input_init(ph_input *input)
{
    *input = (ph_input){0};
}

PH_INLINE size_t ph_input_chunk_left(const ph_input *input)
{
    return input->chunk == NULL ? 0 : (size_t)PyBytes_GET_SIZE(input->chunk) - input->chunk_start;
}

/* All unread bytes, in memory and in the chunk. */
PH_INLINE size_t ph_input_size(const ph_input *input)
{
    return input->end - input->start + ph_input_chunk_left(input);
}

/* The unread bytes that lie together: [*start, *end), empty only when nothing is unread. Valid until
 * the next call that changes the input. */
PH_INLINE void ph_input_window(const ph_input *input, const uint8_t **start, const uint8_t **end)
{
    if (input->start != input->end) {
        *start = input->memory + input->start;
        *end = input->memory + input->end;
    } else if (input->chunk != NULL) {
        const uint8_t *bytes = (const uint8_t *)PyBytes_AS_STRING(input->chunk);
        *start = bytes + input->chunk_start;
        *end = bytes + PyBytes_GET_SIZE(input->chunk);
    } else {
        *start = *end = NULL;
    }
}

/* The bytes of any bytes-like object of item size 1 as exact bytes: itself or a copy. A new
 * reference, or NULL with TypeError or BufferError set. */
PyObject *ph_input_bytes(PyObject *object);

/* Appends exact bytes (borrowed; a reference is kept while they are unread). 0, or -1 with
 * MemoryError set and nothing changed. */
int ph_input_append(ph_input *input, PyObject *bytes);

/* Makes the window longer, by about `wanted` bytes or half of what it has, out of the chunk.
 * 1: it is longer; 0: nothing left to add; -1: MemoryError set, nothing changed. */
int ph_input_gather(ph_input *input, size_t wanted);

/* Between two calls of the user: moves the unread tail of a chunk into memory, so that a few bytes
 * do not keep a large object alive. 0, or -1 with MemoryError set and nothing changed. */
int ph_input_settle(ph_input *input);

/* Steps over `count` bytes, no more than are unread. Memory that a large value needed is released
 * with its last byte. */
void ph_input_consume(ph_input *input, size_t count);

/* The next `count` bytes as a new bytes object, consumed; no more than are unread. NULL with
 * MemoryError set and nothing consumed. */
PyObject *ph_input_take(ph_input *input, size_t count);

/* Releases everything; the input is empty and usable. */
void ph_input_clear(ph_input *input);

#endif
