/* What a decoder remembers from earlier values: decoded keys, shapes, shared objects.
 *
 * A cache belongs to one call at a time: it is taken at the start of a decoding and given back at
 * its end. Code that runs in hooks and decodes in turn, or another thread, takes another one. So no
 * lock is needed, and nothing that a decoding holds can be changed beneath it. */
#ifndef PH_PYTHON_OBJECTS_READER_CACHE_H
#define PH_PYTHON_OBJECTS_READER_CACHE_H

#include "module.h"
#include "objects/objects.h"
#include "objects/shape.h"

#include "wire/keyslot.h"

/* Keys are interned before anybody sees them, as msgpack does, as long as most keys repeat; when most
 * are new, and in JSON, whose readers do not intern, a key is interned when it is found for the
 * second time. So it is always where interned strings are immortal (3.12 and free-threaded builds):
 * keys that never repeat must not stay for ever. */
#if defined(Py_GIL_DISABLED) || (PY_VERSION_HEX >= 0x030c0000 && PY_VERSION_HEX < 0x030d0000)
# define PH_INTERNED_IMMORTAL 1
#else
# define PH_INTERNED_IMMORTAL 0
#endif

typedef struct ph_key_slot {
    PyObject *key;        /* owned exact str; NULL: free */
    const uint8_t *bytes; /* its UTF-8: within the str when that is ASCII, else a copy owned here */
    uint32_t hash;
    uint32_t length;
} ph_key_slot;

/* Texts that fields of shapes share with other fields, or with records before the last one. */
#define PH_TEXT_POOL 1024

/* Integers likewise. */
#define PH_INTEGER_POOL_BITS 9

typedef struct ph_pooled_integer {
    uint64_t value;   /* 0: free */
    PyObject *object; /* owned */
} ph_pooled_integer;

typedef struct ph_reader_cache {
    ph_object_samples samples;
    ph_keyslot_policy policy;
    bool interns_at_once; /* the format's readers give interned keys */
    ph_shape_table shapes;
    PyObject *texts[PH_TEXT_POOL]; /* owned ASCII str, by hash; NULL: free */
    ph_pooled_integer integers[1 << PH_INTEGER_POOL_BITS]; /* by hash */
    uint8_t next_way[PH_KEYSLOT_SETS];                     /* where a set's next key goes */
    ph_key_slot slots[PH_KEYSLOT_COUNT];
} ph_reader_cache;

/* Frees the idle caches of an interpreter, when the module goes. */
void ph_reader_caches_clear(ph_module_state *state);

/* The slow halves of the two functions below. */
ph_reader_cache *ph_reader_cache_take_any(ph_module_state *state, ph_reader_format format);
void ph_reader_cache_give_back_any(ph_module_state *state, ph_reader_format format,
                                   ph_reader_cache *cache);

/* A cache for the caller alone; NULL with MemoryError set. */
PH_INLINE ph_reader_cache *ph_reader_cache_take(ph_module_state *state, ph_reader_format format)
{
#ifndef Py_GIL_DISABLED
    ph_reader_cache *cache = state->reader_caches[format][0];
    if (PH_LIKELY(cache != NULL)) {
        state->reader_caches[format][0] = NULL;
        ph_shape_table_settle(&cache->shapes);
        return cache;
    }
#endif
    return ph_reader_cache_take_any(state, format);
}

PH_INLINE void ph_reader_cache_give_back(ph_module_state *state, ph_reader_format format,
                                         ph_reader_cache *cache)
{
#ifndef Py_GIL_DISABLED
    if (PH_LIKELY(state->reader_caches[format][0] == NULL)) {
        state->reader_caches[format][0] = cache;
        return;
    }
#endif
    ph_reader_cache_give_back_any(state, format, cache);
}

/* Makes the str of a key that was not found and stores it; a new reference, NULL with an exception
 * set. `errors` as in ph_text_from_utf8: text that needs the handler is not stored. */
PyObject *ph_key_add(ph_reader_cache *cache, const uint8_t *bytes, size_t length, uint32_t hash,
                     const char *errors);

