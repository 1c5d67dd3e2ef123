/* The one room for what Ruby does not promise: flonum bits, and where a Hash keeps its values.
 *
 * Each use is compiled for the versions whose layout is known, tried on real objects when the
 * extension is loaded (ph_layout_check), and replaced by public calls where anything differs. */
#ifndef PH_RUBY_LAYOUT_H
#define PH_RUBY_LAYOUT_H

#include "packhorse.h"

typedef struct ph_layout {
    bool flonum; /* ph_float_new and ph_float_value may work on the bits */
    bool hash;   /* ph_layout_fill_hash may write into a fresh copy of a Hash */
} ph_layout;

extern ph_layout ph_layout_known;

/* Finds out what holds on this Ruby. Call once, from Init. */
void ph_layout_check(void);

/* The Float of a double: a flonum where Ruby would make one. */
PH_INLINE VALUE ph_float_new(double number)
{
#if USE_FLONUM && SIZEOF_VALUE == 8
    uint64_t bits = ph_bits_from_double(number);
    unsigned high = (unsigned)(bits >> 60) & 7;
    if (PH_LIKELY((high == 3 || high == 4) && bits != UINT64_C(0x3000000000000000) &&
                  ph_layout_known.flonum)) {
        return (VALUE)(((bits << 3 | bits >> 61) & ~(uint64_t)3) | 2);
    }
#endif
    return DBL2NUM(number);
}

/* The double of a flonum; `value` is one. */
PH_INLINE double ph_flonum_value(VALUE value)
{
#if USE_FLONUM && SIZEOF_VALUE == 8
    if (PH_LIKELY(value != (VALUE)0x8000000000000002 && ph_layout_known.flonum)) {
        uint64_t bits = (2 - ((uint64_t)value >> 63)) | ((uint64_t)value & ~(uint64_t)3);
        return ph_double_from_bits(bits >> 3 | bits << 61);
    }
#endif
    return RFLOAT_VALUE(value);
}

/* Freezes what this extension has just made: a plain object without singleton class. */
PH_INLINE void ph_freeze_fresh(VALUE object)
{
#if RUBY_API_VERSION_CODE < 30500
    RB_OBJ_FREEZE_RAW(object);
#else
    rb_obj_freeze(object);
#endif
}

/* The items of an Array, good until the next allocation. */
PH_INLINE const VALUE *ph_array_items(VALUE array)
{
#ifdef RARRAY_CONST_PTR_TRANSIENT
    return RARRAY_CONST_PTR_TRANSIENT(array);
#else
    return RARRAY_CONST_PTR(array);
#endif
}

/* Writes values[1], values[3], ... into `hash`, in its order. Only when ph_layout_known.hash; `hash`
 * is a copy just made of a Hash of `pairs` pairs from which nothing was ever deleted, and nothing has
 * been allocated since: a young object needs no write barrier. */
void ph_layout_fill_hash(VALUE hash, const VALUE *values, size_t pairs);

#endif
