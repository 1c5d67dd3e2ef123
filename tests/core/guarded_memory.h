/* Memory that ends at a page nobody may touch: a read or write one byte too far stops the test. */
#ifndef TESTS_CORE_GUARDED_MEMORY_H
#define TESTS_CORE_GUARDED_MEMORY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct guarded_memory {
    uint8_t *mapping;
    size_t mapped;   /* bytes, the guard page included */
    uint8_t *end;    /* first byte of the guard page */
    size_t capacity; /* bytes before end */
} guarded_memory;

static inline guarded_memory guarded_memory_new(size_t capacity)
{
    guarded_memory memory;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    memory.capacity = (capacity + page - 1) / page * page;
    memory.mapped = memory.capacity + page;
    memory.mapping =
        mmap(NULL, memory.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory.mapping == MAP_FAILED ||
        mprotect(memory.mapping + memory.capacity, page, PROT_NONE)) {
        abort();
    }
    memory.end = memory.mapping + memory.capacity;
    return memory;
}

static inline void guarded_memory_free(guarded_memory *memory)
{
    munmap(memory->mapping, memory->mapped);
}

/* A copy of the bytes whose last one is the last before the guard page. */
static inline uint8_t *guarded_memory_copy(guarded_memory *memory, const void *bytes, size_t size)
{
    if (size > memory->capacity) {
        abort();
    }
    uint8_t *copy = memory->end - size;
    if (size != 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

#endif
