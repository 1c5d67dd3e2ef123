/* The walk from MessagePack tokens to Python objects. */
#include "untyped/decode.h"

#include "errors.h"
#include "untyped/extension.h"
#include "untyped/reader_cache.h"
#include "untyped/value_stack.h"

#include "wire/cursor.h"

/* One decoding; lives on the stack of ph_decode. */
typedef struct decoder {
    const uint8_t *end;
    const ph_decode_options *options;
    const char *errors; /* the UTF-8 error handler, NULL: strict */
    ph_reader_cache *cache;
    ph_value_stack values;
    ph_limits limits;
    bool shapes;    /* maps may be recognised by shape */
    bool user_code; /* hooks or error handlers may run */
    bool list_as_tuple;
    bool in_key; /* building a map key: arrays become tuples */
    const uint8_t *start;
    const uint8_t *failed; /* where the value that failed begins */
    Py_ssize_t base_offset;
    ph_module_state *state;
    ph_trace trace;
} decoder;

/* What a container must know of where it stands. Passed by value, kept in registers. */
typedef struct place {
    uint32_t depth; /* containers that may still be opened */
    size_t owed;    /* values that the containers around it still wait for; each takes a byte */
} place;

static const uint8_t *decode_array(decoder *d, const uint8_t *position, size_t count,
                                   ph_shape_site *site, place where, PyObject **made);
static const uint8_t *decode_map(decoder *d, const uint8_t *position, size_t count,
                                 ph_shape_site *site, place where, PyObject **made);

static const uint8_t *decode_pair(decoder *d, const uint8_t *position, ph_shape_site *site,
                                  place where, PyObject **key, PyObject **value);

static PH_COLD const uint8_t *fail(decoder *d, ph_error_code code, const uint8_t *position,
                                   uint64_t length, uint64_t limit)
{
    Py_ssize_t offset = d->base_offset + (position - d->start);
    d->failed = position;
    ph_decode_raise(d->state, code, offset, length, limit);
    ph_trace_capture(&d->trace, offset);
    return NULL;
}

/* An exception is set already and is not to be touched: memory ran out, or user code raised. */
static PH_COLD const uint8_t *fail_as_set(decoder *d, const uint8_t *position)
{
    d->failed = position;
    return NULL;
}

/* A string could not be decoded. The offset is that of the first byte that is wrong. */
static PH_COLD const uint8_t *fail_text(decoder *d, const uint8_t *position, const uint8_t *text)
{
    Py_ssize_t wrong = 0;
    d->failed = position;
    if (d->errors != NULL || !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
        return NULL;
    }
    ph_trace_capture(&d->trace, 0);
    if (PyUnicodeDecodeError_GetStart(d->trace.exception, &wrong) < 0) {
        PyErr_Clear();
    }
    ph_trace_offset(&d->trace, d->base_offset + (text - d->start) + wrong);
    return NULL;
}

/* `field` is that of the shape whose value this is; NULL elsewhere. */
PH_INLINE const uint8_t *decode_text(decoder *d, const uint8_t *value, const uint8_t *next,
                                     const ph_token *token, ph_shape_field *field, PyObject **made)
{
    if (PH_UNLIKELY(token->length > d->limits.string_bytes)) {
        return fail(d, PH_ERROR_STRING_LIMIT, value, token->length, d->limits.string_bytes);
    }
    const uint8_t *bytes = token->value.bytes;
    if (PH_UNLIKELY(d->options->raw)) {
        *made = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)token->length);
    } else if (field != NULL && field->reuse != 0 && token->length <= PH_REUSE_LENGTH_MAX) {
        PyObject *last = ph_shape_field_text(field, bytes, token->length);
        if (last != NULL) {
            *made = Py_NewRef(last);
            return next;
        }
        *made = ph_text_from_utf8(&d->cache->samples, bytes, token->length, d->errors);
        if (PH_LIKELY(*made != NULL)) {
            ph_shape_field_note(field, *made);
        }
    } else {
        *made = ph_text_from_utf8(&d->cache->samples, bytes, token->length, d->errors);
    }
    return PH_LIKELY(*made != NULL) ? next : fail_text(d, value, bytes);
}

