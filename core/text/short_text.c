/* The pass over a short text: two-byte units, as long as they do; then four-byte ones. */
#include "text/short_text.h"

#if defined(__SSE2__)
# include <emmintrin.h>
#endif

#define ASCII_STEP 16u

/* Sixteen bytes as units of two, and which of them are not ASCII; the others count for nothing. */
PH_INLINE unsigned put_ascii_step(uint16_t *to, const uint8_t *at)
{
#if defined(__SSE2__)
    __m128i block = _mm_loadu_si128((const __m128i *)(const void *)at);
    __m128i *target = (__m128i *)(void *)to;
    _mm_storeu_si128(target, _mm_unpacklo_epi8(block, _mm_setzero_si128()));
    _mm_storeu_si128(target + 1, _mm_unpackhi_epi8(block, _mm_setzero_si128()));
    return (unsigned)_mm_movemask_epi8(block);
#else
    unsigned others = 0;
    for (unsigned i = 0; i < ASCII_STEP; i++) {
        to[i] = at[i];
        others |= (unsigned)(at[i] >> 7) << i;
    }
    return others;
#endif
}

PH_INLINE bool is_continuation(uint8_t byte)
{
    return (byte & 0xC0) == 0x80;
}

/* The code point of two bytes at `at`; 0 if they are none. */
PH_INLINE uint32_t read_two(const uint8_t *at, const uint8_t *end)
{
    bool is_valid = ph_left(at, end) >= 2 && at[0] >= 0xC2 && is_continuation(at[1]);
    return PH_LIKELY(is_valid) ? (at[0] & 0x1Fu) << 6 | (at[1] & 0x3Fu) : 0;
}

PH_INLINE uint32_t read_three(const uint8_t *at, const uint8_t *end)
{
    if (PH_UNLIKELY(ph_left(at, end) < 3) || PH_UNLIKELY(!is_continuation(at[1])) ||
        PH_UNLIKELY(!is_continuation(at[2]))) {
        return 0;
    }
    uint32_t code_point = (at[0] & 0x0Fu) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    bool is_valid = code_point >= 0x800 && (code_point & 0xF800) != 0xD800;
    return PH_LIKELY(is_valid) ? code_point : 0;
}

PH_INLINE uint32_t read_four(const uint8_t *at, const uint8_t *end)
{
    if (ph_utf8_sequence_length(at, end) != 4) {
        return 0;
    }
    return (at[0] & 0x07u) << 18 | (at[1] & 0x3Fu) << 12 | (at[2] & 0x3Fu) << 6 | (at[3] & 0x3Fu);
}

/* What is left of a text, in units of four bytes from number `done` on. Rarely much: such
 * characters are mostly at the end. */
static bool decode_wide(ph_short_text *text, size_t done, const uint8_t *at, const uint8_t *end)
{
    for (size_t i = 0; i < done; i++) {
        text->ucs4[i] = text->ucs2[i];
    }
    while (at < end) {
        uint32_t code_point = *at;
        size_t length = code_point < 0x80 ? 1 : code_point < 0xE0 ? 2 : code_point < 0xF0 ? 3 : 4;
        switch (length) {
        case 2: code_point = read_two(at, end); break;
        case 3: code_point = read_three(at, end); break;
        case 4: code_point = read_four(at, end); break;
        default:
            text->ucs4[done++] = code_point;
            at++;
            continue;
        }
        if (PH_UNLIKELY(code_point == 0)) {
            return false;
        }
        text->ucs4[done++] = code_point;
        at += length;
    }
    text->code_points = done;
    text->width = PH_WIDTH_UCS4;
    return true;
}

bool ph_short_text_decode(ph_short_text *text, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes, *end = bytes + size;
    uint16_t *to = text->ucs2;
    uint32_t seen = 0;
    /* How far to go is decided by branches, which are mostly foreseen; a length that is computed would
     * be waited for. */
    while (at < end) {
        uint32_t code_point = *at;
        if (code_point < 0x80) {
            if (ph_left(at, end) >= ASCII_STEP) {
                unsigned others = put_ascii_step(to, at);
                unsigned count = (unsigned)__builtin_ctz(others | 1u << ASCII_STEP);
                at += count;
                to += count;
                continue;
            }
            *to++ = *at++;
            continue;
        }
        if (code_point >= 0xE0) {
            if (PH_UNLIKELY(code_point >= 0xF0)) {
                return decode_wide(text, (size_t)(to - text->ucs2), at, end);
            }
            code_point = read_three(at, end);
            if (PH_UNLIKELY(code_point == 0)) {
                return false;
            }
            at += 3;
        } else {
            code_point = read_two(at, end);
            if (PH_UNLIKELY(code_point == 0)) {
                return false;
            }
            at += 2;
        }
        seen |= code_point;
        *to++ = (uint16_t)code_point;
    }
    text->code_points = (size_t)(to - text->ucs2);
    text->width = seen < 0x80 ? PH_WIDTH_ASCII : seen < 0x100 ? PH_WIDTH_LATIN1 : PH_WIDTH_UCS2;
    return true;
}
