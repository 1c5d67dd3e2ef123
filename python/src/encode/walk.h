/* The walk over Python objects: type dispatch, dicts, lists and tuples, written once.
 *
 * Included by one source file for each format and path, which defines before
 *   PH_WALK_NAME  the ph_walk that is defined here
 *   PH_WALK_FAST  true: private layouts are read; false: public calls only
 * and includes the sink of the format: always-inline functions named sink_... that write scalars,
 * headers and separators where room is guaranteed. The values of rare types are the sink's as well.
 *
 * The rule for user code: a container that is being walked is owned by whoever called; a value that
 * leads to a call is owned during it; afterwards the container is read again if any user code ran,
 * and a size that differs from the header is an error. Nothing else is kept across a call. */
#ifndef PH_WALK_FAST
# error "define PH_WALK_NAME and PH_WALK_FAST, and include a sink, first"
#endif

#if defined(Py_GIL_DISABLED)
/* Other threads may change a container whenever an inner lock had to wait. */
# define WALK_ALWAYS_REREAD 1
#else
# define WALK_ALWAYS_REREAD 0
#endif

static uint8_t *walk_dict(ph_encoder *encoder, uint8_t *to, PyObject *dict);
static uint8_t *walk_sequence(ph_encoder *encoder, uint8_t *to, PyObject *sequence);
static uint8_t *walk_floats_first(ph_encoder *encoder, uint8_t *to, PyObject *list);
static uint8_t *walk_lists_alone(ph_encoder *encoder, uint8_t *to, PyObject *list);
static uint8_t *walk_value(ph_encoder *encoder, uint8_t *to, PyObject *value);

/* Writes an int that can be read in place; NULL for one that has to be looked at more closely. */
PH_INLINE uint8_t *walk_integer(const ph_encoder *encoder, uint8_t *to, PyObject *number)
{
    int64_t value;
    uint64_t magnitude;
    uint32_t digit;
    bool negative;
    if (PH_LIKELY(ph_int_read_digit(number, PH_WALK_FAST, &digit, &negative))) {
        return sink_digit(to, digit, negative);
    }
    if (PH_LIKELY(ph_int_read(number, PH_WALK_FAST, &value))) {
        return PH_LIKELY(sink_takes_integer(encoder, value)) ? sink_integer(to, value) : NULL;
    }
    return ph_int_read_large(number, PH_WALK_FAST, &magnitude, &negative)
               ? sink_large_integer(encoder, to, magnitude, negative)
               : NULL;
}

/* Room for what is written next; NULL with MemoryError set. Out of the way of the loops. */
static PH_COLD uint8_t *walk_make_room(ph_encoder *encoder, uint8_t *to)
{
    return ph_output_grow(&encoder->output, to, 0);
}

/* Empty containers take no more than a header: nothing is entered. NULL for others, and for one that
 * would be one level too many, which is found where containers are entered. */
PH_INLINE uint8_t *walk_empty_list(const ph_encoder *encoder, uint8_t *to, PyObject *list)
{
    return PyList_GET_SIZE(list) == 0 && PH_LIKELY(encoder->depth_left > 0) ? sink_empty_array(to)
                                                                            : NULL;
}

PH_INLINE uint8_t *walk_empty_dict(const ph_encoder *encoder, uint8_t *to, PyObject *dict)
{
    return PyDict_GET_SIZE(dict) == 0 && PH_LIKELY(encoder->depth_left > 0) ? sink_empty_map(to)
                                                                            : NULL;
}

/* Writes what needs no call and can not fail; NULL when the value is not of that sort. */
PH_INLINE uint8_t *walk_plain(ph_encoder *encoder, uint8_t *to, PyObject *value, PyTypeObject *type)
{
    if (type == &PyUnicode_Type) {
        return sink_short_text(encoder, to, value);
    }
    if (type == &PyLong_Type) {
        return walk_integer(encoder, to, value);
    }
    if (value == Py_None) {
        return sink_nil(to);
    }
    if (type == &PyBool_Type) {
        return sink_bool(to, value == Py_True);
    }
    if (type == &PyFloat_Type) {
        return PH_LIKELY(sink_takes_double(encoder))
                   ? sink_double(encoder, to, PyFloat_AS_DOUBLE(value))
                   : NULL;
    }
    if (type == &PyDict_Type) {
        return walk_empty_dict(encoder, to, value);
    }
    if (type == &PyList_Type) {
        return walk_empty_list(encoder, to, value);
    }
    if (type == &PyBytes_Type) {
        return sink_short_bytes(encoder, to, value);
    }
    return NULL;
}

