/* Doubles and floats to shortest digits, and the digits to text. Reading is in float_read.c. */
#include "text/float_text.h"

#include "text/multiply.h"
#include "text/power_tables.h"
#include "text/sixteen_digits.h"

#define FRACTION_BITS 52
#define HIDDEN_BIT    ((uint64_t)1 << FRACTION_BITS)
#define EXPONENT_BIAS 1075 /* of a double whose significand is an integer */
#define FLOAT_BIAS    150

/* A finite binary number: significand times 2^exponent. */
typedef struct binary {
    uint64_t significand;
    int32_t exponent;
    bool has_no_fraction; /* no bits below the hidden one: a power of two or zero */
    bool is_irregular;    /* the number below is half as far away as the one above */
} binary;

/* A choice for conditions that can not be predicted: compilers make it without a branch. */
#define CHOOSE(condition, if_true, if_false) \
 (__builtin_expect_with_probability((condition), 1, 0.5) ? (if_true) : (if_false))

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

/* A decimal whose last digit stands alone: (10 * tens + last) * 10^exponent. */
typedef struct parted_decimal {
    uint64_t tens;
    uint32_t last;
    int32_t exponent;
} parted_decimal;

/* The common case, decided with the number alone: significand * 2^(biased - EXPONENT_BIAS), not a power
 * of two. Scaled so that its neighbours
 * are between 1/10 and 1 away it is `tens` and a fraction of 64 bits, at most two units too small.
 * The nearest integer is the answer if it is nearer than half that distance; else one more digit is
 * needed, the nearest again. False where the missing bits could matter, exact ties among them. */
PH_INLINE bool shortest_if_clear(uint64_t significand, uint32_t biased, parted_decimal *decimal)
{
    uint32_t scale = ph_double_scales[biased];
    uint32_t shift = scale & 3;
    /* By its offset in bytes. */
    const void *at = (const uint8_t *)ph_powers_of_ten + (scale & 0xFFF0);
    const ph_power_of_ten *entry = at;
    ph_power_of_ten power = {entry->high, entry->low};
    uint64_t factor = significand << shift;
    ph_product high = ph_multiply(power.high, factor);
    uint64_t middle = high.low + ph_multiply(power.low, factor).high;
    uint64_t top = high.high + (middle < high.low);
    uint64_t tens = top >> 3;
    uint64_t fraction = top << 61 | middle >> 3;
    uint64_t half = power.high >> (4 - shift);
    /* From the nearest integer, which is the one above when `above` has all bits set. */
    uint64_t above = 0 - (fraction >> 63);
    uint64_t distance = (fraction ^ above) - above;
    /* The digit in the upper four bits, what was rounded below it. */
    uint64_t tenfold = (fraction >> 4) * 10 + ((uint64_t)1 << 59);
    decimal->tens = CHOOSE(distance < half, tens - above, tens);
    decimal->last = CHOOSE(distance < half, 0, (uint32_t)(tenfold >> 60));
    decimal->exponent = -PH_POWER_SMALLEST - 1 - (int32_t)(scale >> 4);
    return PH_LIKELY(distance - half + 4 >= 8) && PH_LIKELY((tenfold << 4) + 1024 >= 2048);
}

PH_INLINE binary binary_of_double(double value)
{
    uint64_t bits = ph_bits_from_double(value);
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    int32_t biased = (int32_t)(bits >> FRACTION_BITS & 0x7FF);
    binary number = {fraction, -1074, fraction == 0, false};
    if (biased != 0) {
        number.significand = fraction | HIDDEN_BIT;
        number.exponent = biased - EXPONENT_BIAS;
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
        number.exponent = biased - FLOAT_BIAS;
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
    parted_decimal parted;
    uint32_t biased = (uint32_t)(number.exponent + EXPONENT_BIAS);
    if (number.has_no_fraction || !shortest_if_clear(number.significand, biased, &parted)) {
        return shortest_by_schubfach(number);
    }
    decimal.digits = parted.tens * 10 + parted.last;
    decimal.exponent = parted.exponent;
    return decimal;
}

ph_decimal ph_double_shortest(double value)
{
    return shortest(binary_of_double(value));
}

ph_decimal ph_float_shortest(float value)
{
    return shortest(binary_of_float(value));
}

#define TEN_TO_8  PH_EIGHT_DIGITS
#define TEN_TO_15 (PH_SIXTEEN_DIGITS / 10)
#define TEN_TO_16 PH_SIXTEEN_DIGITS

/* The decimal with seventeen digits; it is not zero. */
static parted_decimal widen(ph_decimal decimal)
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
    if (decimal.digits < TEN_TO_15) {
        /* log10 from the number of bits: right or one too large. */
        unsigned bits = 64 - (unsigned)__builtin_clzll(decimal.digits);
        unsigned log10 = bits * 1233 / 4096;
        log10 -= decimal.digits < powers[log10];
        decimal.digits *= powers[15 - log10];
        decimal.exponent -= (int32_t)(15 - log10);
    }
    if (decimal.digits < TEN_TO_16) {
        decimal.digits *= 10;
        decimal.exponent--;
    }
    parted_decimal parted = {decimal.digits / 10, (uint32_t)(decimal.digits % 10),
                             decimal.exponent};
    return parted;
}

