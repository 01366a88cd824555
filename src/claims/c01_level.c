/*
 * C01: the tree of section 1.3 peaks at 460 MB in level order.
 *
 * "Freed when the count of consumers is 0" (section 1.2) and the tree leave
 * open what becomes of the leaves and on which branch they hang; both are
 * tried, and so is every reading in tree.h.  The claim holds if the text as it
 * stands gives 460 MB whatever it leaves open; only if ..., if some reading does.
 */
#include <inttypes.h>

#include "claims/tree.h"

hw_code hw_claim_c01(hw_claim_run *run, hw_error *err);

hw_code hw_claim_c01(hw_claim_run *run, hw_error *err)
{
    static const char *const shown[] = {"level", "dfs", "exact"};
    hw_tree t[HW_TREE_MOST];
    hw_tree_tally tally = {.article_mb = 460};
    size_t n = hw_tree_readings(t);
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n; i++) {
        char name[HW_TREE_TEXT];
        uint64_t mb[2];
        hw_tree_name(&t[i], name);
        code = hw_tree_peaks(run, &t[i], "level", mb, err);
        if (code == HW_OK)
            code = hw_claim_reading(run, name, hw_tree_count(&tally, &t[i], mb), err,
                                    "%" PRIu64 " MB alloc-first, %" PRIu64 " MB free-first", mb[0],
                                    mb[1]);
    }
    if (code == HW_OK)
        code = hw_tree_tell(run, &tally, err);
    if (code == HW_OK)
        code = hw_tree_example(run, &t[0], "tree", HW_ALLOC_FIRST, shown, 3, err);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(run, hw_tree_verdict(&tally), err,
                             "The level order peaks at %" PRIu64 " to %" PRIu64
                             " MB as the text stands; %zu of %zu readings give %" PRIu64 " MB",
                             tally.least, tally.most, tally.giving, tally.readings,
                             tally.article_mb);
}
