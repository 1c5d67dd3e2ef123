/* Which vector instructions this processor runs, asked when it runs: a load and a test each. */
#ifndef PH_TEXT_PROCESSOR_H
#define PH_TEXT_PROCESSOR_H

#include "base/bytes.h"

#if defined(__x86_64__)

# define PH_HAS_AVX2_VARIANT 1

/* Whether this processor (and its operating system) runs the AVX2 variants. */
PH_INLINE bool ph_cpu_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

# define PH_HAS_AVX512_VARIANT 1

/* What the AVX-512 variants are compiled for: bytes can be packed in place (VBMI2). */
# define PH_AVX512                                                                \
  __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi," \
                        "avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))

/* Whether this processor (and its operating system) runs them: Intel's since 2019, AMD's since 2022. */
PH_INLINE bool ph_cpu_has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

#endif

#endif
