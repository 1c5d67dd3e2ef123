/* Reproducible random numbers, the same on every machine: xorshift64* (S. Vigna, 2016). */
#ifndef TESTS_CORE_NEXT_RANDOM_H
#define TESTS_CORE_NEXT_RANDOM_H

#include <stdint.h>

/* The next number; *seed is the state, never zero. */
static inline uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 0x2545F4914F6CDD1Du;
}

#endif
