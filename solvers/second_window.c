/*
 * The best order of a window, by down-sets of its nodes.  See second.h.
 *
 * Level by level: the down-sets of k nodes of the window, each with its live
 * bytes and the least cost of a way to it whose steps keep to the cap.  A
 * buffer is freed inside the window where all users it still has are in it.
 * Sets whose cost already reaches that of the window as it stands are left out.
 * O(down-sets x nodes) time and, of one level and 8 bytes a set of all, space.
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/set_table.h"
#include "solvers/second.h"

enum { SET, LIVE, COST_LOW, COST_HIGH, ROW }; /* words of a row */

typedef struct back {
    uint32_t parent, node;
} back;

typedef struct level {
    uint64_t *row;
    size_t count, row_capacity, back_capacity;
    back *from;
} level;

typedef struct window {
    second_state *s;
    uint32_t low, count;
    const uint32_t *node; /* of the window, in order */
    uint64_t pred[SECOND_MOST_WINDOW];
    uint64_t alone[SECOND_MOST_WINDOW]; /* bytes that the node frees wherever it stands */
    uint32_t *offset, *use;             /* of each node: buffers with several users     */
    uint64_t *users, *size;             /* by buffer of the window                      */
    uint32_t n_buffers;
    level at[SECOND_MOST_WINDOW + 1];
    hw_set_table table;
} window;

static const hw_model *model_of(const window *w)
{
    return w->s->ask->m;
}

/* Buffers that can be freed inside, with their users there. */
static bool lay_buffers(window *w)
{
    const hw_model *m = model_of(w);
    uint32_t *mark = w->s->mark;
    size_t uses = 0;
    for (uint32_t i = 0; i < w->count; i++)
        uses += m->uses.offset[w->node[i] + 1] - m->uses.offset[w->node[i]];
    w->offset = HW_NEW(uint32_t, w->count + 1);
    w->use = HW_NEW(uint32_t, uses);
    w->users = HW_NEW(uint64_t, uses);
    w->size = HW_NEW(uint64_t, uses);
    if (!w->offset || !w->use || !w->users || !w->size)
        return false;
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = m->uses.offset[w->node[i]]; k < m->uses.offset[w->node[i] + 1]; k++) {
            uint32_t b = m->uses.item[k];
            if (mark[b] == HW_NONE) {
                mark[b] = w->n_buffers++;
                w->users[mark[b]] = 0;
                w->size[mark[b]] = m->buffer_size[b];
            }
            w->users[mark[b]] |= hw_bit(i);
        }
    uint32_t used = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        w->offset[i] = used;
        w->alone[i] = 0;
        for (uint32_t k = m->uses.offset[w->node[i]]; k < m->uses.offset[w->node[i] + 1]; k++) {
            uint32_t b = m->uses.item[k], at = mark[b];
            if (hw_count_bits(w->users[at]) < w->s->sim.left[b])
                continue; /* others come later */
            if (w->users[at] == hw_bit(i))
                w->alone[i] += w->size[at];
            else
                w->use[used++] = at;
        }
    }
    w->offset[w->count] = used;
    return true;
}

static void forget_buffers(window *w)
{
    const hw_model *m = model_of(w);
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = m->uses.offset[w->node[i]]; k < m->uses.offset[w->node[i] + 1]; k++)
            w->s->mark[m->uses.item[k]] = HW_NONE;
}

/* place[v]: number of v in the window; a window is small, its nodes' rows are not. */
static void lay_preds(window *w)
{
    const hw_rows *succs = &model_of(w)->graph->succs;
    memset(w->pred, 0, sizeof w->pred);
    for (uint32_t i = 0; i < w->count; i++)
        for (uint32_t k = i + 1; k < w->count; k++) {
            uint32_t low = succs->offset[w->node[i]], high = succs->offset[w->node[i] + 1];
            while (low < high) { /* rows are ascending */
                uint32_t middle = low + (high - low) / 2;
                if (succs->item[middle] < w->node[k])
                    low = middle + 1;
                else
                    high = middle;
            }
            if (low < succs->offset[w->node[i] + 1] && succs->item[low] == w->node[k])
                w->pred[k] |= hw_bit(i);
        }
}

typedef struct dying {
    const window *w;
    uint64_t after; /* the set with the node */
} dying;

static bool is_dying(const void *context, uint32_t b)
{
    const dying *d = context;
    uint32_t at = d->w->s->mark[b];
    return hw_count_bits(d->w->users[at]) == d->w->s->sim.left[b] &&
           (d->w->users[at] & ~d->after) == 0;
}

/* Live bytes after node i on top of `set`, or false: the step exceeds the cap. */
static bool step(const window *w, uint64_t set, uint64_t live, uint32_t i, uint64_t *after)
{
    const hw_model *m = model_of(w);
    uint32_t v = w->node[i];
    uint64_t with = set | hw_bit(i), freed = w->alone[i];
    for (uint32_t k = w->offset[i]; k < w->offset[i + 1]; k++)
        if ((w->users[w->use[k]] & ~with) == 0)
            freed += w->size[w->use[k]];
    *after = live + m->new_bytes[v] - m->dead_bytes[v] - freed;
    uint64_t usage = live + m->new_bytes[v] + hw_workspace(m, v);
    if (m->accounting == HW_FREE_FIRST)
        usage -= freed;
    else if (m->reuse_offset)
        usage -= hw_reuse(m, v, is_dying, &(dying){w, with});
    return usage <= w->s->ask->cap;
}

