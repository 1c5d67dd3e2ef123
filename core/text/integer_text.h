/* Integers to and from decimal text.
 *
 * Integers are written three digits at a time from a table of 4 KiB, so that most numbers of real data
 * take one to three look-ups and the only branches are on the number of groups.
 *
 * For digits that are read, and for those of doubles, eight digits fit in one 64-bit word, a digit a
 * byte, the first digit in the lowest byte. Splitting a number into such a word, and joining it
 * again, takes three multiplications ("SIMD within a register"). */
#ifndef PH_TEXT_INTEGER_TEXT_H
#define PH_TEXT_INTEGER_TEXT_H

#include "base/bytes.h"
#include "base/error.h"

/* Room that the writers need at `to`: they may write behind the position they return. The longest
 * text itself has 20 characters. */
#define PH_INTEGER_TEXT_ROOM 24

#define PH_ASCII_ZEROS    0x3030303030303030u
#define PH_SIX_DIGITS     1000000u
#define PH_EIGHT_DIGITS   100000000u
#define PH_NINE_DIGITS    1000000000u
#define PH_SIXTEEN_DIGITS 10000000000000000u

/* 10^0 to 10^19: all that fit in 64 bits. */
extern const uint64_t ph_integer_powers_of_ten[20];

/* Words of text keep the first character in the lowest byte on every machine. */
PH_INLINE uint64_t ph_text_load_word(const uint8_t *from)
{
    uint64_t word = ph_load_native64(from);
    return PH_LITTLE_ENDIAN ? word : __builtin_bswap64(word);
}

/* Four characters, likewise. */
PH_INLINE uint64_t ph_text_load_half_word(const uint8_t *from)
{
    uint32_t word = ph_load_native32(from);
    return PH_LITTLE_ENDIAN ? word : __builtin_bswap32(word);
}

PH_INLINE void ph_text_store_word(uint8_t *to, uint64_t word)
{
    uint64_t raw = PH_LITTLE_ENDIAN ? word : __builtin_bswap64(word);
    memcpy(to, &raw, sizeof raw);
}

/* The high bits of eight bytes as eight bits, the lowest byte first. */
PH_INLINE uint64_t ph_gather_high_bits(uint64_t word)
{
    return ((word & 0x8080808080808080u) >> 7) * 0x0102040810204080u >> 56;
}

/* The eight digits (0 to 9, not characters) of a number below 10^8, zeros in front. */
PH_INLINE uint64_t ph_split_eight_digits(uint32_t number)
{
    uint64_t fours = number / 10000 | (uint64_t)(number % 10000) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007F0000007Fu;
    uint64_t pairs = hundreds | (fours - 100 * hundreds) << 16;
    uint64_t tens = (pairs * 103 >> 10) & 0x000F000F000F000Fu;
    return tens | (pairs - 10 * tens) << 8;
}

/* The number that eight digits (0 to 9, not characters) make. */
PH_INLINE uint32_t ph_join_eight_digits(uint64_t digits)
{
    uint64_t pairs = (digits * (1 + (10u << 8)) >> 8) & 0x00FF00FF00FF00FFu;
    uint64_t fours = (pairs * (1 + (100u << 16)) >> 16) & 0x0000FFFF0000FFFFu;
    return (uint32_t)(fours * (1 + ((uint64_t)10000 << 32)) >> 32);
}

/* Eight characters that begin with digits. */
typedef struct ph_digit_word {
    uint64_t digits; /* those that are digits, as 0 to 9 */
    uint64_t others; /* the high bit of the first byte that is no digit; zero if all are */
} ph_digit_word;

PH_INLINE ph_digit_word ph_digit_word_load(const uint8_t *from)
{
    ph_digit_word word;
    word.digits = ph_text_load_word(from) ^ PH_ASCII_ZEROS;
    /* Adding 0x76 sets the high bit of all above 9. What carries reaches bytes behind one that is no
     * digit already: the bits after the first are not to be trusted. */
    word.others = ((word.digits + 0x7676767676767676u) | word.digits) & 0x8080808080808080u;
    return word;
}

/* How many digits come first, if not all eight. */
PH_INLINE unsigned ph_digit_word_count(ph_digit_word word)
{
    return (unsigned)__builtin_ctzll(word.others) / 8;
}

/* The number that they make; there are one to seven. */
PH_INLINE uint32_t ph_digit_word_join(ph_digit_word word)
{
    /* The digits move up to the end of the word, zeros in front of them. */
    return ph_join_eight_digits(word.digits << (71 - __builtin_ctzll(word.others)));
}

