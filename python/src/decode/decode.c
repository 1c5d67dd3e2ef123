/* The walk from MessagePack tokens to Python objects. */
#include "decode/decode.h"

#include "decode/decoder.h"
#include "decode/deep.h"
#include "decode/extension.h"

#include "wire/cursor.h"
#include "wire/timestamp.h"

static const uint8_t *decode_array(ph_decoder *d, const uint8_t *position, size_t count,
                                   ph_shape_site *site, ph_place where, PyObject **made);
static const uint8_t *decode_map(ph_decoder *d, const uint8_t *position, size_t count,
                                 ph_shape_site *site, ph_place where, PyObject **made);
static const uint8_t *decode_pair(ph_decoder *d, const uint8_t *position, ph_shape_site *site,
                                  ph_place where, PyObject **key, PyObject **value);
static const uint8_t *enter_rarely(ph_decoder *d, const uint8_t *position, const uint8_t *next,
                                   ph_token token, ph_place where, PyObject **made);

/* `field` is that of the shape whose value this is; NULL elsewhere. */
PH_INLINE const uint8_t *decode_text(ph_decoder *d, const uint8_t *value, const uint8_t *next,
                                     const ph_token *token, ph_shape_field *field, PyObject **made)
{
    if (PH_UNLIKELY(token->length > d->limits->string_bytes)) {
        return ph_decoder_fail(d, PH_ERROR_STRING_LIMIT, value, token->length,
                               d->limits->string_bytes);
    }
    const uint8_t *bytes = token->value.bytes;
    if (field != NULL) { /* never with the option raw */
        *made = ph_text_from_field(d->cache, field, bytes, token->length, d->errors);
    } else if (PH_UNLIKELY(d->options->raw)) {
        *made = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)token->length);
    } else {
        *made = ph_text_from_utf8(&d->cache->samples, bytes, token->length, d->errors);
    }
    return PH_LIKELY(*made != NULL) ? next : ph_decoder_fail_text(d, value);
}

/* What is not inlined gets the token by value, so that the callers can keep it in registers. */
static const uint8_t *decode_binary(ph_decoder *d, const uint8_t *value, const uint8_t *next,
                                    ph_token token, PyObject **made)
{
    if (PH_UNLIKELY(token.length > d->limits->binary_bytes)) {
        return ph_decoder_fail(d, PH_ERROR_BINARY_LIMIT, value, token.length,
                               d->limits->binary_bytes);
    }
    *made = PyBytes_FromStringAndSize((const char *)token.value.bytes, (Py_ssize_t)token.length);
    return *made != NULL ? next : ph_decoder_fail_as_set(d, value);
}

static PH_NOINLINE const uint8_t *decode_extension(ph_decoder *d, const uint8_t *value,
                                                   const uint8_t *next, ph_token token,
                                                   PyObject **made)
{
    if (token.length > d->limits->ext_bytes) {
        return ph_decoder_fail(d, PH_ERROR_EXT_LIMIT, value, token.length, d->limits->ext_bytes);
    }
    ph_error_code code = PH_ERROR_NONE;
    *made = ph_extension_object(d->state, d->options, token.ext_type, token.value.bytes,
                                token.length, &code);
    if (*made != NULL) {
        return next;
    }
    if (code != PH_ERROR_NONE) {
        return ph_decoder_fail(d, code, value, token.length, 0);
    }
    bool by_hook = d->options->ext_hook != NULL && token.ext_type != PH_TIMESTAMP_EXT_TYPE &&
                   d->options->ext_hook != d->state->class.ext_type;
    return by_hook ? ph_decoder_fail_as_set(d, value) : ph_decoder_fail_own(d, value);
}

