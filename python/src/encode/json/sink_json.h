/* The JSON sink of the walk: what encode/walk.h writes, as JSON. */
#ifndef PH_PYTHON_ENCODE_JSON_SINK_JSON_H
#define PH_PYTHON_ENCODE_JSON_SINK_JSON_H

#include "cpython_read.h"
#include "encode/json/json_values.h"
#include "encode/sorted.h"
#include "encode/wide_text.h"

#include "text/float_text.h"
#include "text/integer_text.h"
#include "json/print.h"

/* Bytes that a float of many needs with the separator behind it; and the lists whose floats are taken
 * many at a time. */
#define SINK_DOUBLE_ROOM  PH_FLOAT_TEXT_EACH
#define SINK_DOUBLES_FROM 4
#define SINK_DOUBLES_MAX  64
_Static_assert(PH_FLOAT_TEXT_ROOM < PH_OUTPUT_ROOM, "the overshoot of floats fits into the room");

/* The longest text that needs no check of its own: a key and a value of that length, with quotes,
 * separators and the overshoot of their copies, fit into PH_OUTPUT_ROOM. */
#define SINK_SHORT_TEXT 192
_Static_assert(2 * (3 + SINK_SHORT_TEXT + 32 + PH_JSON_COPY_ROOM) <= PH_OUTPUT_ROOM,
               "a pair fits into the room");

PH_INLINE uint8_t *sink_nil(uint8_t *to)
{
    memcpy(to, "null", 4);
    return to + 4;
}

PH_INLINE uint8_t *sink_bool(uint8_t *to, bool value)
{
    memcpy(to, value ? "true" : "fals", 4);
    to[4] = 'e';
    return to + (value ? 4 : 5);
}

PH_INLINE bool sink_takes_integer(const ph_encoder *encoder, int64_t value)
{
    return PH_LIKELY(!encoder->options->strict_integer) || ph_json_is_strict_integer(value);
}

PH_INLINE uint8_t *sink_integer(uint8_t *to, int64_t value)
{
    return ph_text_put_i64(to, value);
}

/* Within the range of any options. */
PH_INLINE uint8_t *sink_digit(uint8_t *to, uint32_t magnitude, bool negative)
{
    *to = '-';
    return ph_text_put_u64(to + negative, magnitude);
}

/* No less than 2^60 in magnitude, from -2^63 to 2^64 - 1; NULL when the options refuse it. */
PH_INLINE uint8_t *sink_large_integer(const ph_encoder *encoder, uint8_t *to, uint64_t magnitude,
                                      bool negative)
{
    if (PH_UNLIKELY(encoder->options->strict_integer)) {
        return NULL;
    }
    *to = '-';
    return ph_text_put_large(to + negative, magnitude);
}

PH_INLINE bool sink_takes_double(const ph_encoder *Py_UNUSED(encoder))
{
    return true;
}

/* JSON has no infinities and no NaN. */
PH_INLINE uint8_t *sink_double(const ph_encoder *encoder, uint8_t *to, double value)
{
    return PH_LIKELY(ph_double_is_finite(value))
               ? ph_text_put_double(to, value, encoder->options->float_style)
               : sink_nil(to);
}

/* Floats from `items` on, at most `count`, for which there is room, with what separates elements.
 * Returns how many were written, 0 to let them be written one by one. Out of line, so that the row
 * takes no stack in every level of nesting. */
static PH_NOINLINE Py_ssize_t sink_doubles(const ph_encoder *encoder, uint8_t **to,
                                           PyObject *const *items, Py_ssize_t count)
{
    double values[SINK_DOUBLES_MAX];
    Py_ssize_t done = 0;
    for (; done < count && Py_IS_TYPE(items[done], &PyFloat_Type); done++) {
        values[done] = PyFloat_AS_DOUBLE(items[done]);
        if (PH_UNLIKELY(!ph_double_is_finite(values[done]))) {
            break;
        }
    }
    if (done == 0) {
        return 0;
    }
    uint8_t *at = ph_text_put_doubles(*to, values, (size_t)done, encoder->options->float_style);
    *at = ',';
    *to = at + 1;
    return done;
}

/* A list of two floats, for which there is room; NULL when it has to be written the long way. */
PH_INLINE uint8_t *sink_pair(const ph_encoder *encoder, uint8_t *to, double first, double second)
{
    if (PH_UNLIKELY(!ph_double_is_finite(first)) || PH_UNLIKELY(!ph_double_is_finite(second))) {
        return NULL;
    }
    *to = '[';
    to = ph_text_put_pair(to + 1, first, second, encoder->options->float_style);
    if (PH_LIKELY(to != NULL)) {
        *to++ = ']';
    }
    return to;
}

