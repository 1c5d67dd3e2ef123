/* Calls into user code while packing. Nothing of the encoder is held across them. */
#include "encode/encode_object.h"

#include "classes/ext_types.h"
#include "classes/packer.h"

static ID id_to_msgpack;

typedef struct call {
    ph_encoder *encoder;
    VALUE value;
    VALUE packer;
    VALUE entry; /* of the registry, for procs */
    uint32_t depth;
    uint32_t outer_depth;
    bool shares_child;
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

static VALUE call_proc(VALUE argument)
{
    call *made = (call *)argument;
    VALUE arguments[2] = {made->value, made->packer};
    return ph_ext_call(made->entry, 2, arguments);
}

static VALUE call_to_msgpack(VALUE argument)
{
    call *made = (call *)argument;
    return rb_funcall(made->value, id_to_msgpack, 1, made->packer);
}

static VALUE restore(VALUE argument)
{
    call *made = (call *)argument;
    ph_packer_get(made->packer)->depth = made->outer_depth;
    if (made->shares_child) {
        made->encoder->child_in_use = false;
    }
    return Qnil;
}

/* Runs `method` with the packer's depth set for what it writes. */
static VALUE run(call *made, VALUE (*method)(VALUE))
{
    ph_encoder *target = ph_packer_get(made->packer);
    made->outer_depth = target->depth;
    target->depth = made->depth + 1;
    return rb_ensure(method, (VALUE)made, restore, (VALUE)made);
}

static void encode_recursive(ph_encoder *encoder, const ph_ext_packer *found, VALUE value,
                             uint32_t depth)
{
    ph_encoder_check_depth(depth);
    VALUE child = take_child(encoder);
    call made = {.encoder = encoder,
                 .value = value,
                 .packer = child,
                 .entry = found->entry,
                 .depth = depth,
                 .shares_child = true};
    run(&made, call_proc);
    VALUE payload = ph_byte_queue_take(&ph_packer_get(child)->queue);
    ph_encode_ext(encoder, found->type, payload);
    RB_GC_GUARD(child);
}

bool ph_encode_registered(ph_encoder *encoder, VALUE value, uint32_t depth)
{
    ph_ext_packer found =
        ph_ext_types_find_packer(encoder->types, value, &encoder->lookup_cache, encoder->packer);
    if (found.entry == Qfalse) {
        return false;
    }
    if (found.flags & PH_EXT_RECURSIVE) {
        encode_recursive(encoder, &found, value, depth);
        return true;
    }
    VALUE payload = ph_ext_call(found.entry, 1, &value);
    StringValue(payload);
    ph_encode_ext(encoder, found.type, payload);
    return true;
}

void ph_encode_object(ph_encoder *encoder, VALUE value, uint32_t depth)
{
    if (ph_encode_registered(encoder, value, depth)) {
        return;
    }
    ph_encoder_check_depth(depth);
    if (encoder->packer != Qfalse) {
        call made = {.encoder = encoder, .value = value, .packer = encoder->packer, .depth = depth};
        run(&made, call_to_msgpack);
        return;
    }
    VALUE child = take_child(encoder);
    call made = {
        .encoder = encoder, .value = value, .packer = child, .depth = depth, .shares_child = true};
    run(&made, call_to_msgpack);
    ph_byte_queue *written = &ph_packer_get(child)->queue;
    if (ph_byte_queue_length(written) != 0) {
        VALUE bytes = ph_byte_queue_take(written);
        ph_byte_queue_append(&encoder->queue, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes));
        RB_GC_GUARD(bytes);
    }
    RB_GC_GUARD(child);
}

void ph_init_encode_object(void)
{
    id_to_msgpack = rb_intern("to_msgpack");
}
