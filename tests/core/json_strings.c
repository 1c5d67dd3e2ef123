/* Long JSON strings full of escapes, which are read window by window, against loops that go byte by byte:
 * where they end, what is wrong with them, and the text they stand for. */
#include "guarded_memory.h"
#include "next_random.h"
#include "json/scan.h"
#include "json/string.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define TEXT_ROOM 1024

static guarded_memory input_memory;
static guarded_memory output_memory;

/* Mostly plain characters, or mostly backslashes; sometimes quotes, control characters, other bytes. */
static size_t random_text(uint8_t *text, size_t size, uint64_t *seed)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz";
    static const char escaping[] = "\\\\\\\\\\\\nrtbf/\"u";
    uint64_t kind = next_random(seed);
    for (size_t i = 0; i < size; i++) {
        uint64_t random = next_random(seed);
        if (random % 8 < kind % 8) {
            text[i] = (uint8_t)escaping[random / 8 % (sizeof escaping - 1)];
        } else {
            text[i] = (uint8_t)plain[random / 8 % (sizeof plain - 1)];
        }
        if ((random >> 40) % 4096 < (kind >> 8 & 0x1F)) {
            text[i] = (uint8_t)(random >> 32);
        }
        if (text[i] == 'u' && size - i > 5) {
            memcpy(text + i, i % 7 == 0 ? "uD83d\\" : "u00E9ab", 6);
            i += 5;
        }
    }
    return size;
}

/* As ph_json_string, for the text behind a quote. */
static size_t scan_slowly(const uint8_t *text, size_t size, ph_token *token)
{
    memset(token, 0, sizeof *token);
    token->kind = PH_TOKEN_STRING;
    for (size_t at = 0; at < size; at++) {
        bool is_escaped = text[at] == '\\';
        if (text[at] == '"') {
            token->length = at;
            return at + 1;
        }
        if (is_escaped) {
            token->kind = PH_TOKEN_ESCAPED_STRING;
            at++;
        }
        if (at < size && text[at] < 0x20) {
            token->kind = PH_TOKEN_ERROR;
            token->length = is_escaped ? PH_ERROR_JSON_ESCAPE : PH_ERROR_JSON_CONTROL;
            return at;
        }
        if (at < size && text[at] >= 0x80) {
            token->ext_type = 1;
        }
    }
    token->kind = PH_TOKEN_ERROR;
    token->length = PH_ERROR_TRUNCATED;
    return size;
}

static void test_scanning(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (unsigned round = 0; round < 200000; round++) {
        uint8_t text[TEXT_ROOM];
        size_t size = random_text(text, next_random(&seed) % 800, &seed);
        const uint8_t *copy = guarded_memory_copy(&input_memory, text, size);
        ph_token got, wanted;
        size_t wanted_end = scan_slowly(copy, size, &wanted);
        const uint8_t *got_end = ph_json_string(copy, copy + size, &got);
        if (got.kind != wanted.kind || got.length != wanted.length ||
            got_end != copy + wanted_end ||
            (got.kind != PH_TOKEN_ERROR &&
             (got.ext_type != wanted.ext_type || got.value.bytes != copy))) {
            fail_msg("%.*s: kind %d, length %zu, end %zu; wanted %d, %zu, %zu", (int)size,
                     (const char *)text, (int)got.kind, got.length, (size_t)(got_end - copy),
                     (int)wanted.kind, wanted.length, wanted_end);
        }
    }
}

/* As ph_json_unescape, for short escapes; \u is left to it, with nothing behind. */
static ph_error unescape_slowly(uint8_t *to, const uint8_t *text, size_t size, size_t *written)
{
    static const char letters[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    uint8_t *start = to;
    for (size_t at = 0; at < size; at++) {
        if (text[at] != '\\') {
            *to++ = text[at];
            continue;
        }
        if (at + 1 < size && text[at + 1] == 'u') {
            size_t length = 6;
            size_t more = 0;
            bool is_surrogate =
                size - at >= 6 && (text[at + 2] | 0x20) == 'd' && text[at + 3] >= '8';
            length = is_surrogate ? 12 : 6;
            length = size - at < length ? size - at : length;
            ph_error error = ph_json_unescape(to, text + at, length, &more);
            if (error.code != PH_ERROR_NONE) {
                error.offset += at;
                return error;
            }
            to += more;
            at += length - 1;
            continue;
        }
        const char *letter = letters;
        while (*letter != 0 && (at + 1 == size || (uint8_t)*letter != text[at + 1])) {
            letter += 2;
        }
        if (*letter == 0) {
            ph_error error = {PH_ERROR_JSON_ESCAPE, at + 1};
            return error;
        }
        *to++ = (uint8_t)letter[1];
        at++;
    }
    *written = (size_t)(to - start);
    ph_error error = {PH_ERROR_NONE, 0};
    return error;
}

static void check_unescaped(const uint8_t *text, size_t size, ph_error error, ph_error wanted_error,
                            const uint8_t *got, size_t got_size, const uint8_t *wanted,
                            size_t wanted_size)
{
    if (error.code != wanted_error.code || error.offset != wanted_error.offset) {
        fail_msg("%.*s: %s at %d, wanted %s at %d", (int)size, (const char *)text,
                 ph_error_name(error.code), (int)error.offset, ph_error_name(wanted_error.code),
                 (int)wanted_error.offset);
    }
    if (error.code == PH_ERROR_NONE) {
        assert_int_equal(got_size, wanted_size);
        assert_memory_equal(got, wanted, wanted_size);
    }
}

static void test_unescaping(void **state)
{
    (void)state;
    uint64_t seed = 9;
    unsigned right = 0;
    for (unsigned round = 0; round < 200000; round++) {
        uint8_t text[TEXT_ROOM];
        size_t size = random_text(text, next_random(&seed) % 300, &seed);
        for (size_t i = 0; i + 1 < size; i++) {
            /* Most escapes are right, or no text would be. */
            if (text[i] == '\\') {
                i++;
                if (text[i] != 'u' && next_random(&seed) % 256 != 0) {
                    text[i] = (uint8_t) "\"\\/bfnrt"[next_random(&seed) % 8];
                }
            }
        }
        size_t more = next_random(&seed) % 100;
        memset(text + size, '\\', more);
        uint8_t wanted[TEXT_ROOM];
        size_t wanted_size = 0, got_size = 0;
        uint8_t *copy = guarded_memory_copy(&input_memory, text, size);
        ph_error wanted_error = unescape_slowly(wanted, copy, size, &wanted_size);
        right += wanted_error.code == PH_ERROR_NONE;
        uint8_t *got = output_memory.end - size;
        ph_error error = ph_json_unescape(got, copy, size, &got_size);
        check_unescaped(copy, size, error, wanted_error, got, got_size, wanted, wanted_size);
        error = ph_json_check_string(copy, size, true, true);
        check_unescaped(copy, size, error, wanted_error, got, got_size, got, got_size);
        copy = guarded_memory_copy(&input_memory, text, size + more);
        got = output_memory.end - size - PH_JSON_UNESCAPE_ROOM;
        error = ph_json_unescape_within(got, copy, size, copy + size + more, &got_size);
        check_unescaped(copy, size, error, wanted_error, got, got_size, wanted, wanted_size);
    }
    assert_true(right > 20000);
}

static int prepare(void **state)
{
    (void)state;
    input_memory = guarded_memory_new(TEXT_ROOM);
    output_memory = guarded_memory_new(TEXT_ROOM);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    guarded_memory_free(&input_memory);
    guarded_memory_free(&output_memory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scanning),
        cmocka_unit_test(test_unescaping),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