/* The object of a token that is no container. */
PH_INLINE const uint8_t *decode_scalar(ph_decoder *d, const uint8_t *position, const uint8_t *next,
                                       const ph_token *token, ph_shape_field *field,
                                       PyObject **made)
{
    switch (token->kind) {
    case PH_TOKEN_NIL: *made = PH_IMMORTAL_REF(Py_None); return next;
    case PH_TOKEN_FALSE: *made = PH_IMMORTAL_REF(Py_False); return next;
    case PH_TOKEN_TRUE: *made = PH_IMMORTAL_REF(Py_True); return next;
    case PH_TOKEN_UNSIGNED: *made = ph_integer_from_field(d->cache, field, token->value.u); break;
    case PH_TOKEN_SIGNED: *made = ph_integer_from_signed(&d->cache->samples, token->value.i); break;
    case PH_TOKEN_FLOAT32:
    case PH_TOKEN_FLOAT64: *made = ph_float_from_double(&d->cache->samples, token->value.f); break;
    case PH_TOKEN_STRING: return decode_text(d, position, next, token, field, made);
    case PH_TOKEN_BINARY: return decode_binary(d, position, next, *token, made);
    case PH_TOKEN_EXT: return decode_extension(d, position, next, *token, made);
    case PH_TOKEN_ERROR: return ph_decoder_fail(d, (ph_error_code)token->length, position, 0, 0);
    default: PH_UNREACHABLE();
    }
    return PH_LIKELY(*made != NULL) ? next : ph_decoder_fail_as_set(d, position);
}

/* The object of a byte that is a whole value (borrowed); NULL for others, and at the end. */
PH_INLINE PyObject *immediate_at(PyObject *const *immediates, const uint8_t *position,
                                 const uint8_t *end)
{
    return PH_LIKELY(position != end) ? immediates[*position] : NULL;
}

/* One value at `position` that is no immediate. Scalars are made here, in the loop of the container
 * that holds them; only containers call. `site` predicts maps; `field`, if the value is one of a
 * shape's, its last text. */
PH_INLINE const uint8_t *decode_longer(ph_decoder *d, const uint8_t *position, ph_shape_site *site,
                                       ph_shape_field *field, ph_place where, PyObject **made)
{
    ph_token token;
    const uint8_t *next = ph_cursor_next(position, d->end, &token);
    if (token.kind == PH_TOKEN_ARRAY) {
        if (PH_UNLIKELY(where.depth <= d->shallow_floor ||
                        token.length > d->limits->array_elements)) {
            return enter_rarely(d, position, next, token, where, made);
        }
        return decode_array(d, next, token.length, site, where, made);
    }
    if (token.kind == PH_TOKEN_MAP) {
        if (PH_UNLIKELY(where.depth <= d->shallow_floor || token.length > d->limits->map_entries)) {
            return enter_rarely(d, position, next, token, where, made);
        }
        return decode_map(d, next, token.length, site, where, made);
    }
    return decode_scalar(d, position, next, &token, field, made);
}

/* One value at `position`, as decode_longer. */
PH_INLINE const uint8_t *decode_item(ph_decoder *d, const uint8_t *position, ph_shape_site *site,
                                     ph_shape_field *field, ph_place where, PyObject **made)
{
    PyObject *immediate = immediate_at(d->cache->samples.immediates, position, d->end);
    if (immediate != NULL) {
        *made = Py_NewRef(immediate);
        return position + 1;
    }
    return decode_longer(d, position, site, field, where, made);
}

PH_INLINE const uint8_t *decode_value(ph_decoder *d, const uint8_t *position, ph_shape_site *site,
                                      ph_place where, PyObject **made)
{
    return decode_item(d, position, site, NULL, where, made);
}

static const uint8_t *deep_next(ph_decoder *d, const uint8_t *position, ph_deep_place place,
                                ph_token *token)
{
    (void)place;
    return ph_cursor_next(position, d->end, token);
}

/* A str key, or any scalar. */
static const uint8_t *deep_scalar(ph_decoder *d, const uint8_t *position, const uint8_t *next,
                                  const ph_token *token, bool is_key, PyObject **made)
{
    if (is_key && token->kind == PH_TOKEN_STRING && !d->options->raw &&
        token->length <= d->limits->string_bytes) {
        *made = ph_key_from_utf8(d->cache, token->value.bytes, token->length, d->errors);
        return *made != NULL ? next : ph_decoder_fail_text(d, position);
    }
    return decode_scalar(d, position, next, token, NULL, made);
}

/* A container beyond a limit, one that can not be whole, or one that must not recurse any more. */
static PH_COLD const uint8_t *enter_rarely(ph_decoder *d, const uint8_t *position,
                                           const uint8_t *next, ph_token token, ph_place where,
                                           PyObject **made)
{
    static const ph_deep_format format = {true, deep_next, deep_scalar};
    return ph_decode_deep(d, &format, position, next, &token, (uint32_t)where.depth, made);
}

/* The claimed number of elements, or what the containers around this one still wait for, can not be
 * there, because each value takes at least a byte. So the input ends inside one of them, if nothing
 * else is wrong before. Errors and hooks come in the order of the input, as everywhere, but nothing is
 * allocated for the claim: the loop for deep nesting takes what is there. */
