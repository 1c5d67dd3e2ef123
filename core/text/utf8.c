/* Measuring UTF-8 one sequence at a time, and the choice between this and the vector variants. */
#include "text/utf8.h"
#include "text/utf8_variants.h"

static ph_text_width width_of_lead(uint8_t highest_lead)
{
    if (highest_lead < 0x80) {
        return PH_WIDTH_ASCII;
    }
    if (highest_lead < 0xC4) {
        return PH_WIDTH_LATIN1;
    }
    return highest_lead < 0xF0 ? PH_WIDTH_UCS2 : PH_WIDTH_UCS4;
}

ph_text_facts ph_utf8_measure_portable(const uint8_t *text, size_t size)
{
    const uint8_t *at = text;
    const uint8_t *end = size == 0 ? text : text + size;
    size_t code_points = 0;
    uint8_t highest_lead = 0;
    while (at < end) {
        if (*at < 0x80) {
            while (ph_left(at, end) >= 8 && (ph_load_native64(at) & PH_HIGH_BITS) == 0) {
                at += 8;
                code_points += 8;
            }
            while (at < end && *at < 0x80) {
                at++;
                code_points++;
            }
            continue;
        }
        size_t length = ph_utf8_sequence_length(at, end);
        if (length == 0) {
            break;
        }
        highest_lead = *at > highest_lead ? *at : highest_lead;
        at += length;
        code_points++;
    }
    ph_text_facts facts = {(size_t)(at - text), code_points, width_of_lead(highest_lead)};
    return facts;
}

ph_text_facts ph_utf8_measure(const uint8_t *text, size_t size)
{
#if defined(PH_HAS_AVX2_VARIANT)
    if (size >= PH_AVX2_SMALLEST && ph_cpu_has_avx2()) {
        return ph_utf8_measure_avx2(text, size);
    }
#elif defined(PH_HAS_NEON_VARIANT)
    if (size >= PH_NEON_SMALLEST) {
        return ph_utf8_measure_neon(text, size);
    }
#endif
    return ph_utf8_measure_portable(text, size);
}
