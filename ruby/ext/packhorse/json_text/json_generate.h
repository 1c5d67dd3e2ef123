/* Ruby objects to JSON text. */
#ifndef PH_RUBY_JSON_GENERATE_H
#define PH_RUBY_JSON_GENERATE_H

#include "runtime/byte_queue.h"

typedef struct ph_json_generate_options {
    VALUE indent; /* Strings; Qnil: none */
    VALUE space;
    VALUE space_before;
    VALUE object_nl;
    VALUE array_nl;
    VALUE as_json; /* called for what JSON has no form for, when strict; Qnil: none */
    bool pretty;   /* any of the first five is given */
    int spaces;    /* of indent, if it and the line breaks are the usual ones; otherwise -1 */
    bool allow_nan;
    bool strict;
    bool ascii_only;
    bool script_safe;
    bool more_escapes; /* one of the last two */
    bool sort_keys;
    bool allow_duplicate_key;
    uint32_t max_nesting; /* UINT32_MAX: no limit but the machine stack */
    uint32_t depth;       /* containers that are open around the value */
} ph_json_generate_options;

/* Sets options from a Hash with Symbol keys, or nil. ArgumentError for names that nobody knows. */
void ph_json_generate_options_set(ph_json_generate_options *options, VALUE hash);

void ph_init_json_options(void);

/* Sets the layout of pretty_generate: lines, and two spaces for each level. */
void ph_json_generate_options_pretty(ph_json_generate_options *options);

/* Sets further options from a Hash. */
void ph_json_generate_options_add(ph_json_generate_options *options, VALUE hash);

/* The text of an object, as a UTF-8 String; with io: written to it, and nil. option_hash is what
 * `options` were set from: to_json methods are given a State of it. Raises GeneratorError,
 * NestingError, and what to_json methods raise. */
VALUE ph_json_generate(VALUE object, const ph_json_generate_options *options, VALUE option_hash,
                       VALUE io);

#endif
