/* The path of a failure, from the frames and the values read so far. */
#include "decode/decode_path.h"

/* Parts shown at either end of a deep path. */
#define PARTS_SHOWN 16
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

static void append_key(VALUE path, VALUE key)
{
    if (SYMBOL_P(key)) {
        key = rb_sym2str(key);
    }
    if (RB_TYPE_P(key, T_STRING)) {
        if (is_plain_name(RSTRING_PTR(key), RSTRING_LEN(key))) {
            rb_str_cat_cstr(path, ".");
            rb_str_append(path, key);
            return;
        }
        if (RSTRING_LEN(key) > KEY_SHOWN) {
            key = rb_str_cat_cstr(rb_str_new(RSTRING_PTR(key), KEY_SHOWN), "...");
        }
        rb_str_cat_cstr(path, "[");
        rb_str_append(path, rb_str_dump(key));
        rb_str_cat_cstr(path, "]");
    } else if (RB_INTEGER_TYPE_P(key) || NIL_P(key) || key == Qtrue || key == Qfalse ||
               RB_FLOAT_TYPE_P(key)) {
        rb_str_catf(path, "[%+" PRIsVALUE "]", key);
    } else {
        /* Other keys have methods of their own, which must not run here. */
        rb_str_catf(path, "[%s]", rb_obj_classname(key));
    }
}

/* The part for a container: its values begin at base, the next one, or the container that is being
 * read, would be at `next`. */
static void append_part(VALUE path, const VALUE *values, size_t base, size_t next, bool map)
{
    if (!map) {
        rb_str_catf(path, "[%" PRIuSIZE "]", next - base);
    } else if ((next - base) % 2 == 1) {
        append_key(path, values[next - 1]);
    } else {
        rb_str_catf(path, "[key %" PRIuSIZE "]", (next - base) / 2);
    }
}

VALUE ph_decode_path(const ph_value_stack *stack, const ph_decode_place *place)
{
    VALUE path = rb_utf8_str_new("$", 1);
    for (size_t at = 1; at <= place->open; at++) {
        if (place->open > 2 * PARTS_SHOWN && at == PARTS_SHOWN + 1) {
            rb_str_cat_cstr(path, "...");
            at = place->open - PARTS_SHOWN + 1;
        }
        /* containers[at] holds the container opened at-th; the one at the top is in `place`. */
        bool innermost = at == place->open;
        size_t base = innermost ? place->base : stack->containers[at].base;
        bool map = innermost ? place->map : stack->containers[at].map;
        size_t next = place->top;
        if (!innermost) {
            next = at + 1 == place->open ? place->base : stack->containers[at + 1].base;
        }
        append_part(path, stack->values, base, next, map);
    }
    return path;
}
