/*
 * Changed graphs one by one: the copy put into the order at hand, and solvers
 * that are asked for an order below the best peak.  See search.h.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/search_internal.h"
#include "core/memory.h"
#include "model/check.h"

/* Nodes of changed graphs that are put into the order at hand, a level: as many as take seconds. */
#define MOST_PLACED (UINT64_C(1) << 22)

/* States of a solver's first run on a change, and how much more each time. */
enum { FIRST_STATES = 4096, MORE_STATES = 8, SMALL = 64 };
#define LAST_STATES (UINT64_C(1) << 40)

bool advise_over(const search *s)
{
    const hw_request *r = &s->ask->request;
    return (r->stop && *r->stop) || (s->end_seconds > 0 && hw_wall_seconds() > s->end_seconds);
}

static void tell(const search *s, const char *what, size_t done, size_t of)
{
    const hw_again_progress p = {s->level->copies, what, done, of, s->level->peak};
    if (s->ask->progress)
        s->ask->progress(s->ask->context, &p);
}

/* ---- One changed graph. ---- */

hw_code advise_make(search *s, const change *c, hw_again *out, bool *possible, hw_error *err)
{
    const hw_again *base = &s->base[c->base];
    const uint32_t n = base->graph->n_nodes;
    if (!hw_grow((void **)&s->late, &s->late_room, n, sizeof *s->late))
        return hw_fail_memory(err, "a changed graph");
    memset(s->late, 0, n * sizeof *s->late);
    for (uint32_t i = 0; i < c->n_late; i++)
        s->late[s->list.pool[c->late + i]] = true;
    hw_code code = hw_again_split(base, &s->users[c->base], c->node, s->late, out, possible, err);
    if (code == HW_OK && *possible && c->order)
        memcpy(out->order, c->order, out->graph->n_nodes * sizeof *c->order);
    return code;
}

/* The peak of a's order by the independent checker; UINT64_MAX: it is not legal. */
static hw_code peak_of(const search *s, const hw_again *a, uint64_t *peak, hw_error *err)
{
    hw_check check;
    hw_code code = hw_check_order(a->graph, s->ask->accounting == HW_FREE_FIRST, s->ask->pin_inputs,
                                  a->order, a->graph->n_nodes, &check, err);
    *peak = code == HW_OK && check.verdict == HW_ORDER_LEGAL ? check.peak : UINT64_MAX;
    return code;
}

/* a, whose order has that peak, is the best now; it is taken over. */
static void take(search *s, hw_again *a, uint64_t peak)
{
    hw_level *level = s->level;
    hw_again_clear(&level->best);
    level->best = *a;
    level->peak = peak;
    level->found = true;
    memset(a, 0, sizeof *a);
}

/* Its order is kept, for those that go on from it. */
static hw_code keep_order(change *c, const hw_again *a, uint64_t peak, hw_error *err)
{
    const uint32_t n = a->graph->n_nodes;
    uint32_t *order = hw_copy(a->order, n, sizeof *order);
    if (!order)
        return hw_fail_memory(err, "an order");
    free(c->order);
    c->order = order;
    c->known = peak;
    return HW_OK;
}

/* The copy put into the order at hand. */
static hw_code place(search *s, change *c, hw_error *err)
{
    hw_again a;
    bool possible;
    hw_code code = advise_make(s, c, &a, &possible, err);
    if (code != HW_OK || !possible) {
        c->impossible = code == HW_OK;
        return code;
    }
    code = peak_of(s, &a, &c->known, err);
    if (code == HW_OK && c->known < s->level->peak)
        take(s, &a, c->known);
    hw_again_clear(&a);
    return code;
}

/* ---- Is there an order below the best? ---- */

static hw_code run_solver(const search *s, const hw_model *m, const uint32_t *start,
                          uint64_t states, uint64_t budget, hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_request request = s->ask->request;
    hw_code code = hw_solver_parse(m->n_nodes <= SMALL ? "exact" : "portfolio", &row, values, err);
    if (code != HW_OK)
        return code;
    request.params = values;
    request.limits.states = states;
    request.limits.seconds = 0;
    if (s->end_seconds > 0) {
        double left = s->end_seconds - hw_wall_seconds();
        request.limits.seconds = left > 0.001 ? left : 0.001;
    }
    request.start = start;
    request.has_budget = true;
    request.budget_bytes = budget;
    return hw_solve(m, row, &request, answer, err);
}

/*
 * Ask for an order of a changed graph within `budget`, and then for ever better
 * ones; what is found is the best of the level.  *found: one was.
 */
