/* Tokens to Ruby objects: one call makes one whole tree. */
#ifndef PH_RUBY_DECODE_H
#define PH_RUBY_DECODE_H

#include "decode/build.h"
#include "decode/value_stack.h"
#include "runtime/errors.h"

typedef struct ph_decode_options {
    bool freeze;            /* everything frozen */
    bool symbolize_keys;    /* string and binary map keys become Symbols */
    bool allow_unknown_ext; /* unregistered ext types become ExtensionValue */
    bool use_key_cache;
    bool limited; /* limits other than depth are set */
    ph_limits limits;
} ph_decode_options;

struct ph_decoder;

/* What an ext type needs from whoever runs the decoder. */
typedef struct ph_decode_host {
    /* Called once, before any registered proc runs: the value ends `size` bytes after its start. */
    void (*commit)(void *context, size_t size);
    /* An Unpacker over `size` payload bytes for the proc of a recursive ext type. */
    VALUE(*nested_unpacker)
    (void *context, const struct ph_decoder *decoder, const uint8_t *payload, size_t size);
    /* That proc has returned. */
    void (*nested_done)(void *context);
    void *context;
} ph_decode_host;

/* One run over one value. Lives on the machine stack, where the collector sees its values. */
typedef struct ph_decoder {
    const uint8_t *start; /* of the value; in memory that `holder` keeps */
    const uint8_t *end;
    const uint8_t *position; /* out: behind the value */
    VALUE holder;
    uint64_t offset; /* of start, in the stream */
    const ph_decode_options *options;
    VALUE types;        /* registry of ext types */
    uint32_t depth;     /* containers already open around the value */
    uint32_t recursion; /* recursive ext types already open */
    ph_decode_host host;

    ph_failure failure; /* out: when ph_decode returned Qundef */

    size_t open;    /* containers open in this value, while an ext type is read */
    bool committed; /* the whole value is there, and host.commit has been called */
    ph_builder builder;
    ph_value_stack *stack; /* while ph_decode runs */
} ph_decoder;

/* Sets options from a Ruby Hash or nil: symbolize_keys, freeze, allow_unknown_ext, key_cache, limits. */
void ph_decode_options_set(ph_decode_options *options, VALUE hash);

/* Prepares a decoder for the value at [start, end) of holder's memory. */
void ph_decoder_init(ph_decoder *decoder, const uint8_t *start, const uint8_t *end, VALUE holder,
                     const ph_decode_options *options, VALUE types);

/* Reads one value. Qundef: see decoder->failure, nothing is changed outside. Otherwise the object,
 * and position is behind it. Raises what the procs of ext types raise. */
VALUE ph_decode(ph_decoder *decoder);

/* The end of the value at `start`, looked for without making objects; NULL when it is not whole or
 * not well-formed, *failed then being the first value that can not be read, and *code the reason. */
const uint8_t *ph_find_end(const uint8_t *start, const uint8_t *end, const uint8_t **failed,
                           ph_error_code *code);

#endif
