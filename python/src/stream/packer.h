/* The Packer type: a buffer of packed values, headers by hand, the buffer protocol. */
#ifndef PH_PYTHON_STREAM_PACKER_H
#define PH_PYTHON_STREAM_PACKER_H

#include "module.h"

/* Creates the type in `module`; a new reference, or NULL with an exception set. */
PyTypeObject *ph_packer_type_new(PyObject *module);

#endif
