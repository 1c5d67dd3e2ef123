/* datetime.datetime to seconds and nanoseconds since the epoch, exactly. */
#ifndef PH_PYTHON_VALUES_DATETIME_H
#define PH_PYTHON_VALUES_DATETIME_H

#include "encode/state.h"

#include "wire/timestamp.h"

/* True for datetime.datetime itself, false for subclasses. */
PH_INLINE bool ph_datetime_is_exact(const ph_module_state *state, PyObject *object)
{
    const PyDateTime_CAPI *datetime = state->encode->datetime;
    return datetime != NULL && Py_IS_TYPE(object, datetime->DateTimeType);
}

/* True for a datetime (or a subclass) that has a tzinfo. */
bool ph_datetime_is_aware(PyObject *datetime);

/* Reads an aware datetime. Runs user code when its tzinfo is not datetime.timezone.utc; *user_code
 * says so. False with an exception set. */
bool ph_datetime_read(ph_module_state *state, PyObject *datetime, ph_timestamp *timestamp,
                      bool *user_code);

#endif
