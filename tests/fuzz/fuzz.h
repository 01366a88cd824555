/*
 * What fuzz targets share: bytes as files, bytes as draws, faults.
 *
 * A target is one file fuzz_NAME.c with LLVMFuzzerTestOneInput(): `make fuzz`
 * links it with libFuzzer, tests/test_fuzz.c runs it on its corpus.  A target
 * may be run any number of times in one process, so it keeps nothing.
 */
#ifndef HW_TESTS_FUZZ_FUZZ_H
#define HW_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* The target; `make check` gives each a name of its own.  Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A fault is found: say what and abort. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- Files. ---- */

enum { FUZZ_FILES = 3 };

/*
 * The path of a file that holds these bytes, one of FUZZ_FILES; it stays until
 * the slot is filled again.  It is in memory alone.
 */
const char *fuzz_file(unsigned slot, const void *bytes, size_t n);

/*
 * What a call that reads a file ended with: HW_OK, or a refusal with its code
 * and a word in err.  True: HW_OK.
 */
bool fuzz_ended_well(hw_code code, const hw_error *err);

/* ---- Draws: numbers out of the bytes, 0 when these are used up. ---- */

typedef struct fuzz_draws {
    const uint8_t *at;
    size_t left;
} fuzz_draws;

uint8_t fuzz_byte(fuzz_draws *d);
uint32_t fuzz_below(fuzz_draws *d, uint32_t bound); /* 1 .. 256; 0 .. bound - 1 */

/*
 * The bytes up to the next line that is "---" alone, which is passed over, or
 * all that are left.
 */
fuzz_draws fuzz_part(fuzz_draws *d);

#endif
