/* core/json/scalar_run and scalar_batch against the scanner that they overtake: the same scalars, the same
 * place and error where they stop, with a guard page behind the text; and their parts against plain loops. */
#include "guarded_memory.h"
#include "next_random.h"
#include "json/scalar_batch.h"
#include "json/scalar_run.h"
#include "json/scan.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define TEXT_ROOM 4096

static guarded_memory guarded;

static void assert_same(const uint8_t *text, size_t size, const ph_json_scalar *got,
                        const uint8_t *got_end, const ph_token *wanted, const uint8_t *wanted_end)
{
    /* JSON has no doubles that differ from themselves, so that bits can be compared. */
    bool has_value = got->kind >= PH_TOKEN_UNSIGNED;
    if (got->kind != wanted->kind || got_end != wanted_end ||
        (has_value && got->value.u != wanted->value.u)) {
        fail_msg("%.*s: at %zu: kind %d, value %" PRIx64 "; wanted %d, %" PRIx64 " up to %zu",
                 (int)size, (const char *)text, (size_t)(got_end - text), (int)got->kind,
                 got->value.u, (int)wanted->kind, wanted->value.u, (size_t)(wanted_end - text));
    }
}

/* An array that is read twice: by ph_json_next, whose position this is, and many elements at a time. */
typedef struct array_walk {
    const uint8_t *start;
    const uint8_t *end;
    const uint8_t *position;
    ph_json_place place;
    size_t count; /* of scalars that were read both ways */
} array_walk;

/* The next token as ph_json_next has it. */
static ph_token walk_on(array_walk *walk)
{
    ph_token token;
    walk->position = ph_json_next(walk->position, walk->end, walk->place, PH_JSON_STRICT, &token);
    walk->place = PH_JSON_ELEMENT;
    return token;
}

static void compare_run(array_walk *walk, const uint8_t *first)
{
    ph_json_run run = ph_json_run_at(first, walk->start, walk->end);
    ph_json_scalar scalar = {{0}, PH_TOKEN_NIL};
    for (; ph_json_run_next(&run, &scalar); walk->count++) {
        ph_token token = walk_on(walk);
        assert_same(walk->start, ph_left(walk->start, walk->end), &scalar, run.after, &token,
                    walk->position);
    }
}

static void assert_same_in_batch(const uint8_t *text, size_t size, const ph_json_batch *batch,
                                 unsigned index, const ph_token *wanted, const uint8_t *wanted_end)
{
    ph_json_scalar got = {{batch->values[index]}, (ph_token_kind)batch->kinds[index]};
    if (got.kind == PH_TOKEN_FLOAT64) {
        got.value.f = ph_json_batch_double(batch, index);
    }
    /* Only of the last one it is known where it ends. */
    assert_same(text, size, &got, wanted_end, wanted, wanted_end);
}

static void compare_batch(array_walk *walk, const uint8_t *first)
{
    ph_json_batch batch;
    ph_json_read_scalars(&batch, first, walk->end);
    for (unsigned index = 0; index < batch.count; index++, walk->count++) {
        ph_token token = walk_on(walk);
        assert_same_in_batch(walk->start, ph_left(walk->start, walk->end), &batch, index, &token,
                             walk->position);
    }
    assert_true(batch.count == 0 || walk->position == batch.after);
}

/* Reads the elements of an array many at a time, as far as `compare` goes from each, next to
 * ph_json_next. Returns how many scalars were read so. */
static size_t compare_with_scanner(const char *text, size_t size,
                                   void (*compare)(array_walk *walk, const uint8_t *first))
{
    const uint8_t *start = guarded_memory_copy(&guarded, text, size);
    array_walk walk = {start, start + size, start + 1, PH_JSON_FIRST_ELEMENT, 0};
    for (;;) {
        bool is_later = walk.place == PH_JSON_ELEMENT;
        const uint8_t *first = walk.position + is_later;
        if (first < walk.end && (!is_later || *walk.position == ',')) {
            compare(&walk, first);
        }
        ph_token token = walk_on(&walk);
        if (token.kind == PH_TOKEN_END_ARRAY || token.kind == PH_TOKEN_ERROR) {
            return walk.count;
        }
    }
}

/* The arrays at the beginning of an array, of which the first one is open, by batches of rows. Returns how
 * many came from there. */
