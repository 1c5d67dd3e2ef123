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
/* Bytes of an element with its indentation for which no room is made in advance. */
#define LONG_LINE 512
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

/* A level takes less of the machine stack than a quarter of what Ruby keeps free. */
#define STACK_CHECK_LEVELS 4

static void check_nesting(const ph_json_writer *writer, const ph_object_place *place)
{
    if (PH_UNLIKELY(place->depth >= writer->options->max_nesting ||
                    (place->depth % STACK_CHECK_LEVELS == 0 && ruby_stack_check()))) {
        ph_raise_at(ph_json_nesting_error,
                    rb_sprintf("nesting of %" PRIu32
                               " is too deep. Did you try to serialize objects with circular "
                               "references?",
                               place->depth + 1),
                    place);
    }
}

/* Elements from *at on, some at once; moves *at. Each on a line of its own, if `lines`: of the usual
 * layout. */
PH_INLINE void put_run(ph_json_writer *writer, VALUE array, long *at, ph_object_place *inside,
                       bool lines)
{
    size_t spaces = lines ? (size_t)writer->options->spaces : 0;
    size_t each = IMMEDIATE_ROOM + (lines ? ph_json_break_room(inside->depth, spaces) : 0);
    long run = each > LONG_LINE ? 1 : RUN;
    size_t ahead = (size_t)run * each;
    uint8_t *to = ph_json_room(writer, ahead);
    long length = RARRAY_LEN(array);
    long stop = length - *at < run ? length : *at + run;
    const VALUE *items = ph_array_items(array);
    for (; *at < stop; ++*at) {
        VALUE value = items[*at];
        *to = ',';
        uint8_t *start = to + (*at != 0);
        if (lines) {
            start = ph_json_put_break(start, inside->depth, spaces);
        }
        uint8_t *next = put_immediate(start, value);
        if (next != NULL) {
            to = next;
            continue;
        }
        ph_json_wrote(writer, start);
        if (ph_json_is_plain(writer, value)) {
            start = ph_json_room(writer, ph_json_plain_room(value, ahead));
            to = ph_json_put_plain(writer, start, value, ahead);
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

/* One element in an unusual layout. */
static void put_element(ph_json_writer *writer, VALUE array, long at, ph_object_place *inside)
{
    if (at != 0) {
        ph_json_put(writer, ',');
    }
    put_break(writer, writer->options->array_nl, inside->depth);
    if (at < RARRAY_LEN(array)) {
        inside->at = (size_t)at;
        ph_json_put_value(writer, RARRAY_AREF(array, at), inside);
    }
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
    const ph_json_generate_options *options = writer->options;
    ph_object_place inside;
    ph_object_enter(&inside, place, false);
    long at = 0;
    while (at < RARRAY_LEN(array)) {
        if (ph_byte_queue_wants_flush(&writer->queue)) {
            ph_byte_queue_flush(&writer->queue);
        }
        if (PH_LIKELY(!options->pretty)) {
            put_run(writer, array, &at, &inside, false);
        } else if (options->spaces >= 0) {
            put_run(writer, array, &at, &inside, true);
        } else {
            put_element(writer, array, at, &inside);
            at++;
        }
    }
    if (options->pretty) {
        put_break(writer, options->array_nl, place->depth);
    }
    ph_json_put(writer, ']');
    RB_GC_GUARD(array);
}

typedef struct pair_walk {
    ph_json_writer *writer;
    ph_object_place inside;
    size_t pairs; /* written */
    bool strings; /* kinds of keys seen: two kinds may become one text */
    bool symbols;
    bool others;
} pair_walk;

/* The longest text of a key that is remembered. */
#define KNOWN_LONGEST 64

PH_INLINE uint32_t place_of_known(const pair_walk *walk)
{
    return (uint32_t)(walk->pairs + 16 * (size_t)walk->inside.depth) % PH_JSON_KNOWN_KEYS;
}

static void remember_key(pair_walk *walk, VALUE key, size_t offset)
{
    ph_json_writer *writer = walk->writer;
    size_t size = ph_byte_queue_length(&writer->queue) - offset;
    bool can_change = !SYMBOL_P(key) && !(RB_TYPE_P(key, T_STRING) && RB_OBJ_FROZEN_RAW(key));
    if (can_change || size > KNOWN_LONGEST || !NIL_P(writer->queue.io)) {
        return;
    }
    uint32_t place = place_of_known(walk);
    writer->known[place] = (ph_json_known_key){
        .key = key, .offset = offset, .size = (uint32_t)size, .depth = walk->inside.depth};
    writer->known_keys |= UINT64_C(1) << place;
}

/* A key, what the layout puts around it, and the colon. */
static PH_NOINLINE void put_key(pair_walk *walk, VALUE key)
{
    ph_json_writer *writer = walk->writer;
    const ph_json_generate_options *options = writer->options;
    size_t offset = ph_byte_queue_length(&writer->queue);
    if (PH_UNLIKELY(options->pretty)) {
        put_break(writer, options->object_nl, walk->inside.depth);
    }
    walk->inside.key = Qundef;
    walk->inside.at = walk->pairs;
    VALUE text = RB_TYPE_P(key, T_STRING) ? key : ph_json_key_text(key);
    ph_json_put_string(writer, text, &walk->inside);
    if (PH_UNLIKELY(options->pretty)) {
        put_text(writer, options->space_before);
    }
    ph_json_put(writer, ':');
    if (PH_UNLIKELY(options->pretty)) {
        put_text(writer, options->space);
    }
    remember_key(walk, key, offset);
    RB_GC_GUARD(text);
}

PH_INLINE void note_kind(pair_walk *walk, VALUE key)
{
    if (PH_LIKELY(!RB_SPECIAL_CONST_P(key) && RB_BUILTIN_TYPE(key) == T_STRING)) {
        walk->strings = true;
    } else if (SYMBOL_P(key)) {
        walk->symbols = true;
    } else {
        walk->others = true;
    }
}

static int put_pair(VALUE key, VALUE value, VALUE argument)
{
    pair_walk *walk = (pair_walk *)argument;
    ph_json_writer *writer = walk->writer;
    note_kind(walk, key);
    bool follows = walk->pairs != 0;
    bool plain = ph_json_is_plain(writer, value);
    size_t room = plain ? ph_json_plain_room(value, 0) : IMMEDIATE_ROOM;
    uint32_t place = place_of_known(walk);
    const ph_json_known_key *known = &writer->known[place];
    uint8_t *to;
    if (PH_LIKELY((writer->known_keys >> place & 1) != 0 && known->key == key &&
                  known->depth == walk->inside.depth)) {
        to = ph_json_room(writer, 1 + KNOWN_LONGEST + room);
        *to = ',';
        to += follows;
        const uint8_t *text = writer->queue.bytes.start + known->offset;
        /* What is copied beyond the text is written over. */
        for (size_t at = 0; at < known->size; at += PH_BLOCK_BYTES) {
            ph_block_store(to + at, ph_block_load(text + at));
        }
        to += known->size;
    } else {
        if (follows) {
            ph_json_put(writer, ',');
        }
        put_key(walk, key);
        /* A key's to_s may have changed the value. */
        plain = ph_json_is_plain(writer, value);
        to = ph_json_room(writer, plain ? ph_json_plain_room(value, 0) : IMMEDIATE_ROOM);
    }
    uint8_t *next = plain ? ph_json_put_plain(writer, to, value, 0) : put_immediate(to, value);
    ph_json_wrote(writer, next == NULL ? to : next);
    if (next == NULL) {
        walk->inside.key = key;
        ph_json_put_value(writer, value, &walk->inside);
    }
    walk->pairs++;
    if (ph_byte_queue_wants_flush(&writer->queue)) {
        ph_byte_queue_flush(&writer->queue);
    }
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
    writer.known_keys = 0;
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
