/* Exception classes, and the words in which failures reach Ruby. */
#include "runtime/errors.h"

VALUE ph_error_unpack;
VALUE ph_error_malformed;
VALUE ph_error_stack;
VALUE ph_error_unexpected_type;
VALUE ph_error_unknown_ext_type;
VALUE ph_error_limit;
VALUE ph_error_truncated;

static ID id_offset;
static ID id_path;

void ph_raise_located(VALUE exception_class, VALUE message, uint64_t offset, VALUE path)
{
    VALUE exception = rb_exc_new_str(exception_class, message);
    rb_ivar_set(exception, id_offset, ULL2NUM(offset));
    rb_ivar_set(exception, id_path, path);
    rb_exc_raise(exception);
}

/* "TEXT (byte 12, at $[3].name)" */
static VALUE located_message(const char *text, const ph_failure *failure)
{
    VALUE message = rb_sprintf("%s (byte %" PRIu64, text, failure->offset);
    if (RTEST(failure->path)) {
        rb_str_cat_cstr(message, ", at ");
        rb_str_append(message, failure->path);
    }
    return rb_str_cat_cstr(message, ")");
}

/* Codes whose text callers of the msgpack gem compare, or that have no better one. */
static const char *text_of(ph_error_code code)
{
    switch (code) {
    case PH_ERROR_TRUNCATED: return "end of buffer reached";
    case PH_ERROR_RESERVED_BYTE: return "invalid byte";
    case PH_ERROR_DEPTH_LIMIT: return "stack level too deep";
    default: return ph_error_message(code);
    }
}

static VALUE class_of(ph_error_code code)
{
    if (code == PH_ERROR_DEPTH_LIMIT) {
        return ph_error_stack;
    }
    switch (ph_error_class_of(code)) {
    case PH_CLASS_TRUNCATED: return ph_error_truncated;
    case PH_CLASS_LIMIT: return ph_error_limit;
    case PH_CLASS_MEMORY: return rb_eNoMemError;
    case PH_CLASS_UNSUPPORTED: return rb_eRangeError;
    case PH_CLASS_MISUSE: return rb_eArgError;
    default: return ph_error_malformed;
    }
}

void ph_raise_failure(const ph_failure *failure)
{
    VALUE exception_class;
    VALUE message;
    switch (failure->kind) {
    case PH_FAILURE_UNKNOWN_EXT:
        exception_class = ph_error_unknown_ext_type;
        message = rb_sprintf("unexpected extension type %d", failure->ext_type);
        message = located_message(StringValueCStr(message), failure);
        break;
    case PH_FAILURE_INVALID_SYMBOL:
        exception_class = rb_eEncodingError;
        message = located_message("invalid symbol in encoding UTF-8", failure);
        break;
    case PH_FAILURE_RECURSIVE_EXT:
        exception_class = ph_error_stack;
        message = located_message("stack level too deep", failure);
        break;
    default:
        exception_class = class_of(failure->code);
        /* The end of the data is how readers of streams learn to wait: kept as short as Ruby's own. */
        message = failure->code == PH_ERROR_TRUNCATED
                      ? rb_str_new_cstr(text_of(failure->code))
                      : located_message(text_of(failure->code), failure);
    }
    ph_raise_located(exception_class, message, failure->offset, failure->path);
}

void ph_raise_code(ph_error_code code, uint64_t offset)
{
    ph_failure failure = {
        .kind = PH_FAILURE_CORE, .code = code, .offset = offset, .ext_type = 0, .path = Qnil};
    ph_raise_failure(&failure);
}

/* call-seq: offset -> Integer or nil
 *
 * Bytes from the start of the input (of the stream, for streams) to the value that failed. */
static VALUE located_offset(VALUE self)
{
    return rb_attr_get(self, id_offset);
}

/* call-seq: path -> String or nil
 *
 * Where in the tree: "$" is the value itself, "$[2]" an element, "$.name" the value of a key. */
static VALUE located_path(VALUE self)
{
    return rb_attr_get(self, id_path);
}

void ph_init_errors(void)
{
    id_offset = rb_intern("@offset");
    id_path = rb_intern("@path");

    VALUE located = rb_define_module_under(ph_module, "Located");
    rb_define_method(located, "offset", located_offset, 0);
    rb_define_method(located, "path", located_path, 0);

    VALUE type_error = rb_define_module_under(ph_module, "TypeError");
    ph_error_unpack = rb_define_class_under(ph_module, "UnpackError", rb_eStandardError);
    rb_include_module(ph_error_unpack, located);
    ph_error_malformed = rb_define_class_under(ph_module, "MalformedFormatError", ph_error_unpack);
    ph_error_stack = rb_define_class_under(ph_module, "StackError", ph_error_unpack);
    ph_error_limit = rb_define_class_under(ph_module, "LimitError", ph_error_unpack);
    ph_error_unexpected_type =
        rb_define_class_under(ph_module, "UnexpectedTypeError", ph_error_unpack);
    rb_include_module(ph_error_unexpected_type, type_error);
    ph_error_unknown_ext_type =
        rb_define_class_under(ph_module, "UnknownExtTypeError", ph_error_unpack);
    ph_error_truncated = rb_define_class_under(ph_module, "TruncatedError", rb_eEOFError);
    rb_include_module(ph_error_truncated, located);
}
