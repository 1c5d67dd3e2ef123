/* Going on after an error: where could the next value begin? */
#include "stream/unpacker_object.h"

/* How far a candidate is looked at: bounds the work for input that is wrong everywhere. */
#define PLAUSIBLE_BYTES 4096

/* Whether the unread bytes could be a value that begins at `start`; if not, *wrong is what speaks
 * against it. */
static bool is_plausible(const ph_unpacker *self, const uint8_t *start, const uint8_t *end,
                         const uint8_t **wrong)
{
    if (ph_left(start, end) > PLAUSIBLE_BYTES) {
        end = start + PLAUSIBLE_BYTES;
    }
    ph_frame frame;
    ph_error_code code;
    const uint8_t *position = start;
    ph_frame_begin(&frame);
    if (ph_frame_scan(&frame, &position, end, &self->frame_limits, &code) == PH_FRAME_ERROR) {
        *wrong = position;
        return false;
    }
    *wrong =
        frame.containers > self->limits.depth ? ph_unpacker_too_deep(self, start, position) : NULL;
    return *wrong == NULL;
}

/* How many of the bytes in [start, end) do not belong to a plausible value. The value at `start`
 * failed `wrong` bytes from there: all of it goes when it can be seen to be well formed (a limit was
 * exceeded), else what stands before the first plausible beginning behind the failure. */
static size_t find_plausible(const ph_unpacker *self, const uint8_t *start, const uint8_t *end,
                             size_t wrong)
{
    ph_frame frame;
    ph_error_code code;
    const uint8_t *position = start;
    ph_frame_begin(&frame);
    if (ph_frame_scan(&frame, &position, end, NULL, &code) == PH_FRAME_COMPLETE) {
        return ph_left(start, position);
    }
    const uint8_t *against = start + wrong;
    do {
        position = against + 1;
    } while (position < end && !is_plausible(self, position, end, &against));
    return ph_left(start, position);
}

Py_ssize_t ph_unpacker_resync(ph_unpacker *self)
{
    if (self->busy) {
        return ph_unpacker_check(self, PH_TAKING_NOTHING);
    }
    if (!self->failed && self->pending == PH_TAKING_NOTHING) {
        return 0;
    }
    size_t skipped = self->failed ? self->whole_size : 0;
    if (skipped == 0) {
        int gathered;
        do {
            gathered = ph_input_gather(&self->input, ph_input_size(&self->input));
        } while (gathered > 0);
        if (gathered < 0) {
            return -1;
        }
        const uint8_t *start;
        const uint8_t *end;
        ph_input_window(&self->input, &start, &end);
        size_t wrong = self->failed ? self->failed_at : 0;
        if (wrong < ph_left(start, end)) {
            skipped = find_plausible(self, start, end, wrong);
        } else {
            skipped = ph_left(start, end);
        }
    }
    ph_unpacker_advance(self, skipped);
    return (Py_ssize_t)skipped;
}
