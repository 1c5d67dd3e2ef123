/* A test vector as the C tests see it, and what its notations expand to. */
#ifndef TESTS_CORE_VECTOR_ROW_H
#define TESTS_CORE_VECTOR_ROW_H

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector_row {
    const char *name;
    const char *hex;    /* the notation of tests/vectors/README.md */
    const char *expect; /* the tokens (see tools/make_vector_table.py); NULL when it is refused */
    ph_error_code code;
    uint64_t offset;
    bool canonical;
} vector_row;

/* Bytes that the test owns. */
typedef struct vector_bytes {
    uint8_t *bytes; /* never NULL */
    size_t size;
} vector_bytes;

static inline unsigned vector_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* One word of hex digits, `*` and a count, into `to` (NULL: only measured). Returns the bytes. */
static inline size_t vector_expand_word(const char *word, size_t digits, size_t times, uint8_t *to)
{
    size_t size = 0;
    for (size_t round = 0; round < times; round++) {
        for (size_t i = 0; i < digits; i += 2, size++) {
            if (to != NULL) {
                to[size] = (uint8_t)(vector_digit(word[i]) << 4 | vector_digit(word[i + 1]));
            }
        }
    }
    return size;
}

static inline size_t vector_expand(const char *hex, uint8_t *to)
{
    size_t size = 0;
    while (*hex != '\0') {
        size_t digits = strcspn(hex, "* ");
        const char *word = hex;
        size_t times = 1;
        hex += digits;
        if (*hex == '*') {
            char *behind;
            times = strtoul(hex + 1, &behind, 10);
            hex = behind;
        }
        size += vector_expand_word(word, digits, times, to == NULL ? NULL : to + size);
        hex += *hex == ' ';
    }
    return size;
}

/* The bytes of a notation; free() them. */
static inline vector_bytes vector_bytes_new(const char *hex)
{
    vector_bytes made;
    made.size = vector_expand(hex, NULL);
    made.bytes = malloc(made.size + 1);
    if (made.bytes == NULL) {
        abort();
    }
    vector_expand(hex, made.bytes);
    return made;
}

/* A position in an expectation: which word, which token of it, which repetition. */
typedef struct vector_expectation {
    const char *word;  /* the current word; "" at the end */
    const char *token; /* in the current word */
    size_t round;      /* repetitions of the word that are behind */
} vector_expectation;

static inline void vector_expectation_begin(vector_expectation *at, const char *expect)
{
    at->word = at->token = expect;
    at->round = 0;
}

/* Copies the next token to `text` (64 bytes) and goes on behind it; false at the end. */
static inline bool vector_expectation_next(vector_expectation *at, char text[64])
{
    if (*at->word == '\0') {
        return false;
    }
    size_t length = strcspn(at->token, ",* ");
    snprintf(text, 64, "%.*s", (int)length, at->token);
    const char *behind = at->token + length;
    if (*behind == ',') {
        at->token = behind + 1;
        return true;
    }
    size_t times = 1;
    if (*behind == '*') {
        char *end;
        times = strtoul(behind + 1, &end, 10);
        behind = end;
    }
    at->round++;
    if (at->round < times) {
        at->token = at->word;
        return true;
    }
    at->round = 0;
    at->word = at->token = behind + (*behind == ' ');
    return true;
}

#endif
