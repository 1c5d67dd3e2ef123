/* Learning shapes, finding them again, and building dicts from them. */
#include "objects/shape.h"

#include "wire/formats.h"
#include "wire/keyslot.h"

/* Candidates looked at in a family before giving up: families are small unless input is hostile. */
#define CHAIN_MAX 16

/* Without the GIL, objects shared by results of several threads would be counted under contention. */
#ifdef Py_GIL_DISABLED
# define REUSE_FIRST 0
#else
# define REUSE_FIRST PH_REUSE_START
#endif

void ph_shape_table_init(ph_shape_table *table, ph_key_writer write_key, bool counted,
                         const ph_object_samples *samples)
{
    memset(table, 0, sizeof *table);
    table->write_key = write_key;
    table->counted = counted;
    table->samples = samples;
}

static void shape_free(ph_shape *shape)
{
#if PH_FAST_PATH
    ph_dict_template_clear(&shape->dict);
#endif
    for (uint32_t i = 0; i < shape->count; i++) {
        Py_XDECREF(shape->fields[i].key);
        Py_XDECREF(shape->fields[i].last_text);
    }
    Py_XDECREF(shape->sample);
    PyMem_Free(shape->wire);
    PyMem_Free(shape);
}

void ph_shape_table_clear(ph_shape_table *table)
{
    for (uint32_t i = 0; i < PH_SHAPE_SLOTS; i++) {
        if (table->by_sequence[i] != NULL) {
            shape_free(table->by_sequence[i]);
        }
    }
    ph_shape_table_init(table, table->write_key, table->counted, table->samples);
}

/* The hash of a family: how many pairs (0 where the format does not say), and how the first key
 * begins on the wire: four bytes, or two where a counted format's key has so few. */
static uint32_t family_of(const ph_shape_table *table, uint32_t count, const uint8_t *position,
                          size_t left)
{
    if (left < 2) {
        return count;
    }
    uint32_t first = (uint32_t)position[0] << 8 | position[1];
    bool short_key = table->counted && position[0] < (PH_FORMAT_FIXSTR | 3u);
    if (!short_key && left >= 4) {
        first |= (uint32_t)position[2] << 24 | (uint32_t)position[3] << 16;
    }
    uint32_t mixed = (first ^ count * UINT32_C(0x85ebca6b)) * UINT32_C(0x9e3779b1);
    return mixed >> 15 ^ mixed;
}

static ph_shape *family_head(const ph_shape_table *table, uint32_t family)
{
    return table->by_family[family & (PH_SHAPE_SLOTS - 1)];
}

ph_shape *ph_shape_at(const ph_shape_table *table, uint32_t count, const uint8_t *position,
                      const uint8_t *end)
{
    uint32_t family = family_of(table, count, position, ph_left(position, end));
    ph_shape *shape = family_head(table, family);
    for (int i = 0; shape != NULL && i < CHAIN_MAX; i++, shape = shape->next) {
        if ((!table->counted || shape->count == count) &&
            ph_shape_field_matches(shape, shape->fields, position, end)) {
            return shape;
        }
    }
    return NULL;
}

static bool same_beginning(const ph_shape *a, const ph_shape *b, uint32_t length)
{
    return memcmp(a->wire, b->wire, length) == 0;
}

/* Bytes that the first `count` keys take on the wire. */
static uint32_t wire_length(const ph_shape *shape, uint32_t count)
{
    if (count == 0) {
        return 0;
    }
    return shape->fields[count - 1].offset + shape->fields[count - 1].length;
}

ph_shape *ph_shape_sibling(const ph_shape_table *table, const ph_shape *shape, uint32_t index,
                           const uint8_t *position, const uint8_t *end)
{
    uint32_t length = wire_length(shape, index);
    ph_shape *other = family_head(table, shape->family);
    for (int i = 0; other != NULL && i < CHAIN_MAX; i++, other = other->next) {
        if (other->count > index && other->fields[index].offset == length &&
            (!table->counted || other->count == shape->count) &&
            ph_shape_field_matches(other, &other->fields[index], position, end) &&
            same_beginning(shape, other, length)) {
            return other;
        }
    }
    return NULL;
}

