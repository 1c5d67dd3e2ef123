/* core/json/print, string and format: written, read back, and laid out anew. */
#include "guarded_memory.h"
#include "json_reference.h"
#include "next_random.h"
#include "text/transcode.h"
#include "json/copy_vectors.h"
#include "json/format.h"
#include "json/print.h"
#include "json/skip.h"
#include "json/string.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static guarded_memory input_memory;
static guarded_memory output_memory;

/* The reference: one code point after the other. */
static size_t escape_slowly(char *to, const uint32_t *code_points, size_t count)
{
    char *start = to;
    for (size_t i = 0; i < count; i++) {
        static const char specials[] = "\"\\\b\f\n\r\t";
        static const char letters[] = "\"\\bfnrt";
        uint32_t code_point = code_points[i];
        const char *found =
            code_point != 0 && code_point < 0x80 ? strchr(specials, (int)code_point) : NULL;
        if (found != NULL) {
            *to++ = '\\';
            *to++ = letters[found - specials];
        } else if (code_point < 0x20) {
            to += sprintf(to, "\\u%04x", (unsigned)code_point);
        } else {
            to = (char *)ph_utf8_put((uint8_t *)to, code_point);
        }
    }
    return (size_t)(to - start);
}

/* UTF-8 through copy_clean and put_escaped, as a host does it; the room promised is all there is. */
static void check_utf8_printing(const uint8_t *text, size_t size, const char *wanted,
                                size_t wanted_size)
{
    uint8_t *copy = guarded_memory_copy(&input_memory, text, size);
    uint8_t *to = output_memory.end - (size + PH_JSON_COPY_ROOM);
    size_t clean = ph_json_copy_clean(to, copy, size);
    assert_true(clean <= size);
    assert_memory_equal(to, text, clean);
    for (size_t i = 0; i < size; i++) {
        bool is_special = text[i] < 0x20 || text[i] == '"' || text[i] == '\\';
        assert_true(i < clean ? !is_special : i > clean || is_special);
    }
    to = output_memory.end - ph_json_escaped_room(copy, size);
    uint8_t *end = ph_json_put_escaped(to, copy, size);
    assert_int_equal(end - to, wanted_size);
    assert_memory_equal(to, wanted, wanted_size);
}

