/*
 * C17: is an order that is best at one input size best at another, and do
 * buckets of sizes cure what regret there is?
 *
 * Random graphs at several sizes, all tensors scaled by the same whole factors
 * or only some of them; and nets at several batches and sequences.  Every size
 * gets its proven optimum; every order found is run at every size (regret.h).
 * A graph regrets when no order in hand is best at all its sizes.
 */
#include "claims/measure.h"
#include "claims/sizes.h"
#include "import/scale.h"

typedef enum sizes_kind { SCALED_ALL, SCALED_SOME, NETS, SIZE_KINDS } sizes_kind;

static const char *const kind_names[SIZE_KINDS] = {
    "random graphs, all tensors scaled alike", "random graphs, about half of the tensors scaled",
    "nets at several batches or sequences"};
static const char *const number_names[SIZE_KINDS] = {"all-scaled", "some-scaled", "nets"};

typedef struct sizes {
    const hw_claim_run *run;
    hw_accounting accounting;
    uint64_t graphs[SIZE_KINDS];
    uint64_t any[SIZE_KINDS];            /* some order that is best at one size is not at another */
    uint64_t none[SIZE_KINDS];           /* no order in hand is best at all sizes                */
    hw_claim_figures single[SIZE_KINDS]; /* the best single order: its worst regret, percent */
    hw_claim_figures buckets[SIZE_KINDS]; /* three buckets: the same                          */
    size_t most_buckets;                  /* needed to leave no regret                        */
} sizes;

static double percent(hw_ratio r)
{
    return hw_claim_percent_above(r.over, r.under);
}

static hw_code note(sizes *s, sizes_kind kind, const hw_regret *r, hw_error *err)
{
    hw_cuts_table cuts = {0};
    hw_code code =
        hw_cuts_find(r, HW_GOAL_WORST, r->n_sizes, hw_claim_stop_flag(s->run), &cuts, err);
    if (code == HW_OK) {
        size_t three = cuts.n < 3 ? cuts.n : 3;
        s->graphs[kind]++;
        s->any[kind] += hw_buckets_unlucky(r).bytes > 0;
        s->none[kind] += cuts.least_free > 1;
        s->most_buckets = cuts.least_free > s->most_buckets ? cuts.least_free : s->most_buckets;
        code = hw_claim_figures_add(&s->single[kind], percent(cuts.row[0].cost.ratio), err);
        if (code == HW_OK)
            code = hw_claim_figures_add(&s->buckets[kind], percent(cuts.row[three - 1].cost.ratio),
                                        err);
    }
    hw_cuts_clear(&cuts);
    return code;
}

static hw_code sweep(sizes *s, sizes_kind kind, const hw_claim_sizes *what, hw_error *err)
{
    hw_regret regret;
    hw_code code = hw_claim_regret(s->run, s->accounting, what, &regret, err);
    if (code == HW_OK)
        code = note(s, kind, &regret, err);
    hw_regret_clear(&regret);
    return code;
}

static hw_code random_graphs(sizes *s, hw_error *err)
{
    static const char *const families[] = {"layered:n=16", "erdos:n=16,degree=1.5",
                                           "series-parallel:n=16"};
    uint32_t graphs = hw_claim_effort(s->run, 8, 100);
    hw_code code = HW_OK;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            hw_claim_sizes what = {families[f], "H=1,2,3,5,8,16", "all", i, NULL};
            code = sweep(s, SCALED_ALL, &what, err);
            what.scale = "some=0.5";
            if (code == HW_OK)
                code = sweep(s, SCALED_SOME, &what, err);
        }
    return code;
}

static hw_code nets(sizes *s, hw_error *err)
{
    static const struct {
        hw_claim_sizes what;
        bool quick;
    } rows[] = {
        {{"nets:net=transformer-block,mode=training", "sequence=128,256,512,1024,2048", NULL, 0,
          NULL},
         true},
        {{"nets:net=transformer-block,mode=training", "batch=1,2,4,8,16,32", NULL, 0, NULL}, false},
        {{"nets:net=resnet-cifar,mode=training", "batch=1,2,4,8,16,32", NULL, 0, NULL}, true},
        {{"nets:net=resnet-cifar,mode=training", "resolution=32,48,64,96,128", NULL, 0, NULL},
         false},
        {{"nets:net=mobilenet-v1,mode=training", "batch=1,2,4,8,16,32", NULL, 0, NULL}, false},
        {{"nets:net=gpt2,mode=training,layers=4", "sequence=128,256,512,1024,2048", NULL, 0, NULL},
         false},
        {{"nets:net=unet,mode=training", "resolution=128,256,512,1024", NULL, 0, NULL}, false},
        {{"nets:net=resnet50", "resolution=224,320,512", NULL, 0, NULL}, true},
        {{"nets:net=densenet121", "resolution=224,320,512", NULL, 0, NULL}, false},
        {{"nets:net=gpt2-heads", "sequence=1024,4096,8192", NULL, 0, NULL}, false},
    };
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].quick || hw_claim_effort(s->run, 0, 1))
            code = sweep(s, NETS, &rows[i].what, err);
    return code;
}

