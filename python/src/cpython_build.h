/* Private layouts for building objects: headers copied from a sample, dict key blocks copied whole.
 *
 * With cpython_read.h the room where CPython's private layouts are touched. Nothing here knows a
 * member's offset by heart: strings and numbers get the header of a sample object that a public call
 * made, and dicts are described by the interpreter's own internal headers. */
#ifndef PH_PYTHON_CPYTHON_BUILD_H
#define PH_PYTHON_CPYTHON_BUILD_H

#include "cpython_young.h"

#include "base/compiler.h"

#include <string.h>

/* A new reference to None, True, False or a small integer, which are immortal since 3.12. */
#if PY_VERSION_HEX >= 0x030c0000
# define PH_IMMORTAL_REF(object) (object)
#else
# define PH_IMMORTAL_REF(object) Py_NewRef(object)
#endif

/* For an instance of a subclass of tuple that tp_alloc made: since 3.14 a tuple keeps its hash, and
 * only the tuple type's own constructors mark it as not yet known. */
static inline void ph_tuple_forget_hash(PyObject *tuple)
{
#if PY_VERSION_HEX >= 0x030e0000
    ((PyTupleObject *)tuple)->ob_hash = -1;
#else
    (void)tuple;
#endif
}

/* Makes a bytearray `size` bytes long, one at least, and with `fast` keeps its memory where that is
 * enough: what the interpreter's own call gives back, the next who fills it has to ask for again.
 * False with an exception set: no memory, or somebody has a view of the bytes. */
PH_INLINE bool ph_bytearray_resize(PyObject *array, Py_ssize_t size, bool fast)
{
#if PH_FAST_PATH
    const PyByteArrayObject *held = (const PyByteArrayObject *)array;
    /* The bytes begin behind those that were deleted in front, and end with a zero of their own. */
    if (fast && held->ob_exports == 0 && held->ob_alloc > size &&
        held->ob_alloc - (held->ob_start - held->ob_bytes) > size) {
        Py_SET_SIZE(array, size);
        held->ob_start[size] = '\0';
        return true;
    }
#else
    (void)fast;
#endif
    return PyByteArray_Resize(array, size) == 0;
}

/* Pairs that a new dict takes before it has to grow. */
#define PH_DICT_FIRST_PAIRS 5

/* Copies `count` references, mostly few: what compilers make of a plain loop is a call. */
PH_INLINE void ph_copy_references(PyObject **to, PyObject *const *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        __asm__("" : : : "memory");
    }
}

/* Gives up the first `count` references. */
PH_INLINE void ph_drop_references(PyObject *const *references, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Py_DECREF(references[i]);
    }
}

#define PH_SMALL_INTEGERS  257 /* 0 to 256 are shared objects in every version */
#define PH_SMALL_NEGATIVES 5   /* -5 to -1 likewise */
#define PH_ASCII_LETTERS   128

/* Shared objects and sample headers, filled once for each reader cache by public calls. */
typedef struct ph_object_samples {
    PyObject *small_integers[PH_SMALL_NEGATIVES + PH_SMALL_INTEGERS]; /* from -5 on; owned */
    PyObject *letters[PH_ASCII_LETTERS];                              /* owned */
    /* The object of each byte that is a whole value in the cache's format; NULL for the others. */
    PyObject *immediates[256]; /* owned */
    PyObject *empty_text;      /* owned */
    bool trusted;              /* private layouts passed their self-test */
    bool numbers_in_place;     /* numbers are made by private layouts; set for each decoding */
#if PH_FAST_PATH
    /* The first bytes of an ASCII str of length 0 with a hash not yet known, of a one-digit int and
     * of a float, each with a reference count of one. */
    PyASCIIObject text_header;
    PyObject integer_header;
    PyObject float_header;
    ph_young_objects young;
#endif
} ph_object_samples;

/* A list of `count` elements that are not there yet: the caller puts owned references at *items, in
 * order, and says how many there are by ph_list_filled, also when it gives up. Until then the list
 * must not be found by other code. NULL with MemoryError set. */
PH_INLINE PyObject *ph_list_new_unfilled(const ph_object_samples *samples, size_t count,
                                         PyObject ***items)
{
#if PH_FAST_PATH
    if (PH_LIKELY(samples->trusted)) {
        /* PyList_New would fill the places with zeros first. */
        PyListObject *made = (PyListObject *)ph_young_list_new(&samples->young);
        if (PH_UNLIKELY(made == NULL || count == 0)) {
            return (PyObject *)made;
        }
        *items = PyMem_Malloc(count * sizeof(PyObject *));
        if (PH_UNLIKELY(*items == NULL)) {
            Py_DECREF(made);
            return PyErr_NoMemory();
        }
        made->ob_item = *items;
        made->allocated = (Py_ssize_t)count;
        return (PyObject *)made;
    }
#else
    (void)samples;
#endif
    PyObject *list = PyList_New((Py_ssize_t)count);
    if (PH_LIKELY(list != NULL)) {
        *items = PySequence_Fast_ITEMS(list);
    }
    return list;
}

/* An empty list; NULL with MemoryError set. */
PyObject *ph_list_new_empty(const ph_object_samples *samples);

PH_INLINE void ph_list_filled(PyObject *list, size_t count)
{
    Py_SET_SIZE(list, (Py_ssize_t)count);
}

/* Room for the values of a dict of `count` (1 or more) keys, laid out such that a dict from a
 * template takes it over as it is. NULL with MemoryError set. */
PyObject **ph_dict_values_new(uint32_t count);

/* The same values, of which the first `used` are there, in room for `to` instead of `from`. NULL with
 * MemoryError set, then they stay where they are. */
PyObject **ph_dict_values_resize(PyObject **values, uint32_t used, uint32_t from, uint32_t to);

/* Gives up the room for `count` values; drop: and the first `used` of them. */
void ph_dict_values_free(PyObject **values, uint32_t count);
void ph_dict_values_drop(PyObject **values, uint32_t used, uint32_t count);

#if PH_FAST_PATH

/* What a dict with a known sequence of str keys is copied from. */
typedef struct ph_dict_template {
    PyDictKeysObject *keys; /* owned block; its keys are owned, its values NULL */
    size_t block_size;      /* bytes of a key block */
    size_t entries_offset;  /* of the first entry within the block */
    uint32_t count;
    bool split;                    /* keys are shared by the dicts instead of copied */
    const ph_young_objects *young; /* borrowed */
} ph_dict_template;

/* A new dict of `count` pairs, keys (exact str) and values alternating (borrowed), sized at once. NULL
 * with an exception set. Only where ph_dict_pairs_available. */
bool ph_dict_pairs_available(void);
PyObject *ph_dict_from_pairs(PyObject *const *pairs, size_t count);

/* Prepares a template for `count` (1 or more) distinct exact str keys (borrowed). young (borrowed)
 * must outlive it. split: dicts share
 * one key block and have a values block each, as instance dictionaries do; count must then be at
 * most PH_SPLIT_KEYS_MAX. False when a layout is not as expected or memory is short; no exception
 * is left set. */
bool ph_dict_template_init(ph_dict_template *made, const ph_young_objects *young,
                           PyObject *const *keys, uint32_t count, bool split);
void ph_dict_template_clear(ph_dict_template *made);

# define PH_SPLIT_KEYS_MAX 30

/* A new dict from the template's keys and values, which stand in room of ph_dict_values_new; both
 * are taken over in any case. NULL with MemoryError set when memory is short. */
PyObject *ph_dict_from_template(const ph_dict_template *made, PyObject **values);

#endif

#endif
