/* Exceptions that say where: offset and path are gathered while the walk unwinds. */
#ifndef PH_PYTHON_ERRORS_H
#define PH_PYTHON_ERRORS_H

#include "module.h"

#include "base/error.h"

/* The error of one walk (decode or encode) over nested containers.
 *
 * Our own exceptions are raised in three steps: the place that finds the error sets the exception
 * as usual and calls ph_trace_capture, which takes it out of the thread state; every container on
 * the way out adds its key or index; the entry point calls ph_trace_finish, which has
 * packhorse.location put .offset, .path and a note on it, and raises. Exceptions of user code are
 * never captured: they stay set in the thread state from the start and propagate unchanged, and the
 * other calls do nothing. */
typedef struct ph_trace {
    PyObject *exception; /* owned; NULL: nothing captured */
    PyObject *segments;  /* owned list, innermost first; NULL as long as it would be empty */
    Py_ssize_t offset;   /* -1: none */
} ph_trace;

PH_INLINE void ph_trace_begin(ph_trace *trace)
{
    trace->exception = NULL;
    trace->segments = NULL;
    trace->offset = -1;
}

/* Takes the exception that is set now. offset: where in the input or stream, in bytes; -1 when there
 * is no such place. Only for exceptions that this library raised itself. */
void ph_trace_capture(ph_trace *trace, Py_ssize_t offset);

/* On the way out of an array: the index of the element that failed. */
void ph_trace_index(ph_trace *trace, Py_ssize_t index);

/* On the way out of a map: the key whose value failed (borrowed; any object). */
void ph_trace_key(ph_trace *trace, PyObject *key);

/* On the way out of a map: a key failed itself, so that there is none to name. */
void ph_trace_failed_key(ph_module_state *state, ph_trace *trace);

/* Raises what was captured, with path, offset and note; without a captured exception the thread
 * state's is left as it is. Always called at the entry point when a walk has failed. */
void ph_trace_finish(ph_module_state *state, ph_trace *trace);

#endif