static const uint8_t *decode_binary(decoder *d, const uint8_t *value, const uint8_t *next,
                                    const ph_token *token, PyObject **made)
{
    if (PH_UNLIKELY(token->length > d->limits.binary_bytes)) {
        return fail(d, PH_ERROR_BINARY_LIMIT, value, token->length, d->limits.binary_bytes);
    }
    *made = PyBytes_FromStringAndSize((const char *)token->value.bytes, (Py_ssize_t)token->length);
    return *made != NULL ? next : fail_as_set(d, value);
}

static PH_NOINLINE const uint8_t *decode_extension(decoder *d, const uint8_t *value,
                                                   const uint8_t *next, const ph_token *token,
                                                   PyObject **made)
{
    if (token->length > d->limits.ext_bytes) {
        return fail(d, PH_ERROR_EXT_LIMIT, value, token->length, d->limits.ext_bytes);
    }
    ph_error_code code = PH_ERROR_NONE;
    *made = ph_extension_object(d->state, d->options, token->ext_type, token->value.bytes,
                                token->length, &code);
    if (*made != NULL) {
        return next;
    }
    return code != PH_ERROR_NONE ? fail(d, code, value, token->length, 0) : fail_as_set(d, value);
}

static PH_COLD const uint8_t *fail_container(decoder *d, const uint8_t *position,
                                             const ph_token *token, place where)
{
    if (where.depth == 0) {
        return fail(d, PH_ERROR_DEPTH_LIMIT, position, 0, 0);
    }
    return token->kind == PH_TOKEN_ARRAY
               ? fail(d, PH_ERROR_ARRAY_LIMIT, position, token->length, d->limits.array_elements)
               : fail(d, PH_ERROR_MAP_LIMIT, position, token->length, d->limits.map_entries);
}

/* One value at `position`. Scalars are made here, in the loop of the container that holds them; only
 * containers call. `site` predicts maps; `field`, if the value is one of a shape's, its last text. */
PH_INLINE const uint8_t *decode_item(decoder *d, const uint8_t *position, ph_shape_site *site,
                                     ph_shape_field *field, place where, PyObject **made)
{
    if (PH_LIKELY(position != d->end)) {
        PyObject *immediate = d->cache->samples.immediates[*position];
        if (immediate != NULL) {
            *made = Py_NewRef(immediate);
            return position + 1;
        }
    }
    ph_token token;
    const uint8_t *next = ph_cursor_next(position, d->end, &token);
    switch (token.kind) {
    case PH_TOKEN_NIL: *made = PH_IMMORTAL_REF(Py_None); return next;
    case PH_TOKEN_FALSE: *made = PH_IMMORTAL_REF(Py_False); return next;
    case PH_TOKEN_TRUE: *made = PH_IMMORTAL_REF(Py_True); return next;
    case PH_TOKEN_UNSIGNED:
        *made = ph_integer_from_unsigned(&d->cache->samples, token.value.u);
        break;
    case PH_TOKEN_SIGNED: *made = ph_integer_from_signed(&d->cache->samples, token.value.i); break;
    case PH_TOKEN_FLOAT32:
    case PH_TOKEN_FLOAT64: *made = ph_float_from_double(&d->cache->samples, token.value.f); break;
    case PH_TOKEN_STRING: return decode_text(d, position, next, &token, field, made);
    case PH_TOKEN_BINARY: return decode_binary(d, position, next, &token, made);
    case PH_TOKEN_EXT: return decode_extension(d, position, next, &token, made);
    case PH_TOKEN_ARRAY:
        if (PH_UNLIKELY(where.depth == 0 || token.length > d->limits.array_elements)) {
            return fail_container(d, position, &token, where);
        }
        return decode_array(d, next, token.length, site, where, made);
    case PH_TOKEN_MAP:
        if (PH_UNLIKELY(where.depth == 0 || token.length > d->limits.map_entries)) {
            return fail_container(d, position, &token, where);
        }
        return decode_map(d, next, token.length, site, where, made);
    case PH_TOKEN_ERROR: return fail(d, (ph_error_code)token.length, position, 0, 0);
    default: PH_UNREACHABLE();
    }
    return PH_LIKELY(*made != NULL) ? next : fail_as_set(d, position);
}

/* Hooks, tuples and everything else that happens to an array once its elements are there. Takes over
 * `list`. */
