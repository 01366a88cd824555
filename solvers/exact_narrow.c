/* Narrowing a graph down to a hard piece.  See exact_narrow.h. */
#include "solvers/exact_narrow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_blocks.h"
#include "solvers/exact_ends.h"
#include "solvers/exact_valley.h"

typedef struct part {
    uint32_t low, high;             /* positions */
    bool no_cut, no_valley, no_end; /* found: there is none inside */
    uint32_t *path;                 /* steps: reason * 2 + low, number of nodes, the nodes */
    size_t length, room;
} part;

typedef struct narrowing {
    const hw_model *m;
    bool legal;
    uint64_t budget, memory_bytes;
    hw_meter *meter;
    exact_map map;
    uint32_t *order;
    uint64_t *usage, *live; /* of the step at a position, and before it: n + 1 */
    part *waiting;
    size_t n_waiting, room;
} narrowing;

static bool push_word(part *b, uint32_t word)
{
    void *array = b->path;
    if (!hw_grow(&array, &b->room, b->length + 1, sizeof *b->path))
        return false;
    b->path = array;
    b->path[b->length++] = word;
    return true;
}

/* One more step of the way; for cuts the number of nodes is enough. */
static bool push_step(part *b, hw_proof_reason reason, bool low, const uint32_t *nodes, uint32_t n)
{
    bool good = push_word(b, (uint32_t)reason * 2 + low) && push_word(b, n);
    for (uint32_t i = 0; i < n && good && reason != HW_PROOF_CUT_NODES; i++)
        good = push_word(b, nodes[i]);
    return good;
}

static bool copy_path(part *to, const part *from)
{
    bool good = true;
    to->path = NULL;
    to->length = to->room = 0;
    for (size_t i = 0; i < from->length && good; i++)
        good = push_word(to, from->path[i]);
    return good;
}

static bool exceeds(const narrowing *x, uint32_t low, uint32_t high)
{
    bool more = !x->legal || x->live[low] > x->budget || x->live[high] > x->budget;
    for (uint32_t i = low; i < high && !more; i++)
        more = x->usage[i] > x->budget;
    return more;
}

/* Let the part wait for its turn, if its steps exceed the budget; it is taken over. */
static hw_code add(narrowing *x, part *b, hw_error *err)
{
    void *array = x->waiting;
    if (!exceeds(x, b->low, b->high)) {
        free(b->path);
        return HW_OK;
    }
    if (!hw_grow(&array, &x->room, x->n_waiting + 1, sizeof *x->waiting)) {
        free(b->path);
        return hw_fail_memory(err, "a proof");
    }
    x->waiting = array;
    x->waiting[x->n_waiting++] = *b;
    return HW_OK;
}

/* The parts between the ends that lie within b, given by how many nodes come before. */
static hw_code add_parts(narrowing *x, const part *b, hw_proof_reason reason, const uint32_t *end,
                         uint32_t count, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t i = 0; i < count && code == HW_OK; i++) {
        uint32_t from = i ? end[i - 1] : 0, to = end[i], n = b->high - b->low;
        const uint32_t *nodes = x->order + b->low;
        part next = {.low = b->low + from, .high = b->low + to};
        next.no_cut = reason == HW_PROOF_CUT_NODES;
        next.no_valley = reason == HW_PROOF_VALLEY;
        if (!exceeds(x, next.low, next.high))
            continue;
        bool good = copy_path(&next, b) &&
                    (from == 0 || push_step(&next, reason, true, nodes, from)) &&
                    (to == n || push_step(&next, reason, false, nodes + from, to - from));
        if (!good) {
            free(next.path);
            return hw_fail_memory(err, "a proof");
        }
        code = add(x, &next, err);
    }
    return code;
}

/* Put the nodes of the piece in a new order, and measure it. */
static hw_code reorder(narrowing *x, const part *b, const exact_problem *p, const uint32_t *local,
                       hw_error *err)
{
    exact_walk w;
    hw_code code = exact_walk_init(&w, p, false, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < p->n; i++) {
        x->order[b->low + i] = p->node[local[i]];
        x->usage[b->low + i] = exact_walk_usage(&w, local[i]);
        exact_walk_do(&w, local[i]);
        x->live[b->low + i + 1] = w.live;
    }
    exact_walk_free(&w);
    return HW_OK;
}

