/* The long way for large integers, and whole texts to integers. */
#include "text/integer_text.h"

#define DIGITS(hundreds, tens, ones)                                \
 (('0' + (hundreds)) | ('0' + (tens)) << 8 | ('0' + (ones)) << 16 | \
  ((hundreds) != 0 ? 0                                              \
   : (tens) != 0   ? 1                                              \
                   : 2)                                               \
      << 24)
#define TEN(hundreds, tens)                                                           \
 DIGITS(hundreds, tens, 0), DIGITS(hundreds, tens, 1), DIGITS(hundreds, tens, 2),     \
     DIGITS(hundreds, tens, 3), DIGITS(hundreds, tens, 4), DIGITS(hundreds, tens, 5), \
     DIGITS(hundreds, tens, 6), DIGITS(hundreds, tens, 7), DIGITS(hundreds, tens, 8), \
     DIGITS(hundreds, tens, 9)
#define HUNDRED(hundreds)                                                                  \
 TEN(hundreds, 0), TEN(hundreds, 1), TEN(hundreds, 2), TEN(hundreds, 3), TEN(hundreds, 4), \
     TEN(hundreds, 5), TEN(hundreds, 6), TEN(hundreds, 7), TEN(hundreds, 8), TEN(hundreds, 9)

const uint32_t ph_three_digits[1000] = {HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
                                        HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9)};

const uint64_t ph_integer_powers_of_ten[20] = {1u,
                                               10u,
                                               100u,
                                               1000u,
                                               10000u,
                                               100000u,
                                               1000000u,
                                               10000000u,
                                               100000000u,
                                               1000000000u,
                                               10000000000u,
                                               100000000000u,
                                               1000000000000u,
                                               10000000000000u,
                                               100000000000000u,
                                               1000000000000000u,
                                               10000000000000000u,
                                               100000000000000000u,
                                               1000000000000000000u,
                                               10000000000000000000u};

/* Writes the nine digits of a number below 10^9, zeros in front. */
PH_INLINE uint8_t *put_nine(uint8_t *to, uint32_t number)
{
    uint32_t millions = number / 1000000;
    ph_text_store_half_word(to, ph_three_digits[millions]);
    return ph_text_put_six(to + 3, number - millions * 1000000);
}

uint8_t *ph_text_put_large(uint8_t *to, uint64_t number)
{
    uint64_t upper = number / PH_NINE_DIGITS;
    uint32_t lower = (uint32_t)(number % PH_NINE_DIGITS);
    if (PH_LIKELY(upper < PH_NINE_DIGITS)) {
        to = ph_text_put_up_to_nine(to, (uint32_t)upper);
    } else {
        to = ph_text_put_up_to_three(to, (uint32_t)(upper / PH_NINE_DIGITS)); /* at most 18 */
        to = put_nine(to, (uint32_t)(upper % PH_NINE_DIGITS));
    }
    return put_nine(to, lower);
}

ph_error_code ph_text_to_u64(const uint8_t *text, size_t size, uint64_t *number)
{
    if (size == 0 || (text[0] == '0' && size > 1)) {
        return PH_ERROR_JSON_NUMBER;
    }
    uint64_t sum = 0;
    bool fits = true;
    for (size_t at = 0; at < size; at++) {
        unsigned digit = (unsigned)text[at] - '0';
        if (digit > 9) {
            return PH_ERROR_JSON_NUMBER;
        }
        fits = fits && !__builtin_mul_overflow(sum, (uint64_t)10, &sum) &&
               !__builtin_add_overflow(sum, (uint64_t)digit, &sum);
    }
    if (!fits) {
        return PH_ERROR_INTEGER_RANGE;
    }
    *number = sum;
    return PH_ERROR_NONE;
}

ph_error_code ph_text_to_i64(const uint8_t *text, size_t size, int64_t *number)
{
    bool negative = size > 0 && text[0] == '-';
    uint64_t magnitude;
    ph_error_code code = ph_text_to_u64(text + negative, size - negative, &magnitude);
    if (code != PH_ERROR_NONE) {
        return code;
    }
    if (magnitude > (uint64_t)INT64_MAX + negative) {
        return PH_ERROR_INTEGER_RANGE;
    }
    *number = (int64_t)(negative ? 0 - magnitude : magnitude);
    return PH_ERROR_NONE;
}
