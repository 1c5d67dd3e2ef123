/* core/text/float_text against the C library: ten million random doubles (or as many as the argument
 * says) among others; with the argument "every-float" all 2^32 bit patterns of a 32-bit float. */
#include "next_random.h"
#include "text/float_text.h"
#include "text/integer_text.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define TEXT_ROOM (PH_FLOAT_TEXT_ROOM + 1)

static uint64_t random_doubles = 10000000;

/* Prints into `text` (terminated) and checks that nothing behind the promised room was touched. */
static void print_double(char *text, double value, ph_float_style style)
{
    uint8_t *bytes = (uint8_t *)text;
    bytes[PH_FLOAT_TEXT_ROOM] = 0xA5;
    uint8_t *end = ph_text_put_double(bytes, value, style);
    assert_true(end - bytes <= 24);
    assert_int_equal(bytes[PH_FLOAT_TEXT_ROOM], 0xA5);
    *end = 0;
}

static double read_own(const char *text)
{
    bool is_negative = *text == '-';
    text += is_negative;
    double value = ph_double_from_digits((const uint8_t *)text, strlen(text));
    return is_negative ? -value : value;
}

static void assert_same_bits(double got, double wanted, const char *text)
{
    if (ph_bits_from_double(got) != ph_bits_from_double(wanted)) {
        fail_msg("%.60s: got %.17g, wanted %.17g", text, got, wanted);
    }
}

/* Text to double, against strtod. */
static void check_reading(const char *text)
{
    assert_same_bits(read_own(text), strtod(text, NULL), text);
}

/* Reads back as itself, with our reader and, as that takes long, in every eighth case with the C
 * library's. */
static void check_round_trip(double value)
{
    static unsigned count;
    char text[TEXT_ROOM];
    print_double(text, value, PH_FLOAT_STYLE_MSGSPEC);
    assert_same_bits(read_own(text), value, text);
    if (count++ % 8 == 0) {
        assert_same_bits(strtod(text, NULL), value, text);
    }
}

static bool reads_back(const char *text, double value, bool as_float)
{
    return (as_float ? (double)strtof(text, NULL) : strtod(text, NULL)) == value;
}

/* The shortest digits, and of those the nearest, are what %.Ne gives for the smallest N that reads
 * back as the same number. Just above a power of two there is more room than below it: there the
 * next decimal up may read back where the nearest one, below, does not. */
static void check_shortest(double value, bool as_float)
{
    ph_decimal decimal = as_float ? ph_float_shortest((float)value) : ph_double_shortest(value);
    while (decimal.digits != 0 && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.exponent++;
    }
    value = fabs(value);
    for (int digits = 1; digits <= 17; digits++) {
        char wanted[40];
        snprintf(wanted, sizeof wanted, "%.*e", digits - 1, value);
        uint64_t whole = 0;
        const char *at = wanted;
        for (; *at != 'e'; at++) {
            whole = *at == '.' ? whole : 10 * whole + (uint64_t)(*at - '0');
        }
        int exponent = atoi(at + 1) - (digits - 1);
        if (!reads_back(wanted, value, as_float)) {
            whole++;
            snprintf(wanted, sizeof wanted, "%" PRIu64 "e%d", whole, exponent);
            if (!reads_back(wanted, value, as_float)) {
                continue;
            }
        }
        while (whole != 0 && whole % 10 == 0) {
            whole /= 10;
            exponent++;
        }
        if (decimal.digits != whole || (whole != 0 && decimal.exponent != exponent)) {
            fail_msg("%.17g: got %" PRIu64 "e%d, wanted %" PRIu64 "e%d", value, decimal.digits,
                     (int)decimal.exponent, whole, exponent);
        }
        return;
    }
    fail_msg("%.17g: no decimal reads back", value);
}

static double random_double(uint64_t *seed)
{
    double value;
    do {
        value = ph_double_from_bits(next_random(seed));
    } while (!isfinite(value));
    return value;
}

static void test_random_doubles(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (uint64_t i = 0; i < random_doubles; i++) {
        double value = random_double(&seed);
        check_round_trip(value);
        if (i % 64 == 0) {
            check_shortest(value, false);
        }
    }
}

