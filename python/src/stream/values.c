/* Taking values out of a stream: frame what has arrived, decode what is whole. */
#include "stream/unpacker_object.h"

#include "wire/cursor.h"

/* As long as no value has been seen, no more than this is decoded in the hope that it is whole. */
#define UNKNOWN_SIZE_MAX (64 * 1024)

int ph_unpacker_check(ph_unpacker *self, ph_taking taking)
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "Unpacker cannot be called recursively while "
                                            "unpacking is in progress");
        return -1;
    }
    if (self->failed && self->may_retry) {
        self->failed = false;
        self->ahead = 0;
    }
    if (self->failed) {
        PyErr_Format(self->state->class.stream_state_error,
                     "the object at byte %llu of the stream could not be read: resync() goes on "
                     "behind it",
                     (unsigned long long)self->offset);
        return -1;
    }
    if (self->pending != PH_TAKING_NOTHING && self->pending != taking) {
        PyErr_SetString(PyExc_ValueError,
                        "Cannot switch unpacking methods while an object is incomplete");
        return -1;
    }
    return 0;
}

void ph_unpacker_advance(ph_unpacker *self, size_t count)
{
    ph_input_consume(&self->input, count);
    self->offset += count;
    self->pending = PH_TAKING_NOTHING;
    self->ahead = 0;
    self->failed = false;
}

/* The value at the beginning of the unread bytes can not be taken; an exception is set. Wrong data
 * stay wrong; after an exception of a hook, or without memory, it may be taken again. */
static void fail(ph_unpacker *self, size_t failed_at, size_t whole_size, bool data_at_fault)
{
    self->pending = PH_TAKING_NOTHING;
    self->failed = true;
    self->may_retry = !data_at_fault;
    self->failed_at = failed_at;
    self->ahead = data_at_fault ? failed_at : 0;
    self->whole_size = whole_size;
}

const uint8_t *ph_unpacker_too_deep(const ph_unpacker *self, const uint8_t *start,
                                    const uint8_t *end)
{
    uint64_t counts[PH_DEFAULT_DEPTH];
    return ph_frame_depth(start, end, self->limits.depth, counts);
}

/* Looks at the depth of the pending value if it may be too deep: when its end is known, before that
 * when it has grown eightfold, so that all looks together cost little. */
static const uint8_t *check_depth(ph_unpacker *self, ph_frame_status status, const uint8_t *start,
                                  const uint8_t *end)
{
    if (self->frame.containers < self->limits.depth) {
        return NULL;
    }
    if (status == PH_FRAME_INCOMPLETE && (self->frame.containers / 8 < self->checked_containers ||
                                          self->scanned / 8 < self->checked_bytes)) {
        return NULL;
    }
    self->checked_containers = self->frame.containers;
    self->checked_bytes = self->scanned;
    return ph_unpacker_too_deep(self, start, end);
}

/* Raises for a header at `failed` that can not be part of the value at `start`. */
static int refuse(ph_unpacker *self, const uint8_t *start, const uint8_t *failed,
                  const uint8_t *end, ph_error_code code)
{
    if (self->pending == PH_TAKING_VALUE) {
        /* The decoder meets the same header, or something that is wrong before it, and knows the
         * path to it. */
        ph_decode_stop stop;
        PyObject *value = ph_decode(self->state, &self->options, &self->limits, start, end,
                                    (Py_ssize_t)self->offset, &stop);
        if (value == NULL) {
            fail(self, ph_left(start, stop.position), 0, stop.data_at_fault);
            return -1;
        }
        Py_DECREF(value);
    }
    size_t at = ph_left(start, failed);
    ph_decode_raise(self->state, code, (Py_ssize_t)(self->offset + at), 0, 0);
    fail(self, at, 0, true);
    return -1;
}

/* Scans what is new of the pending value in the window. 1: it is whole, 0: it is not, -1: an
 * exception is set. */
