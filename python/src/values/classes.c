/* Telling enums, dataclasses and attrs classes, and taking their fields. */
#include "values/classes.h"

static const struct {
    const char *module;
    const char *name;
} imported_names[PH_IMPORTED_COUNT] = {
    [PH_IMPORTED_UUID] = {"uuid", "UUID"},
    [PH_IMPORTED_DECIMAL] = {"decimal", "Decimal"},
    [PH_IMPORTED_ENUM] = {"enum", "EnumType"},
    [PH_IMPORTED_ENUM_BASE] = {"enum", "Enum"},
    [PH_IMPORTED_NUMPY_ARRAY] = {"numpy", "ndarray"},
    [PH_IMPORTED_NUMPY_SCALAR] = {"numpy", "generic"},
    [PH_IMPORTED_FRAGMENT] = {"packhorse.json.fragments", "Fragment"},
};

/* Clears the exception that is set when it is of the given class; false for any other, which stays. */
static bool forget(PyObject *expected)
{
    if (!PyErr_ExceptionMatches(expected)) {
        return false;
    }
    PyErr_Clear();
    return true;
}

/* Looks for the class; *class is a new reference, or NULL when nobody has imported it. */
static bool find_imported(ph_imported which, PyObject **class)
{
    *class = NULL;
    PyObject *name = PyUnicode_FromString(imported_names[which].module);
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
    Py_XDECREF(name);
    if (module == NULL) {
        return PyErr_Occurred() == NULL;
    }
    *class = PyObject_GetAttrString(module, imported_names[which].name);
    Py_DECREF(module);
    if (*class == NULL) {
        return forget(PyExc_AttributeError); /* it is being imported, or another one of that name */
    }
    if (!PyType_Check(*class)) {
        Py_CLEAR(*class);
    }
    return true;
}

int ph_imported_class(ph_module_state *state, ph_imported which, PyTypeObject **class)
{
    _Atomic(PyObject *) *kept = &state->encode->imported[which];
    PyObject *found = atomic_load_explicit(kept, memory_order_acquire);
    if (found == NULL) {
        if (!find_imported(which, &found)) {
            return -1;
        }
        PyObject *before = NULL;
        if (found != NULL && !atomic_compare_exchange_strong(kept, &before, found)) {
            Py_DECREF(found); /* another thread was faster */
            found = before;
        }
    }
    *class = (PyTypeObject *)found;
    return found != NULL;
}

int ph_is_of_imported(ph_module_state *state, PyObject *value, ph_imported which)
{
    PyTypeObject *class;
    int found = ph_imported_class(state, which, &class);
    return found > 0 ? Py_IS_TYPE(value, class) : found;
}

int ph_is_enum_member(ph_module_state *state, PyObject *value)
{
    PyTypeObject *metaclass = Py_TYPE(Py_TYPE(value));
    if (metaclass == &PyType_Type) {
        return 0;
    }
    PyTypeObject *enum_type;
    int found = ph_imported_class(state, PH_IMPORTED_ENUM, &enum_type);
    return found > 0 ? PyType_IsSubtype(metaclass, enum_type) : found;
}

PyObject *ph_enum_value(ph_module_state *state, PyObject *member)
{
    return PyObject_GetAttr(member, state->encode->name_value);
}

/* The attribute of the class, a new reference, when it is of the type expected: 1. 0 when there is no
 * such attribute, -1 with an exception set. */
static int class_attribute(PyTypeObject *type, PyObject *name, PyTypeObject *expected,
                           PyObject **attribute)
{
    int found = ph_optional_attribute((PyObject *)type, name, attribute);
    if (found <= 0) {
        return found;
    }
    if (!PyObject_TypeCheck(*attribute, expected)) {
        Py_CLEAR(*attribute);
    }
    return *attribute != NULL;
}

