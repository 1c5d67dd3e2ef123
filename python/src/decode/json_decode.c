/* The walk from JSON tokens to Python objects. */
#include "decode/json_decode.h"

#include "decode/decoder.h"
#include "decode/deep.h"
#include "decode/json_numbers.h"

#include "json/scan.h"
#include "json/string.h"

/* The common decoder comes first, so that the loop for deep nesting can be given it. */
typedef struct json_decoder {
    ph_decoder d;
    ph_json_reading reading;
    bool reads_runs;    /* numbers of arrays may be read many at a time, */
    bool reads_batches; /* and in batches */
} json_decoder;

static const uint8_t *json_array(json_decoder *j, const uint8_t *position, ph_shape_site *site,
                                 uint32_t depth, PyObject **made);
static const uint8_t *json_map(json_decoder *j, const uint8_t *position, ph_shape_site *site,
                               uint32_t depth, PyObject **made);
static const uint8_t *enter_deep(json_decoder *j, const uint8_t *position, const uint8_t *next,
                                 const ph_token *token, uint32_t depth, PyObject **made);

static void raise_json(ph_module_state *state, ph_error_code code, Py_ssize_t offset,
                       uint64_t length, uint64_t limit)
{
    (void)length;
    (void)limit;
    switch (code) {
    case PH_ERROR_TRUNCATED:
        PyErr_SetString(state->class.decode_error, "Input data was truncated");
        return;
    case PH_ERROR_INVALID_UTF8:
        PyErr_SetString(state->class.decode_error, "Invalid UTF-8 encoded string");
        return;
    case PH_ERROR_NO_MEMORY: PyErr_NoMemory(); return;
    case PH_ERROR_EXTRA_DATA:
        PyErr_Format(state->class.decode_error, "JSON is malformed: trailing characters (byte %zd)",
                     offset);
        return;
    default:
        PyErr_Format(state->class.decode_error,
                     ph_error_class_of(code) == PH_CLASS_LIMIT ? "JSON is refused: %s (byte %zd)"
                                                               : "JSON is malformed: %s (byte %zd)",
                     ph_error_message(code), offset);
    }
}

void ph_json_raise(ph_module_state *state, ph_error_code code, Py_ssize_t offset)
{
    ph_trace trace;
    ph_trace_begin(&trace);
    raise_json(state, code, offset, 0, 0);
    ph_trace_capture(&trace, offset);
    ph_trace_finish(state, &trace);
}

/* The offset of the first byte of a text that is not UTF-8, as a failure. */
static PH_COLD const uint8_t *fail_utf8(json_decoder *j, const uint8_t *text, size_t length)
{
    size_t valid = ph_utf8_valid_bytes(text, length);
    return ph_decoder_fail(&j->d, PH_ERROR_INVALID_UTF8, text + valid, 0, 0);
}

/* A str of the text between quotes, which holds no escapes. */
PH_INLINE const uint8_t *plain_text(json_decoder *j, const uint8_t *next, const ph_token *token,
                                    ph_shape_field *field, PyObject **made)
{
    const uint8_t *bytes = token->value.bytes;
    ph_decoder *d = &j->d;
    bool reusable = field != NULL && field->reuse != 0 && token->length <= PH_REUSE_LENGTH_MAX;
    if (reusable) {
        PyObject *last = ph_shape_field_text(field, bytes, token->length);
        if (last != NULL) {
            *made = Py_NewRef(last);
            return next;
        }
    }
    if (PH_LIKELY(token->ext_type == 0)) {
        *made = ph_text_from_ascii(&d->cache->samples, bytes, token->length);
    } else {
        *made = ph_text_from_wide_utf8(&d->cache->samples, bytes, token->length, NULL);
        if (PH_UNLIKELY(*made == NULL) && PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
            PyErr_Clear();
            return fail_utf8(j, bytes, token->length);
        }
    }
    if (PH_UNLIKELY(*made == NULL)) {
        return ph_decoder_fail_as_set(d, bytes);
    }
    if (reusable) {
        ph_shape_field_note(field, *made);
    }
    return next;
}

/* Short texts are unescaped on the C stack. */
#define UNESCAPE_STACK_BYTES 512