static hw_code ask_below(search *s, change *c, uint64_t states, uint64_t budget, bool *found,
                         hw_error *err)
{
    hw_again a;
    hw_model *m = NULL;
    bool possible, again = true;
    hw_code code = advise_make(s, c, &a, &possible, err);
    *found = false;
    if (code == HW_OK && possible)
        code = hw_model_new(a.graph, s->ask->accounting, s->ask->pin_inputs, &m, err);
    while (code == HW_OK && possible && again) {
        hw_answer answer;
        code =
            run_solver(s, m, c->known == UINT64_MAX ? NULL : a.order, states, budget, &answer, err);
        if (code != HW_OK)
            break;
        again = false;
        uint64_t bound = answer.status == HW_INFEASIBLE ? budget + 1
                         : answer.has_bound             ? answer.bound
                                                        : 0;
        c->bound = bound > c->bound ? bound : c->bound;
        if (answer.has_order && answer.peak < c->known) {
            memcpy(a.order, answer.order, m->n_nodes * sizeof *a.order);
            code = keep_order(c, &a, answer.peak, err);
        }
        if (code == HW_OK && answer.has_order && answer.peak <= budget) {
            *found = true;
            again = c->bound < answer.peak && answer.peak > s->floor && !advise_over(s);
            budget = answer.peak - 1;
        }
        hw_answer_clear(&answer);
    }
    if (code == HW_OK && *found)
        take(s, &a, c->known);
    hw_model_free(m);
    hw_again_clear(&a);
    return code;
}

bool advise_settled(const search *s, const change *c)
{
    return c->impossible || c->bound >= s->level->peak;
}

static int by_hope(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->known != y->known)
        return x->known < y->known ? -1 : 1;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->late > y->late) - (x->late < y->late); /* as they were listed */
}

static int by_score(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->known != y->known)
        return x->known < y->known ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->late > y->late) - (x->late < y->late);
}

static void sort(search *s, int (*by)(const void *, const void *))
{
    if (s->list.n)
        qsort(s->list.change, s->list.n, sizeof *s->list.change, by);
}

void advise_sort_by_hope(search *s)
{
    sort(s, by_hope);
}

void advise_sort_by_score(search *s)
{
    sort(s, by_score);
}

hw_code advise_place(search *s, hw_error *err)
{
    uint64_t nodes = 0;
    hw_code code = HW_OK;
    sort(s, by_score);
    for (size_t i = 0; i < s->list.n && code == HW_OK; i++) {
        change *c = &s->list.change[i];
        nodes += s->base[c->base].graph->n_nodes;
        if (nodes > MOST_PLACED || advise_over(s))
            break;
        tell(s, "placing copies", i, s->list.n);
        code = place(s, c, err);
    }
    return code;
}

static hw_code ask_all(search *s, hw_error *err)
{
    const uint64_t most =
        s->ask->request.limits.states ? s->ask->request.limits.states : LAST_STATES;
    hw_code code = HW_OK;
    bool open = true, found;
    for (uint64_t states = FIRST_STATES; open && code == HW_OK && !advise_over(s);
         states *= MORE_STATES) {
        states = states < most ? states : most;
        open = false;
        for (size_t i = 0; i < s->list.n && code == HW_OK && !advise_over(s); i++) {
            change *c = &s->list.change[i];
            if (s->level->peak <= s->floor)
                return HW_OK;
            if (advise_settled(s, c))
                continue;
            tell(s, "reordering", i, s->list.n);
            code = ask_below(s, c, states, s->level->peak - 1, &found, err);
            open = open || !advise_settled(s, c);
        }
        if (states >= most)
            break;
    }
    return code;
}

static int by_bytes(const void *a, const void *b)
{
    const change *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->late > y->late) - (x->late < y->late);
}

/* As small a peak for less work. */
static hw_code ask_cheaper(search *s, hw_error *err)
{
    bool found = false;
    hw_code code = HW_OK;
    if (!s->level->found)
        return HW_OK;
    sort(s, by_bytes);
    for (size_t i = 0; i < s->list.n && code == HW_OK && !found && !advise_over(s); i++) {
        change *c = &s->list.change[i];
        if (c->bytes >= s->level->best.bytes)
            break;
        if (c->impossible || c->bound > s->level->peak)
            continue;
        tell(s, "looking for less work", i, s->list.n);
        code = ask_below(s, c, FIRST_STATES, s->level->peak, &found, err);
    }
    return code;
}

hw_code advise_ask(search *s, hw_error *err)
{
    sort(s, by_hope);
    hw_code code = ask_all(s, err);
    return code == HW_OK ? ask_cheaper(s, err) : code;
}