static PH_COLD const uint8_t *decode_doomed(ph_decoder *d, const uint8_t *position,
                                            ph_token_kind kind, size_t count, ph_place where,
                                            PyObject **made)
{
    ph_token token = {.kind = kind, .length = count};
    return enter_rarely(d, position, position, token, where, made);
}

static const uint8_t *decode_array(ph_decoder *d, const uint8_t *position, size_t count,
                                   ph_shape_site *site, ph_place where, PyObject **made)
{
    const uint8_t *start = position, *end = d->end;
    PyObject *const *immediates = d->cache->samples.immediates;
    size_t owed = where.owed + count;
    if (PH_UNLIKELY(owed > ph_left(position, end))) {
        return decode_doomed(d, position, PH_TOKEN_ARRAY, count, where, made);
    }
    PyObject **items = NULL;
    PyObject *list = ph_list_new_unfilled(&d->cache->samples, count, &items);
    if (PH_UNLIKELY(list == NULL)) {
        return ph_decoder_fail_as_set(d, start);
    }
    if (PH_UNLIKELY(d->any_code)) {
        PyObject_GC_UnTrack(list); /* nobody must find a list with holes */
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *immediate = immediate_at(immediates, position, end);
        if (immediate != NULL) {
            items[i] = Py_NewRef(immediate);
            position++;
            continue;
        }
        ph_place inside = {where.depth - 1, owed - 1 - i};
        position = decode_longer(d, position, site, NULL, inside, &items[i]);
        if (PH_UNLIKELY(position == NULL)) {
            ph_list_filled(list, i);
            ph_trace_index(&d->trace, (Py_ssize_t)i);
            Py_DECREF(list);
            return NULL;
        }
    }
    ph_list_filled(list, count);
    if (PH_UNLIKELY(d->any_code)) {
        PyObject_GC_Track(list);
    }
    *made = ph_decoder_finish_array(d, list);
    return PH_LIKELY(*made != NULL) ? position : ph_decoder_fail_as_set(d, start);
}

/* Any key that is not a str: numbers, bytes, arrays as tuples, whatever an ext hook returns. */
static PH_NOINLINE const uint8_t *decode_other_key(ph_decoder *d, const uint8_t *position,
                                                   ph_shape_site *site, ph_place where,
                                                   PyObject **key)
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

static const uint8_t *decode_key(ph_decoder *d, const uint8_t *position, ph_shape_site *site,
                                 ph_place where, PyObject **key)
{
    ph_token token;
    const uint8_t *next = ph_cursor_next(position, d->end, &token);
    if (PH_LIKELY(token.kind == PH_TOKEN_STRING) && !d->options->raw &&
        PH_LIKELY(token.length <= d->limits->string_bytes)) {
        *key = ph_key_from_utf8(d->cache, token.value.bytes, token.length, d->errors);
        if (PH_UNLIKELY(*key == NULL)) {
            next = ph_decoder_fail_text(d, position);
        }
    } else {
        next = decode_other_key(d, position, site, where, key);
    }
    if (PH_UNLIKELY(next == NULL)) {
        ph_trace_failed_key(d->state, &d->trace);
    }
    return next;
}

/* A key and its value; two new references, or none and NULL. */
static const uint8_t *decode_pair(ph_decoder *d, const uint8_t *position, ph_shape_site *site,
                                  ph_place where, PyObject **key, PyObject **value)
{
    const uint8_t *start = position;
    position = decode_key(d, start, site, where, key);
    if (PH_UNLIKELY(position == NULL)) {
        return NULL;
    }
    position = decode_value(d, position, site, where, value);
    if (PH_UNLIKELY(position == NULL)) {
        ph_trace_key(&d->trace, *key);
        ph_key_forget(d->cache, *key);
        Py_DECREF(*key);
        return NULL;
    }
    if (PH_UNLIKELY(!ph_decoder_allows_key(d, start, *key))) {
        ph_trace_failed_key(d->state, &d->trace);
        Py_DECREF(*key);
        Py_DECREF(*value);
        return NULL;
    }
    return position;
}

