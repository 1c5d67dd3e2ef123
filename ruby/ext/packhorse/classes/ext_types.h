/* Which ext type belongs to which class: the registry behind Factory, Packer and Unpacker. */
#ifndef PH_RUBY_EXT_TYPES_H
#define PH_RUBY_EXT_TYPES_H

#include "packhorse.h"

#define PH_EXT_RECURSIVE         1 /* the proc is given the packer or the unpacker */
#define PH_EXT_OVERSIZED_INTEGER 2 /* for Integers beyond 64 bits only */
#define PH_EXT_SYMBOL            4 /* the payload is the name of a Symbol */

/* A registry is a Ruby object. It does not change once it is shared: registering then makes a copy,
 * so that packers and unpackers keep what they were made with, and Ractors may read it at once. */
typedef struct ph_ext_types {
    VALUE packers;        /* Hash: class => [type, proc, flags, Ractor's number] */
    VALUE unpackers[256]; /* [class, proc, flags, number] by (uint8_t)type, or Qfalse */
    uint32_t packer_count;
    uint32_t unpacker_count;
    bool shared;
    bool has_symbol;            /* Symbol is registered with a packer */
    bool has_oversized_integer; /* Integer is registered with PH_EXT_OVERSIZED_INTEGER */
} ph_ext_types;

/* How a class is packed. */
typedef struct ph_ext_packer {
    VALUE entry; /* for ph_ext_call; Qfalse: not registered */
    int8_t type;
    int flags;
} ph_ext_packer;

/* A new, empty registry. */
VALUE ph_ext_types_new(void);

/* A Hash that compares keys by identity, for classes: they may define hash and eql? themselves. */
VALUE ph_identity_hash_new(void);

/* The one empty registry, shared from the start. */
VALUE ph_ext_types_none(void);

/* The registry that a new owner may use; it is shared from now on. */
VALUE ph_ext_types_share(VALUE types);

/* The struct behind a registry. */
const ph_ext_types *ph_ext_types_get(VALUE types);

/* A registry that may be changed: `types` itself, or a copy of it if it is shared. */
VALUE ph_ext_types_writable(VALUE types);

/* Registers a packer for a class or module; `types` must be writable. proc is a Proc. */
void ph_ext_types_add_packer(VALUE types, int type, VALUE module, VALUE proc, int flags);

/* Registers an unpacker; module may be nil. `types` must be writable. */
void ph_ext_types_add_unpacker(VALUE types, int type, VALUE module, VALUE proc, int flags);

/* The packer for an object: that of its singleton class or class, or of the nearest registered
 * ancestor. What had to be looked for is remembered in *cache, a Hash that is made when it is needed
 * (Qnil before); owner is the object that holds it, or Qfalse. */
ph_ext_packer ph_ext_types_find_packer(VALUE types, VALUE object, VALUE *cache, VALUE owner);

/* Copies for Ruby: {class => [type, proc, ...]} and {type => [class, proc, ...]}. */
VALUE ph_ext_types_packers(VALUE types);
VALUE ph_ext_types_unpackers(VALUE types);

size_t ph_ext_types_memory(VALUE types);

/* The ext type id in `id`; RangeError beyond -128..127. */
int ph_ext_type_id(VALUE id);

/* Calls the proc of an entry. In another Ractor than that which registered it, it must be shareable:
 * otherwise Ractor::IsolationError. */
VALUE ph_ext_call(VALUE entry, int argc, const VALUE *argv);

#endif
