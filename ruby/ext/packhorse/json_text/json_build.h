/* Containers and numbers as the json gem's options ask for them. */
#ifndef PH_RUBY_JSON_BUILD_H
#define PH_RUBY_JSON_BUILD_H

#include "json_text/json_parse.h"

/* Calls a proc (or what answers call) with one value. */
VALUE ph_json_call(VALUE proc, VALUE value);

/* An instance of a decimal class for the text of a number. */
VALUE ph_json_decimal(VALUE decimal_class, const uint8_t *text, size_t length);

/* Objects of object_class and array_class: made with new, filled with []= and <<. */
VALUE ph_json_build_other_map(VALUE object_class, const VALUE *values, size_t pairs);
VALUE ph_json_build_other_array(VALUE array_class, const VALUE *values, size_t length);

/* "duplicate key "a"" for the first key that comes twice. */
VALUE ph_json_duplicate_key_message(const VALUE *values, size_t pairs);

PH_INLINE VALUE ph_json_build_array(const ph_builder *builder, const ph_json_parse_options *options,
                                    const VALUE *values, size_t length)
{
    if (PH_UNLIKELY(!NIL_P(options->array_class))) {
        VALUE array = ph_json_build_other_array(options->array_class, values, length);
        return options->freeze ? rb_obj_freeze(array) : array;
    }
    return ph_build_array(builder, values, length);
}

/* Qundef: a key comes twice and that is not allowed. */
PH_INLINE VALUE ph_json_build_map(ph_builder *builder, const ph_json_parse_options *options,
                                  const VALUE *values, size_t pairs)
{
    if (PH_UNLIKELY(!NIL_P(options->object_class))) {
        VALUE object = ph_json_build_other_map(options->object_class, values, pairs);
        return options->freeze ? rb_obj_freeze(object) : object;
    }
    VALUE hash = ph_build_map(builder, values, pairs);
    if (PH_UNLIKELY(RHASH_SIZE(hash) != pairs && !options->allow_duplicate_key)) {
        return Qundef;
    }
    return hash;
}

#endif
