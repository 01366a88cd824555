/*
 * C22: does a log of lifetimes show every error?
 *
 * Logs of random orders are spoiled: a tensor is freed late, freed early, two
 * tensors share a name by which they are counted, views are taken for ordinary
 * nodes.  Who sees it: the peak alone, against that of the independent checker;
 * the article's rule, tensor by tensor; the same rule for storages (a tensor
 * with its views), from the definitions (lifetimes.h)?  And do the rules stay
 * quiet on logs that are right?
 */
#include "claims/lifetimes.h"
#include "claims/measure.h"
#include "core/memory.h"
#include "core/rng.h"

#include <stdlib.h>

typedef enum fault { LATE, EARLY, CLASH, VIEWS, FAULTS } fault;

static const char *const fault_names[FAULTS] = {
    "freed late", "freed early", "two tensors of one name", "views taken for ordinary nodes"};
static const char *const fault_numbers[FAULTS] = {"late", "early", "clash", "views"};

typedef struct fault_tally {
    uint64_t seeded, by_peak, by_tensors, by_storages;
} fault_tally;

typedef struct faults {
    const hw_claim_run *run;
    gsl_rng *rng;
    fault_tally tally[FAULTS];
    uint64_t logs, alarms_tensors, alarms_storages; /* right logs, and those taken for wrong */
    uint64_t with_views;                            /* of them: with a view                   */
} faults;

static hw_code spoil(const hw_log *log, fault kind, uint64_t draw, hw_lifetime *life, bool *changed,
                     hw_error *err)
{
    switch (kind) {
    case LATE:
        *changed = hw_lifetimes_free_late(log, draw, life);
        return HW_OK;
    case EARLY:
        *changed = hw_lifetimes_free_early(log, draw, life);
        return HW_OK;
    case CLASH:
        *changed = hw_lifetimes_clash(log, draw, life);
        return HW_OK;
    default:
        return hw_lifetimes_forget_views(log, life, changed, err);
    }
}

static hw_code seed_fault(faults *f, const hw_log *log, fault kind, uint64_t peak, hw_error *err)
{
    const hw_graph *g = log->model->graph;
    fault_tally *t = &f->tally[kind];
    uint32_t tensors = 0, storages = 0;
    bool changed = false;
    hw_lifetime *life = hw_copy(log->life, log->n_lives, sizeof *life);
    hw_code code = life ? spoil(log, kind, hw_rng_u64(f->rng) >> 1, life, &changed, err)
                        : hw_fail_memory(err, "a log with a fault");
    if (code == HW_OK && changed) {
        code =
            hw_lifetimes_wrong(g, log->order, life, log->n_lives, HW_RULE_TENSORS, &tensors, err);
        if (code == HW_OK)
            code = hw_lifetimes_wrong(g, log->order, life, log->n_lives, HW_RULE_STORAGES,
                                      &storages, err);
        t->seeded++;
        t->by_peak += hw_lifetimes_peak(log, life) != peak;
        t->by_tensors += tensors > 0;
        t->by_storages += storages > 0;
    }
    free(life);
    return code;
}

static hw_code one_log(faults *f, const hw_log *log, hw_error *err)
{
    const hw_graph *g = log->model->graph;
    uint64_t peak = 0;
    uint32_t tensors = 0, storages = 0;
    hw_code code = hw_claim_check(g, log->model->accounting, log->order, &peak, err);
    if (code == HW_OK && peak != log->peak)
        code = hw_fail(err, HW_INTERNAL, "%s: the log and the checker differ", g->name);
    if (code == HW_OK)
        code = hw_lifetimes_wrong(g, log->order, log->life, log->n_lives, HW_RULE_TENSORS, &tensors,
                                  err);
    if (code == HW_OK)
        code = hw_lifetimes_wrong(g, log->order, log->life, log->n_lives, HW_RULE_STORAGES,
                                  &storages, err);
    f->logs++;
    f->alarms_tensors += tensors > 0;
    f->alarms_storages += storages > 0;
    for (int kind = 0; code == HW_OK && kind < FAULTS; kind++)
        code = seed_fault(f, log, (fault)kind, peak, err);
    return code;
}

