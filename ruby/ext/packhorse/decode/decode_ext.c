/* Ext types to objects: user code runs here, after the value has been committed. */
#include "decode/decode_ext.h"

#include "classes/ext_types.h"
#include "runtime/ruby_layout.h"
#include "wire/cursor.h"

static const ph_decode_ext_result done = {.kind = PH_FAILURE_NONE};

const uint8_t *ph_find_end(const uint8_t *start, const uint8_t *end, const uint8_t **failed,
                           ph_error_code *code)
{
    const uint8_t *position = start;
    uint64_t owed = 1;
    while (owed != 0) {
        ph_token token;
        position = ph_cursor_next(position, end, &token);
        switch (token.kind) {
        case PH_TOKEN_ERROR:
            *failed = position;
            *code = (ph_error_code)token.length;
            return NULL;
        case PH_TOKEN_ARRAY: owed += token.length; break;
        case PH_TOKEN_MAP: owed += 2 * (uint64_t)token.length; break;
        default: break;
        }
        owed--;
    }
    return position;
}

static ph_decode_ext_result unknown_type(ph_decoder *decoder, const ph_token *token, VALUE *value)
{
    if (!decoder->options->allow_unknown_ext) {
        return (ph_decode_ext_result){.kind = PH_FAILURE_UNKNOWN_EXT};
    }
    VALUE payload = rb_str_new((const char *)token->value.bytes, (long)token->length);
    *value = rb_struct_new(ph_class_extension_value, INT2FIX(token->ext_type), payload);
    if (decoder->options->freeze) {
        rb_obj_freeze(*value);
    }
    return done;
}

static ph_decode_ext_result commit(ph_decoder *decoder)
{
    if (decoder->committed) {
        return done;
    }
    ph_decode_ext_result result = {.kind = PH_FAILURE_CORE};
    const uint8_t *value_end = ph_find_end(decoder->start, decoder->end, &result.at, &result.code);
    if (value_end == NULL) {
        return result;
    }
    decoder->committed = true;
    decoder->host.commit(decoder->host.context, ph_left(decoder->start, value_end));
    return done;
}

static VALUE symbol_of_payload(const ph_token *token)
{
    VALUE name = rb_enc_interned_str((const char *)token->value.bytes, (long)token->length,
                                     ph_encoding_utf8);
    if (rb_enc_str_coderange(name) == ENC_CODERANGE_BROKEN) {
        name = rb_str_new((const char *)token->value.bytes, (long)token->length);
    }
    return rb_str_intern(name);
}

ph_decode_ext_result ph_decode_ext(ph_decoder *decoder, const ph_token *token, VALUE *value)
{
    const ph_ext_types *types = ph_ext_types_get(decoder->types);
    VALUE entry = types->unpackers[(uint8_t)token->ext_type];
    if (entry == Qfalse) {
        return unknown_type(decoder, token, value);
    }
    int flags = FIX2INT(RARRAY_AREF(entry, 2));
    if (flags & PH_EXT_SYMBOL) {
        *value = symbol_of_payload(token);
        return done;
    }
    ph_decode_ext_result result = commit(decoder);
    if (result.kind != PH_FAILURE_NONE) {
        return result;
    }
    VALUE argument;
    if (flags & PH_EXT_RECURSIVE) {
        if (decoder->recursion >= PH_RECURSIVE_EXT_DEPTH) {
            return (ph_decode_ext_result){.kind = PH_FAILURE_RECURSIVE_EXT};
        }
        argument = decoder->host.nested_unpacker(decoder->host.context, decoder, token->value.bytes,
                                                 token->length);
    } else {
        argument = rb_str_new((const char *)token->value.bytes, (long)token->length);
    }
    *value = ph_ext_call(entry, 1, &argument);
    if (flags & PH_EXT_RECURSIVE) {
        decoder->host.nested_done(decoder->host.context);
    }
    if (decoder->options->freeze && !RB_SPECIAL_CONST_P(*value)) {
        rb_obj_freeze(*value);
    }
    return done;
}
