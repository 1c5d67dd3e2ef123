/* The pool of reader caches and the slow half of the key cache: storing and forgetting. */
#include "objects/reader_cache.h"

#include "wire/cursor.h"
#include "wire/put.h"

/* The wire form of a map key in MessagePack: a str header and the text. */
static size_t write_msgpack_key(uint8_t *to, const uint8_t *text, size_t length)
{
    uint8_t *payload = ph_put_string_header(to, (uint32_t)length);
    memcpy(payload, text, length);
    return ph_left(to, payload) + length;
}

/* In JSON: quotes around the text, and the colon. Keys that need escapes can be written in so many
 * ways that no shape is made of them. */
static size_t write_json_key(uint8_t *to, const uint8_t *text, size_t length)
{
    *to = '"';
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x20 || text[i] == '"' || text[i] == '\\') {
            return 0;
        }
    }
    memcpy(to + 1, text, length);
    to[length + 1] = '"';
    to[length + 2] = ':';
    return length + 3;
}

/* The object of a token that carries its value in the format byte; NULL for all others. */
static PyObject *immediate_object(const ph_object_samples *samples, const ph_token *token)
{
    switch (token->kind) {
    case PH_TOKEN_NIL: return Py_NewRef(Py_None);
    case PH_TOKEN_FALSE: return Py_NewRef(Py_False);
    case PH_TOKEN_TRUE: return Py_NewRef(Py_True);
    case PH_TOKEN_UNSIGNED: return ph_integer_from_unsigned(samples, token->value.u);
    case PH_TOKEN_SIGNED: return ph_integer_from_signed(samples, token->value.i);
    default: return NULL;
    }
}

/* Asks the cursor which single bytes are whole values, and keeps an object for each. */
static int prepare_immediates(ph_object_samples *samples)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        const uint8_t value[1] = {(uint8_t)byte};
        ph_token token;
        ph_cursor_next(value, value + 1, &token);
        samples->immediates[byte] = immediate_object(samples, &token);
        if (samples->immediates[byte] == NULL && PyErr_Occurred()) {
            return -1;
        }
    }
    return 0;
}

