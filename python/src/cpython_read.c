/* Ints of any width by public calls, and the self-test of the readers of private layouts. */
#include "cpython_read.h"

ph_int_range ph_int_read_wide(PyObject *number, int64_t *value)
{
    int overflow = 0;
    long long narrow = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        *value = narrow;
        return PH_INT_SIGNED;
    }
    if (overflow > 0) {
        unsigned long long wide = PyLong_AsUnsignedLongLong(number);
        if (wide != (unsigned long long)-1 || PyErr_Occurred() == NULL) {
            *value = (int64_t)wide;
            return PH_INT_UNSIGNED;
        }
        PyErr_Clear();
    }
    return PH_INT_TOO_WIDE;
}

#if PH_FAST_PATH

/* Numbers of one and two digits on both sides of each border, and two of three. */
static bool ints_agree(void)
{
    static const long long samples[] = {0,
                                        1,
                                        -1,
                                        127,
                                        -32768,
                                        (1LL << 30) - 1,
                                        1LL << 30,
                                        -(1LL << 30),
                                        (1LL << 60) - 1,
                                        1 - (1LL << 60),
                                        1LL << 60,
                                        INT64_MAX,
                                        INT64_MIN};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        PyObject *number = PyLong_FromLongLong(samples[i]);
        if (number == NULL) {
            return false;
        }
        int64_t direct = samples[i];
        int64_t wide = 0;
        uint32_t digit;
        bool negative;
        bool agree = (!ph_int_read(number, true, &direct) || direct == samples[i]) &&
                     (!ph_int_read_digit(number, true, &digit, &negative) ||
                      (negative ? -(long long)digit : digit) == samples[i]) &&
                     ph_int_read_wide(number, &wide) == PH_INT_SIGNED && wide == samples[i];
        Py_DECREF(number);
        if (!agree) {
            return false;
        }
    }
    return true;
}

/* One int, given in base 16: what the reader of large ints makes of it, and what public calls do. */
static bool large_int_agrees(const char *text)
{
    PyObject *number = PyLong_FromString(text, NULL, 16);
    if (number == NULL) {
        return false;
    }
    uint64_t magnitude = 0;
    bool negative = false;
    int64_t narrow, value;
    ph_int_range range = ph_int_read_wide(number, &value);
    bool is_negative = text[0] == '-';
    bool agree = !ph_int_read(number, true, &narrow);
    if (range == PH_INT_TOO_WIDE) {
        agree = agree && !ph_int_read_large(number, true, &magnitude, &negative);
    } else {
        agree = agree && ph_int_read_large(number, true, &magnitude, &negative) &&
                negative == is_negative &&
                magnitude == (is_negative ? 0 - (uint64_t)value : (uint64_t)value);
    }
    Py_DECREF(number);
    return agree;
}

/* A number of up to 130 bits in base 16: read in place it is what public calls put together. */
static bool wide_int_agrees(const char *text)
{
    PyObject *number = PyLong_FromString(text, NULL, 16), *shift = PyLong_FromLong(64);
    PyObject *half = number == NULL || shift == NULL ? NULL : PyNumber_Rshift(number, shift);
    uint64_t upper = 0, lower = 0;
    bool agree = half != NULL;
    if (agree && ph_int_read_128_bits(number, true, &upper, &lower)) {
        agree = upper == PyLong_AsUnsignedLongLong(half) &&
                lower == PyLong_AsUnsignedLongLongMask(number);
    }
    Py_XDECREF(number);
    Py_XDECREF(shift);
    Py_XDECREF(half);
    PyErr_Clear();
    return agree;
}

static bool wide_ints_agree(void)
{
    static const char *const samples[] = {
        "0",
        "-1",
        "1000000000000000000000000000000",
        "123456789abcdef0fedcba9876543210",
        "-123456789abcdef0fedcba9876543210",
        "ffffffffffffffffffffffffffffffff",
        "100000000000000000000000000000000",
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (!wide_int_agrees(samples[i])) {
            return false;
        }
    }
    return true;
}

static bool large_ints_agree(void)
{
    static const char *const samples[] = {
        "1000000000000000",  "-1000000000000000", "7fffffffffffffff",   "-7fffffffffffffff",
        "8000000000000000",  "-8000000000000000", "-8000000000000001",  "ffffffffffffffff",
        "10000000000000000", "-ffffffffffffffff", "-10000000000000000", "123456789abcdef01",
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        if (!large_int_agrees(samples[i])) {
            return false;
        }
    }
    return true;
}

