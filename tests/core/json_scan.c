/* core/json/scan and skip: tokens, errors with their offsets, and acceptance against a slow reference,
 * all with a guard page behind the text. */
#include "guarded_memory.h"
#include "json_reference.h"
#include "next_random.h"
#include "json/scan.h"
#include "json/skip.h"
#include "json/string.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static guarded_memory guarded;

/* A whole document: skip, then nothing but white space. */
static ph_error check_document(const uint8_t *text, size_t size, ph_json_options options)
{
    const uint8_t *copy = guarded_memory_copy(&guarded, text, size);
    const uint8_t *end = copy + size;
    ph_error_code code = PH_ERROR_NONE;
    const uint8_t *position = ph_json_skip(copy, end, REFERENCE_DEPTH, options, &code);
    if (code == PH_ERROR_NONE) {
        position = ph_json_space(position, end, options);
        code = position == end ? PH_ERROR_NONE : PH_ERROR_EXTRA_DATA;
    }
    assert_true(position >= copy && position <= end);
    ph_error error = {code, (uint64_t)(position - copy)};
    return error;
}

static void compare_with_reference(const uint8_t *text, size_t size)
{
    ph_error error = check_document(text, size, PH_JSON_STRICT);
    bool accepts = error.code == PH_ERROR_NONE;
    if (accepts != reference_accepts(text, size)) {
        fail_msg("'%.*s' (%zu bytes): %s", (int)size, (const char *)text, size,
                 ph_error_name(error.code));
    }
    if (error.code == PH_ERROR_TRUNCATED) {
        assert_int_equal(error.offset, size);
    } else if (!accepts) {
        assert_true(error.offset < size);
    }
}

static void test_every_input_up_to_three_bytes(void **state)
{
    (void)state;
    compare_with_reference((const uint8_t *)"", 0);
    for (uint32_t bits = 0; bits < 1u << 24; bits++) {
        uint8_t text[3] = {(uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits};
        size_t size = bits < 0x100 ? 1 : bits < 0x10000 ? 2 : 3;
        compare_with_reference(text + 3 - size, size);
        if (size == 3 && (text[0] < 0x20 || text[0] >= 0x80) && text[0] != '\n') {
            bits |= 0xFFFF; /* a first byte that nothing can follow was seen with some already */
        }
    }
}

/* Every sequence of up to six of the pieces that JSON is made of. */
static void test_every_short_sequence_of_pieces(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "[", "]", "{", "}", ",", ":",    "\"",  "\\", "\\u12aF",  "\\ud83d", "\\ude00",
        "0", "1", "-", ".", "e", "true", "nul", " ",  "\xC3\xA9", "\xE3\x81"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    for (int count = 1; count <= 5; count++) {
        int indices[6] = {0};
        for (bool is_done = false; !is_done;) {
            uint8_t text[64];
            size_t size = 0;
            for (int i = 0; i < count; i++) {
                size_t piece_size = strlen(pieces[indices[i]]);
                memcpy(text + size, pieces[indices[i]], piece_size);
                size += piece_size;
            }
            compare_with_reference(text, size);
            int position = 0;
            while (position < count && ++indices[position] == PIECES) {
                indices[position++] = 0;
            }
            is_done = position == count;
        }
    }
}

static const char *const documents[] = {
    "{\"a\": [1, 2.5, -3e2, \"x\\u0041\\n\", true, false, null], \"b\": {}, \"c\": []}",
    "[[[[[[[]]]]]], {\"k\\\"ey\": \"\xE3\x81\x82\xF0\x9F\x98\x80\\ud83d\\ude00\"}]",
    "  \r\n\t[ 1 ,\n\n      {\t\"long key that spans more than sixteen bytes\" : -0.0 } ]  ",
    "[\n                                                  1]",
    "\"a plain string that is longer than two blocks of sixteen bytes, really\"",
    "{\"id\":12345678901234567890,\"n\":-9223372036854775808,\"f\":65.613616999999977,\"e\":1E-7}",
    "[12345678,123456789012345678,0,-0,0.5,10,1e5,123456.789012345,99999999999999999999999]",
};

/* Each document whole, cut at every place, and with every byte changed to every other. */
static void test_cut_and_changed_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        size_t size = strlen(documents[i]);
        const uint8_t *document = (const uint8_t *)documents[i];
        assert_int_equal(check_document(document, size, PH_JSON_STRICT).code, PH_ERROR_NONE);
        for (size_t cut = 0; cut <= size; cut++) {
            compare_with_reference(document, cut);
        }
        for (size_t at = 0; at < size; at++) {
            uint8_t changed[256];
            memcpy(changed, document, size);
            for (unsigned byte = 0; byte < 256; byte++) {
                changed[at] = (uint8_t)byte;
                compare_with_reference(changed, size);
            }
        }
    }
}

