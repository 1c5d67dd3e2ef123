/* packhorse_floor: builds planned objects without parsing, to show what no decoder can go below.
 *
 *   plan = packhorse_floor.Plan(document)
 *   plan.build()         by private layouts where this build has them, the fastest way known
 *   plan.build_public()  by public calls only
 *   plan.next(None), plan.next_public(None)   the next element of a document that is a list, for ever
 *
 * As in the decoder, no collection starts while a document is built. */
#include "plan.h"

#include "objects/objects.h"

/* One set of samples for the life of the process: this module is for one interpreter. */
static ph_object_samples samples;

/* Where the building of one plan stands. */
typedef struct ph_builder {
    const ph_plan *plan;
    const ph_step *step;
    const char *letters;
    PyObject **open_values;
} ph_builder;

static PyObject *text_by_public_calls(const char *letters, uint32_t count)
{
    PyObject *text = PyUnicode_New((Py_ssize_t)count, 0x7f);
    if (text != NULL) {
        memcpy(PyUnicode_1BYTE_DATA(text), letters, count);
    }
    return text;
}

PH_INLINE PyObject *build_ascii(ph_builder *builder, uint32_t count, bool fast)
{
    const char *letters = builder->letters;
    builder->letters += count;
    if (!fast) {
        return text_by_public_calls(letters, count);
    }
    uint8_t *to = NULL;
    PyObject *text = ph_text_new_ascii(&samples, count, &to);
    if (text != NULL) {
        memcpy(to, letters, count);
    }
    return text;
}

static PyObject *build_wide(PyObject *pattern)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(pattern);
    PyObject *text = PyUnicode_New(length, PyUnicode_MAX_CHAR_VALUE(pattern));
    if (text != NULL) {
        memcpy(PyUnicode_DATA(text), PyUnicode_DATA(pattern),
               (size_t)length * (size_t)PyUnicode_KIND(pattern));
    }
    return text;
}

/* One function for each way, so that `fast` is a constant in all that they call. */
static PyObject *build_other_fast(ph_builder *builder);
static PyObject *build_other_public(ph_builder *builder);

/* The value of *step, which is moved on. Numbers and shared objects are made here, so that a list of
 * them goes through no memory but the plan's and the list's. */
PH_INLINE PyObject *build_value(ph_builder *builder, const ph_step **step, bool fast)
{
    const ph_step *now = *step;
    switch (now->kind) {
    case PH_STEP_SHARED:
        ++*step;
        return fast ? PH_IMMORTAL_REF(now->value.object) : Py_NewRef(now->value.object);
    case PH_STEP_INTEGER:
        ++*step;
        return fast ? ph_integer_from_signed(&samples, now->value.integer)
                    : PyLong_FromLongLong(now->value.integer);
    case PH_STEP_FLOAT:
        ++*step;
        return fast ? ph_float_from_double(&samples, now->value.number)
                    : PyFloat_FromDouble(now->value.number);
    default: {
        builder->step = now;
        PyObject *made = fast ? build_other_fast(builder) : build_other_public(builder);
        *step = builder->step;
        return made;
    }
    }
}

static PyObject *build_by_insertion(PyObject *keys, PyObject *const *values)
{
    PyObject *map = PyDict_New();
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keys); i++) {
        if (map != NULL && PyDict_SetItem(map, PyTuple_GET_ITEM(keys, i), values[i]) < 0) {
            Py_CLEAR(map);
        }
        Py_DECREF(values[i]);
    }
    return map;
}

#if PH_FAST_PATH
/* As decoders do: the values are put where the dict will have them. */
static PyObject *build_known_map(ph_builder *builder, const ph_plan_shape *shape)
{
    uint32_t count = shape->dict.count;
    PyObject **values = ph_dict_values_new(count);
    if (values == NULL) {
        return NULL;
    }
    const ph_step *step = builder->step;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = build_value(builder, &step, true);
        if (values[i] == NULL) {
            ph_drop_references(values, i);
            ph_dict_values_free(values, count);
            return NULL;
        }
    }
    builder->step = step;
    return ph_dict_from_template(&shape->dict, values);
}
#endif

PH_INLINE PyObject *build_map(ph_builder *builder, const ph_plan_shape *shape, bool fast)
{
#if PH_FAST_PATH
    if (fast && shape->dict.keys != NULL) {
        return build_known_map(builder, shape);
    }
#endif
    Py_ssize_t count = PyTuple_GET_SIZE(shape->keys);
    PyObject **values = builder->open_values;
    const ph_step *step = builder->step;
    builder->open_values += count;
    for (Py_ssize_t i = 0; i < count; i++) {
        values[i] = build_value(builder, &step, fast);
        if (values[i] == NULL) {
            ph_drop_references(values, (size_t)i);
            return NULL;
        }
    }
    builder->step = step;
    builder->open_values = values;
    return build_by_insertion(shape->keys, values);
}

PH_INLINE PyObject *build_list(ph_builder *builder, Py_ssize_t count, bool fast)
{
    PyObject **items = NULL;
    PyObject *list;
    if (fast) {
        list = ph_list_new_unfilled(&samples, (size_t)count, &items);
    } else {
        list = PyList_New(count);
        items = list == NULL ? NULL : PySequence_Fast_ITEMS(list);
    }
    const ph_step *step = builder->step;
    Py_ssize_t filled = 0;
    for (; list != NULL && filled < count; filled++) {
        items[filled] = build_value(builder, &step, fast);
        if (items[filled] == NULL) {
            break;
        }
    }
    builder->step = step;
    if (list != NULL) {
        ph_list_filled(list, (size_t)filled);
    }
    if (filled < count) {
        Py_CLEAR(list);
    }
    return list;
}