/* The shortest decimal of a float, which has seven to nine digits, with fifteen or sixteen. */
PH_INLINE parted_decimal widen_short(parted_decimal decimal)
{
    uint64_t digits = decimal.tens * 10 + decimal.last;
    bool has_nine = digits >= TEN_TO_8;
    parted_decimal wide = {digits * CHOOSE(has_nine, TEN_TO_8 / 10, TEN_TO_8), 0,
                           decimal.exponent - CHOOSE(has_nine, 8, 9)};
    return wide;
}

/* A decimal as characters, zeros behind the last digit that counts. */
typedef struct digit_row {
    ph_sixteen_digits digits;
    uint32_t last;    /* one more digit, */
    uint32_t last_at; /* at this index: 16, or 15 instead of a zero */
    int32_t length;   /* digits that count */
    int32_t point;    /* digits before the decimal point; zero or less: that many zeros after it */
} digit_row;

/* tens has fifteen or sixteen digits. */
PH_INLINE digit_row digit_row_of(parted_decimal decimal)
{
    bool is_short = decimal.tens < TEN_TO_15;
    digit_row row;
    row.digits = ph_split_sixteen_digits(CHOOSE(is_short, decimal.tens * 10, decimal.tens));
    row.last = decimal.last;
    row.last_at = 16 - (uint32_t)is_short;
    int32_t length = ph_sixteen_significant(row.digits);
    row.length = CHOOSE(row.last != 0, (int32_t)row.last_at + 1, length);
    row.point = (int32_t)row.last_at + 1 + decimal.exponent;
    return row;
}