/* ---- A small example: two sizes, and every order of the graph at both. ---- */

typedef struct both {
    const hw_graph *g[2];
    hw_accounting accounting;
    uint64_t best[2];        /* the optima                            */
    uint64_t orders, shared; /* orders; of them, best at both */
    uint64_t across[2];      /* the least peak at the other size of an order best at this one */
    uint32_t order[8], waiting[8];
} both;

static hw_code each_order(both *b, uint32_t step, hw_error *err)
{
    const hw_graph *g = b->g[0];
    uint64_t peak[2];
    if (step == g->n_nodes) {
        hw_code code = hw_claim_check(b->g[0], b->accounting, b->order, &peak[0], err);
        if (code == HW_OK)
            code = hw_claim_check(b->g[1], b->accounting, b->order, &peak[1], err);
        for (int i = 0; code == HW_OK && i < 2; i++)
            if (peak[i] == b->best[i] && peak[1 - i] < b->across[i])
                b->across[i] = peak[1 - i];
        b->orders++;
        b->shared += code == HW_OK && peak[0] == b->best[0] && peak[1] == b->best[1];
        return code;
    }
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++) {
        if (b->waiting[v] != 0)
            continue;
        b->order[step] = v;
        b->waiting[v] = UINT32_MAX; /* runs now */
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            b->waiting[g->succs.item[i]]--;
        code = each_order(b, step + 1, err);
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            b->waiting[g->succs.item[i]]++;
        b->waiting[v] = 0;
    }
    return code;
}

/* Is there no order of g that is best at both sizes?  Of all orders, one by one. */
static hw_code parts(const hw_claim_run *run, const hw_graph *g, uint64_t seed, hw_graph **grown,
                     both *b, hw_error *err)
{
    hw_scale scale;
    hw_code code = hw_scale_new(g, "some=0.5", seed, &scale, err);
    if (code != HW_OK)
        return code;
    code = hw_scale_graph(g, &scale, 1, 16, grown, err);
    *b = (both){.g = {g, *grown}, .accounting = HW_ALLOC_FIRST, .across = {UINT64_MAX, UINT64_MAX}};
    for (int i = 0; code == HW_OK && i < 2; i++)
        code = hw_claim_least(run, b->g[i], b->accounting, 0, &b->best[i], err);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        b->waiting[v] = g->preds.offset[v + 1] - g->preds.offset[v];
    if (code == HW_OK)
        code = each_order(b, 0, err);
    hw_scale_clear(&scale);
    return code;
}

static hw_code keep(hw_claim_run *run, const both *b, hw_error *err)
{
    static const char *const names[] = {"first-size", "second-size"};
    hw_code code = HW_OK;
    for (int i = 0; code == HW_OK && i < 2; i++) {
        hw_model *m = NULL;
        code = hw_claim_example(run, names[i], b->g[i], err);
        if (code == HW_OK)
            code = hw_model_new(b->g[i], b->accounting, false, &m, err);
        if (code == HW_OK)
            code = hw_claim_shows(run, m, "exact", b->best[i], err);
        hw_model_free(m);
    }
    if (code == HW_OK)
        code = hw_claim_reading(
            run, "the smallest graph found, of all its orders", true, err,
            "best at the first size and run at the second: %llu bytes at least instead of %llu; "
            "best at the second and run at the first: %llu instead of %llu",
            (unsigned long long)b->across[0], (unsigned long long)b->best[1],
            (unsigned long long)b->across[1], (unsigned long long)b->best[0]);
    return code;
}

