/* Short texts in UTF-8 that are not plain ASCII: checked, measured and decoded in one pass, on the stack. */
#ifndef PH_TEXT_SHORT_TEXT_H
#define PH_TEXT_SHORT_TEXT_H

#include "text/utf8.h"

/* Up to so many bytes. Longer texts are better measured first and then decoded (transcode.h), as both can
 * be done with wider vectors. */
#define PH_SHORT_TEXT_BYTES 160

/* Blocks of ASCII are written whole. */
#define PH_SHORT_TEXT_ROOM (PH_SHORT_TEXT_BYTES + 16)

/* A text as a string of the narrowest width that holds it. */
typedef struct ph_short_text {
    size_t code_points;
    ph_text_width width;
    uint16_t ucs2[PH_SHORT_TEXT_ROOM]; /* the units, unless the width is UCS4 */
    uint32_t ucs4[PH_SHORT_TEXT_ROOM]; /* the units then */
} ph_short_text;

/* Decodes `size` bytes, at most PH_SHORT_TEXT_BYTES; false if they are not valid UTF-8, *text being then
 * unspecified. Nothing outside the bytes given is read. Thread safe. */
bool ph_short_text_decode(ph_short_text *text, const uint8_t *bytes, size_t size);

/* Writes the units, code_points of them, one, two or four bytes each. */
PH_INLINE void ph_short_text_store(const ph_short_text *text, void *to)
{
    if (text->width == PH_WIDTH_UCS2) {
        size_t size = text->code_points * sizeof *text->ucs2;
        if (PH_LIKELY(size <= PH_COPY_SHORT_MAX)) {
            ph_copy_exact_short(to, (const uint8_t *)text->ucs2, size);
        } else {
            memcpy(to, text->ucs2, size);
        }
    } else if (text->width == PH_WIDTH_UCS4) {
        memcpy(to, text->ucs4, text->code_points * sizeof *text->ucs4);
    } else {
        uint8_t *narrow = to;
        for (size_t i = 0; i < text->code_points; i++) {
            narrow[i] = (uint8_t)text->ucs2[i];
        }
    }
}

#endif
