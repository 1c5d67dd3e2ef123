/* Option names and the datetime interface, taken once for each interpreter. */
#include "encode/state.h"

static const char *const option_keywords[PH_ENCODE_OPTION_COUNT] = {
#define PH_ENCODE_OPTION_KEYWORD(name, keyword) keyword,
    PH_ENCODE_OPTIONS(PH_ENCODE_OPTION_KEYWORD)
#undef PH_ENCODE_OPTION_KEYWORD
};

int ph_encode_state_start(ph_module_state *state)
{
    ph_encode_state *encode = PyMem_Calloc(1, sizeof *encode);
    if (encode == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    state->encode = encode;
    for (size_t i = 0; i < PH_ENCODE_OPTION_COUNT; i++) {
        encode->option_names[i] = PyUnicode_InternFromString(option_keywords[i]);
        if (encode->option_names[i] == NULL) {
            return -1;
        }
    }
#define INTERN_NAME(member, text)                   \
 encode->member = PyUnicode_InternFromString(text); \
 if (encode->member == NULL) {                      \
  return -1;                                        \
 }
    PH_ENCODE_NAMES(INTERN_NAME)
#undef INTERN_NAME
    /* As PyCapsule_Import does; before 3.13 the table lives only as long as the capsule. */
    PyObject *module = PyImport_ImportModule("datetime");
    if (module == NULL) {
        return -1;
    }
    encode->datetime_capsule = PyObject_GetAttrString(module, "datetime_CAPI");
    Py_DECREF(module);
    if (encode->datetime_capsule != NULL) {
        encode->datetime = PyCapsule_GetPointer(encode->datetime_capsule, PyDateTime_CAPSULE_NAME);
    }
#if PY_VERSION_HEX >= 0x030c0000 && PY_VERSION_HEX < 0x030d0000
    /* An isolated subinterpreter of 3.12 can not load the C version of datetime: there is no table,
     * and the classes are written in Python. */
    if (encode->datetime == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        return 0;
    }
#endif
    return encode->datetime == NULL ? -1 : 0;
}

int ph_encode_state_traverse(const ph_module_state *state, visitproc visit, void *arg)
{
    if (state->encode != NULL) {
        for (size_t i = 0; i < PH_IMPORTED_COUNT; i++) {
            Py_VISIT(state->encode->imported[i]);
        }
        Py_VISIT(state->encode->datetime_capsule);
    }
    return 0;
}

void ph_encode_state_stop(ph_module_state *state)
{
    ph_encode_state *encode = state->encode;
    if (encode == NULL) {
        return;
    }
    state->encode = NULL;
    for (size_t i = 0; i < PH_IMPORTED_COUNT; i++) {
        Py_XDECREF(encode->imported[i]);
    }
    for (size_t i = 0; i < PH_ENCODE_OPTION_COUNT; i++) {
        Py_XDECREF(encode->option_names[i]);
    }
#define RELEASE_NAME(member, text) Py_XDECREF(encode->member);
    PH_ENCODE_NAMES(RELEASE_NAME)
#undef RELEASE_NAME
    Py_XDECREF(encode->datetime_capsule);
    PyMem_Free(encode);
}
