/* The json gem's options, for reading and writing. */
#include "json_text/json_generate.h"
#include "json_text/json_parse.h"

#define DEFAULT_NESTING 100

/* What pretty_generate writes. */
static VALUE pretty_indent;
static VALUE pretty_space;
static VALUE pretty_break;

static uint32_t nesting_of(VALUE value)
{
    if (!RTEST(value)) {
        return UINT32_MAX;
    }
    long depth = NUM2LONG(value);
    return depth <= 0 || depth > (long)UINT32_MAX ? UINT32_MAX : (uint32_t)depth;
}

static int set_option(VALUE key, VALUE value, VALUE argument)
{
    ph_json_parse_options *options = (ph_json_parse_options *)argument;
    const char *name = SYMBOL_P(key) ? rb_id2name(SYM2ID(key)) : "";
    bool set = RTEST(value);
    if (strcmp(name, "symbolize_names") == 0) {
        options->symbolize_names = set;
    } else if (strcmp(name, "freeze") == 0) {
        options->freeze = set;
    } else if (strcmp(name, "key_cache") == 0) {
        options->use_key_cache = set;
    } else if (strcmp(name, "max_nesting") == 0) {
        options->max_nesting = nesting_of(value);
    } else if (strcmp(name, "allow_nan") == 0) {
        options->allow_nan = set;
    } else if (strcmp(name, "allow_trailing_comma") == 0 || strcmp(name, "allow_comments") == 0) {
        options->relaxed = options->relaxed || set;
    } else if (strcmp(name, "allow_duplicate_key") == 0) {
        options->allow_duplicate_key = set;
    } else if (strcmp(name, "object_class") == 0) {
        options->object_class = value == rb_cHash ? Qnil : value;
    } else if (strcmp(name, "array_class") == 0) {
        options->array_class = value == rb_cArray ? Qnil : value;
    } else if (strcmp(name, "decimal_class") == 0) {
        options->decimal_class = value;
    } else if (strcmp(name, "on_load") == 0) {
        options->on_load = value;
    } else if (strcmp(name, "quirks_mode") != 0 && (strcmp(name, "create_additions") != 0 || set)) {
        /* Those two: harmless, and still given by programs written for older versions. */
        rb_raise(rb_eArgError, "unknown keyword: %+" PRIsVALUE, key);
    }
    return ST_CONTINUE;
}

void ph_json_parse_options_set(ph_json_parse_options *options, VALUE hash)
{
    *options = (ph_json_parse_options){.use_key_cache = true,
                                       .max_nesting = DEFAULT_NESTING,
                                       .object_class = Qnil,
                                       .array_class = Qnil,
                                       .decimal_class = Qnil,
                                       .on_load = Qnil};
    if (!NIL_P(hash)) {
        Check_Type(hash, T_HASH);
        rb_hash_foreach(hash, set_option, (VALUE)options);
    }
}

static VALUE text_or_nil(VALUE value)
{
    if (NIL_P(value)) {
        return Qnil;
    }
    Check_Type(value, T_STRING);
    return RSTRING_LEN(value) == 0 ? Qnil : value;
}

static bool set_layout(ph_json_generate_options *options, const char *name, VALUE value)
{
    if (strcmp(name, "indent") == 0) {
        options->indent = text_or_nil(value);
    } else if (strcmp(name, "space") == 0) {
        options->space = text_or_nil(value);
    } else if (strcmp(name, "space_before") == 0) {
        options->space_before = text_or_nil(value);
    } else if (strcmp(name, "object_nl") == 0) {
        options->object_nl = text_or_nil(value);
    } else if (strcmp(name, "array_nl") == 0) {
        options->array_nl = text_or_nil(value);
    } else {
        return false;
    }
    return true;
}

static int set_generate_option(VALUE key, VALUE value, VALUE argument)
{
    ph_json_generate_options *options = (ph_json_generate_options *)argument;
    const char *name = SYMBOL_P(key) ? rb_id2name(SYM2ID(key)) : "";
    bool set = RTEST(value);
    if (set_layout(options, name, value)) {
        return ST_CONTINUE;
    }
    if (strcmp(name, "allow_nan") == 0) {
        options->allow_nan = set;
    } else if (strcmp(name, "strict") == 0) {
        options->strict = set;
    } else if (strcmp(name, "ascii_only") == 0) {
        options->ascii_only = set;
    } else if (strcmp(name, "script_safe") == 0 || strcmp(name, "escape_slash") == 0) {
        options->script_safe = options->script_safe || set;
    } else if (strcmp(name, "sort_keys") == 0) {
        options->sort_keys = set;
    } else if (strcmp(name, "allow_duplicate_key") == 0) {
        options->allow_duplicate_key = set;
    } else if (strcmp(name, "as_json") == 0) {
        options->as_json = set ? value : Qnil;
    } else if (strcmp(name, "max_nesting") == 0) {
        options->max_nesting = nesting_of(value);
    } else if (strcmp(name, "depth") == 0) {
        options->depth = NUM2UINT(value);
    } else if (strcmp(name, "buffer_initial_length") != 0 && strcmp(name, "quirks_mode") != 0) {
        rb_raise(rb_eArgError, "unknown keyword: %+" PRIsVALUE, key);
    }
    return ST_CONTINUE;
}

/* The number of spaces that an indentation consists of, or -1. */
static int count_spaces(VALUE indent)
{
    if (NIL_P(indent)) {
        return 0;
    }
    for (long at = 0; at < RSTRING_LEN(indent); at++) {
        if (RSTRING_PTR(indent)[at] != ' ') {
            return -1;
        }
    }
    return RSTRING_LEN(indent) > 16 ? -1 : (int)RSTRING_LEN(indent);
}

static bool is_line_break(VALUE text)
{
    return !NIL_P(text) && RSTRING_LEN(text) == 1 && RSTRING_PTR(text)[0] == '\n';
}

void ph_json_generate_options_add(ph_json_generate_options *options, VALUE hash)
{
    if (!NIL_P(hash)) {
        Check_Type(hash, T_HASH);
        rb_hash_foreach(hash, set_generate_option, (VALUE)options);
    }
    options->more_escapes = options->ascii_only || options->script_safe;
    options->pretty = !NIL_P(options->indent) || !NIL_P(options->space) ||
                      !NIL_P(options->space_before) || !NIL_P(options->object_nl) ||
                      !NIL_P(options->array_nl);
    bool usual = is_line_break(options->object_nl) && is_line_break(options->array_nl);
    options->spaces = usual ? count_spaces(options->indent) : -1;
}

void ph_json_generate_options_pretty(ph_json_generate_options *options)
{
    options->indent = pretty_indent;
    options->space = pretty_space;
    options->object_nl = pretty_break;
    options->array_nl = pretty_break;
}

void ph_json_generate_options_set(ph_json_generate_options *options, VALUE hash)
{
    *options = (ph_json_generate_options){.max_nesting = DEFAULT_NESTING,
                                          .indent = Qnil,
                                          .space = Qnil,
                                          .space_before = Qnil,
                                          .object_nl = Qnil,
                                          .array_nl = Qnil,
                                          .as_json = Qnil,
                                          .spaces = -1};
    if (!NIL_P(hash)) {
        ph_json_generate_options_add(options, hash);
    }
}

static VALUE constant_text(const char *text)
{
    VALUE string = rb_obj_freeze(rb_utf8_str_new_cstr(text));
    rb_gc_register_mark_object(string);
    return string;
}

void ph_init_json_options(void)
{
    pretty_indent = constant_text("  ");
    pretty_space = constant_text(" ");
    pretty_break = constant_text("\n");
}
