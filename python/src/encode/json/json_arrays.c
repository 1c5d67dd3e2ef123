/* One loop over the elements of a buffer; the format of an element is decided once for each row. */
#include "encode/json/json_arrays.h"

#include "encode/json/json_values.h"

#include "text/integer_text.h"

/* Bytes an element and its separator need at most. */
#define ELEMENT_ROOM (PH_FLOAT_TEXT_ROOM + 1)

typedef enum element_kind {
    ELEMENT_UNKNOWN,
    ELEMENT_SIGNED,
    ELEMENT_UNSIGNED,
    ELEMENT_BOOL,
    ELEMENT_FLOAT
} element_kind;

/* By the letter of the struct module; a byte order in front of it means that it is not native. */
static element_kind kind_of(const char *format)
{
    if (format == NULL || format[0] == '\0' || format[1] != '\0') {
        return ELEMENT_UNKNOWN;
    }
    if (strchr("bhilq", format[0]) != NULL) {
        return ELEMENT_SIGNED;
    }
    if (strchr("BHILQ", format[0]) != NULL) {
        return ELEMENT_UNSIGNED;
    }
    if (format[0] == '?') {
        return ELEMENT_BOOL;
    }
    return strchr("efd", format[0]) != NULL ? ELEMENT_FLOAT : ELEMENT_UNKNOWN;
}

static uint8_t *put_null(uint8_t *to)
{
    memcpy(to, "null", 4);
    return to + 4;
}

/* The shortest text for the precision that the element has. */
static uint8_t *put_float(uint8_t *to, const uint8_t *element, Py_ssize_t size,
                          ph_float_style style)
{
    double value;
    float narrow;
    if (size == 8) {
        memcpy(&value, element, sizeof value);
        return ph_double_is_finite(value) ? ph_text_put_double(to, value, style) : put_null(to);
    }
    if (size == 4) {
        memcpy(&narrow, element, sizeof narrow);
    } else {
        narrow = (float)PyFloat_Unpack2((const char *)element, PH_LITTLE_ENDIAN);
    }
    return ph_double_is_finite((double)narrow) ? ph_text_put_float(to, narrow, style)
                                               : put_null(to);
}

static int64_t read_signed(const uint8_t *element, Py_ssize_t size)
{
    int64_t wide;
    int32_t word;
    int16_t half;
    switch (size) {
    case 1: return (int8_t)*element;
    case 2: memcpy(&half, element, 2); return half;
    case 4: memcpy(&word, element, 4); return word;
    default: memcpy(&wide, element, 8); return wide;
    }
}

static uint64_t read_unsigned(const uint8_t *element, Py_ssize_t size)
{
    uint64_t wide;
    uint32_t word;
    uint16_t half;
    switch (size) {
    case 1: return *element;
    case 2: memcpy(&half, element, 2); return half;
    case 4: memcpy(&word, element, 4); return word;
    default: memcpy(&wide, element, 8); return wide;
    }
}

static uint8_t *put_element(const ph_encoder *encoder, uint8_t *to, element_kind kind,
                            const uint8_t *element, Py_ssize_t size)
{
    switch (kind) {
    case ELEMENT_SIGNED: return ph_text_put_i64(to, read_signed(element, size));
    case ELEMENT_UNSIGNED: return ph_text_put_u64(to, read_unsigned(element, size));
    case ELEMENT_FLOAT: return put_float(to, element, size, encoder->options->float_style);
    case ELEMENT_BOOL:
        memcpy(to, *element != 0 ? "true," : "false", 5);
        return to + (*element != 0 ? 4 : 5);
    case ELEMENT_UNKNOWN: break;
    }
    return to;
}

/* The elements from one axis on; *element moves behind those written. */
static uint8_t *write_axis(ph_encoder *encoder, uint8_t *to, const Py_buffer *view,
                           element_kind kind, int axis, const uint8_t **element)
{
    to = ph_output_ensure(&encoder->output, to, ELEMENT_ROOM);
    if (to == NULL) {
        return NULL;
    }
    if (axis == view->ndim) {
        to = put_element(encoder, to, kind, *element, view->itemsize);
        *element += view->itemsize;
        return to;
    }
    Py_ssize_t count = view->shape[axis];
    to = encoder->walk->array_begin(encoder, to, count);
    for (Py_ssize_t at = 0; at < count; at++) {
        to = write_axis(encoder, to, view, kind, axis + 1, element);
        if (to == NULL) {
            return NULL;
        }
        to = encoder->walk->after_element(to);
    }
    return encoder->walk->array_end(encoder, to, count);
}

uint8_t *ph_json_write_elements(ph_encoder *encoder, uint8_t *to, const Py_buffer *view,
                                bool *known)
{
    element_kind kind = kind_of(view->format);
    *known = kind != ELEMENT_UNKNOWN;
    if (!*known) {
        return NULL;
    }
    if (encoder->depth_left < (uint32_t)view->ndim) {
        return ph_encoder_too_deep(encoder);
    }
    const uint8_t *element = view->buf;
    return write_axis(encoder, to, view, kind, 0, &element);
}
