/* 64 by 64 bits to 128, with and without a 128-bit type in the compiler. */
#ifndef PH_TEXT_MULTIPLY_H
#define PH_TEXT_MULTIPLY_H

#include "base/compiler.h"

typedef struct ph_product {
    uint64_t high;
    uint64_t low;
} ph_product;

/* For machines without a 128-bit type; the tests compare it with the other. */
PH_INLINE ph_product ph_multiply_by_halves(uint64_t a, uint64_t b)
{
    uint64_t a_low = (uint32_t)a;
    uint64_t a_high = a >> 32;
    uint64_t b_low = (uint32_t)b;
    uint64_t b_high = b >> 32;
    uint64_t low = a_low * b_low;
    uint64_t middle = a_high * b_low + (low >> 32);
    uint64_t other = a_low * b_high + (uint32_t)middle;
    ph_product product = {a_high * b_high + (middle >> 32) + (other >> 32),
                          other << 32 | (uint32_t)low};
    return product;
}

PH_INLINE ph_product ph_multiply(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ unsigned __int128 whole = (unsigned __int128)a * b;
    ph_product product = {(uint64_t)(whole >> 64), (uint64_t)whole};
    return product;
#else
    return ph_multiply_by_halves(a, b);
#endif
}

#endif
