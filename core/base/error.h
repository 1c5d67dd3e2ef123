/* The one error: a code, a byte offset and a constant message. Hosts add the path. */
#ifndef PH_BASE_ERROR_H
#define PH_BASE_ERROR_H

#include "base/compiler.h"

#include <stdbool.h>

/* Code, class, message. The class is what a host chooses its exception type by; codes of one class
 * differ in their message only. Listed once: codes, classes and texts are generated from here. */
#define PH_ERROR_CODES(X)                                                            \
 X(NONE, NONE, "no error")                                                           \
 X(TRUNCATED, TRUNCATED, "the input ends inside a value")                            \
 X(EXTRA_DATA, EXTRA_DATA, "bytes follow the value")                                 \
 X(RESERVED_BYTE, MALFORMED, "the reserved byte 0xc1 can not begin a value")         \
 X(INVALID_UTF8, TEXT, "a string is not valid UTF-8")                                \
 X(TIMESTAMP_LENGTH, MALFORMED, "a timestamp has 4, 8 or 12 bytes")                  \
 X(TIMESTAMP_NANOSECONDS, MALFORMED, "a timestamp's nanoseconds are 0 to 999999999") \
 X(DEPTH_LIMIT, LIMIT, "containers are nested too deeply")                           \
 X(STRING_LIMIT, LIMIT, "a string is longer than allowed")                           \
 X(BINARY_LIMIT, LIMIT, "a binary value is longer than allowed")                     \
 X(ARRAY_LIMIT, LIMIT, "an array has more elements than allowed")                    \
 X(MAP_LIMIT, LIMIT, "a map has more entries than allowed")                          \
 X(EXT_LIMIT, LIMIT, "an ext payload is longer than allowed")                        \
 X(BUFFER_LIMIT, LIMIT, "more bytes are buffered than allowed")                      \
 X(INTEGER_RANGE, UNSUPPORTED, "an integer does not fit in 64 bits")                 \
 X(LENGTH_RANGE, UNSUPPORTED, "a length does not fit in 32 bits")                    \
 X(NO_MEMORY, MEMORY, "out of memory")                                               \
 X(MISUSE, MISUSE, "the call is not allowed in this state")                          \
 X(JSON_CHARACTER, MALFORMED, "invalid character")                                   \
 X(JSON_CONTROL, MALFORMED, "invalid character")                                     \
 X(JSON_NUMBER, MALFORMED, "invalid number")                                         \
 X(JSON_ESCAPE, MALFORMED, "invalid escape character in string")                     \
 X(JSON_HEX, MALFORMED, "invalid character in unicode escape")                       \
 X(JSON_SURROGATE, MALFORMED, "invalid utf-16 surrogate pair")                       \
 X(JSON_KEY, MALFORMED, "object keys must be strings")                               \
 X(JSON_COLON, MALFORMED, "expected ':'")                                            \
 X(JSON_ARRAY_COMMA, MALFORMED, "expected ',' or ']'")                               \
 X(JSON_MAP_COMMA, MALFORMED, "expected ',' or '}'")                                 \
 X(JSON_ARRAY_TRAILING, MALFORMED, "trailing comma in array")                        \
 X(JSON_MAP_TRAILING, MALFORMED, "trailing comma in object")                         \
 X(JSON_RANGE, MALFORMED, "number out of range")                                     \
 X(DUPLICATE_KEY, MALFORMED, "a key occurs twice in one object")                     \
 X(TEXT_BASE64, MALFORMED, "invalid base64")                                         \
 X(TEXT_TIME, MALFORMED, "invalid RFC 3339 date or time")                            \
 X(TEXT_DURATION, MALFORMED, "invalid ISO 8601 duration")                            \
 X(TEXT_DURATION_UNIT, MALFORMED,                                                    \
   "only days, hours, minutes and seconds are supported in a duration")              \
 X(TEXT_DURATION_RANGE, UNSUPPORTED, "a duration is out of range")

typedef enum ph_error_code {
#define PH_ERROR_ENUM(name, class_name, message) PH_ERROR_##name,
    PH_ERROR_CODES(PH_ERROR_ENUM)
#undef PH_ERROR_ENUM
        PH_ERROR_COUNT
} ph_error_code;

typedef enum ph_error_class {
    PH_CLASS_NONE,
    PH_CLASS_TRUNCATED,   /* more bytes could make it valid */
    PH_CLASS_EXTRA_DATA,  /* a whole value, then more */
    PH_CLASS_MALFORMED,   /* no continuation makes it valid */
    PH_CLASS_TEXT,        /* well framed, but text that is not UTF-8 */
    PH_CLASS_LIMIT,       /* valid, but beyond a limit of ph_limits */
    PH_CLASS_UNSUPPORTED, /* can not be represented in the target format */
    PH_CLASS_MEMORY,      /* an allocation failed */
    PH_CLASS_MISUSE       /* the caller broke the rules of the call */
} ph_error_class;

typedef struct ph_error {
    ph_error_code code;
    uint64_t offset; /* bytes from the start of the input (of the stream, for streams) */
} ph_error;

/* The constant English sentence of a code, never NULL; unknown codes give "unknown error".
 * Owned by the library. Thread safe. */
const char *ph_error_message(ph_error_code code);

/* The name of a code as test vectors spell it ("TRUNCATED", "RESERVED_BYTE"); "UNKNOWN" if unknown. */
const char *ph_error_name(ph_error_code code);

/* The class of a code; PH_CLASS_NONE for PH_ERROR_NONE and for unknown codes. */
ph_error_class ph_error_class_of(ph_error_code code);

#endif
