/* The registry of ext types. */
#include "classes/ext_types.h"

#include "runtime/ractor_state.h"

static VALUE no_types;

static void mark_types(void *pointer)
{
    ph_ext_types *types = pointer;
    rb_gc_mark(types->packers);
    if (types->unpacker_count != 0) {
        for (size_t at = 0; at < 256; at++) {
            if (types->unpackers[at] != Qfalse) {
                rb_gc_mark(types->unpackers[at]);
            }
        }
    }
}

static size_t size_of_types(const void *pointer)
{
    (void)pointer;
    return sizeof(ph_ext_types);
}

static const rb_data_type_t types_data = {
    .wrap_struct_name = "Packhorse::ExtTypes",
    .function = {.dmark = mark_types, .dfree = RUBY_DEFAULT_FREE, .dsize = size_of_types},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE,
};

static ph_ext_types *writable(VALUE types)
{
    return RTYPEDDATA_DATA(types);
}

const ph_ext_types *ph_ext_types_get(VALUE types)
{
    return RTYPEDDATA_DATA(types);
}

VALUE ph_identity_hash_new(void)
{
    return rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0);
}

VALUE ph_ext_types_new(void)
{
    ph_ext_types *types;
    VALUE object = TypedData_Make_Struct(0, ph_ext_types, &types_data, types);
    types->packers = Qnil;
    VALUE packers = ph_identity_hash_new();
    RB_OBJ_WRITE(object, &types->packers, packers);
    return object;
}

VALUE ph_ext_types_none(void)
{
    return no_types;
}

VALUE ph_ext_types_share(VALUE types)
{
    writable(types)->shared = true;
    return types;
}

VALUE ph_ext_types_writable(VALUE object)
{
    const ph_ext_types *types = ph_ext_types_get(object);
    if (!types->shared) {
        return object;
    }
    VALUE copy = ph_ext_types_new();
    ph_ext_types *made = writable(copy);
    VALUE packers = rb_hash_dup(types->packers);
    RB_OBJ_WRITE(copy, &made->packers, packers);
    for (size_t at = 0; at < 256; at++) {
        if (types->unpackers[at] != Qfalse) {
            RB_OBJ_WRITE(copy, &made->unpackers[at], types->unpackers[at]);
        }
    }
    made->packer_count = types->packer_count;
    made->unpacker_count = types->unpacker_count;
    made->has_symbol = types->has_symbol;
    made->has_oversized_integer = types->has_oversized_integer;
    return copy;
}

static VALUE frozen_entry(VALUE first, VALUE proc, int flags)
{
    VALUE number = LONG2FIX(ph_ractor_state_get()->number);
    return rb_obj_freeze(rb_ary_new_from_args(4, first, proc, INT2FIX(flags), number));
}

void ph_ext_types_add_packer(VALUE object, int type, VALUE module, VALUE proc, int flags)
{
    ph_ext_types *types = writable(object);
    rb_hash_aset(types->packers, module, frozen_entry(INT2FIX(type), proc, flags));
    types->packer_count = (uint32_t)RHASH_SIZE(types->packers);
    if (module == rb_cSymbol) {
        types->has_symbol = true;
    }
    if (module == rb_cInteger) {
        types->has_oversized_integer = (flags & PH_EXT_OVERSIZED_INTEGER) != 0;
    }
}

void ph_ext_types_add_unpacker(VALUE object, int type, VALUE module, VALUE proc, int flags)
{
    ph_ext_types *types = writable(object);
    VALUE entry = frozen_entry(module, proc, flags);
    VALUE *place = &types->unpackers[(uint8_t)type];
    if (*place == Qfalse) {
        types->unpacker_count++;
    }
    RB_OBJ_WRITE(object, place, entry);
}

/* The entry of the first registered class or module among the ancestors, or Qnil. */
static VALUE find_ancestor(VALUE packers, VALUE module)
{
    VALUE ancestors = rb_mod_ancestors(module);
    VALUE entry = Qnil;
    for (long at = 0; at < RARRAY_LEN(ancestors) && NIL_P(entry); at++) {
        entry = rb_hash_lookup(packers, RARRAY_AREF(ancestors, at));
    }
    RB_GC_GUARD(ancestors);
    return entry;
}

