/*
 * Fuzz target: parts of a sweep joined, two files of results after "---" each,
 * and held against digests, the third part.  The suite is fixed.  What comes
 * out can be merged again and is then the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge/digest.h"
#include "merge/merge.h"
#include "tests/fuzz/fuzz.h"

static const char suite_text[] = "name = t\nsolver = greedy\noptimum = dp\n"
                                 "accounting = alloc-first\nfamily = layered:n=6 x2\n";

static hw_suite *suite_of_text(void)
{
    hw_suite *suite;
    hw_error err = {0};
    if (hw_suite_load(fuzz_file(0, suite_text, strlen(suite_text)), &suite, &err) != HW_OK)
        fuzz_fail("%s", err.message);
    return suite;
}

static void read_all(const hw_suite *suite, hw_merge *merge, const hw_digests *digests, FILE *out)
{
    hw_error err = {0};
    hw_digest_writer *writer;
    FILE *sink = fopen("/dev/null", "we");
    if (!sink || hw_digest_begin(suite, merge, sink, &writer, &err) != HW_OK)
        fuzz_fail("no digests: %s", err.message);
    for (size_t u = 0; u < suite->n_units; u++) {
        hw_merged_unit unit;
        hw_likeness likeness;
        size_t runs;
        if (hw_merge_unit(merge, u, &unit, &err) != HW_OK ||
            hw_digest_unit(writer, &unit, &err) != HW_OK ||
            (digests && hw_digests_compare(digests, &unit, &likeness, &runs, &err) != HW_OK))
            fuzz_fail("unit %zu: %s", u, err.message);
        for (size_t i = 0; i < unit.n; i++)
            (void)fwrite(unit.run[i].text, 1, unit.run[i].length, out);
    }
    hw_digest_end(writer);
    (void)fclose(sink);
}

/* All lines of the files in the order of the plan, to be freed; NULL: refused. */
static char *merged(const hw_suite *suite, const char *const *paths, size_t n_paths, bool lenient,
                    const hw_digests *digests, size_t *n)
{
    const hw_merge_options options = {
        .skip_broken = lenient, .only_plan = lenient, .any_version = lenient};
    hw_merge *merge;
    hw_missing missing;
    hw_error err = {0};
    char *text = NULL;
    if (!fuzz_ended_well(hw_merge_open(suite, paths, n_paths, &options, &merge, &err), &err))
        return NULL;
    FILE *out = open_memstream(&text, n);
    if (!out)
        fuzz_fail("out of memory");
    read_all(suite, merge, digests, out);
    if (fclose(out) != 0)
        fuzz_fail("out of memory");
    if (hw_merge_missing(merge, 2, &missing, &err) != HW_OK)
        fuzz_fail("%s", err.message);
    hw_missing_clear(&missing);
    if (!fuzz_ended_well(hw_merge_end(merge, &err), &err)) {
        free(text);
        text = NULL;
    }
    hw_merge_close(merge);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_draws d = {data, size};
    bool lenient = fuzz_byte(&d) & 1;
    hw_suite *suite = suite_of_text();
    fuzz_draws a = fuzz_part(&d), b = fuzz_part(&d);
    hw_digests *digests = NULL;
    hw_error err = {0};
    size_t n, n_again;
    if (!fuzz_ended_well(hw_digests_load(fuzz_file(2, d.at, d.left), suite, &digests, &err), &err))
        digests = NULL;
    const char *const paths[] = {fuzz_file(0, a.at, a.left), fuzz_file(1, b.at, b.left)};
    char *text = merged(suite, paths, 2, lenient, digests, &n);
    if (text) {
        const char *path = fuzz_file(2, text, n);
        char *again = merged(suite, &path, 1, lenient, NULL, &n_again);
        if (!again || n != n_again || memcmp(text, again, n) != 0)
            fuzz_fail("merged once more it is another file:\n%s\n%s", text, again ? again : "");
        free(again);
    }
    free(text);
    hw_digests_free(digests);
    hw_suite_free(suite);
    return 0;
}
