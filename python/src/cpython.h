/* The one room where CPython's private layouts are touched, each behind a version check. */
#ifndef PH_PYTHON_CPYTHON_H
#define PH_PYTHON_CPYTHON_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

/* Before 3.13 there is nothing to lock against. */
#ifndef Py_BEGIN_CRITICAL_SECTION
# define Py_BEGIN_CRITICAL_SECTION(object)      {
# define Py_END_CRITICAL_SECTION()              }
# define Py_BEGIN_CRITICAL_SECTION2(one, other) {
# define Py_END_CRITICAL_SECTION2()             }
#endif

/* object.name as a new reference in *found: 1; 0 with NULL and no exception when there is none; -1 with an
 * exception set. To be told of its absence by an exception takes ten times as long. */
static inline int ph_optional_attribute(PyObject *object, PyObject *name, PyObject **found)
{
#if PY_VERSION_HEX >= 0x030d0000
    return PyObject_GetOptionalAttr(object, name, found);
#else
    return _PyObject_LookupAttr(object, name, found);
#endif
}

/* PH_FAST_PATH: private layouts may be used, once the self-test of fast_path.c has passed at import.
 * Known minor versions of the default build only; free-threaded and debug builds and anything newer
 * than what was read take the portable path, which uses public calls only. */
#if !defined(PH_PORTABLE) && !defined(Py_GIL_DISABLED) && !defined(Py_DEBUG) &&          \
    PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x03100000 && SIZEOF_VOID_P == 8 && \
    !PY_BIG_ENDIAN
# define PH_FAST_PATH 1
#else
# define PH_FAST_PATH 0
#endif

/* Builds strings, dicts and numbers by private layout and by public calls and compares them; false
 * when anything differs, and always on builds without the fast path. Run once at import. */
bool ph_fast_path_works(void);

#endif
