/* The Unpacker: a queue of bytes, the frame being scanned, and a decoder over it. */
#ifndef PH_RUBY_UNPACKER_H
#define PH_RUBY_UNPACKER_H

#include "decode/decode.h"
#include "runtime/byte_queue.h"
#include "wire/frame.h"

typedef struct ph_unpacker {
    ph_byte_queue queue;
    ph_decode_options options;
    VALUE types;  /* registry of ext types; the next two are marked with it */
    VALUE buffer; /* the Buffer object over queue, or Qfalse */
    VALUE child;  /* an Unpacker for the procs of recursive ext types, or Qfalse */
    bool child_in_use;
    uint32_t depth; /* of a child: what is open around it */
    uint32_t recursion;

    /* A value that was not whole yet: how far it has been looked at. */
    bool scanning;
    uint64_t scan_start; /* stream offset of the value */
    size_t scanned;      /* bytes of it that the frame has understood */
    uint64_t next_depth_check;
    ph_frame frame;
} ph_unpacker;

ph_unpacker *ph_unpacker_get(VALUE self);

/* A new Unpacker on io (or nil) with options (a Hash or nil) and a registry, which becomes shared. */
VALUE ph_unpacker_new(VALUE io, VALUE options, VALUE types);

/* An Unpacker over the payload of a recursive ext type that `decoder` is reading. */
VALUE ph_unpacker_for_payload(VALUE unpacker_or_false, const ph_decoder *decoder,
                              const uint8_t *payload, size_t size);

/* The next value, or Qundef when more bytes are needed and io, if any, has no more. Raises. */
VALUE ph_unpacker_next(VALUE self);

/* Steps over the next value; false where ph_unpacker_next returns Qundef. Raises. */
bool ph_unpacker_skip(VALUE self);

/* Raises the EOFError of too few bytes. */
NORETURN(void ph_unpacker_raise_end(const ph_unpacker *unpacker));

/* Reads one value from io or what was fed, refuses what follows it, resets. Raises. */
VALUE ph_unpacker_full(VALUE self);

/* Forgets all bytes and state. */
void ph_unpacker_reset(ph_unpacker *unpacker);

#endif
