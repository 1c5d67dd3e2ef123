/* A plain walk over one value with the cursor, to compare the other readers with. */
#ifndef FUZZ_WALK_H
#define FUZZ_WALK_H

#include "wire/cursor.h"

#define FUZZ_DEPTH 64

typedef enum fuzz_end {
    FUZZ_COMPLETE, /* position is behind the value */
    FUZZ_ERROR,    /* code, at position */
    FUZZ_TOO_DEEP  /* position is the container that is one too many */
} fuzz_end;

typedef struct fuzz_walk {
    const uint8_t *position;
    const uint8_t *end;
    ph_error_code code;
    uint32_t depth;
    uint64_t left[FUZZ_DEPTH];
    bool begun;
} fuzz_walk;

static inline void fuzz_walk_begin(fuzz_walk *walk, const uint8_t *bytes, size_t size)
{
    walk->position = bytes;
    walk->end = bytes + size;
    walk->code = PH_ERROR_NONE;
    walk->depth = 0;
    walk->begun = false;
}

/* True with the next token, false when the walk has ended as *how says. */
static inline bool fuzz_walk_next(fuzz_walk *walk, ph_token *token, fuzz_end *how)
{
    while (walk->depth > 0 && walk->left[walk->depth - 1] == 0) {
        walk->depth--;
    }
    if (walk->begun) {
        if (walk->depth == 0) {
            *how = FUZZ_COMPLETE;
            return false;
        }
        walk->left[walk->depth - 1]--;
    }
    walk->begun = true;
    const uint8_t *value = walk->position;
    const uint8_t *next = ph_cursor_next(value, walk->end, token);
    if (token->kind == PH_TOKEN_ERROR) {
        walk->code = (ph_error_code)token->length;
        walk->position = next;
        *how = FUZZ_ERROR;
        return false;
    }
    if (token->kind == PH_TOKEN_ARRAY || token->kind == PH_TOKEN_MAP) {
        if (walk->depth == FUZZ_DEPTH) {
            *how = FUZZ_TOO_DEEP;
            return false;
        }
        walk->left[walk->depth++] =
            token->kind == PH_TOKEN_MAP ? 2 * (uint64_t)token->length : token->length;
    }
    walk->position = next;
    return true;
}

#endif
