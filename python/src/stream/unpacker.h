/* The Unpacker type: values from fed bytes, from files and from asynchronous sources. */
#ifndef PH_PYTHON_STREAM_UNPACKER_H
#define PH_PYTHON_STREAM_UNPACKER_H

#include "module.h"

/* Creates the type in `module`; a new reference, or NULL with an exception set. */
PyTypeObject *ph_unpacker_type_new(PyObject *module);

#endif