/* Without an exponent. NULL where one is needed, and for sixteen digits before the point. */
PH_INLINE uint8_t *put_row(uint8_t *to, digit_row row, ph_float_style style)
{
    if (PH_LIKELY(row.point > 0 && row.point <= 15)) {
        ph_store_sixteen_with_point(to, row.digits, (unsigned)row.point);
        to[row.last_at + 1] = (uint8_t)(row.last + '0');
        /* At least one digit follows the point, a zero if need be. */
        return to + 1 + (row.length > row.point ? row.length : row.point + 1);
    }
    int32_t smallest_point = style == PH_FLOAT_STYLE_PYTHON ? -3 : -4;
    if (PH_LIKELY(row.point <= 0 && row.point >= smallest_point)) {
        memcpy(to, "0.000000", 8);
        to += 2 - row.point;
        ph_store_sixteen(to, row.digits);
        to[row.last_at] = (uint8_t)(row.last + '0');
        return to + row.length;
    }
    return NULL;
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

/* Any finite number, by way of its decimal. */
static uint8_t *PH_NOINLINE put_any(uint8_t *to, ph_decimal decimal, ph_float_style style)
{
    if (decimal.digits == 0) {
        memcpy(to, "0.0", 3);
        return to + 3;
    }
    digit_row row = digit_row_of(widen(decimal));
    uint8_t *after = put_row(to, row, style);
    if (after != NULL) {
        return after;
    }
    to[17] = (uint8_t)(row.last + '0');
    if (row.point == 16) {
        ph_store_sixteen(to, row.digits);
        to[16] = '.';
        return to + 18;
    }
    ph_store_sixteen_with_point(to, row.digits, 1);
    return put_exponent(to + row.length + (row.length > 1), row.point - 1, style);
}

/* The sign at `to`, to be written over if there is none; returns the position of the digits. */
PH_INLINE uint8_t *put_sign(uint8_t *to, bool is_negative)
{
    *to = '-';
    return to + is_negative;
}

/* False for what is left to put_any: zero, powers of two, subnormal numbers, and doubtful ones. */
PH_INLINE bool part_double(double value, parted_decimal *decimal)
{
    uint64_t bits = ph_bits_from_double(value);
    uint64_t fraction = bits & (HIDDEN_BIT - 1);
    uint32_t biased = (uint32_t)(bits >> FRACTION_BITS & 0x7FF);
    return PH_LIKELY(fraction != 0 && biased != 0) &&
           shortest_if_clear(fraction | HIDDEN_BIT, biased, decimal);
}

/* What is left to calls is made anew from the value there, so that the common path keeps nothing
 * for them and needs no register saved. */
static uint8_t *PH_NOINLINE put_rare_double(uint8_t *to, double value, ph_float_style style)
{
    return put_any(to, ph_double_shortest(value), style);
}

uint8_t *ph_text_put_double(uint8_t *to, double value, ph_float_style style)
{
    parted_decimal decimal;
    to = put_sign(to, ph_bits_from_double(value) >> 63 != 0);
    if (PH_LIKELY(part_double(value, &decimal))) {
        uint8_t *after = put_row(to, digit_row_of(decimal), style);
        if (PH_LIKELY(after != NULL)) {
            return after;
        }
    }
    return put_rare_double(to, value, style);
}

PH_INLINE uint8_t *put_row_or_rare(uint8_t *to, digit_row row, double value, ph_float_style style)
{
    to = put_sign(to, ph_bits_from_double(value) >> 63 != 0);
    uint8_t *after = put_row(to, row, style);
    return PH_LIKELY(after != NULL) ? after : put_rare_double(to, value, style);
}

/* Two of the common sort with a comma between them; NULL for others. Finding digits and writing them is a
 * long chain of dependent steps: two chains at a time fit in what the processor looks ahead. */
PH_INLINE uint8_t *put_pair(uint8_t *to, double first, double second, ph_float_style style)
{
    parted_decimal first_decimal, second_decimal;
    if (PH_UNLIKELY(!part_double(first, &first_decimal)) ||
        PH_UNLIKELY(!part_double(second, &second_decimal))) {
        return NULL;
    }
    digit_row first_row = digit_row_of(first_decimal);
    digit_row second_row = digit_row_of(second_decimal);
    to = put_row_or_rare(to, first_row, first, style);
    *to = ',';
    return put_row_or_rare(to + 1, second_row, second, style);
}

uint8_t *ph_text_put_pair(uint8_t *to, double first, double second, ph_float_style style)
{
    return put_pair(to, first, second, style);
}

uint8_t *ph_text_put_doubles(uint8_t *to, const double *values, size_t count, ph_float_style style)
{
    size_t at = 0;
    for (; count - at >= 2; at += 2) {
        uint8_t *after = put_pair(to, values[at], values[at + 1], style);
        if (PH_UNLIKELY(after == NULL)) {
            after = ph_text_put_double(to, values[at], style);
            *after = ',';
            after = ph_text_put_double(after + 1, values[at + 1], style);
        }
        *after = ',';
        to = after + 1;
    }
    if (at < count) {
        to = ph_text_put_double(to, values[at], style);
        *to++ = ',';
    }
    return to - (count != 0);
}

uint8_t *ph_text_put_float(uint8_t *to, float value, ph_float_style style)
{
    uint32_t bits = ph_bits_from_float(value);
    uint32_t fraction = bits & 0x7FFFFF;
    uint32_t biased = (uint32_t)(bits >> 23 & 0xFF);
    parted_decimal decimal;
    to = put_sign(to, bits >> 31 != 0);
    if (PH_LIKELY(fraction != 0 && biased != 0 &&
                  shortest_if_clear(fraction | 0x800000, biased + EXPONENT_BIAS - FLOAT_BIAS,
                                    &decimal))) {
        uint8_t *after = put_row(to, digit_row_of(widen_short(decimal)), style);
        if (PH_LIKELY(after != NULL)) {
            return after;
        }
    }
    return put_any(to, ph_float_shortest(value), style);
}
