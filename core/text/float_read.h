/* The common case of decimal to double, inline: one multiplication, and word that it was not enough. */
#ifndef PH_TEXT_FLOAT_READ_H
#define PH_TEXT_FLOAT_READ_H

#include "text/float_text.h"
#include "text/multiply.h"
#include "text/power_tables.h"

#define PH_ESTIMATE_EXPONENT 280

/* The bits of the double nearest to digits times 10^exponent, in *bits; false when this does not tell.
 * digits is not zero, exponent at most PH_ESTIMATE_EXPONENT either way: the result is a normal double.
 *
 * The upper word of the power is at most one too small, so that the true product is greater by less
 * than `digits` (normalised) in its lower word, and by less than one in its upper word. That
 * decides nothing unless all of the nine bits behind those that are looked at are ones (it could
 * carry) or zeros (it could be a tie). */
PH_INLINE bool ph_double_estimate(uint64_t digits, int32_t exponent, uint64_t *bits)
{
    unsigned zeros = (unsigned)__builtin_clzll(digits);
    ph_product product = ph_multiply(digits << zeros, ph_power_of_ten_at(exponent).high);
    unsigned top_bit = (unsigned)(product.high >> 63);
    /* The hidden bit of a normal number adds the one that the exponent lacks here. */
    int32_t biased = ph_power_of_ten_log2(exponent) + 63 + (int32_t)top_bit - (int32_t)zeros + 1022;
    uint64_t significand = ((product.high >> (9 + top_bit)) + 1) >> 1;
    *bits = ((uint64_t)(uint32_t)biased << 52) + significand;
    return ((product.high + 1) & 0x1FF) > 1;
}

#endif
