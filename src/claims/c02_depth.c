/*
 * C02: the tree of section 1.3 peaks at 180 MB depth-first.
 *
 * The same readings as C01, by the depth-first order, and the optimum beside
 * it.  What the section is about is the step from 460 to 180 MB by the order
 * alone: so the readings are counted, too, in which one tree gives both.
 */
#include <inttypes.h>

#include "claims/tree.h"

enum { LEVEL_MB = 460 };

hw_code hw_claim_c02(hw_claim_run *run, hw_error *err);

typedef struct found {
    hw_tree_tally tally;
    size_t both;      /* readings with 460 MB in level order and 180 MB depth-first */
    size_t no_gain;   /* that give 180 MB, but in level order as well                */
    size_t better;    /* with an order below depth-first                             */
    uint64_t optimum; /* the least of the text as it stands */
    hw_tree example;  /* the first as it stands that gives something else            */
    bool has_example;
} found;

static hw_code try_reading(hw_claim_run *run, const hw_tree *t, found *f, hw_error *err)
{
    uint64_t depth[2], best[2], level[2];
    char name[HW_TREE_TEXT];
    hw_code code = hw_tree_peaks(run, t, "dfs", depth, err);
    if (code == HW_OK)
        code = hw_tree_peaks(run, t, "exact", best, err);
    if (code == HW_OK)
        code = hw_tree_peaks(run, t, "level", level, err);
    if (code != HW_OK)
        return code;
    bool gives = hw_tree_count(&f->tally, t, depth), plain = hw_tree_is_plain(t);
    bool both = false, gain = false;
    for (int a = 0; a < 2; a++) {
        both = both || (depth[a] == f->tally.article_mb && level[a] == LEVEL_MB);
        gain = gain || (depth[a] == f->tally.article_mb && level[a] > depth[a]);
        if (plain && (f->optimum == 0 || best[a] < f->optimum))
            f->optimum = best[a];
    }
    f->both += both;
    f->no_gain += gives && !gain;
    f->better += best[0] < depth[0] || best[1] < depth[1];
    if (plain && !gives && !f->has_example) {
        f->example = *t;
        f->has_example = true;
    }
    hw_tree_name(t, name);
    return hw_claim_reading(run, name, gives, err,
                            "alloc-first %" PRIu64 " MB (level %" PRIu64 ", optimum %" PRIu64
                            "), free-first %" PRIu64 " MB (level %" PRIu64 ", optimum %" PRIu64 ")",
                            depth[0], level[0], best[0], depth[1], level[1], best[1]);
}

hw_code hw_claim_c02(hw_claim_run *run, hw_error *err)
{
    static const char *const shown[] = {"dfs", "exact"};
    hw_tree t[HW_TREE_MOST];
    size_t n = hw_tree_readings(t);
    found f = {.tally = {.article_mb = 180}};
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n; i++)
        code = try_reading(run, &t[i], &f, err);
    if (code == HW_OK)
        code = hw_tree_tell(run, &f.tally, err);
    if (code == HW_OK)
        code = hw_claim_number(run, "readings-460-to-180", (double)f.both, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "readings-without-gain", (double)f.no_gain, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "readings-with-better-order", (double)f.better, "count", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "optimum-least", (double)f.optimum, "MB", err);
    if (code == HW_OK && f.has_example)
        code = hw_tree_example(run, &f.example, "tree", HW_FREE_FIRST, shown, 2, err);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, hw_tree_verdict(&f.tally), err,
        "Depth-first peaks at %" PRIu64 " to %" PRIu64
        " MB as the text stands (optimum at least %" PRIu64
        " MB); %zu of %zu readings give %" PRIu64
        " MB, in %zu of them the level order does too, and in %zu it gives %d MB",
        f.tally.least, f.tally.most, f.optimum, f.tally.giving, f.tally.readings,
        f.tally.article_mb, f.no_gain, f.both, LEVEL_MB);
}