PH_INLINE PyObject *build_tuple(ph_builder *builder, Py_ssize_t count, bool fast)
{
    PyObject *tuple = PyTuple_New(count);
    const ph_step *step = builder->step;
    for (Py_ssize_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *value = build_value(builder, &step, fast);
        if (value == NULL) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SET_ITEM(tuple, i, value);
        }
    }
    builder->step = step;
    return tuple;
}

/* Text, containers and the rest. */
PH_INLINE PyObject *build_other(ph_builder *builder, bool fast)
{
    const ph_step *step = builder->step++;
    switch (step->kind) {
    case PH_STEP_ASCII: return build_ascii(builder, step->count, fast);
    case PH_STEP_WIDE: return build_wide(step->value.object);
    case PH_STEP_UNSIGNED: return PyLong_FromUnsignedLongLong(step->value.unsigned_integer);
    case PH_STEP_BYTES:
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(step->value.object),
                                         PyBytes_GET_SIZE(step->value.object));
    case PH_STEP_LIST: return build_list(builder, (Py_ssize_t)step->count, fast);
    case PH_STEP_TUPLE: return build_tuple(builder, (Py_ssize_t)step->count, fast);
    default: return build_map(builder, &builder->plan->shapes[step->count], fast);
    }
}

static PyObject *build_other_fast(ph_builder *builder)
{
    return build_other(builder, true);
}

static PyObject *build_other_public(ph_builder *builder)
{
    return build_other(builder, false);
}

/* Bytes that a value takes in a document, roughly. */
#define BYTES_OF_STEP 4

/* Builds what stands at the builder's step, with the collector held off. `steps`: about how many. */
PH_INLINE PyObject *build(ph_builder *builder, size_t steps, bool fast)
{
    int collector_ran = PyGC_Disable();
    ph_object_samples_prepare(&samples, steps * BYTES_OF_STEP, false);
    const ph_step *step = builder->step;
    PyObject *made = build_value(builder, &step, fast);
    builder->step = step;
    if (collector_ran) {
        PyGC_Enable();
    }
    return made;
}

PH_INLINE PyObject *build_all(const ph_plan *plan, bool fast)
{
    ph_builder builder = {plan, plan->steps, plan->letters, plan->open_values};
    return build(&builder, plan->step_count, fast);
}

PH_INLINE PyObject *build_next(ph_plan *plan, bool fast)
{
    if (plan->next_step == 0 || plan->next_step == plan->step_count) {
        if (plan->steps[0].kind != PH_STEP_LIST || plan->steps[0].count == 0) {
            PyErr_SetString(PyExc_TypeError, "only a list has elements to build");
            return NULL;
        }
        plan->next_step = 1;
        plan->next_letter = 0;
    }
    ph_builder builder = {plan, plan->steps + plan->next_step, plan->letters + plan->next_letter,
                          plan->open_values};
    PyObject *made = build(&builder, 0, fast);
    plan->next_step = (size_t)(builder.step - plan->steps);
    plan->next_letter = (size_t)(builder.letters - plan->letters);
    return made;
}

static PyObject *plan_build(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return build_all((const ph_plan *)self, true);
}

static PyObject *plan_build_public(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return build_all((const ph_plan *)self, false);
}

static PyObject *plan_next(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return build_next((ph_plan *)self, true);
}

static PyObject *plan_next_public(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return build_next((ph_plan *)self, false);
}

static PyObject *plan_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject *document;
    static char *names[] = {"", NULL};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O", names, &document)) {
        return NULL;
    }
    ph_plan *plan = (ph_plan *)type->tp_alloc(type, 0);
    if (plan == NULL) {
        return NULL;
    }
    plan->samples = &samples;
    plan->shape_index = PyDict_New();
    if (plan->shape_index == NULL || ph_plan_add(plan, document, 0) < 0) {
        Py_DECREF(plan);
        return NULL;
    }
    plan->open_values = PyMem_Malloc((plan->values_at_once + 1) * sizeof(PyObject *));
    if (plan->open_values == NULL) {
        Py_DECREF(plan);
        return PyErr_NoMemory();
    }
    return (PyObject *)plan;
}

static void plan_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    ph_plan_clear((ph_plan *)self);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyMethodDef plan_methods[] = {
    {"build", plan_build, METH_NOARGS, PyDoc_STR("The document, the fastest way known.")},
    {"build_public", plan_build_public, METH_NOARGS, PyDoc_STR("The document, by public calls.")},
    {"next", plan_next, METH_O, PyDoc_STR("The next element, the fastest way known.")},
    {"next_public", plan_next_public, METH_O, PyDoc_STR("The next element, by public calls.")},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot plan_slots[] = {
    {Py_tp_new, (void *)plan_new},
    {Py_tp_dealloc, (void *)plan_dealloc},
    {Py_tp_methods, plan_methods},
    {0, NULL},
};

static PyType_Spec plan_spec = {
    .name = "packhorse_floor.Plan",
    .basicsize = sizeof(ph_plan),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = plan_slots,
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "packhorse_floor",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit_packhorse_floor(void)
{
    PyObject *module = PyModule_Create(&module_definition);
    PyObject *type = module == NULL ? NULL : PyType_FromSpec(&plan_spec);
    bool trusted = ph_fast_path_works();
    if (type == NULL || ph_object_samples_init(&samples, trusted) < 0 ||
        PyModule_AddObjectRef(module, "Plan", type) < 0 ||
        PyModule_AddObjectRef(module, "fast_path", trusted ? Py_True : Py_False) < 0) {
        Py_CLEAR(module);
    }
    Py_XDECREF(type);
    return module;
}