static hw_code split_cuts(narrowing *x, part *b, const exact_problem *p, bool *split, uint32_t *end,
                          hw_error *err)
{
    uint32_t count;
    hw_code code = exact_blocks(&p->preds, &p->succs, p->n, NULL, end, &count, err);
    b->no_cut = true;
    *split = code == HW_OK && count > 1;
    return *split ? add_parts(x, b, HW_PROOF_CUT_NODES, end, count, err) : code;
}

static hw_code split_valleys(narrowing *x, part *b, const exact_problem *p, bool *split,
                             uint32_t *end, hw_error *err)
{
    uint32_t count = 0, at = 0, *of = HW_NEW(uint32_t, p->n), *local = HW_NEW(uint32_t, p->n);
    hw_code code = of && local ? exact_valley_parts(p, of, &count, err)
                               : hw_fail_memory(err, "the valleys of a piece");
    b->no_valley = true;
    *split = code == HW_OK && count > 1;
    for (uint32_t i = 0; i < count && *split; i++) {
        for (uint32_t v = 0; v < p->n; v++)
            if (of[v] == i)
                local[at++] = v;
        end[i] = at;
    }
    if (*split)
        code = reorder(x, b, p, local, err);
    if (*split && code == HW_OK)
        code = add_parts(x, b, HW_PROOF_VALLEY, end, count, err);
    free(of);
    free(local);
    return code;
}

static hw_code split_ends(narrowing *x, part *b, const exact_problem *p, bool *split,
                          uint32_t *local, hw_error *err)
{
    uint32_t front = 0, back = 0;
    hw_code code = exact_ends_find(p, x->budget, local, &front, &back, err);
    b->no_end = true;
    *split = code == HW_OK && front + back > 0;
    if (*split)
        code = reorder(x, b, p, local, err);
    if (code != HW_OK || !*split)
        return code;
    part next = {.low = b->low + front, .high = b->high - back, .no_end = true};
    for (uint32_t i = 0; i < back; i++)
        local[i] = x->order[b->high - 1 - i];
    bool good = copy_path(&next, b) &&
                (!front || push_step(&next, HW_PROOF_SAFE, true, x->order + b->low, front)) &&
                (!back || push_step(&next, HW_PROOF_SAFE, false, local, back));
    if (good)
        return add(x, &next, err);
    free(next.path);
    return hw_fail_memory(err, "a proof");
}

/* Has the piece no order within the budget? */
static hw_code decide(narrowing *x, const exact_problem *p, bool *none, bool *reverse,
                      hw_error *err)
{
    const exact_options options = {.rules = {true, true, true, true, true},
                                   .direction = EXACT_BOTH,
                                   .beam = 128,
                                   .memory_bytes = x->memory_bytes};
    exact_search s;
    uint32_t *local = HW_NEW(uint32_t, p->n);
    hw_code code = local ? exact_search_init(&s, p, &options, err) : hw_fail_memory(err, "a proof");
    if (code == HW_OK) {
        exact_outcome outcome = exact_search_decide(&s, x->budget, x->meter, local);
        *none = outcome == EXACT_NONE;
        *reverse = s.proved_by == 1;
        if (outcome == EXACT_FAILED)
            code = hw_fail_memory(err, "a proof");
        else if (outcome != EXACT_NONE && outcome != EXACT_FOUND)
            code = hw_fail(err, HW_STOPPED, "a limit ended the writing of the proof");
        exact_search_free(&s);
    }
    free(local);
    return code;
}

/* Split the part, or decide it; true in *none: it is what was looked for. */
static hw_code look_at(narrowing *x, part *b, bool *none, bool *reverse, hw_error *err)
{
    exact_problem *p;
    hw_code code = exact_problem_new(x->m, x->order, b->low, b->high, x->live[b->low],
                                     x->memory_bytes, &x->map, &p, err);
    if (code != HW_OK)
        return code;
    uint32_t *space = HW_NEW(uint32_t, p->n);
    bool split = false, ends = x->live[b->low] <= x->budget && x->live[b->high] <= x->budget;
    bool rules = !x->m->earliest && ends;
    *none = !ends;
    *reverse = false;
    if (!space)
        code = hw_fail_memory(err, "a proof");
    if (code == HW_OK && x->legal && ends && !b->no_cut)
        code = split_cuts(x, b, p, &split, space, err);
    if (code == HW_OK && rules && !split && !b->no_valley)
        code = split_valleys(x, b, p, &split, space, err);
    if (code == HW_OK && rules && !split && !b->no_end)
        code = split_ends(x, b, p, &split, space, err);
    if (code == HW_OK && ends && !split)
        code = decide(x, p, none, reverse, err);
    free(space);
    exact_problem_free(p);
    return code;
}

