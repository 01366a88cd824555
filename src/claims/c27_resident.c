/*
 * C27: do freed blocks stay in the allocator's pool, so that physical memory
 * lags behind?
 *
 * Orders of nets are executed by a process of their own against real
 * allocators; its resident memory is read while each step
 * runs and after it (replay.h).  The lag is resident less live bytes after a
 * step, where it is greatest, of the logical peak.  An allocator lags in a run
 * when that passes LAG, and lags at all when it does in half of its runs; it
 * keeps up when it does in none.  Resident memory hangs on the machine a
 * little, so all of it counts as measured, and the real lags stand far from LAG
 * on both sides.
 */
#include "claims/measure.h"
#include "model/log.h"
#include "replay/contender.h"
#include "replay/scale.h"
#include "replay/summary.h"

#include <stdlib.h>

#define LAG 0.1
enum { ALLOCATORS = 5, ORDERS = 2, MOST_BYTES = 8 << 20 };

static const char *const allocators[ALLOCATORS] = {"malloc", "malloc+trim", "mmap",
                                                   "arena:first-fit", "arena:first-fit+release"};
static const char *const allocator_names[ALLOCATORS] = {
    "the C library's malloc", "the same, asked to give memory back after each step",
    "a mapping a block", "one arena with offsets", "the same, dead pages handed back"};
static const char *const numbers[ALLOCATORS] = {"malloc", "malloc-trim", "mmap", "arena",
                                                "arena-release"};
static const char *const orders[ORDERS] = {"source", "exact"};

static const struct {
    const char *spec;
    bool quick;
} nets[] = {
    /* Blocks of many pages, or what rounding to pages adds would count as lag. */
    {"nets:net=inception-v1", true},
    {"nets:net=unet,resolution=128", false},
    {"nets:net=transformer-block,mode=training,width=192", false},
    {"nets:net=mobilenet-v2", false},
    {"nets:net=resnet50", false},
};

typedef struct resident_tally {
    uint64_t runs, lagging;
    double most_lag, most_peak, most_end; /* of the logical peak */
} resident_tally;

typedef struct residents {
    const hw_claim_run *run;
    resident_tally tally[ALLOCATORS];
    /* Sums over nets and accountings of the peaks of each order: logical, and resident in malloc.
     */
    double logical[ORDERS], resident[ORDERS];
} residents;

static hw_code check_room(const hw_replay_plan *plan, const hw_replay_request *request,
                          hw_error *err)
{
    uint64_t need = 0, has = hw_replay_free_bytes();
    hw_code code = hw_replay_need(plan, request, &need, err);
    if (code == HW_OK && has != 0 && need > has)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "%llu bytes of memory are needed to execute an order and %llu are free: "
                       "nothing can be measured here",
                       (unsigned long long)need, (unsigned long long)has);
    return code;
}

static hw_code execute(residents *r, const hw_replay_plan *plan, int allocator, int order,
                       hw_error *err)
{
    resident_tally *t = &r->tally[allocator];
    hw_contender contender;
    hw_replay_result result = {0};
    hw_replay_summary s;
    uint64_t *offset = NULL;
    hw_code code = hw_contender_parse(allocators[allocator], &contender, err);
    hw_replay_request request = {.program = "/proc/self/exe",
                                 .way = contender.way,
                                 .touch = HW_REPLAY_WRITE,
                                 .passes = 1,
                                 .trim = contender.trim,
                                 .release = contender.release,
                                 .stop = hw_claim_stop_flag(r->run)};
    if (code == HW_OK && contender.way == HW_REPLAY_ARENA) {
        hw_placement_request place = {.params = contender.params,
                                      .seed = hw_claim_seed(r->run),
                                      .stop = hw_claim_stop_flag(r->run)};
        code =
            hw_replay_place(plan, contender.allocator, &place, 64, &offset, &request.height, err);
        request.offset = offset;
    }
    if (code == HW_OK)
        code = check_room(plan, &request, err);
    if (code == HW_OK)
        code = hw_replay_run(plan, &request, &result, err);
    if (code == HW_OK) {
        hw_replay_summarize(plan, &result, 0, result.passes, &s);
        double peak = s.logical_peak ? (double)s.logical_peak : 1;
        double lag = (double)s.greatest_lag / peak, end = (double)s.end_lag / peak;
        t->runs++;
        t->lagging += lag > LAG;
        t->most_lag = lag > t->most_lag ? lag : t->most_lag;
        t->most_end = end > t->most_end ? end : t->most_end;
        t->most_peak = (double)s.resident_peak / peak > t->most_peak
                           ? (double)s.resident_peak / peak
                           : t->most_peak;
        r->logical[order] += allocator == 0 ? peak : 0;
        r->resident[order] += allocator == 0 ? (double)s.resident_peak : 0;
    }
    hw_replay_result_clear(&result);
    hw_contender_clear(&contender);
    free(offset);
    return code;
}