/* A str of a text with escapes; is_key: to be shared with equal keys. */
static PH_NOINLINE const uint8_t *escaped_text(json_decoder *j, const uint8_t *next,
                                               const ph_token *token, bool is_key, PyObject **made)
{
    const uint8_t *text = token->value.bytes;
    if (token->ext_type != 0 && ph_utf8_valid_bytes(text, token->length) != token->length) {
        return fail_utf8(j, text, token->length);
    }
    uint8_t local[UNESCAPE_STACK_BYTES];
    size_t room = token->length + PH_JSON_UNESCAPE_ROOM;
    uint8_t *plain = room <= sizeof local ? local : PyMem_Malloc(room);
    if (plain == NULL) {
        PyErr_NoMemory();
        return ph_decoder_fail_as_set(&j->d, text);
    }
    size_t length;
    ph_error error = ph_json_unescape_within(plain, text, token->length, j->d.end, &length);
    if (error.code != PH_ERROR_NONE) {
        next = ph_decoder_fail(&j->d, error.code, text + error.offset, 0, 0);
    } else {
        *made = is_key ? ph_key_from_utf8(j->d.cache, plain, length, NULL)
                       : ph_text_from_utf8(&j->d.cache->samples, plain, length, NULL);
        if (*made == NULL) {
            next = ph_decoder_fail_as_set(&j->d, text);
        }
    }
    if (plain != local) {
        PyMem_Free(plain);
    }
    return next;
}

/* An int of any number of digits; the interpreter's own limit is a failure like any other. */
static PH_COLD const uint8_t *big_integer(json_decoder *j, const uint8_t *next,
                                          const ph_token *token, PyObject **made)
{
    const uint8_t *text = token->value.bytes;
    PyObject *digits = PyUnicode_FromStringAndSize((const char *)text, (Py_ssize_t)token->length);
    *made = digits == NULL ? NULL : PyLong_FromUnicodeObject(digits, 10);
    Py_XDECREF(digits);
    if (*made != NULL) {
        return next;
    }
    if (PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        return ph_decoder_fail(&j->d, PH_ERROR_JSON_RANGE, text, 0, 0);
    }
    return ph_decoder_fail_as_set(&j->d, text);
}

static PH_COLD const uint8_t *hooked_float(json_decoder *j, const uint8_t *next,
                                           const ph_token *token, PyObject **made)
{
    const uint8_t *text = next - token->length;
    PyObject *spelling = PyUnicode_FromStringAndSize((const char *)text, (Py_ssize_t)token->length);
    *made = spelling == NULL ? NULL : ph_call_hook(j->reading.float_hook, spelling);
    Py_XDECREF(spelling);
    return *made != NULL ? next : ph_decoder_fail_as_set(&j->d, text);
}

PH_INLINE const uint8_t *float_value(json_decoder *j, const uint8_t *next, const ph_token *token,
                                     PyObject **made)
{
    if (PH_UNLIKELY(j->reading.float_hook != NULL)) {
        return hooked_float(j, next, token, made);
    }
    if (PH_UNLIKELY(__builtin_isinf(token->value.f))) {
        return ph_decoder_fail(&j->d, PH_ERROR_JSON_RANGE, next - token->length, 0, 0);
    }
    *made = ph_float_from_double(&j->d.cache->samples, token->value.f);
    return PH_LIKELY(*made != NULL) ? next : ph_decoder_fail_as_set(&j->d, next - token->length);
}

/* The object of a token that is no container. `next` is what the scanner returned. */
PH_INLINE const uint8_t *json_scalar(json_decoder *j, const uint8_t *next, const ph_token *token,
                                     ph_shape_field *field, PyObject **made)
{
    const ph_object_samples *samples = &j->d.cache->samples;
    switch (token->kind) {
    case PH_TOKEN_STRING: return plain_text(j, next, token, field, made);
    case PH_TOKEN_NIL: *made = PH_IMMORTAL_REF(Py_None); return next;
    case PH_TOKEN_FALSE: *made = PH_IMMORTAL_REF(Py_False); return next;
    case PH_TOKEN_TRUE: *made = PH_IMMORTAL_REF(Py_True); return next;
    case PH_TOKEN_UNSIGNED: *made = ph_integer_from_field(j->d.cache, field, token->value.u); break;
    case PH_TOKEN_SIGNED: *made = ph_integer_from_signed(samples, token->value.i); break;
    case PH_TOKEN_FLOAT64: return float_value(j, next, token, made);
    case PH_TOKEN_BIG_INTEGER: return big_integer(j, next, token, made);
    case PH_TOKEN_ESCAPED_STRING: return escaped_text(j, next, token, false, made);
    case PH_TOKEN_ERROR: return ph_decoder_fail(&j->d, (ph_error_code)token->length, next, 0, 0);
    default: PH_UNREACHABLE();
    }
    return PH_LIKELY(*made != NULL) ? next : ph_decoder_fail_as_set(&j->d, next - token->length);
}