/* Pair by pair into a dict: large maps, and maps whose keys are not text. */
static const uint8_t *decode_plain_map(ph_decoder *d, const uint8_t *position, size_t count,
                                       ph_shape_site *site, ph_place inside, PyObject **made)
{
    const uint8_t *start = position;
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return ph_decoder_fail_as_set(d, position);
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
            return ph_decoder_fail_insertion(d, pair);
        }
    }
    *made = ph_decoder_finish_map(d, dict);
    return PH_LIKELY(*made != NULL) ? position : ph_decoder_fail_as_set(d, start);
}

/* A list of (key, value) tuples for object_pairs_hook. */
static const uint8_t *decode_pairs_for_hook(ph_decoder *d, const uint8_t *position, size_t count,
                                            ph_shape_site *site, ph_place inside, PyObject **made)
{
    const uint8_t *start = position;
    PyObject *pairs = PyList_New((Py_ssize_t)count);
    if (pairs == NULL) {
        return ph_decoder_fail_as_set(d, position);
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
            return ph_decoder_fail_as_set(d, start);
        }
        PyList_SET_ITEM(pairs, (Py_ssize_t)i, pair);
    }
    PyObject_GC_Track(pairs);
    *made = ph_call_hook(d->options->object_pairs_hook, pairs);
    Py_DECREF(pairs);
    return *made != NULL ? position : ph_decoder_fail_as_set(d, start);
}

/* Pairs from `index` on, whose keys no shape predicted. Those before stand on the stack already. */
static PH_NOINLINE const uint8_t *decode_unshaped(ph_decoder *d, const uint8_t *position,
                                                  size_t base, uint32_t index, uint32_t count,
                                                  ph_shape_site *site, ph_place inside,
                                                  PyObject **made)
{
    const uint8_t *start = position;
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
    PyObject *dict = ph_decoder_dict(d, start, base, count, site, all_text);
    if (PH_UNLIKELY(dict == NULL)) {
        return ph_decoder_fail_insertion(d, start);
    }
    *made = ph_decoder_finish_map(d, dict);
    return PH_LIKELY(*made != NULL) ? position : ph_decoder_fail_as_set(d, start);
}

/* A map that begins like none that is known. */
static const uint8_t *decode_unknown(ph_decoder *d, const uint8_t *position, uint32_t count,
                                     ph_shape_site *site, ph_place inside, PyObject **made)
{
    if (PH_UNLIKELY(ph_value_stack_reserve(&d->values, 2 * (size_t)count) < 0)) {
        return ph_decoder_fail_as_set(d, position);
    }
    return decode_unshaped(d, position, d->values.used, 0, count, site, inside, made);
}

/* The values that stand at `values` have keys that no shape predicts any further: all goes on as
 * pairs. Takes over `values`. */
static PH_NOINLINE const uint8_t *leave_shape(ph_decoder *d, const uint8_t *position,
                                              PyObject **values, const ph_shape *shape,
                                              uint32_t index, ph_shape_site *site, ph_place inside,
                                              PyObject **made)
{
    size_t base = d->values.used;
    if (ph_decoder_spread(d, values, shape, index) < 0) {
        return ph_decoder_fail_as_set(d, position);
    }
    return decode_unshaped(d, position, base, index, shape->count, site, inside, made);
}

/* The shape to try for a map of `count` pairs; NULL: none is known that begins so. */
PH_INLINE ph_shape *predict(const ph_decoder *d, const uint8_t *position, uint32_t count,
                            const ph_shape_site *site)
{
    ph_shape *shape = *site;
    if (PH_LIKELY(shape != NULL && shape->count == count) &&
        PH_LIKELY(ph_shape_field_matches(shape, shape->fields, position, d->end))) {
        return shape;
    }
    return ph_shape_at(&d->cache->shapes, count, position, d->end);
}

/* A map whose keys may be known: each key is compared with the one the shape has there; when it is
 * another one, a shape that has the same keys so far and then this one takes over. The values are
 * put where the dict will have them. */
