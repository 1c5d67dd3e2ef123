/* How keys and indexes look in a path. */
#include "runtime/path_parts.h"

/* Bytes of a key that are shown. */
#define KEY_SHOWN 64

static bool is_plain_name(const char *text, long length)
{
    if (length == 0 || length > KEY_SHOWN || (text[0] >= '0' && text[0] <= '9')) {
        return false;
    }
    for (long at = 0; at < length; at++) {
        char letter = text[at];
        if (!(letter == '_' || (letter >= '0' && letter <= '9') ||
              (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'))) {
            return false;
        }
    }
    return true;
}

void ph_path_append_key(VALUE path, VALUE key)
{
    if (SYMBOL_P(key)) {
        key = rb_sym2str(key);
    }
    if (RB_TYPE_P(key, T_STRING)) {
        if (is_plain_name(RSTRING_PTR(key), RSTRING_LEN(key))) {
            rb_str_cat_cstr(path, ".");
            rb_str_cat(path, RSTRING_PTR(key), RSTRING_LEN(key));
            return;
        }
        if (RSTRING_LEN(key) > KEY_SHOWN) {
            key = rb_str_cat_cstr(rb_str_new(RSTRING_PTR(key), KEY_SHOWN), "...");
        }
        VALUE shown = rb_str_dump(key);
        rb_str_cat_cstr(path, "[");
        rb_str_cat(path, RSTRING_PTR(shown), RSTRING_LEN(shown));
        rb_str_cat_cstr(path, "]");
    } else if (RB_INTEGER_TYPE_P(key) || NIL_P(key) || key == Qtrue || key == Qfalse ||
               RB_FLOAT_TYPE_P(key)) {
        rb_str_catf(path, "[%+" PRIsVALUE "]", key);
    } else {
        /* Other keys have methods of their own, which must not run here. */
        rb_str_catf(path, "[%s]", rb_obj_classname(key));
    }
}

void ph_path_append_index(VALUE path, size_t index)
{
    rb_str_catf(path, "[%" PRIuSIZE "]", index);
}

void ph_path_append_key_number(VALUE path, size_t number)
{
    rb_str_catf(path, "[key %" PRIuSIZE "]", number);
}
