/* Strings and floats of the generator. */
#include "json_text/json_errors.h"
#include "json_text/json_writer.h"
#include "text/float_text.h"
#include "text/integer_text.h"

#include <math.h>

/* Plain scientific notation from 10^15 on, and below 10^-9: the layout of the json gem. */
#define LARGEST_PLAIN_EXPONENT  14
#define SMALLEST_PLAIN_EXPONENT (-9)

/* Bytes of the longest escape of one byte. */
#define ESCAPE_LONGEST 6
#define MEASURED_FROM  512

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

void ph_json_put_float(ph_json_writer *writer, VALUE number, const ph_object_place *place)
{
    double value = RFLOAT_VALUE(number);
    if (isfinite(value)) {
        uint8_t *to = ph_json_room(writer, PH_JSON_FLOAT_ROOM);
        ph_json_wrote(writer, ph_json_put_finite(to, value));
        return;
    }
    VALUE text = rb_funcall(number, rb_intern("to_s"), 0);
    if (!writer->options->allow_nan) {
        ph_json_raise_generator(rb_sprintf("%" PRIsVALUE " not allowed in JSON", text), number,
                                place);
    }
    ph_byte_queue_append(&writer->queue, RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
}

/* The string in UTF-8, or GeneratorError. */
static VALUE to_utf8(VALUE string, const ph_object_place *place)
{
    int index = rb_enc_get_index(string);
    if (index == ph_index_utf8 || index == ph_index_ascii) {
        if (rb_enc_str_coderange(string) == ENC_CODERANGE_BROKEN) {
            ph_json_raise_generator(rb_str_new_cstr("source sequence is illegal/malformed utf-8"),
                                    string, place);
        }
        return string;
    }
    if (rb_enc_str_coderange(string) == ENC_CODERANGE_7BIT) {
        return string;
    }
    if (index == ph_index_binary) {
        ph_json_raise_generator(
            rb_str_new_cstr("a binary string with bytes beyond ASCII has no form in JSON"), string,
            place);
    }
    return ph_transcode_at(string, ph_encoding_utf8, place);
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
    uint8_t *to =
        ph_json_room(writer, ESCAPE_LONGEST * (size_t)RSTRING_LEN(string) + 2 + PH_JSON_COPY_ROOM);
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

uint8_t *ph_json_put_rest(ph_json_writer *writer, uint8_t *to, VALUE string, size_t copied,
                          size_t more)
{
    const uint8_t *text = (const uint8_t *)RSTRING_PTR(string) + copied;
    size_t size = (size_t)RSTRING_LEN(string) - copied;
    ph_json_wrote(writer, to);
    /* Measuring takes as long as writing: only where the upper bound would be much. */
    size_t room = size <= MEASURED_FROM ? ESCAPE_LONGEST * size + PH_JSON_COPY_ROOM
                                        : ph_json_escaped_room(text, size);
    to = ph_json_room(writer, room + 1 + more);
    to = ph_json_put_escaped(to, text, size);
    *to = '"';
    RB_GC_GUARD(string);
    return to + 1;
}

void ph_json_put_string(ph_json_writer *writer, VALUE string, const ph_object_place *place)
{
    if (PH_UNLIKELY(!ph_json_is_plain(writer, string))) {
        string = to_utf8(string, place);
        if (writer->options->more_escapes) {
            put_with_more_escapes(writer, string);
            return;
        }
    }
    uint8_t *to = ph_json_room(writer, ph_json_plain_room(string, 0));
    ph_json_wrote(writer, ph_json_put_plain(writer, to, string, 0));
    RB_GC_GUARD(string);
}
