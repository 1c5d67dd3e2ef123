/* The generator's switch and its container loops. */
#include "json_text/json_generate.h"

#include "json_text/json_errors.h"
#include "json_text/json_writer.h"
#include "runtime/ruby_layout.h"
#include "text/integer_text.h"

/* Results up to this size never touch a buffer on the heap. */
#define SCRATCH 2048
/* Elements for which room is made at once. */
#define RUN 32
/* The longest immediate, with a comma: a Float. */
#define IMMEDIATE_ROOM (PH_JSON_FLOAT_ROOM + 1)

/* What needs no code of others and no check; NULL: something else. */
PH_INLINE uint8_t *put_immediate(uint8_t *to, VALUE value)
{
    if (RB_FIXNUM_P(value)) {
        return ph_text_put_i64(to, FIX2LONG(value));
    }
    if (value == Qnil) {
        memcpy(to, "null", 4);
        return to + 4;
    }
    if (value == Qtrue) {
        memcpy(to, "true", 4);
        return to + 4;
    }
    if (value == Qfalse) {
        memcpy(to, "false", 5);
        return to + 5;
    }
    if (RB_FLONUM_P(value)) {
        /* Flonums are finite. */
        return ph_json_put_finite(to, ph_flonum_value(value));
    }
    return NULL;
}

