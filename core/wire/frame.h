/* Framing: where does a value end? One counter, no stack, resumable at any byte. */
#ifndef PH_WIRE_FRAME_H
#define PH_WIRE_FRAME_H

#include "base/bytes.h"
#include "base/error.h"
#include "base/limits.h"

typedef enum ph_frame_status {
    PH_FRAME_COMPLETE,   /* *position is just behind the value */
    PH_FRAME_INCOMPLETE, /* everything from *position on is needed again, with more behind it */
    PH_FRAME_ERROR       /* *position is the value that can not be read; error code filled */
} ph_frame_status;

/* The state of one value being framed. The caller owns it; no memory behind it. */
typedef struct ph_frame {
    uint64_t owed;            /* values still to come before the frame is complete */
    uint64_t payload_left;    /* bytes of the current payload that have not arrived */
    uint64_t payload_arrived; /* bytes of it that have; meaningless when none are left */
    uint64_t containers;      /* non-empty arrays and maps seen: an upper bound of the depth */
} ph_frame;

/* Expect one whole value. */
PH_INLINE void ph_frame_begin(ph_frame *frame)
{
    frame->owed = 1;
    frame->payload_left = 0;
    frame->payload_arrived = 0;
    frame->containers = 0;
}

/* Scans from *position towards `end`, and moves *position over what it has understood: headers are
 * consumed whole, payloads in any pieces, so nothing but a cut header is ever read twice. Call again
 * with the same frame and the same stream position when more bytes are there.
 *
 * limits: string, binary, array, map and ext limits are checked as headers arrive; NULL checks none.
 * error: filled (code only) with PH_FRAME_ERROR: RESERVED_BYTE or a limit code.
 * Nesting is not checked here: see ph_frame_depth. Any thread, one frame each. */
ph_frame_status ph_frame_scan(ph_frame *frame, const uint8_t **position, const uint8_t *end,
                              const ph_limits *limits, ph_error_code *error);

/* Whether the part of one value in [start, end) nests deeper than `depth` containers. The value may
 * be incomplete. counts: scratch space for `depth` numbers, owned by the caller. Returns the first
 * byte of the container that is one too many, or NULL. Cost: one pass. */
const uint8_t *ph_frame_depth(const uint8_t *start, const uint8_t *end, uint32_t depth,
                              uint64_t *counts);

#endif
