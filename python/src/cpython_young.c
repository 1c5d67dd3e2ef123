/* Finding the collector's list of young objects, and proof that it was found. */

/* Opens the interpreter's internal headers, to learn where counts stand. */
#define Py_BUILD_CORE_MODULE 1
#include "cpython_young.h"

#if PH_FAST_PATH

# include <string.h>

# if PY_VERSION_HEX >= 0x030e0000
#  include "internal/pycore_interp_structs.h"

static Py_ssize_t *count_of_watched(void)
{
    return &PyInterpreterState_Get()->gc.heap_size;
}
# else
#  include "internal/pycore_gc.h"

static Py_ssize_t *count_of_watched(void)
{
    return NULL;
}
# endif

_Static_assert(sizeof(ph_collector_link) == sizeof(PyGC_Head), "two words stand before an object");

static ph_collector_link *link_of(PyObject *object)
{
    return (ph_collector_link *)(void *)object - 1;
}

static ph_collector_link *without_marks(uintptr_t link)
{
    return (ph_collector_link *)(link & ~PH_COLLECTOR_MARKS);
}

/* Whether a new object moves everything by one, and its end moves it back. `last` is the object that
 * stands at the end now. */
static bool counts_move(const ph_young_objects *young, PyObject *last)
{
    int created = *young->created;
    Py_ssize_t watched = young->watched != NULL ? *young->watched : 0;
    PyObject *object = PySet_New(NULL);
    if (object == NULL) {
        return false;
    }
    const ph_collector_link *link = link_of(object);
    bool moved = link->next == young->end && link->previous == (uintptr_t)link_of(last) &&
                 without_marks(link_of(last)->next) == link &&
                 young->head->previous == (uintptr_t)link && *young->created == created + 1 &&
                 (young->watched == NULL || *young->watched == watched + 1);
    Py_DECREF(object);
    return moved && link_of(last)->next == young->end && *young->created == created &&
           (young->watched == NULL || *young->watched == watched);
}

/* The list ends with `first` and `last`, if new objects are put at its end. */
static bool find_behind(ph_young_objects *young, PyObject *first, PyObject *last)
{
    young->end = link_of(last)->next;
    young->head = without_marks(young->end);
    if (without_marks(link_of(first)->next) != link_of(last) || young->head == NULL ||
        young->head->previous != (uintptr_t)link_of(last)) {
        return false;
    }
    /* The head is the first member of what the interpreter keeps for a generation. */
    young->created = &((struct gc_generation *)(void *)young->head)->count;
    young->watched = count_of_watched();
    return counts_move(young, last) && counts_move(young, last);
}

/* Sets are never kept for reuse, so that each is created and freed. */
void ph_young_objects_find(ph_young_objects *young)
{
    memset(young, 0, sizeof *young);
    int enabled = PyGC_Disable();
    PyObject *first = PySet_New(NULL), *last = PySet_New(NULL);
    PyObject *list = PyList_New(0), *dict = PyDict_New();
    if (first == NULL || last == NULL || list == NULL || dict == NULL) {
        PyErr_Clear();
    } else {
        memcpy(&young->list_header, list, sizeof(PyObject));
        memcpy(&young->dict_header, dict, sizeof(PyObject));
        Py_CLEAR(list);
        Py_CLEAR(dict);
        if (!find_behind(young, first, last)) {
            young->head = NULL;
        }
    }
    Py_XDECREF(first);
    Py_XDECREF(last);
    Py_XDECREF(list);
    Py_XDECREF(dict);
    if (enabled) {
        PyGC_Enable();
    }
}

bool ph_young_objects_ready(ph_young_objects *young)
{
    if (young->head == NULL) {
        return false;
    }
    /* Some versions mark new objects in turns, which change with each collection. */
    PyObject *sample = PyList_New(0);
    if (sample == NULL) {
        PyErr_Clear();
        return false;
    }
    young->end = link_of(sample)->next;
    Py_DECREF(sample);
    return without_marks(young->end) == young->head;
}

#endif
