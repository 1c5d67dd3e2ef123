/* Growth and release of the value stack. */
#include "objects/value_stack.h"

#include "base/bytes.h"

int PH_COLD ph_value_stack_grow(ph_value_stack *stack, size_t more)
{
    size_t needed, size;
    if (!ph_size_add(stack->used, more, &needed)) {
        PyErr_NoMemory();
        return -1;
    }
    size_t capacity = stack->capacity + stack->capacity / 2;
    if (capacity < needed) {
        capacity = needed;
    }
    PyObject **items = NULL;
    if (ph_size_multiply(capacity, sizeof(PyObject *), &size)) {
        items = PyMem_Realloc(stack->items == stack->first ? NULL : stack->items, size);
    }
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (stack->items == stack->first) {
        memcpy(items, stack->first, stack->used * sizeof(PyObject *));
    }
    stack->items = items;
    stack->capacity = capacity;
    return 0;
}

void ph_value_stack_drop(ph_value_stack *stack, size_t base)
{
    while (stack->used > base) {
        Py_DECREF(stack->items[--stack->used]);
    }
}

PyObject *ph_value_stack_take_list(ph_value_stack *stack, const ph_object_samples *samples,
                                   size_t base)
{
    size_t count = stack->used - base;
    PyObject **items = NULL;
    PyObject *list = ph_list_new_unfilled(samples, count, &items);
    if (list == NULL) {
        ph_value_stack_drop(stack, base);
        return NULL;
    }
    ph_copy_references(items, stack->items + base, count);
    ph_list_filled(list, count);
    stack->used = base;
    return list;
}
