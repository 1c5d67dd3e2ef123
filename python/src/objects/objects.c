/* Shared objects and sample headers for making objects; text that is not plain ASCII. */
#include "objects/objects.h"

#include "text/short_text.h"
#include "text/transcode.h"

static int sample_integers(ph_object_samples *samples)
{
    for (int i = 0; i < PH_SMALL_NEGATIVES + PH_SMALL_INTEGERS; i++) {
        samples->small_integers[i] = PyLong_FromLong(i - PH_SMALL_NEGATIVES);
        if (samples->small_integers[i] == NULL) {
            return -1;
        }
    }
    return 0;
}

static int sample_letters(ph_object_samples *samples)
{
    for (int i = 0; i < PH_ASCII_LETTERS; i++) {
        samples->letters[i] = PyUnicode_FromOrdinal(i);
        if (samples->letters[i] == NULL) {
            return -1;
        }
    }
    samples->empty_text = PyUnicode_New(0, 0);
    return samples->empty_text == NULL ? -1 : 0;
}

#if PH_FAST_PATH
/* Copies the headers of fresh objects, which nobody else has seen: one reference, no hash. */
static int sample_headers(ph_object_samples *samples)
{
    PyObject *text = PyUnicode_New(2, 0x7f);
    PyObject *integer = PyLong_FromLong(1000000);
    PyObject *number = PyFloat_FromDouble(0.5);
    int result = -1;
    if (text != NULL && integer != NULL && number != NULL) {
        memcpy(&samples->text_header, text, sizeof samples->text_header);
        memcpy(&samples->integer_header, integer, sizeof samples->integer_header);
        memcpy(&samples->float_header, number, sizeof samples->float_header);
        ph_young_objects_find(&samples->young);
        result = 0;
    }
    Py_XDECREF(text);
    Py_XDECREF(integer);
    Py_XDECREF(number);
    return result;
}
#else
static int sample_headers(ph_object_samples *Py_UNUSED(samples))
{
    return 0;
}
#endif

int ph_object_samples_init(ph_object_samples *samples, bool trusted)
{
    memset(samples, 0, sizeof *samples);
    samples->trusted = trusted;
    samples->numbers_in_place = trusted;
    if (sample_integers(samples) < 0 || sample_letters(samples) < 0 ||
        sample_headers(samples) < 0) {
        ph_object_samples_clear(samples);
        return -1;
    }
    return 0;
}

void ph_object_samples_clear(ph_object_samples *samples)
{
    for (int i = 0; i < PH_SMALL_NEGATIVES + PH_SMALL_INTEGERS; i++) {
        Py_CLEAR(samples->small_integers[i]);
    }
    for (int i = 0; i < PH_ASCII_LETTERS; i++) {
        Py_CLEAR(samples->letters[i]);
    }
    for (int i = 0; i < 256; i++) {
        Py_CLEAR(samples->immediates[i]);
    }
    Py_CLEAR(samples->empty_text);
}

static const Py_UCS4 widest[] = {
    [PH_WIDTH_ASCII] = 0x7f,
    [PH_WIDTH_LATIN1] = 0xff,
    [PH_WIDTH_UCS2] = 0xffff,
    [PH_WIDTH_UCS4] = 0x10ffff,
};

/* A new str that is not ASCII, of `length` (2 or more) units that the caller fills in. */
PH_INLINE PyObject *wide_text_new(const ph_object_samples *samples, size_t length,
                                  ph_text_width width, void **units)
{
#if PH_FAST_PATH && PY_VERSION_HEX >= 0x030c0000
    if (PH_LIKELY(samples->trusted) && width != PH_WIDTH_ASCII) {
        size_t unit = width == PH_WIDTH_LATIN1 ? 1 : width == PH_WIDTH_UCS2 ? 2 : 4;
        PyCompactUnicodeObject *made =
            PyObject_Malloc(sizeof(PyCompactUnicodeObject) + (length + 1) * unit);
        if (PH_UNLIKELY(made == NULL)) {
            return PyErr_NoMemory();
        }
        made->_base = samples->text_header;
        made->_base.length = (Py_ssize_t)length;
        made->_base.state.ascii = 0;
        made->_base.state.kind = unit & 7u;
        made->utf8_length = 0;
        made->utf8 = NULL;
        *units = made + 1;
        memset((uint8_t *)*units + length * unit, 0, unit);
        return (PyObject *)made;
    }
#else
    (void)samples;
#endif
    PyObject *text = PyUnicode_New((Py_ssize_t)length, widest[width]);
    *units = text == NULL ? NULL : PyUnicode_DATA(text);
    return text;
}

/* NULL without an exception when the text is none of those that this handles. */
static PyObject *short_wide_text(const ph_object_samples *samples, const uint8_t *bytes,
                                 size_t length)
{
    ph_short_text decoded;
    if (PH_UNLIKELY(!ph_short_text_decode(&decoded, bytes, length)) ||
        PH_UNLIKELY(decoded.code_points < 2)) {
        return NULL;
    }
    void *units = NULL;
    PyObject *text = wide_text_new(samples, decoded.code_points, decoded.width, &units);
    if (PH_UNLIKELY(text == NULL)) {
        PyErr_Clear(); /* asked for again, and then reported, by the caller */
        return NULL;
    }
    ph_short_text_store(&decoded, units);
    return text;
}

PyObject *ph_text_from_wide_utf8(const ph_object_samples *samples, const uint8_t *bytes,
                                 size_t length, const char *errors)
{
    if (length <= PH_SHORT_TEXT_BYTES) {
        PyObject *text = short_wide_text(samples, bytes, length);
        if (PH_LIKELY(text != NULL)) {
            return text;
        }
    }
    ph_text_facts facts = ph_utf8_measure(bytes, length);
    if (PH_UNLIKELY(facts.valid_bytes != length)) {
        return PyUnicode_DecodeUTF8((const char *)bytes, (Py_ssize_t)length, errors);
    }
    if (facts.code_points < 2) {
        /* One-letter strings below U+0100 are shared objects. */
        return PyUnicode_DecodeUTF8((const char *)bytes, (Py_ssize_t)length, errors);
    }
    void *units = NULL;
    PyObject *text = wide_text_new(samples, facts.code_points, facts.width, &units);
    if (text == NULL) {
        return NULL;
    }
    switch (facts.width) {
    case PH_WIDTH_ASCII: memcpy(units, bytes, length); break;
    case PH_WIDTH_LATIN1: ph_utf8_decode_latin1(units, facts.code_points, bytes, length); break;
    case PH_WIDTH_UCS2: ph_utf8_decode_ucs2(units, facts.code_points, bytes, length); break;
    case PH_WIDTH_UCS4: ph_utf8_decode_ucs4(units, facts.code_points, bytes, length); break;
    }
    return text;
}
