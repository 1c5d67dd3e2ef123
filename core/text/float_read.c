/* Decimal to double, exactly: fast path, one wide multiplication, big integers where in doubt. */
#include "text/float_read.h"

#include "text/big_integer.h"
#include "text/integer_text.h"

#define INFINITY_BITS    ((uint64_t)0x7FF << 52)
#define LARGEST_EXPONENT 308 /* 1e309 is infinite */
#define DIGITS_IN_WORD   19  /* any number of 19 digits fits in 64 bits */

const double ph_exact_powers_of_ten[PH_EXACT_POWER_LARGEST + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* What one multiplication finds out. */
typedef struct estimate {
    uint64_t bits;       /* the double nearest to the decimal */
    uint64_t lower_bits; /* the largest double that is not above it, before rounding */
    bool is_certain;     /* bits is right; otherwise only lower_bits or one of the next two is */
} estimate;

/* digits (not zero) is normalised and multiplied with the upper 128 bits of the power of ten. Unless
 * the power is exact the true product is greater by less than `digits` in the lowest of its three
 * words. That can carry into the upper word, where all that rounding looks at stands, only if the
 * middle word is all ones; and it makes what looks like a tie a number above the tie. */
PH_INLINE estimate estimate_double(uint64_t digits, int32_t exponent)
{
    unsigned zeros = (unsigned)__builtin_clzll(digits);
    uint64_t factor = digits << zeros;
    ph_power_of_ten power = ph_power_of_ten_at(exponent);
    bool is_exact = ph_power_of_ten_is_exact(exponent);
    ph_product high = ph_multiply(factor, power.high);
    ph_product low = ph_multiply(factor, power.low);
    uint64_t middle = high.low + low.high;
    uint64_t upper = high.high + (middle < high.low);
    unsigned top_bit = (unsigned)(upper >> 63);
    int32_t biased = ph_power_of_ten_log2(exponent) + 63 + (int32_t)top_bit - (int32_t)zeros + 1023;
    unsigned shift = 10 + top_bit;
    estimate result = {0, 0, is_exact || middle != UINT64_MAX};
    if (biased <= 0) {
        if (1 - biased > 64 - (int32_t)shift) {
            return result; /* below half of the smallest subnormal, and so is its upper bound */
        }
        shift += (unsigned)(1 - biased);
        biased = 0;
    }
    uint64_t significand = shift == 64 ? 0 : upper >> shift;
    uint64_t rest = shift == 64 ? upper : upper & (((uint64_t)1 << shift) - 1);
    uint64_t half = (uint64_t)1 << (shift - 1);
    bool is_above_half =
        rest > half || (rest == half && (middle != 0 || low.low != 0 || !is_exact));
    bool round_up = is_above_half || (rest == half && (significand & 1) != 0);
    /* The hidden bit of a normal number adds the one that the exponent lacks here. */
    result.lower_bits = ((uint64_t)(biased == 0 ? 0 : biased - 1) << 52) + significand;
    result.bits = result.lower_bits + round_up;
    if (result.lower_bits >= INFINITY_BITS) {
        result.lower_bits = INFINITY_BITS;
        result.bits = INFINITY_BITS;
        result.is_certain = true;
    }
    return result;
}

/* Compares the decimal digits * 10^exponent with the midpoint between a finite double and the next.
 * Consumes `digits`. */
static int compare_with_midpoint(ph_big_integer *digits, int64_t exponent, uint64_t bits)
{
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    int64_t biased = (int64_t)(bits >> 52);
    uint64_t significand = biased == 0 ? fraction : fraction | (uint64_t)1 << 52;
    int64_t binary_exponent = (biased == 0 ? 1 : biased) - 1075 - 1;
    ph_big_integer midpoint;
    ph_big_integer_set(&midpoint, 2 * significand + 1);
    if (exponent >= 0) {
        ph_big_integer_multiply_power_of_five(digits, (uint32_t)exponent);
    } else {
        ph_big_integer_multiply_power_of_five(&midpoint, (uint32_t)-exponent);
    }
    int64_t shift = binary_exponent - exponent;
    if (shift >= 0) {
        ph_big_integer_shift_left(&midpoint, (uint32_t)shift);
    } else {
        ph_big_integer_shift_left(digits, (uint32_t)-shift);
    }
    return ph_big_integer_compare(digits, &midpoint);
}

/* A decimal text taken apart. */
typedef struct decimal_text {
    const uint8_t *first; /* the first digit that is not zero; may be followed by a point */
    const uint8_t *end;   /* after the last digit */
    uint64_t leading;     /* its first 19 digits, fewer if it has fewer */
    int64_t exponent;     /* of the last digit of `leading` */
    bool is_cut;          /* digits other than zero may follow those in `leading` */
} decimal_text;

/* More digits than any midpoint between two doubles has (767): what follows them can only break a
 * tie, so that one more digit, a one, stands for all of them. */
#define DIGITS_THAT_COUNT 770

/* The digits of the text as an integer; *exponent gets the power of ten of its last digit. */
static void read_all_digits(ph_big_integer *number, const decimal_text *text, int64_t *exponent)
{
    uint64_t chunk = 0;
    uint64_t chunk_scale = 1;
    int64_t count = 0;
    const uint8_t *at = text->first;
    ph_big_integer_set(number, 0);
    for (; at < text->end && count < DIGITS_THAT_COUNT; at++) {
        if (*at == '.') {
            continue;
        }
        chunk = 10 * chunk + (uint64_t)(*at - '0');
        chunk_scale *= 10;
        count++;
        if (chunk_scale == PH_SIXTEEN_DIGITS) {
            ph_big_integer_multiply_add(number, chunk_scale, chunk);
            chunk = 0;
            chunk_scale = 1;
        }
    }
    ph_big_integer_multiply_add(number, chunk_scale, chunk);
    for (; at < text->end; at++) {
        if (*at != '.' && *at != '0') {
            ph_big_integer_multiply_add(number, 10, 1);
            count++;
            break;
        }
    }
    *exponent = text->exponent + DIGITS_IN_WORD - count;
}

/* Walks up from the lower bound until the midpoint above is beyond the decimal. */
static double PH_COLD decide_exactly(const decimal_text *text, uint64_t bits)
{
    while (bits < INFINITY_BITS) {
        ph_big_integer digits;
        int64_t exponent = text->exponent;
        if (text->is_cut) {
            read_all_digits(&digits, text, &exponent);
        } else {
            ph_big_integer_set(&digits, text->leading);
        }
        int order = compare_with_midpoint(&digits, exponent, bits);
        if (order < 0 || (order == 0 && (bits & 1) == 0)) {
            break;
        }
        bits++;
    }
    return ph_double_from_bits(bits);
}

/* Zero and infinity far outside the range; true if that settled it. */
PH_INLINE bool is_out_of_range(uint64_t digits, int64_t exponent, double *value)
{
    bool is_zero = digits == 0 || exponent < PH_POWER_SMALLEST;
    *value = is_zero ? 0.0 : ph_double_from_bits(INFINITY_BITS);
    return is_zero || exponent > LARGEST_EXPONENT;
}

static double PH_COLD decide_decimal(uint64_t digits, int64_t exponent, uint64_t lower_bits)
{
    decimal_text text = {NULL, NULL, digits, exponent, false};
    return decide_exactly(&text, lower_bits);
}

double ph_double_from_decimal(uint64_t digits, int64_t exponent)
{
    double value;
    if (PH_UNLIKELY(is_out_of_range(digits, exponent, &value))) {
        return value;
    }
    /* Clinger: both operands are exact, so that the one operation rounds correctly. */
    if (PH_DOUBLES_ROUND_ONCE && digits <= PH_EXACT_INTEGER_LARGEST &&
        exponent >= -PH_EXACT_POWER_LARGEST && exponent <= PH_EXACT_POWER_LARGEST) {
        value = (double)digits;
        return exponent < 0 ? value / ph_exact_powers_of_ten[-exponent]
                            : value * ph_exact_powers_of_ten[exponent];
    }
    uint64_t bits;
    if (exponent >= -PH_ESTIMATE_EXPONENT && exponent <= PH_ESTIMATE_EXPONENT &&
        PH_LIKELY(ph_double_estimate(digits, (int32_t)exponent, &bits))) {
        return ph_double_from_bits(bits);
    }
    estimate nearest = estimate_double(digits, (int32_t)exponent);
    return PH_LIKELY(nearest.is_certain) ? ph_double_from_bits(nearest.bits)
                                         : decide_decimal(digits, exponent, nearest.lower_bits);
}

/* A text with more digits than `leading` holds: they count only if they can change the result. */
static double nearest_to_cut(const decimal_text *text)
{
    double value;
    if (is_out_of_range(text->leading, text->exponent, &value)) {
        return value;
    }
    estimate lower = estimate_double(text->leading, (int32_t)text->exponent);
    estimate upper = estimate_double(text->leading + 1, (int32_t)text->exponent);
    if (lower.is_certain && upper.is_certain && lower.bits == upper.bits) {
        return ph_double_from_bits(lower.bits);
    }
    return decide_exactly(text, lower.lower_bits);
}

/* Beyond this no digits bring a number back into range: a text has fewer than 2^56 of them. */
#define EXPONENT_CAP ((int64_t)1 << 60)

static int64_t read_exponent(const uint8_t *at, const uint8_t *end)
{
    bool is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    int64_t exponent = 0;
    for (; at < end && exponent < EXPONENT_CAP / 16; at++) {
        exponent = 10 * exponent + (*at - '0');
    }
    return is_negative ? -exponent : exponent;
}

double ph_double_from_digits(const uint8_t *at, size_t size)
{
    const uint8_t *end = at + size;
    decimal_text text = {NULL, end, 0, 0, false};
    int64_t count = 0;      /* digits from the first that is not zero, zeros at the end included */
    int64_t fractional = 0; /* digits after the point, all of them */
    bool after_point = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            after_point = true;
            continue;
        }
        fractional += after_point;
        if (count == 0) {
            if (*at == '0') {
                continue;
            }
            text.first = at;
        }
        count++;
        if (count <= DIGITS_IN_WORD) {
            text.leading = 10 * text.leading + (uint64_t)(*at - '0');
        } else {
            text.is_cut = text.is_cut || *at != '0';
        }
    }
    text.end = at;
    text.exponent = at < end ? read_exponent(at + 1, end) : 0;
    text.exponent -= fractional;
    if (count > DIGITS_IN_WORD) {
        text.exponent += count - DIGITS_IN_WORD;
    }
    return text.is_cut ? nearest_to_cut(&text)
                       : ph_double_from_decimal(text.leading, text.exponent);
}
