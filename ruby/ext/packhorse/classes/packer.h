/* The Packer object around an encoder. */
#ifndef PH_RUBY_PACKER_H
#define PH_RUBY_PACKER_H

#include "encode/encode.h"

ph_encoder *ph_packer_get(VALUE self);

/* A new Packer on io (or nil) with options (a Hash or nil) and a registry, which becomes shared. */
VALUE ph_packer_new(VALUE io, VALUE options, VALUE types);

/* A Packer with the settings of `encoder` and a queue of its own. */
VALUE ph_packer_new_child(const ph_encoder *encoder);

/* Everything written, as a String, and the queue cleared; with io: flushed, and nil. */
VALUE ph_packer_full(ph_encoder *encoder);

#endif
