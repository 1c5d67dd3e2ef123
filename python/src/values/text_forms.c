/* The fields of datetime objects and UUIDs, handed to the text layer of the core. */
#include "values/text_forms.h"

#include "cpython_read.h"
#include "values/classes.h"

#include "base/bytes.h"
#include "text/duration.h"
#include "text/rfc3339.h"

#define SECONDS_PER_DAY 86400

ph_text_form ph_text_form_of_exact(ph_module_state *state, const ph_encode_options *options,
                                   bool is_key, const PyTypeObject *type)
{
    const PyDateTime_CAPI *datetime = state->encode->datetime;
    bool passed = !is_key && (options->orjson_options & PH_ORJSON_PASSTHROUGH_DATETIME) != 0;
    if (datetime != NULL && !passed) {
        if (type == datetime->DateTimeType) {
            return PH_TEXT_FORM_DATETIME;
        }
        if (type == datetime->DateType) {
            return PH_TEXT_FORM_DATE;
        }
        if (type == datetime->TimeType) {
            return PH_TEXT_FORM_TIME;
        }
        if (type == datetime->DeltaType && !options->like_orjson) {
            return PH_TEXT_FORM_DURATION;
        }
    }
    return type == ph_imported_class_seen(state, PH_IMPORTED_UUID) ? PH_TEXT_FORM_UUID
                                                                   : PH_TEXT_FORM_NONE;
}

ph_text_form ph_text_form_of_derived(ph_module_state *state, const ph_encode_options *options,
                                     PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value), *uuid;
    int found = ph_imported_class(state, PH_IMPORTED_UUID, &uuid);
    if (found <= 0) {
        return found < 0 ? PH_TEXT_FORM_FAILED : PH_TEXT_FORM_NONE;
    }
    bool is_uuid = type == uuid || (!options->like_orjson && PyType_IsSubtype(type, uuid));
    return is_uuid ? PH_TEXT_FORM_UUID : PH_TEXT_FORM_NONE;
}

/* What has the offset of a datetime that orjson's users give a zone of pytz: as a tzinfo that has the
 * offset of its oldest time, normalize gives the one that holds then. A new reference. */
static PyObject *normalized(ph_module_state *state, PyObject *value, PyObject *tzinfo)
{
    PyObject *normalize;
    int found = ph_optional_attribute(tzinfo, state->encode->name_normalize, &normalize);
    if (found <= 0) {
        return found < 0 ? NULL : Py_NewRef(value);
    }
    PyObject *made = PyObject_CallOneArg(normalize, value);
    Py_DECREF(normalize);
    return made;
}

/* A timedelta or None, a new reference; NULL with an exception set. */
static PyObject *utc_offset(ph_module_state *state, const ph_encode_options *options,
                            PyObject *value, PyObject *tzinfo)
{
    /* A fixed zone of the datetime module says it at once, without a look at the time. */
    if (Py_IS_TYPE(tzinfo, Py_TYPE(state->encode->datetime->TimeZone_UTC))) {
        return PyObject_CallMethodOneArg(tzinfo, state->name.utcoffset, Py_None);
    }
    PyObject *asked = options->like_orjson ? normalized(state, value, tzinfo) : Py_NewRef(value);
    PyObject *offset =
        asked == NULL ? NULL : PyObject_CallMethodNoArgs(asked, state->name.utcoffset);
    Py_XDECREF(asked);
    if (offset != NULL && offset != Py_None &&
        !PyObject_TypeCheck(offset, state->encode->datetime->DeltaType)) {
        Py_CLEAR(offset);
        PyErr_SetString(PyExc_TypeError, "utcoffset() must return a timedelta or None");
    }
    return offset;
}

/* Asks a datetime or time for its offset; has_offset stays false when it has none. */
static bool read_offset(ph_module_state *state, const ph_encode_options *options, PyObject *value,
                        PyObject *tzinfo, ph_time *time, bool *user_code)
{
    time->has_offset = false;
    time->offset = 0;
    if (tzinfo == Py_None) {
        return true;
    }
    if (tzinfo == state->encode->datetime->TimeZone_UTC) {
        time->has_offset = true;
        return true;
    }
    *user_code = true;
    PyObject *offset = utc_offset(state, options, value, tzinfo);
    if (offset == NULL) {
        return false;
    }
    if (offset != Py_None) {
        int32_t seconds = PyDateTime_DELTA_GET_DAYS(offset) * SECONDS_PER_DAY +
                          PyDateTime_DELTA_GET_SECONDS(offset);
        time->has_offset = true;
        time->offset = ph_rfc3339_offset_from_seconds(seconds);
    }
    Py_DECREF(offset);
    return true;
}

