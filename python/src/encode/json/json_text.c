/* Text, bytes and numbers of any size as JSON. */
#include "cpython_read.h"
#include "encode/json/json_values.h"
#include "encode/wide_text.h"
#include "values/classes.h"

#include "text/base64.h"
#include "json/print.h"

/* Up to this length room is made as if everything had to be escaped. */
#define BOUNDED_TEXT 2048

/* From this length on a call that copies with the widest vectors is faster than a copy in line. */
#define LONG_TEXT 128

/* The rest of a text, from a special character on, and the quote behind it. */
static PH_NOINLINE uint8_t *write_escaped(ph_encoder *encoder, uint8_t *to, const uint8_t *utf8,
                                          size_t size)
{
    size_t room = size <= BOUNDED_TEXT ? size * PH_JSON_PER_BYTE + PH_JSON_COPY_ROOM
                                       : ph_json_escaped_room(utf8, size);
    to = ph_output_ensure(&encoder->output, to, room + 1);
    if (to == NULL) {
        return NULL;
    }
    to = ph_json_put_escaped(to, utf8, size);
    *to = '"';
    return to + 1;
}

/* UTF-8 or ASCII that is at hand as bytes: copied until something must be escaped. */
static uint8_t *write_utf8(ph_encoder *encoder, uint8_t *to, const uint8_t *utf8, size_t size)
{
    to = ph_output_ensure(&encoder->output, to, size + 2 + PH_JSON_COPY_ROOM);
    if (PH_UNLIKELY(to == NULL)) {
        return NULL;
    }
    *to++ = '"';
    size_t clean = size >= LONG_TEXT ? ph_json_copy_clean_long(to, utf8, size)
                                     : ph_json_copy_clean(to, utf8, size);
    to += clean;
    if (PH_UNLIKELY(clean != size)) {
        return write_escaped(encoder, to, utf8 + clean, size - clean);
    }
    *to = '"';
    return to + 1;
}

static ph_encoded encode_clean(uint8_t *to, int kind, const void *units, size_t length)
{
    switch (kind) {
    case PyUnicode_1BYTE_KIND: return ph_json_encode_clean_latin1(to, units, length);
    case PyUnicode_2BYTE_KIND: return ph_json_encode_clean_ucs2(to, units, length);
    default: return ph_json_encode_clean_ucs4(to, units, length);
    }
}

/* What is left of a string behind its clean beginning; NULL with an exception set, or with none where
 * a unit is no code point. */
static PH_NOINLINE uint8_t *put_rest(ph_encoder *encoder, uint8_t *to, int kind, const void *units,
                                     size_t length)
{
    size_t room = kind == PyUnicode_1BYTE_KIND   ? ph_json_latin1_room(units, length)
                  : kind == PyUnicode_2BYTE_KIND ? ph_json_ucs2_room(units, length)
                                                 : ph_json_ucs4_room(units, length);
    if (room > PY_SSIZE_T_MAX / 2) {
        PyErr_NoMemory();
        return NULL;
    }
    to = ph_output_ensure(&encoder->output, to, room + 1);
    if (to == NULL) {
        return NULL;
    }
    switch (kind) {
    case PyUnicode_1BYTE_KIND: return ph_json_put_latin1(to, units, length);
    case PyUnicode_2BYTE_KIND: return ph_json_put_ucs2(to, units, length);
    default: return ph_json_put_ucs4(to, units, length);
    }
}

/* UTF-8 can not hold surrogates. */
static PH_COLD uint8_t *unencodable(ph_encoder *encoder, PyObject *text)
{
    if (encoder->options->like_orjson) {
        PyErr_SetString(PyExc_TypeError, "str is not valid UTF-8: surrogates not allowed");
    } else {
        PyObject *utf8 = PyUnicode_AsUTF8String(text); /* for its exception */
        Py_XDECREF(utf8);
    }
    return ph_encoder_capture(encoder);
}

