/* Calls into user code while generating. */
#include "json_text/json_errors.h"
#include "json_text/json_writer.h"

static ID id_call;
static ID id_depth_set;
static ID id_method;
static ID id_owner;
static ID id_to_json;
static ID id_to_s;

VALUE ph_json_key_text(VALUE key)
{
    if (SYMBOL_P(key)) {
        return rb_sym2str(key);
    }
    if (RB_TYPE_P(key, T_STRING)) {
        return key;
    }
    VALUE text = rb_funcall(key, id_to_s, 0);
    Check_Type(text, T_STRING);
    return text;
}

bool ph_json_has_own_method(VALUE value)
{
    if (!rb_respond_to(value, id_to_json)) {
        return false;
    }
    VALUE base = RB_TYPE_P(value, T_STRING) ? rb_cString
                 : RB_TYPE_P(value, T_HASH) ? rb_cHash
                                            : rb_cArray;
    VALUE owner = rb_funcall(rb_funcall(value, id_method, 1, ID2SYM(id_to_json)), id_owner, 0);
    /* Defined for the base class, by whichever library: not the subclass's own. */
    return !RTEST(rb_class_inherited_p(base, owner));
}

/* JSON has no form for the object. */
static void put_strict(ph_json_writer *writer, VALUE object, const ph_object_place *place)
{
    VALUE as_json = writer->options->as_json;
    if (NIL_P(as_json)) {
        ph_json_raise_generator(rb_sprintf("%s not allowed in JSON", rb_obj_classname(object)),
                                object, place);
    }
    VALUE arguments[2] = {object, Qfalse};
    int count = rb_proc_arity(as_json) == 1 ? 1 : 2;
    VALUE other = rb_funcallv(as_json, id_call, count, arguments);
    bool native = RB_SPECIAL_CONST_P(other) || RB_FLOAT_TYPE_P(other) || SYMBOL_P(other) ||
                  RB_TYPE_P(other, T_BIGNUM) || RB_TYPE_P(other, T_STRING) ||
                  RB_TYPE_P(other, T_ARRAY) || RB_TYPE_P(other, T_HASH);
    if (!native) {
        ph_json_raise_generator(
            rb_sprintf("%s returned by as_json not allowed in JSON", rb_obj_classname(other)),
            object, place);
    }
    ph_json_put_value(writer, other, place);
}

static void tell(VALUE state, const char *setter, VALUE text)
{
    rb_funcall(state, rb_intern(setter), 1, text);
}

/* pretty_generate's layout is in no Hash. */
static void tell_layout(const ph_json_writer *writer)
{
    const ph_json_generate_options *options = writer->options;
    tell(writer->state, "indent=", options->indent);
    tell(writer->state, "space=", options->space);
    tell(writer->state, "space_before=", options->space_before);
    tell(writer->state, "object_nl=", options->object_nl);
    tell(writer->state, "array_nl=", options->array_nl);
}

static void prepare_state(ph_json_writer *writer)
{
    VALUE state_class = rb_const_get(ph_json_module, rb_intern("State"));
    writer->state = rb_funcall(state_class, rb_intern("new"), 1, writer->option_hash);
    if (writer->options->pretty) {
        tell_layout(writer);
    }
}

typedef struct call {
    VALUE object;
    VALUE state;
} call;

static VALUE call_to_json(VALUE argument)
{
    const call *made = (const call *)argument;
    return rb_funcall(made->object, id_to_json, 1, made->state);
}

void ph_json_put_object(ph_json_writer *writer, VALUE object, const ph_object_place *place)
{
    if (writer->options->strict) {
        put_strict(writer, object, place);
        return;
    }
    if (!rb_respond_to(object, id_to_json)) {
        VALUE text = rb_funcall(object, id_to_s, 0);
        Check_Type(text, T_STRING);
        ph_json_put_string(writer, text, place);
        return;
    }
    if (NIL_P(writer->state)) {
        prepare_state(writer);
    }
    rb_funcall(writer->state, id_depth_set, 1, UINT2NUM(place->depth));
    call made = {.object = object, .state = writer->state};
    int state = 0;
    VALUE text = ph_call_at(call_to_json, (VALUE)&made, place, &state);
    if (PH_UNLIKELY(state != 0)) {
        rb_jump_tag(state);
    }
    Check_Type(text, T_STRING);
    ph_byte_queue_append(&writer->queue, RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
    RB_GC_GUARD(text);
}

void ph_init_json_objects(void)
{
    id_call = rb_intern("call");
    id_depth_set = rb_intern("depth=");
    id_method = rb_intern("method");
    id_owner = rb_intern("owner");
    id_to_json = rb_intern("to_json");
    id_to_s = rb_intern("to_s");
}
