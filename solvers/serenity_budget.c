/* Adaptive soft budgeting.  See serenity_budget.h. */
#include "solvers/serenity_budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* A beam pays once the sets of one size are many times its width. */
enum { BEAM_TIMES = 16, BEAM_MOST = 65536 };

typedef enum verdict {
    SETTLED,
    NO_SOLUTION,
    TIMEOUT, /* the step was too short                 */
    FULL,    /* memory, which a lower budget may spare */
    LIMIT,   /* of the whole call                      */
    ENOUGH,  /* an order is in hand that will do       */
    FAILED
} verdict;

typedef struct search {
    const hw_model *m;
    serenity_rounds *rounds;
    hw_dp_problem problem;
    uint32_t *order; /* the best so far */
    hw_meter *meter;
    hw_error *err;
} search;

static void raise_low(serenity_rounds *r, uint64_t bound)
{
    if (bound > r->low)
        r->low = bound;
}

/* An order of this peak is in order[]: only better ones are of interest now. */
static void take(serenity_rounds *r, uint64_t peak)
{
    r->found = true;
    r->peak = peak;
    r->high = peak ? peak - 1 : 0;
    if (peak == 0)
        r->low = 1; /* nothing is better */
}

/* A beam of the width due may lower the hard budget. */
static hw_code lower_high(search *s)
{
    serenity_rounds *r = s->rounds;
    const hw_limits limits = {.memory_bytes = r->most_bytes};
    char spec[32];
    hw_answer a = {.order = HW_NEW(uint32_t, s->m->n_nodes)};
    if (!a.order)
        return hw_fail_memory(s->err, "an order");
    (void)snprintf(spec, sizeof spec, "beam:width=%" PRIu32, r->beam);
    hw_code code =
        hw_solve_inside(s->m, spec, &limits, s->meter, s->meter->request, &a, NULL, s->err);
    if (code == HW_OK && a.has_order && a.peak <= r->high) {
        memcpy(s->order, a.order, s->m->n_nodes * sizeof *a.order);
        take(r, a.peak);
    }
    hw_answer_clear(&a);
    r->beam = r->beam <= BEAM_MOST / BEAM_TIMES ? r->beam * BEAM_TIMES : 0;
    return code;
}

/* Where to pause: for a beam, or for good. */
static size_t next_pause(const serenity_rounds *r)
{
    size_t wide = (size_t)r->beam * BEAM_TIMES;
    return r->beam && wide < r->step ? wide : r->step;
}

/* Run a search, with beams in its pauses.  *value as of hw_dp_run(). */
static verdict run_search(search *s, hw_dp_search *dp, uint64_t *value)
{
    serenity_rounds *r = s->rounds;
    for (;;) {
        dp->pause_at = next_pause(r);
        switch (hw_dp_run(dp, value)) {
        case HW_DP_COMPLETE:
            return SETTLED;
        case HW_DP_EXHAUSTED:
            return NO_SOLUTION;
        case HW_DP_STOPPED:
            return s->meter->over ? LIMIT : FULL;
        case HW_DP_PAUSED:
            if (dp->pause_at == r->step)
                return TIMEOUT;
            if (lower_high(s) != HW_OK)
                return FAILED;
            if (r->found && r->peak <= r->enough)
                return ENOUGH;
            if (s->meter->over)
                return LIMIT;
            if (r->low > r->high)
                return NO_SOLUTION;
            if (dp->allow > r->high)
                dp->allow = r->high;
            break;
        }
    }
}

/* One round under a budget.  Raises `low` by what it proves. */
static verdict try_budget(search *s, uint64_t budget)
{
    serenity_rounds *r = s->rounds;
    hw_dp_search dp = {0};
    uint64_t value = UINT64_MAX;
    verdict v = FAILED;
    if (hw_dp_open(&dp, &s->problem, s->meter, budget, r->most_bytes, s->err) == HW_OK) {
        v = run_search(s, &dp, &value);
        if (v == SETTLED) {
            hw_dp_order(&dp, s->order);
            raise_low(r, value);
            take(r, value);
        } else if (v == NO_SOLUTION && r->low <= r->high) {
            raise_low(r, dp.dropped);
        } else if (v == TIMEOUT || v == FULL || v == LIMIT) {
            raise_low(r, value < dp.dropped ? value : dp.dropped);
        }
    }
    hw_dp_close(&dp);
    return v;
}

/*
 * Invariant: no peak is below `low`; within this step, budgets from `cap` on
 * have timed out or filled the memory.  Each round halves [low, cap) or settles
 * the question, so a step takes at most 64 rounds.  Once the least budget of
 * interest has timed out, only a longer step helps.
 */
static verdict run_rounds(search *s)
{
    serenity_rounds *r = s->rounds;
    uint64_t budget = r->high, cap = UINT64_MAX;
    while (r->low <= r->high) {
        verdict v = try_budget(s, budget);
        if (v == SETTLED || v == ENOUGH || v == LIMIT || v == FAILED)
            return v;
        if (v != NO_SOLUTION)
            cap = budget;
        if (r->low < cap && r->low <= r->high) {
            uint64_t top = cap - 1 < r->high ? cap - 1 : r->high;
            budget = r->low + (top - r->low) / 2;
            continue;
        }
        if (v == FULL && budget <= r->low)
            return LIMIT;
        if (r->step <= SIZE_MAX / 2)
            r->step *= 2;
        cap = UINT64_MAX;
        budget = r->low;
    }
    return SETTLED;
}

hw_code serenity_search(const hw_model *m, serenity_rounds *rounds, uint32_t *order,
                        hw_meter *meter, hw_error *err)
{
    search s = {.m = m, .rounds = rounds, .order = order, .meter = meter, .err = err};
    rounds->found = rounds->settled = false;
    hw_code code = hw_dp_problem_open(&s.problem, m, err);
    if (code == HW_OK) {
        verdict v = run_rounds(&s);
        rounds->settled = v == SETTLED;
        code = v == FAILED ? HW_NO_MEMORY : HW_OK;
    }
    hw_dp_problem_close(&s.problem);
    return code;
}