static size_t compare_rows(const char *text, size_t size)
{
    const uint8_t *start = guarded_memory_copy(&guarded, text, size);
    const uint8_t *end = start + size;
    const uint8_t *position = start + 2;
    size_t rows = 0;
    for (;;) {
        ph_json_batch batch;
        ph_json_read_rows(&batch, position, end);
        if (batch.count == 0) {
            return rows;
        }
        ph_token token;
        ph_json_place place = PH_JSON_FIRST_ELEMENT;
        for (unsigned index = 0; index < batch.count; index++) {
            position = ph_json_next(position, end, place, PH_JSON_STRICT, &token);
            assert_same_in_batch(start, size, &batch, index, &token, position);
            place = PH_JSON_ELEMENT;
            if ((batch.row_ends >> index & 1) == 0) {
                continue;
            }
            position = ph_json_next(position, end, place, PH_JSON_STRICT, &token);
            assert_int_equal(token.kind, PH_TOKEN_END_ARRAY);
            rows++;
            if (index + 1 < batch.count) {
                position = ph_json_next(position, end, place, PH_JSON_STRICT, &token);
                assert_int_equal(token.kind, PH_TOKEN_ARRAY);
                place = PH_JSON_FIRST_ELEMENT;
            }
        }
        assert_int_equal(batch.row_ends >> (batch.count - 1), 1);
        assert_true(position == batch.after);
        if (ph_left(position, end) < 2 || position[0] != ',' || position[1] != '[') {
            return rows;
        }
        position += 2;
    }
}

static size_t put_digits(char *to, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = (char)('0' + next_random(seed) % 10);
    }
    return count;
}

/* An element as JSON has it, or nearly. */
static size_t put_element(char *to, uint64_t *seed)
{
    static const char *const others[] = {"null",
                                         "true",
                                         "false",
                                         "0",
                                         "-0",
                                         "-0.0",
                                         "0.0",
                                         "1e5",
                                         "\"1\"",
                                         "1.5E-3",
                                         "nul",
                                         "falsy",
                                         "0.1.2",
                                         "1-2",
                                         "1.-2",
                                         "-",
                                         "01",
                                         "-01.5",
                                         "1.",
                                         ".5",
                                         "--1",
                                         "9",
                                         "1,,2",
                                         "[1]",
                                         "1 ",
                                         " 1",
                                         "\t\n",
                                         "0.5",
                                         "0.25",
                                         "1e-9",
                                         "{}",
                                         "true1",
                                         "+1",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "-9223372036854775808",
                                         "-9223372036854775809",
                                         "9999999999999999999",
                                         "0.000000000000000001",
                                         "0.0000000000000000001",
                                         "9007199254740993.0",
                                         "0.99999999999999999"};
    uint64_t choice = next_random(seed);
    size_t size = 0;
    if (choice % 16 == 0) {
        size = (size_t)sprintf(to, "%s", others[choice / 16 % (sizeof others / sizeof *others)]);
        return size;
    }
    if (choice % 8 == 1) {
        to[size++] = " \n\r\t"[choice / 8 % 4];
    }
    if (choice % 4 < 2) {
        to[size++] = '-';
    }
    size_t whole = choice / 64 % 4 == 0 ? 1 + choice / 256 % 21 : 1 + choice / 256 % 3;
    if (whole == 1 && choice / 32 % 2 == 0) {
        to[size++] = '0';
    } else {
        to[size++] = (char)('1' + choice / 8192 % 9);
        size += put_digits(to + size, whole - 1, seed);
    }
    if (choice >> 20 & 1) {
        to[size++] = '.';
        size += put_digits(to + size, 1 + (choice >> 21) % 21, seed);
    }
    return size;
}

static void test_random_arrays(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    size_t from_runs = 0;
    size_t from_batches = 0;
    for (unsigned round = 0; round < 200000; round++) {
        char text[TEXT_ROOM];
        size_t size = 0;
        unsigned count = (unsigned)(next_random(&seed) % 20);
        text[size++] = '[';
        for (unsigned i = 0; i <= count; i++) {
            size += put_element(text + size, &seed);
            text[size++] = i == count ? ']' : ',';
        }
        /* What follows decides how far from its end the input is left to the scanner. */
        size_t behind = next_random(&seed) % 128;
        memset(text + size, next_random(&seed) % 4 == 0 ? '9' : ' ', behind);
        if (next_random(&seed) % 4 == 0) {
            text[next_random(&seed) % size] = (char)(next_random(&seed) % 256);
        }
        from_runs += compare_with_scanner(text, size + behind, compare_run);
        from_batches += compare_with_scanner(text, size + behind, compare_batch);
    }
    assert_true(from_runs > 500000);
    assert_true(from_batches > 500000 || !ph_json_reads_batches());
}

