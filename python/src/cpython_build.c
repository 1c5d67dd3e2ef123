/* Dicts from a copied or shared key block: the one place that writes CPython's dict layout. */

/* Opens the interpreter's internal headers, in this file only. */
#define Py_BUILD_CORE_MODULE 1
#include "cpython_build.h"

#if PH_FAST_PATH

# include "internal/pycore_dict.h"

# if PY_VERSION_HEX >= 0x030d0000
#  define BLOCK_ALLOCATE PyMem_Malloc
#  define BLOCK_FREE     PyMem_Free
# else
#  define BLOCK_ALLOCATE PyObject_Malloc
#  define BLOCK_FREE     PyObject_Free
# endif

/* Dicts are tracked when they are made (3.14), or when a value could be part of a cycle. */
# define DICTS_ALWAYS_TRACKED (PY_VERSION_HEX >= 0x030e0000)

/* Exported by some versions and not by others: asked for when the module is loaded. */
extern PyObject *_PyDict_FromItems(PyObject *const *keys, Py_ssize_t keys_offset,
                                   PyObject *const *values, Py_ssize_t values_offset,
                                   Py_ssize_t length) __attribute__((weak));

bool ph_dict_pairs_available(void)
{
    return _PyDict_FromItems != NULL;
}

PyObject *ph_dict_from_pairs(PyObject *const *pairs, size_t count)
{
    return _PyDict_FromItems(pairs, 2, pairs + 1, 2, (Py_ssize_t)count);
}

static size_t block_entries(const PyDictKeysObject *keys)
{
    /* Usable share of the table, as in dictobject.c since 3.6: two thirds. */
    return (size_t)((DK_SIZE(keys) << 1) / 3);
}

static size_t block_entries_offset(const PyDictKeysObject *keys)
{
    return sizeof(PyDictKeysObject) + ((size_t)1 << keys->dk_log2_index_bytes);
}

static PyDictUnicodeEntry *entries_of(const ph_dict_template *made, PyDictKeysObject *keys)
{
    return (PyDictUnicodeEntry *)((char *)keys + made->entries_offset);
}

/* A dict that public calls made from the keys, every value None; NULL when that is not a plain
 * combined table of str keys in the given order. */
static PyObject *sample_dict(PyObject *const *keys, uint32_t count)
{
    PyObject *sample = PyDict_New();
    for (uint32_t i = 0; sample != NULL && i < count; i++) {
        if (PyDict_SetItem(sample, keys[i], Py_None) < 0) {
            Py_CLEAR(sample);
        }
    }
    if (sample == NULL) {
        PyErr_Clear();
        return NULL;
    }
    const PyDictObject *dict = (const PyDictObject *)sample;
    if (dict->ma_values != NULL || dict->ma_used != (Py_ssize_t)count ||
        dict->ma_keys->dk_kind != DICT_KEYS_UNICODE || dict->ma_keys->dk_refcnt != 1 ||
        dict->ma_keys->dk_nentries != (Py_ssize_t)count) {
        Py_DECREF(sample);
        return NULL;
    }
    return sample;
}

bool ph_dict_template_init(ph_dict_template *made, const ph_young_objects *young,
                           PyObject *const *keys, uint32_t count, bool split)
{
    PyObject *sample = sample_dict(keys, count);
    if (sample == NULL) {
        return false;
    }
    const PyDictKeysObject *block = ((const PyDictObject *)sample)->ma_keys;
    made->count = count;
    made->split = split;
    made->young = young;
    made->entries_offset = block_entries_offset(block);
    made->block_size = made->entries_offset + block_entries(block) * sizeof(PyDictUnicodeEntry);
    made->keys = BLOCK_ALLOCATE(made->block_size);
    if (made->keys == NULL) {
        Py_DECREF(sample);
        return false;
    }
    memcpy(made->keys, block, made->block_size);
    made->keys->dk_version = 0;
    if (split) {
        made->keys->dk_kind = DICT_KEYS_SPLIT;
        made->keys->dk_usable =
            0; /* a new key converts the dict, it never enters the shared block */
    }
    PyDictUnicodeEntry *entries = entries_of(made, made->keys);
    bool same_keys = true;
    for (uint32_t i = 0; i < count; i++) {
        same_keys = same_keys && entries[i].me_key == keys[i];
        Py_INCREF(entries[i].me_key);
        entries[i].me_value = NULL;
    }
    Py_DECREF(sample);
    if (!same_keys) {
        ph_dict_template_clear(made);
    }
    return same_keys;
}

