/* Limits are data: one struct and one table of defaults for every host. */
#ifndef PH_BASE_LIMITS_H
#define PH_BASE_LIMITS_H

#include "base/compiler.h"

#define PH_NO_LIMIT UINT64_MAX

/* Containers around the innermost value; one more is PH_ERROR_DEPTH_LIMIT. A container counts
 * itself, so that 1024 nested arrays pass and 1025 fail, whether or not the innermost is empty. */
#define PH_DEFAULT_DEPTH 1024

/* Bytes a stream may buffer before it must have yielded a value. */
#define PH_DEFAULT_BUFFERED_BYTES 104857600

typedef struct ph_limits {
    uint64_t string_bytes;
    uint64_t binary_bytes;
    uint64_t array_elements;
    uint64_t map_entries; /* pairs */
    uint64_t ext_bytes;
    uint64_t buffered_bytes;
    uint32_t depth;
} ph_limits;

/* A claimed length is always checked against the bytes that are left, so the defaults need not
 * bound it again: lengths are unlimited, depth and buffering are not. */
PH_INLINE ph_limits ph_limits_default(void)
{
    ph_limits limits = {.string_bytes = PH_NO_LIMIT,
                        .binary_bytes = PH_NO_LIMIT,
                        .array_elements = PH_NO_LIMIT,
                        .map_entries = PH_NO_LIMIT,
                        .ext_bytes = PH_NO_LIMIT,
                        .buffered_bytes = PH_DEFAULT_BUFFERED_BYTES,
                        .depth = PH_DEFAULT_DEPTH};
    return limits;
}

#endif
