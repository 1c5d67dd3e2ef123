/* Doubles and floats to shortest digits, and the digits to text. Reading is in float_read.c. */
#include "text/float_text.h"

#include "text/multiply.h"
#include "text/power_tables.h"
#include "text/sixteen_digits.h"

#define FRACTION_BITS 52
#define HIDDEN_BIT    ((uint64_t)1 << FRACTION_BITS)

/* A finite binary number: significand times 2^exponent. */
typedef struct binary {
    uint64_t significand;
    int32_t exponent;
    bool has_no_fraction; /* no bits below the hidden one: a power of two or zero */
    bool is_irregular;    /* the number below is half as far away as the one above */
} binary;

/* A choice without a branch, for conditions that can not be predicted; the empty statement keeps
 * the compiler from making it a branch again. */
PH_INLINE uint64_t choose(bool condition, uint64_t if_true, uint64_t if_false)
{
    uint64_t mask = 0 - (uint64_t)condition;
    __asm__("" : "+r"(mask));
    return if_false ^ ((if_false ^ if_true) & mask);
}

/* floor(log10(2^exponent)), or of three quarters of it. */
PH_INLINE int32_t log10_of_power_of_two(int32_t exponent, bool three_quarters)
{
    return (exponent * 315653 - (three_quarters ? 131237 : 0)) >> 20;
}

/* The upper 64 bits of a 128 by 64 bit product; the lowest bit is set if anything is left below. */
PH_INLINE uint64_t round_to_odd(ph_power_of_ten power, uint64_t factor)
{
    ph_product low = ph_multiply(power.low, factor);
    ph_product high = ph_multiply(power.high, factor);
    uint64_t middle = high.low + low.high;
    uint64_t top = high.high + (middle < high.low);
    return top | (middle > 1);
}

/* Schubfach. Four times the number and its two neighbours' midpoints are scaled by a power of ten,
 * so that the distance of the midpoints is between 1 and 10: then at most one multiple of ten and at
 * least one integer lie between them. */
static ph_decimal PH_NOINLINE shortest_by_schubfach(binary number)
{
    bool is_even = (number.significand & 1) == 0;
    int32_t scale = log10_of_power_of_two(number.exponent, number.is_irregular);
    int32_t shift = number.exponent + ph_power_of_ten_log2(-scale) + 1;
    ph_power_of_ten power = ph_power_of_ten_at(-scale);
    power.low += !ph_power_of_ten_is_exact(-scale);
    uint64_t four_times = 4 * number.significand;
    uint64_t lower = round_to_odd(power, (four_times - 2 + number.is_irregular) << shift);
    uint64_t value = round_to_odd(power, four_times << shift);
    uint64_t upper = round_to_odd(power, (four_times + 2) << shift);
    lower += !is_even; /* the midpoints themselves round to the even neighbour */
    upper -= !is_even;
    uint64_t whole = value / 4;
    if (whole >= 10) {
        uint64_t tens = whole / 10;
        bool below_inside = lower <= 40 * tens;
        bool above_inside = upper >= 40 * tens + 40;
        if (below_inside != above_inside) {
            ph_decimal decimal = {tens + above_inside, scale + 1};
            return decimal;
        }
    }
    bool below_inside = lower <= 4 * whole;
    bool above_inside = upper >= 4 * whole + 4;
    uint64_t middle = 4 * whole + 2;
    bool round_up = value > middle || (value == middle && (whole & 1) != 0);
    if (below_inside != above_inside) {
        round_up = above_inside;
    }
    ph_decimal decimal = {whole + round_up, scale};
    return decimal;
}

/* The common case, decided with the number alone (not a power of two): scaled as above it is `whole`
 * and a fraction of 64 bits, at most two units too small; half the distance of its neighbours is
 * known with 60 bits. The nearest multiple of ten is taken if it is nearer than that, else the
 * nearest integer. False where the missing bits could matter, exact ties among them. */
PH_INLINE bool shortest_if_clear(uint64_t significand, int32_t exponent, ph_decimal *decimal)
{
    int32_t scale = log10_of_power_of_two(exponent, false);
    int32_t shift = exponent + ph_power_of_ten_log2(-scale);
    ph_power_of_ten power = ph_power_of_ten_at(-scale);
    uint64_t factor = significand << (shift + 1);
    ph_product high = ph_multiply(power.high, factor);
    uint64_t fraction = high.low + ph_multiply(power.low, factor).high;
    uint64_t whole = high.high + (fraction < high.low);
    uint64_t half = power.high >> (4 - shift);
    uint64_t tens = whole / 10;
    /* Distances in units of 2^-60. */
    uint64_t below = (whole - 10 * tens) << 60 | fraction >> 4;
    uint64_t above = ((uint64_t)10 << 60) - below;
    uint64_t distance = below < above ? below : above;
    uint64_t nearest_ten = 10 * (tens + (above < below));
    uint64_t nearest = whole + (fraction >> 63);
    decimal->digits = choose(distance < half, nearest_ten, nearest);
    decimal->exponent = scale;
    return !((distance - half + 3 < 6) | (fraction - ((uint64_t)1 << 63) + 3 < 6));
}

