/* core/text/utf8 and transcode against a slow reference, every variant, with a guard page behind. */
#include "guarded_memory.h"
#include "next_random.h"
#include "text/short_text.h"
#include "text/transcode.h"
#include "text/utf8.h"
#include "text/utf8_variants.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define WINDOW 96

static guarded_memory guarded;
static guarded_memory output;

/* The reference: decodes by the definition (Unicode 15, table 3-7), one byte after the other.
 * Returns the length of the sequence, 0 when invalid. */
static size_t reference_decode(const uint8_t *at, size_t left, uint32_t *code_point)
{
    static const struct {
        uint8_t lead_mask, lead;
        size_t length;
        uint32_t smallest;
    } forms[] = {{0x80, 0x00, 1, 0},
                 {0xE0, 0xC0, 2, 0x80},
                 {0xF0, 0xE0, 3, 0x800},
                 {0xF8, 0xF0, 4, 0x10000}};
    for (size_t form = 0; form < 4; form++) {
        if ((at[0] & forms[form].lead_mask) != forms[form].lead) {
            continue;
        }
        if (left < forms[form].length) {
            return 0;
        }
        uint32_t value = at[0] & (uint8_t)~forms[form].lead_mask;
        for (size_t i = 1; i < forms[form].length; i++) {
            if (at[i] >> 6 != 2) {
                return 0;
            }
            value = value << 6 | (at[i] & 0x3F);
        }
        if (value < forms[form].smallest || value > 0x10FFFF ||
            (value >= 0xD800 && value < 0xE000)) {
            return 0;
        }
        *code_point = value;
        return forms[form].length;
    }
    return 0;
}

static ph_text_facts reference_measure(const uint8_t *text, size_t size)
{
    ph_text_facts facts = {0, 0, PH_WIDTH_ASCII};
    uint32_t highest = 0;
    while (facts.valid_bytes < size) {
        uint32_t code_point = 0;
        size_t length =
            reference_decode(text + facts.valid_bytes, size - facts.valid_bytes, &code_point);
        if (length == 0) {
            break;
        }
        highest = code_point > highest ? code_point : highest;
        facts.valid_bytes += length;
        facts.code_points++;
    }
    facts.width = highest < 0x80      ? PH_WIDTH_ASCII
                  : highest < 0x100   ? PH_WIDTH_LATIN1
                  : highest < 0x10000 ? PH_WIDTH_UCS2
                                      : PH_WIDTH_UCS4;
    return facts;
}

static void assert_same_facts(ph_text_facts got, ph_text_facts wanted)
{
    if (got.valid_bytes != wanted.valid_bytes || got.code_points != wanted.code_points ||
        got.width != wanted.width) {
        fail_msg("got %zu bytes, %zu code points, width %d; wanted %zu, %zu, %d", got.valid_bytes,
                 got.code_points, (int)got.width, wanted.valid_bytes, wanted.code_points,
                 (int)wanted.width);
    }
}

/* The one-pass decoder of short texts accepts what the measure accepts, and decodes to the same units. */
static void check_short(const uint8_t *text, size_t size)
{
    static ph_short_text got;
    uint32_t wanted[PH_SHORT_TEXT_BYTES];
    if (size > PH_SHORT_TEXT_BYTES) {
        return;
    }
    ph_text_facts facts = ph_utf8_measure(text, size);
    bool is_valid = ph_short_text_decode(&got, text, size);
    assert_int_equal(is_valid, facts.valid_bytes == size);
    if (!is_valid) {
        return;
    }
    assert_int_equal(got.code_points, facts.code_points);
    assert_int_equal(got.width, facts.width);
    uint32_t units[PH_SHORT_TEXT_BYTES];
    ph_short_text_store(&got, units);
    switch (facts.width) {
    case PH_WIDTH_ASCII: assert_memory_equal(units, text, size); break;
    case PH_WIDTH_LATIN1:
        ph_utf8_decode_latin1((uint8_t *)wanted, facts.code_points, text, size);
        assert_memory_equal(units, wanted, facts.code_points);
        break;
    case PH_WIDTH_UCS2:
        ph_utf8_decode_ucs2((uint16_t *)(void *)wanted, facts.code_points, text, size);
        assert_memory_equal(units, wanted, 2 * facts.code_points);
        break;
    case PH_WIDTH_UCS4:
        ph_utf8_decode_ucs4(wanted, facts.code_points, text, size);
        assert_memory_equal(units, wanted, 4 * facts.code_points);
        break;
    }
}

