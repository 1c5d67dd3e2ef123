/* Reading numbers and words of JSON arrays window by window. */
#include "json/scalar_batch.h"

#include "text/float_read.h"
#include "text/processor.h"

#if defined(PH_HAS_AVX512_VARIANT)

# include <immintrin.h>

/* A window of the text: which character stands where. Bit n stands for byte n. */
# define WINDOW_BYTES 64u
typedef struct window {
    __m512i bytes;
    __m512i ones; /* of digits 0 to 9 */
    uint64_t digits;
    uint64_t zeros; /* those of them that are 0 */
    uint64_t minuses;
    uint64_t points;
    uint64_t commas;
    /* The others are only looked for where something else stands than the above. */
    uint64_t spaces;  /* JSON's white space */
    uint64_t letters; /* a to z */
    uint64_t opens;   /* [ */
    uint64_t closes;  /* ] */
} window;

/* What of a window can be read. */
typedef struct layout {
    uint64_t starts; /* of values; maybe more of them than ends */
    uint64_t ends;   /* behind values */
    bool is_last;    /* what stands behind the last end is not to be read */
} layout;

/* So many values a window holds at most, one digit and a comma each. */
# define VALUES_IN_WINDOW (WINDOW_BYTES / 2)

/* What the bytes of every window are compared with. Kept in registers: the compiler would make them anew
 * from words each time, which takes longer than the comparison. */
typedef struct patterns {
    __m512i zero;
    __m512i nine;
    __m512i minus;
    __m512i point;
    __m512i comma;
} patterns;

PH_AVX512 static inline patterns make_patterns(void)
{
    patterns made = {_mm512_set1_epi8('0'), _mm512_set1_epi8(9), _mm512_set1_epi8('-'),
                     _mm512_set1_epi8('.'), _mm512_set1_epi8(',')};
    __asm__(""
            : "+v"(made.zero), "+v"(made.nine), "+v"(made.minus), "+v"(made.point),
              "+v"(made.comma));
    return made;
}

PH_AVX512 static inline __mmask64 find_byte(__m512i bytes, char wanted)
{
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(wanted));
}

PH_AVX512 static inline window load_window(const patterns *patterns, const uint8_t *from, bool rows)
{
    window found = {.bytes = _mm512_loadu_si512(from)};
    found.ones = _mm512_sub_epi8(found.bytes, patterns->zero);
    found.digits = _mm512_cmple_epu8_mask(found.ones, patterns->nine);
    found.zeros = _mm512_testn_epi8_mask(found.ones, found.ones);
    found.minuses = _mm512_cmpeq_epi8_mask(found.bytes, patterns->minus);
    found.points = _mm512_cmpeq_epi8_mask(found.bytes, patterns->point);
    found.commas = _mm512_cmpeq_epi8_mask(found.bytes, patterns->comma);
    __asm__(""
            : "+r"(found.digits), "+r"(found.zeros), "+r"(found.minuses), "+r"(found.points),
              "+r"(found.commas));
    if (rows || ~(found.digits | found.minuses | found.points | found.commas) != 0) {
        found.opens = find_byte(found.bytes, '[');
        found.closes = find_byte(found.bytes, ']');
        if (!rows) {
            found.letters = _mm512_cmple_epu8_mask(
                _mm512_sub_epi8(found.bytes, _mm512_set1_epi8('a')), _mm512_set1_epi8('z' - 'a'));
            found.spaces = find_byte(found.bytes, ' ') | find_byte(found.bytes, '\n') |
                           find_byte(found.bytes, '\r') | find_byte(found.bytes, '\t');
        }
    }
    return found;
}

/* Marks what no value may look like, at its end or before. What the window cuts off at its end counts as
 * right: it is read again. */
PH_INLINE uint64_t wrong_values(const window *window, uint64_t starts, uint64_t values)
{
    uint64_t first_digits = (starts & ~window->minuses) | window->minuses << 1;
    uint64_t numbers = window->digits | window->minuses | window->points;
    /* The sum carries from behind a point to the end of the digits. */
    uint64_t second_points = ((window->points << 1) + window->digits) & window->points;
    uint64_t before_digits = (window->points | window->minuses) << 1;
    return second_points | (before_digits & ~window->digits) |
           (window->points & ~(window->digits << 1)) | (window->minuses & values << 1) |
           ((window->zeros & first_digits) << 1 & window->digits) |
           (window->letters << 1 & numbers) | (numbers << 1 & window->letters);
}

