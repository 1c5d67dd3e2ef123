/* core/text/rfc3339 and duration: texts read and refused, values written and read back. */
#include "guarded_memory.h"
#include "text/duration.h"
#include "text/rfc3339.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static guarded_memory guarded;

static const uint8_t *guard(const char *text, size_t *size)
{
    *size = strlen(text);
    return guarded_memory_copy(&guarded, text, *size);
}

/* The text that a date and time is written as again; empty when it is refused. */
static void rewrite_datetime(const char *text, ph_time_precision precision, char *written)
{
    size_t size;
    const uint8_t *bytes = guard(text, &size);
    ph_date date;
    ph_time time;
    uint8_t *to = (uint8_t *)written;
    if (ph_rfc3339_read_datetime(bytes, size, precision, &date, &time) == PH_ERROR_NONE) {
        to = ph_rfc3339_put_date(to, &date);
        *to++ = 'T';
        to = ph_rfc3339_put_time(to, &time, precision, PH_UTC_AS_Z);
        assert_true(to - (uint8_t *)written <= PH_RFC3339_ROOM);
    }
    *to = 0;
}

static void test_datetimes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *microseconds, *nanoseconds; /* NULL: as with microseconds */
    } cases[] = {
        {"2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z", NULL},
        {"2020-01-02t03:04:05z", "2020-01-02T03:04:05Z", NULL},
        {"2020-01-02 03:04:05", "2020-01-02T03:04:05", NULL},
        {"2020-01-02T03:04:05.5", "2020-01-02T03:04:05.500000", "2020-01-02T03:04:05.500000000"},
        {"2020-01-02T03:04:05.1234565", "2020-01-02T03:04:05.123457",
         "2020-01-02T03:04:05.123456500"},
        {"2020-01-02T03:04:05.12345649999", "2020-01-02T03:04:05.123456",
         "2020-01-02T03:04:05.123456500"},
        {"2015-01-02T18:10:50.895208559+01:00", "2015-01-02T18:10:50.895209+01:00",
         "2015-01-02T18:10:50.895208559+01:00"},
        {"2020-12-31T23:59:59.9999995Z", "2021-01-01T00:00:00Z", "2020-12-31T23:59:59.999999500Z"},
        {"2020-02-28T23:59:59.9999999999", "2020-02-29T00:00:00", NULL},
        {"2021-02-28T23:59:59.9999999999", "2021-03-01T00:00:00", NULL},
        {"9999-12-31T23:59:59.9999995Z", "", "9999-12-31T23:59:59.999999500Z"},
        {"9999-12-31T23:59:59.9999999999Z", "", NULL},
        {"9999-12-31T23:59:59.9999994Z", "9999-12-31T23:59:59.999999Z",
         "9999-12-31T23:59:59.999999400Z"},
        {"2020-01-02T03:04:05-00:00", "2020-01-02T03:04:05Z", NULL},
        {"2020-01-02T03:04:05+0530", "2020-01-02T03:04:05+05:30", NULL},
        {"2020-01-02T03:04:05-23:59", "2020-01-02T03:04:05-23:59", NULL},
        {"0001-01-01T00:00:00+01:00", "0001-01-01T00:00:00+01:00", NULL},
        {"2000-02-29T00:00:00", "2000-02-29T00:00:00", NULL},
        {"2020-01-02_03:04:05", "", NULL},
        {"2020-01-02T03:04:05.", "", NULL},
        {"2020-01-02T03:04:05.Z", "", NULL},
        {"2020-01-02T03:04:05,5", "", NULL},
        {"2020-01-02T03:04:05+24:00", "", NULL},
        {"2020-01-02T03:04:05+23:60", "", NULL},
        {"2020-01-02T03:04:05+05", "", NULL},
        {"2020-01-02T03:04:05+05:3", "", NULL},
        {"2020-01-02T03:04:05+05:30:00", "", NULL},
        {"2020-06-30T23:59:60Z", "", NULL},
        {"2020-01-02T24:00:00Z", "", NULL},
        {"2020-01-02T03:60:05", "", NULL},
        {"2020-02-30T00:00:00", "", NULL},
        {"2021-02-29T00:00:00", "", NULL},
        {"1900-02-29T00:00:00", "", NULL},
        {"2020-04-31T00:00:00", "", NULL},
        {"0000-01-01T00:00:00", "", NULL},
        {"2020-13-01T00:00:00", "", NULL},
        {"2020-00-01T00:00:00", "", NULL},
        {"2020-01-00T00:00:00", "", NULL},
        {"2020-1-02T03:04:05", "", NULL},
        {"12020-01-02T03:04:05", "", NULL},
        {"2020-01-02T03:04", "", NULL},
        {"2020-01-02", "", NULL},
        {"20200102T030405Z", "", NULL},
        {"2020-01-02T03:04:05 Z", "", NULL},
        {" 2020-01-02T03:04:05Z", "", NULL},
        {"2020-01-02T03:04:05ZZ", "", NULL},
        {"", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char written[PH_RFC3339_ROOM + 1];
        rewrite_datetime(cases[i].text, PH_MICROSECONDS, written);
        assert_string_equal(written, cases[i].microseconds);
        rewrite_datetime(cases[i].text, PH_NANOSECONDS, written);
        assert_string_equal(written, cases[i].nanoseconds != NULL ? cases[i].nanoseconds
                                                                  : cases[i].microseconds);
    }
    ph_date date = {1, 2, 3};
    ph_time time = {0};
    assert_int_equal(ph_rfc3339_read_datetime((const uint8_t *)"2020-01-02T03:04:05\0z", 21,
                                              PH_MICROSECONDS, &date, &time),
                     PH_ERROR_TEXT_TIME);
    assert_int_equal(date.year, 1);
}

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written;
    } cases[] = {
        {"03:04:05", "03:04:05"},
        {"03:04:05Z", "03:04:05+00:00"},
        {"03:04:05.5", "03:04:05.500000"},
        {"23:59:59.9999995-01:00", "00:00:00-01:00"},
        {"00:59:59.9999995", "01:00:00"},
        {"03:04:05.9999994", "03:04:05.999999"},
        {"03:04", ""},
        {"T03:04:05", ""},
        {"3:04:05", ""},
        {"03-04-05", ""},
        {"0a:04:05", ""},
        {"03:04:05.5.5", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        const uint8_t *bytes = guard(cases[i].text, &size);
        ph_time time;
        char written[PH_RFC3339_ROOM + 1];
        uint8_t *to = (uint8_t *)written;
        if (ph_rfc3339_read_time(bytes, size, PH_MICROSECONDS, &time) == PH_ERROR_NONE) {
            to = ph_rfc3339_put_time(to, &time, PH_MICROSECONDS, PH_UTC_AS_OFFSET);
        }
        *to = 0;
        assert_string_equal(written, cases[i].written);
    }
}