static bool strings_agree(void)
{
    PyObject *ascii = PyUnicode_FromString("abc");
    PyObject *accented = PyUnicode_FromString("a\xc3\xa9\xe6\x97\xa5");
    bool agree = ascii != NULL && accented != NULL;
    Py_ssize_t length = 0;
    agree = agree && ph_str_is_ascii(ascii) && memcmp(ph_str_ascii(ascii), "abc", 4) == 0 &&
            !ph_str_is_ascii(accented) && ph_str_kept_utf8(accented, &length) == NULL;
    if (agree) {
        Py_ssize_t expected = 0;
        const char *utf8 = PyUnicode_AsUTF8AndSize(accented, &expected);
        agree = utf8 != NULL && ph_str_kept_utf8(accented, &length) == (const uint8_t *)utf8 &&
                length == expected;
    }
    Py_XDECREF(ascii);
    Py_XDECREF(accented);
    return agree;
}

static bool dict_agrees(PyObject *dict)
{
    ph_dict_cursor cursor;
    PyObject *key, *value, *expected_key, *expected_value;
    Py_ssize_t position = 0;
    ph_dict_begin(&cursor, dict, true);
    while (PyDict_Next(dict, &position, &expected_key, &expected_value)) {
        if (!ph_dict_next(&cursor, true, &key, &value) || key != expected_key ||
            value != expected_value) {
            return false;
        }
        ph_dict_reload(&cursor, true);
    }
    return !ph_dict_next(&cursor, true, &key, &value);
}

/* A dict of `count` keys of which every third is deleted again; keys are ints, or str if asked. */
static PyObject *dict_with_holes(int count, bool str_keys)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < count + count / 3; i++) {
        int number = i < count ? i : (i - count) * 3;
        PyObject *key = PyUnicode_FromFormat(str_keys ? "k%d" : "%d", number);
        if (key != NULL && !str_keys) {
            Py_SETREF(key, PyLong_FromUnicodeObject(key, 10));
        }
        if (key == NULL ||
            (i < count ? PyDict_SetItem(dict, key, Py_None) : PyDict_DelItem(dict, key)) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(key);
    }
    return dict;
}

/* The attributes of an instance, whose table is split between instances, set in this order; the
 * first one is deleted and set again when `again` is asked for. */
static PyObject *dict_of_instance(PyObject *class, const char *const *names, bool again)
{
    PyObject *instance = PyObject_CallNoArgs(class);
    PyObject *dict = NULL;
    bool set = instance != NULL;
    for (size_t i = 0; set && names[i] != NULL; i++) {
        set = PyObject_SetAttrString(instance, names[i], Py_None) == 0;
    }
    if (set && again) {
        set = PyObject_DelAttrString(instance, names[0]) == 0 &&
              PyObject_SetAttrString(instance, names[0], Py_True) == 0;
    }
    if (set) {
        dict = PyObject_GenericGetDict(instance, NULL);
    }
    Py_XDECREF(instance);
    return dict;
}

static bool take_and_compare(PyObject *dict)
{
    bool agree = dict != NULL && dict_agrees(dict);
    Py_XDECREF(dict);
    return agree;
}

/* Every kind of table: small and large, str keys and others, shared keys, with and without holes. */
static bool dicts_agree(void)
{
    static const char *const forth[] = {"x", "y", "z", NULL};
    static const char *const back[] = {"z", "y", "x", NULL};
    PyObject *class = PyObject_CallFunction((PyObject *)&PyType_Type, "s(){}", "Instance");
    bool agree = class != NULL && take_and_compare(dict_of_instance(class, forth, false)) &&
                 take_and_compare(dict_of_instance(class, back, false)) &&
                 take_and_compare(dict_of_instance(class, back, true)) &&
                 take_and_compare(dict_of_instance(class, forth + 1, true));
    for (int count = 0; agree && count <= 300; count += count < 9 ? 3 : 97) {
        agree = take_and_compare(dict_with_holes(count, true)) &&
                take_and_compare(dict_with_holes(count, false));
    }
    Py_XDECREF(class);
    return agree;
}

bool ph_read_layouts_work(void)
{
    bool work =
        ints_agree() && large_ints_agree() && wide_ints_agree() && strings_agree() && dicts_agree();
    PyErr_Clear();
    return work;
}

#else

bool ph_read_layouts_work(void)
{
    return false;
}

#endif