void ph_dict_template_clear(ph_dict_template *made)
{
    PyDictKeysObject *keys = made->keys;
    made->keys = NULL;
    if (keys == NULL) {
        return;
    }
    if (made->split && keys->dk_refcnt > 1) {
        keys->dk_refcnt--; /* the last dict that shares the block frees it */
        return;
    }
    PyDictUnicodeEntry *entries = entries_of(made, keys);
    for (uint32_t i = 0; i < made->count; i++) {
        Py_DECREF(entries[i].me_key);
    }
    BLOCK_FREE(keys);
}

/* Until 3.13 a dict is tracked as soon as one of its values may be part of a cycle. */
PH_INLINE bool may_be_in_cycle(PyObject *value)
{
    return PyObject_IS_GC(value) && (!PyTuple_CheckExact(value) || PyObject_GC_IsTracked(value));
}

PH_INLINE void track(PyObject *dict, PyObject *const *values, uint32_t count)
{
    if (DICTS_ALWAYS_TRACKED) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (may_be_in_cycle(values[i])) {
            PyObject_GC_Track(dict);
            return;
        }
    }
}

# if PY_VERSION_HEX >= 0x030d0000
static const uint8_t insertion_order[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                            11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                            22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/* Bytes in front of the values of a split dict, and behind them. */
PH_INLINE size_t values_prefix(uint32_t count)
{
    (void)count;
    return offsetof(PyDictValues, values);
}

PH_INLINE size_t values_suffix(uint32_t count)
{
    return _Py_SIZE_ROUND_UP((size_t)count, sizeof(PyObject *));
}

PH_INLINE PyDictValues *values_block(PyObject **values, uint32_t count)
{
    PyDictValues *block = (PyDictValues *)(void *)((char *)values - values_prefix(count));
    /* All at once: compilers make four stores of four assignments. */
    PyDictValues head = {
        .capacity = (uint8_t)count, .size = (uint8_t)count, .embedded = 0, .valid = 1};
    memcpy(block, &head, offsetof(PyDictValues, values));
    /* The order is stored in whole words, which the suffix makes room for; most dicts have one or
     * two, so that a call, which compilers make of such a loop, is not worth it. */
    uint8_t *order = (uint8_t *)&values[count];
    for (size_t i = 0; i < values_suffix(count); i += sizeof(uint64_t)) {
        memcpy(order + i, insertion_order + i, sizeof(uint64_t));
        __asm__("" : : : "memory");
    }
    return block;
}
# else
/* Before 3.13 the order stands in front of the values, growing downwards from its size byte. */
PH_INLINE size_t values_prefix(uint32_t count)
{
    return _Py_SIZE_ROUND_UP((size_t)count + 2, sizeof(PyObject *));
}

PH_INLINE size_t values_suffix(uint32_t count)
{
    (void)count;
    return 0;
}

PH_INLINE PyDictValues *values_block(PyObject **values, uint32_t count)
{
    uint8_t *start = (uint8_t *)values;
    start[-1] = (uint8_t)values_prefix(count);
    start[-2] = (uint8_t)count;
    for (uint32_t i = 0; i < count; i++) {
        start[-3 - (int)i] = (uint8_t)i;
    }
    return (PyDictValues *)(void *)start;
}
# endif

/* The keys of a dict that PyDict_New made: one shared empty block, counted until 3.11. */
PH_INLINE void leave_empty_keys(PyDictObject *dict)
{
# if PY_VERSION_HEX < 0x030c0000
    dict->ma_keys->dk_refcnt--;
# else
    (void)dict;
# endif
}

/* A dict whose table the caller sets at once. Up to 3.13 dicts have a number of their own, which only
 * the interpreter can give, and are not yet watched. */
PH_INLINE PyDictObject *dict_without_table(const ph_young_objects *young)
{
# if DICTS_ALWAYS_TRACKED
    if (young->in_use) {
        PyDictObject *dict =
            (PyDictObject *)ph_young_object_new(young, &young->dict_header, sizeof(PyDictObject));
        if (PH_LIKELY(dict != NULL)) {
            dict->_ma_watcher_tag = 0;
            dict->ma_values = NULL;
        }
        return dict;
    }
# else
    (void)young;
# endif
    PyDictObject *dict = (PyDictObject *)PyDict_New();
    if (PH_LIKELY(dict != NULL)) {
        leave_empty_keys(dict);
    }
    return dict;
}

static PyObject *split_dict(const ph_dict_template *made, PyObject **values)
{
    PyDictObject *dict = dict_without_table(made->young);
    if (PH_LIKELY(dict != NULL)) {
        made->keys->dk_refcnt++;
        dict->ma_keys = made->keys;
        dict->ma_values = values_block(values, made->count);
        dict->ma_used = (Py_ssize_t)made->count;
    }
    return (PyObject *)dict;
}

static PyObject *combined_dict(const ph_dict_template *made, PyObject *const *values)
{
    PyDictKeysObject *keys = BLOCK_ALLOCATE(made->block_size);
    if (keys == NULL) {
        return PyErr_NoMemory();
    }
    PyDictObject *dict = dict_without_table(made->young);
    if (dict == NULL) {
        BLOCK_FREE(keys);
        return NULL;
    }
    memcpy(keys, made->keys, made->block_size);
    PyDictUnicodeEntry *entries = entries_of(made, keys);
    for (uint32_t i = 0; i < made->count; i++) {
        Py_INCREF(entries[i].me_key);
        entries[i].me_value = values[i];
    }
    dict->ma_keys = keys;
    dict->ma_used = (Py_ssize_t)made->count;
    return (PyObject *)dict;
}

PyObject *ph_dict_from_template(const ph_dict_template *made, PyObject **values)
{
    PyObject *dict =
        PH_LIKELY(made->split) ? split_dict(made, values) : combined_dict(made, values);
    if (PH_UNLIKELY(dict == NULL)) {
        ph_dict_values_drop(values, made->count, made->count);
        return NULL;
    }
    track(dict, values, made->count);
    if (PH_UNLIKELY(!made->split)) {
        ph_dict_values_free(values, made->count);
    }
    return dict;
}

PH_INLINE size_t room_before(uint32_t count)
{
    return count <= PH_SPLIT_KEYS_MAX ? values_prefix(count) : 0;
}

PH_INLINE size_t room_behind(uint32_t count)
{
    return count <= PH_SPLIT_KEYS_MAX ? values_suffix(count) : 0;
}

#else

PH_INLINE size_t room_before(uint32_t count)
{
    (void)count;
    return 0;
}

PH_INLINE size_t room_behind(uint32_t count)
{
    (void)count;
    return 0;
}

#endif

PyObject *ph_list_new_empty(const ph_object_samples *samples)
{
    PyObject **none;
    return ph_list_new_unfilled(samples, 0, &none);
}

PyObject **ph_dict_values_new(uint32_t count)
{
    size_t before = room_before(count);
    char *room = PyMem_Malloc(before + count * sizeof(PyObject *) + room_behind(count));
    if (PH_UNLIKELY(room == NULL)) {
        PyErr_NoMemory();
        return NULL;
    }
    return (PyObject **)(void *)(room + before);
}

PyObject **ph_dict_values_resize(PyObject **values, uint32_t used, uint32_t from, uint32_t to)
{
    if (from == to) {
        return values;
    }
    PyObject **room = ph_dict_values_new(to);
    if (PH_LIKELY(room != NULL)) {
        ph_copy_references(room, values, used);
        ph_dict_values_free(values, from);
    }
    return room;
}

void ph_dict_values_free(PyObject **values, uint32_t count)
{
    PyMem_Free((char *)values - room_before(count));
}

void ph_dict_values_drop(PyObject **values, uint32_t used, uint32_t count)
{
    ph_drop_references(values, used);
    ph_dict_values_free(values, count);
}
