/* The census of a block of graphs.  See census.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "census/census_dag.h"
#include "core/rng.h"

enum { BLOCK_DAGS = 16, BLOCK_DAGS_OF_MOST = 64 };

/* One block at work. */
typedef struct worker {
    const hw_census_plan *plan;
    hw_census_tally *out;
    /* The worst so far, of this block or before, sizes up to the index + 1. */
    hw_census_worst worst[2][HW_CENSUS_SIZES][HW_CENSUS_SOLVERS];
    uint32_t dag; /* its place in the list */
    hw_census_dag *d;
    hw_census_template *t;
    hw_numbering numbering; /* at work */
    bool first;             /* it is the least */
    uint64_t refused[2];    /* solvers that do not take the DAG */
} worker;

size_t hw_census_blocks(uint32_t n, size_t n_dags)
{
    size_t each = n == HW_DAGS_MOST ? BLOCK_DAGS_OF_MOST : BLOCK_DAGS;
    return (n_dags + each - 1) / each;
}

static hw_ratio ratio_of_worst(hw_census_span s)
{
    return (hw_ratio){s.worst, s.optimum};
}

/* ---- One run. ---- */

static bool legal(const hw_census_template *t, uint32_t n, const uint32_t *order)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = order[i];
        if (v >= n || (done >> v & 1) || (t->parents[v] & ~done))
            return false;
        done |= UINT32_C(1) << v;
    }
    return true;
}

static hw_code complain(const worker *w, const hw_census_solver *s, const char *what,
                        hw_accounting accounting, const uint64_t *sizes, hw_error *err)
{
    char digits[HW_DAGS_MOST + 1] = "";
    for (uint32_t v = 0; v < w->d->dag.n; v++)
        digits[v] = (char)('0' + sizes[v]);
    return hw_fail(
        err, HW_INTERNAL,
        "solver %s %s on the graph of %" PRIu32 " nodes with code %" PRIu32 " and sizes %s, %s",
        s->spec, what, w->d->dag.n, w->numbering.code, digits, hw_accounting_name(accounting));
}

/*
 * The peak of a solver on the template as it is sized.  The solver is called
 * without the driver, whose clocks and checker cost more than most rules do; the
 * order is held against the bit masks instead.
 */
static hw_code run(const worker *w, const hw_census_solver *s, hw_accounting accounting,
                   const uint64_t *sizes, bool *refused, uint64_t *peak, hw_error *err)
{
    uint32_t order[HW_DAGS_MOST];
    uint8_t bytes[HW_DAGS_MOST];
    hw_answer answer = {.order = order};
    hw_request request = {.params = s->values, .seed = HW_DEFAULT_SEED};
    const hw_model *m = w->t->model[accounting];
    hw_code code = hw_solver_takes(s->row, m, err);
    if (code == HW_OK)
        code = s->row->solve(m, &request, &answer, err);
    *refused = code == HW_USAGE;
    if (code != HW_OK)
        return *refused ? HW_OK : code;
    if (!answer.has_order || !legal(w->t, m->n_nodes, order))
        return complain(w, s, "has no legal order", accounting, sizes, err);
    for (uint32_t i = 0; i < m->n_nodes; i++)
        bytes[i] = (uint8_t)order[i];
    *peak = hw_small_peak(&w->t->small[accounting], bytes);
    if (*peak != answer.peak)
        return complain(w, s, "has another peak than it says", accounting, sizes, err);
    return HW_OK;
}

/* ---- One case. ---- */

static hw_census_worst case_of(const worker *w, hw_ratio ratio, const uint64_t *sizes)
{
    hw_census_worst c = {.found = true, .ratio = ratio, .dag = w->dag, .code = w->numbering.code};
    for (uint32_t v = 0; v < w->d->dag.n; v++)
        c.vector = c.vector * w->plan->most_size + (uint32_t)sizes[v] - 1;
    return c;
}