static uint8_t *put_time(const ph_encode_options *options, ph_time *time, uint8_t *to)
{
    if ((options->orjson_options & PH_ORJSON_OMIT_MICROSECONDS) != 0) {
        time->fraction = 0;
    }
    bool as_offset = options->like_orjson && (options->orjson_options & PH_ORJSON_UTC_Z) == 0;
    return ph_rfc3339_put_time(to, time, PH_MICROSECONDS,
                               as_offset ? PH_UTC_AS_OFFSET : PH_UTC_AS_Z);
}

static uint8_t *put_datetime(ph_module_state *state, const ph_encode_options *options,
                             PyObject *value, uint8_t *to, bool *user_code)
{
    ph_date date = {.year = PyDateTime_GET_YEAR(value),
                    .month = (uint8_t)PyDateTime_GET_MONTH(value),
                    .day = (uint8_t)PyDateTime_GET_DAY(value)};
    ph_time time = {.fraction = (uint32_t)PyDateTime_DATE_GET_MICROSECOND(value),
                    .hour = (uint8_t)PyDateTime_DATE_GET_HOUR(value),
                    .minute = (uint8_t)PyDateTime_DATE_GET_MINUTE(value),
                    .second = (uint8_t)PyDateTime_DATE_GET_SECOND(value)};
    if (!read_offset(state, options, value, PyDateTime_DATE_GET_TZINFO(value), &time, user_code)) {
        return NULL;
    }
    if ((options->orjson_options & PH_ORJSON_NAIVE_UTC) != 0) {
        time.has_offset = true;
    }
    to = ph_rfc3339_put_date(to, &date);
    *to++ = 'T';
    return put_time(options, &time, to);
}

static uint8_t *put_date(PyObject *value, uint8_t *to)
{
    ph_date date = {.year = PyDateTime_GET_YEAR(value),
                    .month = (uint8_t)PyDateTime_GET_MONTH(value),
                    .day = (uint8_t)PyDateTime_GET_DAY(value)};
    return ph_rfc3339_put_date(to, &date);
}

static uint8_t *put_time_of_day(ph_module_state *state, const ph_encode_options *options,
                                PyObject *value, uint8_t *to, bool *user_code)
{
    PyObject *tzinfo = PyDateTime_TIME_GET_TZINFO(value);
    if (options->like_orjson && tzinfo != Py_None) {
        PyErr_SetString(PyExc_TypeError, "datetime.time must not have tzinfo set");
        return NULL;
    }
    ph_time time = {.fraction = (uint32_t)PyDateTime_TIME_GET_MICROSECOND(value),
                    .hour = (uint8_t)PyDateTime_TIME_GET_HOUR(value),
                    .minute = (uint8_t)PyDateTime_TIME_GET_MINUTE(value),
                    .second = (uint8_t)PyDateTime_TIME_GET_SECOND(value)};
    return read_offset(state, options, value, tzinfo, &time, user_code)
               ? put_time(options, &time, to)
               : NULL;
}

/* A timedelta has days of either sign and non-negative seconds; a duration has magnitudes. */
static uint8_t *put_duration(PyObject *value, uint8_t *to)
{
    int64_t days = PyDateTime_DELTA_GET_DAYS(value);
    uint32_t seconds = (uint32_t)PyDateTime_DELTA_GET_SECONDS(value);
    uint32_t microseconds = (uint32_t)PyDateTime_DELTA_GET_MICROSECONDS(value);
    ph_duration duration = {.is_negative = days < 0};
    if (days < 0) {
        bool has_microseconds = microseconds > 0;
        bool has_rest = has_microseconds || seconds > 0;
        duration.days = (uint64_t)-days - has_rest;
        duration.seconds = has_rest ? SECONDS_PER_DAY - seconds - has_microseconds : 0;
        duration.fraction = has_microseconds ? 1000000 - microseconds : 0;
        if (duration.seconds == SECONDS_PER_DAY) {
            duration.seconds = 0;
            duration.days++;
        }
    } else {
        duration.days = (uint64_t)days;
        duration.seconds = seconds;
        duration.fraction = microseconds;
    }
    return ph_duration_put(to, &duration, PH_MICROSECONDS);
}