static int scan(ph_unpacker *self, const uint8_t *start, const uint8_t *end)
{
    bool skipping = self->pending != PH_TAKING_VALUE;
    const uint8_t *position = start + self->scanned;
    ph_error_code code = PH_ERROR_NONE;
    ph_frame_status status =
        ph_frame_scan(&self->frame, &position, end, skipping ? NULL : &self->frame_limits, &code);
    self->scanned = ph_left(start, position);
    if (PH_LIKELY(status == PH_FRAME_COMPLETE) &&
        (!skipping || self->frame.containers < self->limits.depth)) {
        return 1;
    }
    const uint8_t *deep = check_depth(self, status, start, position);
    if (deep != NULL) {
        return refuse(self, start, deep, end, PH_ERROR_DEPTH_LIMIT);
    }
    if (status == PH_FRAME_ERROR) {
        return refuse(self, start, position, end, code);
    }
    /* tell() counts headers and whole payloads, and the first byte of a header that is cut. */
    self->ahead = self->frame.payload_left != 0
                      ? self->scanned - (size_t)self->frame.payload_arrived
                      : self->scanned + (position != end ? 1 : 0);
    return status == PH_FRAME_COMPLETE;
}

/* Brings the next value into the window, *size bytes from its start. 1, 0 for no more data, -1 with an
 * exception set. */
static int find_value(ph_unpacker *self, ph_taking taking, size_t *size)
{
    for (;;) {
        const uint8_t *start;
        const uint8_t *end;
        ph_input_window(&self->input, &start, &end);
        size_t wanted = 0;
        if (start != end) {
            if (self->pending == PH_TAKING_NOTHING) {
                self->pending = taking;
                self->scanned = 0;
                self->checked_containers = 0;
                self->checked_bytes = 0;
                ph_frame_begin(&self->frame);
            }
            int found = scan(self, start, end);
            if (found != 0) {
                *size = self->scanned;
                return found;
            }
            wanted = (size_t)(self->frame.payload_left + self->frame.owed);
        }
        int filled = ph_unpacker_fill(self, wanted);
        if (filled <= 0) {
            return filled;
        }
    }
}

/* Framing costs a quarter of decoding. Where the next value is probably whole it is decoded at once:
 * if there is more than values took of late, or a chunk begins with it, as messages do. If it turns
 * out not to be whole, what was made is dropped and the value is framed from then on. */
static bool is_probably_whole(const ph_unpacker *self, size_t available)
{
    if (self->pending != PH_TAKING_NOTHING || self->user_code || available == 0) {
        return false;
    }
    size_t expected = self->expected_size;
    if (self->input.chunk_start == 0 || expected == 0) {
        return available <= UNKNOWN_SIZE_MAX || (expected != 0 && expected <= available);
    }
    return expected <= available;
}

/* Remembers the larger sizes of late. */
static void note_size(ph_unpacker *self, size_t size)
{
    size_t expected = self->expected_size;
    self->expected_size = size >= expected ? size : expected - (expected - size) / 8;
}

/* Decodes at once what is probably whole. NULL without an exception: it was not, or must be framed. */
static PyObject *take_at_once(ph_unpacker *self)
{
    const uint8_t *start;
    const uint8_t *end;
    ph_input_window(&self->input, &start, &end);
    size_t available = ph_left(start, end), expected = self->expected_size;
    if (!is_probably_whole(self, available)) {
        return NULL;
    }
    if (expected == 0 || expected > available) {
        expected = available;
    }
    ph_decode_stop stop;
    PyObject *value = ph_decode_arrived(self->state, &self->options, &self->limits, start, end,
                                        expected, (Py_ssize_t)self->offset, &stop);
    if (PH_LIKELY(value != NULL)) {
        size_t size = ph_left(start, stop.position);
        note_size(self, size);
        ph_unpacker_advance(self, size);
    } else if (PyErr_Occurred()) {
        fail(self, ph_left(start, stop.position), 0, stop.data_at_fault);
    }
    return value;
}

static PyObject *take_framed(ph_unpacker *self)
{
    size_t size;
    if (find_value(self, PH_TAKING_VALUE, &size) <= 0) {
        return NULL;
    }
    const uint8_t *start;
    const uint8_t *end;
    ph_input_window(&self->input, &start, &end);
    ph_decode_stop stop;
    PyObject *value = ph_decode(self->state, &self->options, &self->limits, start, start + size,
                                (Py_ssize_t)self->offset, &stop);
    if (PH_LIKELY(value != NULL)) {
        note_size(self, size);
        ph_unpacker_advance(self, size);
    } else {
        fail(self, ph_left(start, stop.position), size, stop.data_at_fault);
    }
    return value;
}

