/*
 * Merging two parts of a stretch.  See lns_merge.h.
 *
 * Row i of the grid stands for the first i nodes of A, column j for the first j
 * of B.  An edge between the parts forbids the cells above or below it, so that
 * the cells of a row are one interval, and both its ends grow with the row.
 *
 * A buffer whose last users are A's i-th and B's j-th dies with A's step in the
 * columns beyond j and with B's step in the rows beyond i.  So the change of
 * live by a step of B is kept by column and falls when a row has passed such a
 * place; each buffer changes it once.
 */
#include "solvers/lns_merge.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"

/* The cost of what is not allowed; the sum of two is still a number. */
#define NEVER (UINT64_C(1) << 62)

hw_code lns_merge_open(lns_merge *g, const hw_model *m, uint32_t room, uint64_t cell_room,
                       hw_error *err)
{
    *g = (lns_merge){.m = m, .room = room, .cell_room = cell_room};
    size_t n = (size_t)room + 1;
    g->side = HW_NEW(uint8_t, n);
    g->weight = HW_NEW(uint16_t, n);
    g->found = HW_NEW(uint32_t, n);
    g->list = HW_NEW(uint32_t, n);
    g->rank = HW_NEW(uint32_t, n);
    g->need = HW_NEW(uint32_t, n);
    g->final[0] = HW_NEW(uint32_t, m->n_buffers);
    g->final[1] = HW_NEW(uint32_t, m->n_buffers);
    g->event = HW_NEW(uint32_t, n + 1);
    g->event_column = HW_NEW(uint32_t, m->n_buffers);
    g->event_buffer = HW_NEW(uint32_t, m->n_buffers);
    g->fixed = HW_NEW(uint64_t, n);
    g->net = HW_NEW(uint64_t, n);
    g->extra = HW_NEW(uint64_t, n);
    g->live = HW_NEW(uint64_t, n);
    g->cost = HW_NEW(uint64_t, n);
    g->row_at = HW_NEW(uint64_t, n);
    g->row_low = HW_NEW(uint32_t, n);
    g->row_high = HW_NEW(uint32_t, n);
    g->from_b = HW_NEW(uint8_t, cell_room);
    if (!g->side || !g->weight || !g->found || !g->list || !g->rank || !g->need || !g->final[0] ||
        !g->final[1] || !g->event || !g->event_column || !g->event_buffer || !g->fixed || !g->net ||
        !g->extra || !g->live || !g->cost || !g->row_at || !g->row_low || !g->row_high ||
        !g->from_b)
        return hw_fail_memory(err, "the merging of parts");
    memset(g->final[0], 0xff, m->n_buffers * sizeof *g->final[0]);
    memset(g->final[1], 0xff, m->n_buffers * sizeof *g->final[1]);
    return HW_OK;
}

void lns_merge_close(lns_merge *g)
{
    free(g->side);
    free(g->weight);
    free(g->found);
    free(g->list);
    free(g->rank);
    free(g->need);
    free(g->final[0]);
    free(g->final[1]);
    free(g->event);
    free(g->event_column);
    free(g->event_buffer);
    free(g->fixed);
    free(g->net);
    free(g->extra);
    free(g->live);
    free(g->cost);
    free(g->row_at);
    free(g->row_low);
    free(g->row_high);
    free(g->from_b);
    memset(g, 0, sizeof *g);
}

/* One merge. */
typedef struct merging {
    lns_merge *g;
    const hw_model *m;
    const local_order *l;
    const lns_penalty *penalty;
    uint32_t low, high;
    uint32_t n[2]; /* nodes of A and B */
    uint32_t *list[2], *need[2];
    uint64_t *fixed[2];
    bool late;
} merging;

static void split(merging *x)
{
    lns_merge *g = x->g;
    uint32_t count = x->high - x->low;
    for (uint32_t k = 0; k < count; k++)
        x->n[g->side[k]]++;
    x->list[0] = g->list;
    x->list[1] = g->list + x->n[0];
    x->need[0] = g->need;
    x->need[1] = g->need + x->n[0];
    x->fixed[0] = g->fixed;
    x->fixed[1] = g->fixed + x->n[0];
    uint32_t at[2] = {0, 0};
    for (uint32_t k = 0; k < count; k++) {
        uint32_t s = g->side[k];
        g->rank[k] = at[s];
        x->list[s][at[s]++] = x->l->order[x->low + k];
    }
}

/* How much of the other part must have run before each node; it only grows. */
static void find_needs(merging *x)
{
    lns_merge *g = x->g;
    const hw_rows *preds = &x->m->graph->preds;
    uint32_t most[2] = {0, 0};
    for (uint32_t k = 0; k < x->high - x->low; k++) {
        uint32_t s = g->side[k], v = x->l->order[x->low + k];
        for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++) {
            uint32_t at = x->l->position[preds->item[i]];
            if (at < x->low || g->side[at - x->low] == s)
                continue;
            uint32_t rank = g->rank[at - x->low] + 1;
            most[s] = rank > most[s] ? rank : most[s];
        }
        x->need[s][g->rank[k]] = most[s];
    }
}

