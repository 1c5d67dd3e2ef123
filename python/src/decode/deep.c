/* A loop over open containers, each a small record on the heap instead of a C frame. */
#include "decode/deep.h"

/* An open container. Its finished contents are on the value stack from `base` on: elements, or keys
 * and values alternating. */
typedef struct open_container {
    const uint8_t *start; /* of its header */
    const uint8_t *key_start;
    size_t left; /* elements or pairs still to come, in counted formats */
    size_t base;
    bool is_map;
    bool has_key;  /* the key of the next value is the last thing on the stack */
    bool all_text; /* all keys so far are exact str */
    bool in_key;   /* what d->in_key was when it was opened */
    bool list_as_tuple;
} open_container;

typedef struct deep_walk {
    ph_decoder *d;
    const ph_deep_format *format;
    open_container *open; /* owned */
    size_t count;
    size_t capacity;
    uint32_t depth; /* levels that may be open at once */
} deep_walk;

static int grow(deep_walk *walk)
{
    size_t capacity = walk->capacity == 0 ? 32 : walk->capacity * 2;
    open_container *open = PyMem_Realloc(walk->open, capacity * sizeof *open);
    if (open == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    walk->open = open;
    walk->capacity = capacity;
    return 0;
}

static const uint8_t *check_limits(ph_decoder *d, const uint8_t *value, const uint8_t *position,
                                   const ph_token *token)
{
    if (token->kind == PH_TOKEN_ARRAY && token->length > d->limits->array_elements) {
        return ph_decoder_fail(d, PH_ERROR_ARRAY_LIMIT, value, token->length,
                               d->limits->array_elements);
    }
    if (token->kind == PH_TOKEN_MAP && token->length > d->limits->map_entries) {
        return ph_decoder_fail(d, PH_ERROR_MAP_LIMIT, value, token->length, d->limits->map_entries);
    }
    return position;
}

static const uint8_t *open_one(deep_walk *walk, const uint8_t *value, const uint8_t *position,
                               const ph_token *token, bool is_key)
{
    ph_decoder *d = walk->d;
    if (walk->count == walk->depth) {
        return ph_decoder_fail(d, PH_ERROR_DEPTH_LIMIT, value, 0, 0);
    }
    if (check_limits(d, value, position, token) == NULL) {
        return NULL;
    }
    if (walk->count == walk->capacity && grow(walk) < 0) {
        return ph_decoder_fail_as_set(d, value);
    }
    walk->open[walk->count++] = (open_container){
        .start = value,
        .left = token->length,
        .base = d->values.used,
        .is_map = token->kind == PH_TOKEN_MAP,
        .all_text = true,
        .in_key = d->in_key,
        .list_as_tuple = d->list_as_tuple,
    };
    if (is_key && d->options->tuple_keys) {
        d->in_key = true;
        d->list_as_tuple = true;
    }
    return position;
}

/* The pairs on the stack as a list of tuples, given to object_pairs_hook. */
static PyObject *call_pairs_hook(ph_decoder *d, size_t base)
{
    size_t count = (d->values.used - base) / 2;
    PyObject *pairs = PyList_New(0);
    for (size_t i = 0; pairs != NULL && i < count; i++) {
        PyObject **pair = d->values.items + base + 2 * i;
        PyObject *tuple = PyTuple_Pack(2, pair[0], pair[1]);
        if (tuple == NULL || PyList_Append(pairs, tuple) < 0) {
            Py_CLEAR(pairs);
        }
        Py_XDECREF(tuple);
    }
    ph_value_stack_drop(&d->values, base);
    if (pairs != NULL) {
        Py_SETREF(pairs, ph_call_hook(d->options->object_pairs_hook, pairs));
    }
    return pairs;
}

/* Makes the object of the innermost container and closes it. NULL with a failure reported. */
static PyObject *close_one(deep_walk *walk)
{
    ph_decoder *d = walk->d;
    open_container one = walk->open[--walk->count];
    PyObject *made;
    bool pairs_hook = d->options->object_pairs_hook != NULL;
    if (!one.is_map) {
        made = ph_value_stack_take_list(&d->values, &d->cache->samples, one.base);
        if (made != NULL) {
            made = ph_decoder_finish_array(d, made);
        }
    } else if (pairs_hook) {
        made = call_pairs_hook(d, one.base);
    } else {
        made = ph_decoder_dict(d, one.start, one.base, (d->values.used - one.base) / 2, NULL,
                               one.all_text);
        if (made == NULL) {
            ph_decoder_fail_insertion(d, one.start);
        } else {
            made = ph_decoder_finish_map(d, made);
        }
    }
    d->in_key = one.in_key;
    d->list_as_tuple = one.list_as_tuple;
    if (made == NULL) {
        d->failed = one.start;
    }
    return made;
}

/* Puts a value into the innermost container. Takes over `made`. -1 with a failure reported. */
static int put(deep_walk *walk, PyObject *made)
{
    ph_decoder *d = walk->d;
    open_container *one = &walk->open[walk->count - 1];
    if (ph_value_stack_reserve(&d->values, 1) < 0) {
        Py_DECREF(made);
        ph_decoder_fail_as_set(d, one->start);
        return -1;
    }
    ph_value_stack_push(&d->values, made);
    if (!one->is_map) {
        one->left--;
    } else if (!one->has_key) {
        one->has_key = true;
        one->all_text = one->all_text && PyUnicode_CheckExact(made);
    } else {
        PyObject *key = d->values.items[d->values.used - 2];
        one->has_key = false;
        one->left--;
        if (!ph_decoder_allows_key(d, one->key_start, key)) {
            ph_value_stack_drop(&d->values, d->values.used - 2);
            return -1;
        }
    }
    return 0;
}

static ph_deep_place place_of(const deep_walk *walk, const open_container *one)
{
    bool first = walk->d->values.used == one->base;
    if (!one->is_map) {
        return first ? PH_DEEP_FIRST_ELEMENT : PH_DEEP_ELEMENT;
    }
    if (one->has_key) {
        return PH_DEEP_VALUE;
    }
    return first ? PH_DEEP_FIRST_KEY : PH_DEEP_KEY;
}

/* The next token within the innermost container, and what becomes of it. Sets *ended when it is
 * complete. NULL with a failure reported. */
static const uint8_t *step(deep_walk *walk, const uint8_t *position, bool *ended)
{
    open_container *one = &walk->open[walk->count - 1];
    *ended = walk->format->counted && one->left == 0 && !one->has_key;
    if (*ended) {
        return position;
    }
    ph_token token;
    bool is_key = one->is_map && !one->has_key;
    const uint8_t *next = walk->format->next(walk->d, position, place_of(walk, one), &token);
    if (is_key) {
        one->key_start = position;
    }
    switch (token.kind) {
    case PH_TOKEN_ERROR: return ph_decoder_fail(walk->d, (ph_error_code)token.length, next, 0, 0);
    case PH_TOKEN_ARRAY:
    case PH_TOKEN_MAP: return open_one(walk, position, next, &token, is_key);
    case PH_TOKEN_END_ARRAY:
    case PH_TOKEN_END_MAP: *ended = true; return next;
    default: break;
    }
    PyObject *made;
    next = walk->format->scalar(walk->d, position, next, &token, is_key, &made);
    if (next != NULL && put(walk, made) < 0) {
        return NULL;
    }
    return next;
}

/* Names the way from the failure to the outermost container and drops what was made. */
static void unwind(deep_walk *walk)
{
    ph_decoder *d = walk->d;
    while (walk->count != 0) {
        open_container *one = &walk->open[--walk->count];
        size_t inside = d->values.used - one->base;
        if (!one->is_map) {
            ph_trace_index(&d->trace, (Py_ssize_t)inside);
        } else if (inside % 2 == 1) {
            PyObject *key = d->values.items[d->values.used - 1];
            ph_trace_key(&d->trace, key);
            ph_key_forget(d->cache, key);
        } else if (!one->has_key) {
            ph_trace_failed_key(d->state, &d->trace);
        }
        ph_value_stack_drop(&d->values, one->base);
        d->in_key = one->in_key;
        d->list_as_tuple = one->list_as_tuple;
    }
}

const uint8_t *ph_decode_deep(ph_decoder *d, const ph_deep_format *format, const uint8_t *value,
                              const uint8_t *position, const ph_token *token, uint32_t depth,
                              PyObject **made)
{
    deep_walk walk = {.d = d, .format = format, .depth = depth};
    position = open_one(&walk, value, position, token, false);
    while (position != NULL) {
        bool ended;
        position = step(&walk, position, &ended);
        if (position == NULL || !ended) {
            continue;
        }
        *made = close_one(&walk);
        if (*made == NULL || (walk.count != 0 && put(&walk, *made) < 0)) {
            position = NULL;
        } else if (walk.count == 0) {
            break;
        }
    }
    if (position == NULL) {
        unwind(&walk);
    }
    PyMem_Free(walk.open);
    return position;
}
