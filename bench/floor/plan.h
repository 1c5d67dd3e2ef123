/* A plan: what has to be created for an object graph, in order, with nothing left to parse.
 *
 * Building a plan makes the same objects as decoding a document does, from numbers, letters and key
 * sequences that were prepared before. The time that takes is the floor of every decoder. */
#ifndef PH_BENCH_FLOOR_PLAN_H
#define PH_BENCH_FLOOR_PLAN_H

#include "cpython_build.h"

typedef enum ph_step_kind {
    PH_STEP_SHARED,   /* None, True, False, a small int, an empty or one-letter str */
    PH_STEP_INTEGER,  /* fits int64_t */
    PH_STEP_UNSIGNED, /* 2^63 and more */
    PH_STEP_FLOAT,
    PH_STEP_ASCII, /* `count` letters (2 or more) in the plan's letters, which are used in order */
    PH_STEP_WIDE,  /* any other str, copied from `object` */
    PH_STEP_BYTES, /* copied from `object` */
    PH_STEP_LIST,  /* `count` values follow */
    PH_STEP_TUPLE, /* `count` values follow */
    PH_STEP_MAP    /* the values of shape `count` follow */
} ph_step_kind;

typedef struct ph_step {
    ph_step_kind kind;
    uint32_t count;
    union {
        PyObject *object; /* owned */
        int64_t integer;
        uint64_t unsigned_integer;
        double number;
    } value;
} ph_step;

/* A sequence of keys that maps of the document have. */
typedef struct ph_plan_shape {
    PyObject *keys; /* owned tuple */
#if PH_FAST_PATH
    ph_dict_template dict; /* keys NULL: only public calls */
#endif
} ph_plan_shape;

typedef struct ph_plan {
    PyObject_HEAD
    ph_step *steps;
    size_t step_count;
    size_t step_room;
    char *letters;
    size_t letter_count;
    size_t letter_room;
    ph_plan_shape *shapes;
    size_t shape_count;
    size_t shape_room;
    PyObject *shape_index;  /* dict: tuple of keys -> index; while planning */
    size_t values_at_once;  /* most values of maps that are open at the same time */
    PyObject **open_values; /* room for that many */
    const ph_object_samples *samples;
    size_t next_step; /* of the element that is built next; 0: from the start */
    size_t next_letter;
} ph_plan;

/* Appends the steps that make `value` (borrowed); -1 with an exception set. `open`: values of the
 * maps around it. */
int ph_plan_add(ph_plan *plan, PyObject *value, size_t open);

/* Frees what the plan holds. */
void ph_plan_clear(ph_plan *plan);

#endif
