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

/* What the system said of the stack of this thread, which does not move: size 0 as long as it was not
 * asked, 1 when it did not say. */
static _Thread_local struct {
    uintptr_t lowest;
    size_t size;
} this_stack;

uintptr_t ph_stack_floor(void)
{
    if (this_stack.size == 0 && !stack_bounds(&this_stack.lowest, &this_stack.size)) {
        this_stack.size = 1;
    }
    if (PH_STACK_HERE() - this_stack.lowest >= this_stack.size) {
        return 0;
    }
    return this_stack.lowest + PH_STACK_RESERVE;
}

bool ph_stack_allows_call(void)
{
    if (PH_STACK_HERE() >= ph_stack_floor()) {
        return true;
    }
    PyErr_SetString(PyExc_RecursionError, PH_STACK_TOO_SMALL);
    return false;
}

PyObject *ph_call_hook(PyObject *hook, PyObject *argument)
{
    return ph_stack_allows_call() ? PyObject_CallOneArg(hook, argument) : NULL;
}
