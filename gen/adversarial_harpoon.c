/*
 * Harpoons: in-trees on which orders that finish each subtree before they begin
 * the next one need as many times the optimum as one likes.
 *
 * A harpoon of level 0 is a node that makes P bytes and one that squeezes them to
 * t.  One of level L has b branches, each a harpoon of level L - 1 and a node
 * that makes P / b bytes of its t; one more node squeezes them all to t.  Nodes:
 * n(0) = 2, n(L) = b (n(L - 1) + 1) + 1.  b divides P; t <= P / b.
 *
 * A post-order is inside the last branch of every level while the wide ends of
 * the b - 1 others are there.  The best order holds thin ends while it is in
 * branches and widens them all at the end:
 *
 *     best-postorder: P + L (b - 1) P / b    and under alloc-first t more
 *     optimum:        P + L (b - 1) t        and under alloc-first t more
 *
 * The ratio tends to 1 + L (b - 1) / b as P grows: without bound, but only as
 * log n; more is not possible for the best post-order (paper, "How bad can an
 * order be?").
 *
 * The first wide end is made when t stands ready for it: once all branches have
 * left their thin ends.  That no order needs less is checked by `liu`, which is
 * exact on trees.
 *
 * Time O(nodes).
 * Source: M. Jacquelin, L. Marchal, Y. Robert, B. Ucar, On optimal tree
 * traversals for sparse matrix factorization, IPDPS 2011, theorem 1.
 */
#include "gen/adversarial.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { LEVELS, BRANCHES, LARGE, THIN };
enum { MOST_LEVELS = 20 };

static const hw_param_row params[] = {
    {"levels", HW_PARAM_INT, 0, MOST_LEVELS, 3, NULL, "levels of harpoons within harpoons"},
    {"branches", HW_PARAM_INT, 2, HW_SKETCH_MOST, 2, NULL, "branches of a harpoon"},
    {"large", HW_PARAM_INT, 1, HW_MOST_SIZE, 1000000, NULL,
     "what its tip makes, a multiple of branches (bytes)"},
    {"thin", HW_PARAM_INT, 0, HW_MOST_SIZE, 1, NULL,
     "what it is squeezed to, at most large / branches (bytes)"},
};

static uint64_t add(hw_sketch *s, const char *op, uint64_t read, uint64_t bytes, bool kept)
{
    uint64_t made = hw_sketch_tensor(s, bytes, kept);
    hw_sketch_step(s, op, read, made);
    return made;
}

/* Tip after tip; each completes as many levels as it is the last branch of. */
static void lay(hw_sketch *s, const hw_harpoon *h)
{
    uint64_t wide[MOST_LEVELS + 1][HW_SKETCH_MOST];
    uint64_t laid[MOST_LEVELS + 1] = {0}; /* branches that a level has so far */
    for (uint64_t level = 0; level <= h->levels;) {
        uint64_t tip = add(s, "widen", HW_NO_TENSOR, h->large, false);
        uint64_t thin = add(s, "squeeze", tip, h->thin, h->levels == 0);
        for (level = 1; level <= h->levels; level++) {
            wide[level][laid[level]++] = add(s, "widen", thin, h->large / h->branches, false);
            if (laid[level] < h->branches)
                break;
            thin = hw_sketch_tensor(s, h->thin, level == h->levels);
            hw_sketch_node node = {.n_reads = (uint32_t)h->branches, .makes = {thin}, .n_makes = 1};
            for (uint64_t i = 0; i < h->branches; i++)
                node.reads[i] = wide[level][i];
            hw_sketch_add(s, "squeeze", &node);
            laid[level] = 0;
        }
    }
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    hw_harpoon h = {(uint64_t)v[LEVELS].i, (uint64_t)v[BRANCHES].i, (uint64_t)v[LARGE].i,
                    (uint64_t)v[THIN].i};
    uint64_t nodes = 2;
    hw_sketch s;
    (void)rng;
    for (uint64_t level = 0; level < h.levels; level++)
        nodes = h.branches * (nodes + 1) + 1;
    if (nodes > HW_MOST_NODES)
        return hw_fail(err, HW_USAGE, "%llu nodes are too many: give fewer levels or branches",
                       (unsigned long long)nodes);
    if (h.large % h.branches || h.thin > h.large / h.branches)
        return hw_fail(err, HW_USAGE,
                       "large=%llu must be a multiple of branches=%llu, and thin=%llu at most the "
                       "quotient",
                       (unsigned long long)h.large, (unsigned long long)h.branches,
                       (unsigned long long)h.thin);
    hw_sketch_start(&s, err);
    lay(&s, &h);
    return hw_sketch_finish(&s, out);
}

uint64_t hw_harpoon_optimum(const hw_harpoon *h, hw_accounting accounting)
{
    return h->large + (h->levels * (h->branches - 1) + (accounting == HW_ALLOC_FIRST)) * h->thin;
}

uint64_t hw_harpoon_peak(const hw_harpoon *h, hw_accounting accounting)
{
    return h->large + h->levels * (h->branches - 1) * (h->large / h->branches) +
           (accounting == HW_ALLOC_FIRST ? h->thin : 0);
}

const hw_family_row hw_family_adversarial_harpoon = {
    .name = "adversarial-harpoon",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "trees on which the best post-order needs about log n times the optimum",
    .source = "Jacquelin, Marchal, Robert and Ucar, On optimal tree traversals for sparse matrix "
              "factorization, IPDPS 2011",
    .generate = generate,
};