/* Units up to the first that must be escaped; neither side of what is allowed is touched. */
#define DEFINE_CHECK_CLEAN(name, unit_type, per_unit)                                            \
 static void check_clean_##name(const unit_type *units, size_t count, const uint8_t *utf8)       \
 {                                                                                               \
  ph_encoded (*const variants[])(uint8_t *, const unit_type *, size_t) = {                       \
      ph_json_encode_clean_##name, ph_json_encode_clean_##name##_in_two};                        \
  const unit_type *copy =                                                                        \
      (const void *)guarded_memory_copy(&input_memory, units, count * sizeof *units);            \
  size_t clean = 0, size = 0;                                                                    \
  while (clean < count && units[clean] >= 0x20 && units[clean] != '"' && units[clean] != '\\') { \
   uint8_t bytes[4];                                                                             \
   size += (size_t)(ph_utf8_put(bytes, units[clean]) - bytes);                                   \
   clean++;                                                                                      \
  }                                                                                              \
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {                              \
   uint8_t *to = output_memory.end - (count * per_unit + PH_UTF8_ENCODE_ROOM);                   \
   ph_encoded encoded = variants[i](to, copy, count);                                            \
   assert_int_equal(encoded.units, clean);                                                       \
   assert_int_equal(encoded.end - to, size);                                                     \
   assert_memory_equal(to, utf8, size);                                                          \
  }                                                                                              \
 }

DEFINE_CHECK_CLEAN(latin1, uint8_t, PH_UTF8_PER_LATIN1)
DEFINE_CHECK_CLEAN(ucs2, uint16_t, PH_UTF8_PER_UCS2)
DEFINE_CHECK_CLEAN(ucs4, uint32_t, PH_UTF8_PER_UCS4)

static void check_printing(const uint32_t *code_points, size_t count)
{
    static char wanted[8192];
    static uint8_t utf8[8192];
    size_t wanted_size = escape_slowly(wanted, code_points, count);
    uint8_t *utf8_end = utf8;
    uint32_t highest = 0;
    uint8_t latin1[512];
    uint16_t ucs2[512];
    for (size_t i = 0; i < count; i++) {
        utf8_end = ph_utf8_put(utf8_end, code_points[i]);
        highest = code_points[i] > highest ? code_points[i] : highest;
        latin1[i] = (uint8_t)code_points[i];
        ucs2[i] = (uint16_t)code_points[i];
    }
    check_utf8_printing(utf8, (size_t)(utf8_end - utf8), wanted, wanted_size);
    uint8_t *to;
    uint8_t *end;
    if (highest < 0x100) {
        check_clean_latin1(latin1, count, utf8);
        to = output_memory.end - ph_json_latin1_room(latin1, count);
        end = ph_json_put_latin1(to, latin1, count);
        assert_int_equal(end - to, wanted_size);
        assert_memory_equal(to, wanted, wanted_size);
    }
    if (highest < 0x10000) {
        check_clean_ucs2(ucs2, count, utf8);
        to = output_memory.end - ph_json_ucs2_room(ucs2, count);
        end = ph_json_put_ucs2(to, ucs2, count);
        assert_int_equal(end - to, wanted_size);
        assert_memory_equal(to, wanted, wanted_size);
    }
    check_clean_ucs4(code_points, count, utf8);
    to = output_memory.end - ph_json_ucs4_room(code_points, count);
    end = ph_json_put_ucs4(to, code_points, count);
    assert_int_equal(end - to, wanted_size);
    assert_memory_equal(to, wanted, wanted_size);
    /* And back. */
    uint8_t *raw = guarded_memory_copy(&input_memory, wanted, wanted_size);
    to = output_memory.end - wanted_size;
    size_t written = 0;
    ph_error error = ph_json_unescape(to, raw, wanted_size, &written);
    assert_int_equal(error.code, PH_ERROR_NONE);
    assert_int_equal(written, utf8_end - utf8);
    assert_memory_equal(to, utf8, written);
}

static void test_every_byte_at_every_position(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 50; count++) {
        for (size_t position = 0; position < count; position++) {
            for (uint32_t byte = 0; byte < 256; byte += count < 20 ? 1 : 3) {
                uint32_t text[64];
                for (size_t i = 0; i < count; i++) {
                    text[i] = 'a' + (uint32_t)(i % 26);
                }
                text[position] = byte;
                check_printing(text, count);
            }
        }
    }
}

static void test_random_strings(void **state)
{
    (void)state;
    static const uint32_t limits[] = {0x20, 0x80, 0x100, 0x800, 0x10000, 0x110000};
    uint64_t seed = 77;
    for (int round = 0; round < 50000; round++) {
        uint32_t text[300];
        size_t count = next_random(&seed) % 300;
        unsigned kinds = 1 + (unsigned)(next_random(&seed) % 6);
        for (size_t i = 0; i < count; i++) {
            unsigned kind =
                next_random(&seed) % 8 == 0 ? (unsigned)(next_random(&seed) % kinds) : 1;
            text[i] = (uint32_t)(next_random(&seed) % limits[kind]);
            if (text[i] >= 0xD800 && text[i] < 0xE000) {
                text[i] = '"';
            }
        }
        check_printing(text, count);
    }
}

