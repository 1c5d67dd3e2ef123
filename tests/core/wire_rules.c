/* core/wire by rule instead of by example: key slots and their policy, timestamps at their borders, the
 * format table, limits and depth of frames. */
#include "wire/cursor.h"
#include "wire/frame.h"
#include "wire/keyslot.h"
#include "wire/put.h"
#include "wire/timestamp.h"

#include "guarded_memory.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- key slots ---- */

static void fill(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(i * 37 + 11);
    }
}

/* Hash and comparison read the key alone, wherever it lies, and every byte of it counts. */
static void test_keys_of_every_length(void **state)
{
    (void)state;
    guarded_memory first = guarded_memory_new(PH_KEYSLOT_LENGTH_MAX);
    guarded_memory second = guarded_memory_new(PH_KEYSLOT_LENGTH_MAX + 8);
    uint8_t key[PH_KEYSLOT_LENGTH_MAX];
    fill(key, sizeof key);
    for (size_t length = 0; length <= PH_KEYSLOT_LENGTH_MAX; length++) {
        const uint8_t *here = guarded_memory_copy(&first, key, length);
        uint32_t hash = ph_keyslot_hash(here, length);
        for (size_t shift = 0; shift < 8; shift++) {
            uint8_t *there = second.end - length - shift;
            memmove(there, key, length);
            assert_int_equal(ph_keyslot_hash(there, length), hash);
            assert_true(ph_keyslot_equal(here, there, length));
            for (size_t at = 0; at < length; at++) {
                for (unsigned bit = 0; bit < 8; bit++) {
                    there[at] ^= (uint8_t)(1u << bit);
                    assert_false(ph_keyslot_equal(here, there, length));
                    assert_int_not_equal(ph_keyslot_hash(there, length), hash);
                    there[at] ^= (uint8_t)(1u << bit);
                }
            }
        }
    }
    guarded_memory_free(&first);
    guarded_memory_free(&second);
}

/* Keys as documents have them spread over the sets: no set gets much more than its share. */
static void test_keys_spread(void **state)
{
    (void)state;
    unsigned in_set[PH_KEYSLOT_SETS] = {0};
    for (unsigned number = 0; number < 4 * PH_KEYSLOT_SETS; number++) {
        char key[32];
        int length = snprintf(key, sizeof key, "field_%u", number);
        uint32_t slot = ph_keyslot_first(ph_keyslot_hash((const uint8_t *)key, (size_t)length));
        assert_int_equal(slot % PH_KEYSLOT_WAYS, 0);
        assert_in_range(slot, 0, PH_KEYSLOT_COUNT - PH_KEYSLOT_WAYS);
        in_set[slot / PH_KEYSLOT_WAYS]++;
    }
    for (unsigned set = 0; set < PH_KEYSLOT_SETS; set++) {
        assert_in_range(in_set[set], 0, 16);
    }
}

/* One lookup that finds nothing; false when the cache rests. */
static bool miss(ph_keyslot_policy *policy)
{
    if (!ph_keyslot_awake(policy)) {
        return false;
    }
    ph_keyslot_miss(policy);
    return true;
}

static uint32_t lookups_until_rest(ph_keyslot_policy *policy)
{
    uint32_t lookups = 0;
    while (miss(policy)) {
        lookups++;
    }
    return lookups;
}

static void test_rests_grow_and_end(void **state)
{
    (void)state;
    ph_keyslot_policy policy = {0};
    uint32_t wanted = PH_KEYSLOT_REST_FIRST;
    for (int round = 0; round < 8; round++) {
        assert_int_equal(lookups_until_rest(&policy), PH_KEYSLOT_WINDOW);
        uint32_t rest = 1; /* the one that was refused just now */
        while (!ph_keyslot_awake(&policy)) {
            rest++;
        }
        assert_int_equal(rest, wanted);
        ph_keyslot_miss(&policy); /* for the lookup that found it awake */
        for (int i = 1; i < PH_KEYSLOT_WINDOW - 1; i++) {
            assert_true(miss(&policy));
        }
        policy.lookups = 0; /* a whole window again for the next round */
        wanted = wanted < PH_KEYSLOT_REST_MAX ? wanted * 2 : PH_KEYSLOT_REST_MAX;
    }
    assert_int_equal(wanted, PH_KEYSLOT_REST_MAX);
}

