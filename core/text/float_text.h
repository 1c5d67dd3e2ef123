/* Doubles and floats to their shortest text, and text to doubles exactly.
 *
 * Printing finds the shortest digits as in Schubfach (R. Giulietti, "The Schubfach way to render
 * doubles", 2020); the common case is decided first with one wide multiplication, as in Xjb and
 * yyjson, and only doubtful cases take Schubfach's three. Reading is Clinger's fast path, then one
 * 64 by 128 bit multiplication in the manner of Eisel and Lemire (D. Lemire, "Number parsing at a
 * gigabyte per second", 2021), and exact big integers where that leaves a doubt. Both use one table
 * of 128-bit powers of ten. No libc function and no locale is involved. */
#ifndef PH_TEXT_FLOAT_TEXT_H
#define PH_TEXT_FLOAT_TEXT_H

#include "base/bytes.h"

#include <float.h>

/* digits times 10^exponent. */
typedef struct ph_decimal {
    uint64_t digits; /* at most 17 digits */
    int32_t exponent;
} ph_decimal;

/* The shortest decimal that rounds to `value`, and of those the nearest to it. The sign is dropped.
 * digits may end in zeros. `value` is finite; zero gives digits 0, exponent 0. Thread safe. */
ph_decimal ph_double_shortest(double value);
ph_decimal ph_float_shortest(float value);

/* How numbers are laid out; all three write 0.001, 1.5, 100.0 and read back the same. They differ in
 * when an exponent is used and how it is written:
 *            from   below   large     small
 * MSGSPEC    1e16   1e-5    1e16      1e-6
 * ORJSON     1e16   1e-5    1e+16     1e-6
 * PYTHON     1e16   1e-4    1e+16     1e-06 */
typedef enum ph_float_style {
    PH_FLOAT_STYLE_MSGSPEC,
    PH_FLOAT_STYLE_ORJSON,
    PH_FLOAT_STYLE_PYTHON /* repr() and the json module */
} ph_float_style;

/* Room that the writers need at `to`: they may write behind the position they return. The longest
 * text itself has 24 characters. */
#define PH_FLOAT_TEXT_ROOM 48

/* Writes a finite number at `to` and returns the position after it. The text always holds a point or
 * an exponent, and a minus sign also for -0.0. Thread safe. */
uint8_t *ph_text_put_double(uint8_t *to, double value, ph_float_style style);

/* Writes `count` finite numbers with a comma after each but the last. A sixth faster than one by one,
 * from two on: the processor works on two at a time.
 * Room: count * PH_FLOAT_TEXT_EACH + PH_FLOAT_TEXT_ROOM. Thread safe. */
#define PH_FLOAT_TEXT_EACH 25
uint8_t *ph_text_put_doubles(uint8_t *to, const double *values, size_t count, ph_float_style style);

/* Writes two finite numbers with a comma between them. NULL, and nothing of use at `to`, when one of them
 * is of a sort that takes longer. Room: 2 * PH_FLOAT_TEXT_EACH + PH_FLOAT_TEXT_ROOM. Thread safe. */
uint8_t *ph_text_put_pair(uint8_t *to, double first, double second, ph_float_style style);

/* The same as ph_text_put_double for the shortest text that reads back as the same 32-bit float. */
uint8_t *ph_text_put_float(uint8_t *to, float value, ph_float_style style);

/* Whether an operation on doubles gives a double at once, not by way of a wider format. */
#define PH_DOUBLES_ROUND_ONCE (FLT_EVAL_METHOD == 0)

/* Powers of ten that a double holds exactly, and integers up to which it holds all. */
#define PH_EXACT_POWER_LARGEST   22
#define PH_EXACT_INTEGER_LARGEST ((uint64_t)1 << 53)
extern const double ph_exact_powers_of_ten[PH_EXACT_POWER_LARGEST + 1];

/* The double nearest to digits times 10^exponent, ties to even; infinity when that overflows.
 * digits is exact. Thread safe. */
double ph_double_from_decimal(uint64_t digits, int64_t exponent) __attribute__((const));

/* The double nearest to the number that `size` bytes at `text` write: digits, optionally a point and
 * digits, optionally an exponent; no sign. The text must have been checked; any length is exact.
 * Infinity when it overflows. Thread safe. */
double ph_double_from_digits(const uint8_t *text, size_t size);

#endif
