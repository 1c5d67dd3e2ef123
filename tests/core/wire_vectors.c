/* Every vector of tests/vectors through the core's cursor, frame, timestamps and writers. */
#include "guarded_memory.h"
#include "text/utf8.h"
#include "vector_table.h"
#include "wire/cursor.h"
#include "wire/frame.h"
#include "wire/put.h"
#include "wire/timestamp.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define VECTOR_COUNT   (sizeof vector_table / sizeof vector_table[0])
#define GUARDED_BYTES  (1u << 20)
#define DEPTH          PH_DEFAULT_DEPTH
#define SPLIT_SIZE_MAX 400 /* vectors up to here are split at every position */

static guarded_memory guarded;

/* A depth-first walk as a host does it, with the default limits. */
typedef struct walk {
    const uint8_t *start;
    const uint8_t *position;
    const uint8_t *end;
    uint64_t left[DEPTH]; /* values still to come of each open container */
    uint32_t depth;
    ph_error error;
} walk;

static bool walk_fail(walk *state, ph_error_code code, const uint8_t *where)
{
    state->error.code = code;
    state->error.offset = (uint64_t)(where - state->start);
    return false;
}

/* The next token of the one value; false at its end and on errors. */
static bool walk_next(walk *state, bool first, ph_token *token, ph_timestamp *timestamp)
{
    while (state->depth > 0 && state->left[state->depth - 1] == 0) {
        state->depth--;
    }
    if (!first) {
        if (state->depth == 0) {
            return state->position == state->end
                       ? false
                       : walk_fail(state, PH_ERROR_EXTRA_DATA, state->position);
        }
        state->left[state->depth - 1]--;
    }
    const uint8_t *value = state->position;
    state->position = ph_cursor_next(value, state->end, token);
    switch (token->kind) {
    case PH_TOKEN_ERROR: return walk_fail(state, (ph_error_code)token->length, state->position);
    case PH_TOKEN_STRING:
        if (ph_utf8_valid_bytes(token->value.bytes, token->length) != token->length) {
            return walk_fail(state, PH_ERROR_INVALID_UTF8, value);
        }
        break;
    case PH_TOKEN_EXT:
        if (token->ext_type == PH_TIMESTAMP_EXT_TYPE) {
            ph_error_code code = ph_timestamp_read(token->value.bytes, token->length, timestamp);
            if (code != PH_ERROR_NONE) {
                return walk_fail(state, code, value);
            }
        }
        break;
    case PH_TOKEN_ARRAY:
    case PH_TOKEN_MAP:
        if (state->depth == DEPTH) {
            return walk_fail(state, PH_ERROR_DEPTH_LIMIT, value);
        }
        state->left[state->depth++] =
            token->kind == PH_TOKEN_MAP ? 2 * (uint64_t)token->length : token->length;
        break;
    default: break;
    }
    return true;
}

static void walk_begin(walk *state, const uint8_t *bytes, size_t size)
{
    state->start = state->position = bytes;
    state->end = bytes + size;
    state->depth = 0;
    state->error.code = PH_ERROR_NONE;
    state->error.offset = 0;
}

static uint64_t payload_hash(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void describe(const ph_token *token, const ph_timestamp *timestamp, char text[64])
{
    switch (token->kind) {
    case PH_TOKEN_NIL: snprintf(text, 64, "nil"); break;
    case PH_TOKEN_FALSE: snprintf(text, 64, "false"); break;
    case PH_TOKEN_TRUE: snprintf(text, 64, "true"); break;
    case PH_TOKEN_UNSIGNED: snprintf(text, 64, "int:%" PRIu64, token->value.u); break;
    case PH_TOKEN_SIGNED: snprintf(text, 64, "int:%" PRId64, token->value.i); break;
    case PH_TOKEN_FLOAT32:
        snprintf(text, 64, "f32:%08" PRIx32, ph_bits_from_float((float)token->value.f));
        break;
    case PH_TOKEN_FLOAT64:
        snprintf(text, 64, "f64:%016" PRIx64, ph_bits_from_double(token->value.f));
        break;
    case PH_TOKEN_STRING:
    case PH_TOKEN_BINARY:
        snprintf(text, 64, "%s:%zu:%016" PRIx64, token->kind == PH_TOKEN_STRING ? "str" : "bin",
                 token->length, payload_hash(token->value.bytes, token->length));
        break;
    case PH_TOKEN_EXT:
        if (token->ext_type == PH_TIMESTAMP_EXT_TYPE) {
            snprintf(text, 64, "time:%" PRId64 ":%" PRIu32, timestamp->seconds,
                     timestamp->nanoseconds);
        } else {
            snprintf(text, 64, "ext:%" PRId32 ":%zu:%016" PRIx64, token->ext_type, token->length,
                     payload_hash(token->value.bytes, token->length));
        }
        break;
    case PH_TOKEN_ARRAY: snprintf(text, 64, "array:%zu", token->length); break;
    case PH_TOKEN_MAP: snprintf(text, 64, "map:%zu", token->length); break;
    default: snprintf(text, 64, "token %d", (int)token->kind);
    }
}

static void check_walk(const vector_row *row, const uint8_t *bytes, size_t size)
{
    walk state;
    vector_expectation expectation;
    ph_token token;
    ph_timestamp timestamp = {0, 0};
    bool first = true;
    walk_begin(&state, bytes, size);
    vector_expectation_begin(&expectation, row->expect == NULL ? "" : row->expect);
    while (walk_next(&state, first, &token, &timestamp)) {
        first = false;
        if (row->expect != NULL) {
            char actual[64], expected[64];
            describe(&token, &timestamp, actual);
            if (!vector_expectation_next(&expectation, expected)) {
                fail_msg("%s: %s where nothing was expected", row->name, actual);
            }
            if (strcmp(actual, expected) != 0) {
                fail_msg("%s: %s instead of %s", row->name, actual, expected);
            }
        }
    }
    if (state.error.code != row->code || state.error.offset != row->offset) {
        fail_msg("%s: %s at %" PRIu64 " instead of %s at %" PRIu64, row->name,
                 ph_error_name(state.error.code), state.error.offset, ph_error_name(row->code),
                 row->offset);
    }
    if (row->expect != NULL) {
        char rest[64];
        if (vector_expectation_next(&expectation, rest)) {
            fail_msg("%s: ended before %s", row->name, rest);
        }
    }
}

/* Every byte is the last one before a page that may not be read. */
static void test_cursor(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        vector_bytes made = vector_bytes_new(vector_table[i].hex);
        check_walk(&vector_table[i], guarded_memory_copy(&guarded, made.bytes, made.size),
                   made.size);
        free(made.bytes);
    }
}

