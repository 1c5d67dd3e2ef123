/* JSON text to Ruby objects. */
#ifndef PH_RUBY_JSON_PARSE_H
#define PH_RUBY_JSON_PARSE_H

#include "decode/build.h"

/* What json's options ask for; VALUEs are Qnil when not given. */
typedef struct ph_json_parse_options {
    bool freeze;
    bool symbolize_names;
    bool use_key_cache;
    bool allow_nan; /* NaN, Infinity, -Infinity; and floats that overflow */
    bool relaxed;   /* comments and trailing commas */
    bool allow_duplicate_key;
    uint32_t max_nesting; /* UINT32_MAX: no limit */
    VALUE object_class;
    VALUE array_class;
    VALUE decimal_class;
    VALUE on_load;
} ph_json_parse_options;

/* Sets options from a Hash with Symbol keys, or nil. ArgumentError for names that nobody knows. */
void ph_json_parse_options_set(ph_json_parse_options *options, VALUE hash);

/* One value and nothing but white space behind it. `source` is UTF-8 (or taken for it). Raises
 * ParserError, NestingError, and what classes and procs of the options raise. */
VALUE ph_json_parse(VALUE source, const ph_json_parse_options *options);

/* The value at `offset` in `source`, and what follows it: sets *behind to the offset after it. Returns
 * Qundef when the value is cut off by the end, or might be (a number that ends there), and
 * `at_end` does not say that nothing follows. Offsets in errors are counted from `stream_offset`. */
VALUE ph_json_parse_next(VALUE source, long offset, bool at_end, uint64_t stream_offset,
                         const ph_json_parse_options *options, long *behind);

#endif