static ph_reader_cache *cache_new(ph_module_state *state, ph_reader_format format)
{
    ph_reader_cache *cache = PyMem_Calloc(1, sizeof *cache);
    if (cache == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    bool msgpack = format == PH_READER_MSGPACK;
    if (ph_object_samples_init(&cache->samples, state->fast_path) < 0 ||
        (msgpack && prepare_immediates(&cache->samples) < 0)) {
        ph_object_samples_clear(&cache->samples);
        PyMem_Free(cache);
        return NULL;
    }
    cache->interns_at_once = msgpack && !PH_INTERNED_IMMORTAL;
    ph_shape_table_init(&cache->shapes, msgpack ? write_msgpack_key : write_json_key, msgpack,
                        &cache->samples);
    return cache;
}

static void slot_clear(ph_key_slot *slot)
{
    PyObject *key = slot->key;
    if (key == NULL) {
        return;
    }
    if (!PyUnicode_IS_ASCII(key)) {
        PyMem_Free((void *)(uintptr_t)slot->bytes);
    }
    slot->key = NULL;
    slot->bytes = NULL;
    Py_DECREF(key);
}

static void cache_free(ph_reader_cache *cache)
{
    for (int i = 0; i < PH_KEYSLOT_COUNT; i++) {
        slot_clear(&cache->slots[i]);
    }
    for (int i = 0; i < PH_TEXT_POOL; i++) {
        Py_CLEAR(cache->texts[i]);
    }
    for (int i = 0; i < 1 << PH_INTEGER_POOL_BITS; i++) {
        Py_CLEAR(cache->integers[i].object);
    }
    ph_shape_table_clear(&cache->shapes);
    ph_object_samples_clear(&cache->samples);
    PyMem_Free(cache);
}

/* Without the GIL two threads may want the same cache. */
static ph_reader_cache *exchange(ph_reader_cache **kept, ph_reader_cache *cache)
{
#ifdef Py_GIL_DISABLED
    return __atomic_exchange_n(kept, cache, __ATOMIC_ACQ_REL);
#else
    ph_reader_cache *before = *kept;
    *kept = cache;
    return before;
#endif
}

ph_reader_cache *ph_reader_cache_take_any(ph_module_state *state, ph_reader_format format)
{
    for (int i = 0; i < PH_READER_CACHES_KEPT; i++) {
        ph_reader_cache **kept = &state->reader_caches[format][i];
        if (__atomic_load_n(kept, __ATOMIC_RELAXED) != NULL) {
            ph_reader_cache *cache = exchange(kept, NULL);
            if (cache != NULL) {
                ph_shape_table_settle(&cache->shapes);
                return cache;
            }
        }
    }
    return cache_new(state, format);
}

void ph_reader_cache_give_back_any(ph_module_state *state, ph_reader_format format,
                                   ph_reader_cache *cache)
{
    for (int i = 0; cache != NULL && i < PH_READER_CACHES_KEPT; i++) {
        ph_reader_cache **kept = &state->reader_caches[format][i];
        if (__atomic_load_n(kept, __ATOMIC_RELAXED) == NULL) {
            cache = exchange(kept, cache);
        }
    }
    if (cache != NULL) {
        cache_free(cache);
    }
}

void ph_reader_caches_clear(ph_module_state *state)
{
    for (int format = 0; format < PH_READER_FORMATS; format++) {
        for (int i = 0; i < PH_READER_CACHES_KEPT; i++) {
            ph_reader_cache *cache = exchange(&state->reader_caches[format][i], NULL);
            if (cache != NULL) {
                cache_free(cache);
            }
        }
    }
}

void ph_key_intern(ph_key_slot *slot)
{
    PyObject *key = Py_NewRef(slot->key);
    PyUnicode_InternInPlace(&key);
    if (key == slot->key) {
        Py_DECREF(key);
        return;
    }
    /* An equal string was interned before: from now on it is the one that is given out. */
    if (PyUnicode_IS_ASCII(key)) {
        slot->bytes = PyUnicode_1BYTE_DATA(key);
    }
    Py_SETREF(slot->key, key);
}

/* The UTF-8 of a key in a slot: within an ASCII str, otherwise a copy; NULL without memory. */
static const uint8_t *slot_bytes(PyObject *key, const uint8_t *bytes, size_t length)
{
    if (PyUnicode_IS_ASCII(key)) {
        return PyUnicode_1BYTE_DATA(key);
    }
    uint8_t *copy = PyMem_Malloc(length);
    if (copy != NULL) {
        memcpy(copy, bytes, length);
    }
    return copy;
}

PyObject *ph_key_add(ph_reader_cache *cache, const uint8_t *bytes, size_t length, uint32_t hash,
                     const char *errors)
{
    ph_keyslot_miss(&cache->policy);
    PyObject *key = ph_text_from_utf8(&cache->samples, bytes, length, errors);
    /* What a handler made of bytes that are not UTF-8 must not be found by those bytes, whose number
     * is not that of its letters, nor by others. */
    if (key == NULL || (errors != NULL && ph_utf8_valid_bytes(bytes, length) != length)) {
        return key;
    }
    if (cache->interns_at_once && !cache->policy.mostly_new) {
        PyUnicode_InternInPlace(&key);
    }
    const uint8_t *kept = slot_bytes(key, bytes, length);
    if (kept == NULL) {
        return key;
    }
    uint32_t first = ph_keyslot_first(hash);
    uint8_t *next = &cache->next_way[first / PH_KEYSLOT_WAYS];
    ph_key_slot *slot = &cache->slots[first + *next];
    *next = (uint8_t)((*next + 1) % PH_KEYSLOT_WAYS);
    slot_clear(slot);
    slot->key = Py_NewRef(key);
    slot->bytes = kept;
    slot->hash = hash;
    slot->length = (uint32_t)length;
    return key;
}

/* Both ends of a text; what lies between is left to the comparison. length 2 or more. */
static uint32_t pool_slot(const uint8_t *bytes, size_t length)
{
    uint64_t first, last;
    if (length >= 8) {
        first = ph_load_native64(bytes);
        last = ph_load_native64(bytes + length - 8);
        if (length >= 24) {
            first ^= ph_load_native64(bytes + length / 2 - 4) * UINT64_C(0x9e3779b97f4a7c15);
            last += ph_load_native64(bytes + length - 16);
        }
    } else if (length >= 4) {
        first = ph_load_native32(bytes);
        last = ph_load_native32(bytes + length - 4);
    } else {
        first = bytes[0];
        last = (uint64_t)bytes[1] << 8 | bytes[length - 1];
    }
    uint64_t hash = ph_keyslot_mix(first ^ UINT64_C(0xe7037ed1a0b428db),
                                   last ^ length ^ UINT64_C(0xa0761d6478bd642f));
    return (uint32_t)(hash >> 32) & (PH_TEXT_POOL - 1);
}

PyObject *ph_text_from_pool(ph_reader_cache *cache, ph_shape_field *field, const uint8_t *bytes,
                            size_t length, const char *errors)
{
    PyObject **slot = &cache->texts[pool_slot(bytes, length)];
    if (*slot != NULL && (size_t)PyUnicode_GET_LENGTH(*slot) == length &&
        ph_keyslot_equal(PyUnicode_1BYTE_DATA(*slot), bytes, length)) {
        if (field->pooled < 2 * PH_REUSE_START) {
            field->pooled++; /* a miss costs as much as a hit saves */
        }
        return Py_NewRef(*slot);
    }
    field->pooled--;
    PyObject *text = ph_text_from_utf8(&cache->samples, bytes, length, errors);
    if (text != NULL && PyUnicode_IS_ASCII(text)) {
        Py_XSETREF(*slot, Py_NewRef(text));
    }
    return text;
}

PyObject *ph_integer_to_pool(ph_reader_cache *cache, ph_shape_field *field, ph_pooled_integer *slot,
                             uint64_t value)
{
    field->integers--;
    PyObject *integer = ph_integer_from_unsigned(&cache->samples, value);
    if (PH_LIKELY(integer != NULL)) {
        slot->value = value;
        Py_XSETREF(slot->object, Py_NewRef(integer));
    }
    return integer;
}

void ph_key_forget(ph_reader_cache *cache, PyObject *key)
{
    if (!PyUnicode_CheckExact(key)) {
        return;
    }
    ph_key_slot *slot = cache->slots;
    int count = PH_KEYSLOT_COUNT;
    if (PyUnicode_IS_ASCII(key)) {
        uint32_t hash =
            ph_keyslot_hash(PyUnicode_1BYTE_DATA(key), (size_t)PyUnicode_GET_LENGTH(key));
        slot += ph_keyslot_first(hash);
        count = PH_KEYSLOT_WAYS;
    }
    for (int i = 0; i < count; i++) {
        if (slot[i].key == key) {
            slot_clear(&slot[i]);
            return;
        }
    }
}
