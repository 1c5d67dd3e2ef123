/* Dates and times as RFC 3339 writes them, read and written. */
#ifndef PH_TEXT_RFC3339_H
#define PH_TEXT_RFC3339_H

#include "base/bytes.h"
#include "base/error.h"

/* A day of the proleptic Gregorian calendar. */
typedef struct ph_date {
    int32_t year; /* 1 to 9999 */
    uint8_t month;
    uint8_t day;
} ph_date;

typedef struct ph_time {
    uint32_t fraction; /* of a second, in the unit of the precision asked for or given */
    uint8_t hour;
    uint8_t minute;
    uint8_t second; /* 0 to 59 */
    bool has_offset;
    int16_t offset; /* minutes east of UTC, -1439 to 1439; 0 without one */
} ph_time;

/* Digits that `fraction` counts. */
typedef enum ph_time_precision { PH_MICROSECONDS = 6, PH_NANOSECONDS = 9 } ph_time_precision;

/* Read a whole text: a date YYYY-MM-DD; a time hh:mm:ss with an optional fraction of any length and
 * an optional offset (Z, z, +hh:mm, +hhmm, or with a minus sign); or both with T, t or a space between
 * them. Second 60, hour 24, the year 0 and days that the month does not have are refused.
 *
 * Fractions are rounded to the precision, halves up. That may carry into the next second and further:
 * a time wraps to 00:00:00, a date and time moves on to the next day and is refused after the year
 * 9999. PH_ERROR_NONE or PH_ERROR_TEXT_TIME; the result is set only on success. Thread safe. */
ph_error_code ph_rfc3339_read_date(const uint8_t *text, size_t size, ph_date *date);
ph_error_code ph_rfc3339_read_time(const uint8_t *text, size_t size, ph_time_precision precision,
                                   ph_time *time);
ph_error_code ph_rfc3339_read_datetime(const uint8_t *text, size_t size,
                                       ph_time_precision precision, ph_date *date, ph_time *time);

/* Room that the writers need; they write nothing behind the position they return. */
#define PH_RFC3339_ROOM 40

/* How an offset of zero is written. */
typedef enum ph_utc_style {
    PH_UTC_AS_Z,
    PH_UTC_AS_OFFSET /* +00:00 */
} ph_utc_style;

/* Write at `to` and return the position after the text. A fraction is written with all its digits,
 * or not at all when it is zero. The members must be in their ranges. Thread safe. */
uint8_t *ph_rfc3339_put_date(uint8_t *to, const ph_date *date);
uint8_t *ph_rfc3339_put_time(uint8_t *to, const ph_time *time, ph_time_precision precision,
                             ph_utc_style style);

/* An offset in seconds (less than a day either way) as the nearest that can be written, in minutes:
 * half a minute counts as none, and what would round to a whole day stays at 23:59. */
int16_t ph_rfc3339_offset_from_seconds(int32_t seconds);

#endif