static void test_random_changes(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (int round = 0; round < 300000; round++) {
        const char *document =
            documents[next_random(&seed) % (sizeof documents / sizeof *documents)];
        uint8_t text[256];
        size_t size = strlen(document);
        memcpy(text, document, size);
        for (uint64_t changes = next_random(&seed) % 4; changes > 0; changes--) {
            static const char likely[] = "\"\\{}[]:,0123456789eE.+-tfnu \n/*";
            uint64_t choice = next_random(&seed);
            text[choice % size] = choice >> 63
                                      ? (uint8_t)(choice >> 32)
                                      : (uint8_t)likely[(choice >> 32) % (sizeof likely - 1)];
        }
        compare_with_reference(text, size);
    }
}

static void test_errors_and_their_offsets(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ph_error_code code;
        size_t offset;
    } cases[] = {
        {"", PH_ERROR_TRUNCATED, 0},
        {"  ", PH_ERROR_TRUNCATED, 2},
        {"[1", PH_ERROR_TRUNCATED, 2},
        {"[1,", PH_ERROR_TRUNCATED, 3},
        {"{\"a\"", PH_ERROR_TRUNCATED, 4},
        {"{\"a\":", PH_ERROR_TRUNCATED, 5},
        {"\"abc", PH_ERROR_TRUNCATED, 4},
        {"\"abc\\", PH_ERROR_TRUNCATED, 5},
        {"tru", PH_ERROR_TRUNCATED, 3},
        {"-", PH_ERROR_TRUNCATED, 1},
        {"1.", PH_ERROR_TRUNCATED, 2},
        {"1e+", PH_ERROR_TRUNCATED, 3},
        {"1 2", PH_ERROR_EXTRA_DATA, 2},
        {"1]", PH_ERROR_EXTRA_DATA, 1},
        {"nul ", PH_ERROR_JSON_CHARACTER, 3},
        {"NaN", PH_ERROR_JSON_CHARACTER, 0},
        {"+1", PH_ERROR_JSON_CHARACTER, 0},
        {"\xEF\xBB\xBF"
         "1",
         PH_ERROR_JSON_CHARACTER, 0},
        {"[,1]", PH_ERROR_JSON_CHARACTER, 1},
        {"[1,,2]", PH_ERROR_JSON_CHARACTER, 3},
        {"{\"a\":}", PH_ERROR_JSON_CHARACTER, 5},
        {"01", PH_ERROR_JSON_NUMBER, 1},
        {"-01", PH_ERROR_JSON_NUMBER, 2},
        {"[1.x]", PH_ERROR_JSON_NUMBER, 3},
        {"[1ex]", PH_ERROR_JSON_NUMBER, 3},
        {"[-x]", PH_ERROR_JSON_NUMBER, 2},
        {"[00000000000000000000000000000000]", PH_ERROR_JSON_NUMBER, 2},
        {"[1,]", PH_ERROR_JSON_ARRAY_TRAILING, 3},
        {"{\"a\":1, }", PH_ERROR_JSON_MAP_TRAILING, 8},
        {"[1 2]", PH_ERROR_JSON_ARRAY_COMMA, 3},
        {"[1}", PH_ERROR_JSON_ARRAY_COMMA, 2},
        {"{\"a\":1 \"b\"}", PH_ERROR_JSON_MAP_COMMA, 7},
        {"{\"a\" 1}", PH_ERROR_JSON_COLON, 5},
        {"{1:2}", PH_ERROR_JSON_KEY, 1},
        {"{,}", PH_ERROR_JSON_KEY, 1},
        {"{\"a\":1,,}", PH_ERROR_JSON_KEY, 7},
        {"\"a\nb\"", PH_ERROR_JSON_CONTROL, 2},
        {"\"0123456789abcdef0123456789abcdef\x1F\"", PH_ERROR_JSON_CONTROL, 33},
        {"\"\\q\"", PH_ERROR_JSON_ESCAPE, 2},
        {"\"\\u00zz\"", PH_ERROR_JSON_HEX, 5},
        {"\"\\u12\"", PH_ERROR_JSON_HEX, 5},
        {"\"ab\\ud800\"", PH_ERROR_JSON_SURROGATE, 3},
        {"\"\\ud800\\u0041\"", PH_ERROR_JSON_SURROGATE, 1},
        {"\"\\udc00\"", PH_ERROR_JSON_SURROGATE, 1},
        {"\"\\ud83d\\u00zz\"", PH_ERROR_JSON_HEX, 11},
        {"[\"ok\", \"abc\xFF\"]", PH_ERROR_INVALID_UTF8, 11},
        {"[\"\\q\xFF\"]", PH_ERROR_JSON_ESCAPE, 3},
        {"[\"\xFF\\q\"]", PH_ERROR_INVALID_UTF8, 2},
        {"{\"\xC3\":1}", PH_ERROR_INVALID_UTF8, 2},
        {"[1 /* no */]", PH_ERROR_JSON_ARRAY_COMMA, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ph_error error =
            check_document((const uint8_t *)cases[i].text, strlen(cases[i].text), PH_JSON_STRICT);
        if (error.code != cases[i].code || error.offset != cases[i].offset) {
            fail_msg("'%s': %s at %" PRIu64, cases[i].text, ph_error_name(error.code),
                     error.offset);
        }
    }
}