static hw_cost cost_of(const uint64_t *row)
{
    return (hw_cost)row[COST_HIGH] << 64 | row[COST_LOW];
}

static bool put(window *w, level *to, uint64_t set, uint64_t live, hw_cost cost, back from)
{
    uint64_t row[ROW] = {set, live, (uint64_t)cost, (uint64_t)(cost >> 64)};
    uint64_t hash = hw_bits_hash(&set, 1);
    size_t at = 0;
#ifdef __clang_analyzer__
    if (!to->row) /* it does not see that an empty table finds nothing, and never looks there */
        return false;
#endif
    uint32_t known = hw_set_table_find(&w->table, to->row, ROW, 1, &set, hash, &at);
    if (known != UINT32_MAX) {
        if (cost < cost_of(to->row + (size_t)known * ROW)) {
            memcpy(to->row + (size_t)known * ROW, row, sizeof row);
            to->from[known] = from;
        }
        return true;
    }
    void *rows = to->row, *froms = to->from;
    bool grown = hw_grow(&rows, &to->row_capacity, to->count + 1, sizeof row);
    to->row = rows;
    grown = grown && hw_grow(&froms, &to->back_capacity, to->count + 1, sizeof *to->from);
    to->from = froms;
    if (!grown)
        return false;
    memcpy(to->row + to->count * ROW, row, sizeof row);
    to->from[to->count] = from;
    hw_set_table_put(&w->table, at, hash, (uint32_t)to->count++);
    return hw_set_table_grow(&w->table, to->count + 1);
}

/* All sets of level k + 1 that cost less than `limit`. */
static bool expand(window *w, uint32_t k, hw_cost limit)
{
    const hw_model *m = model_of(w);
    const level *here = &w->at[k];
    uint32_t position = w->low + k;
    if (!hw_set_table_reset(&w->table, 64))
        return false;
    for (size_t x = 0; x < here->count; x++) {
        const uint64_t *row = here->row + x * ROW;
        for (uint32_t i = 0; i < w->count; i++) {
            uint32_t v = w->node[i];
            uint64_t after;
            if (row[SET] & hw_bit(i) || w->pred[i] & ~row[SET] ||
                (m->earliest && (m->earliest[v] > position || m->latest[v] < position)) ||
                !step(w, row[SET], row[LIVE], i, &after))
                continue;
            hw_cost cost = cost_of(row) + second_term(w->s, position, v, after);
            if (cost < limit &&
                !put(w, &w->at[k + 1], row[SET] | hw_bit(i), after, cost, (back){(uint32_t)x, i}))
                return false;
        }
    }
    return true;
}

/* The cost of the window as it stands. */
static hw_cost present_cost(const window *w)
{
    hw_cost cost = 0;
    uint64_t set = 0, live = w->s->sim.live, after;
    for (uint32_t i = 0; i < w->count; i++) {
        (void)step(w, set, live, i, &after);
        cost += second_term(w->s, w->low + i, w->node[i], after);
        set |= hw_bit(i);
        live = after;
    }
    return cost;
}

static second_end search(window *w, uint64_t most_sets, bool *better)
{
    uint64_t sets = 1, start = 0;
    hw_cost limit = present_cost(w);
    if (!hw_set_table_reset(&w->table, 64) ||
        !put(w, &w->at[0], start, w->s->sim.live, 0, (back){0, 0}))
        return SECOND_FAILED;
    for (uint32_t k = 0; k < w->count; k++) {
        if (!expand(w, k, limit))
            return SECOND_FAILED;
        free(w->at[k].row);
        w->at[k].row = NULL;
        sets += w->at[k + 1].count;
        if (hw_meter_count(w->s->ask->meter, w->at[k + 1].count) || sets > most_sets)
            return SECOND_CUT;
    }
    if (w->at[w->count].count == 0)
        return SECOND_BEST;
    uint32_t node[SECOND_MOST_WINDOW], at = 0;
    for (uint32_t k = w->count; k > 0; k--) {
        node[k - 1] = w->node[w->at[k].from[at].node];
        at = w->at[k].from[at].parent;
    }
    // cppcheck-suppress uninitvar ; the loop fills node[0 .. count - 1]
    memcpy(w->s->order + w->low, node, w->count * sizeof *node);
    *better = true;
    return SECOND_BEST;
}

second_end second_window(second_state *s, uint32_t low, uint32_t count, uint64_t most_sets,
                         bool *better)
{
    window w = {.s = s, .low = low, .count = count, .node = s->order + low};
    lay_preds(&w);
    *better = false;
    second_end end = lay_buffers(&w) ? search(&w, most_sets, better) : SECOND_FAILED;
    forget_buffers(&w);
    for (uint32_t k = 0; k <= count; k++) {
        free(w.at[k].row);
        free(w.at[k].from);
    }
    hw_set_table_free(&w.table);
    free(w.offset);
    free(w.use);
    free(w.users);
    free(w.size);
    return end;
}
