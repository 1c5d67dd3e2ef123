/* Containers nested so deeply that the C stack might not hold them: the same decoding by a loop. */
#ifndef PH_PYTHON_DECODE_DEEP_H
#define PH_PYTHON_DECODE_DEEP_H

#include "decode/decoder.h"

#include "base/token.h"

/* Where a token is asked for; formats that count their containers need not know. */
typedef enum ph_deep_place {
    PH_DEEP_FIRST_ELEMENT,
    PH_DEEP_ELEMENT,
    PH_DEEP_FIRST_KEY,
    PH_DEEP_KEY,
    PH_DEEP_VALUE
} ph_deep_place;

/* What a format must know to be walked by a loop. */
typedef struct ph_deep_format {
    bool counted; /* containers announce their length; otherwise end tokens come */
    const uint8_t *(*next)(ph_decoder *d, const uint8_t *position, ph_deep_place place,
                           ph_token *token);
    /* The object of a token that is no container; NULL and a failure reported. is_key: of a map. */
    const uint8_t *(*scalar)(ph_decoder *d, const uint8_t *position, const uint8_t *next,
                             const ph_token *token, bool is_key, PyObject **made);
} ph_deep_format;

/* Decodes the container whose token was read at `value`, its contents beginning at `position`.
 * depth: levels left, the container's own included. As all walks: the position behind it and a new
 * reference, or NULL with a failure reported. Memory grows with what has been read, not with what is
 * claimed. Containers within keys are walked by the same loop. */
const uint8_t *ph_decode_deep(ph_decoder *d, const ph_deep_format *format, const uint8_t *value,
                              const uint8_t *position, const ph_token *token, uint32_t depth,
                              PyObject **made);

#endif