/* Writes the digits of a number below 10^8 without leading zeros; touches 8 bytes. */
PH_INLINE uint8_t *ph_text_put_up_to_eight(uint8_t *to, uint32_t number)
{
    uint64_t digits = ph_split_eight_digits(number);
    unsigned zeros = (unsigned)__builtin_ctzll(digits | (uint64_t)1 << 56) / 8;
    ph_text_store_word(to, (digits + PH_ASCII_ZEROS) >> 8 * zeros);
    return to + 8 - zeros;
}

/* For each number below 1000 its three digits as characters, the first one in the lowest byte, and
 * in the highest byte how many of them are leading zeros (two for 0: its last digit is written). */
extern const uint32_t ph_three_digits[1000];

PH_INLINE void ph_text_store_half_word(uint8_t *to, uint32_t word)
{
    uint32_t raw = PH_LITTLE_ENDIAN ? word : __builtin_bswap32(word);
    memcpy(to, &raw, sizeof raw);
}

/* Writes the digits of a number below 1000 without leading zeros; touches 4 bytes. */
PH_INLINE uint8_t *ph_text_put_up_to_three(uint8_t *to, uint32_t number)
{
    uint32_t digits = ph_three_digits[number];
    uint32_t zeros = digits >> 24;
    ph_text_store_half_word(to, digits >> 8 * zeros);
    return to + 3 - zeros;
}

/* Writes the six digits of a number below 10^6, zeros in front; touches 7 bytes. */
PH_INLINE uint8_t *ph_text_put_six(uint8_t *to, uint32_t number)
{
    uint32_t thousands = number / 1000;
    ph_text_store_half_word(to, ph_three_digits[thousands]);
    ph_text_store_half_word(to + 3, ph_three_digits[number - thousands * 1000]);
    return to + 6;
}

/* Writes the digits of a number below 10^6 without leading zeros; touches up to 7 bytes. */
PH_INLINE uint8_t *ph_text_put_up_to_six(uint8_t *to, uint32_t number)
{
    if (PH_LIKELY(number < 1000)) {
        return ph_text_put_up_to_three(to, number);
    }
    uint32_t thousands = number / 1000;
    to = ph_text_put_up_to_three(to, thousands);
    ph_text_store_half_word(to, ph_three_digits[number - thousands * 1000]);
    return to + 3;
}

/* Writes the digits of a number below 10^9 without leading zeros; touches up to 10 bytes. */
PH_INLINE uint8_t *ph_text_put_up_to_nine(uint8_t *to, uint32_t number)
{
    if (PH_LIKELY(number < PH_SIX_DIGITS)) {
        return ph_text_put_up_to_six(to, number);
    }
    uint32_t millions = number / PH_SIX_DIGITS;
    to = ph_text_put_up_to_three(to, millions);
    return ph_text_put_six(to, number - millions * PH_SIX_DIGITS);
}

/* For PH_NINE_DIGITS and more; kept out of line, callers' loops see mostly small numbers. */
uint8_t *ph_text_put_large(uint8_t *to, uint64_t number);

/* Writes `number` in decimal at `to`, where PH_INTEGER_TEXT_ROOM bytes are free, and returns the
 * position after the last digit. No terminator. */
PH_INLINE uint8_t *ph_text_put_u64(uint8_t *to, uint64_t number)
{
    if (PH_LIKELY(number < PH_SIX_DIGITS)) { /* most are: asked for first */
        return ph_text_put_up_to_six(to, (uint32_t)number);
    }
    return PH_LIKELY(number < PH_NINE_DIGITS) ? ph_text_put_up_to_nine(to, (uint32_t)number)
                                              : ph_text_put_large(to, number);
}

PH_INLINE uint8_t *ph_text_put_i64(uint8_t *to, int64_t number)
{
    *to = '-';
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    return ph_text_put_u64(to + (number < 0), magnitude);
}

/* Reads a whole text of `size` bytes as JSON writes integers: digits without leading zeros; for
 * ph_text_to_i64 also a minus sign before them. PH_ERROR_NONE, PH_ERROR_JSON_NUMBER when the text is
 * anything else, PH_ERROR_INTEGER_RANGE when it is a number that does not fit; *number is set only
 * on success. Thread safe. */
ph_error_code ph_text_to_u64(const uint8_t *text, size_t size, uint64_t *number);
ph_error_code ph_text_to_i64(const uint8_t *text, size_t size, int64_t *number);

#endif
