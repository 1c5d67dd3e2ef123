/* Reading and writing RFC 3339 texts, field by field. */
#include "text/rfc3339.h"

#include "text/integer_text.h"

/* Two digits at `at` as a number; 100 or more if one is no digit. */
PH_INLINE unsigned two_digits(const uint8_t *at)
{
    unsigned tens = (unsigned)at[0] - '0';
    unsigned ones = (unsigned)at[1] - '0';
    return tens > 9 || ones > 9 ? 100 : 10 * tens + ones;
}

static bool is_leap_year(int32_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static unsigned days_in_month(int32_t year, unsigned month)
{
    static const uint8_t days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (unsigned)(month == 2 && is_leap_year(year));
}

#define DATE_SIZE 10
#define TIME_SIZE 8 /* without fraction and offset */

/* The ten characters of a date. */
static bool read_date(const uint8_t *at, ph_date *date)
{
    unsigned century = two_digits(at);
    unsigned year = two_digits(at + 2);
    unsigned month = two_digits(at + 5);
    unsigned day = two_digits(at + 8);
    if (century > 99 || year > 99 || at[4] != '-' || at[7] != '-' || month < 1 || month > 12) {
        return false;
    }
    date->year = (int32_t)(100 * century + year);
    date->month = (uint8_t)month;
    date->day = (uint8_t)day;
    return date->year > 0 && day >= 1 && day <= days_in_month(date->year, month);
}

/* Reads the digits after a point and rounds them. *fraction may become a whole second. NULL when
 * there is no digit. */
static const uint8_t *read_fraction(const uint8_t *at, const uint8_t *end,
                                    ph_time_precision precision, uint32_t *fraction)
{
    const uint8_t *first = at;
    unsigned digits = 0;
    bool round_up = false;
    *fraction = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++, digits++) {
        if (digits < (unsigned)precision) {
            *fraction = 10 * *fraction + (uint32_t)(*at - '0');
        } else if (digits == (unsigned)precision) {
            round_up = *at >= '5';
        }
    }
    for (; digits < (unsigned)precision; digits++) {
        *fraction *= 10;
    }
    *fraction += round_up;
    return at == first ? NULL : at;
}

/* What is left must be an offset, or nothing. */
static bool read_offset(const uint8_t *at, const uint8_t *end, ph_time *time)
{
    size_t left = ph_left(at, end);
    time->has_offset = left != 0;
    time->offset = 0;
    if (left == 0 || (left == 1 && (*at | 0x20) == 'z')) {
        return true;
    }
    bool has_colon = left == 6 && at[3] == ':';
    if ((left != 5 && !has_colon) || (*at != '+' && *at != '-')) {
        return false;
    }
    unsigned hours = two_digits(at + 1);
    unsigned minutes = two_digits(at + 3 + has_colon);
    int offset = (int)(60 * hours + minutes);
    time->offset = (int16_t)(*at == '-' ? -offset : offset);
    return hours < 24 && minutes < 60;
}

/* Adds the second that rounding made; true when the day is over. */
static bool carry_second(ph_time *time)
{
    time->fraction = 0;
    if (++time->second < 60) {
        return false;
    }
    time->second = 0;
    if (++time->minute < 60) {
        return false;
    }
    time->minute = 0;
    if (++time->hour < 24) {
        return false;
    }
    time->hour = 0;
    return true;
}

static uint32_t units_in_second(ph_time_precision precision)
{
    return precision == PH_MICROSECONDS ? 1000000 : 1000000000;
}

/* A whole text of time. *is_next_day says that rounding went past midnight. */
static bool read_time(const uint8_t *at, size_t size, ph_time_precision precision, ph_time *time,
                      bool *is_next_day)
{
    *is_next_day = false;
    if (size < TIME_SIZE) {
        return false;
    }
    const uint8_t *end = at + size;
    unsigned hour = two_digits(at);
    unsigned minute = two_digits(at + 3);
    unsigned second = two_digits(at + 6);
    if (hour > 23 || minute > 59 || second > 59 || at[2] != ':' || at[5] != ':') {
        return false;
    }
    time->hour = (uint8_t)hour;
    time->minute = (uint8_t)minute;
    time->second = (uint8_t)second;
    time->fraction = 0;
    at += TIME_SIZE;
    if (at < end && *at == '.') {
        at = read_fraction(at + 1, end, precision, &time->fraction);
        if (at == NULL) {
            return false;
        }
        if (time->fraction == units_in_second(precision)) {
            *is_next_day = carry_second(time);
        }
    }
    return read_offset(at, end, time);
}

