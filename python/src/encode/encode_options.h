/* The options of encoding: parsed once from keywords, read by every walk. */
#ifndef PH_PYTHON_ENCODE_OPTIONS_H
#define PH_PYTHON_ENCODE_OPTIONS_H

#include "encode/state.h"

/* References are owned by whoever owns the struct; NULL stands for the default. */
typedef struct ph_encode_options {
    PyObject *default_hook;   /* called for what can not be encoded */
    PyObject *unicode_errors; /* bytes: the name of an error handler; NULL: strict */
    bool single_float;
    bool autoreset;
    bool bin_type;
    bool strict_types;
    bool datetime;
    bool sorted; /* dict keys in order */
} ph_encode_options;

/* The defaults of packb and Packer; holds no references. */
extern const ph_encode_options ph_encode_options_default;

/* Sets the option that the keyword `name` stands for from `value` (borrowed; may run user code).
 * 1: set; 0: no encode option of that name; -1: exception set (wrong type or value). */
int ph_encode_options_set(ph_module_state *state, ph_encode_options *options, PyObject *name,
                          PyObject *value);

/* A copy that owns its references. */
ph_encode_options ph_encode_options_copy(const ph_encode_options *options);

/* For tp_traverse and the end of an owner. */
int ph_encode_options_traverse(const ph_encode_options *options, visitproc visit, void *arg);
void ph_encode_options_clear(ph_encode_options *options);

/* An int, or what __index__ makes of another object (asked once), as a C integer. False with
 * TypeError "an integer is required" or OverflowError set, or what __index__ raised. */
bool ph_integer_argument(PyObject *object, long long *value);

#endif