/* What a token is the beginning of: `position` is where it was asked for, `next` what the scanner
 * returned. */
PH_INLINE const uint8_t *json_item(json_decoder *j, const uint8_t *position, const uint8_t *next,
                                   const ph_token *token, ph_shape_site *site,
                                   ph_shape_field *field, uint32_t depth, PyObject **made)
{
    if (token->kind == PH_TOKEN_MAP || token->kind == PH_TOKEN_ARRAY) {
        if (PH_UNLIKELY(depth <= j->d.shallow_floor)) {
            return enter_deep(j, position, next, token, depth, made);
        }
        if (token->kind == PH_TOKEN_ARRAY && PH_LIKELY(next != j->d.end) && *next == ']') {
            *made = ph_list_new_empty(&j->d.cache->samples);
            return PH_LIKELY(*made != NULL) ? next + 1 : ph_decoder_fail_as_set(&j->d, next);
        }
        return token->kind == PH_TOKEN_MAP ? json_map(j, next, site, depth, made)
                                           : json_array(j, next, site, depth, made);
    }
    return json_scalar(j, next, token, field, made);
}

static const uint8_t *json_key(json_decoder *j, const uint8_t *next, const ph_token *token,
                               PyObject **key)
{
    if (token->kind == PH_TOKEN_STRING) {
        const uint8_t *text = token->value.bytes;
        if (token->ext_type != 0 && ph_utf8_valid_bytes(text, token->length) != token->length) {
            next = fail_utf8(j, text, token->length);
        } else {
            *key = ph_key_from_utf8(j->d.cache, text, token->length, NULL);
            if (*key == NULL) {
                next = ph_decoder_fail_as_set(&j->d, text);
            }
        }
    } else if (token->kind == PH_TOKEN_ESCAPED_STRING) {
        next = escaped_text(j, next, token, true, key);
    } else {
        next = ph_decoder_fail(&j->d, (ph_error_code)token->length, next, 0, 0);
    }
    if (PH_UNLIKELY(next == NULL)) {
        ph_trace_failed_key(j->d.state, &j->d.trace);
    }
    return next;
}

/* Whether a run of numbers is worth a call: one stands at `position`, and enough behind it. */
PH_INLINE bool begins_run(const json_decoder *j, const uint8_t *position)
{
    return ph_left(position, j->d.end) >= PH_JSON_NUMBERS_SMALLEST && j->reads_runs &&
           ((uint8_t)(*position - '0') <= 9 || *position == '-');
}

/* Elements at `position` that can be read many at a time; as ph_json_numbers. */
PH_INLINE const uint8_t *json_many(json_decoder *j, const uint8_t *position, uint32_t depth)
{
    if (begins_run(j, position)) {
        return ph_json_numbers(&j->d, position, j->reads_batches);
    }
    if (position != j->d.end && *position == '[' && j->reads_batches &&
        PH_LIKELY(depth - 1 > j->d.shallow_floor) && begins_run(j, position + 1)) {
        return ph_json_rows(&j->d, position);
    }
    return position;
}

/* So often in one array rows of numbers are looked for in vain. */
#define ROWS_MISSED_MAX 4

static PH_COLD const uint8_t *fail_array(json_decoder *j, size_t base)
{
    ph_trace_index(&j->d.trace, (Py_ssize_t)(j->d.values.used - base));
    ph_value_stack_drop(&j->d.values, base);
    return NULL;
}