static void test_every_day(void **state)
{
    (void)state;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int year = 0; year <= 9999; year++) {
        bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (int month = 0; month <= 13; month++) {
            int length = month < 1 || month > 12 ? 0 : lengths[month - 1] + (month == 2 && is_leap);
            for (int day = 0; day <= 32; day += day == 1 ? 26 : 1) {
                char text[32];
                uint8_t written[PH_RFC3339_ROOM];
                ph_date date;
                snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                ph_error_code code = ph_rfc3339_read_date((const uint8_t *)text, 10, &date);
                bool is_valid = year > 0 && day >= 1 && day <= length;
                assert_int_equal(code, is_valid ? PH_ERROR_NONE : PH_ERROR_TEXT_TIME);
                if (is_valid) {
                    assert_int_equal(ph_rfc3339_put_date(written, &date) - written, 10);
                    assert_memory_equal(written, text, 10);
                }
            }
        }
    }
}

static void test_offsets_from_seconds(void **state)
{
    (void)state;
    static const struct {
        int32_t seconds;
        int16_t minutes;
    } cases[] = {{0, 0},        {29, 0},       {30, 0},         {31, 1},        {90, 1},
                 {91, 2},       {-30, 0},      {-31, -1},       {19800, 330},   {86369, 1439},
                 {86370, 1439}, {86399, 1439}, {-86399, -1439}, {-86340, -1439}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(ph_rfc3339_offset_from_seconds(cases[i].seconds), cases[i].minutes);
    }
}

