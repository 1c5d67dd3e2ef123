/* MessagePack bytes to Python objects: the entry points of the decoder. */
#ifndef PH_PYTHON_DECODE_DECODE_H
#define PH_PYTHON_DECODE_DECODE_H

#include "decode/options.h"

#include "base/error.h"

/* Where a decoding ended, and why. */
typedef struct ph_decode_stop {
    const uint8_t *position; /* behind the value; on failure, where the failing value begins */
    bool data_at_fault;      /* it failed for what the input holds, not for memory or user code */
} ph_decode_stop;

/* Decodes one value that starts at `start`.
 *
 * start, end: the input; must stay valid and unchanged during the call, hooks included (the caller
 * holds a buffer export, or refuses to change its buffer while decoding).
 * base_offset: the offset of `start` in what the user calls the input, for .offset of exceptions.
 * stop: filled in any case.
 *
 * Returns a new reference, or NULL with an exception set: truncated ValueError "Unpack failed:
 * incomplete input", FormatError, StackError, limits as ValueError, UnicodeDecodeError, or whatever
 * a hook raised. May run user code when ph_decode_options_user_code says so. */
PyObject *ph_decode(ph_module_state *state, const ph_decode_options *options,
                    const ph_limits *limits, const uint8_t *start, const uint8_t *end,
                    Py_ssize_t base_offset, ph_decode_stop *stop);

/* As ph_decode for a value that may not be there as a whole: NULL without an exception when the input
 * ends inside it. Not for options that run user code, which would run again later. expected_size:
 * bytes that the value probably takes of those that are there; only speed depends on it. */
PyObject *ph_decode_arrived(ph_module_state *state, const ph_decode_options *options,
                            const ph_limits *limits, const uint8_t *start, const uint8_t *end,
                            size_t expected_size, Py_ssize_t base_offset, ph_decode_stop *stop);

/* unpackb(packed, *, ...), METH_FASTCALL | METH_KEYWORDS. */
PyObject *ph_unpackb(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                     PyObject *keywords);

/* Raises the exception for a core error code found at `offset` of the input or stream (used by the
 * framing of streams as well). `limit` is the limit that was exceeded and `length` the claimed
 * length, for the texts of limit errors; otherwise ignored. */
void ph_decode_raise(ph_module_state *state, ph_error_code code, Py_ssize_t offset, uint64_t length,
                     uint64_t limit);

#endif
