/* Growth of the value stack. */
#include "decode/value_stack.h"

/* `size` bytes moved to `capacity` bytes of new memory; *memory keeps it, the old one is freed. */
static void *move(volatile VALUE *memory, const void *from, size_t size, size_t capacity)
{
    volatile VALUE made = Qfalse;
    void *to = rb_alloc_tmp_buffer(&made, (long)capacity);
    memcpy(to, from, size);
    volatile VALUE old = *memory;
    *memory = made;
    if (old != Qfalse) {
        rb_free_tmp_buffer(&old);
    }
    return to;
}

VALUE *ph_value_stack_grow(ph_value_stack *stack, size_t used, size_t wanted)
{
    size_t capacity = stack->capacity * 2;
    if (capacity < wanted) {
        capacity = wanted;
    }
    stack->values = move(&stack->values_memory, stack->values, used * sizeof *stack->values,
                         capacity * sizeof *stack->values);
    stack->capacity = capacity;
    return stack->values;
}

void ph_value_stack_grow_containers(ph_value_stack *stack)
{
    size_t used = stack->container_capacity;
    size_t capacity = used * 4;
    stack->containers =
        move(&stack->containers_memory, stack->containers, used * sizeof *stack->containers,
             capacity * sizeof *stack->containers);
    stack->container_capacity = capacity;
}