static const uint8_t *finish_array(decoder *d, const uint8_t *next, const uint8_t *value,
                                   PyObject *list, PyObject **made)
{
    if (d->list_as_tuple) {
        Py_SETREF(list, PyList_AsTuple(list));
    }
    if (list != NULL && d->options->list_hook != NULL && !d->in_key) {
        Py_SETREF(list, PyObject_CallOneArg(d->options->list_hook, list));
    }
    *made = list;
    return list != NULL ? next : fail_as_set(d, value);
}

PH_INLINE const uint8_t *decode_value(decoder *d, const uint8_t *position, ph_shape_site *site,
                                      place where, PyObject **made)
{
    return decode_item(d, position, site, NULL, where, made);
}

/* The claimed number of elements can not be there, because each takes at least a byte. Values are
 * made and dropped, one at a time, until what is wrong shows: errors come in the order of the input
 * and hooks run as they would, but nothing is allocated for the claim. Never succeeds. */
static PH_COLD const uint8_t *decode_doomed_array(decoder *d, const uint8_t *position,
                                                  ph_shape_site *site, place where)
{
    for (size_t i = 0;; i++) {
        PyObject *made;
        position = decode_value(d, position, site, where, &made);
        if (position == NULL) {
            ph_trace_index(&d->trace, (Py_ssize_t)i);
            return NULL;
        }
        Py_DECREF(made);
    }
}

static const uint8_t *decode_array(decoder *d, const uint8_t *position, size_t count,
                                   ph_shape_site *site, place where, PyObject **made)
{
    const uint8_t *value = position;
    place inside = {where.depth - 1, where.owed + count};
    if (PH_UNLIKELY(inside.owed > ph_left(position, d->end))) {
        return decode_doomed_array(d, position, site, inside);
    }
    PyObject *list = PyList_New((Py_ssize_t)count);
    if (PH_UNLIKELY(list == NULL)) {
        return fail_as_set(d, value);
    }
    if (PH_UNLIKELY(d->user_code)) {
        PyObject_GC_UnTrack(list); /* hooks must not find a list with holes */
    }
    PyObject **items = PySequence_Fast_ITEMS(list);
    for (size_t i = 0; i < count; i++) {
        inside.owed--;
        position = decode_value(d, position, site, inside, &items[i]);
        if (PH_UNLIKELY(position == NULL)) {
            items[i] = NULL;
            ph_trace_index(&d->trace, (Py_ssize_t)i);
            Py_DECREF(list);
            return NULL;
        }
    }
    if (PH_UNLIKELY(d->user_code)) {
        PyObject_GC_Track(list);
    }
    if (PH_UNLIKELY(d->list_as_tuple || d->options->list_hook != NULL)) {
        return finish_array(d, position, value, list, made);
    }
    *made = list;
    return position;
}

/* As decode_doomed_array, for pairs. */
static PH_COLD const uint8_t *decode_doomed_map(decoder *d, const uint8_t *position,
                                                ph_shape_site *site, place where)
{
    for (;;) {
        PyObject *key, *made;
        position = decode_pair(d, position, site, where, &key, &made);
        if (position == NULL) {
            return NULL;
        }
        Py_DECREF(key);
        Py_DECREF(made);
    }
}

/* Any key that is not a str: numbers, bytes, arrays as tuples, whatever an ext hook returns. */
static PH_NOINLINE const uint8_t *decode_other_key(decoder *d, const uint8_t *position,
                                                   ph_shape_site *site, place where, PyObject **key)
{
    bool in_key = d->in_key, list_as_tuple = d->list_as_tuple;
    if (d->options->tuple_keys) {
        d->in_key = true;
        d->list_as_tuple = true;
    }
    position = decode_value(d, position, site, where, key);
    d->in_key = in_key;
    d->list_as_tuple = list_as_tuple;
    return position;
}

/* What strict_map_key allows, asked when the pair is complete. */
static bool key_is_allowed(const decoder *d, PyObject *key)
{
    return !d->options->strict_map_key || PyUnicode_CheckExact(key) || PyBytes_CheckExact(key) ||
           (d->options->tuple_keys && PyTuple_CheckExact(key));
}

