/* Exceptions of Packhorse::JSON: those of the json gem, with offset and path. */
#include "json_text/json_errors.h"

#include "json/string.h"

VALUE ph_json_module;
VALUE ph_json_parser_error;
VALUE ph_json_nesting_error;
VALUE ph_json_generator_error;

void ph_json_raise_at(VALUE exception_class, VALUE message, const uint8_t *text, size_t at,
                      uint64_t offset, VALUE path)
{
    ph_line_column place = ph_text_locate(text, at);
    VALUE string = rb_utf8_str_new(RSTRING_PTR(message), RSTRING_LEN(message));
    rb_str_catf(string, " at line %" PRIuSIZE " column %" PRIuSIZE " (byte %" PRIu64, place.line,
                place.column, offset);
    if (RTEST(path)) {
        rb_str_cat_cstr(string, ", at ");
        rb_str_append(string, path);
    }
    rb_str_cat_cstr(string, ")");
    VALUE exception = rb_exc_new_str(exception_class, string);
    rb_ivar_set(exception, rb_intern("@line"), SIZET2NUM(place.line));
    rb_ivar_set(exception, rb_intern("@column"), SIZET2NUM(place.column));
    rb_ivar_set(exception, rb_intern("@offset"), ULL2NUM(offset));
    rb_ivar_set(exception, rb_intern("@path"), path);
    rb_exc_raise(exception);
}

void ph_json_raise_generator(VALUE message, VALUE object, const ph_object_place *place)
{
    VALUE exception = rb_exc_new_str(ph_json_generator_error, message);
    rb_ivar_set(exception, rb_intern("@invalid_object"), object);
    ph_locate(exception, place);
    rb_exc_raise(exception);
}

void ph_init_json_errors(void)
{
    ph_json_module = rb_define_module_under(ph_module, "JSON");
    VALUE base = rb_define_class_under(ph_json_module, "JSONError", rb_eStandardError);
    ph_json_parser_error = rb_define_class_under(ph_json_module, "ParserError", base);
    rb_include_module(ph_json_parser_error, rb_const_get(ph_module, rb_intern("Located")));
    rb_define_attr(ph_json_parser_error, "line", 1, 0);
    rb_define_attr(ph_json_parser_error, "column", 1, 0);
    ph_json_nesting_error =
        rb_define_class_under(ph_json_module, "NestingError", ph_json_parser_error);
    ph_json_generator_error = rb_define_class_under(ph_json_module, "GeneratorError", base);
    rb_define_attr(ph_json_generator_error, "invalid_object", 1, 0);
}