/* Only what ends before anything wrong. */
PH_INLINE void cut_layout(layout *found, uint64_t wrong)
{
    found->ends &= (wrong & (0 - wrong)) - 1;
    found->is_last = true;
}

/* Elements of one array, commas between them, white space behind commas. */
PH_INLINE layout lay_out(const window *window)
{
    uint64_t values = window->digits | window->minuses | window->points | window->letters;
    layout found = {values & ~(values << 1), ~values & values << 1, false};
    uint64_t close = window->closes & (0 - window->closes);
    uint64_t up_to_close = (close << 1) - 1;
    uint64_t separators = window->commas | close;
    uint64_t wrong = wrong_values(window, found.starts, values) | (found.ends ^ separators) |
                     ~(values | separators | window->spaces);
    if (PH_UNLIKELY((wrong | close) != 0)) {
        wrong &= up_to_close;
        found.ends &= up_to_close;
        found.is_last = true;
        if (wrong != 0) {
            cut_layout(&found, wrong);
        }
    }
    return found;
}

/* Commas of rows that are read: a bracket may stand behind each. */
# define USABLE_COMMAS (UINT64_MAX >> 1)

/* Elements of arrays that follow each other. */
PH_INLINE layout lay_out_rows(const window *window)
{
    uint64_t values = window->digits | window->minuses | window->points;
    layout found = {values & ~(values << 1), ~values & values << 1, false};
    uint64_t closes = window->closes;
    uint64_t wrong = wrong_values(window, found.starts, values) | (closes & ~found.ends) |
                     (window->commas ^ ((found.ends & ~closes) | closes << 1)) |
                     (window->opens ^ closes << 2) |
                     ~(values | window->commas | closes | window->opens);
    /* What stands between two rows must be seen whole. */
    found.ends &= USABLE_COMMAS & ~(closes & (uint64_t)1 << 62);
    if (PH_UNLIKELY(wrong != 0)) {
        cut_layout(&found, wrong);
    }
    return found;
}

/* The numbers 0 to 63, a byte each. */
PH_AVX512 static inline __m512i counted_bytes(void)
{
    return _mm512_set_epi64(0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928,
                            0x2726252423222120, 0x1F1E1D1C1B1A1918, 0x1716151413121110,
                            0x0F0E0D0C0B0A0908, 0x0706050403020100);
}

/* The kinds of the values, and in *unknown those that are none of the words. starts and sizes: bytes, one
 * for each value. */
PH_AVX512 static inline __m256i read_words(__m256i kinds, __m512i text, __m512i starts,
                                           __m256i sizes, uint64_t words, uint64_t *unknown)
{
    uint64_t nulls = 0, trues = 0, falses = 0;
    __m512i lanes = _mm512_set_epi64(0x0707070706060606, 0x0505050504040404, 0x0303030302020202,
                                     0x0101010100000000, 0x0707070706060606, 0x0505050504040404,
                                     0x0303030302020202, 0x0101010100000000);
    lanes = _mm512_mask_add_epi8(lanes, 0xFFFFFFFF00000000, lanes, _mm512_set1_epi8(8));
    for (unsigned index = 0; index < VALUES_IN_WINDOW && words >> index != 0; index += 16) {
        __m512i places =
            _mm512_add_epi8(_mm512_permutexvar_epi8(lanes, starts), _mm512_set1_epi32(0x03020100));
        __m512i front = _mm512_permutexvar_epi8(places, text);
        __m512i back = _mm512_permutexvar_epi8(_mm512_add_epi8(places, _mm512_set1_epi8(1)), text);
        __mmask16 f = _mm512_cmpeq_epi32_mask(front, _mm512_set1_epi32(0x736C6166)); /* fals */
        f &= _mm512_cmpeq_epi32_mask(back, _mm512_set1_epi32(0x65736C61));           /* alse */
        falses |= (uint64_t)f << index;
        nulls |= (uint64_t)_mm512_cmpeq_epi32_mask(front, _mm512_set1_epi32(0x6C6C756E)) << index;
        trues |= (uint64_t)_mm512_cmpeq_epi32_mask(front, _mm512_set1_epi32(0x65757274)) << index;
        lanes = _mm512_add_epi8(lanes, _mm512_set1_epi8(16));
    }
    uint64_t fours = words & _mm256_cmpeq_epi8_mask(sizes, _mm256_set1_epi8(4));
    falses &= words & _mm256_cmpeq_epi8_mask(sizes, _mm256_set1_epi8(5));
    nulls &= fours;
    trues &= fours;
    *unknown |= words & ~(nulls | trues | falses);
    kinds = _mm256_mask_mov_epi8(kinds, (__mmask32)nulls, _mm256_set1_epi8(PH_TOKEN_NIL));
    kinds = _mm256_mask_mov_epi8(kinds, (__mmask32)trues, _mm256_set1_epi8(PH_TOKEN_TRUE));
    return _mm256_mask_mov_epi8(kinds, (__mmask32)falses, _mm256_set1_epi8(PH_TOKEN_FALSE));
}