/* The first of small random graphs, fewest nodes first. */
static hw_code example(hw_claim_run *run, uint32_t *nodes, uint64_t *orders, hw_error *err)
{
    enum { LEAST = 4, MOST = 7, TRIES = 200 };
    *nodes = 0;
    for (uint32_t n = LEAST; n <= MOST; n++)
        for (uint32_t i = 0; i < TRIES; i++) {
            char spec[64];
            hw_graph *g = NULL, *grown = NULL;
            both b = {.orders = 0};
            (void)snprintf(spec, sizeof spec, "erdos:n=%u,degree=1.5,high=9", n);
            hw_code code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = parts(run, g, i, &grown, &b, err);
            bool found = code == HW_OK && b.shared == 0;
            if (found) {
                *nodes = n;
                *orders = b.orders;
                code = keep(run, &b, err);
            }
            hw_graph_free(grown);
            hw_graph_free(g);
            if (code != HW_OK || found)
                return code;
        }
    return HW_OK;
}

/* ---- The report. ---- */

static hw_code tell(hw_claim_run *run, sizes s[2], hw_error *err)
{
    hw_code code = HW_OK;
    for (int kind = 0; kind < SIZE_KINDS; kind++)
        for (int a = 0; code == HW_OK && a < 2; a++) {
            const char *accounting = hw_accounting_name((hw_accounting)a);
            char name[64], reading[128];
            uint64_t n = s[a].graphs[kind];
            double one = hw_claim_quantile(&s[a].single[kind], 1);
            (void)snprintf(reading, sizeof reading, "%s, %s", kind_names[kind], accounting);
            code = hw_claim_reading(
                run, reading, s[a].none[kind] > 0, err,
                "of %llu, %.1f %% have a best order that is not best at another size, %.1f %% have "
                "no order in hand that is best at all; the best single one loses at most %.2f %%, "
                "three buckets %.2f %%",
                (unsigned long long)n, hw_claim_percent(s[a].any[kind], n),
                hw_claim_percent(s[a].none[kind], n), one,
                hw_claim_quantile(&s[a].buckets[kind], 1));
            (void)snprintf(name, sizeof name, "%s-%s-regret", number_names[kind], accounting);
            if (code == HW_OK)
                code = hw_claim_number(run, name, hw_claim_percent(s[a].none[kind], n) / 100,
                                       "share", err);
            (void)snprintf(name, sizeof name, "%s-%s-worst", number_names[kind], accounting);
            if (code == HW_OK)
                code = hw_claim_number(run, name, one, "per cent", err);
        }
    return code;
}

static hw_code decide(hw_claim_run *run, sizes s[2], uint32_t nodes, uint64_t orders, hw_error *err)
{
    uint64_t all = s[0].any[SCALED_ALL] + s[1].any[SCALED_ALL];
    uint64_t some = s[0].none[SCALED_SOME] + s[1].none[SCALED_SOME];
    uint64_t n = s[0].graphs[SCALED_SOME] + s[1].graphs[SCALED_SOME];
    size_t buckets = s[0].most_buckets > s[1].most_buckets ? s[0].most_buckets : s[1].most_buckets;
    hw_code code = HW_OK;
    hw_claim_verdict verdict = all > 0 ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS;
    if (all == 0 && some > 0) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code =
            hw_claim_condition(run, err,
                               "some tensors grow by other factors than the rest; where all grow "
                               "by the same whole factor an order that is best stays best");
    }
    if (code != HW_OK)
        return code;
    char smallest[96] = "";
    if (nodes)
        (void)snprintf(smallest, sizeof smallest,
                       " (the smallest found has %u nodes: none of its %llu orders is)", nodes,
                       (unsigned long long)orders);
    return hw_claim_conclude(
        run, verdict, err,
        "with all tensors scaled alike an order regrets something on %llu of %llu graphs; with "
        "some "
        "of them scaled %.1f %% have no order that is best at all sizes%s; at most %zu buckets "
        "leave no regret",
        (unsigned long long)all, (unsigned long long)n, hw_claim_percent(some, n), smallest,
        buckets);
}

hw_code hw_claim_c17(hw_claim_run *run, hw_error *err)
{
    sizes s[2] = {{.run = run, .accounting = HW_ALLOC_FIRST},
                  {.run = run, .accounting = HW_FREE_FIRST}};
    uint32_t nodes = 0;
    uint64_t orders = 0;
    hw_code code = HW_OK;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        code = random_graphs(&s[a], err);
        if (code == HW_OK)
            code = nets(&s[a], err);
    }
    if (code == HW_OK)
        code = example(run, &nodes, &orders, err);
    if (code == HW_OK)
        code = tell(run, s, err);
    if (code == HW_OK)
        code = decide(run, s, nodes, orders, err);
    for (int a = 0; a < 2; a++)
        for (int kind = 0; kind < SIZE_KINDS; kind++) {
            hw_claim_figures_clear(&s[a].single[kind]);
            hw_claim_figures_clear(&s[a].buckets[kind]);
        }
    return code;
}