static VALUE find_ancestor_cached(VALUE packers, VALUE module, VALUE *cache, VALUE owner)
{
    /* Singleton classes would stay in the cache for nothing. */
    if (RB_FL_TEST_RAW(module, RUBY_FL_SINGLETON)) {
        return find_ancestor(packers, module);
    }
    if (NIL_P(*cache)) {
        VALUE made = ph_identity_hash_new();
        *cache = made;
        if (owner != Qfalse) {
            RB_OBJ_WRITTEN(owner, Qundef, made);
        }
    }
    VALUE entry = rb_hash_lookup2(*cache, module, Qundef);
    if (entry == Qundef) {
        entry = find_ancestor(packers, module);
        rb_hash_aset(*cache, module, entry);
    }
    return entry;
}

ph_ext_packer ph_ext_types_find_packer(VALUE object, VALUE value, VALUE *cache, VALUE owner)
{
    ph_ext_packer found = {.entry = Qfalse, .type = 0, .flags = 0};
    const ph_ext_types *types = ph_ext_types_get(object);
    if (types->packer_count == 0) {
        return found;
    }
    VALUE module = rb_class_of(value);
    VALUE entry = rb_hash_lookup(types->packers, module);
    if (NIL_P(entry)) {
        entry = find_ancestor_cached(types->packers, module, cache, owner);
    }
    if (!NIL_P(entry)) {
        found.type = (int8_t)FIX2INT(RARRAY_AREF(entry, 0));
        found.entry = entry;
        found.flags = FIX2INT(RARRAY_AREF(entry, 2));
    }
    return found;
}

VALUE ph_ext_types_packers(VALUE types)
{
    return rb_hash_dup(ph_ext_types_get(types)->packers);
}

VALUE ph_ext_types_unpackers(VALUE object)
{
    const ph_ext_types *types = ph_ext_types_get(object);
    VALUE hash = rb_hash_new();
    for (int type = -128; type < 128; type++) {
        if (types->unpackers[(uint8_t)type] != Qfalse) {
            rb_hash_aset(hash, INT2FIX(type), types->unpackers[(uint8_t)type]);
        }
    }
    return hash;
}

size_t ph_ext_types_memory(VALUE object)
{
    const ph_ext_types *types = ph_ext_types_get(object);
    return sizeof *types + (types->packer_count + types->unpacker_count) * 4 * sizeof(VALUE);
}

int ph_ext_type_id(VALUE id)
{
    /* An Integer of any size, but nothing that merely converts to one silently. */
    if (RB_FIXNUM_P(id)) {
        long type = FIX2LONG(id);
        if (type >= -128 && type <= 127) {
            return (int)type;
        }
    } else if (!RB_TYPE_P(id, T_BIGNUM)) {
        return ph_ext_type_id(rb_Integer(id));
    }
    rb_raise(rb_eRangeError, "integer %" PRIsVALUE " too big to convert to `signed char'", id);
}

VALUE ph_ext_call(VALUE entry, int argc, const VALUE *argv)
{
    VALUE proc = RARRAY_AREF(entry, 1);
    if (PH_UNLIKELY(FIX2LONG(RARRAY_AREF(entry, 3)) != ph_ractor_state_get()->number) &&
        !rb_ractor_shareable_p(proc)) {
        VALUE ractor = rb_const_get(rb_cObject, rb_intern("Ractor"));
        rb_raise(rb_const_get(ractor, rb_intern("IsolationError")),
                 "the proc of an ext type is not shareable: make it so with Ractor.make_shareable");
    }
    VALUE result = rb_proc_call_with_block(proc, argc, argv, Qnil);
    RB_GC_GUARD(entry);
    return result;
}

void ph_init_ext_types(void)
{
    no_types = ph_ext_types_share(ph_ext_types_new());
    rb_gc_register_mark_object(no_types);
}