PH_INLINE binary binary_of_double(double value)
{
    uint64_t bits = ph_bits_from_double(value);
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int32_t biased = (int32_t)(bits >> FRACTION_BITS & 0x7FF);
    binary number = {fraction, -1074, fraction == 0, false};
    if (biased != 0) {
        number.significand = fraction | HIDDEN_BIT;
        number.exponent = biased - 1075;
        number.is_irregular = fraction == 0 && biased > 1;
    }
    return number;
}

static binary binary_of_float(float value)
{
    uint32_t bits = ph_bits_from_float(value);
    uint32_t fraction = bits & 0x7FFFFF;
    int32_t biased = (int32_t)(bits >> 23 & 0xFF);
    binary number = {fraction, -149, fraction == 0, false};
    if (biased != 0) {
        number.significand = fraction | 0x800000;
        number.exponent = biased - 150;
        number.is_irregular = fraction == 0 && biased > 1;
    }
    return number;
}

/* An integer below 2^53 is its own shortest decimal, trailing zeros aside. */
PH_INLINE bool is_small_integer(binary number)
{
    return number.exponent <= 0 && number.exponent >= -FRACTION_BITS &&
           (number.significand & (((uint64_t)1 << -number.exponent) - 1)) == 0;
}

static ph_decimal shortest(binary number)
{
    ph_decimal decimal = {0, 0};
    if (number.significand == 0) {
        return decimal;
    }
    if (is_small_integer(number)) {
        decimal.digits = number.significand >> -number.exponent;
        return decimal;
    }
    bool is_clear =
        !number.has_no_fraction && shortest_if_clear(number.significand, number.exponent, &decimal);
    return is_clear ? decimal : shortest_by_schubfach(number);
}

ph_decimal ph_double_shortest(double value)
{
    return shortest(binary_of_double(value));
}

ph_decimal ph_float_shortest(float value)
{
    return shortest(binary_of_float(value));
}

#define TEN_TO_16 PH_SIXTEEN_DIGITS

/* Digits and exponent such that there are seventeen digits; digits is not zero. */
PH_INLINE ph_decimal widen_to_seventeen(ph_decimal decimal)
{
    static const uint64_t powers[] = {1,
                                      10,
                                      100,
                                      1000,
                                      10000,
                                      100000,
                                      1000000,
                                      10000000,
                                      100000000,
                                      1000000000,
                                      10000000000,
                                      100000000000,
                                      1000000000000,
                                      10000000000000,
                                      100000000000000,
                                      1000000000000000};
    if (PH_UNLIKELY(decimal.digits < TEN_TO_16 / 10)) {
        /* log10 from the number of bits: right or one too large. */
        unsigned bits = 64 - (unsigned)__builtin_clzll(decimal.digits);
        unsigned log10 = bits * 1233 / 4096;
        log10 -= decimal.digits < powers[log10];
        decimal.digits *= powers[15 - log10];
        decimal.exponent -= (int32_t)(15 - log10);
    }
    bool is_short = decimal.digits < TEN_TO_16;
    decimal.digits = choose(is_short, decimal.digits * 10, decimal.digits);
    decimal.exponent -= is_short;
    return decimal;
}

/* A decimal as characters: the first digit, then sixteen more, zeros behind the last that counts. */
typedef struct digit_row {
    ph_sixteen_digits rest;
    uint8_t first;
    int32_t rest_length; /* significant digits after the first */
    int32_t point; /* digits before the decimal point; zero or less: that many zeros after it */
} digit_row;

PH_INLINE digit_row digit_row_of(ph_decimal decimal)
{
    decimal = widen_to_seventeen(decimal);
    uint32_t upper = (uint32_t)(decimal.digits / PH_EIGHT_DIGITS);
    uint32_t lower = (uint32_t)decimal.digits - upper * PH_EIGHT_DIGITS;
    uint32_t first = upper / PH_EIGHT_DIGITS;
    digit_row row;
    row.rest = ph_split_sixteen_digits(upper - first * PH_EIGHT_DIGITS, lower);
    row.first = (uint8_t)(first + '0');
    row.rest_length = ph_sixteen_significant(row.rest);
    row.point = 17 + decimal.exponent;
    return row;
}

static uint8_t *put_exponent(uint8_t *to, int32_t exponent, ph_float_style style)
{
    uint32_t magnitude = (uint32_t)(exponent < 0 ? -exponent : exponent);
    *to++ = 'e';
    if (exponent < 0) {
        *to++ = '-';
    } else if (style != PH_FLOAT_STYLE_MSGSPEC) {
        *to++ = '+';
    }
    if (style == PH_FLOAT_STYLE_PYTHON && magnitude < 10) {
        *to++ = '0';
    }
    return ph_text_put_up_to_eight(to, magnitude);
}