/* Many at once give what one by one gives, in the room promised. */
static void test_rows_of_doubles(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (size_t count = 0; count < 70; count++) {
        double values[70];
        uint8_t got[70 * PH_FLOAT_TEXT_EACH + PH_FLOAT_TEXT_ROOM + 1];
        size_t room = count * PH_FLOAT_TEXT_EACH + PH_FLOAT_TEXT_ROOM;
        char wanted[70 * PH_FLOAT_TEXT_EACH + TEXT_ROOM];
        char *wanted_end = wanted;
        for (size_t i = 0; i < count; i++) {
            values[i] = i % 5 == 0   ? -0.0
                        : i % 7 == 0 ? (double)i
                        : i % 3 == 0 ? -ldexp(1.0, (int)i)
                                     : random_double(&seed);
            print_double(wanted_end, values[i], PH_FLOAT_STYLE_ORJSON);
            wanted_end += strlen(wanted_end);
            *wanted_end++ = ',';
        }
        size_t size = count == 0 ? 0 : (size_t)(wanted_end - wanted) - 1;
        got[room] = 0xA5;
        uint8_t *end = ph_text_put_doubles(got, values, count, PH_FLOAT_STYLE_ORJSON);
        assert_int_equal(got[room], 0xA5);
        assert_int_equal(end - got, size);
        assert_memory_equal(got, wanted, size);
    }
}

/* A pair, if it is taken, is what one by one gives, in the room promised. */
static void test_pairs_of_doubles(void **state)
{
    (void)state;
    static const double special[] = {0.0,   -0.0,     1.0,  0.5,  5e-324,
                                     1e300, -123.456, 1e22, 65.5, 1e-7};
    uint64_t seed = 32;
    size_t taken = 0, count = sizeof special / sizeof special[0];
    for (size_t i = 0; i < 10000; i++) {
        double first = i % 4 == 0 ? special[i / 4 % count] : random_double(&seed);
        double second = i % 6 == 0 ? special[i / 6 % count] : random_double(&seed);
        uint8_t got[2 * PH_FLOAT_TEXT_EACH + PH_FLOAT_TEXT_ROOM + 1];
        char wanted[2 * TEXT_ROOM];
        got[sizeof got - 1] = 0xA5;
        uint8_t *end = ph_text_put_pair(got, first, second, PH_FLOAT_STYLE_MSGSPEC);
        assert_int_equal(got[sizeof got - 1], 0xA5);
        if (end != NULL) {
            print_double(wanted, first, PH_FLOAT_STYLE_MSGSPEC);
            strcat(wanted, ",");
            print_double(wanted + strlen(wanted), second, PH_FLOAT_STYLE_MSGSPEC);
            assert_int_equal(end - got, strlen(wanted));
            assert_memory_equal(got, wanted, strlen(wanted));
            taken++;
        }
    }
    assert_true(taken > 5000);
}

/* Numbers as people write them: few digits, moderate exponents; many are exact ties on the way. */
static void test_short_decimals(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (uint64_t i = 0; i < random_doubles / 10; i++) {
        char text[64];
        uint64_t digits = next_random(&seed) >> (next_random(&seed) % 64);
        int exponent = (int)(next_random(&seed) % 61) - 30;
        snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, exponent);
        check_reading(text);
        double value = strtod(text, NULL);
        check_round_trip(value);
        if (i % 64 == 0) {
            check_shortest(value, false);
        }
    }
    for (int i = 0; i < 300000; i++) {
        check_round_trip(i / 100.0);
        check_shortest(i / 8.0, false);
    }
}

static void test_every_power_of_two_and_its_neighbours(void **state)
{
    (void)state;
    for (int exponent = -1074; exponent < 1024; exponent++) {
        double power = ldexp(1.0, exponent);
        double values[] = {power, nextafter(power, 0), nextafter(power, INFINITY), 3 * power};
        for (size_t i = 0; i < 4; i++) {
            if (isfinite(values[i]) && values[i] != 0) {
                check_round_trip(values[i]);
                check_shortest(values[i], false);
            }
        }
    }
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", exponent);
        check_reading(text);
        check_shortest(strtod(text, NULL), false);
    }
    for (uint64_t bits = 1; bits < 3000; bits++) {
        check_round_trip(ph_double_from_bits(bits));
        check_shortest(ph_double_from_bits(bits), false);
        check_round_trip(ph_double_from_bits(((uint64_t)1 << 52) - 1500 + bits));
    }
}

/* Midpoints between two doubles (exact in a long double, their smallest exponents aside) written out
 * with all their digits; then with a tail that only an exact reader looks at; then cut, and changed
 * in a digit that still decides. */
