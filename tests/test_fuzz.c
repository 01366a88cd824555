/*
 * Every fuzz target (tests/fuzz) on its committed corpus, tests/fuzz/corpus/NAME:
 * inputs that reach different parts of the code, and those that once found a
 * fault.  A fault ends the program; the last input named is the one.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "support_io.h"
#include "tests/fuzz/targets.h"

typedef int target(const uint8_t *data, size_t size);

#define DECLARE(name) target fuzz_##name;
FUZZ_TARGETS(DECLARE)

#define ROW(name) {#name, fuzz_##name},
static const struct {
    const char *name;
    target *run;
} targets[] = {FUZZ_TARGETS(ROW)};
enum { N_TARGETS = sizeof targets / sizeof targets[0] };

/* The target on all inputs of its folder; their number. */
static size_t run_all(size_t i)
{
    char pattern[256];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "tests/fuzz/corpus/%s/*", targets[i].name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return 0;
    for (size_t k = 0; k < found.gl_pathc; k++) {
        size_t n;
        char *bytes = file_bytes(found.gl_pathv[k], &n);
        (void)printf("# %s\n", found.gl_pathv[k]);
        (void)fflush(stdout);
        uint8_t *copy = hw_copy(bytes, n, 1); /* without the NUL, so that a byte more is a fault */
        assert_non_null(copy);
        assert_int_equal(targets[i].run(copy, n), 0);
        free(copy);
        free(bytes);
    }
    size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

static void corpora_find_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_TARGETS; i++) {
        static const uint8_t nothing[1];
        assert_int_equal(targets[i].run(nothing, 0), 0);
        assert_true(run_all(i) > 0);
    }
}

/* Every target that there is a file of stands in the table. */
static void every_target_is_here(void **state)
{
    (void)state;
    glob_t found;
    assert_int_equal(glob("tests/fuzz/fuzz_*.c", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, N_TARGETS);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_target_is_here),
        cmocka_unit_test(corpora_find_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