/* False after the last day of the year 9999. */
static bool move_to_next_day(ph_date *date)
{
    if (date->day < days_in_month(date->year, date->month)) {
        date->day++;
        return true;
    }
    date->day = 1;
    if (++date->month > 12) {
        date->month = 1;
        date->year++;
    }
    return date->year <= 9999;
}

ph_error_code ph_rfc3339_read_date(const uint8_t *text, size_t size, ph_date *date)
{
    ph_date result;
    if (size != DATE_SIZE || !read_date(text, &result)) {
        return PH_ERROR_TEXT_TIME;
    }
    *date = result;
    return PH_ERROR_NONE;
}

ph_error_code ph_rfc3339_read_time(const uint8_t *text, size_t size, ph_time_precision precision,
                                   ph_time *time)
{
    ph_time result;
    bool is_next_day;
    if (!read_time(text, size, precision, &result, &is_next_day)) {
        return PH_ERROR_TEXT_TIME;
    }
    *time = result;
    return PH_ERROR_NONE;
}

ph_error_code ph_rfc3339_read_datetime(const uint8_t *text, size_t size,
                                       ph_time_precision precision, ph_date *date, ph_time *time)
{
    ph_date day;
    ph_time clock;
    bool is_next_day;
    if (size < DATE_SIZE + 1 + TIME_SIZE || !read_date(text, &day)) {
        return PH_ERROR_TEXT_TIME;
    }
    uint8_t between = text[DATE_SIZE];
    if ((between | 0x20) != 't' && between != ' ') {
        return PH_ERROR_TEXT_TIME;
    }
    size_t before = DATE_SIZE + 1;
    if (!read_time(text + before, size - before, precision, &clock, &is_next_day) ||
        (is_next_day && !move_to_next_day(&day))) {
        return PH_ERROR_TEXT_TIME;
    }
    *date = day;
    *time = clock;
    return PH_ERROR_NONE;
}

/* The `count` (3 at most) last of three digits, and no more bytes. */
PH_INLINE uint8_t *put_digits(uint8_t *to, uint32_t number, size_t count)
{
    uint8_t digits[4];
    ph_text_store_half_word(digits, ph_three_digits[number]);
    memcpy(to, digits + 3 - count, count);
    return to + count;
}

PH_INLINE uint8_t *put_two_digits(uint8_t *to, uint32_t number)
{
    return put_digits(to, number, 2);
}

uint8_t *ph_rfc3339_put_date(uint8_t *to, const ph_date *date)
{
    to = put_two_digits(to, (unsigned)date->year / 100);
    to = put_two_digits(to, (unsigned)date->year % 100);
    *to++ = '-';
    to = put_two_digits(to, date->month);
    *to++ = '-';
    return put_two_digits(to, date->day);
}

static uint8_t *put_offset(uint8_t *to, int16_t offset, ph_utc_style style)
{
    if (offset == 0 && style == PH_UTC_AS_Z) {
        *to = 'Z';
        return to + 1;
    }
    unsigned minutes = (unsigned)(offset < 0 ? -offset : offset);
    *to++ = offset < 0 ? '-' : '+';
    to = put_two_digits(to, minutes / 60);
    *to++ = ':';
    return put_two_digits(to, minutes % 60);
}

uint8_t *ph_rfc3339_put_time(uint8_t *to, const ph_time *time, ph_time_precision precision,
                             ph_utc_style style)
{
    to = put_two_digits(to, time->hour);
    *to++ = ':';
    to = put_two_digits(to, time->minute);
    *to++ = ':';
    to = put_two_digits(to, time->second);
    if (time->fraction != 0) {
        *to++ = '.';
        uint32_t thousands = precision == PH_NANOSECONDS ? time->fraction / 1000 : time->fraction;
        to = put_digits(to, thousands / 1000, 3);
        to = put_digits(to, thousands % 1000, 3);
        if (precision == PH_NANOSECONDS) {
            to = put_digits(to, time->fraction % 1000, 3);
        }
    }
    return time->has_offset ? put_offset(to, time->offset, style) : to;
}

int16_t ph_rfc3339_offset_from_seconds(int32_t seconds)
{
    int32_t magnitude = seconds < 0 ? -seconds : seconds;
    int32_t minutes = (magnitude + 29) / 60;
    minutes = minutes > 1439 ? 1439 : minutes;
    return (int16_t)(seconds < 0 ? -minutes : minutes);
}
