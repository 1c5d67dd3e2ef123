/* Reading str, int and dict for the encoders: the reading half of the room that cpython.h opens.
 *
 * With cpython.h and fast_path.c, the only place that knows how CPython lays its objects out. What
 * is private is behind PH_FAST_PATH; every such reader has a twin that uses public calls only, and
 * ph_read_layouts_work compares the two when the module is imported. */
#ifndef PH_PYTHON_CPYTHON_READ_H
#define PH_PYTHON_CPYTHON_READ_H

#include "cpython.h"

#include "base/bytes.h"

/* Builds dicts of every kind, ints and strings, reads them by private layout and by public calls;
 * false when anything differs. Always false on builds without the fast path. */
bool ph_read_layouts_work(void);

/* ---- str ---- */

/* True for strings of exactly type str whose bytes lie behind the header and are ASCII. */
PH_INLINE bool ph_str_is_ascii(PyObject *text)
{
#if PH_FAST_PATH && PY_VERSION_HEX >= 0x030c0000
    return ((const PyASCIIObject *)text)->state.ascii; /* every exact str is compact */
#else
    return PyUnicode_IS_COMPACT_ASCII(text);
#endif
}

PH_INLINE const uint8_t *ph_str_ascii(PyObject *text)
{
    return (const uint8_t *)((const PyASCIIObject *)text + 1);
}

/* Before 3.12 a string may still wait for its final form. False with an exception set. */
PH_INLINE bool ph_str_ready(PyObject *text)
{
#if PY_VERSION_HEX < 0x030c0000
    return PyUnicode_READY(text) == 0;
#else
    (void)text;
    return true;
#endif
}

/* The UTF-8 form that somebody else already left in a non-ASCII string; NULL when there is none.
 * Only where the self-test has passed. */
PH_INLINE const uint8_t *ph_str_kept_utf8(PyObject *text, Py_ssize_t *length)
{
#if PH_FAST_PATH
    const PyCompactUnicodeObject *compact = (const PyCompactUnicodeObject *)text;
    *length = compact->utf8_length;
    return (const uint8_t *)compact->utf8;
#else
    (void)text;
    (void)length;
    return NULL;
#endif
}

/* Bytes that a page has at least, on every system. */
#define PH_PAGE_BYTES 4096

/* True where 32 bytes from here on lie in one page, so that reading them can not fail. */
PH_INLINE bool ph_reads_32(const uint8_t *from)
{
    return ((uintptr_t)from & (PH_PAGE_BYTES - 1)) <= PH_PAGE_BYTES - 32;
}

/* Copies at least `size` (at most 32) bytes by copying 32 where that can not touch the next page,
 * so that a short string costs two loads and two stores. Room for 32 bytes at `to`. Sanitizer
 * builds, and builds without the fast path, copy exactly. */
PH_INLINE void ph_copy_short(uint8_t *to, const uint8_t *from, size_t size)
{
#if PH_FAST_PATH && !defined(PH_SANITIZED)
    if (PH_LIKELY(ph_reads_32(from))) {
        memcpy(to, from, 32);
        return;
    }
#endif
    ph_copy_exact_short(to, from, size);
}

/* Copies 32 bytes or more in steps of 32, the last one overlapping the one before. */
PH_INLINE void ph_copy_medium(uint8_t *to, const uint8_t *from, size_t size)
{
    for (size_t at = 0; size - at > 32; at += 32) {
        memcpy(to + at, from + at, 32);
    }
    memcpy(to + size - 32, from + size - 32, 32);
}

/* ---- int ---- */

/* Reads an int (or an instance of a subclass) of up to two digits in place; false when it has more, or
 * when this path can not look into ints. `fast`: a constant, whether private layouts are read. */
PH_INLINE bool ph_int_read(PyObject *number, bool fast, int64_t *value)
{
    (void)fast;
    const PyLongObject *digits = (const PyLongObject *)number;
#if PY_VERSION_HEX >= 0x030c0000
    if (PH_LIKELY(PyUnstable_Long_IsCompact(digits))) {
        *value = PyUnstable_Long_CompactValue(digits);
        return true;
    }
# if PH_FAST_PATH && PYLONG_BITS_IN_DIGIT == 30
    uintptr_t tag = digits->long_value.lv_tag;
    if (fast && tag >> _PyLong_NON_SIZE_BITS == 2) {
        int64_t magnitude = (int64_t)digits->long_value.ob_digit[0] |
                            (int64_t)digits->long_value.ob_digit[1] << PyLong_SHIFT;
        *value = (tag & _PyLong_SIGN_MASK) == 0 ? magnitude : -magnitude;
        return true;
    }
# endif
    return false;
#elif PH_FAST_PATH && PYLONG_BITS_IN_DIGIT == 30
    switch (fast ? Py_SIZE(digits) : 3) {
    case 0: *value = 0; return true;
    case 1: *value = (int64_t)digits->ob_digit[0]; return true;
    case -1: *value = -(int64_t)digits->ob_digit[0]; return true;
    case 2:
        *value = (int64_t)digits->ob_digit[0] | (int64_t)digits->ob_digit[1] << PyLong_SHIFT;
        return true;
    default: return false;
    }
#else
    (void)digits;
    (void)value;
    return false;
#endif
}

