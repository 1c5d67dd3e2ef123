/* Standard base64 with padding (RFC 4648, section 4). */
#ifndef PH_TEXT_BASE64_H
#define PH_TEXT_BASE64_H

#include "base/bytes.h"
#include "base/error.h"

/* Characters that `size` bytes become; SIZE_MAX if that does not fit in size_t. */
PH_INLINE size_t ph_base64_encoded_size(size_t size)
{
    size_t groups = size / 3 + (size % 3 != 0);
    return groups > (SIZE_MAX - 1) / 4 ? SIZE_MAX : 4 * groups;
}

/* Writes exactly ph_base64_encoded_size(size) characters and returns the position after them. The
 * areas may not overlap. Thread safe, as all here. */
uint8_t *ph_base64_encode(uint8_t *to, const uint8_t *bytes, size_t size);

/* The bytes that `size` characters become, from the length and the padding alone: exact if the text is
 * valid, and then never more. */
size_t ph_base64_decoded_size(const uint8_t *text, size_t size);

/* Writes the bytes of a whole text, where ph_base64_decoded_size bytes are free. Groups of four
 * characters of the standard alphabet, the last one padded with one or two '='; no white space, no
 * other alphabet, nothing after the padding. Bits of the last character that no byte needs are
 * ignored. PH_ERROR_TEXT_BASE64 otherwise, *bad_offset (may be NULL) then being the offset of the
 * first group that is wrong. Bytes may have been written even then. */
ph_error_code ph_base64_decode(uint8_t *to, const uint8_t *text, size_t size, size_t *bad_offset);

#endif