/* Writes what walk_plain leaves: longer text and containers here, the rest in the sink. */
PH_INLINE uint8_t *walk_compound(ph_encoder *encoder, uint8_t *to, PyObject *value,
                                 PyTypeObject *type)
{
    if (type == &PyDict_Type) {
        return walk_dict(encoder, to, value);
    }
    if (type == &PyList_Type || (type == &PyTuple_Type && sink_takes_tuple(encoder))) {
        return walk_sequence(encoder, to, value);
    }
    if (type == &PyUnicode_Type) {
        return sink_text(encoder, to, value);
    }
#if PY_VERSION_HEX >= 0x030f0000
    if (type == &PyFrozenDict_Type) {
        return walk_dict(encoder, to, value);
    }
#endif
    return sink_other(encoder, to, value);
}

/* The walk as ph_write_function. */
static uint8_t *walk_value(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    uint8_t *after = walk_plain(encoder, to, value, type);
    return after != NULL ? after : walk_compound(encoder, to, value, type);
}

/* Floats in a row, as many as the sink takes at once in longer lists. Begins at a float and returns
 * how many were written; *to is NULL with MemoryError set when memory runs out. */
PH_INLINE Py_ssize_t walk_doubles(ph_encoder *encoder, uint8_t **to, const uint8_t *limit,
                                  PyObject *const *items, Py_ssize_t count)
{
    uint8_t *at = *to;
    Py_ssize_t done = 0;
    if (count >= SINK_DOUBLES_FROM) {
        Py_ssize_t run = count < SINK_DOUBLES_MAX ? count : SINK_DOUBLES_MAX;
        /* A variable of its own, so that the caller's stays in a register. */
        uint8_t *row = ph_output_ensure(&encoder->output, at, (size_t)run * SINK_DOUBLE_ROOM);
        done = PH_LIKELY(row != NULL) ? sink_doubles(encoder, &row, items, run) : 0;
        if (PH_UNLIKELY(row == NULL) || done > 0) {
            *to = row;
            return done;
        }
        at = row;
        limit = encoder->output.limit;
    }
    do {
        at = sink_after_element(sink_double(encoder, at, PyFloat_AS_DOUBLE(items[done])));
        done++;
    } while (done < count && at <= limit && Py_IS_TYPE(items[done], &PyFloat_Type));
    *to = at;
    return done;
}

PH_INLINE bool walk_is_constant(PyObject *value)
{
    return value == Py_None || value == Py_True || value == Py_False;
}

/* None, True and False in a row; begins at one and returns how many were written. */
PH_INLINE Py_ssize_t walk_constants(uint8_t **to, const uint8_t *limit, PyObject *const *items,
                                    Py_ssize_t count)
{
    uint8_t *at = *to;
    Py_ssize_t done = 0;
    do {
        PyObject *item = items[done];
        at = sink_after_element(item == Py_None ? sink_nil(at) : sink_bool(at, item == Py_True));
        done++;
    } while (done < count && at <= limit && walk_is_constant(items[done]));
    *to = at;
    return done;
}

PH_INLINE bool walk_begins_with_float(const ph_encoder *encoder, PyObject *list)
{
    (void)encoder;
    return PyList_GET_SIZE(list) != 0 && Py_IS_TYPE(PyList_GET_ITEM(list, 0), &PyFloat_Type) &&
           sink_takes_double(encoder);
}

/* Two floats in a list, coordinates: nothing is entered. NULL for other lists; and where other threads
 * may change the list. */
