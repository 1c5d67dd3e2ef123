/* Going on after an error: where could the next value begin? */
#include "stream/unpacker_object.h"

#include "wire/formats.h"

/* How far a candidate is looked at: bounds the work for input that is wrong everywhere. */
#define PLAUSIBLE_BYTES 256

static bool is_container(uint8_t format_byte)
{
    uint8_t kind = ph_format_table[format_byte].kind;
    return kind == PH_KIND_ARRAY || kind == PH_KIND_MAP;
}

/* Whether what begins at `start` could be a value, as far as its bytes are there. */
static bool is_plausible(const ph_unpacker *self, const uint8_t *start, const uint8_t *end)
{
    ph_frame frame;
    ph_error_code code;
    if (ph_left(start, end) > PLAUSIBLE_BYTES) {
        end = start + PLAUSIBLE_BYTES;
    }
    ph_frame_begin(&frame);
    return ph_frame_scan(&frame, &start, end, &self->frame_limits, &code) != PH_FRAME_ERROR;
}

/* How many of the bytes in [start, end) do not belong to a plausible value. The value at `start`
 * failed `wrong` bytes from there: all of it goes when it can be seen to be well formed (a limit was
 * exceeded), else what stands before the next beginning of a value. Behind a damaged array or map
 * that must be an array or a map again: bytes of a text or a number are easily taken for scalars. */
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
    bool containers_only = is_container(*start);
    position = start + wrong;
    do {
        position++;
    } while (position < end &&
             ((containers_only && !is_container(*position)) || !is_plausible(self, position, end)));
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
