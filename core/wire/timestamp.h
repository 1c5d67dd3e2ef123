/* Timestamps: ext type -1 in its 32, 64 and 96 bit forms, both directions. */
#ifndef PH_WIRE_TIMESTAMP_H
#define PH_WIRE_TIMESTAMP_H

#include "base/error.h"

#define PH_TIMESTAMP_EXT_TYPE     (-1)
#define PH_TIMESTAMP_PAYLOAD_MAX  12
#define PH_NANOSECONDS_PER_SECOND 1000000000u

typedef struct ph_timestamp {
    int64_t seconds;      /* since 1970-01-01T00:00:00Z, leap seconds not counted */
    uint32_t nanoseconds; /* 0 to 999,999,999, added to seconds */
} ph_timestamp;

/* Reads the payload of a timestamp ext. `payload` holds `length` bytes (NULL allowed when 0).
 * PH_ERROR_TIMESTAMP_LENGTH unless length is 4, 8 or 12; PH_ERROR_TIMESTAMP_NANOSECONDS when the
 * nanoseconds are out of range, *timestamp then holding what was read. Thread safe. */
ph_error_code ph_timestamp_read(const uint8_t *payload, size_t length, ph_timestamp *timestamp);

/* Writes the shortest payload that holds `timestamp` (nanoseconds in range) to `payload`, which has
 * room for PH_TIMESTAMP_PAYLOAD_MAX bytes. Returns the bytes written: 4, 8 or 12. Thread safe. */
size_t ph_timestamp_write(ph_timestamp timestamp, uint8_t *payload);

#endif
