/* Ruby objects to MessagePack, straight into a byte queue. */
#ifndef PH_RUBY_ENCODE_H
#define PH_RUBY_ENCODE_H

#include "runtime/byte_queue.h"
#include "runtime/object_place.h"
#include "wire/put.h"

/* An encoder is the data of a Packer, or lives on the machine stack for one call (packer Qfalse). */
typedef struct ph_encoder {
    ph_byte_queue queue;
    VALUE types;        /* registry of ext types; the next two are marked with it */
    VALUE lookup_cache; /* class => entry of the registry; Qnil: none */
    VALUE child;        /* a Packer for procs and to_msgpack methods, or Qfalse */
    VALUE packer;       /* the Packer this is the data of, or Qfalse */
    bool child_in_use;
    bool compatibility; /* the raw family of 2012: no bin, no str8 */
    uint32_t depth;     /* containers open around what to_msgpack methods are writing */
} ph_encoder;

/* Prepares an encoder with an empty queue; packer is its owner or Qfalse. */
void ph_encoder_init(ph_encoder *encoder, VALUE packer, VALUE io, VALUE options, VALUE types);

/* Appends one object. Calls to_msgpack methods and the procs of ext types, and writes to io. Raises
 * what those raise; NoMethodError, RangeError, ArgumentError, EncodingError, StackError with a path.
 * What was written before stays in the queue. */
void ph_encode(ph_encoder *encoder, VALUE value);

/* The parts, for the write_ methods of Packer. Lengths beyond 32 bits raise ArgumentError. */
void ph_encode_string(ph_encoder *encoder, VALUE string, const ph_object_place *place);
void ph_encode_binary(ph_encoder *encoder, VALUE string, const ph_object_place *place);
void ph_encode_symbol(ph_encoder *encoder, VALUE symbol, const ph_object_place *place);
void ph_encode_integer(ph_encoder *encoder, VALUE integer, const ph_object_place *place);
void ph_encode_array(ph_encoder *encoder, VALUE array, const ph_object_place *place);
void ph_encode_hash(ph_encoder *encoder, VALUE hash, const ph_object_place *place);
void ph_encode_ext(ph_encoder *encoder, int type, VALUE payload, const ph_object_place *place);

/* Any object, at a place inside others. */
void ph_encode_inside(ph_encoder *encoder, VALUE value, const ph_object_place *place);

/* Room for `more` bytes, then bytes.end advanced by the caller through ph_encoder_wrote. */
PH_INLINE uint8_t *ph_encoder_room(ph_encoder *encoder, size_t more)
{
    ph_byte_queue_reserve(&encoder->queue, more);
    return encoder->queue.bytes.end;
}

PH_INLINE void ph_encoder_wrote(ph_encoder *encoder, uint8_t *end)
{
    encoder->queue.bytes.end = end;
}

/* Gives up when the containers that are open are too many, or the machine stack is nearly full. */
void ph_encoder_check_depth(const ph_object_place *place);

/* The length of a payload as a header holds it; ArgumentError beyond 32 bits. */
uint32_t ph_encoder_length(long length, const char *what, const ph_object_place *place);

#endif
