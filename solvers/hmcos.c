/*
 * hmcos: sequences and groups first, then ungroup where the peak is.
 *
 * Source: Wang, Wan, Chen, Lin, Jiang, Qiao, "Hierarchical Memory-Constrained
 * Operator Scheduling of Neural Architecture Search Networks", DAC 2022,
 * doi:10.1145/3489517.3530472, and the authors' program (github.com/wzh99/HMCOS,
 * src/sched/pass.cpp and sched.cpp).  Their rules, and what is done here:
 *
 * 1. Sequences.  An operator is joined with its only successor, if it is that
 *    one's only predecessor, as long as neither what the sequence uses nor what
 *    it leaves rises.  The same here, with workspace, dead outputs and the
 *    accounting in the figures; in-place choices are left out of them.
 * 2. Groups.  For the output of a cell (an operator Concat; a function that one
 *    may replace), all sequences post-dominated by it, found from the output
 *    backwards, cells in topological order, those in a group before left out.
 *    Here the largest cells of at most `most` sequences come first; without a
 *    Concat in the graph every join may be a cell's output (`cells`); any
 *    number of inputs and outputs is allowed, where theirs looks from the first
 *    ones alone.
 * 3. Intrusion.  They also group, behind a cell's output, the sequences that it
 *    dominates up to where their outputs are smallest (and may switch it off).
 *    Not here.
 * 4. Search.  Partial schedules by zero-indegree set, one unit longer at a time,
 *    the one of least peak kept for each set, none above the budget.  Here the
 *    nodes run are the key, and a round tries about `effort` moves, the best
 *    sets of each size first; theirs tries all, which ends on their networks
 *    alone.
 * 5. Groups in the search.  In reverse post-order where that does not lift the
 *    peak; else as their own search finds best, remembered for the group and
 *    the values that it kills.  The same here; what was remembered is run again
 *    after the prefix at hand, and that no way was found is remembered too.
 * 6. Rounds.  The budget is the least peak so far.  Of the values alive where
 *    the schedule peaks, the groups that hold their makers and the groups that
 *    follow these are ungrouped; until there is none.  Here the nodes that run
 *    there, the makers of kept outputs and, for graph inputs, the groups that
 *    read them count as well; after `rounds` rounds it ends, or once the order
 *    meets the bound that single nodes give.
 *
 * Windows: every node is its own unit, moves are those after which the rest can
 * still be completed, and there is one round.
 *
 * A round costs O(effort (n / 64 + uses of a unit)) and the searches in groups,
 * each an eighth of the effort at most; O(effort) memory.  At least one set of
 * each size is kept, whatever moves it promises: up to n^2 on wide graphs.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/hmcos_search.h"

enum { CELLS, MOST, EFFORT, ROUNDS, N_PARAMS };
enum { GROUP_SHARE = 8 };

static const hw_param_row params[N_PARAMS] = {
    [CELLS] = {"cells", HW_PARAM_CHOICE, 0, 3, HMCOS_AUTO, "auto|concat|joins|none",
               "what ends a group: Concat (where there is one) or any join"},
    [MOST] = {"most", HW_PARAM_INT, 3, 1000000, 64, NULL, "most sequences in a group"},
    [EFFORT] = {"effort", HW_PARAM_INT, 1, 1e12, 200000, NULL, "moves that a round may try"},
    [ROUNDS] = {"rounds", HW_PARAM_INT, 1, 1e9, 100, NULL, "most rounds"},
};

/* ---- Where the peak is. ---- */

/* Work space to find it in an order. */
typedef struct peaks {
    uint32_t *position; /* by node                                   */
    uint32_t *before;   /* by position: peak steps before it; n + 1  */
    bool *related;      /* by node */
} peaks;

/* Is there a peak step among the positions low .. high? */
static bool peak_within(const peaks *p, uint32_t low, uint32_t high)
{
    return low <= high && p->before[high + 1] > p->before[low];
}

/* Mark peak steps. */
static hw_code find_peaks(const hw_model *m, const uint32_t *order, uint64_t peak, peaks *p,
                          hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, m, err);
    if (code != HW_OK)
        return code;
    hw_order_positions(order, m->n_nodes, p->position);
    p->before[0] = 0;
    for (uint32_t i = 0; i < m->n_nodes; i++)
        p->before[i + 1] = p->before[i] + (hw_sim_step(&s, order[i]) == peak);
    hw_sim_free(&s);
    return HW_OK;
}

/* The last position at which buffer b counts. */
static uint32_t last_alive(const hw_model *m, const peaks *p, uint32_t b)
{
    uint32_t last = 0;
    for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++)
        if (p->position[m->users.item[i]] > last)
            last = p->position[m->users.item[i]];
    return m->accounting == HW_FREE_FIRST && last ? last - 1 : last;
}