PyObject *ph_unpacker_take_value(ph_unpacker *self)
{
    if (ph_unpacker_check(self, PH_TAKING_VALUE) < 0) {
        return NULL;
    }
    self->busy = true;
    PyObject *value = take_at_once(self);
    if (value == NULL && !PyErr_Occurred()) {
        value = take_framed(self);
    }
    self->busy = false;
    return value;
}

int ph_unpacker_skip_value(ph_unpacker *self)
{
    if (self->failed && !self->busy) {
        return ph_unpacker_resync(self) < 0 ? -1 : 1;
    }
    if (ph_unpacker_check(self, PH_TAKING_SKIPPED_VALUE) < 0) {
        return -1;
    }
    size_t size;
    self->busy = true;
    int found = find_value(self, PH_TAKING_SKIPPED_VALUE, &size);
    self->busy = false;
    if (found > 0) {
        ph_unpacker_advance(self, size);
    }
    return found;
}

PyObject *ph_unpacker_take_raw(ph_unpacker *self)
{
    if (ph_unpacker_check(self, PH_TAKING_RAW_VALUE) < 0) {
        return NULL;
    }
    size_t size;
    self->busy = true;
    int found = find_value(self, PH_TAKING_RAW_VALUE, &size);
    self->busy = false;
    if (found <= 0) {
        return NULL;
    }
    PyObject *raw = ph_input_take(&self->input, size);
    if (raw != NULL) {
        ph_unpacker_advance(self, 0);
        self->offset += size;
    }
    return raw;
}

int ph_unpacker_take_header(ph_unpacker *self, ph_taking taking, size_t *count)
{
    if (ph_unpacker_check(self, taking) < 0) {
        return -1;
    }
    ph_format_kind wanted = taking == PH_TAKING_ARRAY_HEADER ? PH_KIND_ARRAY : PH_KIND_MAP;
    int found;
    self->busy = true;
    for (;;) {
        const uint8_t *start;
        const uint8_t *end;
        ph_input_window(&self->input, &start, &end);
        if (start != end) {
            if ((ph_format_kind)ph_format_table[*start].kind != wanted) {
                PyErr_SetString(PyExc_ValueError, "Unexpected type header on stream");
                found = -1;
                break;
            }
            ph_token token = {0};
            const uint8_t *next = ph_cursor_next(start, end, &token);
            if (token.kind != PH_TOKEN_ERROR) {
                *count = token.length;
                ph_unpacker_advance(self, ph_left(start, next));
                found = 1;
                break;
            }
            self->pending = taking;
        }
        found = ph_unpacker_fill(self, 0);
        if (found <= 0) {
            break;
        }
    }
    self->busy = false;
    return found;
}

PyObject *ph_unpacker_take_bytes(ph_unpacker *self, Py_ssize_t count)
{
    if (ph_unpacker_refuse_busy(self, "read_bytes") < 0 ||
        ph_unpacker_check(self, PH_TAKING_NOTHING) < 0) {
        return NULL;
    }
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "number of bytes must be non-negative");
        return NULL;
    }
    size_t held = ph_input_size(&self->input);
    if ((size_t)count > held && self->source.file != NULL) {
        self->busy = true;
        PyObject *more = ph_unpacker_read(self, count - (Py_ssize_t)held);
        self->busy = false;
        if (more == NULL) {
            return NULL;
        }
        /* A file that gives more than it was asked for loses nothing: the rest stays unread. */
        int appended = ph_input_append(&self->input, more);
        Py_DECREF(more);
        if (appended < 0) {
            return NULL;
        }
        held = ph_input_size(&self->input);
    }
    size_t taken = (size_t)count < held ? (size_t)count : held;
    PyObject *bytes = ph_input_take(&self->input, taken);
    if (bytes != NULL) {
        self->offset += taken;
    }
    return bytes;
}
