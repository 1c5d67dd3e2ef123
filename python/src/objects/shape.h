/* Shapes: maps whose sequence of keys has been seen before are recognised byte for byte.
 *
 * A shape is a sequence of distinct str keys. It knows the bytes that each key has on the wire, so
 * that a key is recognised by comparing words, without hashing or looking up; and it builds the dict
 * in one step, from a copied key block where private layouts may be used. Each place where a map can
 * stand (a field of a shape, the root, the elements of an array) remembers the shape it held last
 * and predicts it again. A sequence becomes a shape when it is seen for the second time. */
#ifndef PH_PYTHON_OBJECTS_SHAPE_H
#define PH_PYTHON_OBJECTS_SHAPE_H

#include "cpython_build.h"

#include "base/bytes.h"
#include "wire/keyslot.h"

#define PH_SHAPE_FIELDS_MAX  250  /* maps with more pairs have no shape */
#define PH_SHAPES_MAX        512  /* shapes in one table */
#define PH_SHAPE_SLOTS       2048 /* power of two, four times PH_SHAPES_MAX */
#define PH_SHAPE_STRAY_SITES 16
#define PH_SHAPE_SEEN        1024 /* power of two: sequences remembered as seen once */

struct ph_shape;

/* Where a map can stand; holds the shape to predict there, or NULL. */
typedef struct ph_shape *ph_shape_site;

/* One key. word and mask: the first up to 8 bytes of its wire form and which of them count. */
typedef struct ph_shape_field {
    uint64_t word;
    uint64_t mask;
    uint32_t offset; /* of the wire form within ph_shape.wire */
    uint32_t length; /* of the wire form, bytes */
    PyObject *key;   /* owned */
    ph_shape_site site;
    PyObject *last_text; /* owned ASCII str, the value seen here last; NULL: none */
    uint16_t reuse;      /* how far reuse of the last text has proved itself here; 0: given up */
    uint16_t pooled;     /* the same for the pool of texts */
    uint16_t integers;   /* the same for the pool of integers */
} ph_shape_field;

/* Fields often hold the same short string again: the name of a status, a time zone, whatever all
 * records share. The last one is kept and compared first. A hit saves an object; where hits are
 * rarer than one in five the field gives up, so that data that never repeats pays a few dozen
 * comparisons a field and no more. */
#define PH_REUSE_LENGTH_MAX 128
#define PH_REUSE_START      32
#define PH_REUSE_HIT        4

/* The last text of `field` if it equals the `length` bytes given (borrowed), otherwise NULL. */
PH_INLINE PyObject *ph_shape_field_text(ph_shape_field *field, const uint8_t *bytes, size_t length)
{
    PyObject *last = field->last_text;
    if (last == NULL || (size_t)PyUnicode_GET_LENGTH(last) != length ||
        !ph_keyslot_equal(PyUnicode_1BYTE_DATA(last), bytes, length)) {
        return NULL;
    }
    if (field->reuse < PH_REUSE_START) {
        field->reuse = (uint16_t)(field->reuse + PH_REUSE_HIT);
    }
    return last;
}

/* Notes that `text` (borrowed exact str) was made for `field` because its last one did not fit. */
PH_INLINE void ph_shape_field_note(ph_shape_field *field, PyObject *text)
{
    field->reuse--;
    PyObject *last = field->last_text;
    field->last_text = PyUnicode_IS_ASCII(text) && field->reuse != 0 ? Py_NewRef(text) : NULL;
    Py_XDECREF(last);
}

typedef struct ph_shape {
    uint32_t count;
    uint32_t family;       /* hash of the count and the first wire bytes */
    struct ph_shape *next; /* in its family chain */
    uint64_t sequence;     /* hash of all keys */
    uint8_t *wire;         /* all wire forms, one behind the other */
    PyObject *sample;      /* owned dict of the keys, to be copied by public calls; NULL: none */
#if PH_FAST_PATH
    ph_dict_template dict; /* keys NULL: build by public calls */
#endif
    ph_shape_field fields[];
} ph_shape;

/* The wire form of a key in a format: writes it to `to` (room for length +
 * PH_KEY_WIRE_EXTRA bytes) and returns how long it is, 0 when the
 * format has no single form for this key. `text` is the key's UTF-8. */
