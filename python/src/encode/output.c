/* Growth of a result: from the scratch to the size of the last result, then by doubling. */
#include "encode/output.h"

/* Above this size a result that fills less than half of its block is copied into an exact one:
 * shrinking in place would keep a large block split, or mapped, for a small object. */
#define COPY_WHEN_SMALLER 65536

/* A large result keeps its block when less than this share of it is left over. A block that is given
 * back as large as it was asked for teaches the C library to keep such blocks; one that was shrunk is
 * mapped and unmapped on every call, and each of its pages faults again: half of the time. */
#define SHARE_LEFT_OVER 8

/* Larger steps than this grow by half instead of doubling. */
#define HALF_STEPS_FROM ((size_t)1 << 26)

/* A size that is taken for the next one as well; larger results are rare, and grow. */
#define EXPECTED_MAX HALF_STEPS_FROM

static size_t next_capacity(const ph_output *output, size_t needed)
{
    size_t capacity = needed < HALF_STEPS_FROM ? needed * 2 : needed + needed / 2;
    if (output->bytes == NULL && output->expected <= EXPECTED_MAX) {
        /* A little more than last time, for documents that vary. */
        size_t expected = output->expected + output->expected / 16;
        return expected > capacity ? expected : capacity;
    }
    return capacity;
}

uint8_t *ph_output_grow(ph_output *output, uint8_t *to, size_t more)
{
    size_t used = (size_t)(to - output->start);
    size_t needed = used;
    if (!ph_size_add(used, more, &needed) || needed > PY_SSIZE_T_MAX / 4) {
        PyErr_NoMemory();
        return NULL;
    }
    size_t capacity = next_capacity(output, needed);
    Py_ssize_t size = (Py_ssize_t)(capacity + PH_OUTPUT_ROOM);
    if (output->bytes == NULL) {
        output->bytes = PyBytes_FromStringAndSize(NULL, size);
        if (output->bytes == NULL) {
            return NULL;
        }
        memcpy(PyBytes_AS_STRING(output->bytes), output->start, used);
    } else if (_PyBytes_Resize(&output->bytes, size) < 0) {
        return NULL;
    }
    output->start = (uint8_t *)PyBytes_AS_STRING(output->bytes);
    output->limit = output->start + capacity;
    return output->start + used;
}

uint8_t *ph_output_append(ph_output *output, uint8_t *to, const void *bytes, size_t size)
{
    to = ph_output_ensure(output, to, size);
    if (to != NULL && size > 0) {
        memcpy(to, bytes, size);
        to += size;
    }
    return to;
}

PyObject *ph_output_finish(ph_output *output, uint8_t *to)
{
    Py_ssize_t size = (Py_ssize_t)(to - output->start);
    PyObject *bytes = output->bytes;
    output->bytes = NULL;
    if (bytes == NULL) {
        return PyBytes_FromStringAndSize((const char *)output->start, size);
    }
    if (size < COPY_WHEN_SMALLER && size < PyBytes_GET_SIZE(bytes) / 2) {
        PyObject *exact = PyBytes_FromStringAndSize((const char *)output->start, size);
        Py_DECREF(bytes);
        return exact;
    }
    if (size >= COPY_WHEN_SMALLER && PyBytes_GET_SIZE(bytes) - size <= size / SHARE_LEFT_OVER) {
        Py_SET_SIZE(bytes, size);
        PyBytes_AS_STRING(bytes)[size] = 0;
        return bytes;
    }
    _PyBytes_Resize(&bytes, size);
    return bytes;
}
