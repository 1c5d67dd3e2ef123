/* Cursor, frame, UTF-8 and timestamps on any input; what was read is written and read again. */
#include "fuzz_input.h"
#include "fuzz_walk.h"

#include "text/utf8.h"
#include "wire/frame.h"
#include "wire/put.h"
#include "wire/timestamp.h"

#include <string.h>

/* Writes the token's shortest form at `to`, which has room for it. */
static uint8_t *put_token(uint8_t *to, const ph_token *token)
{
    switch (token->kind) {
    case PH_TOKEN_NIL: return ph_put_nil(to);
    case PH_TOKEN_FALSE: return ph_put_bool(to, false);
    case PH_TOKEN_TRUE: return ph_put_bool(to, true);
    case PH_TOKEN_UNSIGNED: return ph_put_unsigned(to, token->value.u);
    case PH_TOKEN_SIGNED: return ph_put_signed(to, token->value.i);
    case PH_TOKEN_FLOAT32: return ph_put_float32(to, (float)token->value.f);
    case PH_TOKEN_FLOAT64: return ph_put_float64(to, token->value.f);
    case PH_TOKEN_ARRAY: return ph_put_array_header(to, (uint32_t)token->length);
    case PH_TOKEN_MAP: return ph_put_map_header(to, (uint32_t)token->length);
    case PH_TOKEN_STRING: to = ph_put_string_header(to, (uint32_t)token->length); break;
    case PH_TOKEN_BINARY: to = ph_put_binary_header(to, (uint32_t)token->length); break;
    default:
        FUZZ_CHECK(token->kind == PH_TOKEN_EXT);
        to = ph_put_ext_header(to, (int8_t)token->ext_type, (uint32_t)token->length);
    }
    if (token->length != 0) {
        memcpy(to, token->value.bytes, token->length);
    }
    return to + token->length;
}

static void check_same_token(const ph_token *a, const ph_token *b)
{
    bool integer = (a->kind == PH_TOKEN_UNSIGNED || a->kind == PH_TOKEN_SIGNED) &&
                   (b->kind == PH_TOKEN_UNSIGNED || b->kind == PH_TOKEN_SIGNED);
    if (integer) {
        FUZZ_CHECK(a->value.u == b->value.u);
        return;
    }
    FUZZ_CHECK(a->kind == b->kind);
    switch (a->kind) {
    case PH_TOKEN_FLOAT64:
        FUZZ_CHECK(ph_bits_from_double(a->value.f) == ph_bits_from_double(b->value.f));
        break;
    case PH_TOKEN_FLOAT32:
        FUZZ_CHECK(a->value.f == b->value.f ||
                   (a->value.f != a->value.f && b->value.f != b->value.f));
        break;
    case PH_TOKEN_EXT: FUZZ_CHECK(a->ext_type == b->ext_type); /* fall through */
    case PH_TOKEN_STRING:
    case PH_TOKEN_BINARY:
        FUZZ_CHECK(a->length == b->length);
        FUZZ_CHECK(a->length == 0 || memcmp(a->value.bytes, b->value.bytes, a->length) == 0);
        break;
    case PH_TOKEN_ARRAY:
    case PH_TOKEN_MAP: FUZZ_CHECK(a->length == b->length); break;
    default: break;
    }
}

/* One byte after the other, from the definition. */
static size_t valid_utf8_bytes(const uint8_t *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t length = ph_utf8_sequence_length(text + at, text + size);
        if (length == 0) {
            break;
        }
        at += length;
    }
    return at;
}

static void check_payload(const ph_token *token)
{
    if (token->kind == PH_TOKEN_STRING) {
        ph_text_facts facts = ph_utf8_measure(token->value.bytes, token->length);
        FUZZ_CHECK(facts.valid_bytes == valid_utf8_bytes(token->value.bytes, token->length));
        FUZZ_CHECK(facts.code_points <= facts.valid_bytes);
        bool ascii = ph_text_is_ascii(token->value.bytes, token->length);
        FUZZ_CHECK(!ascii || (facts.valid_bytes == token->length && facts.width == PH_WIDTH_ASCII));
    }
    if (token->kind == PH_TOKEN_EXT && token->ext_type == PH_TIMESTAMP_EXT_TYPE) {
        ph_timestamp timestamp, again;
        uint8_t written[PH_TIMESTAMP_PAYLOAD_MAX];
        if (ph_timestamp_read(token->value.bytes, token->length, &timestamp) == PH_ERROR_NONE) {
            FUZZ_CHECK(timestamp.nanoseconds < PH_NANOSECONDS_PER_SECOND);
            size_t length = ph_timestamp_write(timestamp, written);
            FUZZ_CHECK(length <= token->length);
            FUZZ_CHECK(ph_timestamp_read(written, length, &again) == PH_ERROR_NONE);
            FUZZ_CHECK(again.seconds == timestamp.seconds);
            FUZZ_CHECK(again.nanoseconds == timestamp.nanoseconds);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_setting(&data, &size);
    fuzz_setting(&data, &size);
    uint8_t *exact = malloc(size == 0 ? 1 : size);
    uint8_t *written = malloc(size + PH_PUT_ROOM);
    FUZZ_CHECK(exact != NULL && written != NULL);
    if (size != 0) {
        memcpy(exact, data, size);
    }
    fuzz_walk walk, second;
    ph_token token, again;
    fuzz_end how;
    uint8_t *to = written;
    fuzz_walk_begin(&walk, exact, size);
    while (fuzz_walk_next(&walk, &token, &how)) {
        check_payload(&token);
        to = put_token(to, &token);
        FUZZ_CHECK((size_t)(to - written) <= (size_t)(walk.position - exact));
    }
    if (how == FUZZ_COMPLETE) {
        fuzz_walk_begin(&walk, exact, size);
        fuzz_walk_begin(&second, written, (size_t)(to - written));
        while (fuzz_walk_next(&walk, &token, &how)) {
            FUZZ_CHECK(fuzz_walk_next(&second, &again, &how));
            check_same_token(&token, &again);
        }
        FUZZ_CHECK(!fuzz_walk_next(&second, &again, &how) && how == FUZZ_COMPLETE);
        FUZZ_CHECK(second.position == second.end);
    }
    free(written);
    free(exact);
    return 0;
}
