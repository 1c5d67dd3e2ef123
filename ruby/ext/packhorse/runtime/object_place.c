/* Paths of errors in trees of objects: made when an error is raised, lengthened where it passes. */
#include "runtime/object_place.h"

#include "runtime/path_parts.h"

/* Longer paths are not lengthened any more. */
#define PATH_LONG 2000

static VALUE located_object;
static ID id_path;

static VALUE path_of(const ph_object_place *place)
{
    size_t parts = 0;
    for (const ph_object_place *at = place; at->outer != NULL; at = at->outer) {
        parts++;
    }
    /* From the innermost outwards; the parts that are not shown leave one gap. */
    const ph_object_place *shown[2 * PH_PATH_PARTS_SHOWN + 1];
    size_t count = 0;
    for (const ph_object_place *at = place; at->outer != NULL; at = at->outer) {
        size_t from_inside = count;
        if (parts > 2 * PH_PATH_PARTS_SHOWN && from_inside == PH_PATH_PARTS_SHOWN) {
            for (size_t left_out = parts - 2 * PH_PATH_PARTS_SHOWN; left_out > 0; left_out--) {
                at = at->outer;
            }
            shown[count++] = NULL;
        }
        shown[count++] = at;
    }
    VALUE path = rb_utf8_str_new("$", 1);
    while (count > 0) {
        const ph_object_place *at = shown[--count];
        if (at == NULL) {
            rb_str_cat_cstr(path, "...");
        } else if (!at->map) {
            ph_path_append_index(path, at->at);
        } else if (at->key == Qundef) {
            ph_path_append_key_number(path, at->at);
        } else {
            ph_path_append_key(path, at->key);
        }
    }
    return path;
}

void ph_locate(VALUE exception, const ph_object_place *place)
{
    VALUE path = path_of(place);
    if (!RTEST(rb_obj_is_kind_of(exception, located_object))) {
        rb_extend_object(exception, located_object);
    }
    rb_ivar_set(exception, id_path, path);
}

void ph_raise_at(VALUE exception_class, VALUE message, const ph_object_place *place)
{
    VALUE exception = rb_exc_new_str(exception_class, message);
    ph_locate(exception, place);
    rb_exc_raise(exception);
}

/* The exception that is on its way, or Qnil: throw and the end of a thread pass as well. */
static VALUE exception_passing(void)
{
    VALUE passing = rb_errinfo();
    return !RB_SPECIAL_CONST_P(passing) && RB_TYPE_P(passing, T_OBJECT) ? passing : Qnil;
}

static void lengthen_path(VALUE exception, const ph_object_place *place)
{
    VALUE inner = rb_attr_get(exception, id_path);
    if (NIL_P(inner) || RSTRING_LEN(inner) > PATH_LONG || RB_OBJ_FROZEN(exception)) {
        return;
    }
    VALUE path = path_of(place);
    rb_str_cat(path, RSTRING_PTR(inner) + 1, RSTRING_LEN(inner) - 1);
    RB_GC_GUARD(inner);
    rb_ivar_set(exception, id_path, path);
}

VALUE ph_call_at(VALUE (*function)(VALUE), VALUE argument, const ph_object_place *place, int *state)
{
    VALUE result = rb_protect(function, argument, state);
    if (PH_UNLIKELY(*state != 0)) {
        VALUE exception = exception_passing();
        if (!NIL_P(exception) && RTEST(rb_obj_is_kind_of(exception, located_object))) {
            lengthen_path(exception, place);
        }
    }
    return result;
}

VALUE ph_convert_at(VALUE (*function)(VALUE), VALUE argument, const ph_object_place *place)
{
    int state = 0;
    VALUE result = rb_protect(function, argument, &state);
    if (PH_UNLIKELY(state != 0)) {
        VALUE exception = exception_passing();
        if (!NIL_P(exception) && RTEST(rb_obj_is_kind_of(exception, rb_eStandardError))) {
            ph_locate(exception, place);
        }
        rb_jump_tag(state);
    }
    return result;
}

typedef struct transcoding {
    VALUE string;
    rb_encoding *encoding;
} transcoding;

static VALUE transcode(VALUE argument)
{
    transcoding *made = (transcoding *)argument;
    return rb_str_encode(made->string, rb_enc_from_encoding(made->encoding), 0, Qnil);
}

VALUE ph_transcode_at(VALUE string, rb_encoding *encoding, const ph_object_place *place)
{
    transcoding made = {.string = string, .encoding = encoding};
    return ph_convert_at(transcode, (VALUE)&made, place);
}

/* call-seq: to_s -> String
 *
 * The message, and where: "undefined method ... (at $.users[3])". */
static VALUE message(VALUE self)
{
    VALUE text = rb_call_super(0, NULL);
    VALUE path = rb_attr_get(self, id_path);
    if (NIL_P(path) || !RB_TYPE_P(text, T_STRING) || rb_enc_compatible(text, path) == NULL) {
        return text;
    }
    text = rb_str_dup(text);
    rb_str_cat_cstr(text, " (at ");
    rb_str_append(text, path);
    return rb_str_cat_cstr(text, ")");
}

void ph_init_object_place(void)
{
    id_path = rb_intern("@path");
    located_object = rb_define_module_under(ph_module, "LocatedObject");
    rb_gc_register_mark_object(located_object);
    rb_include_module(located_object, rb_const_get(ph_module, rb_intern("Located")));
    rb_define_method(located_object, "to_s", message, 0);
}