static void put_text(ph_json_writer *writer, VALUE text)
{
    if (!NIL_P(text)) {
        ph_byte_queue_append(&writer->queue, RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
    }
}

/* A line break (of the kind given) and the indentation of `depth` levels. */
static void put_break(ph_json_writer *writer, VALUE line_break, uint32_t depth)
{
    int spaces = writer->options->spaces;
    if (PH_LIKELY(spaces >= 0)) {
        uint8_t *to = ph_json_room(writer, ph_json_break_room(depth, (size_t)spaces));
        ph_json_wrote(writer, ph_json_put_break(to, depth, (size_t)spaces));
        return;
    }
    if (NIL_P(line_break)) {
        return;
    }
    put_text(writer, line_break);
    for (uint32_t level = 0; level < depth; level++) {
        put_text(writer, writer->options->indent);
    }
}

static void check_nesting(const ph_json_writer *writer, const ph_object_place *place)
{
    if (PH_UNLIKELY(place->depth >= writer->options->max_nesting || ruby_stack_check())) {
        ph_raise_at(ph_json_nesting_error,
                    rb_sprintf("nesting of %" PRIu32
                               " is too deep. Did you try to serialize objects with circular "
                               "references?",
                               place->depth + 1),
                    place);
    }
}

/* Elements from *at on, some at once; moves *at. */
static void put_run(ph_json_writer *writer, VALUE array, long *at, ph_object_place *inside)
{
    uint8_t *to = ph_json_room(writer, (size_t)RUN * IMMEDIATE_ROOM);
    long length = RARRAY_LEN(array);
    long stop = length - *at < RUN ? length : *at + RUN;
    const VALUE *items = ph_array_items(array);
    for (; *at < stop; ++*at) {
        VALUE value = items[*at];
        *to = ',';
        uint8_t *start = to + (*at != 0);
        uint8_t *next = put_immediate(start, value);
        if (next != NULL) {
            to = next;
            continue;
        }
        ph_json_wrote(writer, start);
        if (ph_json_is_plain(writer, value)) {
            start = ph_json_room(writer, ph_json_plain_room(value, (size_t)RUN * IMMEDIATE_ROOM));
            to = ph_json_put_plain(writer, start, value, (size_t)RUN * IMMEDIATE_ROOM);
            /* Making room may have run the collector, which may move the items. */
            items = ph_array_items(array);
            continue;
        }
        inside->at = (size_t)(*at)++;
        ph_json_put_value(writer, value, inside);
        return;
    }
    ph_json_wrote(writer, to);
}

static void put_array(ph_json_writer *writer, VALUE array, const ph_object_place *place)
{
    check_nesting(writer, place);
    if (RARRAY_LEN(array) == 0) {
        ph_json_put(writer, '[');
        ph_json_put(writer, ']');
        return;
    }
    ph_json_put(writer, '[');
    bool pretty = writer->options->pretty;
    ph_object_place inside;
    ph_object_enter(&inside, place, false);
    long at = 0;
    while (at < RARRAY_LEN(array)) {
        if (ph_byte_queue_wants_flush(&writer->queue)) {
            ph_byte_queue_flush(&writer->queue);
        }
        if (PH_UNLIKELY(pretty)) {
            if (at != 0) {
                ph_json_put(writer, ',');
            }
            put_break(writer, writer->options->array_nl, inside.depth);
            if (at < RARRAY_LEN(array)) {
                inside.at = (size_t)at;
                ph_json_put_value(writer, RARRAY_AREF(array, at), &inside);
            }
            at++;
            continue;
        }
        put_run(writer, array, &at, &inside);
    }
    if (pretty) {
        put_break(writer, writer->options->array_nl, place->depth);
    }
    ph_json_put(writer, ']');
    RB_GC_GUARD(array);
}

typedef struct pair_walk {
    ph_json_writer *writer;
    ph_object_place inside;
    size_t pairs; /* that have been begun */
    bool strings; /* kinds of keys seen: two kinds may become one text */
    bool symbols;
    bool others;
} pair_walk;

static void put_pair_value(pair_walk *walk, VALUE key, VALUE value)
{
    walk->inside.key = key;
    ph_json_put_value(walk->writer, value, &walk->inside);
}

/* A pair whose key is plain, on one line. */
PH_INLINE void put_plain_pair(pair_walk *walk, bool follows, VALUE key, VALUE value)
{
    ph_json_writer *writer = walk->writer;
    size_t more = 1 + IMMEDIATE_ROOM;
    uint8_t *to = ph_json_room(writer, ph_json_plain_room(key, 1 + more));
    *to = ',';
    to = ph_json_put_plain(writer, to + follows, key, more);
    *to++ = ':';
    uint8_t *next = put_immediate(to, value);
    if (next != NULL) {
        ph_json_wrote(writer, next);
    } else {
        ph_json_wrote(writer, to);
        if (ph_json_is_plain(writer, value)) {
            to = ph_json_room(writer, ph_json_plain_room(value, 0));
            ph_json_wrote(writer, ph_json_put_plain(writer, to, value, 0));
        } else {
            put_pair_value(walk, key, value);
        }
    }
    if (ph_byte_queue_wants_flush(&writer->queue)) {
        ph_byte_queue_flush(&writer->queue);
    }
}

static int put_pair(VALUE key, VALUE value, VALUE argument)
{
    pair_walk *walk = (pair_walk *)argument;
    ph_json_writer *writer = walk->writer;
    const ph_json_generate_options *options = writer->options;
    bool follows = walk->pairs++ != 0;
    if (PH_LIKELY(!options->pretty && ph_json_is_plain(writer, key))) {
        walk->strings = true;
        put_plain_pair(walk, follows, key, value);
        return ST_CONTINUE;
    }
    if (follows) {
        ph_json_put(writer, ',');
    }
    if (PH_UNLIKELY(options->pretty)) {
        put_break(writer, options->object_nl, walk->inside.depth);
    }
    if (PH_LIKELY(RB_TYPE_P(key, T_STRING))) {
        walk->strings = true;
    } else {
        if (SYMBOL_P(key)) {
            walk->symbols = true;
        } else {
            walk->others = true;
        }
        key = ph_json_key_text(key);
    }
    walk->inside.key = Qundef;
    walk->inside.at = walk->pairs - 1;
    ph_json_put_string(writer, key, &walk->inside);
    if (PH_UNLIKELY(options->pretty)) {
        put_text(writer, options->space_before);
        ph_json_put(writer, ':');
        put_text(writer, options->space);
        put_pair_value(walk, key, value);
    } else {
        uint8_t *to = ph_json_room(writer, IMMEDIATE_ROOM);
        *to++ = ':';
        uint8_t *next = put_immediate(to, value);
        ph_json_wrote(writer, next == NULL ? to : next);
        if (next == NULL) {
            put_pair_value(walk, key, value);
        }
    }
    if (ph_byte_queue_wants_flush(&writer->queue)) {
        ph_byte_queue_flush(&writer->queue);
    }
    RB_GC_GUARD(key);
    return ST_CONTINUE;
}

typedef struct key_check {
    VALUE seen;
    VALUE hash;
    const ph_object_place *place;
} key_check;

static int note_key(VALUE key, VALUE value, VALUE argument)
{
    (void)value;
    const key_check *check = (const key_check *)argument;
    VALUE text = ph_json_key_text(key);
    if (rb_hash_lookup2(check->seen, text, Qundef) != Qundef) {
        ph_json_raise_generator(rb_sprintf("detected duplicate key %+" PRIsVALUE, text),
                                check->hash, check->place);
    }
    rb_hash_aset(check->seen, text, Qtrue);
    return ST_CONTINUE;
}

static VALUE sorted_by_key(VALUE hash)
{
    VALUE sort_block = rb_funcall(ph_json_module, rb_intern("sort_keys"), 1, hash);
    return rb_convert_type(sort_block, T_HASH, "Hash", "to_hash");
}

static void put_hash(ph_json_writer *writer, VALUE hash, const ph_object_place *place)
{
    check_nesting(writer, place);
    if (RHASH_EMPTY_P(hash)) {
        ph_json_put(writer, '{');
        ph_json_put(writer, '}');
        return;
    }
    if (PH_UNLIKELY(writer->options->sort_keys)) {
        hash = sorted_by_key(hash);
    }
    ph_json_put(writer, '{');
    pair_walk walk = {.writer = writer};
    ph_object_enter(&walk.inside, place, true);
    rb_hash_foreach(hash, put_pair, (VALUE)&walk);
    if (PH_UNLIKELY(walk.strings + walk.symbols + 2 * walk.others > 1 && RHASH_SIZE(hash) > 1 &&
                    !writer->options->allow_duplicate_key)) {
        key_check check = {.seen = rb_hash_new(), .hash = hash, .place = place};
        rb_hash_foreach(hash, note_key, (VALUE)&check);
    }
    if (writer->options->pretty) {
        put_break(writer, writer->options->object_nl, place->depth);
    }
    ph_json_put(writer, '}');
    RB_GC_GUARD(hash);
}

void ph_json_put_value(ph_json_writer *writer, VALUE value, const ph_object_place *place)
{
    uint8_t *to = ph_json_room(writer, IMMEDIATE_ROOM);
    uint8_t *next = put_immediate(to, value);
    if (next != NULL) {
        ph_json_wrote(writer, next);
        return;
    }
    if (!RB_SPECIAL_CONST_P(value)) {
        VALUE klass = RBASIC_CLASS(value);
        if (klass == rb_cString) {
            ph_json_put_string(writer, value, place);
            return;
        }
        if (klass == rb_cHash) {
            put_hash(writer, value, place);
            return;
        }
        if (klass == rb_cArray) {
            put_array(writer, value, place);
            return;
        }
    }
    switch (rb_type(value)) {
    case T_SYMBOL: ph_json_put_string(writer, rb_sym2str(value), place); return;
    case T_FLOAT: ph_json_put_float(writer, value, place); return;
    case T_BIGNUM: put_text(writer, rb_big2str(value, 10)); return;
    case T_STRING:
    case T_ARRAY:
    case T_HASH: break;
    default: ph_json_put_object(writer, value, place); return;
    }
    /* A subclass: as its base, unless it has a to_json of its own. */
    if (!writer->options->strict && ph_json_has_own_method(value)) {
        ph_json_put_object(writer, value, place);
    } else if (RB_TYPE_P(value, T_STRING)) {
        ph_json_put_string(writer, value, place);
    } else if (RB_TYPE_P(value, T_HASH)) {
        put_hash(writer, value, place);
    } else {
        put_array(writer, value, place);
    }
}

VALUE ph_json_generate(VALUE object, const ph_json_generate_options *options, VALUE option_hash,
                       VALUE io)
{
    uint8_t scratch[SCRATCH];
    ph_json_writer writer;
    ph_byte_queue_init(&writer.queue, Qfalse, io, Qnil);
    ph_byte_queue_use_scratch(&writer.queue, scratch, sizeof scratch);
    writer.options = options;
    writer.option_hash = option_hash;
    writer.state = Qnil;
    ph_object_place root = ph_object_root(options->depth);
    ph_json_put_value(&writer, object, &root);
    if (!NIL_P(io)) {
        ph_byte_queue_flush(&writer.queue);
        return Qnil;
    }
    VALUE text = ph_byte_queue_take(&writer.queue);
    rb_enc_associate_index(text, ph_index_utf8);
    return text;
}
