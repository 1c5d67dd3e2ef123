/* class Factory: a registry of ext types, and packers and unpackers that use it. */
#include "classes/ext_types.h"
#include "classes/one_shot.h"
#include "classes/packer.h"
#include "classes/unpacker.h"

typedef struct ph_factory {
    VALUE types;
} ph_factory;

static void mark_factory(void *pointer)
{
    rb_gc_mark_movable(((ph_factory *)pointer)->types);
}

static void compact_factory(void *pointer)
{
    ph_factory *factory = pointer;
    factory->types = rb_gc_location(factory->types);
}

static size_t size_of_factory(const void *pointer)
{
    const ph_factory *factory = pointer;
    return sizeof *factory + ph_ext_types_memory(factory->types);
}

/* A frozen Factory whose procs are shareable is shareable: its registry never changes again. */
static const rb_data_type_t factory_type = {
    .wrap_struct_name = "Packhorse::Factory",
    .function = {.dmark = mark_factory,
                 .dfree = RUBY_DEFAULT_FREE,
                 .dsize = size_of_factory,
                 .dcompact = compact_factory},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE,
};

static ph_factory *factory_get(VALUE self)
{
    return rb_check_typeddata(self, &factory_type);
}

VALUE ph_factory_types(VALUE self)
{
    return factory_get(self)->types;
}

static VALUE allocate(VALUE klass)
{
    ph_factory *factory;
    VALUE self = TypedData_Make_Struct(klass, ph_factory, &factory_type, factory);
    RB_OBJ_WRITE(self, &factory->types, ph_ext_types_none());
    return self;
}

static VALUE initialize_copy(VALUE self, VALUE other)
{
    RB_OBJ_WRITE(self, &factory_get(self)->types, ph_ext_types_share(factory_get(other)->types));
    return self;
}

static VALUE freeze(VALUE self)
{
    VALUE types = factory_get(self)->types;
    ph_ext_types_share(types);
    rb_obj_freeze(types);
    return rb_obj_freeze(self);
}

/* call-seq: packer(io = nil, options = nil) -> Packer */
static VALUE packer(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    ph_scan_io_and_options(argc, argv, &io, &options);
    return ph_packer_new(io, options, factory_get(self)->types);
}

/* call-seq: unpacker(io = nil, options = nil) -> Unpacker */
static VALUE unpacker(int argc, VALUE *argv, VALUE self)
{
    VALUE io, options;
    ph_scan_io_and_options(argc, argv, &io, &options);
    return ph_unpacker_new(io, options, factory_get(self)->types);
}

/* call-seq: dump(object, io = nil, options = nil) -> String, or nil with io */
static VALUE dump(int argc, VALUE *argv, VALUE self)
{
    return ph_dump(argc, argv, factory_get(self)->types);
}

/* call-seq: load(string_or_io, options = nil) */
static VALUE load(int argc, VALUE *argv, VALUE self)
{
    return ph_load(argc, argv, factory_get(self)->types);
}

static VALUE registered_types(VALUE self)
{
    VALUE types = factory_get(self)->types;
    return rb_ary_new_from_args(2, ph_ext_types_packers(types), ph_ext_types_unpackers(types));
}

/* register_type_internal(id, class_or_module, packer, unpacker, flags) */
static VALUE register_type(VALUE self, VALUE id, VALUE module, VALUE pack, VALUE unpack,
                           VALUE flags)
{
    ph_check_not_frozen(self);
    int type = ph_ext_type_id(id);
    ph_factory *factory = factory_get(self);
    VALUE types = ph_ext_types_writable(factory->types);
    int bits = NUM2INT(flags);
    if (!NIL_P(pack)) {
        ph_ext_types_add_packer(types, type, module, pack, bits);
    }
    if (!NIL_P(unpack)) {
        ph_ext_types_add_unpacker(types, type, module, unpack, bits);
    }
    RB_OBJ_WRITE(self, &factory->types, types);
    return Qnil;
}

void ph_init_factory(void)
{
    VALUE klass = rb_define_class_under(ph_module, "Factory", rb_cObject);
    ph_class_factory = klass;
    rb_define_alloc_func(klass, allocate);
    rb_define_method(klass, "initialize_copy", initialize_copy, 1);
    rb_define_method(klass, "freeze", freeze, 0);
    rb_define_method(klass, "packer", packer, -1);
    rb_define_method(klass, "unpacker", unpacker, -1);
    rb_define_method(klass, "dump", dump, -1);
    rb_define_alias(klass, "pack", "dump");
    rb_define_method(klass, "load", load, -1);
    rb_define_alias(klass, "unpack", "load");
    rb_define_private_method(klass, "registered_types_internal", registered_types, 0);
    rb_define_private_method(klass, "register_type_internal", register_type, 5);
    rb_define_const(klass, "RECURSIVE", INT2FIX(PH_EXT_RECURSIVE));
    rb_define_const(klass, "OVERSIZED_INTEGER", INT2FIX(PH_EXT_OVERSIZED_INTEGER));
    rb_define_const(klass, "SYMBOL", INT2FIX(PH_EXT_SYMBOL));
    rb_funcall(klass, rb_intern("private_constant"), 3, ID2SYM(rb_intern("RECURSIVE")),
               ID2SYM(rb_intern("OVERSIZED_INTEGER")), ID2SYM(rb_intern("SYMBOL")));
}
