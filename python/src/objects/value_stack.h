/* A stack of owned references for values whose container does not exist yet. */
#ifndef PH_PYTHON_OBJECTS_VALUE_STACK_H
#define PH_PYTHON_OBJECTS_VALUE_STACK_H

#include "cpython_build.h"

/* Small documents never leave the part that lies on the C stack. Owned by one decoding. The items
 * may move whenever room is made, so that callers keep indices, not pointers, across a nested value. */
#define PH_VALUE_STACK_FIRST 128

typedef struct ph_value_stack {
    PyObject **items;
    size_t used;
    size_t capacity;
    PyObject *first[PH_VALUE_STACK_FIRST];
} ph_value_stack;

PH_INLINE void ph_value_stack_init(ph_value_stack *stack)
{
    stack->items = stack->first;
    stack->used = 0;
    stack->capacity = PH_VALUE_STACK_FIRST;
}

/* The slow half of ph_value_stack_reserve. */
int ph_value_stack_grow(ph_value_stack *stack, size_t more);

/* Room for `more` references above the used ones; -1 with MemoryError set. */
PH_INLINE int ph_value_stack_reserve(ph_value_stack *stack, size_t more)
{
    if (PH_LIKELY(stack->capacity - stack->used >= more)) {
        return 0;
    }
    return ph_value_stack_grow(stack, more);
}

/* Needs room reserved; takes over the reference. */
PH_INLINE void ph_value_stack_push(ph_value_stack *stack, PyObject *value)
{
    stack->items[stack->used++] = value;
}

/* Drops the references from index `base` on. */
void ph_value_stack_drop(ph_value_stack *stack, size_t base);

/* A list of the references from index `base` on, which leave the stack in any case. A new reference,
 * or NULL with MemoryError set. */
PyObject *ph_value_stack_take_list(ph_value_stack *stack, const ph_object_samples *samples,
                                   size_t base);

/* Frees the memory; no references may be left. */
PH_INLINE void ph_value_stack_clear(ph_value_stack *stack)
{
    if (PH_UNLIKELY(stack->items != stack->first)) {
        PyMem_Free(stack->items);
    }
}

#endif