/* Runs every variant over a copy that ends at the guard page. */
static void check_all_variants(const uint8_t *text, size_t size)
{
    ph_text_facts wanted = reference_measure(text, size);
    uint8_t *copy = guarded_memory_copy(&guarded, text, size);
    check_short(copy, size);
    assert_same_facts(ph_utf8_measure_portable(copy, size), wanted);
    assert_same_facts(ph_utf8_measure(copy, size), wanted);
#if defined(PH_HAS_AVX2_VARIANT)
    if (size >= PH_AVX2_SMALLEST && ph_cpu_has_avx2()) {
        assert_same_facts(ph_utf8_measure_avx2(copy, size), wanted);
    }
#endif
#if defined(PH_HAS_NEON_VARIANT)
    if (size >= PH_NEON_SMALLEST) {
        assert_same_facts(ph_utf8_measure_neon(copy, size), wanted);
    }
#endif
}

static void test_every_input_up_to_three_bytes(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 1u << 24; bits++) {
        uint8_t text[3] = {(uint8_t)(bits >> 16), (uint8_t)(bits >> 8), (uint8_t)bits};
        size_t smallest = bits < 0x100 ? 1 : bits < 0x10000 ? 2 : 3;
        for (size_t size = smallest; size <= 3; size++) {
            assert_same_facts(ph_utf8_measure_portable(text + 3 - size, size),
                              reference_measure(text + 3 - size, size));
        }
    }
}

/* All pairs of the first two bytes, with third and fourth bytes at the edges of their ranges, at
 * every position of a window that the vector loops cross. */
static void test_every_lead_and_second_byte_at_every_position(void **state)
{
    (void)state;
    static const uint8_t edges[] = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
    for (uint32_t pair = 0x8000; pair < 1u << 16; pair++) {
        for (size_t third = 0; third < sizeof edges; third++) {
            uint8_t text[WINDOW];
            memset(text, 'a', sizeof text);
            size_t position = (pair * 7 + third * 13) % (WINDOW - 3);
            text[position] = (uint8_t)(pair >> 8);
            text[position + 1] = (uint8_t)pair;
            text[position + 2] = edges[third];
            text[position + 3] = edges[(third + pair) % sizeof edges];
            check_all_variants(text, sizeof text);
        }
    }
    for (size_t position = 0; position < WINDOW - 4; position++) {
        static const char *const samples[] = {"\xC3\xA9",
                                              "\xE3\x81\x82",
                                              "\xF0\x9F\x98\x80",
                                              "\xC1\xBF",
                                              "\xE0\x9F\xBF",
                                              "\xED\xA0\x80",
                                              "\xED\x9F\xBF",
                                              "\xEF\xBF\xBF",
                                              "\xF4\x8F\xBF\xBF",
                                              "\xF4\x90\x80\x80",
                                              "\x80",
                                              "\xFF",
                                              "\xF0\x8F\xBF\xBF",
                                              "\xF5\x80\x80\x80"};
        for (size_t sample = 0; sample < sizeof samples / sizeof *samples; sample++) {
            uint8_t text[WINDOW];
            memset(text, 'a', sizeof text);
            memcpy(text + position, samples[sample], strlen(samples[sample]));
            for (size_t size = position; size <= WINDOW; size++) {
                check_all_variants(text, size);
            }
        }
    }
}

