/* module JSON: what Ruby sees of the parser and the generator. */
#include "json_text/json_errors.h"
#include "json_text/json_generate.h"
#include "json_text/json_parse.h"
#include "json_text/json_writer.h"

/* The text as UTF-8: other encodings are converted, binary is taken for UTF-8. */
static VALUE source_text(VALUE source)
{
    StringValue(source);
    int index = rb_enc_get_index(source);
    if (index == ph_index_utf8 || index == ph_index_binary || index == ph_index_ascii) {
        return source;
    }
    return rb_str_encode(source, rb_enc_from_encoding(ph_encoding_utf8), 0, Qnil);
}

static bool calls_user_code(const ph_json_parse_options *options)
{
    return !NIL_P(options->object_class) || !NIL_P(options->array_class) ||
           !NIL_P(options->decimal_class) || !NIL_P(options->on_load);
}

/* call-seq: parse(source, options = nil) */
static VALUE parse(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 2);
    ph_json_parse_options options;
    ph_json_parse_options_set(&options, argc > 1 ? argv[1] : Qnil);
    VALUE source = source_text(argv[0]);
    if (calls_user_code(&options)) {
        source = rb_str_new_frozen(source);
    }
    return ph_json_parse(source, &options);
}

/* call-seq: parse_next(source, offset, at_end, stream_offset, options) -> [value, offset behind] or nil
 *
 * nil: the value at `offset` is not whole, or might go on. */
static VALUE parse_next(VALUE self, VALUE source, VALUE offset, VALUE at_end, VALUE stream_offset,
                        VALUE hash)
{
    (void)self;
    ph_json_parse_options options;
    ph_json_parse_options_set(&options, hash);
    StringValue(source);
    source = rb_str_new_frozen(source);
    long from = NUM2LONG(offset);
    if (from < 0 || from > RSTRING_LEN(source)) {
        rb_raise(rb_eArgError, "offset %ld is outside of the text", from);
    }
    long behind;
    VALUE value =
        ph_json_parse_next(source, from, RTEST(at_end), NUM2ULL(stream_offset), &options, &behind);
    return value == Qundef ? Qnil : rb_ary_new_from_args(2, value, LONG2NUM(behind));
}

/* The options as a Hash, or nil. */
static VALUE hash_of(VALUE given)
{
    if (NIL_P(given) || RB_TYPE_P(given, T_HASH)) {
        return given;
    }
    return rb_convert_type(given, T_HASH, "Hash", "to_h");
}

static VALUE generate_to(VALUE object, VALUE given, VALUE io)
{
    VALUE hash = hash_of(given);
    ph_json_generate_options options;
    ph_json_generate_options_set(&options, hash);
    VALUE text = ph_json_generate(object, &options, hash, io);
    RB_GC_GUARD(hash);
    return text;
}

/* call-seq: pretty_generate(object, options = nil) -> String
 *
 * With line breaks, and two spaces for each level. */
static VALUE pretty_generate(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 2);
    VALUE hash = argc > 1 ? hash_of(argv[1]) : Qnil;
    ph_json_generate_options options;
    ph_json_generate_options_set(&options, Qnil);
    ph_json_generate_options_pretty(&options);
    ph_json_generate_options_add(&options, hash);
    VALUE text = ph_json_generate(argv[0], &options, hash, Qnil);
    RB_GC_GUARD(hash);
    return text;
}

/* call-seq: generate(object, options = nil) -> String */
static VALUE generate(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 1, 2);
    return generate_to(argv[0], argc > 1 ? argv[1] : Qnil, Qnil);
}

/* call-seq: write(object, io, options = nil) -> nil
 *
 * Generates into an IO, keeping no more than a piece of the text. */
static VALUE write_to(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    rb_check_arity(argc, 2, 3);
    return generate_to(argv[0], argc > 2 ? argv[2] : Qnil, argv[1]);
}

void ph_init_json(void)
{
    ph_init_json_errors();
    ph_init_json_options();
    ph_init_json_objects();
    rb_define_module_function(ph_json_module, "parse", parse, -1);
    rb_define_private_method(rb_singleton_class(ph_json_module), "parse_next", parse_next, 5);
    rb_define_module_function(ph_json_module, "generate", generate, -1);
    rb_define_module_function(ph_json_module, "pretty_generate", pretty_generate, -1);
    rb_define_module_function(ph_json_module, "write", write_to, -1);
}
