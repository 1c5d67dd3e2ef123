/* Runs and batches of numbers as objects. */
#include "decode/json_numbers.h"

#include "json/scalar_run.h"

/* The object of value `index`; NULL with an exception set. No switch: what is asked for is a pattern in
 * many documents, which single branches learn better. */
PH_INLINE PyObject *batch_value(const ph_object_samples *samples, const ph_json_batch *batch,
                                unsigned index)
{
    unsigned kind = batch->kinds[index];
    uint64_t value = batch->values[index];
    if (kind == PH_TOKEN_FLOAT64) {
        return ph_float_from_double(samples, ph_json_batch_double(batch, index));
    }
    if (kind >= PH_TOKEN_UNSIGNED) {
        /* Unsigned ones of a batch are too small to come round to these. */
        uint64_t place = value + PH_SMALL_NEGATIVES;
        if (place < PH_SMALL_NEGATIVES + PH_SMALL_INTEGERS) {
            return PH_IMMORTAL_REF(samples->small_integers[place]);
        }
        bool is_negative = kind == PH_TOKEN_SIGNED;
        return ph_integer_new(samples, is_negative ? 0 - value : value, is_negative);
    }
    return PH_IMMORTAL_REF(kind == PH_TOKEN_NIL    ? Py_None
                           : kind == PH_TOKEN_TRUE ? Py_True
                                                   : Py_False);
}

/* Pushes the objects of a batch, for which there is room. -1 with MemoryError set. */
PH_INLINE int push_batch(ph_value_stack *values, const ph_object_samples *samples,
                         const ph_json_batch *batch)
{
    PyObject **to = values->items + values->used;
    unsigned count = batch->count;
    unsigned index = 0;
    if (batch->all_unsigned) {
        for (; index < count; index++) {
            to[index] = ph_integer_from_unsigned(samples, batch->values[index]);
            if (PH_UNLIKELY(to[index] == NULL)) {
                break;
            }
        }
    } else if (batch->all_fractions) {
        for (; index < count; index++) {
            to[index] = ph_float_from_double(samples, ph_json_batch_double(batch, index));
            if (PH_UNLIKELY(to[index] == NULL)) {
                break;
            }
        }
    } else {
        for (; index < count; index++) {
            to[index] = batch_value(samples, batch, index);
            if (PH_UNLIKELY(to[index] == NULL)) {
                break;
            }
        }
    }
    values->used += index;
    return index == count ? 0 : -1;
}

/* The elements of ph_json_numbers, one by one. */
static const uint8_t *read_runs(ph_decoder *d, const uint8_t *position)
{
    const ph_object_samples *samples = &d->cache->samples;
    ph_json_run run = ph_json_run_at(position, d->start, d->end);
    ph_json_scalar scalar = {{0}, PH_TOKEN_NIL};
    while (ph_json_run_next(&run, &scalar)) {
        PyObject *value;
        switch (scalar.kind) {
        case PH_TOKEN_FLOAT64: value = ph_float_from_double(samples, scalar.value.f); break;
        case PH_TOKEN_UNSIGNED: value = ph_integer_from_unsigned(samples, scalar.value.u); break;
        case PH_TOKEN_SIGNED: value = ph_integer_from_signed(samples, scalar.value.i); break;
        case PH_TOKEN_NIL: value = PH_IMMORTAL_REF(Py_None); break;
        case PH_TOKEN_TRUE: value = PH_IMMORTAL_REF(Py_True); break;
        case PH_TOKEN_FALSE: value = PH_IMMORTAL_REF(Py_False); break;
        default: PH_UNREACHABLE();
        }
        if (PH_UNLIKELY(value == NULL)) {
            return ph_decoder_fail_as_set(d, position);
        }
        if (PH_UNLIKELY(ph_value_stack_reserve(&d->values, 1) < 0)) {
            Py_DECREF(value);
            return ph_decoder_fail_as_set(d, position);
        }
        ph_value_stack_push(&d->values, value);
    }
    return run.after;
}

static PH_ALIGNED PH_NOINLINE const uint8_t *read_batches(ph_decoder *d, const uint8_t *position)
{
    const ph_object_samples *samples = &d->cache->samples;
    const uint8_t *after = position;
    ph_json_batch batch;
    do {
        ph_json_read_scalars(&batch, position, d->end);
        if (PH_UNLIKELY(batch.count == 0)) {
            /* An unusual one, or integers that are better read so. */
            const uint8_t *end = read_runs(d, position);
            return end != position ? end : after;
        }
        if (PH_UNLIKELY(ph_value_stack_reserve(&d->values, batch.count) < 0)) {
            return ph_decoder_fail_as_set(d, position);
        }
        if (PH_UNLIKELY(push_batch(&d->values, samples, &batch) < 0)) {
            return ph_decoder_fail_as_set(d, position);
        }
        after = batch.after;
        position = after + 1;
    } while (*after == ',');
    return after;
}

PH_ALIGNED const uint8_t *ph_json_numbers(ph_decoder *d, const uint8_t *position, bool by_batches)
{
    return by_batches && !ph_json_changes_soon(position) ? read_batches(d, position)
                                                         : read_runs(d, position);
}

PH_ALIGNED const uint8_t *ph_json_rows(ph_decoder *d, const uint8_t *position)
{
    const ph_object_samples *samples = &d->cache->samples;
    const uint8_t *after = position;
    ph_json_batch batch;
    do {
        ph_json_read_rows(&batch, position + 1, d->end);
        if (batch.count == 0) {
            break;
        }
        if (PH_UNLIKELY(ph_value_stack_reserve(&d->values, batch.count) < 0)) {
            return ph_decoder_fail_as_set(d, position);
        }
        size_t base = d->values.used;
        for (unsigned index = 0; index < batch.count; index++) {
            PyObject *value = batch_value(samples, &batch, index);
            if (PH_UNLIKELY(value == NULL)) {
                return ph_decoder_fail_as_set(d, position);
            }
            ph_value_stack_push(&d->values, value);
            if ((batch.row_ends >> index & 1) != 0) {
                value = ph_value_stack_take_list(&d->values, samples, base);
                if (PH_UNLIKELY(value == NULL)) {
                    return ph_decoder_fail_as_set(d, position);
                }
                ph_value_stack_push(&d->values, value);
                base++;
            }
        }
        after = batch.after;
        position = after + 1;
    } while (*after == ',' && ph_left(position, d->end) > 1 && *position == '[');
    return after;
}