static const uint8_t *decode_shaped(ph_decoder *d, const uint8_t *position, ph_shape *shape,
                                    ph_shape_site *site, ph_place inside, PyObject **made)
{
    const uint8_t *start = position;
    uint32_t count = shape->count;
    PyObject **values = ph_dict_values_new(count);
    if (PH_UNLIKELY(values == NULL)) {
        return ph_decoder_fail_as_set(d, start);
    }
    PyObject **value = values, **values_end = values + count;
    for (ph_shape_field *field = shape->fields;;) {
        inside.owed -= 2;
        position = decode_item(d, position + field->length, &field->site, field, inside, value);
        if (PH_UNLIKELY(position == NULL)) {
            ph_trace_key(&d->trace, field->key);
            ph_dict_values_drop(values, (uint32_t)(value - values), count);
            return NULL;
        }
        if (++value == values_end) {
            break;
        }
        field++;
        if (PH_UNLIKELY(!ph_shape_field_matches(shape, field, position, d->end))) {
            uint32_t index = (uint32_t)(value - values);
            ph_shape *other = ph_shape_sibling(&d->cache->shapes, shape, index, position, d->end);
            if (other == NULL) {
                return leave_shape(d, position, values, shape, index, site, inside, made);
            }
            shape = other;
            field = &shape->fields[index];
        }
    }
    *site = shape;
    if (PH_UNLIKELY(!d->options->gc) && d->options->object_hook == NULL &&
        ph_are_atoms(values, count)) {
        *made = ph_shape_dict(shape, values);
        if (*made != NULL) {
            PyObject_GC_UnTrack(*made);
        }
    } else {
        *made = ph_decoder_finish_map(d, ph_shape_dict(shape, values));
    }
    return PH_LIKELY(*made != NULL) ? position : ph_decoder_fail_as_set(d, start);
}

static const uint8_t *decode_map(ph_decoder *d, const uint8_t *position, size_t count,
                                 ph_shape_site *site, ph_place where, PyObject **made)
{
    ph_place inside = {where.depth - 1, where.owed};
    size_t left = ph_left(position, d->end);
    if (PH_UNLIKELY(where.owed > left || count > (left - where.owed) / 2)) {
        return decode_doomed(d, position, PH_TOKEN_MAP, count, where, made);
    }
    inside.owed += 2 * count;
    if (PH_UNLIKELY(d->options->object_pairs_hook != NULL)) {
        return decode_pairs_for_hook(d, position, count, site, inside, made);
    }
    if (PH_LIKELY(d->shapes && count != 0 && count <= PH_SHAPE_FIELDS_MAX)) {
        ph_shape *shape = predict(d, position, (uint32_t)count, site);
        return PH_LIKELY(shape != NULL)
                   ? decode_shaped(d, position, shape, site, inside, made)
                   : decode_unknown(d, position, (uint32_t)count, site, inside, made);
    }
    return decode_plain_map(d, position, count, site, inside, made);
}

PH_INLINE PyObject *decode_one(ph_module_state *state, const ph_decode_options *options,
                               const ph_limits *limits, ph_decode_raiser raise,
                               const uint8_t *start, const uint8_t *end, size_t expected_size,
                               Py_ssize_t base_offset, ph_decode_stop *stop)
{
    ph_decoder d;
    d.unique_keys = false;
    *stop = (ph_decode_stop){start, false};
    if (PH_UNLIKELY(ph_decoder_begin(&d, state, options, limits, PH_READER_MSGPACK, raise,
                                     ph_decode_options_any_code(options), start, end, expected_size,
                                     base_offset) < 0)) {
        return NULL;
    }
    PyObject *made = NULL;
    const uint8_t *next =
        decode_value(&d, start, &d.cache->shapes.root, (ph_place){limits->depth, 0}, &made);
    *stop = (ph_decode_stop){next != NULL ? next : d.failed, d.trace.exception != NULL};
    return ph_decoder_end(&d, next != NULL ? made : NULL);
}

PyObject *ph_decode(ph_module_state *state, const ph_decode_options *options,
                    const ph_limits *limits, const uint8_t *start, const uint8_t *end,
                    Py_ssize_t base_offset, ph_decode_stop *stop)
{
    return decode_one(state, options, limits, ph_decode_raise, start, end, ph_left(start, end),
                      base_offset, stop);
}

static void raise_unless_truncated(ph_module_state *state, ph_error_code code, Py_ssize_t offset,
                                   uint64_t length, uint64_t limit)
{
    if (code != PH_ERROR_TRUNCATED) {
        ph_decode_raise(state, code, offset, length, limit);
    }
}

PyObject *ph_decode_arrived(ph_module_state *state, const ph_decode_options *options,
                            const ph_limits *limits, const uint8_t *start, const uint8_t *end,
                            size_t expected_size, Py_ssize_t base_offset, ph_decode_stop *stop)
{
    return decode_one(state, options, limits, raise_unless_truncated, start, end, expected_size,
                      base_offset, stop);
}