static const uint8_t *json_array(json_decoder *j, const uint8_t *position, ph_shape_site *site,
                                 uint32_t depth, PyObject **made)
{
    ph_decoder *d = &j->d;
    size_t base = d->values.used;
    ph_json_place place = PH_JSON_FIRST_ELEMENT;
    const uint8_t *first = position; /* of elements that may be read many at a time */
    unsigned missed = 0;
    for (;;) {
        ph_token token;
        PyObject *value;
        const uint8_t *after = json_many(j, first, depth);
        if (PH_UNLIKELY(after == NULL)) {
            return fail_array(j, base);
        }
        if (after != first) {
            position = after;
            place = PH_JSON_ELEMENT;
        }
        const uint8_t *next = ph_json_next(position, d->end, place, j->reading.dialect, &token);
        if (token.kind == PH_TOKEN_END_ARRAY) {
            position = next;
            break;
        }
        position = json_item(j, position, next, &token, site, NULL, depth - 1, &value);
        if (PH_LIKELY(position != NULL) && PH_UNLIKELY(ph_value_stack_reserve(&d->values, 1) < 0)) {
            Py_DECREF(value);
            position = ph_decoder_fail_as_set(d, next);
        }
        if (PH_UNLIKELY(position == NULL)) {
            return fail_array(j, base);
        }
        ph_value_stack_push(&d->values, value);
        place = PH_JSON_ELEMENT;
        missed += after == first;
        first = d->end;
        if ((token.kind <= PH_TOKEN_FLOAT64 ||
             (token.kind == PH_TOKEN_ARRAY && missed < ROWS_MISSED_MAX)) &&
            PH_LIKELY(position != d->end) && *position == ',') {
            first = position + 1;
        }
    }
    *made = ph_value_stack_take_list(&d->values, &d->cache->samples, base);
    return PH_LIKELY(*made != NULL) ? position : ph_decoder_fail_as_set(d, position);
}

/* The pairs from `base` on as a dict. */
static const uint8_t *finish_pairs(json_decoder *j, const uint8_t *start, const uint8_t *next,
                                   size_t base, ph_shape_site *site, PyObject **made)
{
    size_t count = (j->d.values.used - base) / 2;
    const uint8_t *brace = start - 1;
    *made = ph_decoder_dict(&j->d, brace, base, count, site, true);
    return PH_LIKELY(*made != NULL) ? next : ph_decoder_fail_insertion(&j->d, brace);
}

/* Pairs whose keys no shape predicted. Those before stand on the stack already, from `base` on. */
static PH_NOINLINE const uint8_t *json_unshaped(json_decoder *j, const uint8_t *start,
                                                const uint8_t *position, size_t base,
                                                ph_shape_site *site, uint32_t depth,
                                                PyObject **made)
{
    ph_decoder *d = &j->d;
    ph_shape_site *stray = &d->cache->shapes.stray[depth % PH_SHAPE_STRAY_SITES];
    ph_json_place place = d->values.used == base ? PH_JSON_FIRST_KEY : PH_JSON_KEY;
    for (;; place = PH_JSON_KEY) {
        ph_token token;
        PyObject *key, *value;
        position = ph_json_next(position, d->end, place, j->reading.dialect, &token);
        if (token.kind == PH_TOKEN_END_MAP) {
            return finish_pairs(j, start, position, base, site, made);
        }
        position = json_key(j, position, &token, &key);
        if (PH_UNLIKELY(position == NULL)) {
            break;
        }
        const uint8_t *next =
            ph_json_next(position, d->end, PH_JSON_VALUE, j->reading.dialect, &token);
        position = json_item(j, position, next, &token, stray, NULL, depth - 1, &value);
        if (PH_UNLIKELY(position == NULL)) {
            ph_trace_key(&d->trace, key);
            ph_key_forget(d->cache, key);
            Py_DECREF(key);
            break;
        }
        if (PH_UNLIKELY(ph_value_stack_reserve(&d->values, 2) < 0)) {
            Py_DECREF(key);
            Py_DECREF(value);
            ph_decoder_fail_as_set(d, start);
            break;
        }
        ph_value_stack_push(&d->values, key);
        ph_value_stack_push(&d->values, value);
    }
    ph_value_stack_drop(&d->values, base);
    return NULL;
}

/* The object ended after the first `index` keys of the shape. Takes over `values`, as the next. */
static PH_NOINLINE const uint8_t *json_early_end(json_decoder *j, const uint8_t *start,
                                                 const uint8_t *next, const ph_shape *shape,
                                                 PyObject **values, uint32_t index,
                                                 ph_shape_site *site, PyObject **made)
{
    ph_decoder *d = &j->d;
    ph_shape *shorter = ph_shape_beginning(&d->cache->shapes, shape, index);
    if (shorter == NULL) {
        size_t base = d->values.used;
        if (ph_decoder_spread(d, values, shape, index) < 0) {
            return ph_decoder_fail_as_set(d, start);
        }
        return finish_pairs(j, start, next, base, site, made);
    }
    PyObject **fitting = ph_dict_values_resize(values, index, shape->count, index);
    if (fitting == NULL) {
        ph_dict_values_drop(values, index, shape->count);
        return ph_decoder_fail_as_set(d, start);
    }
    *site = shorter;
    *made = ph_shape_dict(shorter, fitting);
    return *made != NULL ? next : ph_decoder_fail_as_set(d, start);
}

