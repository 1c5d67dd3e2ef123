/* Strings that are not ASCII: what both formats ask before they encode them. */
#ifndef PH_PYTHON_ENCODE_WIDE_TEXT_H
#define PH_PYTHON_ENCODE_WIDE_TEXT_H

#include "cpython_read.h"
#include "encode/encoder.h"

#include "text/transcode.h"

/* The most characters of such a string that need no check of the room: see PH_OUTPUT_ROOM. */
#define PH_SHORT_WIDE 40

_Static_assert(2 * (8 + PH_SHORT_WIDE * PH_UTF8_PER_UCS4 + PH_UTF8_ENCODE_ROOM) <= PH_OUTPUT_ROOM,
               "a pair fits into the room");

/* Whether a string that is not ASCII is so short. */
PH_INLINE bool ph_str_is_short_wide(PyObject *text)
{
#if PY_VERSION_HEX < 0x030c0000
    if (!PyUnicode_IS_READY(text)) {
        return false;
    }
#endif
    return PyUnicode_GET_LENGTH(text) <= PH_SHORT_WIDE;
}

/* The UTF-8 form that somebody else left in a string that is not ASCII; NULL where there is none, or
 * where it can not be seen. Copying it takes less time than encoding the string again. */
PH_INLINE const uint8_t *ph_encoder_kept_utf8(const ph_encoder *encoder, PyObject *text,
                                              size_t *size)
{
    Py_ssize_t kept_size = 0;
    const uint8_t *kept =
        PH_LIKELY(encoder->state->fast_path) ? ph_str_kept_utf8(text, &kept_size) : NULL;
    *size = (size_t)kept_size;
    return kept;
}

/* Bytes of UTF-8 that `length` units of this kind can need. */
PH_INLINE size_t ph_utf8_bound(int kind, size_t length)
{
    switch (kind) {
    case PyUnicode_1BYTE_KIND: return length * PH_UTF8_PER_LATIN1;
    case PyUnicode_2BYTE_KIND: return length * PH_UTF8_PER_UCS2;
    default: return length * PH_UTF8_PER_UCS4;
    }
}

#endif