ph_shape *ph_shape_beginning(const ph_shape_table *table, const ph_shape *shape, uint32_t count)
{
    uint32_t length = wire_length(shape, count);
    ph_shape *other = family_head(table, shape->family);
    for (int i = 0; other != NULL && i < CHAIN_MAX; i++, other = other->next) {
        if (other->count == count && wire_length(other, count) == length &&
            same_beginning(shape, other, length)) {
            return other;
        }
    }
    return NULL;
}

/* 0 when a key can not be hashed, which exact str objects always can. */
static uint64_t sequence_hash(PyObject *const *keys, size_t stride, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        Py_hash_t key_hash = PyObject_Hash(keys[i * stride]);
        hash = ph_keyslot_mix(hash ^ (uint64_t)key_hash, UINT64_C(0xa0761d6478bd642f));
    }
    return hash;
}

static bool same_keys(const ph_shape *shape, PyObject *const *keys, size_t stride)
{
    for (uint32_t i = 0; i < shape->count; i++) {
        PyObject *a = shape->fields[i].key, *b = keys[i * stride];
        if (a != b && PyUnicode_Compare(a, b) != 0) {
            return false;
        }
    }
    return true;
}

static bool distinct(PyObject *const *keys, size_t stride, uint32_t count)
{
    PyObject *set = PySet_New(NULL);
    bool answer = set != NULL;
    for (uint32_t i = 0; answer && i < count; i++) {
        answer = PySet_Add(set, keys[i * stride]) == 0;
    }
    answer = answer && PySet_GET_SIZE(set) == (Py_ssize_t)count;
    Py_XDECREF(set);
    PyErr_Clear();
    return answer;
}

/* Writes the wire forms of all keys; false when one is too long or has no UTF-8 form. */
static bool write_wire(const ph_shape_table *table, ph_shape *shape)
{
    size_t room = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        Py_ssize_t length;
        if (PyUnicode_AsUTF8AndSize(shape->fields[i].key, &length) == NULL ||
            length > PH_KEYSLOT_LENGTH_MAX) {
            return false;
        }
        room += (size_t)length + PH_KEY_WIRE_EXTRA;
    }
    shape->wire = PyMem_Malloc(room);
    if (shape->wire == NULL) {
        return false;
    }
    uint32_t offset = 0;
    for (uint32_t i = 0; i < shape->count; i++) {
        ph_shape_field *field = &shape->fields[i];
        Py_ssize_t length;
        const char *text = PyUnicode_AsUTF8AndSize(field->key, &length);
        field->offset = offset;
        field->length =
            (uint32_t)table->write_key(shape->wire + offset, (const uint8_t *)text, (size_t)length);
        if (field->length == 0) {
            return false;
        }
        size_t head = field->length < 8 ? field->length : 8;
        memcpy(&field->word, shape->wire + offset, head);
        memset(&field->mask, 0xff, head);
        offset += field->length;
    }
    return true;
}

/* A dict of the keys, None for every value; NULL where copying one saves nothing, or without memory. */
static PyObject *sample_dict(PyObject *const *keys, uint32_t count)
{
    PyObject *sample = count > PH_DICT_FIRST_PAIRS ? PyDict_New() : NULL;
    for (uint32_t i = 0; sample != NULL && i < count; i++) {
        if (PyDict_SetItem(sample, keys[i], Py_None) < 0) {
            Py_CLEAR(sample);
        }
    }
    PyErr_Clear();
    return sample;
}