static void test_the_relaxed_dialect(void **state)
{
    (void)state;
    static const char *const accepted[] = {
        "// first\n[1, 2,] // last",
        "/* a */ { /**/ \"a\" /* b */ : /* c */ 1 /* d */ , /* e */ } /* f */",
        "[ // none\n]",
        "{\"a\": [1, // one\n 2, /* two */ ], }",
        "/***/1//",
        "[1/**/,/**/2]",
    };
    static const struct {
        const char *text;
        ph_error_code code;
    } refused[] = {
        {"[,]", PH_ERROR_JSON_CHARACTER},     {"[1,,]", PH_ERROR_JSON_CHARACTER},
        {"{,}", PH_ERROR_JSON_KEY},           {"1 / 2", PH_ERROR_EXTRA_DATA},
        {"[1 /* open ]", PH_ERROR_TRUNCATED}, {"/", PH_ERROR_JSON_CHARACTER},
        {"[1]/", PH_ERROR_EXTRA_DATA},        {"# no", PH_ERROR_JSON_CHARACTER},
        {"/*/1", PH_ERROR_TRUNCATED},
    };
    for (size_t i = 0; i < sizeof accepted / sizeof *accepted; i++) {
        const uint8_t *text = (const uint8_t *)accepted[i];
        assert_int_equal(check_document(text, strlen(accepted[i]), PH_JSON_RELAXED).code,
                         PH_ERROR_NONE);
        assert_int_not_equal(check_document(text, strlen(accepted[i]), PH_JSON_STRICT).code,
                             PH_ERROR_NONE);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        ph_error error = check_document((const uint8_t *)refused[i].text, strlen(refused[i].text),
                                        PH_JSON_RELAXED);
        assert_int_equal(error.code, refused[i].code);
    }
}