/* Sizes are those of the net, divided where they would take too much memory. */
static hw_code one_order(residents *r, const hw_graph *g, hw_accounting accounting, int order,
                         hw_error *err)
{
    hw_answer a = {0};
    hw_scaled scaled = {0};
    hw_model *m = NULL;
    hw_log *log = NULL;
    hw_replay_plan *plan = NULL;
    uint64_t divisor = 1;
    hw_code code = hw_claim_solve_graph(r->run, g, accounting, orders[order], 200000, &a, err);
    if (code == HW_OK && !a.has_order)
        code = hw_fail(err, HW_CHECK_FAILED, "%s: no order to execute", g->name);
    if (code == HW_OK)
        code = hw_scale_to_fit(g, accounting, false, a.order, false, MOST_BYTES, &divisor, err);
    if (code == HW_OK)
        code = hw_scaled_start(&scaled, g, divisor, err);
    if (code == HW_OK)
        code = hw_model_new(&scaled.graph, accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_log_new(m, a.order, false, &log, err);
    if (code == HW_OK)
        code = hw_replay_plan_new(log, &plan, err);
    for (int i = 0; code == HW_OK && i < ALLOCATORS; i++)
        code = execute(r, plan, i, order, err);
    hw_replay_plan_free(plan);
    hw_log_free(log);
    hw_model_free(m);
    hw_scaled_end(&scaled);
    hw_answer_clear(&a);
    return code;
}

static hw_code measure(residents *r, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; i < sizeof nets / sizeof nets[0]; i++) {
        hw_graph *g = NULL;
        if (code != HW_OK || !(nets[i].quick || hw_claim_effort(r->run, 0, 1)))
            continue;
        code = hw_claim_generate(nets[i].spec, 0, 0, &g, err);
        for (int a = 0; a < 2; a++)
            for (int o = 0; code == HW_OK && o < ORDERS; o++)
                code = one_order(r, g, (hw_accounting)a, o, err);
        hw_graph_free(g);
    }
    if (code == HW_LIMIT || code == HW_USAGE || code == HW_IO) {
        hw_error why = *err;
        return hw_fail(err, HW_CHECK_FAILED, "no order can be executed here: %.900s", why.message);
    }
    return code;
}

static bool lags(const resident_tally *t)
{
    return 2 * t->lagging >= t->runs;
}

static hw_code number(hw_claim_run *run, int i, const char *what, double value, hw_error *err)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%s", numbers[i], what);
    return hw_claim_measured(run, name, value, "share", err);
}

static hw_code tell(hw_claim_run *run, const residents *r, hw_error *err)
{
    static const char *const outcomes[ALLOCATORS] = {
        ", {malloc-end} when all is freed; resident peak {malloc-peak} of the logical one", "", "",
        ": it is never given back", ""};
    hw_code code = HW_OK;
    for (int i = 0; i < ALLOCATORS; i++) {
        const resident_tally *t = &r->tally[i];
        if (code == HW_OK)
            code = number(run, i, "lagging", (double)t->lagging / (double)t->runs, err);
        if (code == HW_OK)
            code = number(run, i, "lag", t->most_lag, err);
        if (code == HW_OK)
            code = number(run, i, "end", t->most_end, err);
        if (code == HW_OK)
            code = number(run, i, "peak", t->most_peak, err);
        if (code == HW_OK)
            code = hw_claim_reading(
                run, allocator_names[i], lags(t), err,
                "more than a tenth of the peak in {%s-lagging} of the runs, {%s-lag} at most%s",
                numbers[i], numbers[i], outcomes[i]);
    }
    double logical = 1 - r->logical[1] / r->logical[0];
    double resident = 1 - r->resident[1] / r->resident[0];
    if (code == HW_OK)
        code = hw_claim_number(run, "saved-logical", logical, "share", err);
    if (code == HW_OK)
        code = hw_claim_measured(run, "saved-resident", resident, "share", err);
    if (code == HW_OK) /* half of what is saved logically: equal orders differ by a page or two */
        code = hw_claim_reading(run, "what a better order saves",
                                logical > 0 && 2 * resident > logical, err,
                                "the best order in place of the source order takes {saved-logical} "
                                "off the logical peaks and {saved-resident} off the resident peaks "
                                "of malloc");
    return code;
}

static hw_code decide(hw_claim_run *run, const residents *r, hw_error *err)
{
    const resident_tally *pool = &r->tally[0], *trim = &r->tally[1], *map = &r->tally[2];
    bool any_keeps_up = trim->lagging == 0 || map->lagging == 0 || r->tally[4].lagging == 0;
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (lags(pool) && !any_keeps_up)
        verdict = HW_VERDICT_HOLDS;
    else if (lags(pool)) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(run, err,
                                  "the allocator keeps a pool, as malloc does by default and an "
                                  "arena does; %s",
                                  trim->lagging == 0 && map->lagging == 0
                                      ? "malloc that is asked to give memory back after each step, "
                                        "and a mapping a block, keep up with what lives"
                                      : "others keep up with what lives");
    }
    return code == HW_OK
               ? hw_claim_conclude(
                     run, verdict, err,
                     "malloc lags by more than a tenth of the peak in {malloc-lagging} of "
                     "the runs, by {malloc-lag} at most; trimmed by {malloc-trim-lag}, "
                     "a mapping a block by {mmap-lag} at most")
               : code;
}

hw_code hw_claim_c27(hw_claim_run *run, hw_error *err)
{
    residents r = {.run = run};
    hw_code code = measure(&r, err);
    if (code == HW_OK)
        code = tell(run, &r, err);
    return code == HW_OK ? decide(run, &r, err) : code;
}
