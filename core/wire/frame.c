/* The framing scan: containers add to the values still owed, payloads are stepped over. */
#include "wire/frame.h"

#include "wire/formats.h"

typedef struct header {
    ph_format_kind kind;
    size_t size;      /* format byte and length field */
    uint64_t payload; /* bytes behind the header, of scalars, strings, binaries and exts */
    uint64_t length;  /* the claimed length: bytes, elements or pairs; 0 for fixext */
} header;

/* False when the header is cut. position < end. */
PH_INLINE bool read_header(const uint8_t *position, const uint8_t *end, header *read)
{
    ph_format_entry entry = ph_format_table[*position];
    if (PH_UNLIKELY(ph_left(position, end) <= entry.length_bytes)) {
        return false;
    }
    read->kind = (ph_format_kind)entry.kind;
    read->size = 1u + entry.length_bytes;
    switch (entry.length_bytes) {
    case 0: read->length = entry.fixed_length; break;
    case 1: read->length = position[1]; break;
    case 2: read->length = ph_load_big16(position + 1); break;
    default: read->length = ph_load_big32(position + 1);
    }
    read->payload = read->length + entry.fixed_payload;
    return true;
}

/* limits NULL checks none. */
static ph_error_code check_header(const header *read, const ph_limits *limits)
{
    if (read->kind == PH_KIND_RESERVED) {
        return PH_ERROR_RESERVED_BYTE;
    }
    if (limits == NULL) {
        return PH_ERROR_NONE;
    }
    switch (read->kind) {
    case PH_KIND_STRING:
        return read->length > limits->string_bytes ? PH_ERROR_STRING_LIMIT : PH_ERROR_NONE;
    case PH_KIND_BINARY:
        return read->length > limits->binary_bytes ? PH_ERROR_BINARY_LIMIT : PH_ERROR_NONE;
    case PH_KIND_EXT: /* a fixext has its length in the payload alone, with the type byte */
        return read->payload - 1 > limits->ext_bytes ? PH_ERROR_EXT_LIMIT : PH_ERROR_NONE;
    case PH_KIND_ARRAY:
        return read->length > limits->array_elements ? PH_ERROR_ARRAY_LIMIT : PH_ERROR_NONE;
    case PH_KIND_MAP:
        return read->length > limits->map_entries ? PH_ERROR_MAP_LIMIT : PH_ERROR_NONE;
    default: return PH_ERROR_NONE;
    }
}

/* Steps over a run of short values of the formats that most documents consist of. The branches are
 * predicted, while a table would make every step wait for the load before it. */
PH_INLINE const uint8_t *skip_short(const uint8_t *at, const uint8_t *end, uint64_t *owed)
{
    uint64_t left = *owed;
    while (left != 0 && ph_left(at, end) > UINT8_MAX + 2) {
        uint8_t format_byte = *at;
        if (format_byte >= PH_FORMAT_FIXSTR && format_byte < PH_FORMAT_NIL) {
            at += 1 + (format_byte & 0x1fu);
        } else if (format_byte == PH_FORMAT_STR8) {
            at += 2 + at[1];
        } else if (format_byte == PH_FORMAT_FLOAT64) {
            at += 9;
        } else if (format_byte < PH_FORMAT_FIXMAP || format_byte >= PH_FORMAT_NEGATIVE_FIXINT ||
                   (format_byte <= PH_FORMAT_TRUE && format_byte >= PH_FORMAT_NIL &&
                    format_byte != PH_FORMAT_RESERVED)) {
            at++;
        } else {
            break;
        }
        left--;
    }
    *owed = left;
    return at;
}

ph_frame_status ph_frame_scan(ph_frame *frame, const uint8_t **position, const uint8_t *end,
                              const ph_limits *limits, ph_error_code *error)
{
    const uint8_t *at = *position;
    uint64_t owed = frame->owed;
    ph_frame_status status = PH_FRAME_COMPLETE;
    if (frame->payload_left != 0) {
        uint64_t left = ph_left(at, end);
        uint64_t step = frame->payload_left < left ? frame->payload_left : left;
        at += step;
        frame->payload_left -= step;
        frame->payload_arrived += step;
        if (frame->payload_left != 0) {
            *position = at;
            return PH_FRAME_INCOMPLETE;
        }
    }
    bool short_strings_allowed = limits == NULL || limits->string_bytes >= UINT8_MAX;
    while (owed != 0) {
        if (PH_LIKELY(short_strings_allowed)) {
            at = skip_short(at, end, &owed);
            if (owed == 0) {
                break;
            }
        }
        header read;
        if (PH_UNLIKELY(at == end) || PH_UNLIKELY(!read_header(at, end, &read))) {
            status = PH_FRAME_INCOMPLETE;
            break;
        }
        if (limits != NULL || read.kind == PH_KIND_RESERVED) {
            *error = check_header(&read, limits);
            if (PH_UNLIKELY(*error != PH_ERROR_NONE)) {
                status = PH_FRAME_ERROR;
                break;
            }
        }
        at += read.size;
        owed--;
        if (read.kind == PH_KIND_ARRAY || read.kind == PH_KIND_MAP) {
            /* Each container takes a byte and adds less than 2^33, so 2^31 of them fit the counter:
             * more bytes than a stream may buffer, but refused all the same. */
            uint64_t children = read.kind == PH_KIND_MAP ? 2 * read.length : read.length;
            if (PH_UNLIKELY(__builtin_add_overflow(owed, children, &owed))) {
                at -= read.size;
                *error = PH_ERROR_ARRAY_LIMIT;
                status = PH_FRAME_ERROR;
                break;
            }
            frame->containers += children != 0;
        } else {
            uint64_t left = ph_left(at, end);
            if (PH_UNLIKELY(read.payload > left)) {
                frame->payload_left = read.payload - left;
                frame->payload_arrived = left;
                at = end;
                status = PH_FRAME_INCOMPLETE;
                break;
            }
            at += read.payload;
        }
    }
    frame->owed = owed;
    *position = at;
    return status;
}

/* Closes the containers whose last element has been seen; returns how many stay open. */
static uint32_t close_finished(uint64_t *counts, uint32_t open)
{
    while (open != 0 && counts[open - 1] == 0) {
        open--;
        if (open != 0) {
            counts[open - 1]--;
        }
    }
    return open;
}

const uint8_t *ph_frame_depth(const uint8_t *start, const uint8_t *end, uint32_t depth,
                              uint64_t *counts)
{
    uint32_t open = 0;
    const uint8_t *at = start;
    header read;
    while (at != end && read_header(at, end, &read)) {
        const uint8_t *value = at;
        at += read.size;
        if (read.kind == PH_KIND_ARRAY || read.kind == PH_KIND_MAP) {
            if (open == depth) {
                return value;
            }
            counts[open++] = read.kind == PH_KIND_MAP ? 2 * read.length : read.length;
        } else {
            if (read.payload > ph_left(at, end)) {
                break;
            }
            at += read.payload;
            if (open == 0) {
                break;
            }
            counts[open - 1]--;
        }
        open = close_finished(counts, open);
        if (open != 0) {
            at = skip_short(at, end, &counts[open - 1]);
            open = close_finished(counts, open);
        }
        if (open == 0) {
            break;
        }
    }
    return NULL;
}