static void test_numbers_that_are_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ph_error_code code;
        uint64_t offset; /* of the error */
        uint64_t bits;   /* of the value, where there is no error */
    } rows[] = {
        {"NaN", PH_ERROR_NONE, 0, UINT64_C(0x7FF8000000000000)},
        {"Infinity", PH_ERROR_NONE, 0, UINT64_C(0x7FF0000000000000)},
        {"-Infinity", PH_ERROR_NONE, 0, UINT64_C(0xFFF0000000000000)},
        {"-NaN", PH_ERROR_JSON_NUMBER, 1, 0},
        {"+Infinity", PH_ERROR_JSON_CHARACTER, 0, 0},
        {"NaM", PH_ERROR_JSON_CHARACTER, 2, 0},
        {"nan", PH_ERROR_JSON_CHARACTER, 1, 0},
        {"Infinitx", PH_ERROR_JSON_CHARACTER, 7, 0},
        {"-Infinitx", PH_ERROR_JSON_CHARACTER, 8, 0},
        {"-", PH_ERROR_TRUNCATED, 1, 0},
        {"-x", PH_ERROR_JSON_NUMBER, 1, 0},
        {"01", PH_ERROR_JSON_NUMBER, 1, 0},
        {"Na", PH_ERROR_TRUNCATED, 2, 0},
        {"I", PH_ERROR_TRUNCATED, 1, 0},
        {"-Infinit", PH_ERROR_TRUNCATED, 8, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size = strlen(rows[i].text);
        const uint8_t *text = guarded_memory_copy(&guarded, rows[i].text, size);
        ph_token token;
        const uint8_t *behind =
            ph_json_next(text, text + size, PH_JSON_VALUE, PH_JSON_NON_FINITE, &token);
        if (rows[i].code != PH_ERROR_NONE) {
            assert_int_equal(token.kind, PH_TOKEN_ERROR);
            assert_int_equal(token.length, rows[i].code);
            assert_int_equal(behind - text, rows[i].offset);
        } else {
            assert_int_equal(token.kind, PH_TOKEN_FLOAT32);
            assert_int_equal(token.length, size);
            assert_int_equal(behind - text, size);
            assert_true(ph_bits_from_double(token.value.f) == rows[i].bits);
            assert_int_equal(check_document(text, size, PH_JSON_NON_FINITE).code, PH_ERROR_NONE);
            assert_int_not_equal(check_document(text, size, PH_JSON_RELAXED).code, PH_ERROR_NONE);
        }
    }
    static const char document[] = "[NaN, {\"a\": -Infinity}, -1e3, Infinity, 1, 1e400, // all\n]";
    const uint8_t *text = (const uint8_t *)document;
    ph_json_options both = PH_JSON_NON_FINITE | PH_JSON_RELAXED;
    assert_int_equal(check_document(text, sizeof document - 1, both).code, PH_ERROR_NONE);
    assert_int_equal(check_document(text, sizeof document - 1, PH_JSON_STRICT).code,
                     PH_ERROR_JSON_CHARACTER);
    /* Only where a value may stand. */
    assert_int_equal(check_document((const uint8_t *)"[1 NaN]", 7, both).code,
                     PH_ERROR_JSON_ARRAY_COMMA);
    assert_int_equal(check_document((const uint8_t *)"{NaN: 1}", 8, both).code, PH_ERROR_JSON_KEY);
}

