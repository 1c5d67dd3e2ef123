/* packhorse._core: multi-phase initialisation, the function table, the life of the state. */
#include "module.h"

#include "cpython_read.h"
#include "decode/decode.h"
#include "decode/json_decode.h"
#include "encode/json/json_encode.h"
#include "encode/msgpack/packb.h"
#include "encode/state.h"
#include "objects/reader_cache.h"
#include "stream/packer.h"
#include "stream/unpacker.h"

#include <structmember.h> /* PyMemberDef, before 3.12 */

static int intern_names(ph_names *names)
{
#define INTERN_NAME(member)                           \
 names->member = PyUnicode_InternFromString(#member); \
 if (names->member == NULL) {                         \
  return -1;                                          \
 }
    PH_NAMES(INTERN_NAME)
#undef INTERN_NAME
    return 0;
}

static PyObject *import_class(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    if (module == NULL) {
        return NULL;
    }
    PyObject *class = PyObject_GetAttrString(module, name);
    Py_DECREF(module);
    return class;
}

static int import_classes(ph_classes *classes)
{
#define IMPORT_CLASS(member, module, name)     \
 classes->member = import_class(module, name); \
 if (classes->member == NULL) {                \
  return -1;                                   \
 }
    PH_CLASSES(IMPORT_CLASS)
#undef IMPORT_CLASS
    return 0;
}

/* The offset of a slot of a class with __slots__; -1 with an exception set when there is none. */
static Py_ssize_t slot_offset(PyObject *class, const char *name)
{
    PyObject *member = PyObject_GetAttrString(class, name);
    if (member == NULL) {
        return -1;
    }
    if (!Py_IS_TYPE(member, &PyMemberDescr_Type)) {
        Py_DECREF(member);
        PyErr_Format(PyExc_TypeError, "%s must be a slot", name);
        return -1;
    }
    Py_ssize_t offset = ((PyMemberDescrObject *)member)->d_member->offset;
    Py_DECREF(member);
    return offset;
}

static int add_type(PyObject *module, PyTypeObject **kept, PyTypeObject *type)
{
    *kept = type;
    return type == NULL ? -1 : PyModule_AddType(module, type);
}

static int module_exec(PyObject *module)
{
    ph_module_state *state = ph_module_state_of(module);
    state->module = module;
    if (intern_names(&state->name) < 0 || import_classes(&state->class) < 0) {
        return -1;
    }
    state->timestamp_seconds_offset = slot_offset(state->class.timestamp, "seconds");
    state->timestamp_nanoseconds_offset = slot_offset(state->class.timestamp, "nanoseconds");
    if (state->timestamp_seconds_offset < 0 || state->timestamp_nanoseconds_offset < 0) {
        return -1;
    }
    state->fast_path = ph_fast_path_works() && ph_read_layouts_work();
    if (ph_encode_state_start(state) < 0 || ph_json_encode_add(module) < 0 ||
        ph_json_decode_add(module) < 0) {
        return -1;
    }
    if (add_type(module, &state->packer_type, ph_packer_type_new(module)) < 0) {
        return -1;
    }
    return add_type(module, &state->unpacker_type, ph_unpacker_type_new(module));
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    ph_module_state *state = ph_module_state_of(module);
#define VISIT_CLASS(member, module_name, name) Py_VISIT(state->class.member);
    PH_CLASSES(VISIT_CLASS)
#undef VISIT_CLASS
    Py_VISIT(state->packer_type);
    Py_VISIT(state->unpacker_type);
    Py_VISIT(state->next_object_type);
    return ph_encode_state_traverse(state, visit, arg);
}

/* There is no tp_clear. Cycles through the module are broken elsewhere: every one of them passes its
 * dict, or that of a class. */
static void module_free(void *module)
{
    ph_module_state *state = ph_module_state_of((PyObject *)module);
#define CLEAR_NAME(member) Py_CLEAR(state->name.member);
    PH_NAMES(CLEAR_NAME)
#undef CLEAR_NAME
#define CLEAR_CLASS(member, module_name, name) Py_CLEAR(state->class.member);
    PH_CLASSES(CLEAR_CLASS)
#undef CLEAR_CLASS
    Py_CLEAR(state->packer_type);
    Py_CLEAR(state->unpacker_type);
    Py_CLEAR(state->next_object_type);
    ph_reader_caches_clear(state);
    ph_encode_state_stop(state);
}

int ph_module_add_json_functions(PyObject *module, PyMethodDef *functions)
{
    PyObject *public_module = PyUnicode_FromString("packhorse.json");
    int added = public_module == NULL ? -1 : 0;
    for (PyMethodDef *function = functions; added == 0 && function->ml_name != NULL; function++) {
        PyObject *made = PyCFunction_NewEx(function, module, public_module);
        PyObject *name = PyUnicode_FromFormat("json_%s", function->ml_name);
        added = made == NULL || name == NULL ? -1 : PyObject_SetAttr(module, name, made);
        Py_XDECREF(made);
        Py_XDECREF(name);
    }
    Py_XDECREF(public_module);
    return added;
}

static struct PyModuleDef module_definition;

ph_module_state *ph_module_state_hold(PyTypeObject *type)
{
    PyObject *module = NULL;
    if (type->tp_mro != NULL) {
        module = PyType_GetModuleByDef(type, &module_definition);
    } else {
        PyErr_Format(PyExc_TypeError, "the type '%.200s' has been cleared", type->tp_name);
    }
    return module == NULL ? NULL : ph_module_state_of(Py_NewRef(module));
}

/* build_info() -> dict: which paths this build and this interpreter use. */
static PyObject *build_info(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    ph_module_state *state = ph_module_state_of(module);
    return Py_BuildValue("{s:s,s:O,s:s,s:s}", "implementation", "c", "fast_path",
                         state->fast_path ? Py_True : Py_False, "compiler", __VERSION__, "python",
                         PY_VERSION);
}

static PyMethodDef module_functions[] = {
    {"packb", (PyCFunction)(void (*)(void))ph_packb, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("packb(o, **options)\n--\n\nReturn o packed as bytes.")},
    {"unpackb", (PyCFunction)(void (*)(void))ph_unpackb, METH_FASTCALL | METH_KEYWORDS,
     PyDoc_STR("unpackb(packed, **options)\n--\n\nReturn the object that packed holds.")},
    {"build_info", build_info, METH_NOARGS,
     PyDoc_STR("build_info()\n--\n\nSay how the extension was built and which paths it takes.")},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)module_exec},
#if PY_VERSION_HEX >= 0x030c0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030d0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "packhorse._core",
    .m_doc = PyDoc_STR("The C implementation of packhorse."),
    .m_size = sizeof(ph_module_state),
    .m_methods = module_functions,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_free = module_free,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&module_definition);
}
