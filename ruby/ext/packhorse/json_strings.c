/* Strings and floats of the generator. */
#include "json_errors.h"
#include "json_writer.h"
#include "json/print.h"
#include "text/float_text.h"
#include "text/integer_text.h"

#include <math.h>

/* Plain scientific notation from 10^15 on, and below 10^-9: the layout of the json gem. */
#define LARGEST_PLAIN_EXPONENT 14
#define SMALLEST_PLAIN_EXPONENT (-9)

static uint8_t *put_zeros(uint8_t *to, int count)
{
    while (count-- > 0) {
        *to++ = '0';
    }
    return to;
}

uint8_t *ph_json_put_finite(uint8_t *to, double number)
{
    if (signbit(number)) {
        *to++ = '-';
    }
    ph_decimal decimal = ph_double_shortest(number);
    while (decimal.digits != 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    uint8_t digits[PH_INTEGER_TEXT_ROOM];
    int count = (int)(ph_text_put_u64(digits, decimal.digits) - digits);
    int exponent = decimal.exponent + count - 1; /* of the first digit */
    if (decimal.exponent >= 0 && exponent <= LARGEST_PLAIN_EXPONENT) {
        memcpy(to, digits, (size_t)count);
        to = put_zeros(to + count, decimal.exponent);
        *to++ = '.';
        *to++ = '0';
        return to;
    }
    if (decimal.exponent < 0 && exponent >= SMALLEST_PLAIN_EXPONENT) {
        int whole = exponent + 1; /* digits before the point */
        if (whole <= 0) {
            *to++ = '0';
            *to++ = '.';
            to = put_zeros(to, -whole);
            memcpy(to, digits, (size_t)count);
            return to + count;
        }
        memcpy(to, digits, (size_t)whole);
        to[whole] = '.';
        memcpy(to + whole + 1, digits + whole, (size_t)(count - whole));
        return to + count + 1;
    }
    *to++ = digits[0];
    if (count > 1) {
        *to++ = '.';
        memcpy(to, digits + 1, (size_t)(count - 1));
        to += count - 1;
    }
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    return ph_text_put_u64(to, (uint64_t)(exponent < 0 ? -exponent : exponent));
}

void ph_json_put_float(ph_json_writer *writer, VALUE number)
{
    double value = RFLOAT_VALUE(number);
    if (isfinite(value)) {
        uint8_t *to = ph_json_room(writer, PH_JSON_FLOAT_ROOM);
        ph_json_wrote(writer, ph_json_put_finite(to, value));
        return;
    }
    VALUE text = rb_funcall(number, rb_intern("to_s"), 0);
    if (!writer->options->allow_nan) {
        ph_json_raise_generator(rb_sprintf("%" PRIsVALUE " not allowed in JSON", text), number);
    }
    ph_byte_queue_append(&writer->queue, RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
}

/* The string in UTF-8, or GeneratorError. */
static VALUE to_utf8(VALUE string)
{
    int index = rb_enc_get_index(string);
    if (index == ph_index_utf8 || index == ph_index_ascii) {
        if (rb_enc_str_coderange(string) == ENC_CODERANGE_BROKEN) {
            ph_json_raise_generator(
                rb_str_new_cstr("source sequence is illegal/malformed utf-8"), string);
        }
        return string;
    }
    if (rb_enc_str_coderange(string) == ENC_CODERANGE_7BIT) {
        return string;
    }
    if (index == ph_index_binary) {
        ph_json_raise_generator(
            rb_str_new_cstr("a binary string with bytes beyond ASCII has no form in JSON"), string);
    }
    return rb_str_encode(string, rb_enc_from_encoding(ph_encoding_utf8), 0, Qnil);
}

static uint8_t *put_unicode_escape(uint8_t *to, unsigned unit)
{
    static const char hexadecimal[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
        *to++ = (uint8_t)hexadecimal[unit >> shift & 15];
    }
    return to;
}

/* Escapes beyond those that JSON asks for: everything but ASCII, or what ends a script element. */
static void put_with_more_escapes(ph_json_writer *writer, VALUE string)
{
    const ph_json_generate_options *options = writer->options;
    const char *at = RSTRING_PTR(string);
    const char *end = at + RSTRING_LEN(string);
    /* Six bytes for each byte at most: a control character, or half of a surrogate pair for two. */
    uint8_t *to = ph_json_room(writer, 6 * (size_t)RSTRING_LEN(string) + 2 + PH_JSON_COPY_ROOM);
    *to++ = '"';
    while (at < end) {
        int length;
        unsigned point = rb_enc_codepoint_len(at, end, &length, ph_encoding_utf8);
        if (options->script_safe && (point == '/' || point == 0x2028 || point == 0x2029)) {
            if (point == '/') {
                *to++ = '\\';
                *to++ = '/';
            } else {
                to = put_unicode_escape(to, point);
            }
        } else if (point >= 0x80 && options->ascii_only) {
            if (point >= 0x10000) {
                to = put_unicode_escape(to, 0xD800 + ((point - 0x10000) >> 10));
                point = 0xDC00 + ((point - 0x10000) & 0x3FF);
            }
            to = put_unicode_escape(to, point);
        } else {
            to = ph_json_put_escaped(to, (const uint8_t *)at, (size_t)length);
        }
        at += length;
    }
    *to++ = '"';
    ph_json_wrote(writer, to);
    RB_GC_GUARD(string);
}

void ph_json_put_string(ph_json_writer *writer, VALUE string)
{
    int coderange = ENC_CODERANGE(string);
    bool clean = RB_ENCODING_GET_INLINED(string) == ph_index_utf8 &&
                 (coderange == ENC_CODERANGE_7BIT || coderange == ENC_CODERANGE_VALID);
    if (PH_UNLIKELY(!clean)) {
        string = to_utf8(string);
    }
    if (PH_UNLIKELY(writer->options->ascii_only || writer->options->script_safe)) {
        put_with_more_escapes(writer, string);
        return;
    }
    size_t size = (size_t)RSTRING_LEN(string);
    const uint8_t *text = (const uint8_t *)RSTRING_PTR(string);
    uint8_t *to = ph_json_room(writer, size + 2 + PH_JSON_COPY_ROOM);
    text = (const uint8_t *)RSTRING_PTR(string);
    *to++ = '"';
    size_t copied = ph_json_copy_clean(to, text, size);
    if (PH_UNLIKELY(copied != size)) {
        ph_json_wrote(writer, to + copied);
        size_t room = ph_json_escaped_room(text + copied, size - copied);
        to = ph_json_room(writer, room + 1);
        to = ph_json_put_escaped(to, text + copied, size - copied);
    } else {
        to += size;
    }
    *to++ = '"';
    ph_json_wrote(writer, to);
    RB_GC_GUARD(string);
}