/* One hit in eight lookups is enough, one in nine is not; a good window makes the next rest short. */
static void test_hits_keep_it_awake(void **state)
{
    (void)state;
    ph_keyslot_policy policy = {.rest = PH_KEYSLOT_REST_MAX};
    for (int i = 0; i < 100 * PH_KEYSLOT_WINDOW; i++) {
        assert_true(ph_keyslot_awake(&policy));
        if (i % 8 == 0) {
            ph_keyslot_hit(&policy);
        } else {
            ph_keyslot_miss(&policy);
        }
    }
    assert_int_equal(policy.rest, 0);
    policy = (ph_keyslot_policy){0};
    int lookups = 0;
    while (ph_keyslot_awake(&policy)) {
        if (lookups++ % 9 == 0) {
            ph_keyslot_hit(&policy);
        } else {
            ph_keyslot_miss(&policy);
        }
    }
    assert_in_range(lookups, PH_KEYSLOT_WINDOW, PH_KEYSLOT_WINDOW + 1);
}

/* ---- timestamps ---- */

static void check_timestamp(int64_t seconds, uint32_t nanoseconds, size_t wanted)
{
    uint8_t payload[PH_TIMESTAMP_PAYLOAD_MAX + 1];
    memset(payload, 0xA5, sizeof payload);
    ph_timestamp timestamp = {.seconds = seconds, .nanoseconds = nanoseconds};
    assert_int_equal(ph_timestamp_write(timestamp, payload), wanted);
    for (size_t i = wanted; i < sizeof payload; i++) {
        assert_int_equal(payload[i], 0xA5);
    }
    ph_timestamp again = {0};
    assert_int_equal(ph_timestamp_read(payload, wanted, &again), PH_ERROR_NONE);
    assert_true(again.seconds == seconds && again.nanoseconds == nanoseconds);
}

static void test_the_shortest_form(void **state)
{
    (void)state;
    const int64_t most32 = UINT32_MAX, most34 = (INT64_C(1) << 34) - 1;
    check_timestamp(0, 0, 4);
    check_timestamp(1, 0, 4);
    check_timestamp(most32, 0, 4);
    check_timestamp(most32 + 1, 0, 8);
    check_timestamp(0, 1, 8);
    check_timestamp(0, 999999999, 8);
    check_timestamp(most34, 0, 8);
    check_timestamp(most34, 999999999, 8);
    check_timestamp(most34 + 1, 0, 12);
    check_timestamp(most34 + 1, 999999999, 12);
    check_timestamp(-1, 0, 12);
    check_timestamp(-1, 999999999, 12);
    check_timestamp(INT64_MAX, 999999999, 12);
    check_timestamp(INT64_MIN, 0, 12);
    check_timestamp(INT64_MIN, 999999999, 12);
}

static void test_payloads_that_are_no_timestamps(void **state)
{
    (void)state;
    guarded_memory memory = guarded_memory_new(64);
    const uint8_t zeros[64] = {0};
    for (size_t length = 0; length <= 64; length++) {
        const uint8_t *payload = guarded_memory_copy(&memory, zeros, length);
        ph_timestamp timestamp;
        bool good = length == 4 || length == 8 || length == 12;
        assert_int_equal(ph_timestamp_read(length == 0 ? NULL : payload, length, &timestamp),
                         good ? PH_ERROR_NONE : PH_ERROR_TIMESTAMP_LENGTH);
    }
    guarded_memory_free(&memory);
    uint8_t payload[12];
    ph_timestamp timestamp;
    for (uint32_t past = 0; past < 2; past++) {
        ph_error_code wanted = past == 0 ? PH_ERROR_NONE : PH_ERROR_TIMESTAMP_NANOSECONDS;
        ph_store_big64(payload, (UINT64_C(999999999) + past) << 34 | 5);
        assert_int_equal(ph_timestamp_read(payload, 8, &timestamp), wanted);
        ph_store_big32(payload, 999999999 + past);
        ph_store_big64(payload + 4, 5);
        assert_int_equal(ph_timestamp_read(payload, 12, &timestamp), wanted);
    }
    memset(payload, 0xff, sizeof payload);
    assert_int_equal(ph_timestamp_read(payload, 4, &timestamp), PH_ERROR_NONE);
    assert_int_equal(ph_timestamp_read(payload, 8, &timestamp), PH_ERROR_TIMESTAMP_NANOSECONDS);
    assert_int_equal(ph_timestamp_read(payload, 12, &timestamp), PH_ERROR_TIMESTAMP_NANOSECONDS);
}

/* ---- the format table ---- */

typedef struct format_row {
    const char *name;
    unsigned first;
    unsigned last;
    ph_format_kind kind;
    unsigned length_bytes;
    unsigned fixed_payload;
} format_row;

