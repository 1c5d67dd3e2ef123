/* Strings of frozen trees: interned while Strings come again, only frozen while most are new. */
#ifndef PH_RUBY_FROZEN_TEXTS_H
#define PH_RUBY_FROZEN_TEXTS_H

#include "runtime/key_cache.h"

/* To intern a String that the program has never seen takes three times as long as to make it, and
 * gains nothing if it never comes again. So a Ractor watches, in windows of PH_KEYSLOT_WINDOW
 * Strings, how many had been there before:
 *   - half of them or more, and in the first window: all are interned;
 *   - fewer: a String is interned when it comes again (the same object, unless the program has an
 *     equal one by then);
 *   - fewer than an eighth: none is, and none is looked for, until the rest of wire/keyslot.h is over.
 * Short texts are remembered as in a key cache. Of long texts and binaries only a sample of their
 * bytes is, so that they are not kept alive, and they have windows of their own. */
typedef struct ph_frozen_texts {
    ph_key_cache cache;       /* short texts in UTF-8 */
    ph_keyslot_policy others; /* long and binary */
    uint32_t *seen;           /* samples of these; NULL until the first */
} ph_frozen_texts;

void ph_frozen_texts_mark(const ph_frozen_texts *texts);
void ph_frozen_texts_free(ph_frozen_texts *texts);

/* A String of its own, frozen but not interned. encoding is an index. Allocates. */
VALUE ph_frozen_string_new(const uint8_t *bytes, size_t length, int encoding);

/* A short text that is not in the cache. Allocates. */
VALUE ph_frozen_texts_miss(ph_frozen_texts *texts, const uint8_t *bytes, size_t length,
                           uint32_t hash);

/* The text in a slot that was only frozen comes again: interns it. Allocates. */
VALUE ph_frozen_texts_intern(ph_frozen_texts *texts, uint32_t slot);

/* A frozen String of long text, or of bytes in another encoding. Allocates. */
VALUE ph_frozen_texts_other(ph_frozen_texts *texts, const uint8_t *bytes, size_t length,
                            int encoding);

/* A frozen String of UTF-8 text. May allocate. */
PH_INLINE VALUE ph_frozen_texts_get(ph_frozen_texts *texts, const uint8_t *bytes, size_t length)
{
    if (PH_UNLIKELY(length > PH_KEYSLOT_LENGTH_MAX)) {
        return ph_frozen_texts_other(texts, bytes, length, ph_index_utf8);
    }
    if (!ph_keyslot_awake(&texts->cache.policy)) {
        return ph_frozen_string_new(bytes, length, ph_index_utf8);
    }
    uint32_t hash = ph_keyslot_hash(bytes, length);
    uint32_t slot = ph_key_cache_find(&texts->cache, bytes, length, hash);
    if (PH_UNLIKELY(slot == PH_KEYSLOT_COUNT)) {
        return ph_frozen_texts_miss(texts, bytes, length, hash);
    }
    ph_keyslot_hit(&texts->cache.policy);
    const ph_key_set *set = &texts->cache.sets[slot / PH_KEYSLOT_WAYS];
    if (PH_UNLIKELY((set->only_frozen >> slot % PH_KEYSLOT_WAYS & 1) != 0)) {
        return ph_frozen_texts_intern(texts, slot);
    }
    return set->texts[slot % PH_KEYSLOT_WAYS];
}

#endif