/* Mark the nodes that run at a peak, or made or read first what is alive there. */
static void find_related(const hw_model *m, peaks *p)
{
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint64_t kept = m->new_bytes[v] - m->dead_bytes[v];
        for (uint32_t i = m->makes.offset[v]; i < m->makes.offset[v + 1]; i++)
            kept -= m->buffer_size[m->makes.item[i]];
        p->related[v] = peak_within(p, p->position[v], kept ? m->n_nodes - 1 : p->position[v]);
    }
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t maker = m->buffer_maker[b], last = last_alive(m, p, b);
        if (maker != HW_NONE && peak_within(p, p->position[maker], last))
            p->related[maker] = true;
        for (uint32_t i = m->users.offset[b];
             maker == HW_NONE && peak_within(p, 0, last) && i < m->users.offset[b + 1]; i++)
            p->related[m->users.item[i]] = true;
    }
}

static bool open_group(hmcos_graph *h, uint32_t seq)
{
    if (h->group_of[seq] == HW_NONE)
        return false;
    hmcos_ungroup(h, h->group_of[seq]);
    return true;
}

/* Ungroup what is related to the peaks.  False: nothing was left to ungroup. */
static bool ungroup(hmcos_graph *h, const peaks *p)
{
    bool changed = false;
    for (uint32_t v = 0; v < h->m->n_nodes; v++) {
        uint32_t s = h->seq_of[v];
        if (!p->related[v])
            continue;
        changed |= open_group(h, s);
        for (uint32_t i = h->succs.offset[s]; i < h->succs.offset[s + 1]; i++)
            changed |= open_group(h, h->succs.item[i]);
    }
    return changed;
}

/* ---- Rounds. ---- */

typedef struct rounds {
    const hw_request *request;
    hw_answer *answer;
    hmcos_graph graph;
    hmcos_run run;
    peaks peaks;
    uint32_t *order;
} rounds;

static bool met(const rounds *r, const hw_model *m)
{
    const hw_request *q = r->request;
    return r->answer->has_order && (r->answer->peak == m->simple_bound ||
                                    (q->has_budget && r->answer->peak <= q->budget_bytes));
}

static hw_code run_rounds(rounds *r, const hw_model *m, hw_error *err)
{
    hw_answer *a = r->answer;
    for (int64_t k = 0; k < r->request->params[ROUNDS].i; k++) {
        bool found;
        uint64_t peak = a->has_order ? a->peak : UINT64_MAX;
        hw_code code = hmcos_search(&r->run, peak, r->order, &found, err);
        const uint32_t *order = found ? r->order : a->order;
        if (code == HW_OK && found)
            code = hw_peak(m, order, &peak, err);
        if (code == HW_OK && found)
            (void)hw_answer_improve(m, a, order, peak);
        if (code != HW_OK || r->run.meter->over || !a->has_order || met(r, m))
            return code;
        code = find_peaks(m, order, peak, &r->peaks, err);
        if (code != HW_OK)
            return code;
        find_related(m, &r->peaks);
        if (!ungroup(&r->graph, &r->peaks))
            return HW_OK;
    }
    return HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_param_value *v = request->params;
    hw_meter meter;
    hw_meter_start(&meter, request);
    rounds r = {.request = request, .answer = answer};
    r.run = (hmcos_run){.meter = &meter,
                        .effort = (uint64_t)v[EFFORT].i,
                        .group_effort = ((uint64_t)v[EFFORT].i + GROUP_SHARE - 1) / GROUP_SHARE,
                        .most_bytes = request->limits.memory_bytes};
    r.peaks.position = HW_NEW(uint32_t, m->n_nodes);
    r.peaks.before = HW_NEW(uint32_t, (size_t)m->n_nodes + 1);
    r.peaks.related = HW_NEW(bool, m->n_nodes);
    r.order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code =
        r.peaks.position && r.peaks.before && r.peaks.related && r.order
            ? hmcos_graph_open(&r.graph, m, (hmcos_cells)v[CELLS].i, (uint32_t)v[MOST].i, err)
            : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hmcos_run_open(&r.run, &r.graph, err);
    if (code == HW_OK)
        code = run_rounds(&r, m, err);
    answer->states = meter.states;
    answer->limit_reached = meter.over;
    hmcos_run_close(&r.run);
    hmcos_graph_close(&r.graph);
    free(r.peaks.position);
    free(r.peaks.before);
    free(r.peaks.related);
    free(r.order);
    return code;
}

const hw_solver_row hw_solver_hmcos = {
    .name = "hmcos",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = 10000,
    .budget_aware = true,
    .counts = "moves",
    .params = params,
    .n_params = N_PARAMS,
    .help = "a search over sequences and groups, which are ungrouped where the peak is",
    .source = "Wang et al. 2022, doi:10.1145/3489517.3530472",
    .solve = solve,
};