/* Valid text in which one kind of code point dominates, so that runs form and break. */
static size_t make_text(uint8_t *text, size_t capacity, uint64_t *seed)
{
    static const uint32_t limits[] = {0x80, 0x100, 0x800, 0x10000, 0x110000};
    unsigned widest = (unsigned)(next_random(seed) % 5);
    unsigned changes = 1 + (unsigned)(next_random(seed) % 20);
    size_t size = 0;
    unsigned kind = widest;
    while (capacity - size >= 4) {
        if (next_random(seed) % changes == 0) {
            kind = (unsigned)(next_random(seed) % (widest + 1));
        }
        uint32_t low = kind == 0 ? 0 : limits[kind - 1];
        uint32_t code_point = low + (uint32_t)(next_random(seed) % (limits[kind] - low));
        if (code_point >= 0xD800 && code_point < 0xE000) {
            code_point -= 0x800;
        }
        size = (size_t)(ph_utf8_put(text + size, code_point) - text);
    }
    return size;
}

static void test_random_text_and_damaged_text(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    for (int round = 0; round < 200000; round++) {
        uint8_t text[300];
        size_t size = make_text(text, 4 + next_random(&seed) % (sizeof text - 4), &seed);
        check_all_variants(text, size);
        if (size > 0) {
            text[next_random(&seed) % size] = (uint8_t)next_random(&seed);
            check_all_variants(text, size);
            check_all_variants(text, size - 1);
        }
    }
}

/* Every variant encodes the units up to `good`, in the room that is promised. */
#define DEFINE_CHECK_ENCODING(name, unit_type, per_unit, smallest, ...)                 \
 static void check_encoding_##name(const unit_type *units, size_t count, size_t good,   \
                                   const uint8_t *text, size_t size)                    \
 {                                                                                      \
  ph_encoded (*const variants[])(uint8_t *, const unit_type *, size_t) = {__VA_ARGS__}; \
  const unit_type *copy =                                                               \
      (const void *)guarded_memory_copy(&guarded, units, count * sizeof *units);        \
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {                     \
   if (i == 2 && (count < smallest || !has_vectors())) {                                \
    continue;                                                                           \
   }                                                                                    \
   uint8_t *to = output.end - (count * per_unit + PH_UTF8_ENCODE_ROOM);                 \
   ph_encoded encoded = variants[i](to, copy, count);                                   \
   assert_int_equal(encoded.units, good);                                               \
   assert_int_equal(encoded.end - to, size);                                            \
   assert_memory_equal(to, text, size);                                                 \
  }                                                                                     \
 }

static bool has_vectors(void)
{
#if defined(PH_HAS_AVX2_VARIANT)
    return ph_cpu_has_avx2();
#else
    return false;
#endif
}

#if defined(PH_HAS_AVX2_VARIANT)
# define AND_SSE41(name) , ph_utf8_encode_##name##_sse41
#else
# define AND_SSE41(name)
#endif

DEFINE_CHECK_ENCODING(latin1, uint8_t, PH_UTF8_PER_LATIN1, 1, ph_utf8_encode_latin1,
                      ph_utf8_encode_latin1_portable)
DEFINE_CHECK_ENCODING(ucs2, uint16_t, PH_UTF8_PER_UCS2, 8, ph_utf8_encode_ucs2,
                      ph_utf8_encode_ucs2_portable AND_SSE41(ucs2))
DEFINE_CHECK_ENCODING(ucs4, uint32_t, PH_UTF8_PER_UCS4, 4, ph_utf8_encode_ucs4,
                      ph_utf8_encode_ucs4_portable AND_SSE41(ucs4))

/* Decodes to the width found and encodes again: same code points, same bytes, nothing else written. */
static void check_transcoding(const uint8_t *text, size_t size)
{
    ph_text_facts facts = ph_utf8_measure(text, size);
    assert_int_equal(facts.valid_bytes, size);
    static uint8_t units[4096];
    size_t unit_size = facts.width == PH_WIDTH_UCS4 ? 4 : facts.width == PH_WIDTH_UCS2 ? 2 : 1;
    memset(units, 0xA5, sizeof units);
    uint8_t *copy = guarded_memory_copy(&guarded, text, size);
    size_t count = facts.code_points;
    if (unit_size == 1) {
        ph_utf8_decode_latin1(units, count, copy, size);
        check_encoding_latin1(units, count, count, text, size);
    } else if (unit_size == 2) {
        ph_utf8_decode_ucs2((uint16_t *)(void *)units, count, copy, size);
        check_encoding_ucs2((uint16_t *)(void *)units, count, count, text, size);
    } else {
        ph_utf8_decode_ucs4((uint32_t *)(void *)units, count, copy, size);
        check_encoding_ucs4((uint32_t *)(void *)units, count, count, text, size);
    }
    for (size_t i = facts.code_points * unit_size; i < facts.code_points * unit_size + 32; i++) {
        assert_int_equal(units[i], 0xA5);
    }
    size_t at = 0;
    for (size_t i = 0; i < facts.code_points; i++) {
        uint32_t wanted = 0;
        at += reference_decode(text + at, size - at, &wanted);
        uint32_t got = 0;
        memcpy(&got, units + i * unit_size, unit_size);
        assert_int_equal(got, wanted);
    }
}

