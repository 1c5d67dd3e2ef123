/* Exceptions of Packhorse::JSON. */
#ifndef PH_RUBY_JSON_ERRORS_H
#define PH_RUBY_JSON_ERRORS_H

#include "runtime/object_place.h"

extern VALUE ph_json_module;
extern VALUE ph_json_parser_error;
extern VALUE ph_json_nesting_error;
extern VALUE ph_json_generator_error;

/* Raises `exception_class` with "MESSAGE at line L column C (byte N, at PATH)" and these as attributes.
 * text .. text + size is the input, at the place in it; offset that in the stream. */
NORETURN(void ph_json_raise_at(VALUE exception_class, VALUE message, const uint8_t *text, size_t at,
                               uint64_t offset, VALUE path));

/* Raises GeneratorError, which remembers the object and where it is. */
NORETURN(void ph_json_raise_generator(VALUE message, VALUE object, const ph_object_place *place));

void ph_init_json_errors(void);

#endif
