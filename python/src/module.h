/* What the extension holds for each interpreter that imports it: types, names, caches. */
#ifndef PH_PYTHON_MODULE_H
#define PH_PYTHON_MODULE_H

#include "cpython.h"

#include "base/compiler.h"

/* Keyword and attribute names, interned once for each interpreter. state->name.offset and so on. */
#define PH_NAMES(X)   \
 X(offset)            \
 X(read)              \
 X(items)             \
 X(code)              \
 X(data)              \
 X(seconds)           \
 X(nanoseconds)       \
 X(utcoffset)         \
 X(use_list)          \
 X(raw)               \
 X(timestamp)         \
 X(strict_map_key)    \
 X(object_hook)       \
 X(object_pairs_hook) \
 X(list_hook)         \
 X(unicode_errors)    \
 X(ext_hook)          \
 X(max_str_len)       \
 X(max_bin_len)       \
 X(max_array_len)     \
 X(max_map_len)       \
 X(max_ext_len)       \
 X(to_datetime)       \
 X(tuple_keys)        \
 X(gc)                \
 X(packed)

typedef struct ph_names {
#define PH_NAME_MEMBER(name) PyObject *name;
    PH_NAMES(PH_NAME_MEMBER)
#undef PH_NAME_MEMBER
} ph_names;

/* What the package defines in Python and this extension makes, raises or calls. */
#define PH_CLASSES(X)                                              \
 X(ext_type, "packhorse.ext", "ExtType")                           \
 X(timestamp, "packhorse.ext", "Timestamp")                        \
 X(buffer_full, "packhorse.exceptions", "BufferFull")              \
 X(out_of_data, "packhorse.exceptions", "OutOfData")               \
 X(format_error, "packhorse.exceptions", "FormatError")            \
 X(stack_error, "packhorse.exceptions", "StackError")              \
 X(extra_data, "packhorse.exceptions", "ExtraData")                \
 X(stream_state_error, "packhorse.exceptions", "StreamStateError") \
 X(decode_error, "packhorse.exceptions", "DecodeError")            \
 X(locate, "packhorse.location", "locate")                         \
 X(failed_key, "packhorse.location", "FAILED_KEY")

typedef struct ph_classes {
#define PH_CLASS_MEMBER(member, module, name) PyObject *member;
    PH_CLASSES(PH_CLASS_MEMBER)
#undef PH_CLASS_MEMBER
} ph_classes;

/* Formats have reader caches of their own, because shapes hold the bytes of keys on the wire. */
typedef enum ph_reader_format {
    PH_READER_MSGPACK,
    PH_READER_JSON,
    PH_READER_FORMATS
} ph_reader_format;

/* How many idle reader caches an interpreter keeps for each format. */
#define PH_READER_CACHES_KEPT 4

struct ph_reader_cache;
struct ph_encode_state;

/* One for each interpreter (multi-phase init, PEP 489); every other reference is owned. It stays whole
 * as long as its module exists: functions and methods may be called from finalizers after the collector
 * has cleared the module and the types. */
typedef struct ph_module_state {
    PyObject *module; /* borrowed: it holds the state */
    ph_names name;
    ph_classes class;
    PyTypeObject *packer_type;
    PyTypeObject *unpacker_type;
    PyTypeObject *next_object_type;
    /* Offsets of Timestamp's two slots, so that the decoder fills them without a call. */
    Py_ssize_t timestamp_seconds_offset;
    Py_ssize_t timestamp_nanoseconds_offset;
    /* Idle caches of decoders: see objects/reader_cache.h. */
    struct ph_reader_cache *reader_caches[PH_READER_FORMATS][PH_READER_CACHES_KEPT];
    /* What encoders keep: see encode/state.h. Owned. */
    struct ph_encode_state *encode;
    /* Private layouts passed their self-test when this interpreter imported us. */
    bool fast_path;
} ph_module_state;

PH_INLINE ph_module_state *ph_module_state_of(PyObject *module)
{
    return (ph_module_state *)PyModule_GetState(module);
}

/* Adds functions (static, ended by one without a name) to this module under their names with json_ in
 * front. They say of themselves that they are of packhorse.json, where users find them. -1 with an
 * exception set. */
int ph_module_add_json_functions(PyObject *module, PyMethodDef *functions);

/* The state for tp_new, whose type may be a subclass, with a reference to its module for the object to
 * hold until it is deallocated (types let go of the module when they are cleared). NULL with TypeError
 * set. */
ph_module_state *ph_module_state_hold(PyTypeObject *type);

/* For tp_traverse and tp_dealloc of such an object; the state may be NULL. */
#define PH_MODULE_STATE_VISIT(state) \
 do {                                \
  if ((state) != NULL) {             \
   Py_VISIT((state)->module);        \
  }                                  \
 } while (0)

PH_INLINE void ph_module_state_release(ph_module_state *state)
{
    if (state != NULL) {
        Py_DECREF(state->module);
    }
}

#endif
