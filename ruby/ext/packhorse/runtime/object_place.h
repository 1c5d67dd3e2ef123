/* Where in a tree of objects a walk stands, and the errors that say so. */
#ifndef PH_RUBY_OBJECT_PLACE_H
#define PH_RUBY_OBJECT_PLACE_H

#include "packhorse.h"

/* One for each container that a walk is in, in the frame of the C function that walks it: nothing is
 * built of them before something fails. They must not be kept, and so an error that passes through
 * user code learns the outer part of its path where it comes out (ph_call_at). */
typedef struct ph_object_place {
    const struct ph_object_place *outer; /* NULL: the object that the walk began with */
    VALUE key;      /* whose value it is; Qundef: an element, or the key itself */
    size_t at;      /* which element or pair */
    uint32_t depth; /* containers around the object */
    bool map;
} ph_object_place;

PH_INLINE ph_object_place ph_object_root(uint32_t depth)
{
    return (ph_object_place){.outer = NULL, .key = Qundef, .at = 0, .depth = depth, .map = false};
}

/* The place of what is in the container at `outer`. The walk sets at, and for maps key, before it goes
 * into an object: this is on the way of every small Array. */
PH_INLINE void ph_object_enter(ph_object_place *inside, const ph_object_place *outer, bool map)
{
    inside->outer = outer;
    inside->depth = outer->depth + 1;
    inside->map = map;
}

/* Gives an exception `path`, which its message then ends with. */
void ph_locate(VALUE exception, const ph_object_place *place);

/* Raises an exception with a path. */
NORETURN(void ph_raise_at(VALUE exception_class, VALUE message, const ph_object_place *place));

/* As rb_protect: calls user code for the object at `place`. An error that has a path already, because
 * the user's code came back to this library, goes on from there. */
VALUE ph_call_at(VALUE (*function)(VALUE), VALUE argument, const ph_object_place *place,
                 int *state);

/* Calls a function of Ruby's that raises because of the object at `place`; then with a path. */
VALUE ph_convert_at(VALUE (*function)(VALUE), VALUE argument, const ph_object_place *place);

/* `string` (not in UTF-8) in another encoding. Raises EncodingError with a path. */
VALUE ph_transcode_at(VALUE string, rb_encoding *encoding, const ph_object_place *place);

void ph_init_object_place(void);

#endif