#if PH_FAST_PATH && !defined(PH_SANITIZED) && PH_BLOCK_BYTES == 16 && PH_BLOCK_MASK_BITS == 1
/* What ph_block_specials compares with, for a loop that leaves no registers for it: read from memory, where
 * compilers would make each constant anew in three instructions. */
PH_INLINE const __m128i *sink_block_constants(void)
{
    static const _Alignas(16) uint32_t words[12] = {0x02020202, 0x02020202, 0x02020202, 0x02020202,
                                                    0x20202020, 0x20202020, 0x20202020, 0x20202020,
                                                    0x5C5C5C5C, 0x5C5C5C5C, 0x5C5C5C5C, 0x5C5C5C5C};
    const void *constants = words;
    __asm__("" : "+r"(constants));
    return constants;
}

/* ph_block_specials with these. */
PH_INLINE uint32_t sink_specials_16(ph_block block, const __m128i *constants)
{
    __m128i moved = _mm_xor_si128(block, _mm_load_si128(constants));
    __m128i below = _mm_cmpeq_epi8(_mm_min_epu8(moved, _mm_load_si128(constants + 1)), moved);
    __m128i backslashes = _mm_cmpeq_epi8(block, _mm_load_si128(constants + 2));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(below, backslashes));
}

/* Copies up to 32 bytes by copying 32, and tests those that count; the caller has seen to it that
 * 32 bytes can be read. */
PH_INLINE bool sink_copy_clean_32(uint8_t *to, const uint8_t *from, size_t length)
{
    ph_block first = ph_block_load(from);
    ph_block second = ph_block_load(from + 16);
    ph_block_store(to, first);
    ph_block_store(to + 16, second);
    const __m128i *constants = sink_block_constants();
    uint64_t specials =
        sink_specials_16(first, constants) | (uint64_t)sink_specials_16(second, constants) << 16;
    return (uint32_t)(specials << (32 - length)) == 0;
}

/* The same for 48: 16 characters of three bytes. */
PH_INLINE bool sink_copy_clean_48(uint8_t *to, const uint8_t *from, size_t length)
{
    ph_block blocks[3];
    uint64_t specials = 0;
    for (unsigned i = 0; i < 3; i++) {
        blocks[i] = ph_block_load(from + 16 * i);
        ph_block_store(to + 16 * i, blocks[i]);
        specials |= (uint64_t)ph_block_specials(blocks[i]) << 16 * i;
    }
    return (specials & (((uint64_t)1 << length) - 1)) == 0;
}

PH_INLINE bool sink_reads_48(const uint8_t *from)
{
    return ((uintptr_t)from & (PH_PAGE_BYTES - 1)) <= PH_PAGE_BYTES - 48;
}

# define SINK_COPIES_BLINDLY 1
#else
# define SINK_COPIES_BLINDLY 0
#endif

/* Copies more than 32 bytes, the last block overlapping the one before it, and tests them all at
 * once: text with escapes is rare and goes another way from its beginning. */
PH_INLINE bool sink_copy_clean_blocks(uint8_t *to, const uint8_t *from, size_t length)
{
    ph_block_mask specials = 0;
    size_t last = length - PH_BLOCK_BYTES;
    for (size_t at = 0; at < last; at += 2 * (size_t)PH_BLOCK_BYTES) {
        size_t next = at + PH_BLOCK_BYTES < last ? at + PH_BLOCK_BYTES : last;
        ph_block first = ph_block_load(from + at);
        ph_block second = ph_block_load(from + next);
        ph_block_store(to + at, first);
        ph_block_store(to + next, second);
        specials |= ph_block_specials(first) | ph_block_specials(second);
    }
    ph_block end = ph_block_load(from + last);
    ph_block_store(to + last, end);
    return (specials | ph_block_specials(end)) == 0;
}

/* Copies up to SINK_SHORT_TEXT bytes; false when something has to be escaped. */
PH_INLINE bool sink_copy_clean(uint8_t *to, const uint8_t *from, size_t length)
{
#if SINK_COPIES_BLINDLY
    if (length <= 32 && PH_LIKELY(ph_reads_32(from))) {
        return sink_copy_clean_32(to, from, length);
    }
#endif
    return length > 32 ? sink_copy_clean_blocks(to, from, length)
                       : ph_json_copy_clean(to, from, length) == length;
}

/* The same for the UTF-8 that a string keeps. Lengths of texts in UCS-2 lie on both sides of 32: one
 * step for all of them has no branch to mispredict. */
PH_INLINE bool sink_copy_kept(uint8_t *to, PyObject *text, const uint8_t *kept, size_t length)
{
#if SINK_COPIES_BLINDLY
    if (PyUnicode_KIND(text) == PyUnicode_2BYTE_KIND && length <= 48 && sink_reads_48(kept)) {
        return sink_copy_clean_48(to, kept, length);
    }
#else
    (void)text;
#endif
    return length <= SINK_SHORT_TEXT && sink_copy_clean(to, kept, length);
}