static ph_token read_value(const char *text, size_t expected_size)
{
    static uint8_t padded[4096];
    size_t size = strlen(text);
    ph_token token;
    /* Short of the end the scanner takes its slow way, far from it its fast one: they must agree. */
    const uint8_t *copy = guarded_memory_copy(&guarded, text, size);
    const uint8_t *end = ph_json_next(copy, copy + size, PH_JSON_VALUE, PH_JSON_STRICT, &token);
    assert_int_equal(end - copy, expected_size);
    memset(padded, ' ', sizeof padded);
    memcpy(padded, text, size);
    ph_token again;
    end = ph_json_next(padded, padded + size + 64, PH_JSON_VALUE, PH_JSON_STRICT, &again);
    assert_int_equal(end - padded, expected_size);
    assert_int_equal(again.kind, token.kind);
    assert_int_equal(again.length, token.length);
    if (token.kind == PH_TOKEN_BIG_INTEGER || token.kind == PH_TOKEN_STRING) {
        assert_memory_equal(again.value.bytes, token.value.bytes, token.length);
    } else {
        assert_true(again.value.u == token.value.u);
    }
    return token;
}

static void check_number(const char *text)
{
    ph_token token = read_value(text, strlen(text));
    assert_int_equal(token.length, strlen(text));
    if (strpbrk(text, ".eE") != NULL) {
        assert_int_equal(token.kind, PH_TOKEN_FLOAT64);
        if (ph_bits_from_double(token.value.f) != ph_bits_from_double(strtod(text, NULL))) {
            fail_msg("%s is read as %.17g", text, token.value.f);
        }
        return;
    }
    size_t digits = strlen(text) - (*text == '-');
    if (*text == '-') {
        int64_t wanted;
        bool fits = ph_text_to_i64((const uint8_t *)text, strlen(text), &wanted) == PH_ERROR_NONE;
        assert_int_equal(token.kind, fits ? PH_TOKEN_SIGNED : PH_TOKEN_BIG_INTEGER);
        assert_true(!fits || token.value.i == wanted);
    } else {
        uint64_t wanted;
        bool fits = ph_text_to_u64((const uint8_t *)text, digits, &wanted) == PH_ERROR_NONE;
        assert_int_equal(token.kind, fits ? PH_TOKEN_UNSIGNED : PH_TOKEN_BIG_INTEGER);
        assert_true(!fits || token.value.u == wanted);
    }
    if (token.kind == PH_TOKEN_BIG_INTEGER) {
        assert_memory_equal(token.value.bytes, text, strlen(text));
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "0.0",
                                          "-0.0",
                                          "0e0",
                                          "1",
                                          "-1",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "-9223372036854775808",
                                          "-9223372036854775809",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "19999999999999999999",
                                          "-19999999999999999999",
                                          "73786976294838206464",
                                          "1e400",
                                          "-1e400",
                                          "1e-400",
                                          "1.5",
                                          "0.1",
                                          "123456.7890123456789",
                                          "0.00000000000000000000001",
                                          "1E5",
                                          "1e+5",
                                          "12345678.5",
                                          "1234567.12345678",
                                          "1234567.123456789012345",
                                          "9999999.999999999999999",
                                          "999999.9999999999999999",
                                          "1e99999999999999999999999",
                                          "1e-99999999999999999999999",
                                          "0e99999999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        check_number(numbers[i]);
    }
    uint64_t seed = 3;
    for (int round = 0; round < 300000; round++) {
        char text[128];
        uint64_t shape = next_random(&seed);
        int size = snprintf(text, sizeof text, "%s%" PRIu64, shape & 1 ? "-" : "",
                            next_random(&seed) >> (shape >> 1 & 63));
        for (uint64_t more = shape >> 7 & 3; more > 0 && text[0] != '0' && text[1] != '0'; more--) {
            size += snprintf(text + size, sizeof text - (size_t)size, "%d", (int)(shape >> 10 & 7));
        }
        if (shape >> 13 & 1) {
            size += snprintf(text + size, sizeof text - (size_t)size, ".%0*" PRIu64,
                             (int)(shape >> 14 & 15), next_random(&seed) >> (shape >> 18 & 63));
        }
        if ((shape >> 24 & 3) == 0) {
            snprintf(text + size, sizeof text - (size_t)size, "e%d",
                     (int)(shape >> 26 & 511) - 256);
        }
        check_number(text);
    }
}