PH_INLINE uint8_t *walk_pair_of_floats(const ph_encoder *encoder, uint8_t *to, PyObject *list)
{
    if (WALK_ALWAYS_REREAD || PyList_GET_SIZE(list) != 2 || PH_UNLIKELY(encoder->depth_left == 0)) {
        return NULL;
    }
    PyObject *first = PyList_GET_ITEM(list, 0), *second = PyList_GET_ITEM(list, 1);
    return Py_IS_TYPE(first, &PyFloat_Type) && Py_IS_TYPE(second, &PyFloat_Type) &&
                   PH_LIKELY(sink_takes_double(encoder))
               ? sink_pair(encoder, to, PyFloat_AS_DOUBLE(first), PyFloat_AS_DOUBLE(second))
               : NULL;
}

/* A list whose only element is a list. */
PH_INLINE bool walk_holds_list_alone(PyObject *list)
{
    return !WALK_ALWAYS_REREAD && PyList_GET_SIZE(list) == 1 &&
           Py_IS_TYPE(PyList_GET_ITEM(list, 0), &PyList_Type);
}

/* The elements of a list or tuple from index `at` on; `count` is what the header says. */
PH_INLINE uint8_t *walk_elements(ph_encoder *encoder, uint8_t *to, PyObject *sequence,
                                 Py_ssize_t at, Py_ssize_t count)
{
    PyObject *const *items = PySequence_Fast_ITEMS(sequence);
    const uint8_t *limit = encoder->output.limit;
    uint32_t calls = encoder->user_code_calls;
    while (at < count) {
        if (PH_UNLIKELY(to > limit)) {
            to = walk_make_room(encoder, to);
            if (to == NULL) {
                return NULL;
            }
            limit = encoder->output.limit;
        }
        PyObject *item = items[at];
        PyTypeObject *type = Py_TYPE(item);
        if (type == &PyUnicode_Type) {
            uint8_t *after = sink_short_text(encoder, to, item);
            if (PH_LIKELY(after != NULL)) {
                to = sink_after_element(after);
                at++;
                continue;
            }
        } else if (type == &PyLong_Type) {
            uint8_t *after;
            while (PH_LIKELY((after = walk_integer(encoder, to, item)) != NULL)) {
                to = sink_after_element(after);
                at++;
                if (at == count || to > limit) {
                    break;
                }
                item = items[at];
                if (!Py_IS_TYPE(item, &PyLong_Type)) {
                    break;
                }
            }
            if (PH_LIKELY(after != NULL)) {
                continue;
            }
        } else if (type == &PyFloat_Type && PH_LIKELY(sink_takes_double(encoder))) {
            at += walk_doubles(encoder, &to, limit, items + at, count - at);
            if (PH_UNLIKELY(to == NULL)) {
                return NULL;
            }
            limit = encoder->output.limit;
            continue;
        } else if (type == &PyList_Type) {
            uint8_t *after = walk_pair_of_floats(encoder, to, item);
            if (after == NULL) {
                after = walk_empty_list(encoder, to, item);
            }
            if (after != NULL) {
                to = sink_after_element(after);
                at++;
                continue;
            }
        } else if (type == &PyDict_Type) {
            uint8_t *after = walk_empty_dict(encoder, to, item);
            if (PH_UNLIKELY(after != NULL)) {
                to = sink_after_element(after);
                at++;
                continue;
            }
        } else if (walk_is_constant(item)) {
            at += walk_constants(&to, limit, items + at, count - at);
            continue;
        } else {
            uint8_t *after = walk_plain(encoder, to, item, type);
            if (PH_LIKELY(after != NULL)) {
                to = sink_after_element(after);
                at++;
                continue;
            }
        }
        Py_INCREF(item);
        if (type == &PyList_Type) {
            to = walk_begins_with_float(encoder, item) ? walk_floats_first(encoder, to, item)
                 : walk_holds_list_alone(item)         ? walk_lists_alone(encoder, to, item)
                                                       : walk_sequence(encoder, to, item);
        } else if (type == &PyDict_Type) {
            to = walk_dict(encoder, to, item);
        } else {
            to = walk_compound(encoder, to, item, type);
        }
        Py_DECREF(item);
        if (PH_UNLIKELY(to == NULL)) {
            ph_trace_index(&encoder->trace, at);
            return NULL;
        }
        to = sink_after_element(to);
        limit = encoder->output.limit;
        at++;
        if (WALK_ALWAYS_REREAD || PH_UNLIKELY(encoder->user_code_calls != calls)) {
            calls = encoder->user_code_calls;
            if (PyList_Check(sequence) && PyList_GET_SIZE(sequence) != count) {
                return ph_encoder_changed(encoder, "list");
            }
            items = PySequence_Fast_ITEMS(sequence);
        }
    }
    return to;
}

