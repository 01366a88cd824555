/* Commits over several moves.  See exact_commit.h. */
#include "solvers/exact_commit.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code exact_commit_init(exact_commit *c, const exact_problem *p, hw_error *err)
{
    size_t n = (size_t)p->n + p->n_buffers;
    memset(c, 0, sizeof *c);
    c->place = HW_NEW0(uint32_t, n);
    c->listed = HW_NEW(uint32_t, n);
    if (!c->place || !c->listed ||
        !hw_flow_init(&c->flow, n, n + p->preds.offset[p->n] + p->uses.offset[p->n])) {
        exact_commit_free(c);
        return hw_fail_memory(err, "the valleys of a search");
    }
    return HW_OK;
}

void exact_commit_free(exact_commit *c)
{
    free(c->place);
    free(c->listed);
    hw_flow_free(&c->flow);
    memset(c, 0, sizeof *c);
}

static void give_place(exact_commit *c, uint32_t item, uint32_t vertex)
{
    c->place[item] = vertex;
    c->listed[c->n_listed++] = item;
}

/*
 * Does the buffer change between S and T?  Forwards it is freed on the way when
 * no user is left at T; backwards it comes back with the first user taken off,
 * and it was gone at S when all users that are missing were taken off since.
 */
static bool changes(const exact_commit *c, const exact_walk *w, uint32_t b)
{
    const exact_problem *p = w->p;
    uint32_t begin = p->users.offset[b], end = p->users.offset[b + 1], since = 0;
    if (!w->reverse)
        return w->left[b] == 0;
    for (uint32_t k = begin; k < end; k++)
        since += c->place[p->users.item[k]] != 0;
    return end - begin - w->left[b] == since;
}

/*
 * A closure problem over the nodes from S to T.  Forwards a node costs what it
 * makes and needs its predecessors; a buffer gives its size and needs all its
 * users.  Backwards a node gives what it made and needs its successors and its
 * buffers, which cost their size.
 */
static void lay_network(exact_commit *c, const exact_walk *w, uint32_t count)
{
    const exact_problem *p = w->p;
    const hw_rows *before = w->reverse ? &p->succs : &p->preds;
    hw_flow *f = &c->flow;
    hw_flow_clear(f);
    c->n_listed = 0;
    for (uint32_t i = count; i < w->count; i++)
        give_place(c, w->trail[i], hw_flow_vertex(f));
    for (uint32_t i = count; i < w->count; i++) {
        uint32_t v = w->trail[i], at = c->place[v];
        hw_flow_arc(f, w->reverse ? 0 : at, w->reverse ? at : 1,
                    p->new_bytes[v] - p->dead_bytes[v]);
        for (uint32_t k = before->offset[v]; k < before->offset[v + 1]; k++)
            if (c->place[before->item[k]])
                hw_flow_arc(f, at, c->place[before->item[k]], UINT64_MAX);
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++) {
            uint32_t b = p->uses.item[k], item = p->n + b;
            if (c->place[item] == 0 && changes(c, w, b)) {
                give_place(c, item, hw_flow_vertex(f));
                hw_flow_arc(f, w->reverse ? c->place[item] : 0, w->reverse ? 1 : c->place[item],
                            p->size[b]);
            } else if (c->place[item] == 0) {
                give_place(c, item, HW_NONE);
            }
            if (c->place[item] != HW_NONE)
                hw_flow_arc(f, w->reverse ? at : c->place[item], w->reverse ? c->place[item] : at,
                            UINT64_MAX);
        }
    }
}

bool exact_commit_is_valley(exact_commit *c, const exact_walk *w, uint32_t count)
{
    hw_flow *f = &c->flow;
    uint64_t cost = 0;
    lay_network(c, w, count);
    for (uint32_t a = f->head[1]; a != HW_NONE; a = f->next[a])
        cost += f->room[a ^ 1];
    for (uint32_t i = 0; i < c->n_listed; i++)
        c->place[c->listed[i]] = 0;
    /* Taking everything, that is T, is best when all that costs is paid for. */
    return hw_flow_max(f) == cost;
}