static int has_class_attribute(PyObject *value, PyObject *name, PyTypeObject *expected)
{
    PyTypeObject *type = Py_TYPE(value);
    if (PyType_Check(value) || (type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) {
        return 0;
    }
    PyObject *attribute;
    int has = class_attribute(type, name, expected, &attribute);
    Py_XDECREF(attribute);
    return has;
}

int ph_is_dataclass(ph_module_state *state, PyObject *value)
{
    return has_class_attribute(value, state->encode->name_dataclass_fields, &PyDict_Type);
}

int ph_is_attrs(ph_module_state *state, PyObject *value)
{
    return has_class_attribute(value, state->encode->name_attrs, &PyTuple_Type);
}

static bool starts_with_underscore(PyObject *name)
{
    return PyUnicode_GET_LENGTH(name) > 0 && PyUnicode_READ_CHAR(name, 0) == '_';
}

/* Clears the exception that says that an attribute or item is missing; false for any other. */
static bool forget_missing(void)
{
    return forget(PyExc_AttributeError) || forget(PyExc_KeyError);
}

/* Adds what was found for a name and takes it over; NULL, with an exception that says that there is
 * nothing, is left out. False with an exception set. */
static bool add_found(PyObject *fields, PyObject *name, PyObject *attribute)
{
    if (attribute == NULL) {
        return forget_missing();
    }
    int set = PyDict_SetItem(fields, name, attribute);
    Py_DECREF(attribute);
    return set == 0;
}

static bool add_attribute(PyObject *fields, PyObject *value, PyObject *name)
{
    return add_found(fields, name, PyObject_GetAttr(value, name));
}

/* Whether the interpreter's own rules find the attributes of instances. */
static bool has_plain_lookup(PyTypeObject *type)
{
    return type->tp_getattro == PyObject_GenericGetAttr;
}

/* What a class itself, not one of its bases, holds under a name, without asking descriptors or the
 * metaclass: 1 with a new reference, 0 with NULL when nothing, -1 with an exception set. */
static int find_in_class(PyTypeObject *class, PyObject *name, PyObject **found)
{
#if PY_VERSION_HEX >= 0x030c0000
    PyObject *held = PyType_GetDict(class);
#else
    PyObject *held = Py_XNewRef(class->tp_dict);
#endif
    *found = NULL;
    if (held == NULL) {
        return 0; /* a class that is not ready holds nothing yet */
    }
    Py_BEGIN_CRITICAL_SECTION(held);
    *found = Py_XNewRef(PyDict_GetItemWithError(held, name));
    Py_END_CRITICAL_SECTION();
    Py_DECREF(held);
    return *found != NULL ? 1 : PyErr_Occurred() != NULL ? -1 : 0;
}

/* The same for a class and its bases. */
static int find_in_classes(PyTypeObject *type, PyObject *name, PyObject **found)
{
    PyObject *order = Py_XNewRef(type->tp_mro);
    int result = 0;
    *found = NULL;
    for (Py_ssize_t i = 0; order != NULL && result == 0 && i < PyTuple_GET_SIZE(order); i++) {
        result = find_in_class((PyTypeObject *)PyTuple_GET_ITEM(order, i), name, found);
    }
    Py_XDECREF(order);
    return result;
}

/* Whether the value of a member is what Enum itself gives, which is _value_: a call of Python code less. */
static int has_plain_value(ph_module_state *state, PyObject *member)
{
    PyObject *name = state->encode->name_public_value, *own, *usual = NULL;
    PyTypeObject *base;
    int found = ph_imported_class(state, PH_IMPORTED_ENUM_BASE, &base);
    found = found > 0 ? find_in_class(base, name, &usual) : found;
    found = found > 0 ? find_in_classes(Py_TYPE(member), name, &own) : found;
    if (found > 0) {
        found = own == usual;
        Py_DECREF(own);
    }
    Py_XDECREF(usual);
    return found;
}

PyObject *ph_enum_public_value(ph_module_state *state, PyObject *member)
{
    int plain = has_plain_value(state, member);
    if (plain < 0) {
        return NULL;
    }
    return plain ? ph_enum_value(state, member)
                 : PyObject_GetAttr(member, state->encode->name_public_value);
}

/* Whether an entry of __dataclass_fields__ is a field, and no ClassVar or InitVar; -1 with an
 * exception set. *field_kind, owned by the caller, is what made an earlier one a field, or NULL. */
static int is_field(ph_module_state *state, PyObject *field, PyObject **field_kind)
{
    PyObject *kind = PyObject_GetAttr(field, state->encode->name_field_type);
    if (kind != NULL && kind == *field_kind) {
        Py_DECREF(kind);
        return 1;
    }
    PyObject *kind_name = kind == NULL ? NULL : PyObject_GetAttr(kind, state->encode->name_name);
    int answer = kind_name != NULL && PyUnicode_Check(kind_name) &&
                 PyUnicode_CompareWithASCIIString(kind_name, "_FIELD") == 0;
    if (kind_name == NULL && !forget_missing()) {
        answer = -1;
    }
    if (answer > 0) {
        Py_XSETREF(*field_kind, Py_NewRef(kind));
    }
    Py_XDECREF(kind);
    Py_XDECREF(kind_name);
    return answer;
}

/* Adds the value of each entry of __dataclass_fields__, a dict that nobody else has, that is a field. */
static bool add_declared(ph_module_state *state, PyObject *fields, PyObject *value,
                         PyObject *declared, bool with_underscore)
{
    PyObject *name, *field, *field_kind = NULL;
    Py_ssize_t position = 0;
    bool added = true;
    while (added && PyDict_Next(declared, &position, &name, &field)) {
        if (PyUnicode_Check(name) && (with_underscore || !starts_with_underscore(name))) {
            int wanted = is_field(state, field, &field_kind);
            added = wanted > 0 ? add_attribute(fields, value, name) : wanted == 0;
        }
    }
    Py_XDECREF(field_kind);
    return added;
}

/* The declared fields whose names have no leading underscore, as a new dict. */
static PyObject *declared_fields(ph_module_state *state, PyObject *value)
{
    PyObject *declared;
    int found = class_attribute(Py_TYPE(value), state->encode->name_dataclass_fields, &PyDict_Type,
                                &declared);
    PyObject *own = found > 0 ? PyDict_Copy(declared) : NULL;
    PyObject *fields = own == NULL ? NULL : PyDict_New();
    if (fields != NULL && !add_declared(state, fields, value, own, false)) {
        Py_CLEAR(fields);
    }
    if (fields == NULL && PyErr_Occurred() == NULL) {
        PyErr_SetString(PyExc_TypeError, "__dataclass_fields__ must be a dict");
    }
    Py_XDECREF(declared);
    Py_XDECREF(own);
    return fields;
}

/* The __dataclass_fields__ of an instance: what its class holds, or, when the class holds something and
 * has a way of its own to find attributes, what the instance says. As find_in_classes. */
static int declared_in(ph_module_state *state, PyObject *value, PyObject **declared)
{
    PyTypeObject *type = Py_TYPE(value);
    PyObject *name = state->encode->name_dataclass_fields;
    bool plain = has_plain_lookup(type);
    *declared = NULL;
    if (PyType_Check(value) || (plain && (type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0)) {
        return 0;
    }
    int found = find_in_classes(type, name, declared);
    if (found > 0 && !(plain && PyDict_Check(*declared))) {
        Py_SETREF(*declared, PyObject_GetAttr(value, name));
        if (*declared == NULL) {
            return forget_missing() ? 0 : -1;
        }
    }
    if (found > 0 && !PyDict_Check(*declared)) {
        Py_CLEAR(*declared);
    }
    return found > 0 ? *declared != NULL : found;
}

/* Whether a __dict__ holds the declared fields, in their order, and nothing else. */
static bool holds_declared_only(PyObject *declared, PyObject *dict)
{
    PyObject *name, *key;
    Py_ssize_t at = 0, there = 0;
    bool same;
    Py_BEGIN_CRITICAL_SECTION2(declared, dict);
    same = PyDict_GET_SIZE(declared) == PyDict_GET_SIZE(dict);
    while (same && PyDict_Next(declared, &at, &name, NULL)) {
        same = PyDict_Next(dict, &there, &key, NULL) && key == name && PyUnicode_CheckExact(key);
    }
    Py_END_CRITICAL_SECTION2();
    return same;
}

/* Adds what an instance with plain lookup has of its own under a name, in its __dict__ (NULL: none) or
 * where a data descriptor keeps it, such as a slot; not what only its class has. */
static bool add_own(PyObject *fields, PyObject *value, PyObject *dict, PyObject *name)
{
    PyObject *own = NULL;
    if (dict != NULL) {
        Py_BEGIN_CRITICAL_SECTION(dict);
        own = Py_XNewRef(PyDict_GetItemWithError(dict, name));
        Py_END_CRITICAL_SECTION();
    }
    if (own != NULL) {
        return add_found(fields, name, own);
    }
    PyObject *descriptor, *class = (PyObject *)Py_TYPE(value);
    int found = PyErr_Occurred() ? -1 : find_in_classes(Py_TYPE(value), name, &descriptor);
    if (found <= 0) {
        return found == 0;
    }
    descrgetfunc get = Py_TYPE(descriptor)->tp_descr_get;
    bool is_data = get != NULL && Py_TYPE(descriptor)->tp_descr_set != NULL;
    bool added = !is_data || add_found(fields, name, get(descriptor, value, class));
    Py_DECREF(descriptor);
    return added;
}

/* A new dict of the declared fields that are there. `dict` is the instance's, or NULL. */
static PyObject *collect_declared(ph_module_state *state, PyObject *value, PyObject *declared,
                                  PyObject *dict)
{
    bool plain = has_plain_lookup(Py_TYPE(value));
    PyObject *own = plain ? PyDict_Keys(declared) : PyDict_Copy(declared);
    PyObject *fields = own == NULL ? NULL : PyDict_New();
    bool added = plain || fields == NULL || add_declared(state, fields, value, own, true);
    for (Py_ssize_t i = 0; plain && added && fields != NULL && i < PyList_GET_SIZE(own); i++) {
        PyObject *name = PyList_GET_ITEM(own, i);
        added = !PyUnicode_CheckExact(name) || add_own(fields, value, dict, name);
    }
    if (!added) {
        Py_CLEAR(fields);
    }
    Py_XDECREF(own);
    return fields;
}

int ph_dataclass_fields(ph_module_state *state, PyObject *value, bool copy, PyObject **fields)
{
    PyObject *declared, *dict = NULL;
    *fields = NULL;
    int is = declared_in(state, value, &declared);
    if (is <= 0) {
        return is;
    }
    if (has_plain_lookup(Py_TYPE(value)) && Py_TYPE(value)->tp_dictoffset != 0) {
        dict = PyObject_GenericGetDict(value, NULL);
        if (dict == NULL && !forget_missing()) {
            Py_DECREF(declared);
            return -1;
        }
    }
    if (dict == NULL || !holds_declared_only(declared, dict)) {
        *fields = collect_declared(state, value, declared, dict);
    } else {
        *fields = copy ? PyDict_Copy(dict) : Py_NewRef(dict);
    }
    Py_XDECREF(dict);
    Py_DECREF(declared);
    return *fields == NULL ? -1 : 1;
}

/* Whether the keys of a dict are exact str without leading underscore. */
static bool has_public_keys_only(PyObject *dict)
{
    PyObject *key;
    Py_ssize_t position = 0;
    bool public = true;
    Py_BEGIN_CRITICAL_SECTION(dict);
    while (public && PyDict_Next(dict, &position, &key, NULL)) {
        public = PyUnicode_CheckExact(key) && !starts_with_underscore(key);
    }
    Py_END_CRITICAL_SECTION();
    return public;
}

/* The __dict__ of an instance; NULL without an exception when there is none. False with one set. */
static bool instance_dict(ph_module_state *state, PyObject *value, PyObject **dict)
{
    PyTypeObject *type = Py_TYPE(value);
    PyObject *said = NULL;
    *dict = NULL;
    if (type->tp_dictoffset == 0 && has_plain_lookup(type)) {
        int found = find_in_classes(type, state->encode->name_dict, &said);
        Py_XDECREF(said);
        if (found <= 0) {
            return found == 0;
        }
    }
    *dict = PyObject_GetAttr(value, state->encode->name_dict);
    if (*dict == NULL) {
        return forget_missing();
    }
    if (!PyDict_Check(*dict)) {
        Py_CLEAR(*dict);
    }
    return true;
}

/* What __dict__ holds under str names without leading underscore: a new dict or, unless `copy`, perhaps
 * __dict__ itself; an empty dict when there is no __dict__, which *exists says. NULL with an exception
 * set. */
static PyObject *instance_attributes(ph_module_state *state, PyObject *value, bool copy,
                                     bool *exists)
{
    PyObject *dict;
    *exists = true;
    if (!instance_dict(state, value, &dict)) {
        return NULL;
    }
    *exists = dict != NULL;
    if (dict == NULL) {
        return PyDict_New();
    }
    if (PyDict_CheckExact(dict) && has_public_keys_only(dict)) {
        PyObject *same = copy ? PyDict_Copy(dict) : Py_NewRef(dict);
        Py_DECREF(dict);
        return same;
    }
    PyObject *fields = PyDict_New();
    PyObject *key, *attribute;
    Py_ssize_t position = 0;
    PyObject *own = fields == NULL ? NULL : PyDict_Copy(dict);
    while (fields != NULL && own != NULL && PyDict_Next(own, &position, &key, &attribute)) {
        if (PyUnicode_Check(key) && !starts_with_underscore(key) &&
            PyDict_SetItem(fields, key, attribute) < 0) {
            Py_CLEAR(fields);
        }
    }
    if (own == NULL) {
        Py_CLEAR(fields);
    }
    Py_XDECREF(own);
    Py_DECREF(dict);
    return fields;
}

/* A class with slots may have a __dict__ as well, from a base: then its fields are in both. */
PyObject *ph_dataclass_attributes(ph_module_state *state, PyObject *value, bool copy)
{
    PyObject *slots;
    int has_slots = find_in_class(Py_TYPE(value), state->encode->name_slots, &slots);
    Py_XDECREF(slots);
    if (has_slots < 0) {
        return NULL;
    }
    bool exists = false;
    PyObject *fields = has_slots ? NULL : instance_attributes(state, value, copy, &exists);
    if (!has_slots && (fields == NULL || exists)) {
        return fields;
    }
    Py_XDECREF(fields);
    return declared_fields(state, value);
}

/* Adds the slots that one class itself has, in the order of their names, which is theirs in memory.
 * Takes over `slots`, what its __slots__ is. */
static bool add_slots(PyObject *fields, PyObject *value, PyObject *slots)
{
    PyObject *one = PyUnicode_Check(slots) ? PyTuple_Pack(1, slots) : Py_NewRef(slots);
    PyObject *names = one == NULL ? NULL : PySequence_List(one);
    Py_DECREF(slots);
    Py_XDECREF(one);
    bool added = names != NULL && PyList_Sort(names) == 0;
    for (Py_ssize_t i = 0; added && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i);
        if (PyUnicode_Check(name) && !starts_with_underscore(name)) {
            added = add_attribute(fields, value, name);
        }
    }
    Py_XDECREF(names);
    return added;
}

PyObject *ph_attrs_fields(ph_module_state *state, PyObject *value, bool copy)
{
    bool exists;
    PyObject *fields = instance_attributes(state, value, copy, &exists);
    PyObject *class = Py_NewRef((PyObject *)Py_TYPE(value));
    while (fields != NULL && class != NULL) {
        PyObject *slots;
        int has = find_in_class((PyTypeObject *)class, state->encode->name_slots, &slots);
        if (has > 0 && exists && !copy) { /* what is added must not be added to __dict__ */
            copy = true;
            Py_SETREF(fields, PyDict_Copy(fields));
        }
        if (has < 0 || (has > 0 && fields == NULL)) {
            Py_XDECREF(slots);
            Py_CLEAR(fields);
        } else if (has > 0 && !add_slots(fields, value, slots)) {
            Py_CLEAR(fields);
        }
        Py_SETREF(class, Py_XNewRef((PyObject *)((PyTypeObject *)class)->tp_base));
    }
    Py_XDECREF(class);
    return fields;
}
