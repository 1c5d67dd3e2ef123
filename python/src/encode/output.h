/* Bytes under construction: a scratch on the C stack first, then the bytes object of the result. */
#ifndef PH_PYTHON_ENCODE_OUTPUT_H
#define PH_PYTHON_ENCODE_OUTPUT_H

#include "cpython.h"

#include "base/bytes.h"

/* Bytes that may be written while the position is not behind `limit`: enough for a key and a value
 * of moderate length with the overshoot of their copies, so that a pair needs one check. */
#define PH_OUTPUT_ROOM 512

/* Results up to this size are built on the C stack and allocated once, exactly. */
#define PH_OUTPUT_SCRATCH 2048

/* The caller owns the struct and keeps the position. After any failure ph_output_discard is the
 * only call allowed. Not thread safe. */
typedef struct ph_output {
    uint8_t *start;
    uint8_t *limit;  /* PH_OUTPUT_ROOM bytes are free behind it */
    PyObject *bytes; /* owned; NULL as long as everything fits into the scratch */
    size_t expected; /* size of a result like this one, 0 when not known */
    uint8_t scratch[PH_OUTPUT_SCRATCH + PH_OUTPUT_ROOM];
} ph_output;

/* Begins an output; returns the position. `expected`: the size of the last result, or 0. */
PH_INLINE uint8_t *ph_output_begin(ph_output *output, size_t expected)
{
    output->start = output->scratch;
    output->limit = output->scratch + PH_OUTPUT_SCRATCH;
    output->bytes = NULL;
    output->expected = expected;
    return output->start;
}

/* Makes room for `more` bytes, and PH_OUTPUT_ROOM behind them, at position `to`. Returns the new
 * position, or NULL with MemoryError set. */
uint8_t *ph_output_grow(ph_output *output, uint8_t *to, size_t more);

/* The hot check. `more` is at most PTRDIFF_MAX. */
PH_INLINE uint8_t *ph_output_ensure(ph_output *output, uint8_t *to, size_t more)
{
    return PH_LIKELY((ptrdiff_t)more <= output->limit - to) ? to : ph_output_grow(output, to, more);
}

/* Copies `size` bytes; returns the new position, or NULL with MemoryError set. */
uint8_t *ph_output_append(ph_output *output, uint8_t *to, const void *bytes, size_t size);

/* The bytes from start to `to` as a bytes object, a new reference; NULL with MemoryError set. The
 * output is over in either case. */
PyObject *ph_output_finish(ph_output *output, uint8_t *to);

/* Ends an output that failed. */
PH_INLINE void ph_output_discard(ph_output *output)
{
    Py_CLEAR(output->bytes);
}

#endif
