/* Strings that hold what JSON must escape, and strings of fixed width. */
#include "json/print.h"

#include "text/transcode.h"
#include "text/transcode_avx512.h"
#include "json/copy_vectors.h"

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

size_t ph_json_copy_clean_long(uint8_t *to, const uint8_t *text, size_t size)
{
#if defined(PH_HAS_AVX512_VARIANT)
    if (size >= 64 && ph_cpu_has_avx512()) {
        return copy_clean_avx512(to, text, size);
    }
#endif
#if defined(PH_HAS_AVX2_VARIANT)
    if (size >= 64 && ph_cpu_has_avx2()) {
        return copy_clean_avx2(to, text, size);
    }
#endif
    return ph_json_copy_clean(to, text, size);
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
        !ph_size_add(plain, more, &room) || !ph_size_add(room, PH_UTF8_ENCODE_ROOM, &room)) {
        return SIZE_MAX;
    }
    return room;
}

/* The three widths differ in the type of their units only. Without AVX-512 a clean run is found first,
 * sixteen units at a time in loops that compilers make vectors of, and then encoded. */
#define DEFINE_WIDTH(name, unit_type, per_unit)                                            \
 size_t ph_json_##name##_room(const unit_type *units, size_t count)                        \
 {                                                                                         \
  size_t specials = 0;                                                                     \
  for (size_t at = 0; at < count; at++) {                                                  \
   specials += is_special(units[at]);                                                      \
  }                                                                                        \
  return room_of(count, per_unit, specials);                                               \
 }                                                                                         \
                                                                                           \
 static size_t clean_##name(const unit_type *units, size_t count)                          \
 {                                                                                         \
  size_t at = 0;                                                                           \
  while (count - at >= 16) {                                                               \
   unsigned found = 0;                                                                     \
   for (size_t i = 0; i < 16; i++) {                                                       \
    found |= is_special(units[at + i]);                                                    \
   }                                                                                       \
   if (found != 0) {                                                                       \
    break;                                                                                 \
   }                                                                                       \
   at += 16;                                                                               \
  }                                                                                        \
  while (at < count && !is_special(units[at])) {                                           \
   at++;                                                                                   \
  }                                                                                        \
  return at;                                                                               \
 }                                                                                         \
                                                                                           \
 ph_encoded ph_json_encode_clean_##name##_in_two(uint8_t *to, const unit_type *units,      \
                                                 size_t count)                             \
 {                                                                                         \
  return ph_utf8_encode_##name(to, units, clean_##name(units, count));                     \
 }                                                                                         \
                                                                                           \
 ph_encoded ph_json_encode_clean_##name(uint8_t *to, const unit_type *units, size_t count) \
 {                                                                                         \
  USE_AVX512(name)                                                                         \
  return ph_json_encode_clean_##name##_in_two(to, units, count);                           \
 }                                                                                         \
                                                                                           \
 uint8_t *ph_json_put_##name(uint8_t *to, const unit_type *units, size_t count)            \
 {                                                                                         \
  size_t at = 0;                                                                           \
  for (;;) {                                                                               \
   ph_encoded clean = ph_json_encode_clean_##name(to, units + at, count - at);             \
   to = clean.end;                                                                         \
   at += clean.units;                                                                      \
   if (at == count) {                                                                      \
    return to;                                                                             \
   }                                                                                       \
   if (PH_UNLIKELY(!is_special(units[at]))) {                                              \
    return NULL;                                                                           \
   }                                                                                       \
   while (at < count && is_special(units[at])) {                                           \
    to = put_escape(to, (uint8_t)units[at++]);                                             \
   }                                                                                       \
  }                                                                                        \
 }

#if defined(PH_HAS_AVX512_VARIANT)
# define DEFINE_AVX512(name, unit_type)                                                            \
  PH_AVX512 static PH_NOINLINE ph_encoded avx512_clean_##name(uint8_t *to, const unit_type *units, \
                                                              size_t count)                        \
  {                                                                                                \
   return encode_##name##_avx512(to, units, count, true);                                          \
  }
# define USE_AVX512(name)                        \
  if (PH_LIKELY(ph_cpu_has_avx512())) {          \
   return avx512_clean_##name(to, units, count); \
  }
DEFINE_AVX512(latin1, uint8_t)
DEFINE_AVX512(ucs2, uint16_t)
DEFINE_AVX512(ucs4, uint32_t)
#else
# define USE_AVX512(name)
#endif

DEFINE_WIDTH(latin1, uint8_t, PH_UTF8_PER_LATIN1)
DEFINE_WIDTH(ucs2, uint16_t, PH_UTF8_PER_UCS2)
DEFINE_WIDTH(ucs4, uint32_t, PH_UTF8_PER_UCS4)
