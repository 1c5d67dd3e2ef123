/* Numbers and text as Python objects, made the fastest way that the build allows. */
#ifndef PH_PYTHON_OBJECTS_OBJECTS_H
#define PH_PYTHON_OBJECTS_OBJECTS_H

#include "cpython_build.h"

#include "base/bytes.h"
#include "text/utf8.h"

/* Fills the samples by public calls; -1 with an exception set. trusted: objects may be made by
 * private layouts. Clear takes what is there. */
int ph_object_samples_init(ph_object_samples *samples, bool trusted);
void ph_object_samples_clear(ph_object_samples *samples);

/* Text that is not all ASCII, or not valid UTF-8: the slow end of ph_text_from_utf8. `errors` is an
 * error handler's name or NULL for strict. */
PyObject *ph_text_from_wide_utf8(const ph_object_samples *samples, const uint8_t *bytes,
                                 size_t length, const char *errors);

/* Since 3.14 the interpreter keeps up to a hundred dead ints and as many floats for its own
 * constructors to use again, which beats a block of our own as long as they last. */
#define PH_NUMBERS_IN_PLACE_BYTES 4096

/* The same holds for eighty lists and eighty dicts, in every version. */
#define PH_CONTAINERS_IN_PLACE_BYTES 4096

/* Decides what private layouts are used for, for a decoding of about `size` bytes. any_code: Python
 * code can run during it, and so can the collector. */
PH_INLINE void ph_object_samples_prepare(ph_object_samples *samples, size_t size, bool any_code)
{
    bool trusted = samples->trusted;
    samples->numbers_in_place =
        trusted && (PY_VERSION_HEX < 0x030e0000 || size >= PH_NUMBERS_IN_PLACE_BYTES);
#if PH_FAST_PATH
    ph_young_objects_use(&samples->young,
                         trusted && !any_code && size >= PH_CONTAINERS_IN_PLACE_BYTES);
#else
    (void)size;
    (void)any_code;
#endif
}

/* An int that is no shared object: of this magnitude, with this sign. */
PH_INLINE PyObject *ph_integer_new(const ph_object_samples *samples, uint64_t magnitude,
                                   bool is_negative)
{
#if PH_FAST_PATH && PY_VERSION_HEX >= 0x030c0000
    if (samples->numbers_in_place && PH_LIKELY(magnitude < (UINT64_C(1) << 2 * PyLong_SHIFT))) {
        /* One or two digits; the block is large enough for both. */
        PyLongObject *integer =
            PyObject_Malloc(offsetof(PyLongObject, long_value.ob_digit) + 2 * sizeof(digit));
        if (PH_UNLIKELY(integer == NULL)) {
            return PyErr_NoMemory();
        }
        uintptr_t digits = 1 + (magnitude >> PyLong_SHIFT != 0);
        integer->ob_base = samples->integer_header;
        integer->long_value.lv_tag = digits << _PyLong_NON_SIZE_BITS | (is_negative ? 2u : 0u);
        integer->long_value.ob_digit[0] = (digit)(magnitude & PyLong_MASK);
        integer->long_value.ob_digit[1] = (digit)(magnitude >> PyLong_SHIFT);
        return (PyObject *)integer;
    }
#else
    (void)samples;
#endif
    return is_negative ? PyLong_FromLongLong((long long)(0 - magnitude))
                       : PyLong_FromUnsignedLongLong(magnitude);
}

PH_INLINE PyObject *ph_integer_from_unsigned(const ph_object_samples *samples, uint64_t value)
{
    if (value < PH_SMALL_INTEGERS) {
        return PH_IMMORTAL_REF(samples->small_integers[PH_SMALL_NEGATIVES + value]);
    }
    return ph_integer_new(samples, value, false);
}