static void keep_worst(worker *w, hw_accounting accounting, uint32_t greatest, size_t solver,
                       const hw_census_worst *now)
{
    w->out->cell[accounting][greatest][solver].worst = *now;
    for (uint32_t k = greatest; k < w->plan->most_size; k++)
        if (hw_census_worse(now, &w->worst[accounting][k][solver]))
            w->worst[accounting][k][solver] = *now;
}

/* Is a failure on this case one of the graph? */
static bool counts(const worker *w, uint32_t vector)
{
    return w->plan->all_fails || (w->first && w->d->least[vector] == vector);
}

/* May this solver tell something new here?  `most`: the case with its worst order. */
static bool wanted(const worker *w, hw_accounting accounting, uint32_t vector, size_t solver,
                   const hw_census_worst *most, bool showcase)
{
    uint64_t bit = UINT64_C(1) << solver;
    if (w->refused[accounting] & bit)
        return false;
    if (w->plan->solver[solver].row->kind == HW_SOLVER_EXACT)
        return showcase;
    uint32_t greatest = w->d->greatest[vector];
    return (counts(w, vector) && !(w->d->failed[accounting][w->d->least[vector]] & bit)) ||
           hw_census_worse(most, &w->worst[accounting][greatest][solver]);
}

static hw_code take_case(worker *w, hw_accounting accounting, uint32_t vector,
                         const uint64_t *sizes, bool showcase, hw_error *err)
{
    uint32_t least = w->d->least[vector], greatest = w->d->greatest[vector];
    hw_census_span span = w->d->span[accounting][least];
    hw_census_worst most = case_of(w, ratio_of_worst(span), sizes);
    bool sized = false;
    for (size_t i = 0; i < w->plan->n_solvers; i++) {
        if (!wanted(w, accounting, vector, i, &most, showcase))
            continue;
        const hw_census_solver *s = &w->plan->solver[i];
        bool refused;
        uint64_t peak = 0;
        if (!sized)
            hw_census_template_size(w->t, accounting, sizes);
        sized = true;
        hw_code code = run(w, s, accounting, sizes, &refused, &peak, err);
        if (code != HW_OK)
            return code;
        w->out->runs++;
        if (refused)
            w->refused[accounting] |= UINT64_C(1) << i;
        if (refused || peak == span.optimum)
            continue;
        if (peak < span.optimum || s->row->kind == HW_SOLVER_EXACT)
            return complain(w, s, "does not have the optimum of the bit masks", accounting, sizes,
                            err);
        if (counts(w, vector))
            w->d->failed[accounting][least] |= UINT64_C(1) << i;
        hw_census_worst now = case_of(w, (hw_ratio){peak, span.optimum}, sizes);
        if (hw_census_worse(&now, &w->worst[accounting][greatest][i]))
            keep_worst(w, accounting, greatest, i, &now);
    }
    return HW_OK;
}

/* ---- One DAG. ---- */

/* Every case of the DAG in one numbering: the showcases, or all but them. */
static hw_code take_numbering(worker *w, bool showcases, hw_error *err)
{
    const hw_census_dag *d = w->d;
    uint32_t n = d->dag.n;
    hw_dag numbered = hw_dag_of_code(n, w->numbering.code);
    hw_code code = hw_census_template_make(&numbered, w->t, err);
    for (uint32_t i = 0; code == HW_OK && i < d->n_vectors; i++) {
        uint64_t own[HW_DAGS_MOST], sizes[HW_DAGS_MOST] = {0};
        if (!w->plan->all_numberings && d->least[i] != i)
            continue;
        hw_census_sizes(n, d->m, i, own);
        for (uint32_t v = 0; v < n; v++)
            sizes[w->numbering.place[v]] = own[v];
        for (int a = HW_ALLOC_FIRST; code == HW_OK && a <= HW_FREE_FIRST; a++) {
            hw_census_span span = d->span[a][d->least[i]];
            bool showcase = d->least[i] == d->showcase[a];
            if (showcase == showcases && (showcase || span.worst > span.optimum))
                code = take_case(w, (hw_accounting)a, i, sizes, showcase, err);
        }
    }
    hw_census_template_free(w->t);
    return code;
}

