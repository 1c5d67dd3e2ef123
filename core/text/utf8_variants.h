/* The implementations behind ph_utf8_measure, named so that a test can compare them. */
#ifndef PH_TEXT_UTF8_VARIANTS_H
#define PH_TEXT_UTF8_VARIANTS_H

#include "text/utf8.h"

/* Runs everywhere. */
ph_text_facts ph_utf8_measure_portable(const uint8_t *text, size_t size);

#if defined(__x86_64__)
# define PH_HAS_AVX2_VARIANT 1

/* Whether this processor (and its operating system) runs the AVX2 variants: one load and a test. */
PH_INLINE bool ph_cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

/* Sizes from PH_AVX2_SMALLEST, on processors with AVX2: the last vector, and the loads of what stands
 * three bytes before it, must not begin before the text. */
# define PH_AVX2_SMALLEST 35
ph_text_facts ph_utf8_measure_avx2(const uint8_t *text, size_t size);
#endif

#if defined(__aarch64__) && PH_LITTLE_ENDIAN
# define PH_HAS_NEON_VARIANT 1

/* Sizes from PH_NEON_SMALLEST, for the same reason; every aarch64 has NEON. */
# define PH_NEON_SMALLEST 19
ph_text_facts ph_utf8_measure_neon(const uint8_t *text, size_t size);
#endif

#endif