/* A list or tuple, or an instance of a subclass, by its storage. */
static uint8_t *walk_sequence(ph_encoder *encoder, uint8_t *to, PyObject *sequence)
{
    if (PH_UNLIKELY(!ph_encoder_enter(encoder))) {
        return NULL;
    }
    Py_BEGIN_CRITICAL_SECTION(sequence);
    Py_ssize_t count = Py_SIZE(sequence);
    to = sink_array_begin(encoder, to, count);
    if (PH_LIKELY(to != NULL)) {
        to = walk_elements(encoder, to, sequence, 0, count);
    }
    if (PH_LIKELY(to != NULL)) {
        to = sink_array_end(encoder, to, count);
    }
    Py_END_CRITICAL_SECTION();
    ph_encoder_leave(encoder);
    return to;
}

static PH_NOINLINE uint8_t *walk_other_elements(ph_encoder *encoder, uint8_t *to, PyObject *list,
                                                Py_ssize_t at, Py_ssize_t count)
{
    return walk_elements(encoder, to, list, at, count);
}

/* A list that begins with a float, and mostly holds nothing else: coordinates. Apart from
 * walk_sequence, whose loop needs all registers: saving them takes as long as writing two numbers. */
static uint8_t *walk_floats_first(ph_encoder *encoder, uint8_t *to, PyObject *list)
{
    if (PH_UNLIKELY(!ph_encoder_enter(encoder))) {
        return NULL;
    }
    Py_BEGIN_CRITICAL_SECTION(list);
    Py_ssize_t at = 0, count = PyList_GET_SIZE(list);
    to = sink_array_begin(encoder, to, count);
    if (PH_LIKELY(to != NULL) && PH_LIKELY(to <= encoder->output.limit) &&
        PH_LIKELY(walk_begins_with_float(encoder, list))) {
        at = walk_doubles(encoder, &to, encoder->output.limit, PySequence_Fast_ITEMS(list), count);
    }
    if (PH_LIKELY(to != NULL) && PH_UNLIKELY(at != count)) {
        to = walk_other_elements(encoder, to, list, at, count);
    }
    if (PH_LIKELY(to != NULL)) {
        to = sink_array_end(encoder, to, count);
    }
    Py_END_CRITICAL_SECTION();
    ph_encoder_leave(encoder);
    return to;
}

/* Levels that walk_lists_alone takes: few, so that its frame is small and they fit into the room. */
#define WALK_LEVELS_ALONE 16

/* Lists that hold nothing but the next one, in a loop; `list` is the outermost. */
static PH_NOINLINE uint8_t *walk_lists_alone(ph_encoder *encoder, uint8_t *to, PyObject *list)
{
    PyObject *lists[WALK_LEVELS_ALONE + 1]; /* owned, but for the first */
    unsigned levels = 0;
    lists[0] = list;
    while (levels < WALK_LEVELS_ALONE && encoder->depth_left > 0 && walk_holds_list_alone(list)) {
        to = sink_array_begin(encoder, to, 1);
        encoder->depth_left--;
        list = Py_NewRef(PyList_GET_ITEM(list, 0));
        lists[++levels] = list;
    }
    to = walk_sequence(encoder, to, list);
    for (; levels > 0; levels--) {
        if (PH_UNLIKELY(to == NULL)) {
            ph_trace_index(&encoder->trace, 0);
        } else if (PH_UNLIKELY(PyList_GET_SIZE(lists[levels - 1]) != 1)) {
            to = ph_encoder_changed(encoder, "list");
        } else {
            to = sink_array_end(encoder, sink_after_element(to), 1);
        }
        encoder->depth_left++;
        Py_DECREF(lists[levels]);
    }
    return to;
}