/* Integers of up to eight digits, eight of them at a time. digits: the window's, 0 to 9; starts and ends:
 * bytes, one for each value. */
PH_AVX512 static inline void join_short(uint64_t *values, unsigned count, __m512i digits,
                                        __m512i starts, __m512i ends, uint64_t negatives)
{
    __m512i lanes = _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505,
                                     0x0404040404040404, 0x0303030303030303, 0x0202020202020202,
                                     0x0101010101010101, 0);
    for (unsigned index = 0; index < count; index += 8) {
        /* For each the eight bytes before its end, of which those from its start on count. */
        __m512i places = _mm512_add_epi8(_mm512_permutexvar_epi8(lanes, ends),
                                         _mm512_set1_epi64((int64_t)0xFFFEFDFCFBFAF9F8));
        __mmask64 inside = _mm512_cmpge_epi8_mask(places, _mm512_permutexvar_epi8(lanes, starts));
        __m512i ones = _mm512_maskz_permutexvar_epi8(inside, places, digits);
        __m512i pairs = _mm512_maddubs_epi16(ones, _mm512_set1_epi16(10 | 1 << 8));
        __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(100 | 1 << 16));
        __m512i eights = _mm512_add_epi64(_mm512_mul_epu32(fours, _mm512_set1_epi64(10000)),
                                          _mm512_srli_epi64(fours, 32));
        eights = _mm512_mask_sub_epi64(eights, (__mmask8)(negatives >> index),
                                       _mm512_setzero_si512(), eights);
        _mm512_storeu_si512(values + index, eights);
        lanes = _mm512_add_epi8(lanes, _mm512_set1_epi8(8));
    }
}

/* Numbers of up to twenty digits, four of them at a time; a point counts for nothing. Negative are only
 * integers. Returns which of them overflowed by their sign. */
PH_AVX512 static inline uint64_t join_long(uint64_t *values, unsigned count, __m512i digits,
                                           __m512i starts, __m512i points, __m512i ends,
                                           uint64_t negatives)
{
    uint64_t overflows = 0;
    __m512i lanes =
        _mm512_set_epi64(0x0303030303030303, 0x0303030303030303, 0x0202020202020202,
                         0x0202020202020202, 0x0101010101010101, 0x0101010101010101, 0, 0);
    __m512i last_sixteen = _mm512_broadcast_i32x4(
        _mm_set_epi64x((int64_t)0xFFFEFDFCFBFAF9F8, (int64_t)0xF7F6F5F4F3F2F1F0));
    /* The four before them; what else stands there is never inside. */
    __m512i before = _mm512_broadcast_i32x4(
        _mm_set_epi64x((int64_t)0xA0A0A0A0A0A0A0A0, (int64_t)0xEFEEEDECA0A0A0A0));
    __m512i one = _mm512_set1_epi8(1);
    __m512i tens = _mm512_set1_epi16(10 | 1 << 8);
    __m512i hundreds = _mm512_set1_epi32(100 | 1 << 16);
    for (unsigned index = 0; index < count; index += 4) {
        __m512i start = _mm512_permutexvar_epi8(lanes, starts);
        __m512i point = _mm512_permutexvar_epi8(lanes, points);
        __m512i end = _mm512_permutexvar_epi8(lanes, ends);
        __m512i places = _mm512_add_epi8(end, last_sixteen);
        places = _mm512_mask_sub_epi8(places, _mm512_cmple_epi8_mask(places, point), places, one);
        __mmask64 inside = _mm512_cmpge_epi8_mask(places, start);
        __m512i ones = _mm512_maskz_permutexvar_epi8(inside, places, digits);
        __m512i fours = _mm512_madd_epi16(_mm512_maddubs_epi16(ones, tens), hundreds);
        __m512i eights = _mm512_madd_epi16(_mm512_packus_epi32(fours, fours),
                                           _mm512_set1_epi32(10000 | 1 << 16));
        __m512i value = _mm512_add_epi64(_mm512_mul_epu32(eights, _mm512_set1_epi64(100000000)),
                                         _mm512_srli_epi64(eights, 32));
        places = _mm512_add_epi8(end, before);
        places = _mm512_mask_sub_epi8(places, _mm512_cmple_epi8_mask(places, point), places, one);
        inside = _mm512_cmpge_epi8_mask(places, start);
        ones = _mm512_maskz_permutexvar_epi8(inside, places, digits);
        fours = _mm512_madd_epi16(_mm512_maddubs_epi16(ones, tens), hundreds);
        __m512i front =
            _mm512_mullo_epi64(_mm512_srli_epi64(fours, 32), _mm512_set1_epi64(10000000000000000));
        value = _mm512_add_epi64(value, front);
        value = _mm512_permutexvar_epi64(_mm512_set_epi64(0, 0, 0, 0, 6, 4, 2, 0), value);
        __mmask8 minus = (__mmask8)(negatives >> index) & 15;
        overflows |= (uint64_t)(_mm512_movepi64_mask(value) & minus) << index;
        value = _mm512_mask_sub_epi64(value, minus, _mm512_setzero_si512(), value);
        _mm256_storeu_si256((__m256i *)(void *)(values + index), _mm512_castsi512_si256(value));
        lanes = _mm512_add_epi8(lanes, _mm512_set1_epi8(4));
    }
    return overflows;
}