/* Every variant of the copy of long text: it ends at the first special character of any kind. */
static void test_long_copies(void **state)
{
    (void)state;
    static size_t (*variants[3])(uint8_t *, const uint8_t *, size_t) = {ph_json_copy_clean_long};
    size_t count = 1;
#if defined(PH_HAS_AVX2_VARIANT)
    if (ph_cpu_has_avx2()) {
        variants[count++] = copy_clean_avx2;
    }
    if (ph_cpu_has_avx512()) {
        variants[count++] = copy_clean_avx512;
    }
#endif
    for (size_t size = 64; size <= 330; size++) {
        for (size_t position = 0; position <= size; position++) {
            static const uint8_t specials[] = {'"', '\\', 0, 0x1F, '\n'};
            uint8_t text[330];
            for (size_t i = 0; i < size; i++) {
                text[i] = (uint8_t)(i % 5 == 0 ? 0x80 + i % 128 : i % 3 == 0 ? ' ' : '#' + i % 50);
            }
            if (position < size) {
                text[position] = specials[position % sizeof specials];
                text[size - 1] = '"';
            }
            const uint8_t *copy = guarded_memory_copy(&input_memory, text, size);
            for (size_t i = 0; i < count; i++) {
                uint8_t *to = output_memory.end - (size + (i == 0 ? PH_JSON_COPY_ROOM : 0));
                assert_int_equal(variants[i](to, copy, size), position);
                assert_memory_equal(to, text, position);
            }
        }
    }
}

static void test_surrogates_are_refused(void **state)
{
    (void)state;
    for (size_t position = 0; position < 40; position++) {
        uint16_t ucs2[40];
        uint32_t ucs4[40];
        for (size_t i = 0; i < 40; i++) {
            ucs2[i] = i % 7 == 0 ? '\n' : 0x3042;
            ucs4[i] = i % 7 == 0 ? '\n' : 0x1F600;
        }
        ucs2[position] = 0xDFFF;
        ucs4[position] = 0xD800;
        uint8_t to[1024];
        assert_null(ph_json_put_ucs2(to, ucs2, 40));
        assert_null(ph_json_put_ucs4(to, ucs4, 40));
    }
}

/* Every \uXXXX, alone and with every kind of partner, in both cases of letters. */
static void test_unicode_escapes(void **state)
{
    (void)state;
    static const unsigned partners[] = {0x0041, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000};
    for (unsigned unit = 0; unit < 0x10000; unit++) {
        bool is_surrogate = unit >= 0xD800 && unit < 0xE000;
        char text[32];
        uint8_t to[32];
        size_t written = 99;
        sprintf(text, unit & 1 ? "\\u%04X" : "\\u%04x", unit);
        ph_error error = ph_json_unescape(to, (uint8_t *)text, 6, &written);
        assert_int_equal(error.code, is_surrogate ? PH_ERROR_JSON_SURROGATE : PH_ERROR_NONE);
        if (!is_surrogate) {
            uint8_t wanted[4];
            assert_int_equal(written, ph_utf8_put(wanted, unit) - wanted);
            assert_memory_equal(to, wanted, written);
        } else {
            assert_int_equal(written, 99);
            assert_int_equal(error.offset, 0);
        }
        for (size_t i = 0; i < sizeof partners / sizeof *partners; i++) {
            sprintf(text, "\\u%04x\\u%04x", unit, partners[i]);
            error = ph_json_unescape(to, (uint8_t *)text, 12, &written);
            char document[40];
            sprintf(document, "\"%s\"", text);
            bool is_valid = reference_accepts((uint8_t *)document, 14);
            assert_int_equal(error.code == PH_ERROR_NONE, is_valid);
            if (is_valid && is_surrogate) {
                uint8_t wanted[4];
                uint32_t code_point = 0x10000 + ((unit - 0xD800) << 10) + (partners[i] - 0xDC00);
                assert_int_equal(written, 4);
                ph_utf8_put(wanted, code_point);
                assert_memory_equal(to, wanted, 4);
            }
        }
    }
}

