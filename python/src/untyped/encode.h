/* Python objects to MessagePack bytes: the entry points of the encoder. */
#ifndef PH_PYTHON_UNTYPED_ENCODE_H
#define PH_PYTHON_UNTYPED_ENCODE_H

#include "module.h"

/* packb(o, *, ...), METH_FASTCALL | METH_KEYWORDS: no Packer object, straight into the result. */
PyObject *ph_packb(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                   PyObject *keywords);

#endif
