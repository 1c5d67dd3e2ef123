/* Dates, times, durations and UUIDs as ASCII text. */
#ifndef PH_PYTHON_VALUES_TEXT_FORMS_H
#define PH_PYTHON_VALUES_TEXT_FORMS_H

#include "encode/encode_options.h"

/* Room that ph_put_text_form needs. */
#define PH_TEXT_FORM_ROOM 64

typedef enum ph_text_form {
    PH_TEXT_FORM_NONE, /* the object has none */
    PH_TEXT_FORM_FAILED,
    PH_TEXT_FORM_DATETIME,
    PH_TEXT_FORM_DATE,
    PH_TEXT_FORM_TIME,
    PH_TEXT_FORM_DURATION,
    PH_TEXT_FORM_UUID
} ph_text_form;

/* What kind of text stands for an object, by its type; the options may rule some out, but not for
 * keys. The first knows classes themselves and nothing derived from them, so that nothing else need be
 * asked before, and never fails. The second is for what the first gave NONE for: classes derived from
 * UUID, and UUID when it is met for the first time. FAILED with an exception set: see
 * ph_imported_class. */
ph_text_form ph_text_form_of_exact(ph_module_state *state, const ph_encode_options *options,
                                   bool is_key, const PyTypeObject *type);
ph_text_form ph_text_form_of_derived(ph_module_state *state, const ph_encode_options *options,
                                     PyObject *value);

/* Writes it at `to` and returns the position behind it; NULL with an exception set. Runs user code
 * (a tzinfo) when *user_code is set to true. `value` must be owned by the caller. */
uint8_t *ph_put_text_form(ph_module_state *state, const ph_encode_options *options,
                          ph_text_form form, PyObject *value, uint8_t *to, bool *user_code);

#endif
