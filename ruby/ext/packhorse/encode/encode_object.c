/* Calls into user code while packing. Nothing of the encoder is held across them. */
#include "encode/encode_object.h"

#include "classes/ext_types.h"
#include "classes/packer.h"

static ID id_to_msgpack;
static ID id_method_missing;

typedef struct call {
    ph_encoder *encoder;
    VALUE value;
    VALUE packer; /* Qfalse: the proc of the entry takes the value only */
    VALUE entry;  /* of the registry; Qfalse: to_msgpack is called */
    const ph_object_place *place;
} call;

/* The Packer that user code writes to, when it is not to write into this queue. */
static VALUE take_child(ph_encoder *encoder)
{
    if (encoder->child == Qfalse || encoder->child_in_use) {
        VALUE child = ph_packer_new_child(encoder);
        if (encoder->packer != Qfalse) {
            RB_OBJ_WRITE(encoder->packer, &encoder->child, child);
        } else {
            encoder->child = child;
        }
    }
    encoder->child_in_use = true;
    ph_byte_queue_clear(&ph_packer_get(encoder->child)->queue);
    return encoder->child;
}

static VALUE call_user(VALUE argument)
{
    call *made = (call *)argument;
    if (made->entry == Qfalse) {
        return rb_funcall(made->value, id_to_msgpack, 1, made->packer);
    }
    VALUE arguments[2] = {made->value, made->packer};
    return ph_ext_call(made->entry, made->packer == Qfalse ? 1 : 2, arguments);
}

/* Whether calling to_msgpack could only fail: then the error is this library's to explain. */
static bool has_no_method(VALUE value)
{
    VALUE klass = rb_class_of(value);
    return !rb_method_boundp(klass, id_to_msgpack, 0) &&
           rb_method_basic_definition_p(klass, id_method_missing);
}

NORETURN(static void pass_on(const call *made, int state))
{
    if (made->entry == Qfalse && has_no_method(made->value) &&
        RTEST(rb_obj_is_kind_of(rb_errinfo(), rb_eNoMethodError))) {
        ph_locate(rb_errinfo(), made->place);
    }
    rb_jump_tag(state);
}

/* Calls a proc or method that writes to made->packer, whose depth is set for what it writes. */
static void call_writer(call *made, bool shares_child)
{
    ph_encoder *target = ph_packer_get(made->packer);
    uint32_t outer_depth = target->depth;
    target->depth = made->place->depth + 1;
    int state = 0;
    ph_call_at(call_user, (VALUE)made, made->place, &state);
    target->depth = outer_depth;
    if (shares_child) {
        made->encoder->child_in_use = false;
    }
    if (PH_UNLIKELY(state != 0)) {
        pass_on(made, state);
    }
}

static void encode_recursive(call *made, int type)
{
    ph_encoder_check_depth(made->place);
    made->packer = take_child(made->encoder);
    call_writer(made, true);
    VALUE payload = ph_byte_queue_take(&ph_packer_get(made->packer)->queue);
    ph_encode_ext(made->encoder, type, payload, made->place);
}

/* Raises TypeError in Ruby's words. */
static VALUE refuse_payload(VALUE payload)
{
    return StringValue(payload);
}

static void encode_payload(call *made, int type)
{
    int state = 0;
    VALUE payload = ph_call_at(call_user, (VALUE)made, made->place, &state);
    if (PH_UNLIKELY(state != 0)) {
        pass_on(made, state);
    }
    VALUE string = rb_check_string_type(payload);
    if (PH_UNLIKELY(NIL_P(string))) {
        string = ph_convert_at(refuse_payload, payload, made->place);
    }
    ph_encode_ext(made->encoder, type, string, made->place);
}

bool ph_encode_registered(ph_encoder *encoder, VALUE value, const ph_object_place *place)
{
    ph_ext_packer found =
        ph_ext_types_find_packer(encoder->types, value, &encoder->lookup_cache, encoder->packer);
    if (found.entry == Qfalse) {
        return false;
    }
    call made = {
        .encoder = encoder, .value = value, .packer = Qfalse, .entry = found.entry, .place = place};
    if (found.flags & PH_EXT_RECURSIVE) {
        encode_recursive(&made, found.type);
    } else {
        encode_payload(&made, found.type);
    }
    return true;
}

void ph_encode_object(ph_encoder *encoder, VALUE value, const ph_object_place *place)
{
    if (ph_encode_registered(encoder, value, place)) {
        return;
    }
    ph_encoder_check_depth(place);
    call made = {.encoder = encoder,
                 .value = value,
                 .packer = encoder->packer,
                 .entry = Qfalse,
                 .place = place};
    if (encoder->packer != Qfalse) {
        call_writer(&made, false);
        return;
    }
    made.packer = take_child(encoder);
    call_writer(&made, true);
    ph_byte_queue *written = &ph_packer_get(made.packer)->queue;
    if (ph_byte_queue_length(written) != 0) {
        VALUE bytes = ph_byte_queue_take(written);
        ph_byte_queue_append(&encoder->queue, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes));
        RB_GC_GUARD(bytes);
    }
}

void ph_init_encode_object(void)
{
    id_to_msgpack = rb_intern("to_msgpack");
    id_method_missing = rb_intern("method_missing");
}
