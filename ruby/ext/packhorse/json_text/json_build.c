/* The slow ways to build: classes and procs of the caller. */
#include "json_text/json_build.h"

VALUE ph_json_call(VALUE proc, VALUE value)
{
    return rb_funcall(proc, rb_intern("call"), 1, value);
}

VALUE ph_json_decimal(VALUE decimal_class, const uint8_t *text, size_t length)
{
    VALUE string = rb_utf8_str_new((const char *)text, (long)length);
    if (decimal_class == rb_cFloat) {
        return DBL2NUM(rb_str_to_dbl(string, 1));
    }
    if (rb_respond_to(decimal_class, rb_intern("try_convert"))) {
        return rb_funcall(decimal_class, rb_intern("try_convert"), 1, string);
    }
    if (rb_respond_to(decimal_class, rb_intern("new"))) {
        return rb_funcall(decimal_class, rb_intern("new"), 1, string);
    }
    /* BigDecimal and its like are made by a method of Kernel that has the name of the class. */
    return rb_funcall(rb_mKernel, rb_intern_str(rb_mod_name(decimal_class)), 1, string);
}

VALUE ph_json_build_other_map(VALUE object_class, const VALUE *values, size_t pairs)
{
    VALUE object = rb_class_new_instance(0, NULL, object_class);
    ID store = rb_intern("[]=");
    for (size_t at = 0; at < pairs; at++) {
        rb_funcall(object, store, 2, values[2 * at], values[2 * at + 1]);
    }
    return object;
}

VALUE ph_json_build_other_array(VALUE array_class, const VALUE *values, size_t length)
{
    VALUE array = rb_class_new_instance(0, NULL, array_class);
    ID append = rb_intern("<<");
    for (size_t at = 0; at < length; at++) {
        rb_funcall(array, append, 1, values[at]);
    }
    return array;
}

VALUE ph_json_duplicate_key_message(const VALUE *values, size_t pairs)
{
    VALUE seen = rb_hash_new();
    for (size_t at = 0; at < pairs; at++) {
        VALUE key = values[2 * at];
        if (rb_hash_lookup2(seen, key, Qundef) != Qundef) {
            return rb_sprintf("duplicate key %+" PRIsVALUE, key);
        }
        rb_hash_aset(seen, key, Qtrue);
    }
    return rb_str_new_cstr("duplicate key");
}
