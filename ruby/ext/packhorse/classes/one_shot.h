/* Whole calls without a Packer or Unpacker object: dump and load. */
#ifndef PH_RUBY_ONE_SHOT_H
#define PH_RUBY_ONE_SHOT_H

#include "packhorse.h"

/* dump(object, io = nil, options = nil) with a registry: a String, or nil when io was written to. */
VALUE ph_dump(int argc, const VALUE *argv, VALUE types);

/* load(string_or_io, options = nil) with a registry: one object, and nothing may follow it. */
VALUE ph_load(int argc, const VALUE *argv, VALUE types);

/* The registry of a Factory. */
VALUE ph_factory_types(VALUE factory);

#endif
