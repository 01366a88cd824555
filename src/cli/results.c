/* Reading results for a command.  See results.h. */
#include "cli/results.h"

#include <inttypes.h>

#include "cli/shared.h"

hw_code hw_cli_results(const hw_cli *c, hw_results **out, hw_error *err)
{
    enum { MOST_CONDITIONS = 64 };
    hw_condition conditions[MOST_CONDITIONS];
    size_t n = 0, cursor = 0;
    const char *text;
    *out = NULL;
    while ((text = hw_cli_next(c, "where", &cursor)) != NULL) {
        if (n == MOST_CONDITIONS)
            return hw_fail(err, HW_USAGE, "more than %d options --where", MOST_CONDITIONS);
        hw_code code = hw_condition_parse(text, &conditions[n++], err);
        if (code != HW_OK)
            return code;
    }
    hw_results *results;
    hw_code code = hw_cli_not_input(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_results_load(c->args[0], hw_cli_has(c, "skip-broken"), &results, err);
    if (code != HW_OK)
        return code;
    if (results->n_broken)
        hw_cli_note(c, "%" PRIu64 " lines left out; the first: %s", results->n_broken,
                    results->broken.message);
    size_t before = results->n_records;
    results->n_records = hw_records_choose(results->records, before, conditions, n);
    if (results->n_records == 0) {
        hw_results_free(results);
        return hw_fail(err, HW_BAD_INPUT, "%s: %s", c->args[0],
                       before ? "no result has the values that --where asks for"
                              : "holds no results: was the sweep stopped before its first unit?");
    }
    *out = results;
    return HW_OK;
}