/* The cells of each row; false when they are too many. */
static bool lay_rows(merging *x, uint64_t *cells)
{
    lns_merge *g = x->g;
    uint32_t low = 0, high = 0;
    *cells = 0;
    for (uint32_t i = 0; i <= x->n[0]; i++) {
        low = i ? x->need[0][i - 1] : 0;
        while (high < x->n[1] && x->need[1][high] <= i)
            high++;
        g->row_low[i] = low;
        g->row_high[i] = high;
        g->row_at[i] = *cells - low; /* wrapped: a column is added */
        *cells += high - low + 1;
    }
    return *cells <= g->cell_room;
}

/* Which node of each part is a buffer's last user there. */
static void find_finals(merging *x)
{
    lns_merge *g = x->g;
    const hw_rows *uses = &x->m->uses;
    for (int s = 0; s < 2; s++)
        for (uint32_t r = 0; r < x->n[s]; r++) {
            uint32_t v = x->list[s][r];
            for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++)
                if (x->l->last[uses->item[i]] < x->high)
                    g->final[s][uses->item[i]] = r;
        }
}

static void forget_finals(merging *x)
{
    const hw_rows *uses = &x->m->uses;
    for (uint32_t k = 0; k < x->high - x->low; k++) {
        uint32_t v = x->g->list[k];
        for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++)
            x->g->final[0][uses->item[i]] = x->g->final[1][uses->item[i]] = HW_NONE;
    }
}

/* What each step frees for certain, and the buffers that both parts use. */
static void lay_events(merging *x)
{
    lns_merge *g = x->g;
    const hw_rows *uses = &x->m->uses;
    uint32_t count = 0;
    for (int s = 0; s < 2; s++)
        for (uint32_t r = 0; r < x->n[s]; r++) {
            uint32_t v = x->list[s][r];
            if (s == 0)
                g->event[r] = count;
            x->fixed[s][r] = 0;
            for (uint32_t i = uses->offset[v]; i < uses->offset[v + 1]; i++) {
                uint32_t b = uses->item[i];
                if (g->final[s][b] != r)
                    continue;
                if (g->final[1 - s][b] == HW_NONE) {
                    x->fixed[s][r] += x->m->buffer_size[b];
                } else if (s == 0) {
                    g->event_column[count] = g->final[1][b];
                    g->event_buffer[count++] = b;
                }
            }
        }
    g->event[x->n[0]] = count;
}

/* ---- In-place reuse of the step of one part at a cell. ---- */

typedef struct cell {
    const merging *x;
    int side;
    uint32_t rank, others; /* of the node; nodes of the other part that have run */
} cell;

static bool dying(const void *context, uint32_t b)
{
    const cell *at = context;
    const lns_merge *g = at->x->g;
    uint32_t other = g->final[1 - at->side][b];
    return g->final[at->side][b] == at->rank && (other == HW_NONE || other < at->others);
}

static uint64_t saved(const merging *x, int side, uint32_t rank, uint32_t others)
{
    const cell at = {x, side, rank, others};
    uint64_t bytes = hw_reuse(x->m, x->list[side][rank], dying, &at);
    return bytes == UINT64_MAX ? 0 : bytes; /* no memory: claim no saving */
}

static bool has_pairs(const merging *x, uint32_t v)
{
    return x->m->reuse_offset && x->m->reuse_offset[v] < x->m->reuse_offset[v + 1];
}

/* ---- The grid, row by row. ---- */

/*
 * What is added to live to get the usage of a step: to live before it under
 * alloc-first, after it under free-first.
 */
static uint64_t extra_of(const merging *x, int side, uint32_t rank, uint32_t others)
{
    const hw_model *m = x->m;
    uint32_t v = x->list[side][rank];
    if (m->accounting == HW_FREE_FIRST)
        return m->dead_bytes[v] + hw_workspace(m, v);
    uint64_t extra = m->new_bytes[v] + hw_workspace(m, v);
    return has_pairs(x, v) ? extra - saved(x, side, rank, others) : extra;
}

/* The cost of a cell that is reached by a step of such a usage, at most NEVER. */
static inline uint64_t step_cost(const lns_penalty *p, uint64_t before, uint64_t usage,
                                 uint64_t weight)
{
    uint64_t excess = usage > p->level ? ((usage - p->level) >> p->shift) + 1 : 0;
    uint64_t cost = before + excess * excess * weight / LNS_WEIGHT;
    return usage > p->cap || cost > NEVER ? NEVER : cost;
}

static bool out_of_window(const merging *x, uint32_t v, uint32_t position)
{
    return position < x->m->earliest[v] || position > x->m->latest[v];
}