static void test_cursor_at_every_alignment(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        vector_bytes made = vector_bytes_new(vector_table[i].hex);
        uint8_t *room = made.size > SPLIT_SIZE_MAX ? NULL : malloc(made.size + 8);
        for (size_t shift = 0; room != NULL && shift < 8; shift++) {
            memcpy(room + shift, made.bytes, made.size);
            check_walk(&vector_table[i], room + shift, made.size);
        }
        free(room);
        free(made.bytes);
    }
}

/* What the frame must say of the whole input: text, timestamps and depth are not its business. */
static ph_frame_status framed_status(ph_error_code code)
{
    switch (code) {
    case PH_ERROR_TRUNCATED: return PH_FRAME_INCOMPLETE;
    case PH_ERROR_RESERVED_BYTE: return PH_FRAME_ERROR;
    default: return PH_FRAME_COMPLETE;
    }
}

static void check_frame(const vector_row *row, const uint8_t *bytes, size_t size, size_t split)
{
    ph_frame frame;
    const uint8_t *position = bytes;
    ph_error_code code = PH_ERROR_NONE;
    ph_frame_begin(&frame);
    ph_frame_status status = ph_frame_scan(&frame, &position, bytes + split, NULL, &code);
    assert_in_range((uintptr_t)position, (uintptr_t)bytes, (uintptr_t)(bytes + split));
    if (status == PH_FRAME_INCOMPLETE) {
        status = ph_frame_scan(&frame, &position, bytes + size, NULL, &code);
    }
    if (row->code == PH_ERROR_DEPTH_LIMIT) {
        return; /* complete or not, by what follows the depth: see test_frame_depth */
    }
    if (status != framed_status(row->code)) {
        fail_msg("%s: split at %zu: frame status %d", row->name, split, (int)status);
    }
    if (status == PH_FRAME_ERROR) {
        assert_int_equal(code, row->code);
        assert_int_equal(position - bytes, row->offset);
    }
    if (status == PH_FRAME_COMPLETE) {
        size_t expected = row->code == PH_ERROR_EXTRA_DATA ? row->offset : size;
        if ((size_t)(position - bytes) != expected) {
            fail_msg("%s: split at %zu: %td bytes instead of %zu", row->name, split,
                     position - bytes, expected);
        }
    }
}

static void test_frame_at_every_split(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        vector_bytes made = vector_bytes_new(vector_table[i].hex);
        const uint8_t *bytes = guarded_memory_copy(&guarded, made.bytes, made.size);
        size_t step = made.size <= SPLIT_SIZE_MAX ? 1 : made.size / 64;
        for (size_t split = 0; split <= made.size; split += step) {
            check_frame(&vector_table[i], bytes, made.size, split);
        }
        free(made.bytes);
    }
}

static void test_frame_byte_by_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        const vector_row *row = &vector_table[i];
        vector_bytes made = vector_bytes_new(row->hex);
        ph_frame frame;
        const uint8_t *position = made.bytes;
        ph_error_code code = PH_ERROR_NONE;
        ph_frame_status status = PH_FRAME_INCOMPLETE;
        ph_frame_begin(&frame);
        for (size_t size = 0; size <= made.size && status == PH_FRAME_INCOMPLETE; size++) {
            status = ph_frame_scan(&frame, &position, made.bytes + size, NULL, &code);
            if (row->expect != NULL && status != PH_FRAME_INCOMPLETE) {
                assert_int_equal(size, made.size);
            }
        }
        if (row->expect != NULL) {
            assert_int_equal(status, PH_FRAME_COMPLETE);
        }
        free(made.bytes);
    }
}