static void test_durations(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ph_error_code code;
        const char *written;
    } cases[] = {
        {"P1D", PH_ERROR_NONE, "P1D"},
        {"-P1D", PH_ERROR_NONE, "-P1D"},
        {"+p1d", PH_ERROR_NONE, "P1D"},
        {"P0D", PH_ERROR_NONE, "P0D"},
        {"-PT0S", PH_ERROR_NONE, "P0D"},
        {"P1DT1H1M1S", PH_ERROR_NONE, "P1DT3661S"},
        {"pt1h", PH_ERROR_NONE, "PT3600S"},
        {"PT36H", PH_ERROR_NONE, "P1DT43200S"},
        {"PT1.5S", PH_ERROR_NONE, "PT1.5S"},
        {"PT1.5M", PH_ERROR_NONE, "PT90S"},
        {"PT1.5H", PH_ERROR_NONE, "PT5400S"},
        {"P1.5D", PH_ERROR_NONE, "P1DT43200S"},
        {"P01D", PH_ERROR_NONE, "P1D"},
        {"PT0.0000005S", PH_ERROR_NONE, "PT0.000001S"},
        {"PT0.00000049999999999999999999999999S", PH_ERROR_NONE, "P0D"},
        {"-PT0.0000015S", PH_ERROR_NONE, "-PT0.000002S"},
        {"PT59.9999995S", PH_ERROR_NONE, "PT60S"},
        {"PT86399.9999999S", PH_ERROR_NONE, "P1D"},
        {"P0.00000000001D", PH_ERROR_NONE, "PT0.000001S"},
        {"PT1.123456789123456789S", PH_ERROR_NONE, "PT1.123457S"},
        {"P999999999DT86399.999999S", PH_ERROR_NONE, "P999999999DT86399.999999S"},
        {"-P999999999D", PH_ERROR_NONE, "-P999999999D"},
        {"-P999999999DT0.000001S", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"P1000000000D", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"P999999999DT86399.9999999S", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"PT86400000000000S", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"P140737488355328D", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"P99999999999999999999999D", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"PT99999999999999999999999H", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"P18446744073709551616D", PH_ERROR_TEXT_DURATION_RANGE, ""},
        {"P1Y", PH_ERROR_TEXT_DURATION_UNIT, ""},
        {"P1M", PH_ERROR_TEXT_DURATION_UNIT, ""},
        {"P1W", PH_ERROR_TEXT_DURATION_UNIT, ""},
        {"", PH_ERROR_TEXT_DURATION, ""},
        {"P", PH_ERROR_TEXT_DURATION, ""},
        {"PT", PH_ERROR_TEXT_DURATION, ""},
        {"P1", PH_ERROR_TEXT_DURATION, ""},
        {"P1DT", PH_ERROR_TEXT_DURATION, ""},
        {"P1DTT1S", PH_ERROR_TEXT_DURATION, ""},
        {"P1.5DT1H", PH_ERROR_TEXT_DURATION, ""},
        {"PT1.5H1S", PH_ERROR_TEXT_DURATION, ""},
        {"P1H", PH_ERROR_TEXT_DURATION, ""},
        {"PT1D", PH_ERROR_TEXT_DURATION, ""},
        {"P1D1D", PH_ERROR_TEXT_DURATION, ""},
        {"PT1S1M", PH_ERROR_TEXT_DURATION, ""},
        {"PT1M1M", PH_ERROR_TEXT_DURATION, ""},
        {"P.5D", PH_ERROR_TEXT_DURATION, ""},
        {"P1.D", PH_ERROR_TEXT_DURATION, ""},
        {"PT1,5S", PH_ERROR_TEXT_DURATION, ""},
        {"P-1D", PH_ERROR_TEXT_DURATION, ""},
        {"--P1D", PH_ERROR_TEXT_DURATION, ""},
        {"P1DT1S1", PH_ERROR_TEXT_DURATION, ""},
        {"P1D ", PH_ERROR_TEXT_DURATION, ""},
        {"1D", PH_ERROR_TEXT_DURATION, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        const uint8_t *bytes = guard(cases[i].text, &size);
        ph_duration duration;
        char written[PH_DURATION_ROOM + 1];
        uint8_t *to = (uint8_t *)written;
        ph_error_code code = ph_duration_read(bytes, size, PH_MICROSECONDS, &duration);
        if (code == PH_ERROR_NONE) {
            to = ph_duration_put(to, &duration, PH_MICROSECONDS);
        }
        *to = 0;
        if (code != cases[i].code || strcmp(written, cases[i].written) != 0) {
            fail_msg("%s: %s, '%s'", cases[i].text, ph_error_name(code), written);
        }
    }
    ph_duration exact;
    assert_int_equal(
        ph_duration_read((const uint8_t *)"PT0.1234567895S", 15, PH_NANOSECONDS, &exact),
        PH_ERROR_NONE);
    assert_int_equal(exact.fraction, 123456790);
    uint8_t longest[PH_DURATION_ROOM];
    ph_duration duration = {UINT64_MAX, 86399, 999999999, true};
    assert_true(ph_duration_put(longest, &duration, PH_NANOSECONDS) <= longest + PH_DURATION_ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_datetimes), cmocka_unit_test(test_times),
        cmocka_unit_test(test_every_day), cmocka_unit_test(test_offsets_from_seconds),
        cmocka_unit_test(test_durations),
    };
    guarded = guarded_memory_new(4096);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guarded_memory_free(&guarded);
    return failed;
}
