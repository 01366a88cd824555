/*
 * C18: does scheduling a few hundred nodes take tens of microseconds?
 *
 * Times of three things on random graphs of 100 to 1,000 nodes: simulating one
 * order, `greedy` on a model that is laid, and both with laying the model out of
 * sizes that have just become known, which is what scheduling anew for each
 * shape takes.  A time is the least of many runs, so that other work on the
 * machine does not count.
 *
 * The words are read as: 200 to 500 nodes, below 100 us.  A machine may be
 * MARGIN times slower than that and still agree, and has to be as many times
 * slower again for a `fails`; between the two nothing is decided.
 */
#include "claims/measure.h"
#include "claims/sizes.h"
#include "model/sim.h"

enum { SIZES = 5, FAMILIES = 3, FEW_FIRST = 1, FEW_LAST = 3 };
#define TENS_OF_MICROSECONDS 1e-4
#define MARGIN               4

static const uint32_t nodes[SIZES] = {100, 200, 300, 500, 1000};
static const char *const families[FAMILIES] = {"layered:n=%u", "erdos:n=%u", "chains:n=%u"};

typedef struct speed {
    double simulate, greedy, again; /* seconds, the most over families and accountings */
} speed;

static void least(double *best, double seconds)
{
    if (*best == 0 || seconds < *best)
        *best = seconds;
}

static void most(double *worst, double seconds)
{
    if (seconds > *worst)
        *worst = seconds;
}

/* One graph under one accounting, repeated. */
static hw_code time_graph(const hw_claim_run *run, const hw_graph *g, hw_accounting accounting,
                          speed *s, hw_error *err)
{
    uint32_t repeats = hw_claim_effort(run, 15, 60);
    double simulate = 0, greedy = 0, again = 0;
    hw_model *m = NULL;
    hw_answer first = {0};
    hw_code code = hw_model_new(g, accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_within(run, m, "greedy", 0, &first, err);
    for (uint32_t i = 0; code == HW_OK && i < repeats; i++) {
        uint64_t peak = 0;
        double start = hw_wall_seconds();
        code = hw_peak(m, first.order, &peak, err);
        least(&simulate, hw_wall_seconds() - start);
        if (code == HW_OK && peak != first.peak)
            code = hw_fail(err, HW_INTERNAL, "simulation and solver disagree on %s", g->name);
    }
    for (uint32_t i = 0; code == HW_OK && i < repeats; i++) {
        hw_answer answer = {0};
        hw_model *anew = NULL;
        hw_graph *sized = NULL;
        double start = hw_wall_seconds();
        code = hw_graph_resized(g, g->tensor_size, NULL, &sized, err);
        if (code == HW_OK)
            code = hw_model_new(sized, accounting, false, &anew, err);
        double laid = hw_wall_seconds() - start;
        if (code == HW_OK)
            code = hw_claim_within(run, anew, "greedy", 0, &answer, err);
        if (code == HW_OK) { /* as the driver has timed the solver, without the checker */
            least(&greedy, answer.seconds);
            least(&again, laid + answer.seconds);
        }
        hw_answer_clear(&answer);
        hw_model_free(anew);
        hw_graph_free(sized);
    }
    hw_answer_clear(&first);
    hw_model_free(m);
    most(&s->simulate, simulate);
    most(&s->greedy, greedy);
    most(&s->again, again);
    return code;
}

static hw_code time_size(const hw_claim_run *run, uint32_t n, speed *s, hw_error *err)
{
    uint32_t graphs = hw_claim_effort(run, 1, 4);
    hw_code code = HW_OK;
    for (int f = 0; f < FAMILIES; f++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            char spec[64];
            hw_graph *g = NULL;
            hw_claim_spec(spec, sizeof spec, families[f], n);
            code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
            for (int a = 0; code == HW_OK && a < 2; a++)
                code = time_graph(run, g, (hw_accounting)a, s, err);
            hw_graph_free(g);
        }
    return code;
}

static hw_code number(hw_claim_run *run, const char *what, uint32_t n, double seconds,
                      hw_error *err)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%u", what, n);
    return hw_claim_number(run, name, seconds, "seconds", err);
}

static hw_code tell(hw_claim_run *run, const speed *s, hw_error *err)
{
    hw_code code = HW_OK;
    for (int i = 0; code == HW_OK && i < SIZES; i++) {
        code = number(run, "simulate", nodes[i], s[i].simulate, err);
        if (code == HW_OK)
            code = number(run, "greedy", nodes[i], s[i].greedy, err);
        if (code == HW_OK)
            code = number(run, "again", nodes[i], s[i].again, err);
    }
    if (code == HW_OK)
        code = hw_claim_reading(run, "simulating an order",
                                s[FEW_LAST].simulate < MARGIN * TENS_OF_MICROSECONDS, err,
                                "{simulate-200} for 200 nodes, {simulate-300} for 300, "
                                "{simulate-500} for 500, {simulate-1000} for 1,000");
    if (code == HW_OK)
        code = hw_claim_reading(run, "finding one by greedy",
                                s[FEW_LAST].greedy < MARGIN * TENS_OF_MICROSECONDS, err,
                                "{greedy-200} for 200 nodes, {greedy-300} for 300, "
                                "{greedy-500} for 500, {greedy-1000} for 1,000");
    return code;
}

