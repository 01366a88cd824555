/*
 * All orders whose peak lies below the ceiling, depth first.  See joint.h.
 *
 * A prefix is dead when no completion of it keeps every usage below the
 * ceiling.  What a completion uses depends on the set that has run, not on its
 * order, and the ceiling only falls: so a set that was found dead stays dead,
 * and is not walked again.  Sets from which some order came to its end are
 * walked again, for their arenas differ.
 */
#include <stdlib.h>
#include <string.h>

#include "arena/joint_internal.h"
#include "core/memory.h"
#include "core/set_table.h"
#include "model/sim.h"

/* Deeper graphs are not walked: their orders are too many anyhow. */
enum { MOST_NODES = 4096, MOST_SETS = 1 << 22 };

typedef struct walk {
    joint_run *r;
    const hw_graph *g;
    uint32_t n;
    size_t words;
    uint32_t *order, *left; /* predecessors that are yet to run */
    uint64_t *set;
    hw_sim sim;
    hw_set_table table;
    uint64_t *dead; /* rows of words */
    size_t n_dead, dead_room;
    bool cut; /* a limit ended it */
    hw_code code;
} walk;

static bool is_dead(const walk *w, uint64_t hash, size_t *at)
{
    return w->table.slot && hw_set_table_find(&w->table, w->dead, w->words, w->words, w->set, hash,
                                              at) != UINT32_MAX;
}

/* Without room the set is not remembered, which costs time alone. */
static void bury(walk *w, uint64_t hash)
{
    size_t at = 0;
    if (w->n_dead >= MOST_SETS ||
        !hw_grow((void **)&w->dead, &w->dead_room, (w->n_dead + 1) * w->words, sizeof *w->dead))
        return;
    if (!w->table.slot ? !hw_set_table_reset(&w->table, 64)
                       : !hw_set_table_grow(&w->table, w->n_dead + 1))
        return;
    (void)is_dead(w, hash, &at);
    memcpy(w->dead + w->n_dead * w->words, w->set, w->words * sizeof *w->set);
    hw_set_table_put(&w->table, at, hash, (uint32_t)w->n_dead++);
}

/* Whether v may run at the next place; some node may be past its last place. */
static bool in_window(const walk *w, uint32_t v)
{
    const hw_model *m = w->r->m;
    return !m->earliest || (m->earliest[v] <= w->sim.steps && w->sim.steps <= m->latest[v]);
}

static bool ready(const walk *w, uint32_t v)
{
    return w->left[v] == 0 && !hw_bits_have(w->set, v) && in_window(w, v);
}

static void mark(walk *w, uint32_t v, bool run)
{
    if (run)
        hw_bits_add(w->set, v);
    else
        hw_bits_remove(w->set, v);
    for (uint32_t i = w->g->succs.offset[v]; i < w->g->succs.offset[v + 1]; i++)
        w->left[w->g->succs.item[i]] += run ? UINT32_MAX : 1; /* one less, one more */
}

static bool at_limit(walk *w)
{
    if (w->code != HW_OK || w->cut)
        return true;
    w->cut = joint_over(w->r);
    return w->cut || w->r->best->placement.height <= w->r->request->bound;
}

/* Walk on from the prefix; did an order come to its end? */
static bool walk_on(walk *w) // NOLINT(misc-no-recursion)
{
    uint32_t depth = w->sim.steps;
    if (depth == w->n) {
        w->code = joint_try(w->r, w->order, true, NULL);
        return true;
    }
    size_t at;
    uint64_t hash = hw_bits_hash(w->set, w->words);
    if (is_dead(w, hash, &at))
        return false;
    bool ended = false;
    uint64_t peak = w->sim.peak;
    int64_t peak_step = w->sim.peak_step;
    for (uint32_t v = 0; v < w->n && !at_limit(w); v++) {
        if (!ready(w, v) || hw_sim_usage(&w->sim, v) >= joint_ceiling(w->r))
            continue;
        w->order[depth] = v;
        (void)hw_sim_step(&w->sim, v);
        mark(w, v, true);
        ended = walk_on(w) || ended;
        mark(w, v, false);
        hw_sim_undo(&w->sim, v, peak, peak_step);
    }
    if (!ended && !at_limit(w))
        bury(w, hash);
    return ended;
}

hw_code joint_walk(joint_run *r, bool *whole)
{
    const hw_model *m = r->m;
    *whole = false;
    if (m->n_nodes > MOST_NODES)
        return HW_OK;
    walk w = {.r = r,
              .g = m->graph,
              .n = m->n_nodes,
              .words = hw_words(m->n_nodes),
              .order = HW_NEW(uint32_t, m->n_nodes),
              .left = HW_NEW(uint32_t, m->n_nodes),
              .set = HW_NEW0(uint64_t, hw_words(m->n_nodes))};
    hw_code code = hw_sim_init(&w.sim, m, r->err);
    if (code == HW_OK && (!w.order || !w.left || !w.set))
        code = hw_fail_memory(r->err, "walking through orders");
    if (code == HW_OK) {
        for (uint32_t v = 0; v < w.n; v++)
            w.left[v] = w.g->preds.offset[v + 1] - w.g->preds.offset[v];
        (void)walk_on(&w);
        code = w.code;
        *whole = !w.cut;
    }
    free(w.order);
    free(w.left);
    free(w.set);
    free(w.dead);
    hw_set_table_free(&w.table);
    hw_sim_free(&w.sim);
    return code;
}
