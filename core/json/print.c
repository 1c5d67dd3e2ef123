/* Strings that hold what JSON must escape, and strings of fixed width. */
#include "json/print.h"

#include "text/transcode.h"
#include "text/transcode_avx512.h"
#include "json/copy_vectors.h"
#include "json/string_window.h"

PH_INLINE bool is_special(uint32_t unit)
{
    return unit < 0x20 || unit == '"' || unit == '\\';
}

/* Writes the escape of a special character. */
PH_INLINE uint8_t *put_escape(uint8_t *to, uint8_t special)
{
    static const char letters['\\' + 1] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                           ['\r'] = 'r', ['"'] = '"',  ['\\'] = '\\'};
    static const char digits[] = "0123456789abcdef";
    to[0] = '\\';
    to[1] = (uint8_t)letters[special];
    if (PH_LIKELY(to[1] != 0)) {
        return to + 2;
    }
    memcpy(to + 1, "u00", 3);
    to[4] = (uint8_t)digits[special >> 4];
    to[5] = (uint8_t)digits[special & 15];
    return to + 6;
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
    if (!ph_size_multiply(specials, PH_JSON_PER_BYTE - 1, &more) ||
        !ph_size_add(size, more, &room) || !ph_size_add(room, PH_JSON_COPY_ROOM, &room)) {
        return SIZE_MAX;
    }
    return room;
}

/* The bytes of a window that must be escaped. */
PH_INLINE uint64_t window_specials(const uint8_t *text)
{
#if PH_BLOCK_MASK_BITS == 1
    uint64_t specials = 0;
    for (unsigned at = 0; at < PH_STRING_WINDOW_BYTES; at += PH_BLOCK_BYTES) {
        specials |= (uint64_t)ph_block_specials(ph_block_load(text + at)) << at;
    }
    return specials;
#else
    ph_string_window window = ph_string_window_load(text);
    return window.quotes | window.backslashes | window.controls;
#endif
}

/* Copies the `size` bytes between two escapes, sixteen at a time; nothing is read behind `end`. */
PH_INLINE uint8_t *put_between(uint8_t *to, const uint8_t *text, size_t size, const uint8_t *end)
{
    size_t at = 0;
    do {
        if (PH_UNLIKELY(ph_left(text + at, end) < 16)) {
            ph_copy_exact_short(to + at, text + at, size - at);
            break;
        }
        memcpy(to + at, text + at, 16);
        at += 16;
    } while (at < size);
    return to + size;
}

/* Writes the bytes of a window from `from` to `count`, of which those in `specials` are escaped. */
PH_INLINE uint8_t *put_window(uint8_t *to, const uint8_t *text, const uint8_t *end,
                              uint64_t specials, size_t from, size_t count)
{
    for (; specials != 0; specials &= specials - 1) {
        size_t at = (size_t)__builtin_ctzll(specials);
        to = put_between(to, text + from, at - from, end);
        to = put_escape(to, text[at]);
        from = at + 1;
    }
    return put_between(to, text + from, count - from, end);
}

/* A text that is shorter than a window. */
static uint8_t *put_escaped_short(uint8_t *to, const uint8_t *text, size_t size)
{
    uint8_t window[PH_STRING_WINDOW_BYTES + 16] = {0};
    size_t at = 0;
    for (; size - at >= 16; at += 16) {
        memcpy(window + at, text + at, 16);
    }
    ph_copy_exact_short(window + at, text + at, size - at);
    uint64_t specials = window_specials(window) & (((uint64_t)1 << size) - 1);
    return put_window(to, window, window + sizeof window, specials, 0, size);
}

uint8_t *ph_json_put_escaped(uint8_t *to, const uint8_t *text, size_t size)
{
    const uint8_t *end = text + size;
    if (size < PH_STRING_WINDOW_BYTES) {
        return size == 0 ? to : put_escaped_short(to, text, size);
    }
    for (; ph_left(text, end) >= PH_STRING_WINDOW_BYTES; text += PH_STRING_WINDOW_BYTES) {
        to = put_window(to, text, end, window_specials(text), 0, PH_STRING_WINDOW_BYTES);
    }
    if (text == end) {
        return to;
    }
    /* The last window overlaps the one before it. */
    size_t done = PH_STRING_WINDOW_BYTES - ph_left(text, end);
    text = end - PH_STRING_WINDOW_BYTES;
    uint64_t specials = window_specials(text) & ~(uint64_t)0 << done;
    return put_window(to, text, end, specials, done, PH_STRING_WINDOW_BYTES);
}

/* count units of at most `per_unit` bytes each, and what escapes need beyond that. */
static size_t room_of(size_t count, size_t per_unit, size_t specials)
{
    size_t plain;
    size_t more;
    size_t room;
    if (!ph_size_multiply(count, per_unit, &plain) ||
        !ph_size_multiply(specials, PH_JSON_PER_BYTE - per_unit, &more) ||
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