static hw_code one_graph(faults *f, const hw_graph *g, hw_error *err)
{
    hw_model *m[2];
    hw_code code = hw_claim_models(g, m, err);
    for (int a = 0; code == HW_OK && a < 2; a++) {
        hw_answer order = {0};
        hw_log *log = NULL;
        code = hw_claim_within(f->run, m[a], "kahn-random", 0, &order, err);
        if (code == HW_OK)
            code = hw_log_new(m[a], order.order, false, &log, err);
        if (code == HW_OK)
            code = one_log(f, log, err);
        hw_log_free(log);
        hw_answer_clear(&order);
    }
    hw_claim_models_free(m);
    return code;
}

static hw_code measure(faults *f, hw_error *err)
{
    static const char *const specs[] = {"tree:n=8,direction=in", "layered:n=14,inputs=own",
                                        "layered:n=14,views=0.3",
                                        "erdos:n=14,views=0.2,inplace=0.3"};
    uint32_t graphs = hw_claim_effort(f->run, 40, 1000);
    hw_code code = HW_OK;
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            hw_graph *g = NULL;
            code = hw_claim_generate(specs[s], hw_claim_seed(f->run), i, &g, err);
            if (code == HW_OK)
                code = one_graph(f, g, err);
            hw_graph_free(g);
        }
    return code;
}

static hw_code tell(hw_claim_run *run, const faults *f, hw_error *err)
{
    hw_code code = HW_OK;
    for (int kind = 0; code == HW_OK && kind < FAULTS; kind++) {
        const fault_tally *t = &f->tally[kind];
        char name[64];
        code = hw_claim_reading(
            run, fault_names[kind], t->by_tensors == t->seeded, err,
            "of %llu faults the peak alone shows %.1f %%, the article's rule %.1f %%, the rule for "
            "storages %.1f %%",
            (unsigned long long)t->seeded, hw_claim_percent(t->by_peak, t->seeded),
            hw_claim_percent(t->by_tensors, t->seeded),
            hw_claim_percent(t->by_storages, t->seeded));
        (void)snprintf(name, sizeof name, "%s-by-peak", fault_numbers[kind]);
        if (code == HW_OK)
            code = hw_claim_number(run, name, hw_claim_percent(t->by_peak, t->seeded) / 100,
                                   "share", err);
        (void)snprintf(name, sizeof name, "%s-by-log", fault_numbers[kind]);
        if (code == HW_OK)
            code = hw_claim_number(run, name, hw_claim_percent(t->by_storages, t->seeded) / 100,
                                   "share", err);
    }
    if (code == HW_OK)
        code = hw_claim_reading(run, "logs that are right", f->alarms_tensors == 0, err,
                                "of %llu the article's rule takes %llu for wrong, all with views, "
                                "and the rule for storages %llu",
                                (unsigned long long)f->logs, (unsigned long long)f->alarms_tensors,
                                (unsigned long long)f->alarms_storages);
    return code;
}

static hw_code decide(hw_claim_run *run, const faults *f, hw_error *err)
{
    uint64_t seeded = 0, tensors = 0, storages = 0, peak = 0;
    for (int kind = 0; kind < FAULTS; kind++) {
        if (f->tally[kind].seeded == 0)
            return hw_fail(err, HW_CHECK_FAILED, "no log has the fault \"%s\"", fault_names[kind]);
        seeded += f->tally[kind].seeded;
        peak += f->tally[kind].by_peak;
        tensors += f->tally[kind].by_tensors;
        storages += f->tally[kind].by_storages;
    }
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (tensors == seeded && f->alarms_tensors == 0)
        verdict = HW_VERDICT_HOLDS;
    else if (storages == seeded && f->alarms_storages == 0) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            "what has to vanish at its last consumer is a storage, a tensor with all its views, "
            "told apart by id: tensor by tensor the log of a scheduler that takes views for "
            "ordinary nodes looks right");
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "of %llu seeded faults the rule for storages shows %llu, the article's rule %llu and the "
        "peak alone %llu; of %llu right logs they call %llu, %llu and none wrong",
        (unsigned long long)seeded, (unsigned long long)storages, (unsigned long long)tensors,
        (unsigned long long)peak, (unsigned long long)f->logs,
        (unsigned long long)f->alarms_storages, (unsigned long long)f->alarms_tensors);
}

hw_code hw_claim_c22(hw_claim_run *run, hw_error *err)
{
    faults f = {.run = run, .rng = hw_rng_new(hw_claim_seed(run))};
    hw_code code = f.rng ? measure(&f, err) : hw_fail_memory(err, "random numbers");
    if (code == HW_OK)
        code = tell(run, &f, err);
    if (code == HW_OK)
        code = decide(run, &f, err);
    if (f.rng)
        gsl_rng_free(f.rng);
    return code;
}
