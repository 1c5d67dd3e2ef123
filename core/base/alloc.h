/* The allocator that callers pass in: one function, old and new size, a context. */
#ifndef PH_BASE_ALLOC_H
#define PH_BASE_ALLOC_H

#include "base/compiler.h"

/* One function for all three operations, so that a host wraps its own in five lines:
 *   block NULL, old_size 0:  allocate new_size bytes
 *   new_size 0:              free block (block NULL is allowed), return NULL
 *   otherwise:               resize; on failure return NULL and leave block valid
 * Must return memory aligned for any type. Sizes are bytes. */
typedef struct ph_allocator {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
} ph_allocator;

PH_INLINE void *ph_allocate(const ph_allocator *allocator, size_t size)
{
    return allocator->resize(allocator->context, NULL, 0, size);
}

PH_INLINE void *ph_reallocate(const ph_allocator *allocator, void *block, size_t old_size,
                              size_t new_size)
{
    return allocator->resize(allocator->context, block, old_size, new_size);
}

PH_INLINE void ph_release(const ph_allocator *allocator, void *block, size_t size)
{
    if (block != NULL) {
        allocator->resize(allocator->context, block, size, 0);
    }
}

#endif