# define SHORT_DIGITS   8
# define DIGITS_IN_WORD 19 /* any number of so many digits fits in 64 bits */

/* Reads the values of a window, as long as they are usual, the first of them into value `at` of the
 * batch; found->ends is what was read. Returns how many. */
PH_AVX512 static inline unsigned read_values(ph_json_batch *batch, unsigned at,
                                             const window *window, layout *found, bool rows)
{
    uint64_t *values = batch->values + at;
    uint64_t first_digits = (found->starts & ~window->minuses) | window->minuses << 1;
    __m512i indices = counted_bytes();
    __m512i ends = _mm512_maskz_compress_epi8(found->ends, indices);
    __m512i starts = _mm512_maskz_compress_epi8(first_digits, indices);
    /* A half of these is enough for all values. */
    __m256i half_ends = _mm512_castsi512_si256(ends);
    __m256i sizes = _mm256_sub_epi8(half_ends, _mm512_castsi512_si256(starts));
    unsigned count = (unsigned)_mm_popcnt_u64(found->ends);
    uint64_t those = _bzhi_u64(UINT64_MAX, count);
    uint64_t negatives = _pext_u64(window->minuses, found->starts);
    uint64_t unusual = 0;
    __m256i kinds = _mm256_mask_mov_epi8(_mm256_set1_epi8(PH_TOKEN_UNSIGNED), (__mmask32)negatives,
                                         _mm256_set1_epi8(PH_TOKEN_SIGNED));
    uint64_t words = 0;
    uint64_t fractions = 0;
    if (window->letters != 0) {
        words = _pext_u64(window->letters, found->starts) & those;
        kinds = read_words(kinds, window->bytes, starts, sizes, words, &unusual);
    }
    uint64_t long_ones = _mm256_mask_cmpgt_epu8_mask((__mmask32)(those & ~words), sizes,
                                                     _mm256_set1_epi8(SHORT_DIGITS));
    if (window->points == 0 && PH_LIKELY(long_ones == 0)) {
        join_short(values, count, window->ones, starts, ends, negatives);
    } else if (window->points == 0 && !rows) {
        /* One by one they are read faster. */
        found->ends = 0;
        return 0;
    } else {
        /* The sum carries from behind a point to the end of the digits. */
        fractions = _pext_u64((window->points << 1) + window->digits, found->ends);
        uint64_t zeros = _pext_u64(window->zeros, first_digits);
        __m512i points = _mm512_mask_expand_epi8(
            _mm512_set1_epi8(-1), fractions, _mm512_maskz_compress_epi8(window->points, indices));
        /* With the point, and a zero that counts for nothing. */
        __m256i limits = _mm256_set1_epi8(DIGITS_IN_WORD);
        limits = _mm256_mask_mov_epi8(limits, (__mmask32)fractions,
                                      _mm256_set1_epi8(DIGITS_IN_WORD + 1));
        limits = _mm256_mask_mov_epi8(limits, (__mmask32)(fractions & zeros),
                                      _mm256_set1_epi8(DIGITS_IN_WORD + 2));
        unusual |= _mm256_mask_cmpgt_epu8_mask((__mmask32)(those & ~words), sizes, limits);
        kinds =
            _mm256_mask_mov_epi8(kinds, (__mmask32)fractions, _mm256_set1_epi8(PH_TOKEN_FLOAT64));
        __m256i counts = _mm256_sub_epi8(half_ends, _mm512_castsi512_si256(points));
        counts = _mm256_sub_epi8(counts, _mm256_set1_epi8(1));
        counts = _mm256_mask_add_epi8(counts, (__mmask32)negatives, counts,
                                      _mm256_set1_epi8((char)PH_JSON_BATCH_MINUS));
        _mm256_storeu_si256((__m256i *)(void *)(batch->fraction_digits + at), counts);
        unusual |=
            join_long(values, count, window->ones, starts, points, ends, negatives & ~fractions);
    }
    _mm256_storeu_si256((__m256i *)(void *)(batch->kinds + at), kinds);
    batch->all_unsigned &= (window->minuses | window->points | window->letters) == 0;
    batch->all_fractions &= (fractions & those) == those;
    if (PH_UNLIKELY(unusual != 0)) {
        count = (unsigned)__builtin_ctzll(unusual);
        found->ends = _pdep_u64(_bzhi_u64(UINT64_MAX, count), found->ends);
        found->is_last = true;
    }
    return count;
}

