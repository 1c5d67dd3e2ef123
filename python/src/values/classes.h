/* Classes that values may have, of the standard library and others, without importing their modules:
 * an object of such a class can only exist once its module is in sys.modules. */
#ifndef PH_PYTHON_VALUES_CLASSES_H
#define PH_PYTHON_VALUES_CLASSES_H

#include "encode/state.h"

/* The class, borrowed from the interpreter's state; NULL without an exception as long as nobody has
 * imported its module. */
PyTypeObject *ph_imported_class(ph_module_state *state, ph_imported which);

/* True for members of an enum. */
bool ph_is_enum_member(ph_module_state *state, PyObject *value);

/* A new reference to the value of a member; NULL with an exception set. */
PyObject *ph_enum_value(ph_module_state *state, PyObject *member);

/* True for instances (not classes) of dataclasses. */
bool ph_is_dataclass(ph_module_state *state, PyObject *value);

/* True for instances of classes that attrs made. */
bool ph_is_attrs(ph_module_state *state, PyObject *value);

/* What an object has to encode, in order, as a new dict from names to values; NULL with an exception
 * set. Runs user code (properties, descriptors). */

/* Declared fields; those whose look-up raises AttributeError or KeyError are left out. */
PyObject *ph_dataclass_fields(ph_module_state *state, PyObject *value);

/* As orjson has it: what is in __dict__, or else the declared fields; no leading underscore. */
PyObject *ph_dataclass_attributes(ph_module_state *state, PyObject *value);

/* __dict__ and slots, no leading underscore. */
PyObject *ph_attrs_fields(ph_module_state *state, PyObject *value);

#endif
