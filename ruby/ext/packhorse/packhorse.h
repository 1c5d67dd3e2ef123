/* What every file of the extension shares: Ruby, the core's headers, the module and its classes. */
#ifndef PACKHORSE_H
#define PACKHORSE_H

/* Ruby's own inline functions are not ours to fix. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/ractor.h>
#include <ruby/version.h>
#pragma GCC diagnostic pop

#include "base/buffer.h"
#include "base/limits.h"
#include "base/token.h"

/* The module and its classes; set once by Init, constant afterwards. */
extern VALUE ph_module;
extern VALUE ph_class_packer;
extern VALUE ph_class_unpacker;
extern VALUE ph_class_buffer;
extern VALUE ph_class_factory;
extern VALUE ph_class_timestamp;
extern VALUE ph_class_extension_value;

/* Encodings, looked up once. */
extern rb_encoding *ph_encoding_utf8;
extern rb_encoding *ph_encoding_binary;
extern int ph_index_utf8;
extern int ph_index_binary;
extern int ph_index_ascii;

/* Open recursive ext types: each is a call through Ruby, whose own stack is small. */
#define PH_RECURSIVE_EXT_DEPTH 128

/* The value of an option, or Qundef when options is nil or has no such key. */
VALUE ph_option(VALUE options, const char *name);

/* Whether an option is given and truthy. */
bool ph_option_set(VALUE options, const char *name);

/* Splits (io = nil, options = nil), where a Hash in the first place is the options. */
void ph_scan_io_and_options(int argc, const VALUE *argv, VALUE *io, VALUE *options);

/* Raises FrozenError ("can't modify frozen CLASS") when `object` is frozen. */
void ph_check_not_frozen(VALUE object);

void ph_init_errors(void);
void ph_init_byte_queue(void);
void ph_init_ext_types(void);
void ph_init_buffer(void);
void ph_init_packer(void);
void ph_init_unpacker(void);
void ph_init_factory(void);
void ph_init_module_functions(void);
void ph_init_timestamp(void);
void ph_init_bigint(void);
void ph_init_ractor_state(void);
void ph_init_json(void);

#endif