/* A raw text that no scanner saw gives an error or a copy, never more. */
static void test_unescaping_anything(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 300000; round++) {
        static const char likely[] = "\\\\\\\\uuuu0123dD89abcDEF\"/bfnrt\x01xyz\x80\xFF";
        uint8_t text[64];
        size_t size = next_random(&seed) % sizeof text;
        for (size_t i = 0; i < size; i++) {
            text[i] = (uint8_t)likely[next_random(&seed) % (sizeof likely - 1)];
        }
        uint8_t *copy = guarded_memory_copy(&input_memory, text, size);
        uint8_t *to = output_memory.end - size;
        size_t written = 0;
        ph_error error = ph_json_unescape(to, copy, size, &written);
        ph_error checked = ph_json_check_string(copy, size, true, true);
        assert_int_equal(error.code, checked.code);
        assert_int_equal(error.offset, checked.offset);
        assert_true(written <= size);
        assert_true(error.offset <= size);
    }
}

static void *resize(void *context, void *block, size_t old_size, size_t new_size)
{
    size_t *limit = context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return new_size > *limit ? NULL : realloc(block, new_size);
}

static size_t allocation_limit = SIZE_MAX;
static const ph_allocator allocator = {resize, &allocation_limit};

static ph_error format(ph_buffer *output, const char *text, size_t size, int32_t indent)
{
    uint8_t *copy = guarded_memory_copy(&input_memory, text, size);
    ph_buffer_init(output, &allocator);
    return ph_json_format(output, copy, size, indent, 64, PH_JSON_STRICT);
}

static void assert_formatted(const char *text, int32_t indent, const char *wanted)
{
    ph_buffer output;
    ph_error error = format(&output, text, strlen(text), indent);
    assert_int_equal(error.code, PH_ERROR_NONE);
    assert_int_equal(ph_buffer_length(&output), strlen(wanted));
    assert_memory_equal(output.start, wanted, strlen(wanted));
    ph_buffer_clear(&output);
}

static void test_layouts(void **state)
{
    (void)state;
    const char *text = " {\"a\":[1,2,{}, [], {\"b\":[ ]}],\"c\" : \"x\\u0041\" , \"d\":1.50e3}\n";
    assert_formatted(text, PH_JSON_MINIFIED,
                     "{\"a\":[1,2,{},[],{\"b\":[]}],\"c\":\"x\\u0041\",\"d\":1.50e3}");
    assert_formatted(text, PH_JSON_ONE_LINE,
                     "{\"a\": [1, 2, {}, [], {\"b\": []}], \"c\": \"x\\u0041\", \"d\": 1.50e3}");
    assert_formatted(
        text, 2,
        "{\n  \"a\": [\n    1,\n    2,\n    {},\n    [],\n    {\n      \"b\": []\n    }\n"
        "  ],\n  \"c\": \"x\\u0041\",\n  \"d\": 1.50e3\n}");
    assert_formatted("[]", 2, "[]");
    assert_formatted("  null ", 2, "null");
    assert_formatted("[true,false,-0,123456789012345678901234567890]", 0,
                     "[true, false, -0, 123456789012345678901234567890]");
    const char *comments = "// a\n[1, /* b */ 2,]";
    ph_buffer output;
    ph_buffer_init(&output, &allocator);
    ph_error error = ph_json_format(&output, (const uint8_t *)comments, strlen(comments), -1, 8,
                                    PH_JSON_RELAXED);
    assert_int_equal(error.code, PH_ERROR_NONE);
    assert_int_equal(ph_buffer_length(&output), 5);
    assert_memory_equal(output.start, "[1,2]", 5);
    ph_buffer_clear(&output);
    const char *words = "[ NaN, -Infinity ]";
    error =
        ph_json_format(&output, (const uint8_t *)words, strlen(words), -1, 8, PH_JSON_NON_FINITE);
    assert_int_equal(error.code, PH_ERROR_NONE);
    assert_int_equal(ph_buffer_length(&output), 15);
    assert_memory_equal(output.start, "[NaN,-Infinity]", 15);
    ph_buffer_clear(&output);
}

