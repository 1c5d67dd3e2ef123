/* The options of decoding: parsed once from keywords, read by every walk. */
#ifndef PH_PYTHON_DECODE_OPTIONS_H
#define PH_PYTHON_DECODE_OPTIONS_H

#include "module.h"

#include "base/limits.h"

/* How ext type -1 comes back: the values of the keyword `timestamp`. */
typedef enum ph_timestamp_mode {
    PH_TIMESTAMP_OBJECT,
    PH_TIMESTAMP_FLOAT,
    PH_TIMESTAMP_NANOSECONDS,
    PH_TIMESTAMP_DATETIME
} ph_timestamp_mode;

/* Hooks and strings are owned by whoever owns the struct; NULL stands for the default. */
typedef struct ph_decode_options {
    PyObject *object_hook;
    PyObject *object_pairs_hook;
    PyObject *list_hook;
    PyObject *ext_hook;       /* NULL: ExtType */
    PyObject *unicode_errors; /* exact str, NULL: strict */
    /* -1: not given, to be derived from the input's size (see ph_decode_options_limits). */
    Py_ssize_t max_str_len;
    Py_ssize_t max_bin_len;
    Py_ssize_t max_array_len;
    Py_ssize_t max_map_len;
    Py_ssize_t max_ext_len;
    ph_timestamp_mode timestamp;
    bool use_list;
    bool raw;
    bool strict_map_key;
    bool tuple_keys;
    bool gc; /* false: lists and dicts that hold only atoms are hidden from the collector */
} ph_decode_options;

/* The defaults of unpackb and Unpacker; holds no references. */
#define PH_DECODE_OPTIONS_DEFAULT                                                                  \
 {                                                                                                 \
  .max_str_len = -1, .max_bin_len = -1, .max_array_len = -1, .max_map_len = -1, .max_ext_len = -1, \
  .timestamp = PH_TIMESTAMP_OBJECT, .use_list = true, .strict_map_key = true, .gc = true,          \
 }

PH_INLINE void ph_decode_options_init(ph_decode_options *options)
{
    *options = (ph_decode_options)PH_DECODE_OPTIONS_DEFAULT;
}

/* Sets the option that the keyword `name` stands for from `value` (borrowed).
 * 1: set; 0: no decode option of that name; -1: exception set (wrong type or value). */
int ph_decode_options_set(ph_module_state *state, ph_decode_options *options, PyObject *name,
                          PyObject *value);

/* Checks what concerns several options; -1 with an exception set when they exclude each other. */
int ph_decode_options_check(const ph_decode_options *options);

/* -1 is "not given"; other negative numbers allow nothing but empty values. */
PH_INLINE uint64_t ph_decode_limit(Py_ssize_t given, Py_ssize_t derived)
{
    if (given == -1) {
        given = derived;
    }
    return given < 0 ? 0 : (uint64_t)given;
}

/* The limits for an input or buffer of `size` bytes. */
PH_INLINE ph_limits ph_decode_options_limits(const ph_decode_options *options, Py_ssize_t size)
{
    ph_limits limits = {
        .string_bytes = ph_decode_limit(options->max_str_len, size),
        .binary_bytes = ph_decode_limit(options->max_bin_len, size),
        .array_elements = ph_decode_limit(options->max_array_len, size),
        .map_entries = ph_decode_limit(options->max_map_len, size / 2),
        .ext_bytes = ph_decode_limit(options->max_ext_len, size),
        .buffered_bytes = (uint64_t)size,
        .depth = PH_DEFAULT_DEPTH,
    };
    return limits;
}

/* True when a walk with these options can run user code (hooks, error handlers). */
PH_INLINE bool ph_decode_options_user_code(const ph_decode_options *options)
{
    return options->object_hook != NULL || options->object_pairs_hook != NULL ||
           options->list_hook != NULL || options->ext_hook != NULL ||
           options->unicode_errors != NULL;
}

/* True when Python code can run at all, our own included: signals and other threads then have their
 * turn in the middle of the walk. */
PH_INLINE bool ph_decode_options_any_code(const ph_decode_options *options)
{
    return ph_decode_options_user_code(options) || options->timestamp == PH_TIMESTAMP_DATETIME;
}

/* For tp_traverse and tp_clear of an owner. */
int ph_decode_options_traverse(const ph_decode_options *options, visitproc visit, void *arg);
void ph_decode_options_clear(ph_decode_options *options);

#endif
