/* The errors every walk can meet, whatever the format. */
#include "encode/encoder.h"

#include "stack_room.h"

uint8_t *ph_encoder_capture(ph_encoder *encoder)
{
    ph_trace_capture(&encoder->trace, -1);
    return NULL;
}

uint8_t *ph_encoder_too_deep(ph_encoder *encoder)
{
    const ph_encode_options *options = encoder->options;
    if (options->json && options->like_orjson) {
        PyErr_SetString(PyExc_TypeError, "Recursion limit reached");
    } else {
        PyErr_SetString(options->json ? PyExc_RecursionError : PyExc_ValueError,
                        "recursion limit exceeded.");
    }
    return ph_encoder_capture(encoder);
}

static bool has_stack_room(ph_encoder *encoder)
{
    if (encoder->stack_floor == PH_STACK_FLOOR_UNKNOWN) {
        encoder->stack_floor = ph_stack_floor();
    }
    if (PH_STACK_HERE() >= encoder->stack_floor) {
        return true;
    }
    if (encoder->options->like_orjson) {
        ph_encoder_too_deep(encoder);
    } else {
        PyErr_SetString(PyExc_RecursionError, PH_STACK_TOO_SMALL);
        ph_encoder_capture(encoder);
    }
    return false;
}

bool ph_encoder_enter_deep(ph_encoder *encoder)
{
    if (encoder->depth_left == 0) {
        ph_encoder_too_deep(encoder);
        return false;
    }
    return has_stack_room(encoder);
}

bool ph_encoder_call_user_code(ph_encoder *encoder)
{
    encoder->user_code_calls++;
    return has_stack_room(encoder);
}

uint8_t *ph_encoder_changed(ph_encoder *encoder, const char *type_name)
{
    PyErr_Format(PyExc_RuntimeError, "%s changed size during iteration", type_name);
    return ph_encoder_capture(encoder);
}

uint8_t *ph_encoder_too_large(ph_encoder *encoder, const char *what)
{
    PyErr_Format(PyExc_ValueError, "%s is too large", what);
    return ph_encoder_capture(encoder);
}

PyObject *ph_encoder_fail(ph_encoder *encoder)
{
    ph_trace_finish(encoder->state, &encoder->trace);
    ph_output_discard(&encoder->output);
    return NULL;
}
