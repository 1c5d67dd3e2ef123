/* Calendar arithmetic on the fields of datetime objects; no floats, no C library time. */
#include "values/datetime.h"

#define SECONDS_PER_DAY         86400
#define MICROSECONDS_PER_SECOND 1000000

bool ph_datetime_is_aware(PyObject *datetime)
{
    return PyDateTime_DATE_GET_TZINFO(datetime) != Py_None;
}

/* Days from 1970-01-01 to a date of the proleptic Gregorian calendar, years 1 to 9999. Counts from
 * March, so that the leap day is the last of its year. */
static int64_t days_since_epoch(int year, int month, int day)
{
    int shifted_year = month > 2 ? year : year - 1;
    int shifted_month = month > 2 ? month - 3 : month + 9;
    int days_before_month = (153 * shifted_month + 2) / 5;
    return (int64_t)shifted_year * 365 + shifted_year / 4 - shifted_year / 100 +
           shifted_year / 400 + days_before_month + day - 1 - 719468;
}

/* Local time as if it were UTC; microseconds separately. */
static int64_t local_seconds(PyObject *datetime)
{
    int64_t days = days_since_epoch(PyDateTime_GET_YEAR(datetime), PyDateTime_GET_MONTH(datetime),
                                    PyDateTime_GET_DAY(datetime));
    return days * SECONDS_PER_DAY + PyDateTime_DATE_GET_HOUR(datetime) * 3600 +
           PyDateTime_DATE_GET_MINUTE(datetime) * 60 + PyDateTime_DATE_GET_SECOND(datetime);
}

bool ph_datetime_read(ph_module_state *state, PyObject *datetime, ph_timestamp *timestamp,
                      bool *user_code)
{
    int64_t seconds = local_seconds(datetime);
    int64_t microseconds = PyDateTime_DATE_GET_MICROSECOND(datetime);
    *user_code = PyDateTime_DATE_GET_TZINFO(datetime) != state->encode->datetime->TimeZone_UTC;
    if (*user_code) {
        PyObject *offset = PyObject_CallMethodNoArgs(datetime, state->name.utcoffset);
        if (offset == NULL) {
            return false;
        }
        if (offset == Py_None) {
            Py_DECREF(offset);
            PyErr_SetString(PyExc_TypeError,
                            "can't subtract offset-naive and offset-aware datetimes");
            return false;
        }
        seconds -= (int64_t)PyDateTime_DELTA_GET_DAYS(offset) * SECONDS_PER_DAY +
                   PyDateTime_DELTA_GET_SECONDS(offset);
        microseconds -= PyDateTime_DELTA_GET_MICROSECONDS(offset);
        Py_DECREF(offset);
    }
    if (microseconds < 0) {
        microseconds += MICROSECONDS_PER_SECOND;
        seconds--;
    }
    timestamp->seconds = seconds;
    timestamp->nanoseconds = (uint32_t)microseconds * 1000;
    return true;
}