/* Reads an int of at most one digit, below 2^30 in magnitude, as magnitude and sign: fewer steps than
 * its value takes, and none depends on the sign. False for others, and where the layout is not known. */
PH_INLINE bool ph_int_read_digit(PyObject *number, bool fast, uint32_t *magnitude, bool *negative)
{
#if PH_FAST_PATH && PY_VERSION_HEX >= 0x030c0000 && PYLONG_BITS_IN_DIGIT == 30
    const PyLongObject *object = (const PyLongObject *)number;
    uintptr_t tag = object->long_value.lv_tag;
    *magnitude = object->long_value.ob_digit[0];
    *negative = (tag & 2) != 0; /* the sign is 0, 1 for zero, or 2 */
    return fast && PH_LIKELY(tag < (uintptr_t)2 << _PyLong_NON_SIZE_BITS);
#else
    (void)number;
    (void)fast;
    (void)magnitude;
    (void)negative;
    return false;
#endif
}

#if PH_FAST_PATH && PYLONG_BITS_IN_DIGIT == 30
/* The digits of an int, the lowest first, how many there are, and its sign. */
PH_INLINE const digit *ph_int_digits(PyObject *number, size_t *count, bool *negative)
{
    const PyLongObject *object = (const PyLongObject *)number;
# if PY_VERSION_HEX >= 0x030c0000
    *count = object->long_value.lv_tag >> _PyLong_NON_SIZE_BITS;
    *negative = (object->long_value.lv_tag & _PyLong_SIGN_MASK) != 0;
    return object->long_value.ob_digit;
# else
    *negative = Py_SIZE(object) < 0;
    *count = (size_t)(*negative ? -Py_SIZE(object) : Py_SIZE(object));
    return object->ob_digit;
# endif
}
#endif

/* Reads an int of three digits, which the other reader leaves, in place: 2^60 and more in magnitude.
 * False when it is not one from -2^63 to 2^64 - 1. */
PH_INLINE bool ph_int_read_large(PyObject *number, bool fast, uint64_t *magnitude, bool *negative)
{
#if PH_FAST_PATH && PYLONG_BITS_IN_DIGIT == 30
    size_t count;
    const digit *digits = ph_int_digits(number, &count, negative);
    if (PH_LIKELY(fast && count == 3) &&
        PH_LIKELY(digits[2] < (digit)1 << (64 - 2 * PyLong_SHIFT))) {
        *magnitude = (uint64_t)digits[0] | (uint64_t)digits[1] << PyLong_SHIFT |
                     (uint64_t)digits[2] << (2 * PyLong_SHIFT);
        return *magnitude <= (uint64_t)INT64_MAX + (*negative ? 1 : UINT64_MAX / 2 + 1);
    }
#else
    (void)number;
    (void)fast;
    (void)magnitude;
    (void)negative;
#endif
    return false;
}

/* Reads a positive int of five digits that fits in 128 bits, as UUIDs mostly hold, in place; false for all
 * others. */
PH_INLINE bool ph_int_read_128_bits(PyObject *number, bool fast, uint64_t *upper, uint64_t *lower)
{
#if PH_FAST_PATH && PYLONG_BITS_IN_DIGIT == 30
    size_t count;
    bool negative;
    const digit *digits = ph_int_digits(number, &count, &negative);
    if (PH_LIKELY(fast && count == 5 && !negative) &&
        PH_LIKELY(digits[4] < (digit)1 << (128 - 4 * PyLong_SHIFT))) {
        *lower = (uint64_t)digits[0] | (uint64_t)digits[1] << PyLong_SHIFT |
                 (uint64_t)digits[2] << (2 * PyLong_SHIFT);
        *upper = (uint64_t)digits[2] >> (64 - 2 * PyLong_SHIFT) |
                 (uint64_t)digits[3] << (3 * PyLong_SHIFT - 64) |
                 (uint64_t)digits[4] << (4 * PyLong_SHIFT - 64);
        return true;
    }
#else
    (void)number;
    (void)fast;
    (void)upper;
    (void)lower;
#endif
    return false;
}

typedef enum ph_int_range {
    PH_INT_SIGNED,   /* -2^63 to 2^63 - 1, as int64_t */
    PH_INT_UNSIGNED, /* 2^63 to 2^64 - 1: the bits of *value are a uint64_t */
    PH_INT_TOO_WIDE
} ph_int_range;

/* Reads any int by public calls; never leaves an exception set. */
ph_int_range ph_int_read_wide(PyObject *number, int64_t *value);

/* ---- dict ---- */

#if PH_FAST_PATH

/* The block of keys that PyDictObject.ma_keys points to. The same from 3.11 to 3.15 on builds with
 * a GIL. Behind the indices lie the entries: {hash, key, value} in a general table, {key, value} in
 * one whose keys are all str. */
typedef struct ph_dict_keys {
    Py_ssize_t references;
    uint8_t log2_size;
    uint8_t log2_index_bytes;
    uint8_t kind;
    uint32_t version;
    Py_ssize_t usable;
    Py_ssize_t entries;
    char indices[];
} ph_dict_keys;

