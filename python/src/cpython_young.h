/* Containers put straight into the collector's list of young objects.
 *
 * The interpreter's constructor of containers costs as much again as the memory that it asks for. What
 * it does besides is little: an object that the collector watches has two links in front of it, stands
 * at the end of a list, and is counted. Where the list and the counts are is found out from objects
 * that public calls made, and believed only if each of them moves as it should. */
#ifndef PH_PYTHON_CPYTHON_YOUNG_H
#define PH_PYTHON_CPYTHON_YOUNG_H

#include "cpython.h"

#include "base/compiler.h"

#if PH_FAST_PATH

/* What stands in front of each object that the collector watches. */
typedef struct ph_collector_link {
    uintptr_t next; /* its lowest two bits may be marks of the collector */
    uintptr_t previous;
} ph_collector_link;

# define PH_COLLECTOR_MARKS ((uintptr_t)3)

typedef struct ph_young_objects {
    ph_collector_link *head; /* of the interpreter's list; NULL: not found, use public calls */
    int *created;            /* the collector's count of objects since its last run */
    Py_ssize_t *watched;     /* its count of all objects in lists; NULL where there is none */
    uintptr_t end;           /* what the last link of the list has as its next */
    bool in_use;             /* set for each decoding */
    PyObject list_header;    /* type and a reference count of one */
    PyObject dict_header;
} ph_young_objects;

/* Finds the list and the counts of the calling thread's interpreter. Leaves head NULL when anything is
 * not as expected, or without memory. No exception is left set. */
void ph_young_objects_find(ph_young_objects *young);

/* Whether objects can be put into the list now; asks for the end of it. */
bool ph_young_objects_ready(ph_young_objects *young);

/* Decides for one decoding. The collector must not run before the next call of this. */
PH_INLINE void ph_young_objects_use(ph_young_objects *young, bool wanted)
{
    young->in_use = wanted && ph_young_objects_ready(young);
}

/* An object of `size` bytes, the first of them from `header`; the caller fills in the others at once.
 * NULL with MemoryError set. */
PH_INLINE PyObject *ph_young_object_new(const ph_young_objects *young, const PyObject *header,
                                        size_t size)
{
    ph_collector_link *link = PyObject_Malloc(sizeof *link + size);
    if (PH_UNLIKELY(link == NULL)) {
        return PyErr_NoMemory();
    }
    ph_collector_link *last = (ph_collector_link *)young->head->previous;
    last->next = (uintptr_t)link | (last->next & PH_COLLECTOR_MARKS);
    link->next = young->end;
    link->previous = (uintptr_t)last;
    young->head->previous = (uintptr_t)link;
    ++*young->created;
    if (young->watched != NULL) {
        ++*young->watched;
    }
    PyObject *made = (PyObject *)(link + 1);
    *made = *header;
    return made;
}

/* An empty list, as PyList_New makes it. */
PH_INLINE PyObject *ph_young_list_new(const ph_young_objects *young)
{
    if (!young->in_use) {
        return PyList_New(0);
    }
    PyObject *made = ph_young_object_new(young, &young->list_header, sizeof(PyListObject));
    if (PH_LIKELY(made != NULL)) {
        PyListObject *list = (PyListObject *)made;
        Py_SET_SIZE(list, 0);
        list->ob_item = NULL;
        list->allocated = 0;
    }
    return made;
}

#endif

#endif
