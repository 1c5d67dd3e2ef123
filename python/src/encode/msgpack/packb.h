/* Python objects to MessagePack bytes: the entry points. */
#ifndef PH_PYTHON_ENCODE_MSGPACK_PACKB_H
#define PH_PYTHON_ENCODE_MSGPACK_PACKB_H

#include "encode/encode_options.h"

/* Encodes one object into a new bytes object; NULL with an exception set. `expected` is the size
 * of the last large result of this caller, read and written here. */
PyObject *ph_msgpack_encode(ph_module_state *state, const ph_encode_options *options,
                            PyObject *object, atomic_size_t *expected);

/* packb(o, *, ...), METH_FASTCALL | METH_KEYWORDS: no Packer object, straight into the result. */
PyObject *ph_packb(PyObject *module, PyObject *const *arguments, Py_ssize_t count,
                   PyObject *keywords);

#endif
