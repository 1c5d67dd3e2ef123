/* core/text/integer_text against the C library's printf and against the limits. */
#include "text/integer_text.h"
#include "text/multiply.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void check_u64(uint64_t number)
{
    char wanted[32];
    uint8_t got[PH_INTEGER_TEXT_ROOM + 1];
    got[PH_INTEGER_TEXT_ROOM] = 0xA5;
    int length = snprintf(wanted, sizeof wanted, "%" PRIu64, number);
    uint8_t *end = ph_text_put_u64(got, number);
    assert_int_equal(end - got, length);
    assert_memory_equal(got, wanted, (size_t)length);
    assert_int_equal(got[PH_INTEGER_TEXT_ROOM], 0xA5);
    uint64_t again = 0;
    assert_int_equal(ph_text_to_u64(got, (size_t)length, &again), PH_ERROR_NONE);
    assert_true(again == number);
}

static void check_i64(int64_t number)
{
    char wanted[32];
    uint8_t got[PH_INTEGER_TEXT_ROOM + 1];
    got[PH_INTEGER_TEXT_ROOM] = 0xA5;
    int length = snprintf(wanted, sizeof wanted, "%" PRId64, number);
    uint8_t *end = ph_text_put_i64(got, number);
    assert_int_equal(end - got, length);
    assert_memory_equal(got, wanted, (size_t)length);
    assert_int_equal(got[PH_INTEGER_TEXT_ROOM], 0xA5);
    int64_t again = 0;
    assert_int_equal(ph_text_to_i64(got, (size_t)length, &again), PH_ERROR_NONE);
    assert_true(again == number);
}

static void test_around_every_power(void **state)
{
    (void)state;
    uint64_t ten = 1;
    for (int digits = 1; digits <= 20; digits++, ten *= 10) {
        for (uint64_t offset = 0; offset < 5; offset++) {
            check_u64(ten - 2 + offset);
            check_i64((int64_t)(ten - 2 + offset));
            check_i64((int64_t)(0 - (ten - 2 + offset)));
        }
    }
    for (unsigned bit = 0; bit < 64; bit++) {
        for (uint64_t offset = 0; offset < 5; offset++) {
            check_u64(((uint64_t)1 << bit) - 2 + offset);
            check_i64((int64_t)(((uint64_t)1 << bit) - 2 + offset));
        }
    }
    check_i64(INT64_MIN);
    check_u64(UINT64_MAX);
}

/* The word routines on every number of up to eight digits would take minutes with printf; the loop
 * compares with a decimal counter instead. */
static void test_every_eight_digit_number(void **state)
{
    (void)state;
    uint8_t counter[8] = {0};
    for (uint32_t number = 0; number < PH_EIGHT_DIGITS; number++) {
        uint64_t split = ph_split_eight_digits(number);
        uint8_t text[8];
        ph_text_store_word(text, split);
        if (memcmp(text, counter, 8) != 0 || ph_join_eight_digits(split) != number) {
            fail_msg("%" PRIu32 " is split or joined wrongly", number);
        }
        for (int at = 7; at >= 0; at--) {
            if (++counter[at] < 10) {
                break;
            }
            counter[at] = 0;
        }
    }
}

static void test_counting_digits(void **state)
{
    (void)state;
    for (unsigned length = 0; length <= 8; length++) {
        for (unsigned other = 0; other < 256; other++) {
            uint8_t text[8] = "90128457";
            if (length < 8) {
                text[length] = (uint8_t)other;
            }
            bool is_digit = other >= '0' && other <= '9';
            ph_digit_word word = ph_digit_word_load(text);
            if (is_digit || length == 8) {
                assert_true(word.others == 0);
                continue;
            }
            assert_true(word.others != 0);
            assert_int_equal(ph_digit_word_count(word), length);
            if (length != 0) {
                text[length] = 0;
                assert_int_equal(ph_digit_word_join(word), atoi((char *)text));
            }
        }
    }
}

static void test_random_integers(void **state)
{
    (void)state;
    uint64_t number = 88172645463325252u;
    for (int i = 0; i < 1000000; i++) {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        check_u64(number >> (i & 63));
        check_i64((int64_t)number >> (i & 63));
        ph_product halves = ph_multiply_by_halves(number, number >> (i & 63));
        ph_product whole = ph_multiply(number, number >> (i & 63));
        assert_true(halves.high == whole.high && halves.low == whole.low);
    }
}

static void test_refused_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ph_error_code as_u64, as_i64;
    } cases[] = {
        {"", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"-", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"--1", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"+1", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"00", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"01", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"-01", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {" 1", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"1 ", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"1.0", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"1e3", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"18446744073709551616x", PH_ERROR_JSON_NUMBER, PH_ERROR_JSON_NUMBER},
        {"-1", PH_ERROR_JSON_NUMBER, PH_ERROR_NONE},
        {"-0", PH_ERROR_JSON_NUMBER, PH_ERROR_NONE},
        {"18446744073709551615", PH_ERROR_NONE, PH_ERROR_INTEGER_RANGE},
        {"18446744073709551616", PH_ERROR_INTEGER_RANGE, PH_ERROR_INTEGER_RANGE},
        {"19999999999999999999", PH_ERROR_INTEGER_RANGE, PH_ERROR_INTEGER_RANGE},
        {"100000000000000000000", PH_ERROR_INTEGER_RANGE, PH_ERROR_INTEGER_RANGE},
        {"9223372036854775807", PH_ERROR_NONE, PH_ERROR_NONE},
        {"9223372036854775808", PH_ERROR_NONE, PH_ERROR_INTEGER_RANGE},
        {"-9223372036854775808", PH_ERROR_JSON_NUMBER, PH_ERROR_NONE},
        {"-9223372036854775809", PH_ERROR_JSON_NUMBER, PH_ERROR_INTEGER_RANGE},
        {"-19999999999999999999", PH_ERROR_JSON_NUMBER, PH_ERROR_INTEGER_RANGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint8_t *text = (const uint8_t *)cases[i].text;
        size_t size = strlen(cases[i].text);
        uint64_t as_u64 = 77;
        int64_t as_i64 = 77;
        assert_int_equal(ph_text_to_u64(text, size, &as_u64), cases[i].as_u64);
        assert_int_equal(ph_text_to_i64(text, size, &as_i64), cases[i].as_i64);
        assert_true(cases[i].as_u64 == PH_ERROR_NONE || as_u64 == 77);
        assert_true(cases[i].as_i64 == PH_ERROR_NONE || as_i64 == 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_around_every_power), cmocka_unit_test(test_every_eight_digit_number),
        cmocka_unit_test(test_counting_digits),    cmocka_unit_test(test_random_integers),
        cmocka_unit_test(test_refused_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