static const format_row format_rows[] = {
#define FORMAT_ROW(name, first, last, kind, length_bytes, fixed_payload) \
 {#name, first, last, PH_KIND_##kind, length_bytes, fixed_payload},
    PH_FORMATS(FORMAT_ROW)
#undef FORMAT_ROW
};

/* Every byte belongs to exactly one format, and table and names say the same of it. */
static void test_the_table_is_the_list(void **state)
{
    (void)state;
    unsigned rows = sizeof format_rows / sizeof *format_rows;
    assert_int_equal(rows, 37);
    for (unsigned byte = 0; byte < 256; byte++) {
        const format_row *found = NULL;
        for (unsigned i = 0; i < rows; i++) {
            if (byte >= format_rows[i].first && byte <= format_rows[i].last) {
                assert_null(found);
                found = &format_rows[i];
            }
        }
        assert_non_null(found);
        ph_format_entry entry = ph_format_table[byte];
        assert_int_equal(entry.kind, found->kind);
        assert_int_equal(entry.length_bytes, found->length_bytes);
        assert_int_equal(entry.fixed_payload, found->fixed_payload);
        bool carries = found->kind == PH_KIND_STRING || found->kind == PH_KIND_ARRAY ||
                       found->kind == PH_KIND_MAP;
        assert_int_equal(entry.fixed_length,
                         carries && found->length_bytes == 0 ? byte - found->first : 0);
        const char *name = ph_format_name((uint8_t)byte);
        assert_int_equal(strlen(name), strlen(found->name));
        for (size_t i = 0; name[i] != 0; i++) {
            assert_int_equal(name[i], tolower((unsigned char)found->name[i]));
        }
    }
}

/* ---- frames ---- */

/* Scans a header that claims `length`, with a limit of `limit` for all kinds. */
static ph_error_code scan_claim(uint8_t *(*put)(uint8_t *to, uint32_t length), uint32_t length,
                                uint64_t limit)
{
    ph_limits limits = {limit, limit, limit, limit, limit, PH_NO_LIMIT, 1024};
    uint8_t bytes[PH_PUT_ROOM];
    const uint8_t *position = bytes, *end = put(bytes, length);
    ph_frame frame;
    ph_error_code code = PH_ERROR_NONE;
    ph_frame_begin(&frame);
    ph_frame_status status = ph_frame_scan(&frame, &position, end, &limits, &code);
    assert_int_equal(status == PH_FRAME_ERROR, code != PH_ERROR_NONE);
    assert_true(status != PH_FRAME_ERROR || position == bytes);
    return code;
}

static uint8_t *put_string(uint8_t *to, uint32_t length)
{
    return ph_put_string_header(to, length);
}

static uint8_t *put_binary(uint8_t *to, uint32_t length)
{
    return ph_put_binary_header(to, length);
}

static uint8_t *put_ext(uint8_t *to, uint32_t length)
{
    return ph_put_ext_header(to, 5, length);
}

static uint8_t *put_array(uint8_t *to, uint32_t length)
{
    return ph_put_array_header(to, length);
}

static uint8_t *put_map(uint8_t *to, uint32_t length)
{
    return ph_put_map_header(to, length);
}

/* For each kind and each width of its header: the limit passes, one more does not. */
static void test_limits_of_frames(void **state)
{
    (void)state;
    static const struct {
        uint8_t *(*put)(uint8_t *to, uint32_t length);
        ph_error_code code;
    } kinds[] = {
        {put_string, PH_ERROR_STRING_LIMIT}, {put_binary, PH_ERROR_BINARY_LIMIT},
        {put_ext, PH_ERROR_EXT_LIMIT},       {put_array, PH_ERROR_ARRAY_LIMIT},
        {put_map, PH_ERROR_MAP_LIMIT},
    };
    static const uint32_t lengths[] = {0,  1,  2,   4,   8,     15,    16,       17,
                                       31, 32, 255, 256, 65535, 65536, 16777216, UINT32_MAX};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            uint32_t length = lengths[i];
            assert_int_equal(scan_claim(kinds[kind].put, length, length), PH_ERROR_NONE);
            assert_int_equal(scan_claim(kinds[kind].put, length, PH_NO_LIMIT), PH_ERROR_NONE);
            if (length != 0) {
                assert_int_equal(scan_claim(kinds[kind].put, length, length - 1u),
                                 kinds[kind].code);
            }
        }
    }
}

