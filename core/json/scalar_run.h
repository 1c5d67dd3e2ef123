/* Numbers and words (true, false, null) that follow each other in an array, read window by window.
 *
 * Where numbers end is known for sixty-four bytes before the first of them is read, so that reading one
 * does not wait for the end of the one before. Whatever is unusual (exponents, more than 19 digits,
 * comments, text that is not JSON) ends the run in front of it, and so does the end of the input, a
 * few elements early: there ph_json_next goes on, and says what is wrong.
 *
 *     ph_json_run run = ph_json_run_at(position, start, end);
 *     while (ph_json_run_next(&run, &scalar)) {
 *         ... make an object of the scalar ...
 *     }
 *     position = run.after; */
#ifndef PH_JSON_SCALAR_RUN_H
#define PH_JSON_SCALAR_RUN_H

#include "base/token.h"
#include "text/digit_window.h"
#include "text/float_read.h"

typedef struct ph_json_scalar {
    union {
        uint64_t u;
        int64_t i;
        double f;
    } value;
    ph_token_kind
        kind; /* UNSIGNED, SIGNED, FLOAT64, NIL, FALSE or TRUE, as ph_json_next gives them */
} ph_json_scalar;

typedef struct ph_json_run {
    const uint8_t *after; /* where ph_json_next goes on at PH_JSON_ELEMENT: at a comma or bracket */
    const uint8_t *value; /* where the next value begins */
    const uint8_t *window; /* where the window begins */
    uint64_t others;       /* what stands in it, from `value` on, besides digits and minus signs */
    const uint8_t *end;
} ph_json_run;

/* Bytes below which no run is read: the end of an input is left to ph_json_next. */
#define PH_JSON_RUN_SMALLEST 96

#define PH_RUN_DIGITS 19 /* any number of so many digits fits in 64 bits */

/* Up to so many digits divide faster than they multiply. */
#define PH_RUN_DIVISION_DIGITS 15

/* The integer between `number` and `end`; false if it is none, or not a usual one. */
PH_INLINE bool ph_json_run_integer(const uint8_t *number, const uint8_t *end,
                                   ph_json_scalar *scalar)
{
    uint64_t is_negative = *number == '-';
    const uint8_t *digits = number + is_negative;
    size_t count = (size_t)(end - digits);
    if (PH_UNLIKELY(count - 1 > PH_RUN_DIGITS - 1) || PH_UNLIKELY(*digits == '0' && count != 1)) {
        return false;
    }
    uint64_t magnitude =
        count <= 8 ? ph_join_short_digits(digits, count) : ph_join_digits(digits, end);
    if (PH_UNLIKELY(magnitude > INT64_MAX) && is_negative) {
        return false;
    }
    scalar->kind = is_negative ? PH_TOKEN_SIGNED : PH_TOKEN_UNSIGNED;
    scalar->value.u = (magnitude ^ (0 - is_negative)) + is_negative;
    return true;
}

/* The same for a number whose point is at `point`. */
PH_INLINE bool ph_json_run_fraction(const uint8_t *number, const uint8_t *point, const uint8_t *end,
                                    ph_json_scalar *scalar)
{
    uint64_t is_negative = *number == '-';
    const uint8_t *digits = number + is_negative;
    const uint8_t *fraction = point + 1;
    size_t size = (size_t)(end - digits);
    /* A leading zero does not count. A minus sign may stand after the point, as far as we know. */
    if (PH_UNLIKELY(size > PH_RUN_DIGITS + 1) || PH_UNLIKELY((unsigned)*fraction - '0' > 9)) {
        return false;
    }
    uint64_t whole = (uint64_t)*digits - '0';
    size_t whole_count = (size_t)(point - digits);
    if (whole_count != 1) {
        if (PH_UNLIKELY(whole_count == 0) || PH_UNLIKELY(whole == 0)) {
            return false;
        }
        whole = whole_count <= 8 ? ph_join_short_digits(digits, whole_count)
                                 : ph_join_digits(digits, point);
    }
    size_t fraction_count = (size_t)(end - fraction);
    whole =
        whole * ph_integer_powers_of_ten[fraction_count] + ph_join_eighteen_digits(fraction, end);
    uint64_t bits = 0;
    if (PH_DOUBLES_ROUND_ONCE && size <= PH_RUN_DIVISION_DIGITS + 1) {
        bits = ph_bits_from_double((double)(int64_t)whole / ph_exact_powers_of_ten[fraction_count]);
    } else if (PH_LIKELY(whole != 0) &&
               PH_UNLIKELY(!ph_double_estimate(whole, -(int32_t)fraction_count, &bits))) {
        bits = ph_bits_from_double(ph_double_from_decimal(whole, -(int64_t)fraction_count));
    }
    scalar->kind = PH_TOKEN_FLOAT64;
    scalar->value.f = ph_double_from_bits(bits | is_negative << 63);
    return true;
}