static void count_graphs(worker *w)
{
    const hw_census_dag *d = w->d;
    hw_census_tally *out = w->out;
    size_t any = w->plan->n_solvers;
    w->numbering = d->numberings.numbering[0];
    for (uint32_t i = 0; i < d->n_vectors; i++) {
        uint32_t k = d->greatest[i];
        if (w->plan->all_numberings)
            out->cases[k] += d->numberings.n_numberings;
        else
            out->cases[k] += d->least[i] == i;
        if (d->least[i] != i)
            continue;
        out->graphs[k]++;
        for (size_t a = 0; a < 2; a++) {
            hw_census_span span = d->span[a][i];
            hw_census_cell *cell = out->cell[a][k];
            for (size_t s = 0; s < any; s++) {
                bool control = w->plan->solver[s].row->kind == HW_SOLVER_EXACT;
                cell[s].taken += !(w->refused[a] >> s & 1) && (!control || i == d->showcase[a]);
                cell[s].fails += d->failed[a][i] >> s & 1;
            }
            cell[any].taken++;
            cell[any].fails += span.worst > span.optimum;
            uint64_t sizes[HW_DAGS_MOST] = {0};
            hw_census_sizes(d->dag.n, d->m, i, sizes);
            hw_census_worst most = case_of(w, ratio_of_worst(span), sizes);
            if (span.worst > span.optimum && hw_census_worse(&most, &cell[any].worst))
                cell[any].worst = most;
        }
    }
}

static hw_code take_dag(worker *w, const hw_dag *dag, hw_error *err)
{
    hw_census_dag d;
    hw_code code = hw_census_dag_make(dag, w->plan->most_size, &d, err);
    if (code != HW_OK)
        return code;
    w->d = &d;
    w->refused[0] = w->refused[1] = 0;
    size_t n = w->plan->all_numberings ? d.numberings.n_numberings : 1;
    for (int showcases = 1; showcases >= 0; showcases--)
        for (size_t i = 0; code == HW_OK && i < n; i++) {
            w->numbering = d.numberings.numbering[i];
            w->first = i == 0;
            code = take_numbering(w, showcases, err);
        }
    if (code == HW_OK)
        count_graphs(w);
    hw_census_dag_free(&d);
    w->d = NULL;
    return code;
}

hw_code hw_census_block(const hw_census_plan *plan, uint32_t n, const uint32_t *codes,
                        size_t n_dags, size_t block, const hw_census_tally *known,
                        const volatile sig_atomic_t *stop, hw_census_tally *out, hw_error *err)
{
    static const worker none;
    size_t step = hw_census_blocks(n, n_dags);
    hw_code code = HW_OK;
    worker *w = malloc(sizeof *w);
    hw_census_template *t = malloc(sizeof *t);
    memset(out, 0, sizeof *out);
    if (!w || !t) {
        free(w);
        free(t);
        return hw_fail_memory(err, "the census of a block");
    }
    *w = none;
    w->plan = plan;
    w->out = out;
    w->t = t;
    for (int a = HW_ALLOC_FIRST; known && a <= HW_FREE_FIRST; a++)
        for (size_t s = 0; s < plan->n_solvers; s++)
            for (uint32_t k = 0; k < plan->most_size; k++)
                w->worst[a][k][s] = hw_census_up_to(known, (hw_accounting)a, s, k + 1).worst;
    for (size_t i = block; code == HW_OK && i < n_dags; i += step) {
        hw_dag dag = hw_dag_of_code(n, codes[i]);
        if (stop && *stop)
            code = hw_fail(err, HW_STOPPED, "stopped by a signal");
        w->dag = (uint32_t)i;
        if (code == HW_OK)
            code = take_dag(w, &dag, err);
    }
    free(w);
    free(t);
    return code;
}
