/* The bounds of the calling thread's stack, as the system tells them. */
#include "stack_room.h"

#if defined(__linux__)

# include <pthread.h>

/* The lowest address of the stack and its size; false when the system does not say. */
static bool stack_bounds(uintptr_t *lowest, size_t *size)
{
    pthread_attr_t attributes;
    void *address = NULL;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
        return false;
    }
    bool known = pthread_attr_getstack(&attributes, &address, size) == 0;
    pthread_attr_destroy(&attributes);
    *lowest = (uintptr_t)address;
    return known;
}

#elif defined(__APPLE__)

# include <pthread.h>

static bool stack_bounds(uintptr_t *lowest, size_t *size)
{
    *size = pthread_get_stacksize_np(pthread_self());
    *lowest = (uintptr_t)pthread_get_stackaddr_np(pthread_self()) - *size;
    return true;
}

#else

static bool stack_bounds(uintptr_t *lowest, size_t *size)
{
    (void)lowest;
    (void)size;
    return false;
}

#endif

uintptr_t ph_stack_floor(void)
{
    uintptr_t lowest = 0;
    size_t size = 0;
    if (!stack_bounds(&lowest, &size) || PH_STACK_HERE() - lowest >= size) {
        return 0;
    }
    return lowest + PH_STACK_RESERVE;
}
