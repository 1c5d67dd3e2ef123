/* The options of decoding: parsed once from keywords, read by every walk. */
#ifndef PH_PYTHON_UNTYPED_OPTIONS_H
#define PH_PYTHON_UNTYPED_OPTIONS_H

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
} ph_decode_options;

/* The defaults of unpackb and Unpacker; holds no references. */
void ph_decode_options_init(ph_decode_options *options);

/* Sets the option that the keyword `name` stands for from `value` (borrowed).
 * 1: set; 0: no decode option of that name; -1: exception set (wrong type or value). */
int ph_decode_options_set(ph_module_state *state, ph_decode_options *options, PyObject *name,
                          PyObject *value);

/* Checks what concerns several options; -1 with an exception set when they exclude each other. */
int ph_decode_options_check(const ph_decode_options *options);

/* The limits for an input or buffer of `size` bytes. */
ph_limits ph_decode_options_limits(const ph_decode_options *options, Py_ssize_t size);

/* True when a walk with these options can run user code (hooks, error handlers). */
bool ph_decode_options_user_code(const ph_decode_options *options);

/* For tp_traverse and tp_clear of an owner. */
int ph_decode_options_traverse(const ph_decode_options *options, visitproc visit, void *arg);
void ph_decode_options_clear(ph_decode_options *options);

#endif
