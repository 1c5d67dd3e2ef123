/* Compiler attributes, spelled once: the only file that asks which compiler this is. */
#ifndef PH_BASE_COMPILER_H
#define PH_BASE_COMPILER_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__GNUC__)
# error "Packhorse needs gcc or clang (GNU attributes and builtins)"
#endif

/* Hot code that a host's loop must see whole: the token stays in the caller's registers. */
#define PH_INLINE static inline __attribute__((always_inline))
/* Cold code kept out of hot functions, so that it does not spill their registers. */
#define PH_COLD     __attribute__((cold, noinline))
#define PH_NOINLINE __attribute__((noinline))
/* A function with a short hot loop: it begins at a cache line, so that how fast the loop runs does not
 * depend on what was linked before it. */
#define PH_ALIGNED             __attribute__((aligned(64)))
#define PH_LIKELY(condition)   __builtin_expect(!!(condition), 1)
#define PH_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define PH_UNREACHABLE()       __builtin_unreachable()
#define PH_WARN_UNUSED         __attribute__((warn_unused_result))

#if defined(__SANITIZE_ADDRESS__)
# define PH_SANITIZED 1
#elif defined(__has_feature)
# if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#  define PH_SANITIZED 1
# endif
#endif

#endif
