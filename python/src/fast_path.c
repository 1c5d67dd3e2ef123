/* The self-test of the private layouts: what they build must equal what public calls build. */
#include "objects/objects.h"

#if PH_FAST_PATH

/* True when `made` behaves as `expected`, which public calls made. Takes over both references. */
static bool same(PyObject *made, PyObject *expected)
{
    bool answer = made != NULL && expected != NULL && Py_TYPE(made) == Py_TYPE(expected) &&
                  Py_REFCNT(made) == 1 && PyObject_RichCompareBool(made, expected, Py_EQ) == 1 &&
                  PyObject_Hash(made) == PyObject_Hash(expected);
    Py_XDECREF(made);
    Py_XDECREF(expected);
    PyErr_Clear();
    return answer;
}

static bool text_works(const ph_object_samples *samples)
{
    static const char letters[] = "The quick brown fox jumps over the lazy dog.";
    for (Py_ssize_t length = 2; length < (Py_ssize_t)sizeof letters; length++) {
        PyObject *made = ph_text_from_utf8(samples, (const uint8_t *)letters, (size_t)length, NULL);
        if (made == NULL || !PyUnicode_IS_COMPACT_ASCII(made) ||
            PyUnicode_GET_LENGTH(made) != length || PyUnicode_CHECK_INTERNED(made) ||
            !same(made, PyUnicode_FromStringAndSize(letters, length))) {
            return false;
        }
    }
    return true;
}

/* Text of one, two and four bytes a letter. */
static bool wide_text_works(const ph_object_samples *samples)
{
    static const char *const texts[] = {"na\xc3\xafve", "\xe3\x81\x8b\xe3\x81\xaa",
                                        "smile \xf0\x9f\x98\x80"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t length = strlen(texts[i]);
        PyObject *made = ph_text_from_utf8(samples, (const uint8_t *)texts[i], length, NULL);
        PyObject *expected = PyUnicode_DecodeUTF8(texts[i], (Py_ssize_t)length, NULL);
        bool alike =
            made != NULL && expected != NULL && PyUnicode_KIND(made) == PyUnicode_KIND(expected) &&
            PyUnicode_GET_LENGTH(made) == PyUnicode_GET_LENGTH(expected) &&
            PyUnicode_AsUTF8(made) != NULL && strcmp(PyUnicode_AsUTF8(made), texts[i]) == 0;
        if (!same(made, expected) || !alike) {
            return false;
        }
    }
    return true;
}

static bool numbers_work(const ph_object_samples *samples)
{
    static const int64_t integers[] = {257,        -6,          32767,       -32768,    1073741823,
                                       1073741824, -1073741823, -1073741824, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        if (!same(ph_integer_from_signed(samples, integers[i]), PyLong_FromLongLong(integers[i]))) {
            return false;
        }
    }
    return same(ph_float_from_double(samples, -2.5), PyFloat_FromDouble(-2.5));
}

/* A list filled in place is one that can grow, shrink and be sorted. */
static bool lists_work(const ph_object_samples *samples)
{
    PyObject **items = NULL;
    PyObject *list = ph_list_new_unfilled(samples, 3, &items);
    for (Py_ssize_t i = 0; list != NULL && i < 3; i++) {
        items[i] = Py_NewRef(samples->small_integers[3 - i]);
    }
    if (list == NULL) {
        return false;
    }
    ph_list_filled(list, 3);
    bool answer = PyObject_GC_IsTracked(list) && PyList_Append(list, Py_None) == 0 &&
                  PyList_SetSlice(list, 3, 4, NULL) == 0 && PyList_Sort(list) == 0 &&
                  PyList_GET_SIZE(list) == 3;
    for (Py_ssize_t i = 0; answer && i < 3; i++) {
        answer = PyList_GET_ITEM(list, i) == samples->small_integers[1 + i];
    }
    Py_DECREF(list);
    return answer;
}

/* Numbers, and a list at the end, which makes the collector watch a dict. False without memory. */
static bool test_values(PyObject **values, uint32_t count)
{
    bool made = true;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = i + 1 == count ? PyList_New(0) : PyLong_FromLong(1000 + (long)i);
        made = made && values[i] != NULL;
    }
    for (uint32_t i = 0; !made && i < count; i++) {
        Py_XDECREF(values[i]);
    }
    return made;
}

