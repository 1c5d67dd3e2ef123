/* Non-negative integers of up to 3072 bits on the stack: enough to decide how a decimal rounds. */
#ifndef PH_TEXT_BIG_INTEGER_H
#define PH_TEXT_BIG_INTEGER_H

#include "base/compiler.h"

/* The largest that occurs has about 2620 bits: 771 digits, or the midpoint below the smallest double
 * times the power of five that makes it an integer. */
#define PH_BIG_INTEGER_WORDS 48

typedef struct ph_big_integer {
    uint32_t length;                      /* words in use; the uppermost is not zero */
    uint64_t words[PH_BIG_INTEGER_WORDS]; /* least significant first */
} ph_big_integer;

void ph_big_integer_set(ph_big_integer *number, uint64_t value);

/* number = number * factor + addend */
void ph_big_integer_multiply_add(ph_big_integer *number, uint64_t factor, uint64_t addend);

void ph_big_integer_multiply_power_of_five(ph_big_integer *number, uint32_t exponent);

void ph_big_integer_shift_left(ph_big_integer *number, uint32_t bits);

/* Below, equal to or above zero, as a is to b. */
int ph_big_integer_compare(const ph_big_integer *a, const ph_big_integer *b);

#endif
