/* Text to MessagePack: ASCII is copied, other widths go straight to UTF-8, errors to the handler. */
#include "cpython_read.h"
#include "encode/msgpack/msgpack_values.h"
#include "encode/wide_text.h"

#include "wire/put.h"

/* Up to this length copying in line beats a call. */
#define INLINE_COPY_MAX 256

static uint8_t *put_header(const ph_encoder *encoder, uint8_t *to, size_t size)
{
    return PH_LIKELY(encoder->options->bin_type) ? ph_put_string_header(to, (uint32_t)size)
                                                 : ph_put_raw_header(to, (uint32_t)size);
}

static size_t header_size(const ph_encoder *encoder, size_t size)
{
    uint8_t header[PH_PUT_ROOM];
    return (size_t)(put_header(encoder, header, size) - header);
}

/* Copies size > 0 bytes. */
PH_INLINE void copy_text(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size > INLINE_COPY_MAX) {
        memcpy(to, from, size);
        return;
    }
    if (size < 32) {
        ph_copy_exact_short(to, from, size);
        return;
    }
    ph_copy_medium(to, from, size);
}

/* UTF-8 that is at hand as bytes. */
static uint8_t *write_utf8(ph_encoder *encoder, uint8_t *to, const uint8_t *utf8, size_t size)
{
    if (PH_UNLIKELY(size > PH_PUT_LENGTH_MAX)) {
        return ph_encoder_too_large(encoder, "unicode string");
    }
    to = ph_output_ensure(&encoder->output, to, PH_PUT_ROOM + size);
    if (PH_UNLIKELY(to == NULL)) {
        return NULL;
    }
    to = put_header(encoder, to, size);
    if (size > 0) {
        copy_text(to, utf8, size);
    }
    return to + size;
}

/* Text that UTF-8 can not hold (surrogates), or MessagePack (4 GiB): raises, or writes what the error handler makes of it.
 * A handler is user code; `strict` is not. */
static PH_COLD uint8_t *write_unencodable(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    PyObject *handler = encoder->options->unicode_errors;
    const char *name = handler == NULL ? NULL : PyBytes_AS_STRING(handler);
    bool strict = name == NULL || strcmp(name, "strict") == 0;
    if (!strict) {
        encoder->user_code_calls++;
    }
    Py_INCREF(text);
    PyObject *utf8 = PyUnicode_AsEncodedString(text, "utf-8", name);
    Py_DECREF(text);
    if (utf8 == NULL) {
        return strict ? ph_encoder_capture(encoder) : NULL;
    }
    to = write_utf8(encoder, to, (const uint8_t *)PyBytes_AS_STRING(utf8),
                    (size_t)PyBytes_GET_SIZE(utf8));
    Py_DECREF(utf8);
    return to;
}

/* Bytes that they will need, in a guess that mostly finds the right header: one letter of five with an
 * accent in Latin-1, Chinese or Japanese in UCS-2, one character beyond it in UCS-4. */
static size_t utf8_guess(int kind, size_t length)
{
    switch (kind) {
    case PyUnicode_1BYTE_KIND: return length + length / 5;
    case PyUnicode_2BYTE_KIND: return length * PH_UTF8_PER_UCS2;
    default: return length + 3;
    }
}

static ph_encoded transcode(uint8_t *to, int kind, const void *units, size_t length)
{
    switch (kind) {
    case PyUnicode_1BYTE_KIND: return ph_utf8_encode_latin1(to, units, length);
    case PyUnicode_2BYTE_KIND: return ph_utf8_encode_ucs2(to, units, length);
    default: return ph_utf8_encode_ucs4(to, units, length);
    }
}

/* Non-ASCII text, transcoded behind the header that it will probably have, and moved when it has
 * another. At `to` are PH_PUT_ROOM, the bound and PH_UTF8_ENCODE_ROOM free. NULL, with no exception
 * set, where a unit is no code point and where the text is too long. */
PH_INLINE uint8_t *put_units(const ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    int kind = (int)PyUnicode_KIND(text);
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    size_t guess = utf8_guess(kind, length);
    uint8_t *body = to + header_size(encoder, guess <= PH_PUT_LENGTH_MAX ? guess : UINT32_MAX);
    ph_encoded encoded = transcode(body, kind, PyUnicode_DATA(text), length);
    size_t size = (size_t)(encoded.end - body);
    if (PH_UNLIKELY(encoded.units != length || size > PH_PUT_LENGTH_MAX)) {
        return NULL;
    }
    uint8_t *place = to + header_size(encoder, size);
    if (PH_UNLIKELY(place != body)) {
        memmove(place, body, size);
    }
    put_header(encoder, to, size);
    return place + size;
}

/* Nothing is left in the user's string. */
static PH_NOINLINE uint8_t *write_wide_text(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    size_t kept_size;
    const uint8_t *kept = ph_encoder_kept_utf8(encoder, text, &kept_size);
    if (kept != NULL) {
        return write_utf8(encoder, to, kept, kept_size);
    }
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    size_t bound = ph_utf8_bound((int)PyUnicode_KIND(text), length);
    to = ph_output_ensure(&encoder->output, to, PH_PUT_ROOM + bound + PH_UTF8_ENCODE_ROOM);
    if (to == NULL) {
        return NULL;
    }
    uint8_t *after = put_units(encoder, to, text);
    return PH_LIKELY(after != NULL) ? after : write_unencodable(encoder, to, text);
}

uint8_t *ph_msgpack_write_short_wide(const ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    return ph_str_is_short_wide(text) ? put_units(encoder, to, text) : NULL;
}

uint8_t *ph_msgpack_write_text(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    if (PH_UNLIKELY(!ph_str_ready(text))) {
        return ph_encoder_capture(encoder);
    }
    if (PH_LIKELY(PyUnicode_IS_ASCII(text))) {
        return write_utf8(encoder, to, PyUnicode_DATA(text), (size_t)PyUnicode_GET_LENGTH(text));
    }
    return write_wide_text(encoder, to, text);
}