/* Text without escapes that fits into the room that is always there; NULL for any other. */
PH_INLINE uint8_t *sink_short_text(const ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    size_t length = (size_t)PyUnicode_GET_LENGTH(text);
    if (PH_UNLIKELY(!ph_str_is_ascii(text))) {
        const uint8_t *kept = ph_encoder_kept_utf8(encoder, text, &length);
        if (kept == NULL) {
            return ph_json_write_short_wide(to, text);
        }
        if (!sink_copy_kept(to + 1, text, kept, length)) {
            return NULL;
        }
    } else if (PH_UNLIKELY(length > SINK_SHORT_TEXT) ||
               PH_UNLIKELY(!sink_copy_clean(to + 1, ph_str_ascii(text), length))) {
        return NULL;
    }
    *to = '"';
    to[1 + length] = '"';
    return to + length + 2;
}

/* The same for a key. Most have up to 16 characters, and those that have more come again in the same
 * order: a branch that is predicted takes less than a second block. */
PH_INLINE uint8_t *sink_short_key(const ph_encoder *encoder, uint8_t *to, PyObject *key)
{
#if SINK_COPIES_BLINDLY
    size_t length = (size_t)PyUnicode_GET_LENGTH(key);
    const uint8_t *from = ph_str_ascii(key);
    if (length <= 16 && PH_LIKELY(ph_str_is_ascii(key)) && PH_LIKELY(ph_reads_32(from))) {
        ph_block block = ph_block_load(from);
        ph_block_store(to + 1, block);
        if (PH_LIKELY((uint16_t)(sink_specials_16(block, sink_block_constants())
                                 << (16 - length)) == 0)) {
            *to = '"';
            to[1 + length] = '"';
            return to + length + 2;
        }
    }
#endif
    return sink_short_text(encoder, to, key);
}

/* Bytes are no JSON: what stands for them is written by sink_other. */
PH_INLINE uint8_t *sink_short_bytes(const ph_encoder *Py_UNUSED(encoder), uint8_t *Py_UNUSED(to),
                                    PyObject *Py_UNUSED(bytes))
{
    return NULL;
}

PH_INLINE uint8_t *sink_text(ph_encoder *encoder, uint8_t *to, PyObject *text)
{
    return ph_json_write_text(encoder, to, text);
}

PH_INLINE uint8_t *sink_key(ph_encoder *encoder, uint8_t *to, PyObject *key)
{
    return ph_json_write_key(encoder, to, key);
}

PH_INLINE bool sink_takes_tuple(const ph_encoder *Py_UNUSED(encoder))
{
    return true;
}

PH_INLINE uint8_t *sink_other(ph_encoder *encoder, uint8_t *to, PyObject *value)
{
    return ph_json_write_other(encoder, to, value);
}

PH_INLINE uint8_t *sink_array_begin(ph_encoder *Py_UNUSED(encoder), uint8_t *to,
                                    Py_ssize_t Py_UNUSED(count))
{
    *to = '[';
    return to + 1;
}

PH_INLINE uint8_t *sink_map_begin(ph_encoder *Py_UNUSED(encoder), uint8_t *to,
                                  Py_ssize_t Py_UNUSED(count))
{
    *to = '{';
    return to + 1;
}

PH_INLINE uint8_t *sink_empty_array(uint8_t *to)
{
    memcpy(to, "[]", 2);
    return to + 2;
}

PH_INLINE uint8_t *sink_empty_map(uint8_t *to)
{
    memcpy(to, "{}", 2);
    return to + 2;
}

PH_INLINE uint8_t *sink_after_key(uint8_t *to)
{
    *to = ':';
    return to + 1;
}

/* Behind the last element as well: the end of the container takes its place. */
PH_INLINE uint8_t *sink_after_element(uint8_t *to)
{
    *to = ',';
    return to + 1;
}

/* The ends make room again: many of them may follow each other. */
PH_INLINE uint8_t *sink_end(ph_encoder *encoder, uint8_t *to, Py_ssize_t count, uint8_t end)
{
    to += count == 0;
    to[-1] = end;
    return ph_output_ensure(&encoder->output, to, 0);
}

PH_INLINE uint8_t *sink_array_end(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return sink_end(encoder, to, count, ']');
}

PH_INLINE uint8_t *sink_map_end(ph_encoder *encoder, uint8_t *to, Py_ssize_t count)
{
    return sink_end(encoder, to, count, '}');
}

/* What lies between the quotes; keys are always text. The colon is behind them. */
static inline const char *sink_text_of_key(PyObject *written, Py_ssize_t *size)
{
    *size = PyBytes_GET_SIZE(written) - 3;
    return PyBytes_AS_STRING(written) + 1;
}

#endif
