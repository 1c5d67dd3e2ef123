/* What `async for` awaits: the next object of an Unpacker whose source is asynchronous. */
#ifndef PH_PYTHON_STREAM_NEXT_OBJECT_H
#define PH_PYTHON_STREAM_NEXT_OBJECT_H

#include "module.h"

/* Creates the type of the awaitable in `module`; a new reference, or NULL with an exception set. */
PyTypeObject *ph_next_object_type_new(PyObject *module);

/* am_anext of Unpacker: a new awaitable. Nothing is read before it is awaited. */
PyObject *ph_next_object_new(PyObject *unpacker);

#endif