/* The key after the first `index` is none that the shape, or one that begins like it, has there. */
static PH_NOINLINE const uint8_t *json_leave_shape(json_decoder *j, const uint8_t *start,
                                                   const uint8_t *position, const ph_shape *shape,
                                                   PyObject **values, uint32_t index,
                                                   ph_shape_site *site, uint32_t depth,
                                                   PyObject **made)
{
    size_t base = j->d.values.used;
    if (ph_decoder_spread(&j->d, values, shape, index) < 0) {
        return ph_decoder_fail_as_set(&j->d, start);
    }
    return json_unshaped(j, start, position, base, site, depth, made);
}

/* Whether the key at *key, or behind white space there, is that of the field; then *key is moved to it. */
PH_INLINE bool is_next_key(const json_decoder *j, const ph_shape *shape,
                           const ph_shape_field *field, const uint8_t **key)
{
    for (const uint8_t *at = *key;;) {
        if (PH_LIKELY(ph_shape_field_matches(shape, field, at, j->d.end))) {
            *key = at;
            return true;
        }
        const uint8_t *behind = ph_json_space(at, j->d.end, j->reading.dialect);
        if (behind == at) {
            return false;
        }
        at = behind;
    }
}

/* An object whose keys may be known; the twin of decode_shaped, for maps that are not counted. */
static const uint8_t *json_map(json_decoder *j, const uint8_t *position, ph_shape_site *site,
                               uint32_t depth, PyObject **made)
{
    ph_decoder *d = &j->d;
    const uint8_t *start = position;
    ph_shape *shape = *site;
    const uint8_t *key = ph_json_space(position, d->end, j->reading.dialect);
    if (shape == NULL || !ph_shape_field_matches(shape, shape->fields, key, d->end)) {
        shape = ph_shape_at(&d->cache->shapes, 0, key, d->end);
    }
    if (PH_UNLIKELY(shape == NULL)) {
        return json_unshaped(j, start, position, d->values.used, site, depth, made);
    }
    PyObject **values = ph_dict_values_new(shape->count);
    if (PH_UNLIKELY(values == NULL)) {
        return ph_decoder_fail_as_set(d, start);
    }
    uint32_t index = 0;
    for (;;) {
        ph_shape_field *field = &shape->fields[index];
        ph_token token;
        position = key + field->length;
        const uint8_t *next =
            ph_json_next(position, d->end, PH_JSON_VALUE, j->reading.dialect, &token);
        position =
            json_item(j, position, next, &token, &field->site, field, depth - 1, &values[index]);
        if (PH_UNLIKELY(position == NULL)) {
            ph_trace_key(&d->trace, field->key);
            break;
        }
        index++;
        key = position;
        if (PH_UNLIKELY(key == d->end) || (*key != ',' && *key != '}')) {
            key = ph_json_space(position, d->end, j->reading.dialect);
        }
        if (PH_LIKELY(key != d->end) && PH_LIKELY(*key == ',')) {
            key++;
            if (PH_LIKELY(index < shape->count) &&
                PH_LIKELY(is_next_key(j, shape, field + 1, &key))) {
                continue;
            }
            key = ph_json_space(key, d->end, j->reading.dialect);
            ph_shape *other = ph_shape_sibling(&d->cache->shapes, shape, index, key, d->end);
            if (other != NULL) {
                PyObject **fitting =
                    ph_dict_values_resize(values, index, shape->count, other->count);
                if (PH_UNLIKELY(fitting == NULL)) {
                    ph_decoder_fail_as_set(d, start);
                    break;
                }
                values = fitting;
                shape = other;
                continue;
            }
        } else if (PH_LIKELY(key != d->end) && *key == '}') {
            if (PH_UNLIKELY(index != shape->count)) {
                return json_early_end(j, start, key + 1, shape, values, index, site, made);
            }
            *site = shape;
            *made = ph_shape_dict(shape, values);
            return PH_LIKELY(*made != NULL) ? key + 1 : ph_decoder_fail_as_set(d, start);
        }
        return json_leave_shape(j, start, position, shape, values, index, site, depth, made);
    }
    ph_dict_values_drop(values, index, shape->count);
    return NULL;
}

