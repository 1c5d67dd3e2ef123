/* Writing JSON into a byte queue: what the generator's files share. */
#ifndef PH_RUBY_JSON_WRITER_H
#define PH_RUBY_JSON_WRITER_H

#include "json_text/json_generate.h"
#include "runtime/object_place.h"
#include "json/print.h"

/* A key that has been written: its text, with what the layout puts around it, is in the output already
 * and is copied when the key comes again at the same depth. The writer is on the machine stack, where
 * the collector sees the key. */
typedef struct ph_json_known_key {
    VALUE key;     /* a frozen String or a Symbol: it can not change */
    size_t offset; /* of the text in the queue */
    uint32_t size;
    uint32_t depth;
} ph_json_known_key;

#define PH_JSON_KNOWN_KEYS 64

typedef struct ph_json_writer {
    ph_byte_queue queue;
    const ph_json_generate_options *options;
    VALUE option_hash;   /* what options were set from, or Qnil */
    VALUE state;         /* what to_json methods are given; Qnil until there is one */
    uint64_t known_keys; /* bit n: known[n] is set. With an io, where text goes away, none is */
    ph_json_known_key known[PH_JSON_KNOWN_KEYS];
} ph_json_writer;

PH_INLINE uint8_t *ph_json_room(ph_json_writer *writer, size_t more)
{
    ph_byte_queue_reserve(&writer->queue, more);
    return writer->queue.bytes.end;
}

PH_INLINE void ph_json_wrote(ph_json_writer *writer, uint8_t *end)
{
    writer->queue.bytes.end = end;
}

/* A String that needs no second look: the class itself, known to be valid UTF-8, and no option asks
 * for more escapes than JSON does. */
PH_INLINE bool ph_json_is_plain(const ph_json_writer *writer, VALUE value)
{
    if (RB_SPECIAL_CONST_P(value) || RBASIC_CLASS(value) != rb_cString ||
        RB_ENCODING_GET_INLINED(value) != ph_index_utf8) {
        return false;
    }
    bool valid =
        ENC_CODERANGE(value) == ENC_CODERANGE_7BIT || ENC_CODERANGE(value) == ENC_CODERANGE_VALID;
    return valid && PH_LIKELY(!writer->options->more_escapes);
}

/* Room for a plain String without escapes, its quotes and `more` bytes. */
PH_INLINE size_t ph_json_plain_room(VALUE string, size_t more)
{
    return (size_t)RSTRING_LEN(string) + 2 + PH_JSON_COPY_ROOM + more;
}

/* The rest of a string that needs escapes, and the quote; `more` bytes are free behind it. */
uint8_t *ph_json_put_rest(ph_json_writer *writer, uint8_t *to, VALUE string, size_t copied,
                          size_t more);

/* Writes a plain String with its quotes at `to`, where ph_json_plain_room bytes are free; afterwards
 * `more` are. */
PH_INLINE uint8_t *ph_json_put_plain(ph_json_writer *writer, uint8_t *to, VALUE string, size_t more)
{
    size_t size = (size_t)RSTRING_LEN(string);
    *to++ = '"';
    size_t copied = ph_json_copy_clean(to, (const uint8_t *)RSTRING_PTR(string), size);
    if (PH_UNLIKELY(copied != size)) {
        return ph_json_put_rest(writer, to + copied, string, copied, more);
    }
    to[size] = '"';
    return to + size + 1;
}

PH_INLINE void ph_json_put(ph_json_writer *writer, char byte)
{
    uint8_t *to = ph_json_room(writer, 1);
    *to = (uint8_t)byte;
    ph_json_wrote(writer, to + 1);
}

/* A String (of any class and encoding) with its quotes. Raises GeneratorError. */
void ph_json_put_string(ph_json_writer *writer, VALUE string, const ph_object_place *place);

/* A Float as the json gem lays it out. Raises GeneratorError for NaN and infinities. */
void ph_json_put_float(ph_json_writer *writer, VALUE number, const ph_object_place *place);

/* Room that ph_json_put_finite needs. */
#define PH_JSON_FLOAT_ROOM 48

/* A finite double; returns the position behind it. */
uint8_t *ph_json_put_finite(uint8_t *to, double number);

/* An object that JSON has no form for: its to_json method, or as_json, or its text. */
void ph_json_put_object(ph_json_writer *writer, VALUE object, const ph_object_place *place);

/* Whether an instance of a subclass of String, Array or Hash has a to_json that is not theirs. */
bool ph_json_has_own_method(VALUE value);

void ph_init_json_objects(void);

/* Any object. */
void ph_json_put_value(ph_json_writer *writer, VALUE value, const ph_object_place *place);

/* The String that is written for a key of a Hash. Calls to_s. */
VALUE ph_json_key_text(VALUE key);

#endif