static void test_midpoints(void **state)
{
    (void)state;
    uint64_t seed = 99;
    for (int i = 0; i < 3000; i++) {
        double value = fabs(random_double(&seed));
        if (i % 3 == 0) {
            value = ph_double_from_bits(next_random(&seed) >> (12 + next_random(&seed) % 52));
        } else if (i % 3 == 1) {
            value = (double)(next_random(&seed) >> (next_random(&seed) % 60));
        }
        double next = nextafter(value, INFINITY);
        if (!isfinite(next)) {
            continue;
        }
        long double middle = ((long double)value + (long double)next) / 2;
        char text[2400];
        int length = snprintf(text, 1500, "%.1100Lf", middle);
        check_reading(text);
        snprintf(text + length, sizeof text - (size_t)length, "%0800d", 1);
        check_reading(text);
        snprintf(text, 1500, "%.800Le", middle);
        check_reading(text);
        text[18] = (char)(text[18] == '9' ? '8' : text[18] + 1);
        check_reading(text);
    }
}

static void test_long_digit_strings(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int digits = 17; digits <= 1200; digits++) {
        char text[1300];
        for (int i = 0; i < digits; i++) {
            text[i] = (char)('0' + next_random(&seed) % 10);
        }
        text[0] = (char)('1' + next_random(&seed) % 9);
        text[digits] = 0;
        if (digits < 310) {
            check_reading(text);
        }
        snprintf(text + digits, 32, "e%d", -digits + (int)(next_random(&seed) % 600) - 300);
        check_reading(text);
        text[1 + next_random(&seed) % 15] = '.';
        check_reading(text);
    }
}

static void test_edges_of_the_range(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "0.0",
        "0e5",
        "0e-999999999999999999999",
        "0e999999999999999999999",
        "1e400",
        "1e-400",
        "1e999999999999999999999",
        "1e-999999999999999999999",
        "1e309",
        "1e308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "97758720709633028641669288791094655554785194040263065748867150582068190890200070838367627"
        "38548458177115317644757302700698555713669596228429148198608349364752927190741684443655107"
        "04342711559699508093042880177904174497791",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "9"
        "775872070963302864166928879109465555478519404026306574886715058206819089020007083836762738"
        "5"
        "484581771153176447573027006985557136695962284291481986083493647529271907416844436551070434"
        "2"
        "711559699508093042880177904174497792",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "2.225073858507201136057409796709131975934819546351645648e-308",
        "4.9e-324",
        "5e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.47032822920623272088e-324",
        "7.4109846876186981626e-324",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740993.00000000000000000000000000000000000001",
        "9007199254740992.99999999999999999999999999999999999",
        "9007199254740995",
        "90071992547409930e-1",
        "0.1",
        "0.3",
        "0.30000000000000004",
        "31.245270191439438",
        "100.78399658203125",
        "3322.1755149730398",
        "123456789012345678901234567890",
        "1e23",
        "8.5e22",
        "9e22",
        "89255e-22",
        "6.0221407600000000000000000000000000000e23",
        "18446744073709551615",
        "18446744073709551616",
        "18446744073709551617e1",
        "10000000000000000000000000000000000000000000000000000000000000000",
        "0."
        "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "1",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check_reading(texts[i]);
    }
    char many_zeros[1000];
    memset(many_zeros, '0', sizeof many_zeros);
    memcpy(many_zeros, "0.", 2);
    strcpy(many_zeros + 900, "5e903");
    check_reading(many_zeros);
    memset(many_zeros, '0', sizeof many_zeros);
    many_zeros[0] = '7';
    strcpy(many_zeros + 900, ".0e-903");
    check_reading(many_zeros);
    assert_same_bits(ph_double_from_decimal(17976931348623157u, 292), 1.7976931348623157e308,
                     "max");
    assert_same_bits(ph_double_from_decimal(1, INT64_MAX), INFINITY, "huge");
    assert_same_bits(ph_double_from_decimal(1, INT64_MIN), 0.0, "tiny");
    assert_same_bits(ph_double_from_decimal(UINT64_MAX, -19), 1.8446744073709551615, "19");
}