static void test_random_rows(void **state)
{
    (void)state;
    uint64_t seed = 4712;
    size_t from_rows = 0;
    for (unsigned round = 0; round < 200000; round++) {
        char text[TEXT_ROOM];
        size_t size = 0;
        unsigned count = (unsigned)(next_random(&seed) % 16);
        text[size++] = '[';
        for (unsigned i = 0; i <= count; i++) {
            unsigned elements = (unsigned)(next_random(&seed) % 4);
            text[size++] = '[';
            for (unsigned k = 0; k <= elements; k++) {
                bool is_plain = next_random(&seed) % 4 != 0;
                size += is_plain ? (size_t)sprintf(text + size, "-%u.5", (unsigned)seed % 10000)
                                 : put_element(text + size, &seed);
                text[size++] = k == elements ? ']' : ',';
            }
            text[size++] = i == count ? ']' : ',';
        }
        size_t behind = next_random(&seed) % 128;
        memset(text + size, ' ', behind);
        if (next_random(&seed) % 4 == 0) {
            text[next_random(&seed) % size] = "[],.-0 1"[next_random(&seed) % 8];
        }
        from_rows += compare_rows(text, size + behind);
    }
    assert_true(from_rows > 200000 || !ph_json_reads_batches());
}

/* Every double with few digits, and numbers around ties. */
static void test_values(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (unsigned round = 0; round < 100000; round++) {
        char text[TEXT_ROOM];
        int size = sprintf(text, "[                   ");
        for (unsigned i = 0; i < 12; i++) {
            double value =
                ph_double_from_bits((next_random(&seed) & ~((uint64_t)0xFFF << 52)) |
                                    (uint64_t)(1023 + next_random(&seed) % 40 - 20) << 52);
            int digits = (int)(next_random(&seed) % 19);
            size += sprintf(text + size, "%.*f,", digits, value);
        }
        size += sprintf(text + size, "%u.%u]%100s", round, round % 1000, "");
        compare_with_scanner(text, (size_t)size, compare_run);
        compare_with_scanner(text, (size_t)size, compare_batch);
    }
}

static void test_windows(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (unsigned round = 0; round < 100000; round++) {
        uint8_t bytes[PH_DIGIT_WINDOW_BYTES];
        for (size_t i = 0; i < sizeof bytes; i++) {
            uint64_t random = next_random(&seed);
            bytes[i] = (uint8_t)(random >> 32 & 1 ? random : '+' + random % 16);
        }
        const uint8_t *copy = guarded_memory_copy(&guarded, bytes, sizeof bytes);
        ph_digit_window window = ph_digit_window_load(copy);
        for (size_t i = 0; i < sizeof bytes; i++) {
            bool is_digit = bytes[i] >= '0' && bytes[i] <= '9';
            assert_int_equal(window.minuses >> i & 1, bytes[i] == '-');
            assert_int_equal(window.others >> i & 1, !is_digit && bytes[i] != '-');
        }
    }
}

static void test_joined_digits(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (unsigned round = 0; round < 200000; round++) {
        uint8_t bytes[48];
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)next_random(&seed);
        }
        const uint8_t *at = bytes + 20;
        size_t count = 1 + round % 19;
        uint64_t wanted = 0;
        put_digits((char *)bytes + 20, count, &seed);
        for (size_t i = 0; i < count; i++) {
            wanted = 10 * wanted + (uint64_t)(at[i] - '0');
        }
        assert_true(ph_join_digits(at, at + count) == wanted);
        assert_true(count > 18 || ph_join_eighteen_digits(at, at + count) == wanted);
        assert_true(count > 8 || ph_join_short_digits(at, count) == wanted);
    }
}

static int prepare(void **state)
{
    (void)state;
    guarded = guarded_memory_new(TEXT_ROOM);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    guarded_memory_free(&guarded);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_arrays), cmocka_unit_test(test_random_rows),
        cmocka_unit_test(test_values),        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_joined_digits),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
