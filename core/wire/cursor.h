/* The cursor: position in, position out, one MessagePack token in the caller's locals. */
#ifndef PH_WIRE_CURSOR_H
#define PH_WIRE_CURSOR_H

#include "base/bytes.h"
#include "base/token.h"
#include "wire/formats.h"

PH_INLINE const uint8_t *ph_cursor_error(ph_token *token, ph_error_code code,
                                         const uint8_t *position)
{
    token->kind = PH_TOKEN_ERROR;
    token->length = (size_t)code;
    return position;
}

/* A payload of `length` bytes at `payload`, or TRUNCATED at `value`, where the value begins. */
PH_INLINE const uint8_t *ph_cursor_payload(ph_token *token, ph_token_kind kind, size_t length,
                                           const uint8_t *value, const uint8_t *payload,
                                           const uint8_t *end)
{
    if (PH_UNLIKELY(length > ph_left(payload, end))) {
        return ph_cursor_error(token, PH_ERROR_TRUNCATED, value);
    }
    token->kind = kind;
    token->length = length;
    token->value.bytes = payload;
    return payload + length;
}

/* An ext whose type byte is at `type`, payload behind it. */
PH_INLINE const uint8_t *ph_cursor_ext(ph_token *token, size_t length, const uint8_t *value,
                                       const uint8_t *type, const uint8_t *end)
{
    if (PH_UNLIKELY(type == end)) {
        return ph_cursor_error(token, PH_ERROR_TRUNCATED, value);
    }
    token->ext_type = (int8_t)*type;
    return ph_cursor_payload(token, PH_TOKEN_EXT, length, value, type + 1, end);
}

/* True when a header with `size` bytes after the format byte fits. */
#define PH_CURSOR_NEED(size)                                 \
 do {                                                        \
  if (PH_UNLIKELY(ph_left(position, end) < (size))) {        \
   return ph_cursor_error(token, PH_ERROR_TRUNCATED, value); \
  }                                                          \
 } while (0)

#define PH_CURSOR_SCALAR(token_kind, member, size, expression) \
 PH_CURSOR_NEED(size);                                         \
 token->kind = token_kind;                                     \
 token->value.member = expression;                             \
 return position + (size)

#define PH_CURSOR_CONTAINER(token_kind, size, expression) \
 PH_CURSOR_NEED(size);                                    \
 token->kind = token_kind;                                \
 token->length = expression;                              \
 return position + (size)

#define PH_CURSOR_BYTES(token_kind, size, expression) \
 PH_CURSOR_NEED(size);                                \
 return ph_cursor_payload(token, token_kind, expression, value, position + (size), end)

#define PH_CURSOR_EXT(size, expression) \
 PH_CURSOR_NEED(size);                  \
 return ph_cursor_ext(token, expression, value, position + (size), end)

/* Reads the value header at `position` (and the payload of strings, binaries and exts, as a view).
 *
 * position <= end, both in one readable buffer. Returns the position after the header and, for
 * scalars, strings, binaries and exts, after the payload; for arrays and maps the first element is
 * there. On error token->kind is PH_TOKEN_ERROR, token->length the ph_error_code (TRUNCATED or
 * RESERVED_BYTE) and the position returned that of the value that could not be read. The claimed
 * length of an array or map is NOT checked against what is left: who allocates for it must.
 * UTF-8 is not checked. Nothing is allocated, nothing outside [position, end) is read. */
