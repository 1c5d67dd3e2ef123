/* Base64, three bytes to four characters and back. */
#include "text/base64.h"

static const uint8_t alphabet[64] = {
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P',
    'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'e', 'f',
    'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v',
    'w', 'x', 'y', 'z', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '/',
};

#define NO 0xFF

/* The six bits of a character; NO for those outside the alphabet. */
static const uint8_t values[256] = {
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 62, NO, NO, NO, 63,
    52, 53, 54, 55, 56, 57, 58, 59, 60, 61, NO, NO, NO, NO, NO, NO, NO, 0,  1,  2,  3,  4,  5,  6,
    7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, NO, NO, NO, NO, NO,
    NO, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
    49, 50, 51, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO};

/* Four characters of 24 bits, the first from the uppermost six. */
PH_INLINE void put_group(uint8_t *to, uint32_t bits)
{
    to[0] = alphabet[bits >> 18 & 63];
    to[1] = alphabet[bits >> 12 & 63];
    to[2] = alphabet[bits >> 6 & 63];
    to[3] = alphabet[bits & 63];
}

uint8_t *ph_base64_encode(uint8_t *to, const uint8_t *bytes, size_t size)
{
    /* Six of the eight bytes of a load are used. */
    while (size >= 8) {
        uint64_t eight = ph_load_big64(bytes);
        put_group(to, (uint32_t)(eight >> 40));
        put_group(to + 4, (uint32_t)(eight >> 16) & 0xFFFFFF);
        bytes += 6;
        size -= 6;
        to += 8;
    }
    while (size >= 3) {
        put_group(to, (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]);
        bytes += 3;
        size -= 3;
        to += 4;
    }
    if (size != 0) {
        put_group(to, (uint32_t)bytes[0] << 16 | (size == 2 ? (uint32_t)bytes[1] << 8 : 0));
        to[3] = '=';
        if (size == 1) {
            to[2] = '=';
        }
        to += 4;
    }
    return to;
}

/* How many '=' end the text: 0 to 2. */
static unsigned padding_of(const uint8_t *text, size_t size)
{
    if (size < 4 || text[size - 1] != '=') {
        return 0;
    }
    return text[size - 2] == '=' ? 2 : 1;
}

size_t ph_base64_decoded_size(const uint8_t *text, size_t size)
{
    return size / 4 * 3 - padding_of(text, size);
}

/* 24 bits of four characters; something above them if one is not of the alphabet. */
PH_INLINE uint32_t group_of(const uint8_t *text)
{
    uint32_t all =
        (uint32_t)(values[text[0]] | values[text[1]] | values[text[2]] | values[text[3]]);
    uint32_t bits = (uint32_t)values[text[0]] << 18 | (uint32_t)values[text[1]] << 12 |
                    (uint32_t)values[text[2]] << 6 | values[text[3]];
    return bits | (all & 0x80) << 24;
}

ph_error_code ph_base64_decode(uint8_t *to, const uint8_t *text, size_t size, size_t *bad_offset)
{
    unsigned padding = padding_of(text, size);
    size_t whole = size / 4 - (padding != 0); /* groups without padding */
    size_t at = 0;
    bool is_valid = true;
    /* Two groups a step, as long as the two bytes that the store writes too many are overwritten. */
    for (; whole >= 3; whole -= 2, at += 8, to += 6) {
        uint32_t first = group_of(text + at);
        uint32_t second = group_of(text + at + 4);
        if (PH_UNLIKELY((first | second) >> 31 != 0)) {
            break;
        }
        ph_store_big64(to, (uint64_t)first << 40 | (uint64_t)second << 16);
    }
    for (size_t group = 0; group < whole && is_valid; group++) {
        uint32_t bits = group_of(text + at);
        is_valid = bits >> 31 == 0;
        to[0] = (uint8_t)(bits >> 16);
        to[1] = (uint8_t)(bits >> 8);
        to[2] = (uint8_t)bits;
        to += 3;
        at += is_valid ? 4 : 0;
    }
    if (is_valid && padding != 0) {
        uint8_t last[4] = {text[at], text[at + 1], padding == 1 ? text[at + 2] : 'A', 'A'};
        uint32_t bits = group_of(last);
        is_valid = bits >> 31 == 0;
        to[0] = (uint8_t)(bits >> 16);
        if (padding == 1) {
            to[1] = (uint8_t)(bits >> 8);
        }
        at += is_valid ? 4 : 0;
    }
    if (is_valid && at == size) {
        return PH_ERROR_NONE;
    }
    if (bad_offset != NULL) {
        *bad_offset = at;
    }
    return PH_ERROR_TEXT_BASE64;
}