/* The size of the word at `at`, where five bytes may be read; 0 if it is none. */
PH_INLINE unsigned ph_json_run_word(const uint8_t *at, ph_json_scalar *scalar)
{
    static const char words[][6] = {"null", "true", "false"};
    unsigned which = *at == 'n' ? 0 : *at == 't' ? 1 : 2;
    unsigned size = which == 2 ? 5 : 4;
    static const ph_token_kind kinds[] = {PH_TOKEN_NIL, PH_TOKEN_TRUE, PH_TOKEN_FALSE};
    scalar->kind = kinds[which];
    return ph_load_native32(at) == ph_load_native32((const uint8_t *)words[which]) &&
                   (size == 4 || at[4] == 'e')
               ? size
               : 0;
}

/* Moves the window to the next value; false if there is no use in it. */
PH_INLINE bool ph_json_run_move(ph_json_run *run)
{
    if (PH_UNLIKELY(run->window == run->value) ||
        PH_UNLIKELY(ph_left(run->value, run->end) < PH_JSON_RUN_SMALLEST)) {
        return false;
    }
    ph_digit_window window = ph_digit_window_load(run->value);
    run->window = run->value;
    run->others = window.others;
    /* A minus sign after a digit belongs to no number. */
    return PH_LIKELY(window.others != 0) &&
           PH_LIKELY((window.minuses & ~(window.others << 1 | 1)) == 0);
}

/* A run whose first element, after white space at most, is at `position`. start <= position <= end, all
 * in one readable buffer; nothing outside [start, end) is ever read. */
PH_INLINE ph_json_run ph_json_run_at(const uint8_t *position, const uint8_t *start,
                                     const uint8_t *end)
{
    /* Digits are read with the sixteen bytes before their end. */
    bool has_room = ph_left(start, position) >= 16;
    ph_json_run run = {position, position, has_room ? start : position, 0, end};
    return run;
}

/* The next scalar of the run; false at its end. */
PH_INLINE bool ph_json_run_next(ph_json_run *run, ph_json_scalar *scalar)
{
    for (;;) {
        if (PH_UNLIKELY(run->others == 0) && !ph_json_run_move(run)) {
            return false;
        }
        const uint8_t *at = run->window + __builtin_ctzll(run->others);
        run->others &= run->others - 1;
        bool is_usual;
        if (*at == ',') {
            is_usual = ph_json_run_integer(run->value, at, scalar);
        } else if (PH_LIKELY(*at == '.')) {
            if (PH_UNLIKELY(run->others == 0)) {
                continue;
            }
            const uint8_t *point = at;
            at = run->window + __builtin_ctzll(run->others);
            run->others &= run->others - 1;
            is_usual =
                (*at == ',' || *at == ']') && ph_json_run_fraction(run->value, point, at, scalar);
        } else if (*at == ']') {
            is_usual = ph_json_run_integer(run->value, at, scalar);
        } else if (at == run->value && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
            run->value++;
            continue;
        } else if (at == run->value && (*at == 'n' || *at == 't' || *at == 'f')) {
            unsigned size = ph_json_run_word(at, scalar);
            size_t index = (size_t)(at - run->window) + size;
            if (PH_UNLIKELY(index >= PH_DIGIT_WINDOW_BYTES)) {
                run->others = 0;
                continue;
            }
            at = run->window + index;
            run->others = run->others >> index << index;
            run->others &= run->others - 1;
            is_usual = size != 0 && (*at == ',' || *at == ']');
        } else {
            return false;
        }
        if (PH_UNLIKELY(!is_usual)) {
            return false;
        }
        run->after = at;
        run->value = at + 1;
        if (PH_UNLIKELY(*at == ']')) {
            run->window = run->value;
            run->others = 0;
        }
        return true;
    }
}

#endif