/* Everything that a program may do to a dict, once: look up, iterate, copy, change, grow, shrink. */
static bool dict_behaves(PyObject *dict, PyObject *const *keys, uint32_t count)
{
    PyObject *plain = PyDict_New(), *extra = PyUnicode_FromString("a key that was not there");
    bool answer = plain != NULL && extra != NULL && PyDict_GET_SIZE(dict) == (Py_ssize_t)count;
    for (uint32_t i = 0; answer && i < count; i++) {
        PyObject *value = PyDict_GetItemWithError(dict, keys[i]);
        answer = value != NULL && PyDict_SetItem(plain, keys[i], value) == 0;
    }
    answer = answer && PyObject_GC_IsTracked(dict) == PyObject_GC_IsTracked(plain);
    Py_ssize_t position = 0;
    PyObject *key, *value;
    for (uint32_t i = 0; answer && PyDict_Next(dict, &position, &key, &value); i++) {
        answer = i < count && key == keys[i];
    }
    PyObject *copy = answer ? PyDict_Copy(dict) : NULL;
    answer = copy != NULL && PyObject_RichCompareBool(copy, plain, Py_EQ) == 1 &&
             PyObject_RichCompareBool(dict, plain, Py_EQ) == 1 &&
             PyDict_SetItem(dict, extra, Py_None) == 0 && PyDict_DelItem(dict, keys[0]) == 0 &&
             PyDict_GET_SIZE(dict) == (Py_ssize_t)count && PyDict_DelItem(dict, extra) == 0 &&
             PyDict_DelItem(copy, keys[count - 1]) == 0 &&
             PyDict_SetItem(copy, keys[count - 1], Py_None) == 0 &&
             PyDict_GET_SIZE(copy) == (Py_ssize_t)count;
    Py_XDECREF(copy);
    Py_XDECREF(plain);
    Py_XDECREF(extra);
    return answer;
}

static bool template_works(const ph_young_objects *young, PyObject *const *keys, uint32_t count,
                           bool split)
{
    ph_dict_template made;
    if (!ph_dict_template_init(&made, young, keys, count, split)) {
        return false;
    }
    bool answer = true;
    PyObject *kept = NULL;
    for (int round = 0; answer && round < 2; round++) {
        PyObject **values = ph_dict_values_new(count);
        if (values == NULL || !test_values(values, count)) {
            if (values != NULL) {
                ph_dict_values_free(values, count);
            }
            answer = false;
            break;
        }
        PyObject *dict = ph_dict_from_template(&made, values);
        answer = dict != NULL && dict_behaves(dict, keys, count);
        Py_XSETREF(kept, dict);
    }
    ph_dict_template_clear(&made);
    Py_XDECREF(kept); /* outlives the template, as dicts do */
    return answer;
}

static bool dicts_work(const ph_young_objects *young)
{
    static const uint32_t counts[] = {1, 5, 6, 10, 11, 21, 22, PH_SPLIT_KEYS_MAX};
    PyObject *keys[PH_SPLIT_KEYS_MAX];
    bool answer = true;
    uint32_t ready = 0;
    for (; answer && ready < PH_SPLIT_KEYS_MAX; ready++) {
        keys[ready] = PyUnicode_FromFormat("key number %u", ready);
        answer = keys[ready] != NULL;
    }
    for (size_t i = 0; answer && i < sizeof counts / sizeof *counts; i++) {
        answer = template_works(young, keys, counts[i], true) &&
                 template_works(young, keys, counts[i], false);
    }
    for (uint32_t i = 0; i < ready; i++) {
        Py_XDECREF(keys[i]);
    }
    return answer;
}

/* A bytearray that keeps its memory, also behind a front that was deleted, is one like any other. */
static bool bytearrays_work(void)
{
    PyObject *made = PyByteArray_FromStringAndSize("0123456789", 10);
    bool answer = made != NULL && PySequence_DelSlice(made, 0, 3) == 0 &&
                  ph_bytearray_resize(made, 2, true) && ph_bytearray_resize(made, 4, true) &&
                  PySequence_Size(made) == 4 && PyByteArray_AS_STRING(made)[4] == '\0' &&
                  memcmp(PyByteArray_AS_STRING(made), "34", 3) == 0 &&
                  ph_bytearray_resize(made, 100, true) && PySequence_Size(made) == 100;
    Py_XDECREF(made);
    return answer;
}

/* Containers by the interpreter's constructor, and put into the collector's list. */
static bool containers_work(ph_object_samples *samples)
{
    bool answer = true;
    int enabled = PyGC_Disable();
    for (int in_place = 0; answer && in_place < 2; in_place++) {
        ph_young_objects_use(&samples->young, in_place);
        answer = lists_work(samples) && dicts_work(&samples->young);
    }
    ph_young_objects_use(&samples->young, false);
    if (enabled) {
        PyGC_Enable();
    }
    return answer;
}

bool ph_fast_path_works(void)
{
    ph_object_samples samples;
    if (ph_object_samples_init(&samples, true) < 0) {
        PyErr_Clear();
        return false;
    }
    bool answer = text_works(&samples) && wide_text_works(&samples) && numbers_work(&samples) &&
                  containers_work(&samples) && bytearrays_work();
    ph_object_samples_clear(&samples);
    PyErr_Clear();
    return answer;
}

#else

bool ph_fast_path_works(void)
{
    return false;
}

#endif
