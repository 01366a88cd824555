/*
 * Improving an order by a second objective.  See second.h.
 *
 * Rounds of two kinds of change, until a round finds nothing, 50 at most: windows, half
 * overlapping, are re-solved; every node in turn moves to the best of the
 * places to which it can pass its neighbours, as far as the cap lets it.  A
 * node passes its neighbours one by one, and each costs O(degree).
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/paths.h"
#include "solvers/second.h"

enum {
    WHOLE_SETS = 1 << 21,
    WINDOW_NODES = 20,
    WINDOW_SETS = 4096,
    FARTHEST = 2000,
    MOST_ROUNDS = 50
};

/* Windows one after the other; s->sim is before the first step. */
static hw_code pass_of_windows(second_state *s, bool *better, hw_error *err)
{
    uint32_t n = s->ask->m->n_nodes;
    hw_sim_reset(&s->sim);
    for (uint32_t low = 0; low < n && !s->ask->meter->over;) {
        uint32_t count = n - low < WINDOW_NODES ? n - low : WINDOW_NODES;
        bool changed;
        second_end end;
        do { /* fewer nodes until the down-sets are few enough */
            end = second_window(s, low, count, WINDOW_SETS, &changed);
            *better = *better || changed;
        } while (end == SECOND_CUT && (count /= 2) > 2 && !s->ask->meter->over);
        if (end == SECOND_FAILED)
            return hw_fail_memory(err, "the down-sets of a window");
        for (uint32_t next = low + (count > 1 ? count / 2 : 1); low < next; low++)
            (void)hw_sim_step(&s->sim, s->order[low]);
    }
    return HW_OK;
}

static bool precedes(const hw_graph *g, uint32_t u, uint32_t v)
{
    for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
        if (g->preds.item[i] == u)
            return true;
    return false;
}

static bool may_stand(const hw_model *m, uint32_t v, uint32_t position)
{
    return !m->earliest || (m->earliest[v] <= position && position <= m->latest[v]);
}

/* Run v after the sim's prefix and tell what it does; the prefix stays. */
static uint64_t peek(hw_sim *sim, uint32_t v, uint64_t *live)
{
    uint64_t peak = sim->peak;
    int64_t peak_step = sim->peak_step;
    uint64_t usage = hw_sim_step(sim, v);
    *live = sim->live;
    hw_sim_undo(sim, v, peak, peak_step);
    return usage;
}

/*
 * Move order[at] forwards to the front of the best earlier place.  The sim
 * stands before step `at`, and does afterwards.  True if it has moved.
 */
static bool move_earlier(second_state *s, uint32_t at)
{
    const hw_model *m = s->ask->m;
    hw_sim *sim = &s->sim;
    uint32_t v = s->order[at], to = at, best_to = at;
    uint64_t peak = sim->peak, live_v, live_u, ignored;
    int64_t peak_step = sim->peak_step;
    hw_cost gain = 0, best_gain = 0, loss = 0; /* gain - loss: what the moves save */
    while (to > 0 && at - to < FARTHEST) {
        uint32_t u = s->order[to - 1];
        if (precedes(m->graph, u, v) || !may_stand(m, u, to))
            break;
        live_u = sim->live; /* after u: the sim stands there */
        hw_sim_undo(sim, u, peak, peak_step);
        to--;
        bool fits = peek(sim, v, &live_v) <= s->ask->cap && may_stand(m, v, to);
        uint64_t before_peak = sim->peak;
        int64_t before_step = sim->peak_step;
        (void)hw_sim_step(sim, v);
        bool u_fits = peek(sim, u, &ignored) <= s->ask->cap;
        hw_sim_undo(sim, v, before_peak, before_step);
        gain += second_term(s, to, u, live_u) + second_term(s, to + 1, v, ignored);
        loss += second_term(s, to, v, live_v) + second_term(s, to + 1, u, ignored);
        if (!u_fits)
            break; /* and so it is for every earlier place */
        if (fits && gain > loss && gain - loss > best_gain) {
            best_gain = gain - loss;
            best_to = to;
        }
    }
    if (best_to != at) {
        memmove(s->order + best_to + 1, s->order + best_to, (at - best_to) * sizeof *s->order);
        s->order[best_to] = v;
    }
    while (to < at)
        (void)hw_sim_step(sim, s->order[to++]);
    return best_to != at;
}