PH_INLINE bool has_room(unsigned count, const uint8_t *position, const uint8_t *end)
{
    return count <= PH_JSON_BATCH_VALUES - VALUES_IN_WINDOW &&
           PH_LIKELY(ph_left(position, end) >= WINDOW_BYTES);
}

PH_AVX512 static PH_ALIGNED void read_scalars(ph_json_batch *batch, const uint8_t *position,
                                              const uint8_t *end)
{
    unsigned count = 0;
    batch->all_unsigned = true;
    batch->all_fractions = true;
    patterns patterns = make_patterns();
    const uint8_t *after = position;
    while (has_room(count, position, end)) {
        window window = load_window(&patterns, position, false);
        /* If it is not the last, its last comma is its last end: known early. */
        const uint8_t *next = position + (WINDOW_BYTES - (unsigned)_lzcnt_u64(window.commas));
        layout found = lay_out(&window);
        count += read_values(batch, count, &window, &found, false);
        if (PH_UNLIKELY(found.ends == 0)) {
            break;
        }
        after = position + (63 - (unsigned)_lzcnt_u64(found.ends));
        if (found.is_last) {
            break;
        }
        position = next;
    }
    batch->after = after;
    batch->count = count;
}

PH_AVX512 static PH_ALIGNED void read_rows(ph_json_batch *batch, const uint8_t *position,
                                           const uint8_t *end)
{
    unsigned count = 0;
    batch->all_unsigned = true;
    batch->all_fractions = true;
    patterns patterns = make_patterns();
    uint64_t row_ends = 0;
    while (has_room(count, position, end)) {
        window window = load_window(&patterns, position, true);
        unsigned comma = 63 - (unsigned)_lzcnt_u64((window.commas & USABLE_COMMAS) | 1);
        const uint8_t *next = position + comma + 1 + (window.closes << 1 >> comma & 1);
        layout found = lay_out_rows(&window);
        unsigned first = count;
        count += read_values(batch, count, &window, &found, true);
        if (PH_UNLIKELY(found.ends == 0)) {
            break;
        }
        uint64_t closes = window.closes & found.ends;
        row_ends |= _pext_u64(closes, found.ends) << first;
        if (closes != 0) {
            batch->after = position + (64 - (unsigned)_lzcnt_u64(closes));
        }
        if (found.is_last) {
            break;
        }
        position = next;
    }
    /* A row that is not whole is not read at all. */
    batch->count = row_ends == 0 ? 0 : 64 - (unsigned)__builtin_clzll(row_ends);
    batch->row_ends = row_ends;
}

bool ph_json_reads_batches(void)
{
    return ph_cpu_has_avx512();
}

void ph_json_read_scalars(ph_json_batch *batch, const uint8_t *position, const uint8_t *end)
{
    read_scalars(batch, position, end);
}

void ph_json_read_rows(ph_json_batch *batch, const uint8_t *position, const uint8_t *end)
{
    read_rows(batch, position, end);
}

#else

bool ph_json_reads_batches(void)
{
    return false;
}

void ph_json_read_scalars(ph_json_batch *batch, const uint8_t *position, const uint8_t *end)
{
    (void)position;
    (void)end;
    batch->count = 0;
}

void ph_json_read_rows(ph_json_batch *batch, const uint8_t *position, const uint8_t *end)
{
    (void)position;
    (void)end;
    batch->count = 0;
}

#endif
