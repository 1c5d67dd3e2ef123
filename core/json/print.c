/* Strings that hold what JSON must escape, and strings of fixed width. */
#include "json/print.h"

#include "text/transcode.h"

/* Six is the longest escape, \u00XX. */
#define ESCAPE_ROOM 6

PH_INLINE bool is_special(uint32_t unit)
{
    return unit < 0x20 || unit == '"' || unit == '\\';
}

/* Writes the escape of a special character. */
PH_INLINE uint8_t *put_escape(uint8_t *to, uint8_t special)
{
    static const char letters[32] = {[8] = 'b', [9] = 't', [10] = 'n', [12] = 'f', [13] = 'r'};
    static const char digits[] = "0123456789abcdef";
    *to++ = '\\';
    if (special >= 0x20) {
        *to++ = special;
    } else if (letters[special] != 0) {
        *to++ = (uint8_t)letters[special];
    } else {
        memcpy(to, "u00", 3);
        to[3] = (uint8_t)digits[special >> 4];
        to[4] = (uint8_t)digits[special & 15];
        to += 5;
    }
    return to;
}

size_t ph_json_escaped_room(const uint8_t *text, size_t size)
{
    size_t specials = 0;
    for (size_t at = 0; at < size; at++) {
        specials += is_special(text[at]);
    }
    size_t more;
    size_t room;
    if (!ph_size_multiply(specials, ESCAPE_ROOM - 1, &more) || !ph_size_add(size, more, &room) ||
        !ph_size_add(room, PH_JSON_COPY_ROOM, &room)) {
        return SIZE_MAX;
    }
    return room;
}

uint8_t *ph_json_put_escaped(uint8_t *to, const uint8_t *text, size_t size)
{
    while (size != 0) {
        size_t clean = ph_json_copy_clean(to, text, size);
        to += clean;
        text += clean;
        size -= clean;
        while (size != 0 && is_special(*text)) {
            to = put_escape(to, *text++);
            size--;
        }
    }
    return to;
}

/* count units of at most `per_unit` bytes each, and what escapes need beyond that. */
static size_t room_of(size_t count, size_t per_unit, size_t specials)
{
    size_t plain;
    size_t more;
    size_t room;
    if (!ph_size_multiply(count, per_unit, &plain) ||
        !ph_size_multiply(specials, ESCAPE_ROOM - per_unit, &more) ||
        !ph_size_add(plain, more, &room)) {
        return SIZE_MAX;
    }
    return room;
}

/* No unit of Latin-1 can fail. */
PH_INLINE uint8_t *encode_latin1(uint8_t *to, const uint8_t *units, size_t count, size_t *bad_unit)
{
    (void)bad_unit;
    return ph_utf8_encode_latin1(to, units, count);
}

/* The three widths differ in the type of their units only. Clean runs are encoded whole, found
 * sixteen units at a time in loops that compilers make vectors of. */
#define DEFINE_WIDTH(name, unit_type, per_unit, encode)                                          \
 size_t ph_json_##name##_room(const unit_type *units, size_t count)                              \
 {                                                                                               \
  size_t specials = 0;                                                                           \
  for (size_t at = 0; at < count; at++) {                                                        \
   specials += is_special(units[at]);                                                            \
  }                                                                                              \
  return room_of(count, per_unit, specials);                                                     \
 }                                                                                               \
                                                                                                 \
 static size_t next_special_##name(const unit_type *units, size_t at, size_t count)              \
 {                                                                                               \
  while (count - at >= 16) {                                                                     \
   unsigned found = 0;                                                                           \
   for (size_t i = 0; i < 16; i++) {                                                             \
    found |= is_special(units[at + i]);                                                          \
   }                                                                                             \
   if (found != 0) {                                                                             \
    break;                                                                                       \
   }                                                                                             \
   at += 16;                                                                                     \
  }                                                                                              \
  while (at < count && !is_special(units[at])) {                                                 \
   at++;                                                                                         \
  }                                                                                              \
  return at;                                                                                     \
 }                                                                                               \
                                                                                                 \
 static uint8_t *put_##name(uint8_t *to, const unit_type *units, size_t count, size_t *bad_unit) \
 {                                                                                               \
  size_t at = 0;                                                                                 \
  for (;;) {                                                                                     \
   size_t clean_end = next_special_##name(units, at, count);                                     \
   to = encode(to, units + at, clean_end - at, bad_unit);                                        \
   if (PH_UNLIKELY(to == NULL)) {                                                                \
    *bad_unit += at;                                                                             \
    return NULL;                                                                                 \
   }                                                                                             \
   for (at = clean_end; at < count && is_special(units[at]); at++) {                             \
    to = put_escape(to, (uint8_t)units[at]);                                                     \
   }                                                                                             \
   if (at == count) {                                                                            \
    return to;                                                                                   \
   }                                                                                             \
  }                                                                                              \
 }

DEFINE_WIDTH(latin1, uint8_t, PH_UTF8_PER_LATIN1, encode_latin1)
DEFINE_WIDTH(ucs2, uint16_t, PH_UTF8_PER_UCS2, ph_utf8_encode_ucs2)
DEFINE_WIDTH(ucs4, uint32_t, PH_UTF8_PER_UCS4, ph_utf8_encode_ucs4)

uint8_t *ph_json_put_latin1(uint8_t *to, const uint8_t *units, size_t count)
{
    size_t no_bad_unit;
    return put_latin1(to, units, count, &no_bad_unit);
}

uint8_t *ph_json_put_ucs2(uint8_t *to, const uint16_t *units, size_t count, size_t *bad_unit)
{
    return put_ucs2(to, units, count, bad_unit);
}

uint8_t *ph_json_put_ucs4(uint8_t *to, const uint32_t *units, size_t count, size_t *bad_unit)
{
    return put_ucs4(to, units, count, bad_unit);
}