static uint8_t *walk_key(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    to = sink_key(encoder, to, key);
    return to == NULL ? NULL : sink_after_key(to);
}

/* A pair that leads to a call. On success the caller reads the dict again. */
static PH_NOINLINE uint8_t *walk_rare_pair(ph_encoder *encoder, uint8_t *to, PyObject *key,
                                           PyObject *value)
{
    Py_INCREF(key);
    Py_INCREF(value);
    to = walk_key(encoder, to, key);
    if (to == NULL) {
        ph_trace_failed_key(encoder->state, &encoder->trace);
    } else {
        to = ph_output_ensure(&encoder->output, to, 0);
    }
    if (to != NULL) {
        to = walk_value(encoder, to, value);
        if (to == NULL) {
            ph_trace_key(&encoder->trace, key);
        }
    }
    Py_DECREF(key);
    Py_DECREF(value);
    return to;
}

/* The value of a pair whose key is written already, when it is text or leads to a call. */
PH_INLINE uint8_t *walk_pair_value(ph_encoder *encoder, uint8_t *to, PyObject *key, PyObject *value,
                                   PyTypeObject *type)
{
    Py_INCREF(key);
    Py_INCREF(value);
    to = walk_compound(encoder, to, value, type);
    if (PH_UNLIKELY(to == NULL)) {
        ph_trace_key(&encoder->trace, key);
    }
    Py_DECREF(value);
    Py_DECREF(key);
    return to;
}

/* The pairs of a dict; `count` is what the header says. */
PH_INLINE uint8_t *walk_pairs(ph_encoder *encoder, uint8_t *to, PyObject *dict, Py_ssize_t count)
{
    ph_dict_cursor cursor;
    PyObject *key, *value;
    uint32_t calls = encoder->user_code_calls;
    Py_ssize_t left = count;
    ph_dict_begin(&cursor, dict, PH_WALK_FAST);
    while (ph_dict_next(&cursor, PH_WALK_FAST, &key, &value)) {
        if (PH_UNLIKELY(--left < 0)) {
            return ph_encoder_changed(encoder, "dictionary");
        }
        to = ph_output_ensure(&encoder->output, to, 0);
        if (PH_UNLIKELY(to == NULL)) {
            return NULL;
        }
        uint8_t *after = Py_IS_TYPE(key, &PyUnicode_Type) ? sink_short_key(encoder, to, key) : NULL;
        if (PH_LIKELY(after != NULL)) {
            to = sink_after_key(after);
            PyTypeObject *type = Py_TYPE(value);
            after = walk_plain(encoder, to, value, type);
            if (PH_LIKELY(after != NULL)) {
                to = sink_after_element(after);
                continue;
            }
            to = walk_pair_value(encoder, to, key, value, type);
        } else {
            to = walk_rare_pair(encoder, to, key, value);
        }
        if (PH_UNLIKELY(to == NULL)) {
            return NULL;
        }
        to = sink_after_element(to);
        if (WALK_ALWAYS_REREAD || PH_UNLIKELY(encoder->user_code_calls != calls)) {
            calls = encoder->user_code_calls;
            if (PyDict_GET_SIZE(dict) != count) {
                return ph_encoder_changed(encoder, "dictionary");
            }
            ph_dict_reload(&cursor, PH_WALK_FAST);
        }
    }
    return PH_LIKELY(left == 0) ? to : ph_encoder_changed(encoder, "dictionary");
}