static void test_frame_depth(void **state)
{
    (void)state;
    static uint64_t counts[DEPTH];
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        const vector_row *row = &vector_table[i];
        vector_bytes made = vector_bytes_new(row->hex);
        const uint8_t *found =
            ph_frame_depth(made.bytes, made.bytes + made.size, PH_DEFAULT_DEPTH, counts);
        if (row->code == PH_ERROR_DEPTH_LIMIT) {
            assert_non_null(found);
            assert_int_equal(found - made.bytes, row->offset);
        } else {
            assert_null(found);
        }
        free(made.bytes);
    }
}

static uint8_t *put_token(uint8_t *to, const ph_token *token, const ph_timestamp *timestamp)
{
    const uint8_t *payload = token->value.bytes;
    uint8_t time[PH_TIMESTAMP_PAYLOAD_MAX];
    size_t length = token->length;
    switch (token->kind) {
    case PH_TOKEN_NIL: return ph_put_nil(to);
    case PH_TOKEN_FALSE: return ph_put_bool(to, false);
    case PH_TOKEN_TRUE: return ph_put_bool(to, true);
    case PH_TOKEN_UNSIGNED: return ph_put_unsigned(to, token->value.u);
    case PH_TOKEN_SIGNED: return ph_put_signed(to, token->value.i);
    case PH_TOKEN_FLOAT32: return ph_put_float32(to, (float)token->value.f);
    case PH_TOKEN_FLOAT64: return ph_put_float64(to, token->value.f);
    case PH_TOKEN_ARRAY: return ph_put_array_header(to, (uint32_t)length);
    case PH_TOKEN_MAP: return ph_put_map_header(to, (uint32_t)length);
    case PH_TOKEN_STRING: to = ph_put_string_header(to, (uint32_t)length); break;
    case PH_TOKEN_BINARY: to = ph_put_binary_header(to, (uint32_t)length); break;
    case PH_TOKEN_EXT:
        if (token->ext_type == PH_TIMESTAMP_EXT_TYPE) {
            length = ph_timestamp_write(*timestamp, time);
            payload = time;
        }
        to = ph_put_ext_header(to, (int8_t)token->ext_type, (uint32_t)length);
        break;
    default: fail_msg("token %d", (int)token->kind);
    }
    memcpy(to, payload, length);
    return to + length;
}

/* What is written is the input itself, when that is canonical; else it is shorter. */
static void test_put(void **state)
{
    (void)state;
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        const vector_row *row = &vector_table[i];
        if (row->expect == NULL) {
            continue;
        }
        vector_bytes made = vector_bytes_new(row->hex);
        uint8_t *written = malloc(made.size + PH_PUT_ROOM);
        uint8_t *to = written;
        walk reading;
        ph_token token;
        ph_timestamp timestamp = {0, 0};
        walk_begin(&reading, made.bytes, made.size);
        for (bool first = true; walk_next(&reading, first, &token, &timestamp); first = false) {
            to = put_token(to, &token, &timestamp);
        }
        size_t size = (size_t)(to - written);
        bool same = size == made.size && memcmp(written, made.bytes, size) == 0;
        if (same != row->canonical || size > made.size) {
            fail_msg("%s: written %s its bytes", row->name, same ? "as" : "not as");
        }
        free(written);
        free(made.bytes);
    }
}

static void test_every_error_code_has_a_name_a_text_and_a_class(void **state)
{
    (void)state;
    for (int code = 0; code < PH_ERROR_COUNT; code++) {
        assert_true(strlen(ph_error_message((ph_error_code)code)) > 5);
        assert_string_not_equal(ph_error_name((ph_error_code)code), "UNKNOWN");
        assert_true((code == PH_ERROR_NONE) ==
                    (ph_error_class_of((ph_error_code)code) == PH_CLASS_NONE));
    }
    assert_string_equal(ph_error_name(PH_ERROR_COUNT), "UNKNOWN");
    assert_string_equal(ph_error_message(PH_ERROR_COUNT), "unknown error");
    assert_int_equal(ph_error_class_of(PH_ERROR_COUNT), PH_CLASS_NONE);
}

int main(void)
{
    guarded = guarded_memory_new(GUARDED_BYTES);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cursor),
        cmocka_unit_test(test_cursor_at_every_alignment),
        cmocka_unit_test(test_frame_at_every_split),
        cmocka_unit_test(test_frame_byte_by_byte),
        cmocka_unit_test(test_frame_depth),
        cmocka_unit_test(test_put),
        cmocka_unit_test(test_every_error_code_has_a_name_a_text_and_a_class),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    guarded_memory_free(&guarded);
    return failures;
}
