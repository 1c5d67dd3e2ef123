/* Reading option Hashes. */
#include "decode/decode.h"
#include "packhorse.h"

VALUE ph_option(VALUE options, const char *name)
{
    return rb_hash_lookup2(options, ID2SYM(rb_intern(name)), Qundef);
}

bool ph_option_set(VALUE options, const char *name)
{
    if (NIL_P(options)) {
        return false;
    }
    VALUE value = ph_option(options, name);
    return value != Qundef && RTEST(value);
}

void ph_scan_io_and_options(int argc, const VALUE *argv, VALUE *io, VALUE *options)
{
    rb_check_arity(argc, 0, 2);
    *io = argc > 0 ? argv[0] : Qnil;
    *options = argc > 1 ? argv[1] : Qnil;
    if (argc == 1 && RB_TYPE_P(*io, T_HASH)) {
        *options = *io;
        *io = Qnil;
    }
    if (!NIL_P(*options)) {
        Check_Type(*options, T_HASH);
    }
}

void ph_check_not_frozen(VALUE object)
{
    if (RB_OBJ_FROZEN(object)) {
        rb_raise(rb_eFrozenError, "can't modify frozen %s", rb_obj_classname(object));
    }
}

/* Sets *limit from limits[name]; nil is no limit. */
static bool set_limit(VALUE limits, const char *name, uint64_t *limit)
{
    VALUE value = ph_option(limits, name);
    if (value == Qundef) {
        return false;
    }
    *limit = NIL_P(value) ? PH_NO_LIMIT : NUM2ULL(value);
    return true;
}

static void set_limits(ph_decode_options *options, VALUE limits)
{
    Check_Type(limits, T_HASH);
    uint64_t depth = options->limits.depth;
    if (set_limit(limits, "depth", &depth)) {
        options->limits.depth = depth > UINT32_MAX ? UINT32_MAX : (uint32_t)depth;
    }
    set_limit(limits, "buffered_bytes", &options->limits.buffered_bytes);
    bool strings = set_limit(limits, "string_bytes", &options->limits.string_bytes);
    bool binaries = set_limit(limits, "binary_bytes", &options->limits.binary_bytes);
    bool arrays = set_limit(limits, "array_elements", &options->limits.array_elements);
    bool maps = set_limit(limits, "map_entries", &options->limits.map_entries);
    bool exts = set_limit(limits, "ext_bytes", &options->limits.ext_bytes);
    options->limited = strings || binaries || arrays || maps || exts;
}

void ph_decode_options_set(ph_decode_options *options, VALUE hash)
{
    options->freeze = false;
    options->symbolize_keys = false;
    options->allow_unknown_ext = false;
    options->use_key_cache = true;
    options->limited = false;
    options->limits = ph_limits_default();
    /* Programs written for the msgpack gem read values of any size from an IO. */
    options->limits.buffered_bytes = PH_NO_LIMIT;
    if (NIL_P(hash)) {
        return;
    }
    Check_Type(hash, T_HASH);
    options->freeze = ph_option_set(hash, "freeze");
    options->symbolize_keys = ph_option_set(hash, "symbolize_keys");
    options->allow_unknown_ext = ph_option_set(hash, "allow_unknown_ext");
    VALUE key_cache = ph_option(hash, "key_cache");
    options->use_key_cache = key_cache == Qundef || RTEST(key_cache);
    VALUE limits = ph_option(hash, "limits");
    if (limits != Qundef && !NIL_P(limits)) {
        set_limits(options, limits);
    }
}
