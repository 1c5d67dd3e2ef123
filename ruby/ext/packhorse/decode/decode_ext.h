/* Ext tokens: registered procs, Symbols, unknown types. */
#ifndef PH_RUBY_DECODE_EXT_H
#define PH_RUBY_DECODE_EXT_H

#include "decode/decode.h"

typedef struct ph_decode_ext_result {
    ph_failure_kind kind; /* PH_FAILURE_NONE: *value is set */
    ph_error_code code;
    const uint8_t *at; /* where, if not at the ext itself */
} ph_decode_ext_result;

/* Makes the object of an ext token. Before the first registered proc runs, the whole value is known
 * to be there and host.commit has been called: no proc runs for a value that has to be read again. */
ph_decode_ext_result ph_decode_ext(ph_decoder *decoder, const ph_token *token, VALUE *value);

#endif
