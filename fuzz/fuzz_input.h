/* What the targets share: settings from the first bytes of an input, and a check that stops. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the process, which is how a fuzzer learns of a finding. */
#define FUZZ_CHECK(condition)                                              \
 do {                                                                      \
  if (!(condition)) {                                                      \
   fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
   abort();                                                                \
  }                                                                        \
 } while (0)

/* Takes one byte of settings from the front; 0 when there is none. */
static inline uint8_t fuzz_setting(const uint8_t **data, size_t *size)
{
    if (*size == 0) {
        return 0;
    }
    uint8_t setting = **data;
    ++*data;
    --*size;
    return setting;
}

#endif
