/* Numbers and words (true, false, null) that follow each other in arrays, read many at a time, where the
 * processor has AVX-512. Elsewhere scalar_run.h reads them one by one.
 *
 * Where they begin and end, and that only commas stand between them, is found out for sixty-four bytes at
 * once, and what they are for four or eight of them. Whatever is unusual (exponents, more than 19
 * digits, comments, text that is not JSON) ends a batch in front of it, and so does the end of the
 * input, a few elements early: there ph_json_next goes on, and says what is wrong. */
#ifndef PH_JSON_SCALAR_BATCH_H
#define PH_JSON_SCALAR_BATCH_H

#include "base/token.h"
#include "text/float_read.h"
#include "json/block.h"

#define PH_JSON_BATCH_VALUES 64

/* Fractions whose digits make less than this divide faster than they multiply. */
#define PH_DIVIDED_DIGITS UINT64_C(1000000000000000)

typedef struct ph_json_batch {
    const uint8_t *after; /* where ph_json_next goes on at PH_JSON_ELEMENT: at a comma or bracket */
    uint64_t row_ends;    /* of rows: bit n is set if value n is the last of its array */
    unsigned count;       /* of values; with none, nothing else is set */
    bool all_unsigned;    /* there are no other kinds */
    bool all_fractions;   /* likewise */
    uint8_t kinds[PH_JSON_BATCH_VALUES]; /* UNSIGNED, SIGNED, FLOAT64, NIL, FALSE or TRUE, as
                                            ph_json_next gives them */
    uint8_t fraction_digits[PH_JSON_BATCH_VALUES]; /* of doubles, and PH_JSON_BATCH_MINUS */
    uint64_t values[PH_JSON_BATCH_VALUES]; /* of doubles all digits, of negative integers the two's
                                              complement */
} ph_json_batch;

#define PH_JSON_BATCH_MINUS 0x80u

/* The double that value `index` is. Left to the host, whose making of objects leaves time for it. */
PH_INLINE double ph_json_batch_double(const ph_json_batch *batch, unsigned index)
{
    uint64_t digits = batch->values[index];
    int32_t fraction_digits = batch->fraction_digits[index] & (PH_JSON_BATCH_MINUS - 1);
    uint64_t sign = (uint64_t)(batch->fraction_digits[index] & PH_JSON_BATCH_MINUS) << 56;
    uint64_t bits;
    if (PH_DOUBLES_ROUND_ONCE && digits < PH_DIVIDED_DIGITS) {
        bits =
            ph_bits_from_double((double)(int64_t)digits / ph_exact_powers_of_ten[fraction_digits]);
    } else if (PH_UNLIKELY(!ph_double_estimate(digits, -fraction_digits, &bits))) {
        bits = ph_bits_from_double(ph_double_from_decimal(digits, -fraction_digits));
    }
    return ph_double_from_bits(bits | sign);
}

/* Whether something else than numbers and words stands so near to `position` that a batch does not pay.
 * Thirty-two bytes can be read. */
PH_INLINE bool ph_json_changes_soon(const uint8_t *position)
{
    uint64_t found = 0;
    for (unsigned at = 0; at < 32; at += PH_BLOCK_BYTES) {
        found |= ph_block_not_scalars(ph_block_load(position + at));
    }
    return found != 0;
}

/* Whether batches can be read here; without that the two below read nothing. */
bool ph_json_reads_batches(void);

/* Reads elements of one array. The first of them, after white space at most, is at `position`, up to
 * `end` in one readable buffer; nothing else is read. */
void ph_json_read_scalars(ph_json_batch *batch, const uint8_t *position, const uint8_t *end);

/* Reads whole arrays of numbers (one number or more, no white space) that are elements of another. The
 * first element of the first of them is at `position`. */
void ph_json_read_rows(ph_json_batch *batch, const uint8_t *position, const uint8_t *end);

#endif
