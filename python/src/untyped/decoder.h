/* One decoding: what the walks of both formats share, from failures to finished containers. */
#ifndef PH_PYTHON_UNTYPED_DECODER_H
#define PH_PYTHON_UNTYPED_DECODER_H

#include "errors.h"
#include "untyped/options.h"
#include "untyped/reader_cache.h"
#include "untyped/value_stack.h"

/* Raises the exception of a core error code; see ph_decode_raise. */
typedef void (*ph_decode_raiser)(ph_module_state *state, ph_error_code code, Py_ssize_t offset,
                                 uint64_t length, uint64_t limit);

/* Lives on the C stack of the entry point. */
typedef struct ph_decoder {
    const uint8_t *end;
    const ph_decode_options *options;
    const char *errors; /* the UTF-8 error handler, NULL: strict */
    ph_reader_cache *cache;
    ph_value_stack values;
    ph_limits limits;
    uint32_t shallow_floor; /* with no more than this many levels left, containers stop recursing */
    bool shapes;            /* maps may be recognised by shape */
    bool user_code;         /* hooks or error handlers may run */
    bool list_as_tuple;
    bool unique_keys; /* a key that comes twice in one map is an error; set before the beginning */
    bool in_key;      /* building a map key with tuple_keys */
    ph_reader_format format;
    const uint8_t *start;
    const uint8_t *failed; /* where the value that failed begins */
    Py_ssize_t base_offset;
    ph_module_state *state;
    ph_decode_raiser raise;
    ph_trace trace;
    bool held_collector;
} ph_decoder;

/* What a container must know of where it stands. Passed by value, kept in registers. */
typedef struct ph_place {
    uint32_t depth; /* containers that may still be opened */
    size_t owed;    /* values that the containers around it still wait for; each takes a byte */
} ph_place;

/* Containers that are decoded by recursion in C; a frame takes up to 500 bytes, and threads may have
 * as little as 128 KiB of stack. What is nested deeper goes through ph_decode_deep. */
#define PH_SHALLOW_LEVELS 96

/* Takes a cache, holds off the collector, sets everything from the options; -1 with MemoryError set.
 * The options and limits must outlive the decoding; start to end is the input; user_code: it can run
 * during the decoding. */
int ph_decoder_begin(ph_decoder *d, ph_module_state *state, const ph_decode_options *options,
                     const ph_limits *limits, ph_reader_format format, ph_decode_raiser raise,
                     bool user_code, const uint8_t *start, const uint8_t *end,
                     Py_ssize_t base_offset);

/* Gives everything back and raises what was captured. Returns made, which is NULL on failure. */
PyObject *ph_decoder_end(ph_decoder *d, PyObject *made);

/* Failures. All return NULL, so that they can be returned. The first raises and captures a core
 * error at `position`; the second is for exceptions that are set and not ours to touch (memory, user
 * code); the third for one that is set and ours; the fourth for a string that could not be decoded;
 * the fifth for an unhashable key. */
const uint8_t *ph_decoder_fail(ph_decoder *d, ph_error_code code, const uint8_t *position,
                               uint64_t length, uint64_t limit);
const uint8_t *ph_decoder_fail_as_set(ph_decoder *d, const uint8_t *position);
const uint8_t *ph_decoder_fail_own(ph_decoder *d, const uint8_t *position);
const uint8_t *ph_decoder_fail_text(ph_decoder *d, const uint8_t *position);
const uint8_t *ph_decoder_fail_insertion(ph_decoder *d, const uint8_t *position);

/* What strict_map_key allows, asked when the pair is complete; false: refused and
 * captured, the key still to be named by ph_trace_key. */
bool ph_decoder_allows_key(ph_decoder *d, const uint8_t *position, PyObject *key);

/* A list whose elements are there: tuples and hooks. Takes over `list`; NULL with an exception set. */
PyObject *ph_decoder_finish_rare_array(ph_decoder *d, PyObject *list);

PH_INLINE PyObject *ph_decoder_finish_array(ph_decoder *d, PyObject *list)
{
    if (PH_LIKELY(!d->list_as_tuple && d->options->list_hook == NULL)) {
        return list;
    }
    return ph_decoder_finish_rare_array(d, list);
}

/* The object hook, if there is one. Takes over `dict`, which may be NULL with an exception set. */
PH_INLINE PyObject *ph_decoder_finish_map(ph_decoder *d, PyObject *dict)
{
    if (PH_UNLIKELY(d->options->object_hook != NULL) && dict != NULL) {
        Py_SETREF(dict, PyObject_CallOneArg(d->options->object_hook, dict));
    }
    return dict;
}

/* The values of the first `count` keys of a shape stand at `base`; afterwards pairs do. Room for the
 * pairs must be reserved. */
void ph_decoder_spread(ph_value_stack *values, size_t base, const ph_shape *shape, uint32_t count);

/* A dict of the `count` pairs at `base`, which leave the stack. By shape when the sequence of keys is
 * known or was seen before; then `site` (may be NULL) is told. `start` is where
 * the map begins. NULL with an exception set. */
PyObject *ph_decoder_dict(ph_decoder *d, const uint8_t *start, size_t base, size_t count,
                          ph_shape_site *site, bool all_text);

#endif
