/* Powers of ten for reading and printing doubles; tools/make_power_tables.py writes the table. */
#ifndef PH_TEXT_POWER_TABLES_H
#define PH_TEXT_POWER_TABLES_H

#include "base/compiler.h"

#include <stdbool.h>

#define PH_POWER_SMALLEST (-343)
#define PH_POWER_LARGEST  324

/* The upper 128 bits of a power of ten, rounded down; the top bit is always set. */
typedef struct ph_power_of_ten {
    uint64_t high;
    uint64_t low;
} ph_power_of_ten;

/* Entry i is 10^(i + PH_POWER_SMALLEST). */
extern const ph_power_of_ten ph_powers_of_ten[PH_POWER_LARGEST - PH_POWER_SMALLEST + 1];

/* How a double is scaled to be printed, by its exponent as it is stored, with one look-up: 16 times the
 * index of the power of ten that brings the distance of its neighbours to between 1/10 and 1, plus how
 * far its significand is shifted to the left (0 to 3), so that the product with the 128 bits of the
 * power is 2^131 times the scaled number. */
extern const uint16_t ph_double_scales[2047];

PH_INLINE ph_power_of_ten ph_power_of_ten_at(int32_t exponent)
{
    return ph_powers_of_ten[exponent - PH_POWER_SMALLEST];
}

/* 5^55 is the largest power of five below 2^128: these entries are the power itself. */
PH_INLINE bool ph_power_of_ten_is_exact(int32_t exponent)
{
    return exponent >= 0 && exponent <= 55;
}

/* floor(log2(10^exponent)), for the exponents of the table (an arithmetic right shift is meant, as
 * gcc and clang define it). */
PH_INLINE int32_t ph_power_of_ten_log2(int32_t exponent)
{
    return exponent * 217706 >> 16;
}

#endif
