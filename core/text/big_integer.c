/* The few operations on big integers that exact rounding of decimals needs. Words that would not fit
 * are dropped: the caller's bounds on digits and exponents rule that out. */
#include "text/big_integer.h"

#include "text/multiply.h"

#include <string.h>

static void push_word(ph_big_integer *number, uint64_t word)
{
    if (word != 0 && number->length < PH_BIG_INTEGER_WORDS) {
        number->words[number->length++] = word;
    }
}

void ph_big_integer_set(ph_big_integer *number, uint64_t value)
{
    number->length = 0;
    push_word(number, value);
}

void ph_big_integer_multiply_add(ph_big_integer *number, uint64_t factor, uint64_t addend)
{
    uint64_t carry = addend;
    for (uint32_t i = 0; i < number->length; i++) {
        ph_product product = ph_multiply(number->words[i], factor);
        number->words[i] = product.low + carry;
        carry = product.high + (number->words[i] < carry);
    }
    push_word(number, carry);
}

#define FIVE_TO_27 7450580596923828125u /* the largest power of five below 2^63 */

void ph_big_integer_multiply_power_of_five(ph_big_integer *number, uint32_t exponent)
{
    for (; exponent >= 27; exponent -= 27) {
        ph_big_integer_multiply_add(number, FIVE_TO_27, 0);
    }
    uint64_t rest = 1;
    for (; exponent > 0; exponent--) {
        rest *= 5;
    }
    ph_big_integer_multiply_add(number, rest, 0);
}

void ph_big_integer_shift_left(ph_big_integer *number, uint32_t bits)
{
    uint32_t words = bits / 64;
    if (number->length == 0 || words > PH_BIG_INTEGER_WORDS - number->length) {
        return;
    }
    memmove(number->words + words, number->words, number->length * sizeof *number->words);
    memset(number->words, 0, words * sizeof *number->words);
    number->length += words;
    if (bits % 64 == 0) {
        return;
    }
    uint64_t carry = 0;
    for (uint32_t i = words; i < number->length; i++) {
        uint64_t word = number->words[i];
        number->words[i] = word << bits % 64 | carry;
        carry = word >> (64 - bits % 64);
    }
    push_word(number, carry);
}

int ph_big_integer_compare(const ph_big_integer *a, const ph_big_integer *b)
{
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    for (uint32_t i = a->length; i > 0; i--) {
        if (a->words[i - 1] != b->words[i - 1]) {
            return a->words[i - 1] < b->words[i - 1] ? -1 : 1;
        }
    }
    return 0;
}
