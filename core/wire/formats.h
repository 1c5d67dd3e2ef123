/* The 37 MessagePack formats as one list: every table and name in the project comes from here. */
#ifndef PH_WIRE_FORMATS_H
#define PH_WIRE_FORMATS_H

#include "base/compiler.h"

#include <stdbool.h>

/* Name, first and last format byte, kind, bytes of the length field, bytes of fixed payload.
 * The length field holds payload bytes (string, binary, ext), elements (array) or pairs (map).
 * An ext has one byte of ext type between length and payload, counted in the fixed payload here.
 * Formats named FIX... carry length or value in the format byte itself. */
#define PH_FORMATS(X)                         \
 X(POSITIVE_FIXINT, 0x00, 0x7f, SCALAR, 0, 0) \
 X(FIXMAP, 0x80, 0x8f, MAP, 0, 0)             \
 X(FIXARRAY, 0x90, 0x9f, ARRAY, 0, 0)         \
 X(FIXSTR, 0xa0, 0xbf, STRING, 0, 0)          \
 X(NIL, 0xc0, 0xc0, SCALAR, 0, 0)             \
 X(RESERVED, 0xc1, 0xc1, RESERVED, 0, 0)      \
 X(FALSE, 0xc2, 0xc2, SCALAR, 0, 0)           \
 X(TRUE, 0xc3, 0xc3, SCALAR, 0, 0)            \
 X(BIN8, 0xc4, 0xc4, BINARY, 1, 0)            \
 X(BIN16, 0xc5, 0xc5, BINARY, 2, 0)           \
 X(BIN32, 0xc6, 0xc6, BINARY, 4, 0)           \
 X(EXT8, 0xc7, 0xc7, EXT, 1, 1)               \
 X(EXT16, 0xc8, 0xc8, EXT, 2, 1)              \
 X(EXT32, 0xc9, 0xc9, EXT, 4, 1)              \
 X(FLOAT32, 0xca, 0xca, SCALAR, 0, 4)         \
 X(FLOAT64, 0xcb, 0xcb, SCALAR, 0, 8)         \
 X(UINT8, 0xcc, 0xcc, SCALAR, 0, 1)           \
 X(UINT16, 0xcd, 0xcd, SCALAR, 0, 2)          \
 X(UINT32, 0xce, 0xce, SCALAR, 0, 4)          \
 X(UINT64, 0xcf, 0xcf, SCALAR, 0, 8)          \
 X(INT8, 0xd0, 0xd0, SCALAR, 0, 1)            \
 X(INT16, 0xd1, 0xd1, SCALAR, 0, 2)           \
 X(INT32, 0xd2, 0xd2, SCALAR, 0, 4)           \
 X(INT64, 0xd3, 0xd3, SCALAR, 0, 8)           \
 X(FIXEXT1, 0xd4, 0xd4, EXT, 0, 2)            \
 X(FIXEXT2, 0xd5, 0xd5, EXT, 0, 3)            \
 X(FIXEXT4, 0xd6, 0xd6, EXT, 0, 5)            \
 X(FIXEXT8, 0xd7, 0xd7, EXT, 0, 9)            \
 X(FIXEXT16, 0xd8, 0xd8, EXT, 0, 17)          \
 X(STR8, 0xd9, 0xd9, STRING, 1, 0)            \
 X(STR16, 0xda, 0xda, STRING, 2, 0)           \
 X(STR32, 0xdb, 0xdb, STRING, 4, 0)           \
 X(ARRAY16, 0xdc, 0xdc, ARRAY, 2, 0)          \
 X(ARRAY32, 0xdd, 0xdd, ARRAY, 4, 0)          \
 X(MAP16, 0xde, 0xde, MAP, 2, 0)              \
 X(MAP32, 0xdf, 0xdf, MAP, 4, 0)              \
 X(NEGATIVE_FIXINT, 0xe0, 0xff, SCALAR, 0, 0)

/* PH_FORMAT_NIL and so on: the first format byte of each format. */
typedef enum ph_format {
#define PH_FORMAT_ENUM(name, first, last, kind, length_bytes, fixed_payload) \
 PH_FORMAT_##name = first,
    PH_FORMATS(PH_FORMAT_ENUM)
#undef PH_FORMAT_ENUM
} ph_format;

typedef enum ph_format_kind {
    PH_KIND_SCALAR,
    PH_KIND_STRING,
    PH_KIND_BINARY,
    PH_KIND_EXT,
    PH_KIND_ARRAY,
    PH_KIND_MAP,
    PH_KIND_RESERVED
} ph_format_kind;

/* What a reader that builds nothing must know of a format byte. */
typedef struct ph_format_entry {
    uint8_t kind;          /* ph_format_kind */
    uint8_t length_bytes;  /* 0, 1, 2 or 4: size of the length field after the format byte */
    uint8_t fixed_payload; /* bytes after the length field that are there whatever the length */
    uint8_t fixed_length;  /* the length that a FIX format byte carries: bytes, elements or pairs */
} ph_format_entry;

/* Generated: wire/format_table.c, from the list above. */
extern const ph_format_entry ph_format_table[256];

/* The name of the format of a byte in lower case ("fixstr", "uint16"), for diagnostics. */
const char *ph_format_name(uint8_t format_byte);

#endif
