/* Reading and writing ISO 8601 durations. */
#include "text/duration.h"

#include "text/integer_text.h"

#define SECONDS_IN_DAY 86400u

/* Days and seconds stay below this while they are added up; what is larger is out of range anyway. */
#define ENOUGH ((uint64_t)1 << 57)

/* A number with its unit; the fraction's digits are looked at again when the unit is known. */
typedef struct component {
    uint64_t whole; /* at most ENOUGH */
    const uint8_t *fraction;
    const uint8_t *fraction_end; /* equal to fraction when there is none */
    uint8_t unit;                /* a capital letter */
} component;

PH_INLINE bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Digits, optionally a point and digits, a letter. NULL if the text is anything else. */
static const uint8_t *read_component(const uint8_t *at, const uint8_t *end, component *part)
{
    const uint8_t *first = at;
    part->whole = 0;
    for (; at < end && is_digit(*at); at++) {
        part->whole = 10 * part->whole + (uint64_t)(*at - '0');
        part->whole = part->whole > ENOUGH ? ENOUGH : part->whole;
    }
    if (at == first) {
        return NULL;
    }
    part->fraction = at;
    part->fraction_end = at;
    if (at < end && *at == '.') {
        at++;
        part->fraction = at;
        while (at < end && is_digit(*at)) {
            at++;
        }
        part->fraction_end = at;
        if (at == part->fraction) {
            return NULL;
        }
    }
    if (at == end) {
        return NULL;
    }
    part->unit = *at & (uint8_t)~0x20;
    return at + 1;
}

/* The fraction of `length` units, rounded, halves up: from the last digit to the first, so that what a
 * division leaves over is always less than one in the next place. */
static uint64_t scale_fraction(const component *part, uint64_t length)
{
    uint64_t sum = 0;
    uint64_t left_over = 0;
    for (const uint8_t *at = part->fraction_end; at > part->fraction; at--) {
        sum += (uint64_t)(at[-1] - '0') * length;
        left_over = sum % 10;
        sum /= 10;
    }
    return sum + (left_over >= 5);
}

/* Seconds in a unit; which units may come, and in which order, depends on what came before. */
static uint32_t seconds_in_unit(uint8_t unit)
{
    switch (unit) {
    case 'D': return SECONDS_IN_DAY;
    case 'H': return 3600;
    case 'M': return 60;
    default: return 1;
    }
}

/* Sums that become a duration at the end. */
typedef struct sums {
    uint64_t days;
    uint64_t seconds;
    uint64_t fraction;
} sums;

static void add_component(sums *total, const component *part, uint64_t units_in_second)
{
    uint64_t seconds = seconds_in_unit(part->unit);
    if (part->unit == 'D') {
        total->days += part->whole;
    } else {
        total->days += part->whole / SECONDS_IN_DAY * seconds;
        total->seconds += part->whole % SECONDS_IN_DAY * seconds;
    }
    total->fraction += scale_fraction(part, seconds * units_in_second);
}

/* What is left after P: components with units in falling order, T before the first smaller than a
 * day. */
static ph_error_code read_components(const uint8_t *at, const uint8_t *end,
                                     uint64_t units_in_second, sums *total)
{
    static const char order[] = "DHMS";
    const char *next = order; /* the largest unit that may still come */
    bool after_t = false;
    bool is_complete = false;
    while (at < end) {
        if ((*at | 0x20) == 't' && !after_t) {
            after_t = true;
            is_complete = false;
            next = order + 1;
            at++;
            continue;
        }
        component part;
        at = read_component(at, end, &part);
        if (at == NULL) {
            return PH_ERROR_TEXT_DURATION;
        }
        if (part.unit == 'Y' || part.unit == 'W' || (part.unit == 'M' && !after_t)) {
            return PH_ERROR_TEXT_DURATION_UNIT;
        }
        while (*next != 0 && (uint8_t)*next != part.unit) {
            next++;
        }
        bool has_fraction = part.fraction != part.fraction_end;
        if (*next == 0 || (part.unit == 'D') == after_t || (has_fraction && at < end)) {
            return PH_ERROR_TEXT_DURATION;
        }
        next++;
        is_complete = true;
        add_component(total, &part, units_in_second);
    }
    return is_complete ? PH_ERROR_NONE : PH_ERROR_TEXT_DURATION;
}

ph_error_code ph_duration_read(const uint8_t *text, size_t size, ph_time_precision precision,
                               ph_duration *duration)
{
    const uint8_t *at = text;
    const uint8_t *end = size == 0 ? text : text + size;
    bool is_negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    if (at == end || (*at | 0x20) != 'p') {
        return PH_ERROR_TEXT_DURATION;
    }
    uint64_t units_in_second = precision == PH_MICROSECONDS ? 1000000 : 1000000000;
    sums total = {0, 0, 0};
    ph_error_code code = read_components(at + 1, end, units_in_second, &total);
    if (code != PH_ERROR_NONE) {
        return code;
    }
    total.seconds += total.fraction / units_in_second;
    total.days += total.seconds / SECONDS_IN_DAY;
    ph_duration result = {total.days, (uint32_t)(total.seconds % SECONDS_IN_DAY),
                          (uint32_t)(total.fraction % units_in_second), is_negative};
    bool is_whole = result.seconds == 0 && result.fraction == 0;
    if (result.days > PH_DURATION_DAYS_MAX ||
        (is_negative && result.days == PH_DURATION_DAYS_MAX && !is_whole)) {
        return PH_ERROR_TEXT_DURATION_RANGE;
    }
    result.is_negative = is_negative && (result.days != 0 || !is_whole);
    *duration = result;
    return PH_ERROR_NONE;
}

uint8_t *ph_duration_put(uint8_t *to, const ph_duration *duration, ph_time_precision precision)
{
    bool has_time = duration->seconds != 0 || duration->fraction != 0;
    if (duration->is_negative) {
        *to++ = '-';
    }
    *to++ = 'P';
    if (duration->days != 0 || !has_time) {
        to = ph_text_put_u64(to, duration->days);
        *to++ = 'D';
    }
    if (!has_time) {
        return to;
    }
    *to++ = 'T';
    to = ph_text_put_u64(to, duration->seconds);
    if (duration->fraction != 0) {
        uint32_t fraction = duration->fraction;
        int digits = (int)precision;
        for (; fraction % 10 == 0; fraction /= 10) {
            digits--;
        }
        *to++ = '.';
        for (int digit = digits - 1; digit >= 0; digit--) {
            to[digit] = (uint8_t)('0' + fraction % 10);
            fraction /= 10;
        }
        to += digits;
    }
    *to++ = 'S';
    return to;
}
