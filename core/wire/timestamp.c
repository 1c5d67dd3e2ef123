/* The three timestamp payloads of the MessagePack specification, section "Timestamp extension". */
#include "wire/timestamp.h"

#include "base/bytes.h"

#define SECONDS34_BITS 34
#define SECONDS34_MASK ((UINT64_C(1) << SECONDS34_BITS) - 1)

ph_error_code ph_timestamp_read(const uint8_t *payload, size_t length, ph_timestamp *timestamp)
{
    switch (length) {
    case 4:
        timestamp->seconds = ph_load_big32(payload);
        timestamp->nanoseconds = 0;
        break;
    case 8: {
        uint64_t both = ph_load_big64(payload);
        timestamp->seconds = (int64_t)(both & SECONDS34_MASK);
        timestamp->nanoseconds = (uint32_t)(both >> SECONDS34_BITS);
        break;
    }
    case 12:
        timestamp->nanoseconds = ph_load_big32(payload);
        timestamp->seconds = (int64_t)ph_load_big64(payload + 4);
        break;
    default: return PH_ERROR_TIMESTAMP_LENGTH;
    }
    if (timestamp->nanoseconds >= PH_NANOSECONDS_PER_SECOND) {
        return PH_ERROR_TIMESTAMP_NANOSECONDS;
    }
    return PH_ERROR_NONE;
}

size_t ph_timestamp_write(ph_timestamp timestamp, uint8_t *payload)
{
    uint64_t seconds = (uint64_t)timestamp.seconds;
    if (seconds > SECONDS34_MASK) {
        ph_store_big32(payload, timestamp.nanoseconds);
        ph_store_big64(payload + 4, seconds);
        return 12;
    }
    uint64_t both = (uint64_t)timestamp.nanoseconds << SECONDS34_BITS | seconds;
    if (both > UINT32_MAX) {
        ph_store_big64(payload, both);
        return 8;
    }
    ph_store_big32(payload, (uint32_t)both);
    return 4;
}