static void test_layout(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *msgspec, *orjson, *python;
    } cases[] = {
        {0.0, "0.0", "0.0", "0.0"},
        {-0.0, "-0.0", "-0.0", "-0.0"},
        {1.0, "1.0", "1.0", "1.0"},
        {-1.5, "-1.5", "-1.5", "-1.5"},
        {10.0, "10.0", "10.0", "10.0"},
        {123.456, "123.456", "123.456", "123.456"},
        {1e15, "1000000000000000.0", "1000000000000000.0", "1000000000000000.0"},
        {1234567890123456.0, "1234567890123456.0", "1234567890123456.0", "1234567890123456.0"},
        {1125899906842625.2, "1125899906842625.2", "1125899906842625.2", "1125899906842625.2"},
        {9007199254740992.0, "9007199254740992.0", "9007199254740992.0", "9007199254740992.0"},
        {1e16, "1e16", "1e+16", "1e+16"},
        {1.5e16, "1.5e16", "1.5e+16", "1.5e+16"},
        {12345678901234568.0, "1.2345678901234568e16", "1.2345678901234568e+16",
         "1.2345678901234568e+16"},
        {1e22, "1e22", "1e+22", "1e+22"},
        {1.5e300, "1.5e300", "1.5e+300", "1.5e+300"},
        {0.1, "0.1", "0.1", "0.1"},
        {0.001, "0.001", "0.001", "0.001"},
        {0.0001, "0.0001", "0.0001", "0.0001"},
        {0.00012345, "0.00012345", "0.00012345", "0.00012345"},
        {1e-5, "0.00001", "0.00001", "1e-05"},
        {1.2345678901234567e-5, "0.000012345678901234568", "0.000012345678901234568",
         "1.2345678901234568e-05"},
        {1e-6, "1e-6", "1e-6", "1e-06"},
        {1.5e-7, "1.5e-7", "1.5e-7", "1.5e-07"},
        {1e-10, "1e-10", "1e-10", "1e-10"},
        {5e-324, "5e-324", "5e-324", "5e-324"},
        {-2.2250738585072014e-308, "-2.2250738585072014e-308", "-2.2250738585072014e-308",
         "-2.2250738585072014e-308"},
        {1.7976931348623157e308, "1.7976931348623157e308", "1.7976931348623157e+308",
         "1.7976931348623157e+308"},
    };
    char text[TEXT_ROOM];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_double(text, cases[i].value, PH_FLOAT_STYLE_MSGSPEC);
        assert_string_equal(text, cases[i].msgspec);
        print_double(text, cases[i].value, PH_FLOAT_STYLE_ORJSON);
        assert_string_equal(text, cases[i].orjson);
        print_double(text, cases[i].value, PH_FLOAT_STYLE_PYTHON);
        assert_string_equal(text, cases[i].python);
    }
}

/* Through a double the float must come back: a float's shortest text has at most nine digits. */
static void check_float(uint32_t bits)
{
    float value = ph_float_from_bits(bits);
    if (!isfinite(value)) {
        return;
    }
    char text[TEXT_ROOM];
    *ph_text_put_float((uint8_t *)text, value, PH_FLOAT_STYLE_MSGSPEC) = 0;
    float again = (float)read_own(text);
    if (ph_bits_from_float(again) != bits) {
        again = strtof(text, NULL); /* rounding twice may miss where one rounding does not */
    }
    if (ph_bits_from_float(again) != bits) {
        fail_msg("%08" PRIx32 " is printed as %s", bits, text);
    }
}

static void test_floats(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)(next_random(&seed) >> 32);
        check_float(bits);
        float value = ph_float_from_bits(bits);
        if (i % 4 == 0 && isfinite(value)) {
            check_shortest((double)value, true);
        }
    }
    for (uint32_t exponent = 0; exponent < 255; exponent++) {
        for (uint32_t fraction = 0; fraction < 3; fraction++) {
            check_float(exponent << 23 | fraction);
            check_float(exponent << 23 | (0x7FFFFF - fraction));
            check_shortest((double)ph_float_from_bits(exponent << 23 | fraction), true);
        }
    }
}

static void test_every_float(void **state)
{
    (void)state;
    uint32_t bits = 0;
    do {
        check_float(bits);
    } while (++bits != 0);
}

/* A locale with a decimal comma changes nothing. */
static void test_locale_is_ignored(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip();
    }
    char text[TEXT_ROOM];
    print_double(text, 1.5, PH_FLOAT_STYLE_MSGSPEC);
    double again = read_own("2.5");
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1.5");
    assert_same_bits(again, 2.5, "2.5");
}

int main(int argument_count, char **arguments)
{
    if (argument_count > 1 && strcmp(arguments[1], "every-float") == 0) {
        const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_float)};
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
    if (argument_count > 1) {
        random_doubles = strtoull(arguments[1], NULL, 10);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_doubles),
        cmocka_unit_test(test_rows_of_doubles),
        cmocka_unit_test(test_pairs_of_doubles),
        cmocka_unit_test(test_short_decimals),
        cmocka_unit_test(test_every_power_of_two_and_its_neighbours),
        cmocka_unit_test(test_midpoints),
        cmocka_unit_test(test_long_digit_strings),
        cmocka_unit_test(test_edges_of_the_range),
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_locale_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