/* The blocks of the whole graph, without its sets. */
static hw_code lay_blocks(narrowing *x, hw_error *err)
{
    const hw_graph *g = x->m->graph;
    uint32_t n = x->m->n_nodes, count = 1, *end = HW_NEW(uint32_t, n);
    if (!end)
        return hw_fail_memory(err, "the blocks of a graph");
    hw_code code = HW_OK;
    part whole = {.low = 0, .high = n};
    end[0] = n;
    if (x->legal)
        code = exact_blocks(&g->preds, &g->succs, n, x->order, end, &count, err);
    if (code == HW_OK)
        code = add_parts(x, &whole, HW_PROOF_CUT_NODES, end, count, err);
    free(end);
    return code;
}

static hw_code measure(narrowing *x, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, x->m, err);
    if (code != HW_OK)
        return code;
    x->live[0] = s.live;
    for (uint32_t i = 0; i < x->m->n_nodes; i++) {
        x->usage[i] = hw_sim_step(&s, x->order[i]);
        x->live[i + 1] = s.live;
    }
    hw_sim_free(&s);
    return HW_OK;
}

static hw_code run(narrowing *x, exact_narrow *found, hw_error *err)
{
    bool none = false;
    hw_code code = measure(x, err);
    if (code == HW_OK)
        code = lay_blocks(x, err);
    while (code == HW_OK && !none && x->n_waiting) {
        part b = x->waiting[--x->n_waiting];
        code = look_at(x, &b, &none, &found->reverse, err);
        if (code != HW_OK || !none) {
            free(b.path);
            continue;
        }
        found->low = b.low;
        found->high = b.high;
        found->live = x->live[b.low];
        found->path = b.path;
        found->path_length = b.length;
    }
    if (code == HW_OK && !none)
        code = hw_fail(err, HW_INTERNAL,
                       "writing a proof, an order within %" PRIu64
                       " was found, which was said not to exist: please report this graph",
                       x->budget);
    return code;
}

hw_code exact_narrow_find(const hw_model *m, const uint32_t *order, bool legal, uint64_t budget,
                          uint64_t memory_bytes, hw_meter *meter, exact_narrow *found,
                          hw_error *err)
{
    narrowing x = {.m = m,
                   .legal = legal,
                   .budget = budget,
                   .memory_bytes = memory_bytes,
                   .meter = meter,
                   .order = HW_NEW(uint32_t, m->n_nodes),
                   .usage = HW_NEW(uint64_t, m->n_nodes),
                   .live = HW_NEW(uint64_t, (size_t)m->n_nodes + 1)};
    memset(found, 0, sizeof *found);
    hw_code code = x.order && x.usage && x.live ? exact_map_init(&x.map, m, err)
                                                : hw_fail_memory(err, "a proof");
    if (code == HW_OK) {
        memcpy(x.order, order, m->n_nodes * sizeof *order);
        code = run(&x, found, err);
        exact_map_free(&x.map);
    }
    while (x.n_waiting)
        free(x.waiting[--x.n_waiting].path);
    free(x.waiting);
    free(x.usage);
    free(x.live);
    if (code == HW_OK)
        found->order = x.order;
    else
        free(x.order);
    return code;
}

void exact_narrow_free(exact_narrow *found)
{
    free(found->order);
    free(found->path);
    memset(found, 0, sizeof *found);
}

hw_code exact_narrow_write(const exact_narrow *found, hw_proof *proof, hw_error *err)
{
    hw_code code = HW_OK;
    const uint32_t *path = found->path;
    for (size_t i = 0; i < found->path_length && code == HW_OK;) {
        hw_proof_reason reason = (hw_proof_reason)(path[i] / 2);
        uint32_t n = path[i + 1];
        code = hw_proof_narrow(proof, reason, path[i] % 2 == 1, path + i + 2, n, err);
        i += 2 + (reason == HW_PROOF_CUT_NODES ? 0 : (size_t)n);
    }
    return code;
}