/* Non-ASCII text, straight from its units. Nothing is left in the user's string. */
static uint8_t *write_wide_text(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    size_t kept_size;
    const uint8_t *kept = ph_encoder_kept_utf8(encoder, text, &kept_size);
    if (kept != NULL) {
        return write_utf8(encoder, to, kept, kept_size);
    }
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    int kind = (int)PyUnicode_KIND(text);
    const void *units = PyUnicode_DATA(text);
    to = ph_output_ensure(&encoder->output, to,
                          ph_utf8_bound(kind, length) + PH_UTF8_ENCODE_ROOM + 2);
    if (PH_UNLIKELY(to == NULL)) {
        return NULL;
    }
    *to++ = '"';
    ph_encoded clean = encode_clean(to, kind, units, length);
    to = clean.end;
    if (PH_UNLIKELY(clean.units != length)) {
        const uint8_t *rest = (const uint8_t *)units + clean.units * (size_t)kind;
        to = put_rest(encoder, to, kind, rest, length - clean.units);
        if (to == NULL) {
            return PyErr_Occurred() ? NULL : unencodable(encoder, text);
        }
    }
    *to++ = '"';
    return to;
}

uint8_t *ph_json_write_short_wide(uint8_t *to, PyObject *text)
{
    if (!ph_str_is_short_wide(text)) {
        return NULL;
    }
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    *to = '"';
    ph_encoded clean =
        encode_clean(to + 1, (int)PyUnicode_KIND(text), PyUnicode_DATA(text), length);
    if (PH_UNLIKELY(clean.units != length)) {
        return NULL;
    }
    *clean.end = '"';
    return clean.end + 1;
}

uint8_t *ph_json_write_text(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    if (PH_UNLIKELY(!ph_str_ready(text))) {
        return ph_encoder_capture(encoder);
    }
    if (PH_LIKELY(PyUnicode_IS_ASCII(text))) {
        return write_utf8(encoder, to, PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text));
    }
    return write_wide_text(encoder, to, text);
}

uint8_t *ph_json_write_ascii(ph_encoder *encoder, uint8_t *to, const void *text, size_t size)
{
    to = ph_output_ensure(&encoder->output, to, size + 2);
    if (to == NULL) {
        return NULL;
    }
    *to = '"';
    memcpy(to + 1, text, size);
    to[1 + size] = '"';
    return to + size + 2;
}

uint8_t *ph_json_write_base64(ph_encoder *encoder, uint8_t *to, const void *bytes, size_t size)
{
    size_t encoded = ph_base64_encoded_size(size);
    if (encoded > PY_SSIZE_T_MAX / 2) {
        PyErr_NoMemory();
        return NULL;
    }
    to = ph_output_ensure(&encoder->output, to, encoded + 2);
    if (to == NULL) {
        return NULL;
    }
    *to++ = '"';
    to = size == 0 ? to : ph_base64_encode(to, bytes, size);
    *to++ = '"';
    return to;
}

/* The ASCII text that str() gives, as it is or in quotes. Takes over `text`. */
static uint8_t *write_number_text(ph_encoder *encoder, uint8_t *to, PyObject *text, bool quoted)
{
    if (text == NULL) {
        return NULL;
    }
    if (!PyUnicode_IS_ASCII(text)) {
        to = quoted ? ph_json_write_text(encoder, to, text) : ph_json_unsupported(encoder, text);
    } else {
        const void *ascii = PyUnicode_DATA(text);
        size_t size = (size_t)PyUnicode_GET_LENGTH(text);
        to = quoted ? ph_json_write_ascii(encoder, to, ascii, size)
                    : ph_output_append(&encoder->output, to, ascii, size);
    }
    Py_DECREF(text);
    return to;
}

uint8_t *ph_json_write_integer(ph_encoder *encoder, uint8_t *to, PyObject *number)
{
    int64_t value;
    ph_int_range range = ph_int_read(number, encoder->state->fast_path, &value)
                             ? PH_INT_SIGNED
                             : ph_int_read_wide(number, &value);
    const ph_encode_options *options = encoder->options;
    if (options->strict_integer && (range != PH_INT_SIGNED || !ph_json_is_strict_integer(value))) {
        PyErr_SetString(PyExc_TypeError, "Integer exceeds 53-bit range");
        return ph_encoder_capture(encoder);
    }
    if (range == PH_INT_SIGNED) {
        return ph_text_put_i64(to, value);
    }
    if (range == PH_INT_UNSIGNED) {
        return ph_text_put_u64(to, (uint64_t)value);
    }
    if (options->like_orjson) {
        PyErr_SetString(PyExc_TypeError, "Integer exceeds 64-bit range");
        return ph_encoder_capture(encoder);
    }
    to = write_number_text(encoder, to, PyNumber_ToBase(number, 10), false);
    return to == NULL && encoder->trace.exception == NULL ? ph_encoder_capture(encoder) : to;
}

