/* The extension's entry: the module, its classes, and what is looked up once. */
#include "encode/encode.h"
#include "packhorse.h"
#include "runtime/object_place.h"
#include "runtime/ruby_layout.h"

VALUE ph_module;
VALUE ph_class_packer;
VALUE ph_class_unpacker;
VALUE ph_class_buffer;
VALUE ph_class_factory;
VALUE ph_class_timestamp;
VALUE ph_class_extension_value;

rb_encoding *ph_encoding_utf8;
rb_encoding *ph_encoding_binary;
int ph_index_utf8;
int ph_index_binary;
int ph_index_ascii;

RUBY_FUNC_EXPORTED void Init_packhorse(void);

void Init_packhorse(void)
{
#ifdef HAVE_RB_EXT_RACTOR_SAFE
    rb_ext_ractor_safe(true);
#endif
    ph_encoding_utf8 = rb_utf8_encoding();
    ph_encoding_binary = rb_ascii8bit_encoding();
    ph_index_utf8 = rb_utf8_encindex();
    ph_index_binary = rb_ascii8bit_encindex();
    ph_index_ascii = rb_usascii_encindex();
    ph_layout_check();

    /* The module may exist under the name MessagePack already: see lib/packhorse/msgpack.rb. */
    ph_module = rb_define_module("Packhorse");
    rb_gc_register_mark_object(ph_module);
    ph_class_extension_value =
        rb_struct_define_under(ph_module, "ExtensionValue", "type", "payload", NULL);

    ph_init_ractor_state();
    ph_init_errors();
    ph_init_object_place();
    ph_init_byte_queue();
    ph_init_ext_types();
    ph_init_buffer();
    ph_init_packer();
    ph_init_unpacker();
    ph_init_factory();
    ph_init_timestamp();
    ph_init_bigint();
    ph_init_module_functions();
    ph_init_json();
}