PH_INLINE const uint8_t *ph_cursor_next(const uint8_t *position, const uint8_t *end,
                                        ph_token *token)
{
    const uint8_t *value = position;
    if (PH_UNLIKELY(position == end)) {
        return ph_cursor_error(token, PH_ERROR_TRUNCATED, value);
    }
    uint8_t format_byte = *position++;
    /* Short strings are what most documents are made of: a branch of their own predicts better than
     * one more way out of the switch. */
    if ((format_byte & 0xe0) == PH_FORMAT_FIXSTR) {
        return ph_cursor_payload(token, PH_TOKEN_STRING, format_byte & 0x1fu, value, position, end);
    }
    switch (format_byte) {
    case 0x00 ... 0x7f:
        token->kind = PH_TOKEN_UNSIGNED;
        token->value.u = format_byte;
        return position;
    case 0x80 ... 0x8f:
        token->kind = PH_TOKEN_MAP;
        token->length = format_byte & 0x0fu;
        return position;
    case 0x90 ... 0x9f:
        token->kind = PH_TOKEN_ARRAY;
        token->length = format_byte & 0x0fu;
        return position;
    case 0xa0 ... 0xbf:
        return ph_cursor_payload(token, PH_TOKEN_STRING, format_byte & 0x1fu, value, position, end);
    case PH_FORMAT_NIL: token->kind = PH_TOKEN_NIL; return position;
    case PH_FORMAT_RESERVED: return ph_cursor_error(token, PH_ERROR_RESERVED_BYTE, value);
    case PH_FORMAT_FALSE: token->kind = PH_TOKEN_FALSE; return position;
    case PH_FORMAT_TRUE: token->kind = PH_TOKEN_TRUE; return position;
    case PH_FORMAT_BIN8: PH_CURSOR_BYTES(PH_TOKEN_BINARY, 1, *position);
    case PH_FORMAT_BIN16: PH_CURSOR_BYTES(PH_TOKEN_BINARY, 2, ph_load_big16(position));
    case PH_FORMAT_BIN32: PH_CURSOR_BYTES(PH_TOKEN_BINARY, 4, ph_load_big32(position));
    case PH_FORMAT_EXT8: PH_CURSOR_EXT(1, *position);
    case PH_FORMAT_EXT16: PH_CURSOR_EXT(2, ph_load_big16(position));
    case PH_FORMAT_EXT32: PH_CURSOR_EXT(4, ph_load_big32(position));
    case PH_FORMAT_FLOAT32:
        PH_CURSOR_SCALAR(PH_TOKEN_FLOAT32, f, 4,
                         (double)ph_float_from_bits(ph_load_big32(position)));
    case PH_FORMAT_FLOAT64:
        PH_CURSOR_SCALAR(PH_TOKEN_FLOAT64, f, 8, ph_double_from_bits(ph_load_big64(position)));
    case PH_FORMAT_UINT8: PH_CURSOR_SCALAR(PH_TOKEN_UNSIGNED, u, 1, *position);
    case PH_FORMAT_UINT16: PH_CURSOR_SCALAR(PH_TOKEN_UNSIGNED, u, 2, ph_load_big16(position));
    case PH_FORMAT_UINT32: PH_CURSOR_SCALAR(PH_TOKEN_UNSIGNED, u, 4, ph_load_big32(position));
    case PH_FORMAT_UINT64: PH_CURSOR_SCALAR(PH_TOKEN_UNSIGNED, u, 8, ph_load_big64(position));
    case PH_FORMAT_INT8: PH_CURSOR_SCALAR(PH_TOKEN_SIGNED, i, 1, (int8_t)*position);
    case PH_FORMAT_INT16: PH_CURSOR_SCALAR(PH_TOKEN_SIGNED, i, 2, (int16_t)ph_load_big16(position));
    case PH_FORMAT_INT32: PH_CURSOR_SCALAR(PH_TOKEN_SIGNED, i, 4, (int32_t)ph_load_big32(position));
    case PH_FORMAT_INT64: PH_CURSOR_SCALAR(PH_TOKEN_SIGNED, i, 8, (int64_t)ph_load_big64(position));
    case PH_FORMAT_FIXEXT1: return ph_cursor_ext(token, 1, value, position, end);
    case PH_FORMAT_FIXEXT2: return ph_cursor_ext(token, 2, value, position, end);
    case PH_FORMAT_FIXEXT4: return ph_cursor_ext(token, 4, value, position, end);
    case PH_FORMAT_FIXEXT8: return ph_cursor_ext(token, 8, value, position, end);
    case PH_FORMAT_FIXEXT16: return ph_cursor_ext(token, 16, value, position, end);
    case PH_FORMAT_STR8: PH_CURSOR_BYTES(PH_TOKEN_STRING, 1, *position);
    case PH_FORMAT_STR16: PH_CURSOR_BYTES(PH_TOKEN_STRING, 2, ph_load_big16(position));
    case PH_FORMAT_STR32: PH_CURSOR_BYTES(PH_TOKEN_STRING, 4, ph_load_big32(position));
    case PH_FORMAT_ARRAY16: PH_CURSOR_CONTAINER(PH_TOKEN_ARRAY, 2, ph_load_big16(position));
    case PH_FORMAT_ARRAY32: PH_CURSOR_CONTAINER(PH_TOKEN_ARRAY, 4, ph_load_big32(position));
    case PH_FORMAT_MAP16: PH_CURSOR_CONTAINER(PH_TOKEN_MAP, 2, ph_load_big16(position));
    case PH_FORMAT_MAP32: PH_CURSOR_CONTAINER(PH_TOKEN_MAP, 4, ph_load_big32(position));
    case 0xe0 ... 0xff:
        token->kind = PH_TOKEN_SIGNED;
        token->value.i = (int8_t)format_byte;
        return position;
    }
    PH_UNREACHABLE();
}

#undef PH_CURSOR_NEED
#undef PH_CURSOR_SCALAR
#undef PH_CURSOR_CONTAINER
#undef PH_CURSOR_BYTES
#undef PH_CURSOR_EXT

#endif
