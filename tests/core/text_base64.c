/* core/text/base64: every length there and back, and everything that is refused. */
#include "guarded_memory.h"
#include "text/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static guarded_memory input_memory;
static guarded_memory output_memory;

/* Encodes into exactly the room that was promised, decodes into exactly that room, and compares. */
static void check_round_trip(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = guarded_memory_copy(&input_memory, bytes, size);
    size_t text_size = ph_base64_encoded_size(size);
    uint8_t *text = output_memory.end - text_size;
    assert_ptr_equal(ph_base64_encode(text, copy, size), output_memory.end);
    uint8_t *text_copy = guarded_memory_copy(&input_memory, text, text_size);
    size_t decoded_size = ph_base64_decoded_size(text_copy, text_size);
    assert_int_equal(decoded_size, size);
    uint8_t *decoded = output_memory.end - decoded_size;
    assert_int_equal(ph_base64_decode(decoded, text_copy, text_size, NULL), PH_ERROR_NONE);
    assert_memory_equal(decoded, bytes, size);
}

static void test_round_trips(void **state)
{
    (void)state;
    uint8_t bytes[300] = {0};
    uint64_t seed = 9;
    for (size_t size = 0; size < sizeof bytes; size++) {
        for (size_t i = 0; i < size; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[i] = (uint8_t)(seed >> 56);
        }
        check_round_trip(bytes, size);
    }
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            uint8_t two[2] = {(uint8_t)first, (uint8_t)second};
            check_round_trip(two, 1 + (second != 0));
        }
    }
    assert_int_equal(ph_base64_encoded_size(SIZE_MAX), SIZE_MAX);
}

static void test_known_texts(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xFB\xEF\xFF", "++//"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint8_t text[16];
        size_t size = strlen(pairs[i][0]);
        uint8_t *end = ph_base64_encode(text, (const uint8_t *)pairs[i][0], size);
        assert_int_equal(end - text, strlen(pairs[i][1]));
        assert_memory_equal(text, pairs[i][1], strlen(pairs[i][1]));
    }
}

static void test_refused_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
    } cases[] = {
        {"A", 0},
        {"AA", 0},
        {"AAA", 0},
        {"AAAAA", 4},
        {"AAAAAA=", 4},
        {"====", 0},
        {"A===", 0},
        {"AA=A", 0},
        {"=AAA", 0},
        {"AA==AAAA", 0},
        {"AAAA====", 4},
        {"AAAAQQ==\n", 4},
        {" AAAA", 0},
        {"AA AA", 0},
        {"AAA-", 0},
        {"AAA_", 0},
        {"AAAAAA\xC3\xA9", 4},
        {"AAAA=", 4},
        {"AAAA==", 4},
        {"=", 0},
        {"==", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].text);
        uint8_t *copy = guarded_memory_copy(&input_memory, cases[i].text, size);
        uint8_t *to = output_memory.end - ph_base64_decoded_size(copy, size);
        size_t offset = 99;
        assert_int_equal(ph_base64_decode(to, copy, size, &offset), PH_ERROR_TEXT_BASE64);
        assert_int_equal(offset, cases[i].offset);
    }
    /* Bits that belong to no byte are ignored. */
    uint8_t byte;
    assert_int_equal(ph_base64_decode(&byte, (const uint8_t *)"Zn==", 4, NULL), PH_ERROR_NONE);
    assert_int_equal(byte, 'f');
}

/* Every byte in every place of a group. */
static void test_every_character(void **state)
{
    (void)state;
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t place = 0; place < 8; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            uint8_t text[8] = "AAAAAAAA";
            uint8_t to[6];
            text[place] = (uint8_t)byte;
            bool is_valid =
                (byte != 0 && strchr(alphabet, (int)byte) != NULL) || (byte == '=' && place == 7);
            assert_int_equal(ph_base64_decode(to, text, 8, NULL) == PH_ERROR_NONE, is_valid);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_known_texts),
        cmocka_unit_test(test_refused_texts),
        cmocka_unit_test(test_every_character),
    };
    input_memory = guarded_memory_new(4096);
    output_memory = guarded_memory_new(4096);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guarded_memory_free(&input_memory);
    guarded_memory_free(&output_memory);
    return failed;
}