/* ---- Greedy anew for each shape, or an order a bucket. ---- */

typedef struct shapes {
    uint64_t nets, greedy_better, buckets_better;
    double greedy, buckets; /* worst percent above the optimum of a size */
} shapes;

static hw_code compare(const hw_claim_run *run, shapes *s, hw_error *err)
{
    static const hw_claim_sizes rows[] = {
        {"nets:net=transformer-block,mode=training", "sequence=128,256,512,1024,2048", NULL, 0,
         "greedy"},
        {"nets:net=resnet-cifar,mode=training", "batch=1,2,4,8,16,32", NULL, 0, "greedy"},
        {"nets:net=mobilenet-v1,mode=training", "batch=1,2,4,8,16,32", NULL, 0, "greedy"},
        {"nets:net=unet,mode=training", "resolution=128,256,512", NULL, 0, "greedy"},
    };
    size_t n = hw_claim_effort(run, 2, sizeof rows / sizeof rows[0]);
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < 2 * n; i++) {
        hw_regret r;
        hw_cuts_table cuts = {0};
        code = hw_claim_regret(run, (hw_accounting)(i % 2), &rows[i / 2], &r, err);
        if (code == HW_OK)
            code = hw_cuts_find(&r, HW_GOAL_WORST, 3, hw_claim_stop_flag(run), &cuts, err);
        if (code == HW_OK) {
            hw_ratio greedy = hw_buckets_again(&r).ratio;
            hw_ratio buckets = cuts.row[cuts.n - 1].cost.ratio;
            int more = hw_ratio_compare(greedy, buckets);
            s->nets++;
            s->greedy_better += more < 0;
            s->buckets_better += more > 0;
            most(&s->greedy, hw_claim_percent_above(greedy.over, greedy.under));
            most(&s->buckets, hw_claim_percent_above(buckets.over, buckets.under));
        }
        hw_cuts_clear(&cuts);
        hw_regret_clear(&r);
    }
    return code;
}

static hw_code tell_shapes(hw_claim_run *run, const shapes *s, hw_error *err)
{
    hw_code code = hw_claim_reading(
        run, "scheduling anew at run time against buckets", s->greedy_better > s->buckets_better,
        err,
        "{again-300} for 300 nodes with laying out the sizes, where a bucket takes a look-up; "
        "greedy anew at every size loses at most %.2f %% there, the best three buckets %.2f %%: "
        "worse than them on %llu of %llu nets and accountings, better on %llu",
        s->greedy, s->buckets, (unsigned long long)s->buckets_better, (unsigned long long)s->nets,
        (unsigned long long)s->greedy_better);
    if (code == HW_OK)
        code = hw_claim_number(run, "greedy-anew-worst", s->greedy, "per cent", err);
    return code == HW_OK ? hw_claim_number(run, "buckets-worst", s->buckets, "per cent", err)
                         : code;
}

static hw_code decide(hw_claim_run *run, const speed *s, hw_error *err)
{
    double first = s[FEW_FIRST].greedy, last = s[FEW_LAST].greedy;
    if (last < MARGIN * TENS_OF_MICROSECONDS)
        return hw_claim_conclude(run, HW_VERDICT_HOLDS, err,
                                 "greedy finds an order of 200 nodes in {greedy-200} and of 500 "
                                 "in {greedy-500} at most");
    if (first > MARGIN * MARGIN * TENS_OF_MICROSECONDS)
        return hw_claim_conclude(run, HW_VERDICT_FAILS, err,
                                 "greedy takes {greedy-200} for 200 nodes");
    return hw_fail(err, HW_CHECK_FAILED,
                   "greedy takes %.0f us for 200 nodes and %.0f us for 500: too slow for tens of "
                   "microseconds and not slow enough against them, try a machine that is less busy",
                   1e6 * first, 1e6 * last);
}

hw_code hw_claim_c18(hw_claim_run *run, hw_error *err)
{
    speed s[SIZES] = {{0, 0, 0}};
    shapes shape = {0};
    hw_code code = HW_OK;
    for (int i = 0; code == HW_OK && i < SIZES; i++)
        code = time_size(run, nodes[i], &s[i], err);
    if (code == HW_OK)
        code = compare(run, &shape, err);
    if (code == HW_OK)
        code = tell(run, s, err);
    if (code == HW_OK)
        code = tell_shapes(run, &shape, err);
    return code == HW_OK ? decide(run, s, err) : code;
}
