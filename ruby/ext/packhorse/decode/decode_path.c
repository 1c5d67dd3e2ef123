/* The path of a failure, from the frames and the values read so far. */
#include "decode/decode_path.h"

#include "runtime/path_parts.h"

/* The part for a container: its values begin at base, the next one, or the container that is being
 * read, would be at `next`. */
static void append_part(VALUE path, const VALUE *values, size_t base, size_t next, bool map)
{
    if (!map) {
        ph_path_append_index(path, next - base);
    } else if ((next - base) % 2 == 1) {
        ph_path_append_key(path, values[next - 1]);
    } else {
        ph_path_append_key_number(path, (next - base) / 2);
    }
}

VALUE ph_decode_path(const ph_value_stack *stack, const ph_decode_place *place)
{
    VALUE path = rb_utf8_str_new("$", 1);
    for (size_t at = 1; at <= place->open; at++) {
        if (place->open > 2 * PH_PATH_PARTS_SHOWN && at == PH_PATH_PARTS_SHOWN + 1) {
            rb_str_cat_cstr(path, "...");
            at = place->open - PH_PATH_PARTS_SHOWN + 1;
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