/* Four bytes, the highest in front, as eight hexadecimal digits. */
PH_INLINE void put_four_bytes(uint8_t *to, uint32_t bytes)
{
    uint64_t nibbles = bytes;
    nibbles = (nibbles << 16 | nibbles) & 0x0000FFFF0000FFFFu;
    nibbles = (nibbles << 8 | nibbles) & 0x00FF00FF00FF00FFu;
    nibbles = (nibbles << 4 | nibbles) & 0x0F0F0F0F0F0F0F0Fu;
    uint64_t letters = (nibbles + 0x0606060606060606u) >> 4 & 0x0101010101010101u;
    ph_store_big64(to, nibbles + 0x3030303030303030u + letters * ('a' - '0' - 10));
}

/* Both halves of an int of 128 bits; false with an exception set. */
static bool read_halves(PyObject *number, uint64_t *upper, uint64_t *lower)
{
    PyObject *shift = PyLong_FromLong(64);
    PyObject *rest = shift == NULL ? NULL : PyNumber_Rshift(number, shift);
    bool read = rest != NULL && PyLong_Check(rest);
    if (read) {
        *upper = PyLong_AsUnsignedLongLongMask(rest);
        *lower = PyLong_AsUnsignedLongLongMask(number);
    }
    Py_XDECREF(shift);
    Py_XDECREF(rest);
    return read && PyErr_Occurred() == NULL;
}

/* The int of a UUID, which is all that it stores. */
static bool read_uuid(ph_module_state *state, PyObject *value, uint64_t *upper, uint64_t *lower)
{
    PyObject *number = PyObject_GetAttr(value, state->encode->name_int);
    bool read = number != NULL && PyLong_Check(number) &&
                (ph_int_read_128_bits(number, state->fast_path, upper, lower) ||
                 read_halves(number, upper, lower));
    if (!read && PyErr_Occurred() == NULL) {
        PyErr_SetString(PyExc_TypeError, "uuid.UUID.int must be an int");
    }
    Py_XDECREF(number);
    return read;
}

static uint8_t *put_uuid(ph_module_state *state, const ph_encode_options *options, PyObject *value,
                         uint8_t *to)
{
    uint64_t upper, lower;
    if (!read_uuid(state, value, &upper, &lower)) {
        return NULL;
    }
    uint8_t digits[32];
    put_four_bytes(digits, (uint32_t)(upper >> 32));
    put_four_bytes(digits + 8, (uint32_t)upper);
    put_four_bytes(digits + 16, (uint32_t)(lower >> 32));
    put_four_bytes(digits + 24, (uint32_t)lower);
    if (options->uuid_hex) {
        memcpy(to, digits, 32);
        return to + 32;
    }
    memcpy(to, digits, 8);
    memcpy(to + 9, digits + 8, 4);
    memcpy(to + 14, digits + 12, 4);
    memcpy(to + 19, digits + 16, 4);
    memcpy(to + 24, digits + 20, 12);
    to[8] = to[13] = to[18] = to[23] = '-';
    return to + 36;
}

uint8_t *ph_put_text_form(ph_module_state *state, const ph_encode_options *options,
                          ph_text_form form, PyObject *value, uint8_t *to, bool *user_code)
{
    *user_code = false;
    switch (form) {
    case PH_TEXT_FORM_DATETIME: return put_datetime(state, options, value, to, user_code);
    case PH_TEXT_FORM_DATE: return put_date(value, to);
    case PH_TEXT_FORM_TIME: return put_time_of_day(state, options, value, to, user_code);
    case PH_TEXT_FORM_DURATION: return put_duration(value, to);
    case PH_TEXT_FORM_UUID: *user_code = true; return put_uuid(state, options, value, to);
    case PH_TEXT_FORM_NONE:
    case PH_TEXT_FORM_FAILED: break;
    }
    return NULL;
}