/* Takes a key out again whose value never arrived (borrowed; any object). */
void ph_key_forget(ph_reader_cache *cache, PyObject *key);

/* Interns the key of a slot, which may exchange it for an equal string interned before. */
void ph_key_intern(ph_key_slot *slot);

/* The str of a field's text that is not the field's last one: from the pool, or made and pooled.
 * length 2 to PH_REUSE_LENGTH_MAX; field->pooled not 0. NULL as ph_text_from_utf8. */
PyObject *ph_text_from_pool(ph_reader_cache *cache, ph_shape_field *field, const uint8_t *bytes,
                            size_t length, const char *errors);

/* The str of a field's text: its last one if that is equal, or one of the pool, or a new one. */
PH_INLINE PyObject *ph_text_from_field(ph_reader_cache *cache, ph_shape_field *field,
                                       const uint8_t *bytes, size_t length, const char *errors)
{
    if (field->reuse == 0 && field->pooled == 0) {
        return ph_text_from_utf8(&cache->samples, bytes, length, errors);
    }
    if (length - 2 > PH_REUSE_LENGTH_MAX - 2) {
        return ph_text_from_utf8(&cache->samples, bytes, length, errors);
    }
    if (field->reuse != 0) {
        PyObject *last = ph_shape_field_text(field, bytes, length);
        if (last != NULL) {
            return Py_NewRef(last);
        }
    }
    PyObject *text = field->pooled != 0 ? ph_text_from_pool(cache, field, bytes, length, errors)
                                        : ph_text_from_utf8(&cache->samples, bytes, length, errors);
    if (PH_LIKELY(text != NULL) && field->reuse != 0) {
        ph_shape_field_note(field, text);
    }
    return text;
}

/* The slow half of the function below: makes the int and puts it into the slot. */
PyObject *ph_integer_to_pool(ph_reader_cache *cache, ph_shape_field *field, ph_pooled_integer *slot,
                             uint64_t value);

/* The int of a value of `field` (NULL: of none). Records refer to each other by numbers, which are
 * therefore often the same: such a field shares its ints. */
PH_INLINE PyObject *ph_integer_from_field(ph_reader_cache *cache, ph_shape_field *field,
                                          uint64_t value)
{
    if (field == NULL || field->integers == 0 || value < PH_SMALL_INTEGERS) {
        return ph_integer_from_unsigned(&cache->samples, value);
    }
    uint64_t hash = value * UINT64_C(0x9e3779b97f4a7c15);
    ph_pooled_integer *slot = &cache->integers[hash >> (64 - PH_INTEGER_POOL_BITS)];
    if (slot->value != value) {
        return ph_integer_to_pool(cache, field, slot, value);
    }
    if (field->integers < 2 * PH_REUSE_START) {
        field->integers++; /* a miss costs as much as a hit saves */
    }
    return Py_NewRef(slot->object);
}

/* The str of a key's `length` bytes; a new reference, NULL with an exception set. */
PH_INLINE PyObject *ph_key_from_utf8(ph_reader_cache *cache, const uint8_t *bytes, size_t length,
                                     const char *errors)
{
    if (PH_UNLIKELY(length > PH_KEYSLOT_LENGTH_MAX) || !ph_keyslot_awake(&cache->policy)) {
        return ph_text_from_utf8(&cache->samples, bytes, length, errors);
    }
    uint32_t hash = ph_keyslot_hash(bytes, length);
    ph_key_slot *slot = &cache->slots[ph_keyslot_first(hash)];
    for (int way = 0; way < PH_KEYSLOT_WAYS; way++, slot++) {
        if (slot->hash == hash && slot->length == length && slot->key != NULL &&
            ph_keyslot_equal(slot->bytes, bytes, length)) {
            ph_keyslot_hit(&cache->policy);
            if (PH_UNLIKELY(!PyUnicode_CHECK_INTERNED(slot->key))) {
                ph_key_intern(slot);
            }
            return Py_NewRef(slot->key);
        }
    }
    return ph_key_add(cache, bytes, length, hash, errors);
}

#endif