static PH_COLD const uint8_t *fail_key(decoder *d, const uint8_t *position, PyObject *key)
{
    PyErr_Format(PyExc_ValueError, "%s is not allowed for map key when strict_map_key=True",
                 Py_TYPE(key)->tp_name);
    d->failed = position;
    ph_trace_capture(&d->trace, d->base_offset + (position - d->start));
    return NULL;
}

/* A key and its value; two new references, or none and NULL. */
static const uint8_t *decode_pair(decoder *d, const uint8_t *position, ph_shape_site *site,
                                  place where, PyObject **key, PyObject **value)
{
    ph_token token;
    const uint8_t *at = position;
    position = ph_cursor_next(at, d->end, &token);
    if (PH_LIKELY(token.kind == PH_TOKEN_STRING) && !d->options->raw) {
        if (PH_UNLIKELY(token.length > d->limits.string_bytes)) {
            return fail(d, PH_ERROR_STRING_LIMIT, at, token.length, d->limits.string_bytes);
        }
        *key = ph_key_from_utf8(d->cache, token.value.bytes, token.length, d->errors);
        if (PH_UNLIKELY(*key == NULL)) {
            return fail_text(d, at, token.value.bytes);
        }
    } else {
        position = decode_other_key(d, at, site, where, key);
        if (position == NULL) {
            return NULL;
        }
    }
    position = decode_value(d, position, site, where, value);
    if (PH_UNLIKELY(position == NULL)) {
        ph_trace_key(&d->trace, *key);
        ph_key_forget(d->cache, *key);
        Py_DECREF(*key);
        return NULL;
    }
    if (PH_UNLIKELY(!key_is_allowed(d, *key))) {
        fail_key(d, at, *key);
        Py_DECREF(*key);
        Py_DECREF(*value);
        return NULL;
    }
    return position;
}

/* A key that can not be hashed. Not captured when user code may have raised it. */
static PH_COLD const uint8_t *fail_insertion(decoder *d, const uint8_t *position)
{
    d->failed = position;
    if (!d->user_code) {
        ph_trace_capture(&d->trace, d->base_offset + (position - d->start));
    }
    return NULL;
}

/* The object hook, if there is one. Takes over `dict`, which may be NULL with an exception set. */
PH_INLINE const uint8_t *finish_map(decoder *d, const uint8_t *next, const uint8_t *value,
                                    PyObject *dict, PyObject **made)
{
    if (PH_UNLIKELY(d->options->object_hook != NULL) && dict != NULL) {
        Py_SETREF(dict, PyObject_CallOneArg(d->options->object_hook, dict));
    }
    *made = dict;
    return PH_LIKELY(dict != NULL) ? next : fail_as_set(d, value);
}

/* Pair by pair into a dict: large maps, and maps whose keys are not text. */
static const uint8_t *decode_plain_map(decoder *d, const uint8_t *position, size_t count,
                                       ph_shape_site *site, place inside, PyObject **made)
{
    const uint8_t *value_start = position;
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return fail_as_set(d, position);
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *pair = position;
        PyObject *key, *value;
        inside.owed -= 2;
        position = decode_pair(d, position, site, inside, &key, &value);
        if (PH_UNLIKELY(position == NULL)) {
            Py_DECREF(dict);
            return NULL;
        }
        int failed = PyDict_SetItem(dict, key, value);
        Py_DECREF(key);
        Py_DECREF(value);
        if (PH_UNLIKELY(failed < 0)) {
            Py_DECREF(dict);
            return fail_insertion(d, pair);
        }
    }
    return finish_map(d, position, value_start, dict, made);
}

/* A list of (key, value) tuples for object_pairs_hook. */
static const uint8_t *decode_pairs_for_hook(decoder *d, const uint8_t *position, size_t count,
                                            ph_shape_site *site, place inside, PyObject **made)
{
    const uint8_t *value_start = position;
    PyObject *pairs = PyList_New((Py_ssize_t)count);
    if (pairs == NULL) {
        return fail_as_set(d, position);
    }
    PyObject_GC_UnTrack(pairs); /* nobody may find it before it is full */
    for (size_t i = 0; i < count; i++) {
        PyObject *key, *value;
        inside.owed -= 2;
        position = decode_pair(d, position, site, inside, &key, &value);
        if (position == NULL) {
            Py_DECREF(pairs);
            return NULL;
        }
        PyObject *pair = PyTuple_Pack(2, key, value);
        Py_DECREF(key);
        Py_DECREF(value);
        if (pair == NULL) {
            Py_DECREF(pairs);
            return fail_as_set(d, value_start);
        }
        PyList_SET_ITEM(pairs, (Py_ssize_t)i, pair);
    }
    PyObject_GC_Track(pairs);
    *made = PyObject_CallOneArg(d->options->object_pairs_hook, pairs);
    Py_DECREF(pairs);
    return *made != NULL ? position : fail_as_set(d, value_start);
}

