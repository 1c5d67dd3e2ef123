/* Framing in pieces of any size equals framing at once, and agrees with a walk about end and depth. */
#include "fuzz_input.h"
#include "fuzz_walk.h"

#include "wire/frame.h"

#include <string.h>

typedef struct outcome {
    ph_frame_status status;
    ph_error_code code;
    size_t position;
    ph_frame frame;
} outcome;

/* Each piece is a block of its own and of exact size, so that a byte read too far is noticed: what
 * the scan has not consumed is carried over, as a stream would. */
static outcome scan_in_pieces(const uint8_t *data, size_t size, size_t piece,
                              const ph_limits *limits)
{
    outcome result = {PH_FRAME_INCOMPLETE, PH_ERROR_NONE, 0, {0}};
    size_t arrived = 0;
    ph_frame_begin(&result.frame);
    do {
        arrived = size - arrived < piece ? size : arrived + piece;
        size_t length = arrived - result.position;
        uint8_t *block = malloc(length == 0 ? 1 : length);
        FUZZ_CHECK(block != NULL);
        if (length != 0) {
            memcpy(block, data + result.position, length);
        }
        const uint8_t *position = block;
        result.status =
            ph_frame_scan(&result.frame, &position, block + length, limits, &result.code);
        FUZZ_CHECK(position >= block && position <= block + length);
        result.position += (size_t)(position - block);
        free(block);
    } while (result.status == PH_FRAME_INCOMPLETE && arrived < size);
    return result;
}

static void compare_with_walk(const uint8_t *data, size_t size, const outcome *whole)
{
    fuzz_walk walk;
    ph_token token;
    fuzz_end how;
    uint64_t counts[FUZZ_DEPTH];
    fuzz_walk_begin(&walk, data, size);
    while (fuzz_walk_next(&walk, &token, &how)) {
    }
    const uint8_t *deep = ph_frame_depth(data, data + size, FUZZ_DEPTH, counts);
    if (how == FUZZ_TOO_DEEP) {
        FUZZ_CHECK(deep == walk.position);
        return;
    }
    /* Behind a byte that begins no value the search for depth goes on; what it finds is of no use. */
    FUZZ_CHECK(deep == NULL || (walk.code == PH_ERROR_RESERVED_BYTE && deep > walk.position));
    if (how == FUZZ_COMPLETE) {
        FUZZ_CHECK(whole->status == PH_FRAME_COMPLETE);
        FUZZ_CHECK(data + whole->position == walk.position);
    } else if (walk.code == PH_ERROR_TRUNCATED) {
        FUZZ_CHECK(whole->status == PH_FRAME_INCOMPLETE);
    } else {
        FUZZ_CHECK(whole->status == PH_FRAME_ERROR && whole->code == walk.code);
        FUZZ_CHECK(data + whole->position == walk.position);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t piece = 1u + fuzz_setting(&data, &size);
    uint8_t limit = fuzz_setting(&data, &size);
    ph_limits limits = ph_limits_default();
    limits.array_elements = limits.map_entries = limits.string_bytes = limit;
    limits.binary_bytes = limits.ext_bytes = 2u * limit;
    const ph_limits *chosen[] = {NULL, &limits};
    for (size_t i = 0; i < 2; i++) {
        outcome whole = scan_in_pieces(data, size, size == 0 ? 1 : size, chosen[i]);
        outcome pieces = scan_in_pieces(data, size, piece, chosen[i]);
        FUZZ_CHECK(whole.status == pieces.status);
        FUZZ_CHECK(whole.position == pieces.position);
        FUZZ_CHECK(whole.status != PH_FRAME_ERROR || whole.code == pieces.code);
        FUZZ_CHECK(whole.frame.owed == pieces.frame.owed);
        FUZZ_CHECK(whole.frame.payload_left == pieces.frame.payload_left);
        FUZZ_CHECK(whole.frame.containers == pieces.frame.containers);
        if (chosen[i] == NULL) {
            compare_with_walk(data, size, &whole);
        }
    }
    return 0;
}