/* A bare number must be one for JSON as well. */
static bool is_number(PyObject *text)
{
    Py_UCS4 first = PyUnicode_GET_LENGTH(text) > 0 ? PyUnicode_READ_CHAR(text, 0) : 0;
    if (first == '-') {
        first = PyUnicode_GET_LENGTH(text) > 1 ? PyUnicode_READ_CHAR(text, 1) : 0;
    }
    return first >= '0' && first <= '9';
}

/* What decimal_hook makes of a Decimal, in which there must not be one again. */
static uint8_t *write_of_decimal_hook(ph_encoder *encoder, uint8_t *to, PyObject *decimal,
                                      bool as_key)
{
    const ph_encode_options *options = encoder->options;
    PyObject *result = PyObject_CallOneArg(options->decimal_hook, decimal);
    if (result == NULL) {
        return NULL;
    }
    ph_encode_options within = *options; /* borrows its references */
    within.decimal_form = PH_DECIMAL_REFUSED;
    encoder->options = &within;
    to = (as_key ? ph_json_write_key : encoder->walk->value)(encoder, to, result);
    encoder->options = options;
    Py_DECREF(result);
    return to;
}

uint8_t *ph_json_write_decimal(ph_encoder *encoder, uint8_t *to, PyObject *decimal, bool as_key)
{
    const ph_encode_options *options = encoder->options;
    if (!ph_encoder_call_user_code(encoder)) {
        return NULL;
    }
    if (options->decimal_form == PH_DECIMAL_HOOK) {
        return write_of_decimal_hook(encoder, to, decimal, as_key);
    }
    if (options->decimal_form == PH_DECIMAL_REFUSED) {
        PyErr_SetString(PyExc_TypeError, "callable returned a value containing a Decimal");
        return ph_encoder_capture(encoder);
    }
    bool as_number = options->decimal_form == PH_DECIMAL_NUMBER && !as_key;
    PyObject *text = PyObject_Str(decimal);
    if (text != NULL && as_number && !is_number(text)) {
        PyErr_Format(PyExc_ValueError, "non-finite Decimal %U can not be a JSON number", text);
        Py_DECREF(text);
        return ph_encoder_capture(encoder);
    }
    return write_number_text(encoder, to, text, !as_number);
}

/* What a Fragment holds, as bytes that are UTF-8: a new reference, NULL with an exception set. */
static PyObject *fragment_utf8(PyObject *contents)
{
    if (PyUnicode_CheckExact(contents)) {
        PyObject *utf8 = PyUnicode_AsUTF8String(contents);
        if (utf8 == NULL) {
            PyErr_SetString(PyExc_TypeError, "str is not valid UTF-8: surrogates not allowed");
        }
        return utf8;
    }
    if (!PyBytes_CheckExact(contents)) {
        PyErr_SetString(PyExc_TypeError, "Fragment's contents must be bytes or str");
        return NULL;
    }
    size_t size = (size_t)PyBytes_GET_SIZE(contents);
    if (ph_utf8_valid_bytes((const uint8_t *)PyBytes_AS_STRING(contents), size) != size) {
        PyErr_SetString(PyExc_TypeError, "Fragment's contents are not valid UTF-8");
        return NULL;
    }
    return Py_NewRef(contents);
}

uint8_t *ph_json_write_fragment(ph_encoder *encoder, uint8_t *to, PyObject *fragment)
{
    encoder->user_code_calls++;
    PyObject *contents = PyObject_GetAttr(fragment, encoder->state->encode->name_contents);
    if (contents == NULL) {
        return NULL;
    }
    PyObject *utf8 = fragment_utf8(contents);
    Py_DECREF(contents);
    if (utf8 == NULL) {
        return ph_encoder_capture(encoder);
    }
    to = ph_output_append(&encoder->output, to, PyBytes_AS_STRING(utf8),
                          (size_t)PyBytes_GET_SIZE(utf8));
    Py_DECREF(utf8);
    return to;
}
