/* The Unpacker object and the steps its methods are made of. */
#ifndef PH_PYTHON_STREAM_UNPACKER_OBJECT_H
#define PH_PYTHON_STREAM_UNPACKER_OBJECT_H

#include "decode/decode.h"
#include "stream/input.h"

#include "wire/frame.h"

/* What a method takes from the stream. A value that is not whole yet remembers what began it. */
typedef enum ph_taking {
    PH_TAKING_NOTHING,
    PH_TAKING_VALUE,
    PH_TAKING_SKIPPED_VALUE,
    PH_TAKING_RAW_VALUE,
    PH_TAKING_ARRAY_HEADER,
    PH_TAKING_MAP_HEADER
} ph_taking;

/* A file that bytes are read from. */
typedef struct ph_source {
    PyObject *file; /* owned; NULL: fed by hand, or at its end */
    PyObject *read; /* owned: file.read; NULL: an asynchronous iterable without one */
    PyObject
        *iterator; /* owned: the asynchronous iterator of such an iterable, once it is needed */
} ph_source;

typedef struct ph_unpacker {
    PyObject_HEAD
    ph_module_state *state; /* of ph_module_state_hold */
    ph_decode_options options;
    ph_limits limits;       /* of whole values */
    ph_limits frame_limits; /* of headers: what is refused before the value is whole */
    ph_input input;
    ph_source source;
    Py_ssize_t read_size;
    Py_ssize_t max_buffer_size;
    uint64_t offset; /* bytes of the stream before the first unread one */
    /* The value that is not whole, or that failed; it begins at the first unread byte. */
    ph_taking pending;
    ph_frame frame;
    size_t scanned;              /* bytes of it that the frame has seen */
    size_t ahead;                /* bytes of it that tell() counts */
    uint64_t checked_containers; /* its size when its depth was last looked at */
    size_t checked_bytes;
    size_t expected_size; /* of the next value, by those before it; 0: nothing is known */
    bool user_code;       /* decoding may run hooks or error handlers */
    bool may_retry;       /* a hook raised: taking the value again calls it again */
    bool failed;          /* an error left the stream where it is; only resync() goes on */
    size_t failed_at;     /* bytes from the value's beginning to what is wrong */
    size_t whole_size;    /* of the failed value, 0 when it is not known */
    bool arrived_only;    /* nothing is to be read now: an awaitable will be asked for more */
    bool busy;            /* decoding or reading: user code may run, nothing may change */
} ph_unpacker;

/* --- creation.c --- */

/* tp_new and tp_init. An object is usable even if a subclass never calls __init__; calling it again
 * starts a new stream. */
PyObject *ph_unpacker_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords);
int ph_unpacker_init(PyObject *object, PyObject *arguments, PyObject *keywords);

/* A number of bytes that the user gave. 0, or -1 with TypeError or OverflowError set. */
int ph_unpacker_size_argument(Py_ssize_t *size, PyObject *value);

/* -1 with RuntimeError set when `method` is called while a value is being taken. */
int ph_unpacker_refuse_busy(const ph_unpacker *self, const char *method);

/* --- source.c: where bytes come from --- */

/* Fills an empty source from file_like (borrowed, None: no file): 0, or -1 with AttributeError or
 * TypeError set. Runs user code. */
int ph_source_open(ph_module_state *state, ph_source *source, PyObject *file_like);

void ph_source_clear(ph_source *source);

/* Appends bytes, or raises BufferFull when too many would be unread. 0 or -1. */
int ph_unpacker_append(ph_unpacker *self, PyObject *bytes);

/* The same for bytes that a source has given: they are lost when they can not be kept, and the stream
 * has failed then. */
int ph_unpacker_receive(ph_unpacker *self, PyObject *bytes);

/* Makes the window longer by about `wanted` bytes: from the chunk, else from the file, which runs
 * user code. 1: done; 0: no data for now; -1: exception set. */
int ph_unpacker_fill(ph_unpacker *self, size_t wanted);

/* Bytes held that tell() has not passed: what max_buffer_size limits. */
PH_INLINE size_t ph_unpacker_unread(const ph_unpacker *self)
{
    return ph_input_size(&self->input) - self->ahead;
}

/* How much may be read at once now, at least 1; -1 with BufferFull set when the buffer is full. */
Py_ssize_t ph_unpacker_room(ph_unpacker *self);

/* One read of at most `size` bytes. Exact bytes, empty at the end of the file; NULL with an exception
 * set. Runs user code. */
PyObject *ph_unpacker_read(ph_unpacker *self, Py_ssize_t size);

/* --- values.c: taking values. All need the object not to be busy; they check. --- */

/* Raises and returns -1 when a method may not run now: re-entry, failure, or another method's
 * incomplete value. */
int ph_unpacker_check(ph_unpacker *self, ph_taking taking);

/* The next value, decoded; NULL without an exception when the stream has no more data. */
PyObject *ph_unpacker_take_value(ph_unpacker *self);

/* Steps over the next value, or over what failed. 1, 0 for no more data, -1 with an exception set. */
int ph_unpacker_skip_value(ph_unpacker *self);

/* The bytes of the next value; NULL without an exception when there is no more data. */
PyObject *ph_unpacker_take_raw(ph_unpacker *self);

/* The number of elements or pairs of the next value, whose header is consumed. Results as
 * ph_unpacker_skip_value. */
int ph_unpacker_take_header(ph_unpacker *self, ph_taking taking, size_t *count);

/* Up to `count` bytes as they are; with a file, one read to complete them. */
PyObject *ph_unpacker_take_bytes(ph_unpacker *self, Py_ssize_t count);

/* --- resync.c --- */

/* After an error: drops bytes up to the next plausible value. The number of bytes dropped, or -1 with
 * an exception set. */
Py_ssize_t ph_unpacker_resync(ph_unpacker *self);

/* The first value inside [start, end) nested deeper than allowed, or NULL. */
const uint8_t *ph_unpacker_too_deep(const ph_unpacker *self, const uint8_t *start,
                                    const uint8_t *end);

/* Consumes `count` bytes and forgets the value that was pending or had failed. */
void ph_unpacker_advance(ph_unpacker *self, size_t count);

#endif
