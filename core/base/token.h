/* The token that both formats yield: what a host makes an object of. */
#ifndef PH_BASE_TOKEN_H
#define PH_BASE_TOKEN_H

#include "base/error.h"

typedef enum ph_token_kind {
    PH_TOKEN_ERROR, /* length holds the ph_error_code; the position returned is where */
    PH_TOKEN_NIL,
    PH_TOKEN_FALSE,
    PH_TOKEN_TRUE,
    PH_TOKEN_UNSIGNED, /* value.u, 0 to 2^64-1 */
    PH_TOKEN_SIGNED,   /* value.i; MessagePack's signed formats may carry non-negative values too */
    PH_TOKEN_FLOAT32,  /* value.f, widened exactly */
    PH_TOKEN_FLOAT64,  /* value.f */
    PH_TOKEN_STRING,   /* value.bytes, length: a view into the input, UTF-8 not yet checked */
    PH_TOKEN_BINARY,   /* value.bytes, length */
    PH_TOKEN_EXT,      /* value.bytes, length, ext_type */
    PH_TOKEN_ARRAY,    /* length elements follow; JSON: begin, length unknown (0) */
    PH_TOKEN_MAP,      /* length pairs follow; JSON: begin, length unknown (0) */
    /* JSON only, from here on. */
    PH_TOKEN_BIG_INTEGER,    /* value.bytes, length: decimal text with an optional minus sign */
    PH_TOKEN_ESCAPED_STRING, /* as STRING, but holding escapes that must be undone */
    PH_TOKEN_END_ARRAY,
    PH_TOKEN_END_MAP
} ph_token_kind;

/* Lives in the caller's locals; the cursor is inlined, so the compiler keeps it in registers. */
typedef struct ph_token {
    ph_token_kind kind;
    int32_t ext_type; /* -128 to 127, EXT only */
    size_t length;
    union {
        uint64_t u;
        int64_t i;
        double f;
        const uint8_t *bytes;
    } value;
} ph_token;

#endif
