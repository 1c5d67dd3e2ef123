/* Writing JSON into a byte queue: what the generator's files share. */
#ifndef PH_RUBY_JSON_WRITER_H
#define PH_RUBY_JSON_WRITER_H

#include "json_generate.h"

typedef struct ph_json_writer {
    ph_byte_queue queue;
    const ph_json_generate_options *options;
    VALUE option_hash; /* what options were set from, or Qnil */
    VALUE state;       /* what to_json methods are given; Qnil until there is one */
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

PH_INLINE void ph_json_put(ph_json_writer *writer, char byte)
{
    uint8_t *to = ph_json_room(writer, 1);
    *to = (uint8_t)byte;
    ph_json_wrote(writer, to + 1);
}

/* A String (of any class and encoding) with its quotes. Raises GeneratorError. */
void ph_json_put_string(ph_json_writer *writer, VALUE string);

/* A Float as the json gem lays it out. Raises GeneratorError for NaN and infinities. */
void ph_json_put_float(ph_json_writer *writer, VALUE number);

/* Room that ph_json_put_finite needs. */
#define PH_JSON_FLOAT_ROOM 48

/* A finite double; returns the position behind it. */
uint8_t *ph_json_put_finite(uint8_t *to, double number);

/* An object that JSON has no form for: its to_json method, or as_json, or its text. */
void ph_json_put_object(ph_json_writer *writer, VALUE object, uint32_t depth);

/* Whether an instance of a subclass of String, Array or Hash has a to_json that is not theirs. */
bool ph_json_has_own_method(VALUE value);

void ph_init_json_objects(void);

/* Any object, `depth` containers deep. */
void ph_json_put_value(ph_json_writer *writer, VALUE value, uint32_t depth);

/* The String that is written for a key of a Hash. Calls to_s. */
VALUE ph_json_key_text(VALUE key);

#endif