static ph_shape *shape_new(const ph_shape_table *table, PyObject *const *keys, size_t stride,
                           uint32_t count, uint64_t sequence)
{
    ph_shape *shape = PyMem_Calloc(1, sizeof(ph_shape) + count * sizeof(ph_shape_field));
    if (shape == NULL) {
        return NULL;
    }
    shape->count = count;
    shape->sequence = sequence;
    PyObject *plain[PH_SHAPE_FIELDS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        plain[i] = keys[i * stride];
        shape->fields[i].key = Py_NewRef(plain[i]);
        shape->fields[i].reuse = REUSE_FIRST;
        shape->fields[i].pooled = 2 * REUSE_FIRST;
        shape->fields[i].integers = 2 * REUSE_FIRST;
    }
    if (!write_wire(table, shape)) {
        shape_free(shape);
        return NULL;
    }
#if PH_FAST_PATH
    if (table->samples->trusted) {
        bool split = count <= PH_SPLIT_KEYS_MAX;
        if (!ph_dict_template_init(&shape->dict, &table->samples->young, plain, count, split)) {
            shape->dict.keys = NULL;
        }
    }
#endif
    shape->sample = table->samples->trusted ? NULL : sample_dict(plain, count);
    return shape;
}

static void insert(ph_shape_table *table, ph_shape *shape, uint32_t slot)
{
    table->by_sequence[slot] = shape;
    uint32_t family = family_of(table, table->counted ? shape->count : 0, shape->wire,
                                wire_length(shape, shape->count));
    shape->family = family;
    ph_shape **head = &table->by_family[family & (PH_SHAPE_SLOTS - 1)];
    shape->next = *head;
    *head = shape;
    table->count++;
}

ph_shape *ph_shape_learn(ph_shape_table *table, PyObject *const *keys, size_t stride,
                         uint32_t count)
{
    uint64_t sequence = sequence_hash(keys, stride, count);
    uint32_t slot = (uint32_t)sequence & (PH_SHAPE_SLOTS - 1);
    for (; table->by_sequence[slot] != NULL; slot = (slot + 1) & (PH_SHAPE_SLOTS - 1)) {
        ph_shape *shape = table->by_sequence[slot];
        if (shape->sequence == sequence && shape->count == count &&
            same_keys(shape, keys, stride)) {
            return shape;
        }
    }
    uint32_t *seen = &table->seen[sequence >> 48 & (PH_SHAPE_SEEN - 1)];
    if (*seen != (uint32_t)sequence) {
        *seen = (uint32_t)sequence;
        return NULL;
    }
    if (table->count == PH_SHAPES_MAX) {
        table->refused++;
        return NULL;
    }
    if (!distinct(keys, stride, count)) {
        return NULL;
    }
    ph_shape *shape = shape_new(table, keys, stride, count, sequence);
    if (shape == NULL) {
        PyErr_Clear();
        return NULL;
    }
    insert(table, shape, slot);
    return shape;
}

/* By public calls; takes over the values' references. A copy has its final size from the start. */
static PyObject *build_plainly(const ph_shape *shape, PyObject *const *values)
{
    PyObject *dict = shape->sample != NULL ? PyDict_Copy(shape->sample) : PyDict_New();
    for (uint32_t i = 0; i < shape->count; i++) {
        if (dict != NULL && PyDict_SetItem(dict, shape->fields[i].key, values[i]) < 0) {
            Py_CLEAR(dict);
        }
        Py_DECREF(values[i]);
    }
    return dict;
}

PyObject *ph_shape_dict(const ph_shape *shape, PyObject **values)
{
#if PH_FAST_PATH
    if (PH_LIKELY(shape->dict.keys != NULL)) {
        return ph_dict_from_template(&shape->dict, values);
    }
#endif
    PyObject *dict = build_plainly(shape, values);
    ph_dict_values_free(values, shape->count);
    return dict;
}

PyObject *ph_shape_build(const ph_shape *shape, PyObject *const *values)
{
#if PH_FAST_PATH
    if (PH_LIKELY(shape->dict.keys != NULL)) {
        PyObject **room = ph_dict_values_new(shape->count);
        if (PH_UNLIKELY(room == NULL)) {
            ph_drop_references(values, shape->count);
            return NULL;
        }
        ph_copy_references(room, values, shape->count);
        return ph_dict_from_template(&shape->dict, room);
    }
#endif
    return build_plainly(shape, values);
}