PH_INLINE PyObject *ph_integer_from_signed(const ph_object_samples *samples, int64_t value)
{
    if (value >= 0) {
        return ph_integer_from_unsigned(samples, (uint64_t)value);
    }
    if (value >= -PH_SMALL_NEGATIVES) {
        return PH_IMMORTAL_REF(samples->small_integers[PH_SMALL_NEGATIVES + value]);
    }
    return ph_integer_new(samples, 0 - (uint64_t)value, true);
}

PH_INLINE PyObject *ph_float_from_double(const ph_object_samples *samples, double value)
{
#if PH_FAST_PATH
    if (samples->numbers_in_place) {
        PyFloatObject *number = PyObject_Malloc(sizeof(PyFloatObject));
        if (PH_UNLIKELY(number == NULL)) {
            return PyErr_NoMemory();
        }
        number->ob_base = samples->float_header;
        number->ob_fval = value;
        return (PyObject *)number;
    }
#else
    (void)samples;
#endif
    return PyFloat_FromDouble(value);
}

/* A new ASCII str of `length` (2 or more) letters that the caller fills in through *letters. */
PH_INLINE PyObject *ph_text_new_ascii(const ph_object_samples *samples, size_t length,
                                      uint8_t **letters)
{
#if PH_FAST_PATH
    if (PH_LIKELY(samples->trusted)) {
        PyASCIIObject *made = PyObject_Malloc(sizeof(PyASCIIObject) + length + 1);
        if (PH_UNLIKELY(made == NULL)) {
            return PyErr_NoMemory();
        }
        *made = samples->text_header;
        made->length = (Py_ssize_t)length;
        *letters = (uint8_t *)(made + 1);
        (*letters)[length] = 0;
        return (PyObject *)made;
    }
#else
    (void)samples;
#endif
    PyObject *text = PyUnicode_New((Py_ssize_t)length, 0x7f);
    if (PH_LIKELY(text != NULL)) {
        *letters = PyUnicode_1BYTE_DATA(text);
    }
    return text;
}

/* str from `length` bytes that are known to be ASCII. NULL with MemoryError set. */
PH_INLINE PyObject *ph_text_from_ascii(const ph_object_samples *samples, const uint8_t *bytes,
                                       size_t length)
{
    if (PH_UNLIKELY(length < 2)) {
        return Py_NewRef(length == 0 ? samples->empty_text : samples->letters[bytes[0]]);
    }
    uint8_t *letters = NULL;
    PyObject *text = ph_text_new_ascii(samples, length, &letters);
    if (PH_LIKELY(text != NULL)) {
        if (length <= PH_COPY_SHORT_MAX) {
            ph_copy_exact_short(letters, bytes, length);
        } else {
            memcpy(letters, bytes, length);
        }
    }
    return text;
}

/* str from `length` bytes of UTF-8 (a view into the input). NULL with an exception set: MemoryError,
 * or UnicodeDecodeError, or whatever the error handler `errors` (NULL: strict) raised. */
PH_INLINE PyObject *ph_text_from_utf8(const ph_object_samples *samples, const uint8_t *bytes,
                                      size_t length, const char *errors)
{
    if (PH_UNLIKELY(length < 2)) {
        if (length == 0) {
            return Py_NewRef(samples->empty_text);
        }
        if (bytes[0] < PH_ASCII_LETTERS) {
            return Py_NewRef(samples->letters[bytes[0]]);
        }
        return ph_text_from_wide_utf8(samples, bytes, length, errors);
    }
    /* The guess that a string is ASCII throughout costs a block and a copy when it is wrong, so two
     * places are looked at first. */
    if (PH_UNLIKELY((bytes[0] | bytes[length / 2]) >= PH_ASCII_LETTERS)) {
        return ph_text_from_wide_utf8(samples, bytes, length, errors);
    }
    uint8_t *letters = NULL;
    PyObject *text = ph_text_new_ascii(samples, length, &letters);
    if (PH_LIKELY(text != NULL) && PH_UNLIKELY(!ph_text_copy_is_ascii(letters, bytes, length))) {
        Py_DECREF(text);
        return ph_text_from_wide_utf8(samples, bytes, length, errors);
    }
    return text;
}

#endif
