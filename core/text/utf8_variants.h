/* The implementations behind ph_utf8_measure, named so that a test can compare them. */
#ifndef PH_TEXT_UTF8_VARIANTS_H
#define PH_TEXT_UTF8_VARIANTS_H

#include "text/processor.h"
#include "text/utf8.h"

/* Runs everywhere. */
ph_text_facts ph_utf8_measure_portable(const uint8_t *text, size_t size);

#if defined(PH_HAS_AVX2_VARIANT)
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
