/* One encoding in progress: output, options, the way back into the walk, what happened so far. */
#ifndef PH_PYTHON_ENCODE_ENCODER_H
#define PH_PYTHON_ENCODE_ENCODER_H

#include "encode/encode_options.h"
#include "encode/output.h"
#include "errors.h"

#include "base/limits.h"

typedef struct ph_encoder ph_encoder;

/* Containers that are entered without a look at the stack. A level takes up to 400 bytes, and threads
 * may have as little as 128 KiB. */
#define PH_ENCODE_SHALLOW_LEVELS 128

/* ph_encoder.stack_floor as long as no level was deep enough to ask for it. */
#define PH_STACK_FLOOR_UNKNOWN 1

/* Writes one value at position `to`, where PH_OUTPUT_ROOM bytes are free; returns the position
 * behind it, or NULL with an exception set or captured in encoder->trace.
 *
 * `value` must be owned by the caller, or by something that can not change during the call. */
typedef uint8_t *(*ph_write_function)(ph_encoder *encoder, uint8_t *to, PyObject *value);

/* The walk of one format, for code outside it that has values to write. Counts are checked and the
 * headers and ends of containers written by begin and end; the depth is up to the caller. */
typedef struct ph_walk {
    ph_write_function value;
    ph_write_function key;           /* the key of a map, with what separates it from the value */
    ph_write_function sequence;      /* a list or tuple, or a subclass, by its storage */
    ph_write_function dict;          /* a dict, or a subclass, by its storage */
    ph_write_function unsorted_dict; /* the same whatever the option `order` says */
    uint8_t *(*array_begin)(ph_encoder *encoder, uint8_t *to, Py_ssize_t count);
    uint8_t *(*array_end)(ph_encoder *encoder, uint8_t *to, Py_ssize_t count);
    uint8_t *(*map_begin)(ph_encoder *encoder, uint8_t *to, Py_ssize_t count);
    uint8_t *(*map_end)(ph_encoder *encoder, uint8_t *to, Py_ssize_t count);
    uint8_t *(*after_element)(
        uint8_t *to); /* behind each element, and behind the value of a pair */
    /* The text of a key in its written form (a bytes object), for sorting; NULL when it is none. */
    const char *(*text_of_key)(PyObject *written, Py_ssize_t *size);
} ph_walk;

struct ph_encoder {
    const ph_encode_options *options; /* borrowed; its references live as long as the call */
    ph_module_state *state;
    const ph_walk *walk;
    ph_trace trace;
    uint32_t depth_left;   /* containers that may still be entered */
    uintptr_t stack_floor; /* of ph_stack_floor, or PH_STACK_FLOOR_UNKNOWN */
    /* Counts the calls after which anything may have changed. A walk that finds it moved reads its
     * container again before it goes on. */
    uint32_t user_code_calls;
    ph_output output; /* last, because of its scratch */
};

/* Begins with an empty output; returns the position. */
PH_INLINE uint8_t *ph_encoder_begin(ph_encoder *encoder, ph_module_state *state,
                                    const ph_encode_options *options, const ph_walk *walk,
                                    size_t expected)
{
    encoder->options = options;
    encoder->state = state;
    encoder->walk = walk;
    ph_trace_begin(&encoder->trace);
    encoder->depth_left = PH_DEFAULT_DEPTH;
    encoder->stack_floor = PH_STACK_FLOOR_UNKNOWN;
    encoder->user_code_calls = 0;
    return ph_output_begin(&encoder->output, expected);
}

/* The end of every failure that is ours: what is set becomes part of the trace. Returns NULL. */
PH_COLD uint8_t *ph_encoder_capture(ph_encoder *encoder);

/* ValueError "recursion limit exceeded.", captured; RecursionError for JSON, TypeError for JSON in
 * the manner of orjson. Returns NULL. */
PH_COLD uint8_t *ph_encoder_too_deep(ph_encoder *encoder);

/* The slow half of ph_encoder_enter: the limit of nesting, and the room on the stack. */
PH_NOINLINE bool ph_encoder_enter_deep(ph_encoder *encoder);

/* Enters a container; false when the limit is reached, as ph_encoder_too_deep, or the stack of the
 * thread is too small, with RecursionError captured. ph_encoder_leave undoes it. */
PH_INLINE bool ph_encoder_enter(ph_encoder *encoder)
{
    if (PH_UNLIKELY(encoder->depth_left <= PH_DEFAULT_DEPTH - PH_ENCODE_SHALLOW_LEVELS) &&
        !ph_encoder_enter_deep(encoder)) {
        return false;
    }
    encoder->depth_left--;
    return true;
}

PH_INLINE void ph_encoder_leave(ph_encoder *encoder)
{
    encoder->depth_left++;
}

/* Before user code is called that may encode in turn: counts it; false when the stack of the thread is
 * too small for that, captured as by ph_encoder_enter. */
PH_NOINLINE bool ph_encoder_call_user_code(ph_encoder *encoder);

/* RuntimeError for a container that changed under the walk, captured. Returns NULL. */
PH_COLD uint8_t *ph_encoder_changed(ph_encoder *encoder, const char *type_name);

/* ValueError "WHAT is too large" for lengths beyond 32 bits, captured. Returns NULL. */
PH_COLD uint8_t *ph_encoder_too_large(ph_encoder *encoder, const char *what);

/* Every failing encoding ends here: raises with the path, releases the output. Returns NULL. */
PH_COLD PyObject *ph_encoder_fail(ph_encoder *encoder);

#endif