/* Strings that are stepped over in a run are held to their limit like any other. */
static void test_limits_within_a_run(void **state)
{
    (void)state;
    uint8_t bytes[600];
    memset(bytes, 0xa3, sizeof bytes); /* strings of three letters, which are 0xa3 themselves */
    for (uint64_t limit = 0; limit < 6; limit++) {
        ph_limits limits = ph_limits_default();
        limits.string_bytes = limit;
        bytes[0] = 0xdc;
        ph_store_big16(bytes + 1, 100);
        const uint8_t *position = bytes;
        ph_frame frame;
        ph_error_code code = PH_ERROR_NONE;
        ph_frame_begin(&frame);
        ph_frame_status status =
            ph_frame_scan(&frame, &position, bytes + sizeof bytes, &limits, &code);
        assert_int_equal(status, limit < 3 ? PH_FRAME_ERROR : PH_FRAME_COMPLETE);
        assert_int_equal(code, limit < 3 ? PH_ERROR_STRING_LIMIT : PH_ERROR_NONE);
        assert_int_equal(position - bytes, limit < 3 ? 3 : 403);
    }
}

#define DEEPEST 40

/* `levels` containers in each other; the innermost holds nil, or nothing. */
static size_t put_nested(uint8_t *bytes, uint32_t levels, bool maps, bool empty)
{
    uint8_t *to = bytes;
    for (uint32_t level = 1; level <= levels; level++) {
        bool last_is_empty = empty && level == levels;
        to = maps ? ph_put_map_header(to, !last_is_empty) : ph_put_array_header(to, !last_is_empty);
        if (maps && !last_is_empty) {
            to = ph_put_unsigned(to, 1); /* the key */
        }
    }
    if (!empty || levels == 0) {
        to = ph_put_nil(to);
    }
    return (size_t)(to - bytes);
}

static void test_depth_at_and_over_the_limit(void **state)
{
    (void)state;
    uint8_t bytes[4 * DEEPEST];
    uint64_t counts[DEEPEST + 1];
    for (uint32_t levels = 0; levels < DEEPEST; levels++) {
        for (int form = 0; form < 4; form++) {
            bool maps = (form & 1) != 0, empty = (form & 2) != 0;
            size_t size = put_nested(bytes, levels, maps, empty);
            for (uint32_t depth = 0; depth <= levels + 1 && depth <= DEEPEST; depth++) {
                counts[depth] = UINT64_C(0xA5A5A5A5A5A5A5A5);
                const uint8_t *deep = ph_frame_depth(bytes, bytes + size, depth, counts);
                size_t step = maps ? 2 : 1; /* bytes that each level takes */
                assert_true(deep == (levels > depth ? bytes + depth * step : NULL));
                assert_true(counts[depth] == UINT64_C(0xA5A5A5A5A5A5A5A5));
            }
        }
    }
}

/* Containers side by side are no deeper than one of them, and the end of the value is respected. */
static void test_depth_of_neighbours(void **state)
{
    (void)state;
    /* [[[]], [1, {2: [3]}], {}] and then another value that is deeper */
    const uint8_t bytes[] = {0x93, 0x91, 0x90, 0x92, 0x01, 0x81, 0x02,
                             0x91, 0x03, 0x80, 0x91, 0x91, 0x91, 0x91};
    uint64_t counts[4];
    assert_null(ph_frame_depth(bytes, bytes + sizeof bytes, 4, counts));
    assert_ptr_equal(ph_frame_depth(bytes, bytes + sizeof bytes, 3, counts), bytes + 7);
    assert_ptr_equal(ph_frame_depth(bytes, bytes + sizeof bytes, 2, counts), bytes + 2);
    assert_ptr_equal(ph_frame_depth(bytes, bytes + sizeof bytes, 0, counts), bytes);
    for (size_t size = 0; size < 7; size++) { /* cut before the fourth level */
        assert_null(ph_frame_depth(bytes, bytes + size, 3, counts));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_of_every_length),
        cmocka_unit_test(test_keys_spread),
        cmocka_unit_test(test_rests_grow_and_end),
        cmocka_unit_test(test_hits_keep_it_awake),
        cmocka_unit_test(test_the_shortest_form),
        cmocka_unit_test(test_payloads_that_are_no_timestamps),
        cmocka_unit_test(test_the_table_is_the_list),
        cmocka_unit_test(test_limits_of_frames),
        cmocka_unit_test(test_limits_within_a_run),
        cmocka_unit_test(test_depth_at_and_over_the_limit),
        cmocka_unit_test(test_depth_of_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
