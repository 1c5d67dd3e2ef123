/* dump and load, and the module functions over the default factory. */
#include "classes/one_shot.h"

#include "classes/ext_types.h"
#include "classes/packer.h"
#include "classes/unpacker.h"

/* Results up to this size never touch a buffer on the heap. */
#define SCRATCH 2048

static VALUE default_factory;

static VALUE dump_to_string(VALUE value, VALUE options, VALUE types)
{
    uint8_t scratch[SCRATCH];
    ph_encoder encoder;
    ph_encoder_init(&encoder, Qfalse, Qnil, options, types);
    ph_byte_queue_use_scratch(&encoder.queue, scratch, sizeof scratch);
    ph_encode(&encoder, value);
    VALUE string = ph_byte_queue_take(&encoder.queue);
    RB_GC_GUARD(types);
    return string;
}

VALUE ph_dump(int argc, const VALUE *argv, VALUE types)
{
    VALUE value = Qnil;
    VALUE io = Qnil;
    VALUE options = Qnil;
    rb_check_arity(argc, 1, 3);
    value = argv[0];
    if (argc > 1) {
        ph_scan_io_and_options(argc - 1, argv + 1, &io, &options);
    }
    ph_ext_types_share(types);
    if (NIL_P(io)) {
        return dump_to_string(value, options, types);
    }
    VALUE packer = ph_packer_new(io, options, types);
    ph_encoder *encoder = ph_packer_get(packer);
    ph_encode(encoder, value);
    VALUE result = ph_packer_full(encoder);
    RB_GC_GUARD(packer);
    return result;
}

/* What the procs of ext types need during a load. */
typedef struct load_context {
    VALUE child;
    bool child_in_use;
} load_context;

static void commit(void *context, size_t size)
{
    (void)context;
    (void)size;
}

static VALUE nested_unpacker(void *context, const ph_decoder *decoder, const uint8_t *payload,
                             size_t size)
{
    load_context *loading = context;
    loading->child = ph_unpacker_for_payload(loading->child_in_use ? Qfalse : loading->child,
                                             decoder, payload, size);
    loading->child_in_use = true;
    return loading->child;
}

static void nested_done(void *context)
{
    ((load_context *)context)->child_in_use = false;
}

static VALUE load_string(VALUE string, VALUE options, VALUE types)
{
    ph_decode_options decode_options;
    ph_decode_options_set(&decode_options, options);
    if (ph_ext_types_get(types)->unpacker_count != 0) {
        /* Procs will run, and might change the String. */
        string = rb_str_new_frozen(string);
    }
    const uint8_t *start = (const uint8_t *)RSTRING_PTR(string);
    load_context loading = {.child = Qfalse, .child_in_use = false};
    ph_decoder decoder;
    ph_decoder_init(&decoder, start, start + RSTRING_LEN(string), string, &decode_options, types);
    decoder.host.commit = commit;
    decoder.host.nested_unpacker = nested_unpacker;
    decoder.host.nested_done = nested_done;
    decoder.host.context = &loading;
    VALUE value = ph_decode(&decoder);
    if (PH_UNLIKELY(value == Qundef)) {
        ph_raise_failure(&decoder.failure);
    }
    if (PH_UNLIKELY(decoder.position != decoder.end)) {
        VALUE text = rb_sprintf("%" PRIuSIZE " extra bytes after the deserialized object",
                                ph_left(decoder.position, decoder.end));
        ph_raise_located(ph_error_malformed, text, ph_left(start, decoder.position), Qnil);
    }
    RB_GC_GUARD(string);
    return value;
}

VALUE ph_load(int argc, const VALUE *argv, VALUE types)
{
    rb_check_arity(argc, 1, 2);
    VALUE source = argv[0];
    VALUE options = argc > 1 ? argv[1] : Qnil;
    ph_ext_types_share(types);
    if (RB_TYPE_P(source, T_STRING)) {
        return load_string(source, options, types);
    }
    VALUE unpacker = ph_unpacker_new(source, options, types);
    VALUE value = ph_unpacker_full(unpacker);
    RB_GC_GUARD(unpacker);
    return value;
}

/* call-seq: pack(object, io = nil, options = nil) -> String, or nil with io
 *
 * Options: compatibility_mode. */
static VALUE module_pack(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    return ph_dump(argc, argv, ph_factory_types(default_factory));
}

/* call-seq: unpack(string_or_io, options = nil)
 *
 * Options: those of Unpacker.new. */
static VALUE module_unpack(int argc, VALUE *argv, VALUE self)
{
    (void)self;
    return ph_load(argc, argv, ph_factory_types(default_factory));
}

void ph_init_module_functions(void)
{
    default_factory = rb_obj_alloc(ph_class_factory);
    rb_gc_register_mark_object(default_factory);
    rb_define_const(ph_module, "DefaultFactory", default_factory);
    rb_define_module_function(ph_module, "pack", module_pack, -1);
    rb_define_module_function(ph_module, "dump", module_pack, -1);
    rb_define_module_function(ph_module, "unpack", module_unpack, -1);
    rb_define_module_function(ph_module, "load", module_unpack, -1);
}
