/* Classes that values may have, of the standard library and others, without importing their modules:
 * an object of such a class can only exist once its module is in sys.modules. */
#ifndef PH_PYTHON_VALUES_CLASSES_H
#define PH_PYTHON_VALUES_CLASSES_H

#include "encode/state.h"

/* The questions below answer 1, 0, or -1 with an exception set: looking up a class or an attribute may
 * run user code (modules that load lazily, metaclasses) and be interrupted. */

/* Finds the class: 1, with *class borrowed from the interpreter's state; 0, with NULL, as long as
 * nobody has imported its module. */
int ph_imported_class(ph_module_state *state, ph_imported which, PyTypeObject **class);

/* The class if it was found before, borrowed; otherwise NULL, and nothing is looked up. */
PH_INLINE PyTypeObject *ph_imported_class_seen(ph_module_state *state, ph_imported which)
{
    return (PyTypeObject *)atomic_load_explicit(&state->encode->imported[which],
                                                memory_order_acquire);
}

/* Whether the object is of the class; not for instances of its subclasses. */
int ph_is_of_imported(ph_module_state *state, PyObject *value, ph_imported which);

/* Whether it is a member of an enum. */
int ph_is_enum_member(ph_module_state *state, PyObject *value);

/* A new reference to the value that a member stores; NULL with an exception set. */
PyObject *ph_enum_value(ph_module_state *state, PyObject *member);

/* The same for what its attribute `value` is, which a class may define itself. */
PyObject *ph_enum_public_value(ph_module_state *state, PyObject *member);

/* Whether it is an instance (not a class) of a dataclass, as orjson sees it. */
int ph_is_dataclass(ph_module_state *state, PyObject *value);

/* Whether it is an instance of a class that attrs made. */
int ph_is_attrs(ph_module_state *state, PyObject *value);

/* As msgspec has it: 1 for an instance of a dataclass, or of a class that says it is one, with a
 * reference to a dict of its declared fields, in order; 0 for any other object. Left out is what only
 * the class has a value for, and what raises AttributeError or KeyError. Unless `copy`, the dict may be
 * the __dict__ of the instance. */
int ph_dataclass_fields(ph_module_state *state, PyObject *value, bool copy, PyObject **fields);

/* What an object has to encode, in order, as a dict from names to values, a new reference; NULL with an
 * exception set. Runs user code (properties, descriptors). Unless `copy`, it may be the __dict__ of the
 * object. */

/* As orjson has it: what is in __dict__, or else the declared fields; no leading underscore. */
PyObject *ph_dataclass_attributes(ph_module_state *state, PyObject *value, bool copy);

/* __dict__, then the slots of the class and of its bases, as msgspec orders them; no leading
 * underscore. */
PyObject *ph_attrs_fields(ph_module_state *state, PyObject *value, bool copy);

#endif
