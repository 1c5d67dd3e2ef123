/* Tries the assumptions of ruby_layout.h on real objects, and fills copied Hashes. */
#include "runtime/ruby_layout.h"

ph_layout ph_layout_known;

#if RUBY_API_VERSION_CODE >= 30100 && RUBY_API_VERSION_CODE < 30500 && SIZEOF_VALUE == 8
# define KNOWN_HASH 1
#else
# define KNOWN_HASH 0
#endif

#if KNOWN_HASH

/* Small Hashes: a hint byte for each of eight pairs, then the pairs. */
typedef struct small_table {
    uint8_t hints[8];
    struct {
        VALUE key;
        VALUE value;
    } pairs[8];
} small_table;

/* An entry of the big Hashes' table, whose entries are in the order of insertion. */
typedef struct big_entry {
    st_index_t hash;
    VALUE key;
    VALUE value;
} big_entry;

# define BIG_TABLE_FLAG RUBY_FL_USER3

static void *table_of(VALUE hash)
{
# if RUBY_API_VERSION_CODE >= 30300
    return (uint8_t *)hash + sizeof(struct RBasic) + sizeof(VALUE);
# else
    void *table;
    memcpy(&table, (uint8_t *)hash + sizeof(struct RBasic), sizeof table);
    return table;
# endif
}

static bool is_big(VALUE hash)
{
    return RB_FL_TEST_RAW(hash, BIG_TABLE_FLAG) != 0;
}

void ph_layout_fill_hash(VALUE hash, const VALUE *values, size_t pairs)
{
    if (is_big(hash)) {
        big_entry *entries = (big_entry *)((struct st_table *)table_of(hash))->entries;
        for (size_t at = 0; at < pairs; at++) {
            entries[at].value = values[2 * at + 1];
        }
    } else {
        small_table *table = table_of(hash);
        for (size_t at = 0; at < pairs; at++) {
            table->pairs[at].value = values[2 * at + 1];
        }
    }
}

/* Whether a copy of a Hash of `pairs` pairs looks as expected; reads before it trusts. */
static bool check_hash(size_t pairs)
{
    VALUE source = rb_hash_new();
    for (size_t at = 0; at < pairs; at++) {
        rb_hash_aset(source, INT2FIX(1000 + (int)at), INT2FIX(2000 + (int)at));
    }
    VALUE copy = rb_hash_dup(source);
    bool big = is_big(copy);
    if (big != (pairs > 8)) {
        return false;
    }
    void *table = table_of(copy);
    for (size_t at = 0; at < pairs; at++) {
        VALUE key, value;
        if (big) {
            struct st_table *whole = table;
            if (whole->num_entries != pairs || whole->entries_start != 0 ||
                whole->entries_bound != pairs) {
                return false;
            }
            big_entry *entries = (big_entry *)whole->entries;
            key = entries[at].key;
            value = entries[at].value;
        } else {
            small_table *whole = table;
            key = whole->pairs[at].key;
            value = whole->pairs[at].value;
        }
        if (key != INT2FIX(1000 + (int)at) || value != INT2FIX(2000 + (int)at)) {
            return false;
        }
    }
    VALUE values[80];
    for (size_t at = 0; at < pairs; at++) {
        values[2 * at] = Qnil;
        values[2 * at + 1] = INT2FIX(3000 + (int)at);
    }
    ph_layout_fill_hash(copy, values, pairs);
    for (size_t at = 0; at < pairs; at++) {
        if (rb_hash_lookup(copy, INT2FIX(1000 + (int)at)) != INT2FIX(3000 + (int)at) ||
            rb_hash_lookup(source, INT2FIX(1000 + (int)at)) != INT2FIX(2000 + (int)at)) {
            return false;
        }
    }
    RB_GC_GUARD(source);
    RB_GC_GUARD(copy);
    return true;
}

#else

void ph_layout_fill_hash(VALUE hash, const VALUE *values, size_t pairs)
{
    (void)hash;
    (void)values;
    (void)pairs;
}

#endif

static bool check_flonum(void)
{
    static const double numbers[] = {0.0,     -0.0,   1.0,       -1.5,    3.141592653589793,
                                     1e100,   -1e-77, 1.8e-77,   5e-324,  1.7976931348623157e308,
                                     1.7e-77, 1e77,   1.2e77,    -1.2e77, 0.1,
                                     2.0,     1e9,    123456.75, 1e-5,    -1e300};
    bool all = true;
    ph_layout_known.flonum = true;
    for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++) {
        VALUE expected = DBL2NUM(numbers[at]);
        VALUE made = ph_float_new(numbers[at]);
        if (RB_FLONUM_P(expected)) {
            all =
                all && made == expected &&
                ph_bits_from_double(ph_flonum_value(expected)) == ph_bits_from_double(numbers[at]);
        } else {
            all = all && !RB_SPECIAL_CONST_P(made) && RB_TYPE_P(made, T_FLOAT);
        }
    }
    return all;
}

void ph_layout_check(void)
{
    ph_layout_known.flonum = check_flonum();
#if KNOWN_HASH
    ph_layout_known.hash =
        check_hash(1) && check_hash(3) && check_hash(8) && check_hash(9) && check_hash(33);
#endif
}
