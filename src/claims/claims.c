/* The table of claims, and one experiment run.  See claims.h. */
#include "claims/claims.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "claims/table.h"
#include "core/memory.h"
#include "solve/solver.h"

#define DECLARE(id, section, claim, experiment, function)                                          \
    hw_code function(hw_claim_run *run, hw_error *err);
HW_CLAIM_TABLE(DECLARE)

#define ROW(id, section, claim, experiment, function)                                              \
    {(id), (section), (claim), (experiment), (function)},
const hw_claim_row hw_claim_rows[] = {HW_CLAIM_TABLE(ROW)};
const size_t hw_n_claim_rows = sizeof hw_claim_rows / sizeof hw_claim_rows[0];

hw_code hw_claim_row_find(const char *id, const hw_claim_row **row, hw_error *err)
{
    char *end = NULL;
    unsigned long number = 0;
    if ((id[0] == 'C' || id[0] == 'c') && isdigit((unsigned char)id[1]) && strlen(id) <= 3)
        number = strtoul(id + 1, &end, 10);
    for (size_t i = 0; end && *end == '\0' && i < hw_n_claim_rows; i++)
        if (strtoul(hw_claim_rows[i].id + 1, NULL, 10) == number) {
            *row = &hw_claim_rows[i];
            return HW_OK;
        }
    return hw_fail(err, HW_USAGE, "there is no claim \"%.40s\": give %s to %s", id,
                   hw_claim_rows[0].id, hw_claim_rows[hw_n_claim_rows - 1].id);
}

void hw_claims_run_one(const hw_claim_row *row, const hw_claims_options *o,
                       hw_claim_finding *finding)
{
    hw_error err = {.code = HW_OK};
    *finding = (hw_claim_finding){.row = row};
    hw_claim_run run = {.finding = finding,
                        .seed = o->seed,
                        .quick = o->quick,
                        .examples = o->examples,
                        .graphs = o->graphs,
                        .stop = o->stop};
    double begin = hw_wall_seconds();
    hw_code code = row->run(&run, &err);
    finding->seconds = hw_wall_seconds() - begin;
    if (code == HW_OK && finding->verdict == HW_VERDICT_OPEN)
        code = hw_fail(&err, HW_INTERNAL, "its experiment ended without a verdict");
    finding->code = code;
    if (code != HW_OK) {
        finding->verdict = HW_VERDICT_OPEN;
        finding->message = hw_copy(err.message, strlen(err.message) + 1, 1);
    }
}

hw_claims_counts hw_claims_count(const hw_claim_finding *finding, size_t n)
{
    hw_claims_counts counts = {0};
    for (size_t i = 0; i < n; i++) {
        hw_claim_verdict verdict = finding[i].verdict;
        counts.holds += verdict == HW_VERDICT_HOLDS;
        counts.holds_only_if += verdict == HW_VERDICT_HOLDS_ONLY_IF;
        counts.fails += verdict == HW_VERDICT_FAILS;
        counts.undecided += verdict == HW_VERDICT_OPEN;
    }
    return counts;
}

const char *hw_claim_verdict_name(hw_claim_verdict verdict)
{
    static const char *const names[] = {
        [HW_VERDICT_OPEN] = "undecided",
        [HW_VERDICT_HOLDS] = "holds",
        [HW_VERDICT_HOLDS_ONLY_IF] = "holds only if",
        [HW_VERDICT_FAILS] = "fails",
    };
    return names[verdict];
}