/* The pairs of a dict in the order of their keys. */
static uint8_t *walk_sorted_pairs(ph_encoder *encoder, uint8_t *to, PyObject *dict,
                                  ph_sorted_keys *keys)
{
    for (Py_ssize_t at = 0; to != NULL && at < keys->count; at++) {
        PyObject *key = ph_sorted_key(keys, at);
        PyObject *value = ph_dict_value(encoder, dict, key);
        to = value == NULL ? NULL : ph_output_ensure(&encoder->output, to, 0);
        if (to != NULL) {
            PyObject *written = ph_sorted_key_written(keys, at);
            to = written != NULL
                     ? ph_output_append(&encoder->output, to, PyBytes_AS_STRING(written),
                                        (size_t)PyBytes_GET_SIZE(written))
                     : walk_key(encoder, to, key);
            if (to == NULL) {
                ph_trace_failed_key(encoder->state, &encoder->trace);
            }
        }
        if (to != NULL) {
            to = ph_output_ensure(&encoder->output, to, 0);
        }
        if (to != NULL) {
            to = walk_value(encoder, to, value);
            if (to == NULL) {
                ph_trace_key(&encoder->trace, key);
            } else {
                to = sink_after_element(to);
            }
        }
        Py_XDECREF(value);
        Py_DECREF(key);
    }
    return to;
}

static PH_NOINLINE uint8_t *walk_sorted_dict(ph_encoder *encoder, uint8_t *to, PyObject *dict)
{
    if (!ph_encoder_enter(encoder)) {
        return NULL;
    }
    ph_sorted_keys keys;
    if (!ph_sorted_keys_init(encoder, &keys, &to, dict)) {
        return NULL;
    }
    to = sink_map_begin(encoder, to, keys.count);
    if (to != NULL) {
        to = walk_sorted_pairs(encoder, to, dict, &keys);
    }
    if (to != NULL && PyDict_GET_SIZE(dict) != keys.count) {
        to = ph_encoder_changed(encoder, "dictionary");
    }
    if (to != NULL) {
        to = sink_map_end(encoder, to, keys.count);
    }
    ph_sorted_keys_clear(&keys);
    ph_encoder_leave(encoder);
    return to;
}

static uint8_t *walk_unsorted_dict(ph_encoder *encoder, uint8_t *to, PyObject *dict)
{
    if (PH_UNLIKELY(!ph_encoder_enter(encoder))) {
        return NULL;
    }
    Py_BEGIN_CRITICAL_SECTION(dict);
    Py_ssize_t count = PyDict_GET_SIZE(dict);
    to = sink_map_begin(encoder, to, count);
    if (PH_LIKELY(to != NULL)) {
        to = walk_pairs(encoder, to, dict, count);
    }
    if (PH_LIKELY(to != NULL)) {
        to = sink_map_end(encoder, to, count);
    }
    Py_END_CRITICAL_SECTION();
    ph_encoder_leave(encoder);
    return to;
}

/* A dict or frozendict, or an instance of a subclass, by its storage. */
static uint8_t *walk_dict(ph_encoder *encoder, uint8_t *to, PyObject *dict)
{
    return PH_LIKELY(!encoder->options->sorted) ? walk_unsorted_dict(encoder, to, dict)
                                                : walk_sorted_dict(encoder, to, dict);
}

/* ---- the walk for code outside it ---- */

static uint8_t *walk_array_begin(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return sink_array_begin(encoder, to, count);
}

static uint8_t *walk_array_end(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return sink_array_end(encoder, to, count);
}

static uint8_t *walk_map_begin(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return sink_map_begin(encoder, to, count);
}

static uint8_t *walk_map_end(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return sink_map_end(encoder, to, count);
}

static uint8_t *walk_after_element(uint8_t *to)
{
    return sink_after_element(to);
}

const ph_walk PH_WALK_NAME = {
    .value = walk_value,
    .key = walk_key,
    .sequence = walk_sequence,
    .dict = walk_dict,
    .unsorted_dict = walk_unsorted_dict,
    .array_begin = walk_array_begin,
    .array_end = walk_array_end,
    .map_begin = walk_map_begin,
    .map_end = walk_map_end,
    .after_element = walk_after_element,
    .text_of_key = sink_text_of_key,
};