/* The values of the first `count` keys of a shape stand at `base`; afterwards pairs do. */
static void spread_into_pairs(ph_value_stack *values, size_t base, const ph_shape *shape,
                              uint32_t count)
{
    PyObject **items = values->items + base;
    for (uint32_t i = count; i-- > 0;) {
        items[2 * i + 1] = items[i];
        items[2 * i] = Py_NewRef(shape->fields[i].key);
    }
    values->used = base + 2 * (size_t)count;
}

/* A dict of the `count` pairs at `base`, which leave the stack. By shape when the sequence of keys
 * is known or was seen before; then `site` is told. NULL with an exception set. */
static PyObject *dict_from_pairs(decoder *d, size_t base, uint32_t count, ph_shape_site *site,
                                 bool all_text)
{
    PyObject **items = d->values.items + base;
    ph_shape *shape = all_text ? ph_shape_learn(&d->cache->shapes, items, 2, count) : NULL;
    d->values.used = base;
    if (shape != NULL) {
        *site = shape;
        for (uint32_t i = 0; i < count; i++) {
            Py_DECREF(items[2 * i]);
            items[i] = items[2 * i + 1];
        }
        return ph_shape_build(shape, items);
    }
    PyObject *dict = PyDict_New();
    for (uint32_t i = 0; i < count; i++) {
        if (dict != NULL && PyDict_SetItem(dict, items[2 * i], items[2 * i + 1]) < 0) {
            Py_CLEAR(dict);
        }
        Py_DECREF(items[2 * i]);
        Py_DECREF(items[2 * i + 1]);
    }
    return dict;
}

/* Pairs from `index` on, whose keys no shape predicted. Those before stand on the stack already. */
static PH_NOINLINE const uint8_t *decode_unshaped(decoder *d, const uint8_t *position, size_t base,
                                                  uint32_t index, uint32_t count,
                                                  ph_shape_site *site, place inside,
                                                  PyObject **made)
{
    const uint8_t *value_start = position;
    ph_shape_site *stray = &d->cache->shapes.stray[inside.depth % PH_SHAPE_STRAY_SITES];
    bool all_text = true;
    for (; index < count; index++) {
        PyObject *key, *value;
        inside.owed -= 2;
        position = decode_pair(d, position, stray, inside, &key, &value);
        if (PH_UNLIKELY(position == NULL)) {
            ph_value_stack_drop(&d->values, base);
            return NULL;
        }
        all_text = all_text && PyUnicode_CheckExact(key);
        ph_value_stack_push(&d->values, key);
        ph_value_stack_push(&d->values, value);
    }
    PyObject *dict = dict_from_pairs(d, base, count, site, all_text);
    if (PH_UNLIKELY(dict == NULL)) {
        return fail_insertion(d, value_start);
    }
    return finish_map(d, position, value_start, dict, made);
}

/* A map whose keys may be known: each key is compared with the one the shape has there; when it is
 * another one, a shape that has the same keys so far and then this one takes over. */
