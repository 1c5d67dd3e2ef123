/* The options of encoding: parsed once from keywords, read by every walk. */
#ifndef PH_PYTHON_ENCODE_ENCODE_OPTIONS_H
#define PH_PYTHON_ENCODE_ENCODE_OPTIONS_H

#include "encode/state.h"

#include "text/float_text.h"

/* The options of orjson.dumps, with its numbers. */
typedef enum ph_orjson_option {
    PH_ORJSON_INDENT_2 = 1 << 0,
    PH_ORJSON_NAIVE_UTC = 1 << 1,
    PH_ORJSON_NON_STR_KEYS = 1 << 2,
    PH_ORJSON_OMIT_MICROSECONDS = 1 << 3,
    PH_ORJSON_SERIALIZE_NUMPY = 1 << 4,
    PH_ORJSON_SORT_KEYS = 1 << 5,
    PH_ORJSON_STRICT_INTEGER = 1 << 6,
    PH_ORJSON_UTC_Z = 1 << 7,
    PH_ORJSON_PASSTHROUGH_SUBCLASS = 1 << 8,
    PH_ORJSON_PASSTHROUGH_DATETIME = 1 << 9,
    PH_ORJSON_APPEND_NEWLINE = 1 << 10,
    PH_ORJSON_PASSTHROUGH_DATACLASS = 1 << 11
} ph_orjson_option;

#define PH_ORJSON_OPTIONS_ALL ((1 << 12) - 1)

/* How JSON writes a Decimal; with PH_DECIMAL_HOOK what decimal_hook returns for it. */
typedef enum ph_decimal_form {
    PH_DECIMAL_STRING,
    PH_DECIMAL_NUMBER,
    PH_DECIMAL_HOOK,
    PH_DECIMAL_REFUSED /* within what decimal_hook returned */
} ph_decimal_form;

/* References are owned by whoever owns the struct; NULL stands for the default. */
typedef struct ph_encode_options {
    PyObject *default_hook;   /* called for what can not be encoded */
    PyObject *unicode_errors; /* bytes: the name of an error handler; NULL: strict */
    PyObject *decimal_hook;
    bool single_float;
    bool autoreset;
    bool bin_type;
    bool strict_types;
    bool datetime;
    bool sorted;        /* dict keys and the items of sets in order */
    bool sorted_fields; /* the fields of objects in order as well */
    bool json;          /* the format, which decides about some exceptions */
    /* JSON only. */
    bool like_orjson;    /* types and texts of orjson.dumps; otherwise those of msgspec.json */
    bool strict_integer; /* nothing beyond 53 bits */
    bool uuid_hex;       /* without hyphens */
    ph_float_style float_style;
    ph_decimal_form decimal_form;
    uint32_t orjson_options; /* bits of ph_orjson_option */
} ph_encode_options;

/* The defaults of packb and Packer, and of packhorse.json.encode; hold no references. */
extern const ph_encode_options ph_encode_options_default;
extern const ph_encode_options ph_encode_options_json;

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