static void test_tokens(void **state)
{
    (void)state;
    ph_token token = read_value("\"abc\"", 5);
    assert_int_equal(token.kind, PH_TOKEN_STRING);
    assert_int_equal(token.ext_type, 0);
    assert_memory_equal(token.value.bytes, "abc", 3);
    token = read_value("\"a\xC3\xA9\"", 5);
    assert_int_equal(token.kind, PH_TOKEN_STRING);
    assert_int_not_equal(token.ext_type, 0);
    for (size_t size = 0; size < 80; size++) {
        for (size_t odd = 0; odd < size; odd++) {
            static const char odd_bytes[] = {'\\', '\xE9', 'x'};
            for (size_t kind = 0; kind < sizeof odd_bytes; kind++) {
                char text[96];
                memset(text, 'a', sizeof text);
                text[0] = '"';
                text[1 + odd] = odd_bytes[kind];
                text[1 + size] = '"';
                text[2 + size] = 0;
                if (kind == 0 && odd + 1 == size) {
                    continue; /* the backslash would take the closing quote */
                }
                uint8_t *copy = guarded_memory_copy(&guarded, text, size + 2);
                const uint8_t *end =
                    ph_json_next(copy, copy + size + 2, PH_JSON_VALUE, PH_JSON_STRICT, &token);
                assert_int_equal(end - copy, size + 2);
                assert_int_equal(token.kind, kind == 0 ? PH_TOKEN_ESCAPED_STRING : PH_TOKEN_STRING);
                assert_int_equal(token.ext_type != 0, kind == 1);
                assert_int_equal(token.length, size);
            }
        }
    }
}

static void test_depth(void **state)
{
    (void)state;
    enum { DEEP = 100000 };
    static uint8_t text[2 * DEEP];
    for (size_t depth = 1; depth <= DEEP; depth = depth * 3 + 1) {
        for (size_t i = 0; i < depth; i++) {
            text[i] = '[';
            text[depth + i] = ']';
        }
        ph_error_code code;
        ph_json_skip(text, text + 2 * depth, (uint32_t)depth, PH_JSON_STRICT, &code);
        assert_int_equal(code, depth <= PH_JSON_SKIP_DEPTH ? PH_ERROR_NONE : PH_ERROR_DEPTH_LIMIT);
        const uint8_t *position =
            ph_json_skip(text, text + 2 * depth, (uint32_t)depth - 1, PH_JSON_STRICT, &code);
        assert_int_equal(code, PH_ERROR_DEPTH_LIMIT);
        assert_int_equal(position - text,
                         depth <= PH_JSON_SKIP_DEPTH ? depth - 1 : PH_JSON_SKIP_DEPTH);
    }
    ph_error_code code;
    ph_json_skip((const uint8_t *)"1", (const uint8_t *)"1" + 1, 0, PH_JSON_STRICT, &code);
    assert_int_equal(code, PH_ERROR_NONE);
}

static void test_lines_and_columns(void **state)
{
    (void)state;
    const uint8_t *text = (const uint8_t *)"{\n  \"\xE3\x81\x82\xFF\": x\r\n}";
    static const struct {
        size_t offset, line, column;
    } cases[] = {{0, 1, 1}, {1, 1, 2}, {2, 2, 1},  {5, 2, 4},
                 {8, 2, 5}, {9, 2, 6}, {12, 2, 9}, {15, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ph_line_column where = ph_text_locate(text, cases[i].offset);
        assert_int_equal(where.line, cases[i].line);
        assert_int_equal(where.column, cases[i].column);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_input_up_to_three_bytes),
        cmocka_unit_test(test_every_short_sequence_of_pieces),
        cmocka_unit_test(test_cut_and_changed_documents),
        cmocka_unit_test(test_random_changes),
        cmocka_unit_test(test_errors_and_their_offsets),
        cmocka_unit_test(test_the_relaxed_dialect),
        cmocka_unit_test(test_numbers_that_are_words),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_lines_and_columns),
    };
    guarded = guarded_memory_new(4096);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guarded_memory_free(&guarded);
    return failed;
}