static void test_transcoding(void **state)
{
    (void)state;
    uint64_t seed = 42;
    for (int round = 0; round < 100000; round++) {
        uint8_t text[300];
        size_t size = make_text(text, 4 + next_random(&seed) % (sizeof text - 4), &seed);
        check_transcoding(text, size);
    }
    for (uint32_t code_point = 0; code_point <= 0x10FFFF; code_point++) {
        if (code_point < 0xD800 || code_point >= 0xE000) {
            uint8_t text[4];
            check_transcoding(text, (size_t)(ph_utf8_put(text, code_point) - text));
        }
    }
}

static void test_units_that_are_no_code_point(void **state)
{
    (void)state;
    for (uint32_t bad = 0xD800; bad < 0xE000; bad += 0x1FF) {
        for (size_t count = 1; count <= 40; count++) {
            for (size_t position = 0; position < count; position++) {
                uint16_t narrow[40];
                uint32_t wide[40];
                uint8_t narrow_text[256], wide_text[256];
                uint8_t *narrow_end = narrow_text, *wide_end = wide_text;
                for (size_t i = 0; i < count; i++) {
                    narrow[i] = i == position ? (uint16_t)bad : i % 11 == 10 ? 'a' : 0x3042;
                    wide[i] = i == position ? bad : 0x1F600;
                    if (i < position) {
                        narrow_end = ph_utf8_put(narrow_end, narrow[i]);
                        wide_end = ph_utf8_put(wide_end, wide[i]);
                    }
                }
                check_encoding_ucs2(narrow, count, position, narrow_text,
                                    (size_t)(narrow_end - narrow_text));
                check_encoding_ucs4(wide, count, position, wide_text,
                                    (size_t)(wide_end - wide_text));
            }
        }
    }
    uint32_t too_large[5] = {0x110000, 0x10FFFF, 0x110000, 0xFFFFFFFF, 0x80000000};
    for (size_t i = 0; i < 5; i++) {
        check_encoding_ucs4(too_large + i, 5 - i, i == 1, (const uint8_t *)"\xF4\x8F\xBF\xBF",
                            i == 1 ? 4 : 0);
    }
}

static void test_ascii_tests(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 40; size++) {
        uint8_t text[40];
        memset(text, 'x', sizeof text);
        for (size_t high = 0; high <= size; high++) {
            if (high < size) {
                text[high] = 0x80;
            }
            uint8_t *copy = guarded_memory_copy(&guarded, text, size);
            uint8_t to[48];
            memset(to, 0xA5, sizeof to);
            assert_int_equal(ph_text_is_ascii(copy, size), high == size);
            assert_int_equal(ph_text_copy_is_ascii(to, copy, size), high == size);
            assert_memory_equal(to, text, size);
            assert_int_equal(to[size], 0xA5);
            if (high < size) {
                text[high] = 'x';
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_input_up_to_three_bytes),
        cmocka_unit_test(test_every_lead_and_second_byte_at_every_position),
        cmocka_unit_test(test_random_text_and_damaged_text),
        cmocka_unit_test(test_transcoding),
        cmocka_unit_test(test_units_that_are_no_code_point),
        cmocka_unit_test(test_ascii_tests),
    };
    guarded = guarded_memory_new(4096);
    output = guarded_memory_new(4096);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    guarded_memory_free(&guarded);
    guarded_memory_free(&output);
    return failed;
}