/* Accepts what the reference accepts; laid out and minified again it is the minified text. */
static void test_formatting_random_documents(void **state)
{
    (void)state;
    static const char document[] = " [ {\"a\": [1, 2.5, \"x\\\"y\", true, null], \"bb\" : {} } , "
                                   "\"\xE3\x81\x82\" , -3e5, [] ] ";
    static const char likely[] = "\"\\{}[]:,0123456789eE.+-tfnu \n";
    uint64_t seed = 20261130;
    for (int round = 0; round < 100000; round++) {
        char text[sizeof document];
        size_t size = sizeof document - 1;
        memcpy(text, document, size);
        for (uint64_t changes = next_random(&seed) % 3; changes > 0; changes--) {
            text[next_random(&seed) % size] = likely[next_random(&seed) % (sizeof likely - 1)];
        }
        ph_buffer minified;
        ph_buffer pretty;
        ph_buffer again;
        ph_error error = format(&minified, text, size, PH_JSON_MINIFIED);
        bool is_valid = reference_accepts((uint8_t *)text, size);
        assert_int_equal(error.code == PH_ERROR_NONE, is_valid);
        int32_t indent = (int32_t)(next_random(&seed) % 5);
        ph_error pretty_error = format(&pretty, text, size, indent);
        assert_int_equal(pretty_error.code, error.code);
        assert_int_equal(pretty_error.offset, error.offset);
        if (is_valid) {
            assert_true(reference_accepts(pretty.start, ph_buffer_length(&pretty)));
            error = format(&again, (char *)pretty.start, ph_buffer_length(&pretty), -1);
            assert_int_equal(error.code, PH_ERROR_NONE);
            assert_int_equal(ph_buffer_length(&again), ph_buffer_length(&minified));
            assert_memory_equal(again.start, minified.start, ph_buffer_length(&minified));
            ph_buffer_clear(&again);
        }
        ph_buffer_clear(&minified);
        ph_buffer_clear(&pretty);
    }
}

static void test_memory_and_depth_of_formatting(void **state)
{
    (void)state;
    const char *text = "[[[\"some text that makes the buffer grow and grow and grow\", 1, 2, 3]]]";
    bool succeeded = false;
    for (allocation_limit = 0; allocation_limit < 800; allocation_limit++) {
        ph_buffer output;
        ph_error error = format(&output, text, strlen(text), 8);
        if (succeeded) {
            assert_int_equal(error.code, PH_ERROR_NONE);
        } else if (error.code != PH_ERROR_NONE) {
            assert_int_equal(error.code, PH_ERROR_NO_MEMORY);
        }
        succeeded = error.code == PH_ERROR_NONE;
        ph_buffer_clear(&output);
    }
    assert_true(succeeded && allocation_limit > 200);
    allocation_limit = SIZE_MAX;
    ph_buffer output;
    ph_buffer_init(&output, &allocator);
    ph_error error =
        ph_json_format(&output, (const uint8_t *)text, strlen(text), 0, 2, PH_JSON_STRICT);
    assert_int_equal(error.code, PH_ERROR_DEPTH_LIMIT);
    assert_int_equal(error.offset, 2);
    ph_buffer_clear(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_byte_at_every_position),
        cmocka_unit_test(test_random_strings),
        cmocka_unit_test(test_long_copies),
        cmocka_unit_test(test_surrogates_are_refused),
        cmocka_unit_test(test_unicode_escapes),
        cmocka_unit_test(test_unescaping_anything),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_formatting_random_documents),
        cmocka_unit_test(test_memory_and_depth_of_formatting),
    };
    input_memory = guarded_memory_new(16384);
    output_memory = guarded_memory_new(16384);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guarded_memory_free(&input_memory);
    guarded_memory_free(&output_memory);
    return failed;
}
