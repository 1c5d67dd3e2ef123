/* Shared objects and sample headers for making objects; text that is not plain ASCII. */
#include "objects/objects.h"

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

/* Up to this many bytes a text is checked and decoded in one pass, on the C stack. */
#define SHORT_WIDE_BYTES 160

/* NULL without an exception when the text is none of those that this handles. */
static PyObject *short_wide_text(const uint8_t *bytes, size_t length)
{
    uint16_t units[SHORT_WIDE_BYTES];
    uint32_t seen;
    size_t count = ph_utf8_decode_bmp(units, bytes, length, &seen);
    if (count == PH_UTF8_NOT_BMP || count < 2 || seen < 0x80) {
        return NULL;
    }
    PyObject *text = PyUnicode_New((Py_ssize_t)count, seen < 0x100 ? 0xff : 0xffff);
    if (text == NULL) {
        PyErr_Clear(); /* asked for again, and then reported, by the caller */
        return NULL;
    }
    if (seen >= 0x100) {
        memcpy(PyUnicode_2BYTE_DATA(text), units, count * sizeof *units);
        return text;
    }
    Py_UCS1 *letters = PyUnicode_1BYTE_DATA(text);
    for (size_t i = 0; i < count; i++) {
        letters[i] = (Py_UCS1)units[i];
    }
    return text;
}

PyObject *ph_text_from_wide_utf8(const uint8_t *bytes, size_t length, const char *errors)
{
    PyObject *short_text = length <= SHORT_WIDE_BYTES ? short_wide_text(bytes, length) : NULL;
    if (short_text != NULL) {
        return short_text;
    }
    ph_text_facts facts = ph_utf8_measure(bytes, length);
    if (PH_UNLIKELY(facts.valid_bytes != length)) {
        return PyUnicode_DecodeUTF8((const char *)bytes, (Py_ssize_t)length, errors);
    }
    static const Py_UCS4 widest[] = {
        [PH_WIDTH_ASCII] = 0x7f,
        [PH_WIDTH_LATIN1] = 0xff,
        [PH_WIDTH_UCS2] = 0xffff,
        [PH_WIDTH_UCS4] = 0x10ffff,
    };
    if (facts.code_points < 2) {
        /* One-letter strings below U+0100 are shared objects. */
        return PyUnicode_DecodeUTF8((const char *)bytes, (Py_ssize_t)length, errors);
    }
    PyObject *text = PyUnicode_New((Py_ssize_t)facts.code_points, widest[facts.width]);
    if (text == NULL) {
        return NULL;
    }
    switch (facts.width) {
    case PH_WIDTH_ASCII: memcpy(PyUnicode_1BYTE_DATA(text), bytes, length); break;
    case PH_WIDTH_LATIN1:
        ph_utf8_decode_latin1(PyUnicode_1BYTE_DATA(text), facts.code_points, bytes, length);
        break;
    case PH_WIDTH_UCS2:
        ph_utf8_decode_ucs2(PyUnicode_2BYTE_DATA(text), facts.code_points, bytes, length);
        break;
    case PH_WIDTH_UCS4:
        ph_utf8_decode_ucs4(PyUnicode_4BYTE_DATA(text), facts.code_points, bytes, length);
        break;
    }
    return text;
}