static const uint8_t *deep_next(ph_decoder *d, const uint8_t *position, ph_deep_place place,
                                ph_token *token)
{
    static const ph_json_place places[] = {
        [PH_DEEP_FIRST_ELEMENT] = PH_JSON_FIRST_ELEMENT,
        [PH_DEEP_ELEMENT] = PH_JSON_ELEMENT,
        [PH_DEEP_FIRST_KEY] = PH_JSON_FIRST_KEY,
        [PH_DEEP_KEY] = PH_JSON_KEY,
        [PH_DEEP_VALUE] = PH_JSON_VALUE,
    };
    json_decoder *j = (json_decoder *)d;
    return ph_json_next(position, d->end, places[place], j->reading.dialect, token);
}

static const uint8_t *deep_scalar(ph_decoder *d, const uint8_t *position, const uint8_t *next,
                                  const ph_token *token, bool is_key, PyObject **made)
{
    (void)position;
    json_decoder *j = (json_decoder *)d;
    return is_key ? json_key(j, next, token, made) : json_scalar(j, next, token, NULL, made);
}

static PH_COLD const uint8_t *enter_deep(json_decoder *j, const uint8_t *position,
                                         const uint8_t *next, const ph_token *token, uint32_t depth,
                                         PyObject **made)
{
    static const ph_deep_format format = {false, deep_next, deep_scalar};
    return ph_decode_deep(&j->d, &format, position, next, token, depth, made);
}

/* -1 with an exception set. */
static int json_begin(json_decoder *j, ph_module_state *state, const ph_json_reading *reading,
                      const ph_limits *limits, const uint8_t *start, const uint8_t *end,
                      Py_ssize_t base_offset)
{
    static const ph_decode_options plain = PH_DECODE_OPTIONS_DEFAULT;
    j->reading = *reading;
    j->reads_runs = reading->float_hook == NULL && ph_left(start, end) >= PH_JSON_NUMBERS_SMALLEST;
    j->reads_batches = j->reads_runs && ph_json_reads_batches();
    j->d.unique_keys = reading->unique_keys;
    return ph_decoder_begin(&j->d, state, &plain, limits, PH_READER_JSON, raise_json,
                            reading->float_hook != NULL, start, end, ph_left(start, end),
                            base_offset);
}

PH_INLINE const uint8_t *json_top(json_decoder *j, const uint8_t *position, PyObject **made)
{
    ph_token token;
    const uint8_t *next =
        ph_json_next(position, j->d.end, PH_JSON_VALUE, j->reading.dialect, &token);
    return json_item(j, position, next, &token, &j->d.cache->shapes.root, NULL, j->d.limits->depth,
                     made);
}

PyObject *ph_json_decode(ph_module_state *state, const ph_json_reading *reading,
                         const uint8_t *start, const uint8_t *end, Py_ssize_t base_offset)
{
    ph_limits limits = ph_limits_default();
    json_decoder j;
    if (json_begin(&j, state, reading, &limits, start, end, base_offset) < 0) {
        return NULL;
    }
    PyObject *made = NULL;
    const uint8_t *next = json_top(&j, start, &made);
    if (PH_LIKELY(next != NULL)) {
        next = ph_json_space(next, end, reading->dialect);
        if (PH_UNLIKELY(next != end)) {
            Py_CLEAR(made);
            ph_decoder_fail(&j.d, PH_ERROR_EXTRA_DATA, next, 0, 0);
        }
    } else {
        made = NULL;
    }
    return ph_decoder_end(&j.d, made);
}

PyObject *ph_json_decode_lines(ph_module_state *state, const ph_json_reading *reading,
                               const uint8_t *start, const uint8_t *end)
{
    ph_limits limits = ph_limits_default();
    json_decoder j;
    if (json_begin(&j, state, reading, &limits, start, end, 0) < 0) {
        return NULL;
    }
    ph_value_stack *values = &j.d.values;
    const uint8_t *position = ph_json_space(start, end, reading->dialect);
    while (position != NULL && position != end) {
        PyObject *value;
        const uint8_t *next = json_top(&j, position, &value);
        if (next != NULL && ph_value_stack_reserve(values, 1) < 0) {
            Py_DECREF(value);
            next = ph_decoder_fail_as_set(&j.d, position);
        }
        if (next != NULL) {
            ph_value_stack_push(values, value);
            next = ph_json_space(next, end, reading->dialect);
        } else {
            ph_trace_index(&j.d.trace, (Py_ssize_t)values->used);
            ph_value_stack_drop(values, 0);
        }
        position = next;
    }
    return ph_decoder_end(
        &j.d, position == NULL ? NULL : ph_value_stack_take_list(values, &j.d.cache->samples, 0));
}