# define PH_DICT_GENERAL 0

PH_INLINE PyObject *const *ph_dict_entries(const ph_dict_keys *keys)
{
    return (PyObject *const *)(const void *)(keys->indices + ((size_t)1 << keys->log2_index_bytes));
}

/* The values of a split dict, whose keys are shared with other dicts of its class, and the order
 * in which they were set: order(i) is the index of the i-th. */
PH_INLINE PyObject *const *ph_dict_split_values(const PyDictObject *dict)
{
# if PY_VERSION_HEX >= 0x030d0000
    return (PyObject *const *)(const void *)((const char *)dict->ma_values + 8);
# else
    return (PyObject *const *)(const void *)dict->ma_values;
# endif
}

PH_INLINE size_t ph_dict_split_order(const PyDictObject *dict, Py_ssize_t at)
{
    const uint8_t *prefix = (const uint8_t *)dict->ma_values;
# if PY_VERSION_HEX >= 0x030d0000
    return prefix[8 + prefix[0] * sizeof(PyObject *) + (size_t)at]; /* prefix[0]: the capacity */
# else
    return prefix[-3 - at];
# endif
}

#endif

/* A position in a dict. Between two calls of ph_dict_next without user code in between, it reads
 * what it loaded; after user code ph_dict_reload must come first. Holds no reference. */
typedef struct ph_dict_cursor {
    PyObject *dict;
    Py_ssize_t at; /* pairs passed, in split dicts and on the portable path */
#if PH_FAST_PATH
    Py_ssize_t used;        /* pairs, in split dicts */
    PyObject *const *first; /* the first key, its value behind it unless the dict is split */
    PyObject *const *entry; /* the next key, in dicts that are not split */
    PyObject *const *end;
    size_t stride; /* bytes from one entry to the next */
    bool split;    /* the loop over entries finds none then */
#endif
} ph_dict_cursor;

/* Loads the table, at the first entry or, after user code, at the entry that had been reached. */
PH_INLINE void ph_dict_load(ph_dict_cursor *cursor, size_t passed, bool fast)
{
#if PH_FAST_PATH
    if (fast) {
        const PyDictObject *dict = (const PyDictObject *)cursor->dict;
        const ph_dict_keys *keys = (const ph_dict_keys *)(const void *)dict->ma_keys;
        bool general = keys->kind == PH_DICT_GENERAL;
        size_t entries = (size_t)keys->entries;
        cursor->first = ph_dict_entries(keys) + (general ? 1 : 0); /* behind the hash */
        size_t words = general ? 3 : 2;
        cursor->stride = words * sizeof(PyObject *);
        cursor->split = dict->ma_values != NULL;
        cursor->used = dict->ma_used;
        entries = PH_LIKELY(!cursor->split) ? entries : 0;
        cursor->end = cursor->first + words * entries;
        cursor->entry = cursor->first + words * (passed < entries ? passed : entries);
    }
#else
    (void)cursor;
    (void)passed;
    (void)fast;
#endif
}

PH_INLINE void ph_dict_begin(ph_dict_cursor *cursor, PyObject *dict, bool fast)
{
    cursor->dict = dict;
    cursor->at = 0;
    ph_dict_load(cursor, 0, fast);
}

PH_INLINE void ph_dict_reload(ph_dict_cursor *cursor, bool fast)
{
#if PH_FAST_PATH
    if (fast) {
        size_t passed =
            (size_t)((const char *)cursor->entry - (const char *)cursor->first) / cursor->stride;
        ph_dict_load(cursor, cursor->split ? (size_t)cursor->at : passed, fast);
        cursor->at = cursor->split ? cursor->at : (Py_ssize_t)passed;
    }
#else
    (void)cursor;
    (void)fast;
#endif
}

/* The next pair, borrowed; false at the end. `fast`: a constant, whether private layouts are read.
 * On free-threaded builds the dict must be locked. */
PH_INLINE bool ph_dict_next(ph_dict_cursor *cursor, bool fast, PyObject **key, PyObject **value)
{
#if PH_FAST_PATH
    if (fast) {
        while (PH_LIKELY(cursor->entry != cursor->end)) {
            PyObject *const *entry = cursor->entry;
            *key = entry[0];
            *value = entry[1];
            cursor->entry = (const void *)((const char *)entry + cursor->stride);
            if (PH_LIKELY(*value != NULL)) {
                return true;
            }
        }
        if (PH_UNLIKELY(cursor->split) && cursor->at < cursor->used) {
            const PyDictObject *dict = (const PyDictObject *)cursor->dict;
            size_t index = ph_dict_split_order(dict, cursor->at);
            cursor->at++;
            *key = *(PyObject *const *)(const void *)((const char *)cursor->first +
                                                      cursor->stride * index);
            *value = ph_dict_split_values(dict)[index];
            return true;
        }
        return false;
    }
#else
    (void)fast;
#endif
    return PyDict_Next(cursor->dict, &cursor->at, key, value) != 0;
}

#endif