/* 1e16, 1.5e-7 */
static uint8_t *PH_NOINLINE put_scientific(uint8_t *to, ph_decimal decimal, ph_float_style style)
{
    digit_row row = digit_row_of(decimal);
    to[0] = row.first;
    to[1] = '.';
    ph_store_sixteen(to + 2, row.rest);
    to += row.rest_length == 0 ? 1 : 2 + row.rest_length;
    return put_exponent(to, row.point - 1, style);
}

PH_INLINE uint8_t *put_decimal(uint8_t *to, ph_decimal decimal, ph_float_style style)
{
    digit_row row = digit_row_of(decimal);
    if (PH_LIKELY(row.point > 0 && row.point <= 16)) {
        to[0] = row.first;
        ph_store_sixteen_with_point(to + 1, row.rest, (unsigned)row.point - 1);
        /* At least one digit follows the point, a zero if need be. */
        int32_t rest_length = row.rest_length > row.point ? row.rest_length : row.point;
        return to + 2 + rest_length;
    }
    int32_t smallest_point = style == PH_FLOAT_STYLE_PYTHON ? -3 : -4;
    if (row.point <= 0 && row.point >= smallest_point) {
        memcpy(to, "0.000000", 8);
        to += 2 - row.point;
        to[0] = row.first;
        ph_store_sixteen(to + 1, row.rest);
        return to + 1 + row.rest_length;
    }
    return put_scientific(to, decimal, style);
}

PH_INLINE uint8_t *put_zero(uint8_t *to)
{
    memcpy(to, "0.0", 3);
    return to + 3;
}

/* Zero, powers of two, and where Schubfach decides. */
static uint8_t *put_special(uint8_t *to, binary number, ph_float_style style)
{
    if (number.significand == 0) {
        return put_zero(to);
    }
    return put_decimal(to, shortest(number), style);
}

static uint8_t *PH_NOINLINE put_special_double(uint8_t *to, double value, ph_float_style style)
{
    return put_special(to, binary_of_double(value), style);
}

static uint8_t *PH_NOINLINE put_special_float(uint8_t *to, float value, ph_float_style style)
{
    return put_special(to, binary_of_float(value), style);
}

/* What is left to calls is made anew from the value there, so that the common path keeps nothing
 * for them and needs no register saved. */
uint8_t *ph_text_put_double(uint8_t *to, double value, ph_float_style style)
{
    uint64_t bits = ph_bits_from_double(value);
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int32_t biased = (int32_t)(bits >> FRACTION_BITS & 0x7FF);
    ph_decimal decimal;
    *to = '-';
    to += bits >> 63;
    if (PH_LIKELY(fraction != 0 && biased != 0 &&
                  shortest_if_clear(fraction | HIDDEN_BIT, biased - 1075, &decimal))) {
        return put_decimal(to, decimal, style);
    }
    return put_special_double(to, value, style);
}

/* Digits that lie about between the two loops below, on the stack. */
#define NUMBERS_AT_ONCE 16

PH_INLINE ph_decimal shortest_of_double(double value)
{
    uint64_t bits = ph_bits_from_double(value);
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int32_t biased = (int32_t)(bits >> FRACTION_BITS & 0x7FF);
    ph_decimal decimal;
    if (PH_LIKELY(fraction != 0 && biased != 0 &&
                  shortest_if_clear(fraction | HIDDEN_BIT, biased - 1075, &decimal))) {
        return decimal;
    }
    return ph_double_shortest(value);
}

/* Finding digits and writing them are long chains of dependent steps. In two loops several numbers'
 * chains fit in what the processor looks ahead; in one they do not. */
uint8_t *ph_text_put_doubles(uint8_t *to, const double *values, size_t count, ph_float_style style)
{
    ph_decimal decimals[NUMBERS_AT_ONCE];
    while (count != 0) {
        size_t step = count < NUMBERS_AT_ONCE ? count : NUMBERS_AT_ONCE;
        for (size_t i = 0; i < step; i++) {
            decimals[i] = shortest_of_double(values[i]);
        }
        for (size_t i = 0; i < step; i++) {
            *to = '-';
            to += ph_bits_from_double(values[i]) >> 63;
            to = PH_LIKELY(decimals[i].digits != 0) ? put_decimal(to, decimals[i], style)
                                                    : put_zero(to);
            *to++ = ',';
        }
        values += step;
        count -= step;
        to -= count == 0;
    }
    return to;
}

uint8_t *ph_text_put_float(uint8_t *to, float value, ph_float_style style)
{
    uint32_t bits = ph_bits_from_float(value);
    uint32_t fraction = bits & 0x7FFFFF;
    int32_t biased = (int32_t)(bits >> 23 & 0xFF);
    ph_decimal decimal;
    *to = '-';
    to += bits >> 31;
    if (PH_LIKELY(fraction != 0 && biased != 0 &&
                  shortest_if_clear(fraction | 0x800000, biased - 150, &decimal))) {
        return put_decimal(to, decimal, style);
    }
    return put_special_float(to, value, style);
}
