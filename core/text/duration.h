/* Durations as ISO 8601 writes them, in days, hours, minutes and seconds. */
#ifndef PH_TEXT_DURATION_H
#define PH_TEXT_DURATION_H

#include "text/rfc3339.h"

/* The largest that is read: PH_DURATION_DAYS_MAX days, 23:59:59.999... forward; exactly that many days
 * backward. */
#define PH_DURATION_DAYS_MAX 999999999

/* A length of time and its direction; fields are magnitudes. */
typedef struct ph_duration {
    uint64_t days;
    uint32_t seconds;  /* 0 to 86399 */
    uint32_t fraction; /* of a second, in the unit of the precision asked for or given */
    bool is_negative;
} ph_duration;

/* Reads a whole text: an optional sign, P, then days (1D), then T and hours, minutes, seconds (1H2M3S),
 * each optional but at least one; letters in either case; a decimal fraction of any length on the last
 * number only. Rounds to the precision, halves away from zero.
 *
 * PH_ERROR_NONE; PH_ERROR_TEXT_DURATION_UNIT for years, months and weeks, whose length is not fixed or
 * not in use; PH_ERROR_TEXT_DURATION_RANGE beyond the largest; PH_ERROR_TEXT_DURATION for everything
 * else. *duration is set only on success. A zero is never negative. Thread safe. */
ph_error_code ph_duration_read(const uint8_t *text, size_t size, ph_time_precision precision,
                               ph_duration *duration);

/* Room that the writer needs; it may write behind the position it returns. */
#define PH_DURATION_ROOM 56

/* Writes days and seconds, zeros left out (P1DT30.000123S, -PT1S, P0D), and returns the position after
 * the text. seconds and fraction must be in their ranges. Thread safe. */
uint8_t *ph_duration_put(uint8_t *to, const ph_duration *duration, ph_time_precision precision);

#endif
