/* Ext values as Python objects: timestamps in four forms, ExtType, or what a hook makes of them. */
#ifndef PH_PYTHON_DECODE_EXTENSION_H
#define PH_PYTHON_DECODE_EXTENSION_H

#include "decode/options.h"

#include "base/error.h"

/* A new reference. NULL: *code says what is wrong with a timestamp (no exception is set then), or,
 * when it is PH_ERROR_NONE, an exception is set (memory, OverflowError of a date out of range, or
 * whatever the ext hook raised). Runs user code when an ext hook is given. */
PyObject *ph_extension_object(ph_module_state *state, const ph_decode_options *options,
                              int32_t ext_type, const uint8_t *payload, size_t length,
                              ph_error_code *code);

#endif