/* The same towards the end: the sim stands before step `at` all the time. */
static bool move_later(second_state *s, uint32_t at)
{
    const hw_model *m = s->ask->m;
    hw_sim *sim = &s->sim;
    uint32_t n = m->n_nodes, v = s->order[at], to = at, best_to = at;
    hw_cost gain = 0, best_gain = 0, loss = 0;
    uint64_t peak = sim->peak, live_v, live_u;
    int64_t peak_step = sim->peak_step;
    while (to + 1 < n && to - at < FARTHEST) {
        uint32_t u = s->order[to + 1];
        if (precedes(m->graph, v, u) || !may_stand(m, u, to))
            break;
        (void)peek(sim, v, &live_v); /* v before u */
        uint64_t usage_u = hw_sim_step(sim, u);
        live_u = sim->live;
        to++;
        uint64_t both, usage_v = peek(sim, v, &both);
        gain += second_term(s, to - 1, v, live_v) + second_term(s, to, u, both);
        loss += second_term(s, to - 1, u, live_u) + second_term(s, to, v, both);
        if (usage_u > s->ask->cap)
            break;
        if (usage_v <= s->ask->cap && may_stand(m, v, to) && gain > loss &&
            gain - loss > best_gain) {
            best_gain = gain - loss;
            best_to = to;
        }
    }
    while (to > at)
        hw_sim_undo(sim, s->order[to--], peak, peak_step);
    if (best_to == at)
        return false;
    memmove(s->order + at, s->order + at + 1, (best_to - at) * sizeof *s->order);
    s->order[best_to] = v;
    return true;
}

static void pass_of_moves(second_state *s, bool *better)
{
    uint32_t n = s->ask->m->n_nodes;
    hw_sim_reset(&s->sim);
    for (uint32_t at = 0; at < n && !hw_meter_count(s->ask->meter, 1);) {
        bool moved = move_earlier(s, at) || move_later(s, at);
        *better = *better || moved;
        (void)hw_sim_step(&s->sim, s->order[at++]);
    }
}

/* All of it at once, where it has no more nodes than a window may have. */
static hw_code try_whole(second_state *s, bool *proven, hw_error *err)
{
    const hw_second_ask *ask = s->ask;
    bool better;
    *proven = ask->m->n_nodes == 0;
    if (ask->m->n_nodes == 0 || ask->m->n_nodes > SECOND_MOST_WINDOW)
        return HW_OK;
    hw_sim_reset(&s->sim);
    second_end end =
        second_window(s, 0, ask->m->n_nodes, ask->most_sets ? ask->most_sets : WHOLE_SETS, &better);
    if (end == SECOND_FAILED)
        return hw_fail_memory(err, "the down-sets of the graph");
    *proven = end == SECOND_BEST;
    return HW_OK;
}

static hw_code improve(second_state *s, bool *proven, hw_error *err)
{
    hw_code code = HW_OK;
    bool better = true, whole = s->ask->m->n_nodes > WINDOW_NODES;
    *proven = false;
    if (!whole)
        code = try_whole(s, proven, err);
    for (int round = 0; round < MOST_ROUNDS && code == HW_OK && !*proven && better; round++) {
        if (s->ask->meter->over)
            break;
        better = false;
        code = pass_of_windows(s, &better, err);
        if (code == HW_OK && !s->ask->meter->over)
            pass_of_moves(s, &better);
    }
    /* The better the order in hand, the more sets are left out. */
    if (code == HW_OK && whole && !s->ask->meter->over)
        code = try_whole(s, proven, err);
    return code;
}

hw_code hw_second_improve(const hw_second_ask *ask, uint32_t *order, hw_cost *cost, bool *proven,
                          hw_error *err)
{
    const hw_model *m = ask->m;
    second_state s = {.ask = ask, .order = order, .mark = HW_NEW(uint32_t, m->n_buffers)};
    hw_code code = hw_sim_init(&s.sim, m, err);
    if (code == HW_OK && !s.mark)
        code = hw_fail_memory(err, "a second objective");
    if (code == HW_OK && ask->kind == HW_SECOND_CRITICAL_PATH) {
        s.path = HW_NEW(uint32_t, m->n_nodes);
        code = s.path ? hw_paths_down(m->graph, s.path, err) : hw_fail_memory(err, "longest paths");
    }
    if (code == HW_OK) {
        memset(s.mark, 0xff, (size_t)m->n_buffers * sizeof *s.mark);
        code = improve(&s, proven, err);
    }
    if (code == HW_OK)
        code = hw_second_value(m, ask->kind, order, cost, err);
    hw_sim_free(&s.sim);
    free(s.mark);
    free(s.path);
    return code;
}
