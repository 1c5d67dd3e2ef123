/* What encoding keeps for each interpreter: option names, the datetime interface, a size hint. */
#ifndef PH_PYTHON_ENCODE_STATE_H
#define PH_PYTHON_ENCODE_STATE_H

#include "module.h"

#include <datetime.h>
#include <stdatomic.h>

/* Keywords of packb and Packer, in the order of ph_encode_option. */
#define PH_ENCODE_OPTIONS(X)         \
 X(DEFAULT, "default")               \
 X(SINGLE_FLOAT, "use_single_float") \
 X(AUTORESET, "autoreset")           \
 X(BIN_TYPE, "use_bin_type")         \
 X(STRICT_TYPES, "strict_types")     \
 X(DATETIME, "datetime")             \
 X(UNICODE_ERRORS, "unicode_errors") \
 X(BUFFER_SIZE, "buf_size")          \
 X(ORDER, "order")

typedef enum ph_encode_option {
#define PH_ENCODE_OPTION_ENUM(name, keyword) PH_ENCODE_OPTION_##name,
    PH_ENCODE_OPTIONS(PH_ENCODE_OPTION_ENUM)
#undef PH_ENCODE_OPTION_ENUM
        PH_ENCODE_OPTION_COUNT
} ph_encode_option;

/* Classes that are looked up in sys.modules when they are first needed: see values/classes.h. */
typedef enum ph_imported {
    PH_IMPORTED_UUID,
    PH_IMPORTED_DECIMAL,
    PH_IMPORTED_ENUM, /* the metaclass */
    PH_IMPORTED_ENUM_BASE,
    PH_IMPORTED_NUMPY_ARRAY,
    PH_IMPORTED_NUMPY_SCALAR,
    PH_IMPORTED_FRAGMENT,
    PH_IMPORTED_COUNT
} ph_imported;

/* Attribute names, interned: member of ph_encode_state, text. */
#define PH_ENCODE_NAMES(X)                        \
 X(name_int, "int")                               \
 X(name_value, "_value_")                         \
 X(name_public_value, "value")                    \
 X(name_dict, "__dict__")                         \
 X(name_slots, "__slots__")                       \
 X(name_dataclass_fields, "__dataclass_fields__") \
 X(name_attrs, "__attrs_attrs__")                 \
 X(name_field_type, "_field_type")                \
 X(name_name, "name")                             \
 X(name_contents, "contents")                     \
 X(name_normalize, "normalize")

typedef struct ph_encode_state {
#define PH_ENCODE_NAME_MEMBER(member, text) PyObject *member;
    PH_ENCODE_NAMES(PH_ENCODE_NAME_MEMBER)
#undef PH_ENCODE_NAME_MEMBER
    _Atomic(PyObject *) imported[PH_IMPORTED_COUNT]; /* owned; NULL: not seen yet */
    PyObject *option_names[PH_ENCODE_OPTION_COUNT];  /* owned, interned */
    PyDateTime_CAPI *datetime;  /* lives as long as the capsule; NULL: see state.c */
    PyObject *datetime_capsule; /* owned */
    /* The sizes of the last large results of packb and of JSON: hints, a race only costs a copy. */
    atomic_size_t last_size;
    atomic_size_t last_json_size;
} ph_encode_state;

/* Fills state->encode; -1 with an exception set. */
int ph_encode_state_start(ph_module_state *state);

/* For the module's tp_traverse: the classes, which may lead back to the module. Allowed when start was
 * never called or failed. */
int ph_encode_state_traverse(const ph_module_state *state, visitproc visit, void *arg);

/* Releases it; allowed when start was never called or failed. */
void ph_encode_state_stop(ph_module_state *state);

#endif
