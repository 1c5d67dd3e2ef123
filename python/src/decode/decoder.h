/* One decoding: what the walks of both formats share, from failures to finished containers. */
#ifndef PH_PYTHON_DECODE_DECODER_H
#define PH_PYTHON_DECODE_DECODER_H

#include "decode/options.h"
#include "errors.h"
#include "objects/reader_cache.h"
#include "objects/value_stack.h"
#include "stack_room.h"

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
    const ph_limits *limits;
    uint32_t shallow_floor; /* with no more than this many levels left, containers stop recursing */
    bool shapes;            /* maps may be recognised by shape */
    bool any_code;          /* Python code may run: hooks, error handlers, classes of the package */
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
    size_t depth; /* containers that may still be opened */
    size_t owed;  /* values that the containers around it still wait for; each takes a byte */
} ph_place;

/* Containers that are decoded by recursion in C; a frame takes up to 500 bytes, and threads may have
 * as little as 128 KiB of stack. What is nested deeper goes through ph_decode_deep. */
#define PH_SHALLOW_LEVELS 96

/* Below this many bytes a collection can hardly be due, and switching costs more than it saves. */
#define PH_COLLECTOR_GUARD_BYTES 1024

/* The collector has nothing to find among objects that are only being made, so it is held off while
 * no Python code can run. It postpones: what it would have done inside the call is due afterwards, and
 * is saved only if the result dies young. Not on free-threaded builds, where the switch would be
 * thrown for all threads. */
PH_INLINE bool ph_decoder_hold_collector(const ph_decoder *d, size_t size)
{
#ifdef Py_GIL_DISABLED
    (void)d;
    (void)size;
    return false;
#else
    return size >= PH_COLLECTOR_GUARD_BYTES && !d->any_code && PyGC_Disable();
#endif
}

/* Takes a cache, holds off the collector, sets everything from the options; -1 with an exception set
 * (memory, or an error handler's name that is no text). The options and limits must outlive the
 * decoding; start to end is the input, of which about expected_size bytes will be decoded; any_code:
 * Python code can run during it. */
PH_INLINE int ph_decoder_begin(ph_decoder *d, ph_module_state *state,
                               const ph_decode_options *options, const ph_limits *limits,
                               ph_reader_format format, ph_decode_raiser raise, bool any_code,
                               const uint8_t *start, const uint8_t *end, size_t expected_size,
                               Py_ssize_t base_offset)
{
    d->errors = NULL;
    if (PH_UNLIKELY(options->unicode_errors != NULL)) {
        d->errors = PyUnicode_AsUTF8(options->unicode_errors);
        if (d->errors == NULL) {
            return -1;
        }
    }
    d->cache = ph_reader_cache_take(state, format);
    if (PH_UNLIKELY(d->cache == NULL)) {
        return -1;
    }
    d->format = format;
    d->raise = raise;
    d->start = start;
    d->end = end;
    d->failed = start;
    d->base_offset = base_offset;
    d->state = state;
    d->options = options;
    d->limits = limits;
    d->shallow_floor = limits->depth > PH_SHALLOW_LEVELS ? limits->depth - PH_SHALLOW_LEVELS : 0;
    d->any_code = any_code;
    d->list_as_tuple = !options->use_list;
    d->in_key = false;
    /* A key that a shape recognises is not checked against the limit of strings again. */
    d->shapes = !options->raw &&
                (options->max_str_len == -1 || options->max_str_len >= PH_KEYSLOT_LENGTH_MAX);
    ph_value_stack_init(&d->values);
    ph_trace_begin(&d->trace);
    d->held_collector = ph_decoder_hold_collector(d, expected_size);
    ph_object_samples_prepare(&d->cache->samples, expected_size, any_code);
    return 0;
}

/* Gives everything back and raises what was captured. Returns made, which is NULL on failure. */
PH_INLINE PyObject *ph_decoder_end(ph_decoder *d, PyObject *made)
{
    if (d->held_collector) {
        PyGC_Enable();
    }
    ph_value_stack_clear(&d->values);
    ph_reader_cache_give_back(d->state, d->format, d->cache);
    if (PH_UNLIKELY(made == NULL)) {
        ph_trace_finish(d->state, &d->trace);
    }
    return made;
}

/* Failures. All return NULL, so that they can be returned. The first raises and captures a core
 * error at `position`; the second is for exceptions that are set and not ours to touch (memory, user
 * code); the third for one that is set and ours, unless it is an interrupt; the fourth for a string
 * that could not be decoded; the fifth for a key that could not be put into its dict. */
const uint8_t *ph_decoder_fail(ph_decoder *d, ph_error_code code, const uint8_t *position,
                               uint64_t length, uint64_t limit);
const uint8_t *ph_decoder_fail_as_set(ph_decoder *d, const uint8_t *position);
const uint8_t *ph_decoder_fail_own(ph_decoder *d, const uint8_t *position);
const uint8_t *ph_decoder_fail_text(ph_decoder *d, const uint8_t *position);
const uint8_t *ph_decoder_fail_insertion(ph_decoder *d, const uint8_t *position);

/* What strict_map_key allows and can be hashed, asked when the pair is complete; false: refused, the
 * failed key still to be added to the trace. */
bool ph_decoder_allows_key(ph_decoder *d, const uint8_t *position, PyObject *key);

/* A list whose elements are there: tuples, hooks, gc=False. Takes over `list`; NULL with an
 * exception set. */
PyObject *ph_decoder_finish_rare_array(ph_decoder *d, PyObject *list);

PH_INLINE PyObject *ph_decoder_finish_array(ph_decoder *d, PyObject *list)
{
    if (PH_LIKELY(!d->list_as_tuple && d->options->list_hook == NULL && d->options->gc)) {
        return list;
    }
    return ph_decoder_finish_rare_array(d, list);
}

/* True if nothing among the values can be part of a cycle. */
PH_INLINE bool ph_are_atoms(PyObject *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (PyObject_IS_GC(values[i])) {
            return false;
        }
    }
    return true;
}

/* Takes a list, tuple or dict that holds only atoms out of the collector's lists. */
void ph_decoder_hide_leaf(PyObject *container);

/* The object hook, or gc=False. Takes over `dict`, which may be NULL with an exception set. */
PH_INLINE PyObject *ph_decoder_finish_map(ph_decoder *d, PyObject *dict)
{
    if (PH_UNLIKELY(d->options->object_hook != NULL) && dict != NULL) {
        Py_SETREF(dict, ph_call_hook(d->options->object_hook, dict));
    } else if (PH_UNLIKELY(!d->options->gc) && dict != NULL) {
        ph_decoder_hide_leaf(dict);
    }
    return dict;
}

/* Puts the first `count` keys of a shape and their values onto the stack, as pairs, with room for
 * all of the shape. Takes over `values`, which are in room of ph_dict_values_new for the shape, in any
 * case. -1 with MemoryError set. */
int ph_decoder_spread(ph_decoder *d, PyObject **values, const ph_shape *shape, uint32_t count);

/* A dict of the `count` pairs at `base`, which leave the stack. By shape when the sequence of keys is
 * known or was seen before; then `site` (may be NULL) is told. `start` is where
 * the map begins. NULL with an exception set. */
PyObject *ph_decoder_dict(ph_decoder *d, const uint8_t *start, size_t base, size_t count,
                          ph_shape_site *site, bool all_text);

#endif