static const uint8_t *decode_shaped(decoder *d, const uint8_t *position, uint32_t count,
                                    ph_shape_site *site, place inside, PyObject **made)
{
    const uint8_t *value_start = position;
    size_t base = d->values.used;
    if (PH_UNLIKELY(ph_value_stack_reserve(&d->values, 2 * (size_t)count) < 0)) {
        return fail_as_set(d, position);
    }
    ph_shape *shape = *site;
    if (shape == NULL || shape->count != count ||
        !ph_shape_field_matches(shape, shape->fields, position, d->end)) {
        shape = ph_shape_at(&d->cache->shapes, count, position, d->end);
        if (PH_UNLIKELY(shape == NULL)) {
            return decode_unshaped(d, position, base, 0, count, site, inside, made);
        }
    }
    uint32_t index = 0;
    for (;;) {
        ph_shape_field *field = &shape->fields[index];
        PyObject *value;
        inside.owed -= 2;
        position = decode_item(d, position + field->length, &field->site, field, inside, &value);
        if (PH_UNLIKELY(position == NULL)) {
            ph_trace_key(&d->trace, field->key);
            ph_value_stack_drop(&d->values, base);
            return NULL;
        }
        ph_value_stack_push(&d->values, value);
        if (++index == count) {
            break;
        }
        if (PH_UNLIKELY(!ph_shape_field_matches(shape, field + 1, position, d->end))) {
            ph_shape *other = ph_shape_sibling(&d->cache->shapes, shape, index, position, d->end);
            if (other == NULL) {
                spread_into_pairs(&d->values, base, shape, index);
                return decode_unshaped(d, position, base, index, count, site, inside, made);
            }
            shape = other;
        }
    }
    *site = shape;
    d->values.used = base;
    PyObject *dict = ph_shape_build(shape, d->values.items + base);
    return finish_map(d, position, value_start, dict, made);
}

static const uint8_t *decode_map(decoder *d, const uint8_t *position, size_t count,
                                 ph_shape_site *site, place where, PyObject **made)
{
    place inside = {where.depth - 1, where.owed};
    size_t left = ph_left(position, d->end);
    if (PH_UNLIKELY(where.owed > left || count > (left - where.owed) / 2)) {
        return decode_doomed_map(d, position, site, inside);
    }
    inside.owed += 2 * count;
    if (PH_UNLIKELY(d->options->object_pairs_hook != NULL)) {
        return decode_pairs_for_hook(d, position, count, site, inside, made);
    }
    if (PH_LIKELY(d->shapes && count != 0 && count <= PH_SHAPE_FIELDS_MAX)) {
        return decode_shaped(d, position, (uint32_t)count, site, inside, made);
    }
    return decode_plain_map(d, position, count, site, inside, made);
}

/* Below this many bytes a collection can hardly be due, and switching costs more than it saves. */
#define COLLECTOR_GUARD_BYTES 1024

/* The collector has nothing to find among objects that are only being made, so it is held off while
 * no user code can run. It postpones: what it would have done inside the call is due afterwards, and
 * is saved only if the result dies young. Not on free-threaded builds, where the switch would be
 * thrown for all threads. */
static bool hold_collector(const decoder *d, size_t size)
{
#ifdef Py_GIL_DISABLED
    (void)d;
    (void)size;
    return false;
#else
    return size >= COLLECTOR_GUARD_BYTES && !d->user_code && PyGC_Disable();
#endif
}

PyObject *ph_decode(ph_module_state *state, const ph_decode_options *options,
                    const ph_limits *limits, const uint8_t *start, const uint8_t *end,
                    Py_ssize_t base_offset, const uint8_t **stopped)
{
    decoder d;
    d.cache = ph_reader_cache_take(state, PH_READER_MSGPACK);
    if (d.cache == NULL) {
        *stopped = start;
        return NULL;
    }
    d.start = start;
    d.end = end;
    d.failed = start;
    d.base_offset = base_offset;
    d.state = state;
    d.options = options;
    d.errors = options->unicode_errors == NULL ? NULL : PyUnicode_AsUTF8(options->unicode_errors);
    d.limits = *limits;
    d.user_code = ph_decode_options_user_code(options);
    d.list_as_tuple = !options->use_list;
    d.in_key = false;
    /* A key that a shape recognises is not checked against the limit of strings again. */
    d.shapes = !options->raw &&
               (options->max_str_len == -1 || options->max_str_len >= PH_KEYSLOT_LENGTH_MAX);
    ph_value_stack_init(&d.values);
    ph_trace_begin(&d.trace);
    bool held = hold_collector(&d, ph_left(start, end));
    PyObject *made = NULL;
    const uint8_t *next =
        decode_value(&d, start, &d.cache->shapes.root, (place){limits->depth, 0}, &made);
    if (held) {
        PyGC_Enable();
    }
    ph_value_stack_clear(&d.values);
    ph_reader_cache_give_back(state, PH_READER_MSGPACK, d.cache);
    if (next == NULL) {
        *stopped = d.failed;
        ph_trace_finish(state, &d.trace);
        return NULL;
    }
    *stopped = next;
    return made;
}
