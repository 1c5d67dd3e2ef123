/* An embedded interpreter with the extension linked in: every input goes to extension_checks.check. */
#include <Python.h>

#include "fuzz_input.h"

PyMODINIT_FUNC PyInit__core(void);
int LLVMFuzzerInitialize(int *count, char ***arguments);

static PyObject *check;

static void stop_if_failed(const void *result)
{
    if (result == NULL) {
        PyErr_Print();
        abort();
    }
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    PyImport_AppendInittab("packhorse._core", PyInit__core);
    Py_Initialize();
    /* PYTHONPATH holds this folder and the package's. */
    PyObject *module = PyImport_ImportModule("extension_checks");
    stop_if_failed(module);
    check = PyObject_GetAttrString(module, "check");
    stop_if_failed(check);
    Py_DECREF(module);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PyObject *input = PyBytes_FromStringAndSize((const char *)data, (Py_ssize_t)size);
    stop_if_failed(input);
    PyObject *result = PyObject_CallOneArg(check, input);
    stop_if_failed(result);
    Py_DECREF(result);
    Py_DECREF(input);
    return 0;
}