#define PH_KEY_WIRE_EXTRA 16
typedef size_t (*ph_key_writer)(uint8_t *to, const uint8_t *text, size_t length);

/* The shapes of one reader cache. They live until the table is reset, which only happens between
 * two decodings, so that a site never dangles. */
typedef struct ph_shape_table {
    ph_shape *by_sequence[PH_SHAPE_SLOTS]; /* open addressing */
    ph_shape *by_family[PH_SHAPE_SLOTS];   /* heads of chains */
    uint32_t seen[PH_SHAPE_SEEN];          /* upper half of sequence hashes seen once */
    uint32_t count;
    uint32_t refused; /* sequences that found the table full since the last reset */
    ph_shape_site root;
    ph_shape_site stray[PH_SHAPE_STRAY_SITES]; /* for values of maps without a shape, by depth */
    const ph_object_samples *samples;          /* borrowed; whether private layouts may be used */
    bool counted; /* the format says how many pairs follow, before the first key */
    ph_key_writer write_key;
} ph_shape_table;

/* An empty table for a format: how it writes keys, and whether its maps are counted. The samples must
 * outlive the table. */
void ph_shape_table_init(ph_shape_table *table, ph_key_writer write_key, bool counted,
                         const ph_object_samples *samples);

/* Frees every shape. Must not run while a decoding uses the table. */
void ph_shape_table_clear(ph_shape_table *table);

/* Between decodings: makes room when the table is full and many new sequences came by. */
PH_INLINE void ph_shape_table_settle(ph_shape_table *table)
{
    if (PH_UNLIKELY(table->refused > 4 * PH_SHAPES_MAX)) {
        ph_shape_table_clear(table);
    }
}

/* True when `field` of `shape` stands at `position`. Reads nothing from `end` on. */
PH_INLINE bool ph_shape_field_matches(const ph_shape *shape, const ph_shape_field *field,
                                      const uint8_t *position, const uint8_t *end)
{
    size_t left = ph_left(position, end);
    if (PH_UNLIKELY(left < 8)) {
        return field->length <= left &&
               ph_keyslot_equal(position, shape->wire + field->offset, field->length);
    }
    if ((ph_load_native64(position) & field->mask) != field->word) {
        return false;
    }
    size_t length = field->length;
    if (length <= 8) {
        return true;
    }
    if (PH_UNLIKELY(left < length)) {
        return false;
    }
    const uint8_t *wire = shape->wire + field->offset;
    for (size_t at = 8; at + 8 < length; at += 8) {
        if (ph_load_native64(position + at) != ph_load_native64(wire + at)) {
            return false;
        }
    }
    return ph_load_native64(position + length - 8) == ph_load_native64(wire + length - 8);
}

/* A shape whose first key stands at `position`, of `count` pairs if the format counts them (0 if it
 * does not); NULL: none. */
ph_shape *ph_shape_at(const ph_shape_table *table, uint32_t count, const uint8_t *position,
                      const uint8_t *end);

/* Another shape that begins with the same `index` keys as `shape` (index is at most its count) and
 * has, as key `index`, the one at `position`; NULL: none. In a counted format it has as many pairs as `shape`. */
ph_shape *ph_shape_sibling(const ph_shape_table *table, const ph_shape *shape, uint32_t index,
                           const uint8_t *position, const uint8_t *end);

/* The shape of exactly the first `count` keys (1 or more) of `shape`; NULL: none. */
ph_shape *ph_shape_beginning(const ph_shape_table *table, const ph_shape *shape, uint32_t count);

/* The shape of a sequence of keys, learnt now if this is the second time it is seen; NULL: none.
 * keys: `count` (1 to PH_SHAPE_FIELDS_MAX) exact str objects, borrowed, `stride` pointers apart.
 * Never leaves an exception set. */
ph_shape *ph_shape_learn(ph_shape_table *table, PyObject *const *keys, size_t stride,
                         uint32_t count);

/* A new dict of the shape's keys and `values`, whose references are taken over in any case; NULL
 * with an exception set. ph_shape_dict takes values in room of ph_dict_values_new, and the room too. */
PyObject *ph_shape_build(const ph_shape *shape, PyObject *const *values);
PyObject *ph_shape_dict(const ph_shape *shape, PyObject **values);

#endif
