/* Making plans: one walk over a document, which notes what its decoder has to create. */
#include "plan.h"

/* Room for one more element of `size` bytes; -1 with MemoryError set. */
static int make_room(void *array, size_t used, size_t *room, size_t more, size_t size)
{
    if (more <= *room - used) {
        return 0;
    }
    size_t wanted = (used + more) * 2 + 16;
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = PyMem_Realloc(old, wanted * size);
    if (grown == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return 0;
}

static int add_step(ph_plan *plan, ph_step step)
{
    if (make_room(&plan->steps, plan->step_count, &plan->step_room, 1, sizeof step) < 0) {
        return -1;
    }
    plan->steps[plan->step_count++] = step;
    return 0;
}

static int add_object(ph_plan *plan, ph_step_kind kind, PyObject *object)
{
    if (add_step(plan, (ph_step){.kind = kind, .value.object = object}) < 0) {
        return -1;
    }
    Py_INCREF(object);
    return 0;
}

static int add_text(ph_plan *plan, PyObject *text)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    if (length < 2 && (length == 0 || PyUnicode_READ_CHAR(text, 0) < 0x100)) {
        return add_object(plan, PH_STEP_SHARED, text);
    }
    if (!PyUnicode_IS_COMPACT_ASCII(text)) {
        return add_object(plan, PH_STEP_WIDE, text);
    }
    size_t count = (size_t)length;
    if (make_room(&plan->letters, plan->letter_count, &plan->letter_room, count, 1) < 0) {
        return -1;
    }
    memcpy(plan->letters + plan->letter_count, PyUnicode_1BYTE_DATA(text), count);
    plan->letter_count += count;
    return add_step(plan, (ph_step){.kind = PH_STEP_ASCII, .count = (uint32_t)count});
}

static int add_integer(ph_plan *plan, PyObject *number)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0 && value == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (overflow == 0 && value >= -PH_SMALL_NEGATIVES && value < PH_SMALL_INTEGERS) {
        return add_object(plan, PH_STEP_SHARED, number);
    }
    if (overflow == 0) {
        return add_step(plan, (ph_step){.kind = PH_STEP_INTEGER, .value.integer = value});
    }
    unsigned long long wide = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred()) {
        return -1;
    }
    return add_step(plan, (ph_step){.kind = PH_STEP_UNSIGNED, .value.unsigned_integer = wide});
}

/* The template of a new shape; false where only public calls are left. */
static void prepare_shape(ph_plan *plan, ph_plan_shape *shape)
{
#if PH_FAST_PATH
    Py_ssize_t count = PyTuple_GET_SIZE(shape->keys);
    shape->dict.keys = NULL;
    bool all_text = count > 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        all_text = all_text && PyUnicode_CheckExact(PyTuple_GET_ITEM(shape->keys, i));
    }
    if (all_text && plan->samples->trusted &&
        !ph_dict_template_init(&shape->dict, &plan->samples->young,
                               &PyTuple_GET_ITEM(shape->keys, 0), (uint32_t)count,
                               count <= PH_SPLIT_KEYS_MAX)) {
        shape->dict.keys = NULL;
    }
#else
    (void)plan;
    (void)shape;
#endif
}

/* The index of the shape with these keys (a tuple, borrowed), added when it is new; -1 with an
 * exception set. */
static Py_ssize_t shape_of(ph_plan *plan, PyObject *keys)
{
    PyObject *known = PyDict_GetItemWithError(plan->shape_index, keys);
    if (known != NULL) {
        return PyLong_AsSsize_t(known);
    }
    if (PyErr_Occurred() || make_room(&plan->shapes, plan->shape_count, &plan->shape_room, 1,
                                      sizeof *plan->shapes) < 0) {
        return -1;
    }
    Py_ssize_t index = (Py_ssize_t)plan->shape_count;
    PyObject *number = PyLong_FromSsize_t(index);
    if (number == NULL || PyDict_SetItem(plan->shape_index, keys, number) < 0) {
        Py_XDECREF(number);
        return -1;
    }
    Py_DECREF(number);
    ph_plan_shape *shape = &plan->shapes[plan->shape_count++];
    shape->keys = Py_NewRef(keys);
    prepare_shape(plan, shape);
    return index;
}

static int add_map(ph_plan *plan, PyObject *map, size_t open)
{
    PyObject *list = PyDict_Keys(map);
    PyObject *keys = list == NULL ? NULL : PyList_AsTuple(list);
    Py_XDECREF(list);
    Py_ssize_t shape = keys == NULL ? -1 : shape_of(plan, keys);
    Py_XDECREF(keys);
    if (shape < 0 || add_step(plan, (ph_step){.kind = PH_STEP_MAP, .count = (uint32_t)shape}) < 0) {
        return -1;
    }
    open += (size_t)PyDict_GET_SIZE(map);
    if (open > plan->values_at_once) {
        plan->values_at_once = open;
    }
    PyObject *key, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(map, &position, &key, &value)) {
        if (ph_plan_add(plan, value, open) < 0) {
            return -1;
        }
    }
    return 0;
}

static int add_sequence(ph_plan *plan, ph_step_kind kind, PyObject *sequence, size_t open)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
    if (add_step(plan, (ph_step){.kind = kind, .count = (uint32_t)count}) < 0) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        if (ph_plan_add(plan, PySequence_Fast_GET_ITEM(sequence, i), open) < 0) {
            return -1;
        }
    }
    return 0;
}

int ph_plan_add(ph_plan *plan, PyObject *value, size_t open)
{
    int result;
    if (Py_EnterRecursiveCall(" while planning")) {
        return -1;
    }
    if (value == Py_None || PyBool_Check(value)) {
        result = add_object(plan, PH_STEP_SHARED, value);
    } else if (PyUnicode_CheckExact(value)) {
        result = add_text(plan, value);
    } else if (PyLong_CheckExact(value)) {
        result = add_integer(plan, value);
    } else if (PyFloat_CheckExact(value)) {
        result = add_step(
            plan, (ph_step){.kind = PH_STEP_FLOAT, .value.number = PyFloat_AS_DOUBLE(value)});
    } else if (PyBytes_CheckExact(value)) {
        result = add_object(plan, PH_STEP_BYTES, value);
    } else if (PyList_CheckExact(value)) {
        result = add_sequence(plan, PH_STEP_LIST, value, open);
    } else if (PyTuple_CheckExact(value)) {
        result = add_sequence(plan, PH_STEP_TUPLE, value, open);
    } else if (PyDict_CheckExact(value)) {
        result = add_map(plan, value, open);
    } else {
        PyErr_Format(PyExc_TypeError, "the floor knows no '%s'", Py_TYPE(value)->tp_name);
        result = -1;
    }
    Py_LeaveRecursiveCall();
    return result;
}

void ph_plan_clear(ph_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        ph_step_kind kind = plan->steps[i].kind;
        if (kind == PH_STEP_SHARED || kind == PH_STEP_WIDE || kind == PH_STEP_BYTES) {
            Py_DECREF(plan->steps[i].value.object);
        }
    }
    for (size_t i = 0; i < plan->shape_count; i++) {
        Py_DECREF(plan->shapes[i].keys);
#if PH_FAST_PATH
        ph_dict_template_clear(&plan->shapes[i].dict);
#endif
    }
    PyMem_Free(plan->steps);
    PyMem_Free(plan->letters);
    PyMem_Free(plan->shapes);
    PyMem_Free(plan->open_values);
    Py_XDECREF(plan->shape_index);
}
