/* JSON text laid out anew: without white space, on one line, or indented. */
#ifndef PH_JSON_FORMAT_H
#define PH_JSON_FORMAT_H

#include "base/buffer.h"
#include "json/scan.h"

/* Layouts other than a number of spaces to indent by. */
#define PH_JSON_MINIFIED   (-1) /* no white space at all */
#define PH_JSON_ONE_LINE   0    /* ": " and ", ", no line breaks */
#define PH_JSON_INDENT_MAX 1024

/* Appends the one document in `size` bytes at `text` to `output`, laid out by `indent`:
 * PH_JSON_MINIFIED, PH_JSON_ONE_LINE, or spaces a level (up to PH_JSON_INDENT_MAX; more is taken as
 * that). Strings and numbers stay as they are written; empty containers are [] and {}. All of the text
 * is checked as ph_json_skip does, `depth` as there. Comments, where options allow them, are dropped.
 *
 * On error the code and the offset in `text`; PH_ERROR_NO_MEMORY when the output can not grow. What
 * was appended until then stays in `output`. */
ph_error ph_json_format(ph_buffer *output, const uint8_t *text, size_t size, int32_t indent,
                        uint32_t depth, ph_json_options options);

#endif
