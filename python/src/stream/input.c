/* Moving unread bytes between chunks and memory, each byte at most once for a value that is cut. */
#include "stream/input.h"

#include "input_buffer.h"

/* Memory that may stay with an input that holds nothing. */
#define KEPT_CAPACITY 512
/* The least that is allocated and the least that is moved from a chunk, to spare steps. */
#define SMALLEST_STEP 128

PyObject *ph_input_bytes(PyObject *object)
{
    if (PyBytes_CheckExact(object)) {
        return Py_NewRef(object);
    }
    Py_buffer view;
    if (ph_input_buffer_get(object, &view) < 0) {
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(view.buf, view.len);
    PyBuffer_Release(&view);
    return bytes;
}

/* Makes room for `more` bytes behind the end. */
static int reserve(ph_input *input, size_t more)
{
    size_t used = input->end - input->start;
    if (more <= input->capacity - input->end) {
        return 0;
    }
    if (more <= input->capacity - used && input->start >= used) {
        memcpy(input->memory, input->memory + input->start, used);
    } else {
        /* What has arrived decides, never what a header claims. */
        size_t needed;
        if (!ph_size_add(used, more, &needed) || needed > PY_SSIZE_T_MAX / 4) {
            PyErr_NoMemory();
            return -1;
        }
        size_t capacity = 2 * needed + SMALLEST_STEP;
        /* Growing in place is free for large blocks on most systems. */
        uint8_t *memory =
            input->start == 0 ? PyMem_Realloc(input->memory, capacity) : PyMem_Malloc(capacity);
        if (memory == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        if (input->start != 0) {
            memcpy(memory, input->memory + input->start, used);
            PyMem_Free(input->memory);
        }
        input->memory = memory;
        input->capacity = capacity;
    }
    input->start = 0;
    input->end = used;
    return 0;
}

static void drop_memory(ph_input *input)
{
    input->start = input->end = input->lent = 0;
    if (input->capacity > KEPT_CAPACITY) {
        PyMem_Free(input->memory);
        input->memory = NULL;
        input->capacity = 0;
    }
}

static void drop_chunk(ph_input *input)
{
    Py_CLEAR(input->chunk);
    input->chunk_start = input->lent = 0;
}

/* Copies `count` unread bytes of the chunk to the end of memory; count > 0. */
static int move_to_memory(ph_input *input, size_t count)
{
    if (reserve(input, count) < 0) {
        return -1;
    }
    memcpy(input->memory + input->end, PyBytes_AS_STRING(input->chunk) + input->chunk_start, count);
    input->end += count;
    input->chunk_start += count;
    input->lent += count;
    return 0;
}

int ph_input_settle(ph_input *input)
{
    size_t left = ph_input_chunk_left(input);
    if (left != 0 && move_to_memory(input, left) < 0) {
        return -1;
    }
    drop_chunk(input);
    return 0;
}

int ph_input_append(ph_input *input, PyObject *bytes)
{
    if (PyBytes_GET_SIZE(bytes) == 0) {
        return 0;
    }
    if (ph_input_settle(input) < 0) {
        return -1;
    }
    input->chunk = Py_NewRef(bytes);
    return 0;
}

int ph_input_gather(ph_input *input, size_t wanted)
{
    size_t used = input->end - input->start;
    size_t left = ph_input_chunk_left(input);
    if (used == 0 || left == 0) {
        return 0;
    }
    size_t step = wanted > used / 2 ? wanted : used / 2;
    step = step > SMALLEST_STEP ? step : SMALLEST_STEP;
    return move_to_memory(input, step < left ? step : left) < 0 ? -1 : 1;
}

void ph_input_consume(ph_input *input, size_t count)
{
    size_t used = input->end - input->start;
    if (count < used) {
        input->start += count;
        used -= count;
        count = 0;
    } else {
        count -= used;
        used = 0;
    }
    if (used <= input->lent) {
        input->chunk_start -= used;
        drop_memory(input);
    }
    if (input->chunk != NULL) {
        input->chunk_start += count;
        if (input->lent == 0 && ph_input_chunk_left(input) == 0) {
            drop_chunk(input);
        }
    }
}

PyObject *ph_input_take(ph_input *input, size_t count)
{
    size_t used = input->end - input->start;
    PyObject *taken;
    if (used == 0 && count != 0 && input->chunk_start == 0 && count == ph_input_chunk_left(input)) {
        taken = Py_NewRef(input->chunk);
    } else {
        taken = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)count);
        if (taken == NULL) {
            return NULL;
        }
        uint8_t *to = (uint8_t *)PyBytes_AS_STRING(taken);
        size_t from_memory = count < used ? count : used;
        if (from_memory != 0) {
            memcpy(to, input->memory + input->start, from_memory);
        }
        if (count > from_memory) {
            memcpy(to + from_memory, PyBytes_AS_STRING(input->chunk) + input->chunk_start,
                   count - from_memory);
        }
    }
    ph_input_consume(input, count);
    return taken;
}

void ph_input_clear(ph_input *input)
{
    Py_CLEAR(input->chunk);
    PyMem_Free(input->memory);
    ph_input_init(input);
}