static void begin_rows(merging *x)
{
    lns_merge *g = x->g;
    const hw_model *m = x->m;
    for (uint32_t j = 0; j < x->n[1]; j++) {
        uint32_t v = x->list[1][j];
        g->net[j] = m->new_bytes[v] - m->dead_bytes[v] - x->fixed[1][j];
        g->extra[j] = extra_of(x, 1, j, 0);
    }
    g->live[0] = x->l->live[x->low];
    g->cost[0] = 0;
    for (uint32_t j = 0; j < g->row_high[0]; j++) {
        g->live[j + 1] = g->live[j] + g->net[j];
        g->cost[j + 1] = NEVER;
    }
}

/* Steps of B along row i. */
HW_SPECIALIZE void go_along_as(merging *x, uint32_t i, bool windows, bool free_first)
{
    lns_merge *g = x->g;
    const lns_penalty p = *x->penalty;
    const uint64_t *restrict live = g->live + free_first, *restrict extra = g->extra;
    const uint16_t *restrict weight = g->weight + x->n[0];
    uint64_t *restrict cost = g->cost;
    uint8_t *restrict from_b = g->from_b + g->row_at[i];
    uint32_t low = g->row_low[i], high = g->row_high[i];
    uint64_t here = cost[low], late = x->late;
    for (uint32_t j = low; j < high; j++) {
        uint64_t along = step_cost(&p, here, live[j] + extra[j], weight[j]), down = cost[j + 1];
        if (windows && out_of_window(x, x->list[1][j], x->low + i + j))
            along = NEVER;
        bool better = along < down + late;
        here = better ? along : down;
        cost[j + 1] = here;
        from_b[j + 1] = better;
    }
}

static void go_along(merging *x, uint32_t i)
{
    bool free_first = x->m->accounting == HW_FREE_FIRST;
    if (x->m->earliest)
        go_along_as(x, i, true, free_first);
    else if (free_first)
        go_along_as(x, i, false, true);
    else
        go_along_as(x, i, false, false);
}

/* A's step i, from row i to row i + 1, at every column that both have. */
static void go_down(merging *x, uint32_t i)
{
    lns_merge *g = x->g;
    const hw_model *m = x->m;
    const lns_penalty p = *x->penalty;
    uint32_t v = x->list[0][i], low = g->row_low[i + 1], high = g->row_high[i + 1];
    uint32_t shared = g->row_high[i];
    bool free_first = m->accounting == HW_FREE_FIRST, pairs = has_pairs(x, v);
    uint64_t extra = extra_of(x, 0, i, low);
    uint64_t after = g->live[low] + m->new_bytes[v] - m->dead_bytes[v] - x->fixed[0][i];
    for (uint32_t k = g->event[i]; k < g->event[i + 1]; k++) {
        uint64_t size = m->buffer_size[g->event_buffer[k]];
        after -= g->event_column[k] < low ? size : 0;
        g->net[g->event_column[k]] -= size;
    }
    /* Costs from the old row; live of the new one follows from its first cell. */
    for (uint32_t j = low; j <= shared; j++) {
        if (pairs && j > low)
            extra = extra_of(x, 0, i, j);
        uint64_t cost =
            step_cost(&p, g->cost[j], (free_first ? after : g->live[j]) + extra, g->weight[i]);
        g->cost[j] = m->earliest && out_of_window(x, v, x->low + i + j) ? NEVER : cost;
        g->live[j] = after;
        after += j < x->n[1] ? g->net[j] : 0;
    }
    for (uint32_t j = shared + 1; j <= high; j++) {
        g->cost[j] = NEVER;
        g->live[j] = after;
        after += j < x->n[1] ? g->net[j] : 0;
    }
    for (uint32_t k = g->event[i]; k < g->event[i + 1]; k++) {
        uint32_t j = g->event_column[k];
        if (has_pairs(x, x->list[1][j]))
            g->extra[j] = extra_of(x, 1, j, i + 1);
    }
}

static void trace_back(const merging *x)
{
    lns_merge *g = x->g;
    uint32_t i = x->n[0], j = x->n[1];
    for (uint32_t k = i + j; k; k--)
        g->found[k - 1] =
            j > g->row_low[i] && g->from_b[g->row_at[i] + j] ? x->list[1][--j] : x->list[0][--i];
}

bool lns_merge_run(lns_merge *g, const local_order *l, uint32_t low, uint32_t high,
                   const lns_penalty *penalty, bool late, uint64_t *cells, uint64_t *cost)
{
    merging x = {
        .g = g, .m = g->m, .l = l, .penalty = penalty, .low = low, .high = high, .late = late};
    split(&x);
    find_needs(&x);
    *cost = NEVER;
    if (!lay_rows(&x, cells)) {
        *cells = 0;
        return false;
    }
    find_finals(&x);
    lay_events(&x);
    begin_rows(&x);
    go_along(&x, 0);
    for (uint32_t i = 0; i < x.n[0]; i++) {
        go_down(&x, i);
        go_along(&x, i + 1);
    }
    *cost = g->cost[x.n[1]];
    forget_finals(&x);
    if (*cost == NEVER)
        return false;
    trace_back(&x);
    return true;
}
