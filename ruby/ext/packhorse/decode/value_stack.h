/* Values that have been read and wait for their container, and the containers that are open. */
#ifndef PH_RUBY_VALUE_STACK_H
#define PH_RUBY_VALUE_STACK_H

#include "packhorse.h"

/* A container that is being read. */
typedef struct ph_open_container {
    size_t base;   /* where its values begin on the stack */
    uint64_t left; /* MessagePack: values still to come, keys counted. JSON: where it begins */
    bool map;
} ph_open_container;

#define PH_LOCAL_VALUES     512
#define PH_LOCAL_CONTAINERS 32

/* Lives on the machine stack, where the collector sees its values; what does not fit there moves to
 * memory that the collector scans, and frees if an exception passes. */
typedef struct ph_value_stack {
    VALUE *values;
    size_t capacity;
    ph_open_container *containers;
    size_t container_capacity;
    volatile VALUE values_memory;
    volatile VALUE containers_memory;
    VALUE local_values[PH_LOCAL_VALUES];
    ph_open_container local_containers[PH_LOCAL_CONTAINERS];
} ph_value_stack;

/* An empty stack. Nothing is set to zero: the collector may look at what lies there, it does not
 * trust it. */
PH_INLINE void ph_value_stack_init(ph_value_stack *stack)
{
    stack->values = stack->local_values;
    stack->capacity = PH_LOCAL_VALUES;
    stack->containers = stack->local_containers;
    stack->container_capacity = PH_LOCAL_CONTAINERS;
    stack->values_memory = Qfalse;
    stack->containers_memory = Qfalse;
}

/* Room for at least `wanted` values and for more than there was; `used` are kept. Returns the new
 * place of the values. Allocates. */
VALUE *ph_value_stack_grow(ph_value_stack *stack, size_t used, size_t wanted);

/* Room for more containers. Allocates. */
void ph_value_stack_grow_containers(ph_value_stack *stack);

/* Gives back what was allocated. */
PH_INLINE void ph_value_stack_free(ph_value_stack *stack)
{
    if (PH_UNLIKELY(stack->values_memory != Qfalse)) {
        rb_free_tmp_buffer(&stack->values_memory);
    }
    if (PH_UNLIKELY(stack->containers_memory != Qfalse)) {
        rb_free_tmp_buffer(&stack->containers_memory);
    }
}

#endif
