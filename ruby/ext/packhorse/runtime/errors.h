/* One error: a code of the core, a byte offset and a path become one Ruby exception. */
#ifndef PH_RUBY_ERRORS_H
#define PH_RUBY_ERRORS_H

#include "packhorse.h"

extern VALUE ph_error_unpack;
extern VALUE ph_error_malformed;
extern VALUE ph_error_stack;
extern VALUE ph_error_unexpected_type;
extern VALUE ph_error_unknown_ext_type;
extern VALUE ph_error_limit;
extern VALUE ph_error_truncated; /* below Ruby's EOFError */

/* What went wrong in a decoder: the core's codes, and what only a Ruby host can run into. */
typedef enum ph_failure_kind {
    PH_FAILURE_NONE,
    PH_FAILURE_CORE,           /* code holds the core's */
    PH_FAILURE_UNKNOWN_EXT,    /* an ext type that nobody registered */
    PH_FAILURE_INVALID_SYMBOL, /* a key that is to be a Symbol is not valid in its encoding */
    PH_FAILURE_RECURSIVE_EXT   /* too many open recursive ext types */
} ph_failure_kind;

typedef struct ph_failure {
    ph_failure_kind kind;
    ph_error_code code;
    uint64_t offset; /* bytes from the start of the input, or of the stream */
    int ext_type;    /* UNKNOWN_EXT */
    VALUE path;      /* a String such as "$[2].name", or Qnil */
} ph_failure;

/* Makes the exception for `failure` and raises it. */
NORETURN(void ph_raise_failure(const ph_failure *failure));

/* Raises the exception for a code of the core at an offset, without a path. */
NORETURN(void ph_raise_code(ph_error_code code, uint64_t offset));

/* Raises `exception_class` with a message, offset and path (Qnil allowed). */
NORETURN(void ph_raise_located(VALUE exception_class, VALUE message, uint64_t offset, VALUE path));

#endif
