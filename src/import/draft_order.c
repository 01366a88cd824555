/*
 * An order of a draft's nodes in which each stands behind those that it waits
 * for, and cycles told by name.  See draft.h.
 *
 * Depth first from each node in turn, along the nodes that it waits for; a node
 * is placed when all of these are.  The path that is open at any moment leads
 * from what waits to what is waited for, so that a node met on it closes a
 * cycle.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "import/draft.h"
#include "import/draft_rows.h"

typedef struct search {
    const hw_draft *d;
    hw_draft_rows before; /* what each node waits for, an entry for each mention */
    size_t *next;         /* of each node, the entry to be looked at next */
    uint32_t *path;
    bool *open, *placed;
    uint32_t *order;
    size_t n_placed;
} search;

/* What each node waits for. */
static bool find_before(search *s)
{
    const hw_draft *d = s->d;
    if (!hw_draft_rows_new(&s->before, d->n_nodes, d->n_reads + d->n_controls))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < d->n_reads; i++) {
            uint32_t maker = d->tensor[d->read[i].to].maker;
            if (maker != HW_NONE)
                hw_draft_rows_put(&s->before, pass, d->read[i].from, maker);
        }
        for (size_t i = 0; i < d->n_controls; i++)
            hw_draft_rows_put(&s->before, pass, d->control[i].to, d->control[i].from);
        if (pass == 0)
            hw_draft_rows_sum(&s->before, d->n_nodes);
    }
    return true;
}

/* The last of the path waits for `met`, which is on it too. */
static hw_code fail_cycle(const search *s, size_t length, uint32_t met, hw_error *err)
{
    enum { MOST_SHOWN = 5 };
    char list[MOST_SHOWN * (HW_DRAFT_NODE_TEXT + 4)], one[HW_DRAFT_NODE_TEXT];
    size_t used = 0, n = 1;
    while (s->path[length - n] != met)
        n++;
    for (size_t i = 0; i < n && i < MOST_SHOWN - 1; i++) {
        uint32_t node = i == 0 ? met : s->path[length - i];
        int wrote = snprintf(list + used, sizeof list - used, "%s -> ",
                             hw_draft_node_text(s->d, node, one));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return hw_fail(err, HW_BAD_INPUT, "a cycle of %zu node%s: %s%s: remove an edge of it", n,
                   n == 1 ? "" : "s", list,
                   n < MOST_SHOWN ? hw_draft_node_text(s->d, met, one) : "...");
}

/* Place a node behind all that it waits for. */
static hw_code place(search *s, uint32_t from, hw_error *err)
{
    size_t length = 0;
    s->path[length++] = from;
    s->open[from] = true;
    while (length > 0) {
        uint32_t v = s->path[length - 1];
        if (s->next[v] == s->before.offset[v + 1]) {
            s->placed[v] = true;
            s->open[v] = false;
            if (s->order)
                s->order[s->n_placed] = v;
            s->n_placed++;
            length--;
            continue;
        }
        uint32_t u = s->before.item[s->next[v]++];
        if (s->open[u])
            return fail_cycle(s, length, u, err);
        if (s->placed[u])
            continue;
        s->open[u] = true;
        s->path[length++] = u;
    }
    return HW_OK;
}

hw_code hw_draft_order(const hw_draft *d, uint32_t *order, hw_error *err)
{
    search s = {.d = d, .order = order};
    size_t n = d->n_nodes;
    hw_code code = HW_OK;
    s.path = HW_NEW(uint32_t, n);
    s.open = HW_NEW0(bool, n);
    s.placed = HW_NEW0(bool, n);
    if (!s.path || !s.open || !s.placed || !find_before(&s)) {
        code = hw_fail_memory(err, "the order of a graph");
    } else {
        s.next = hw_copy(s.before.offset, n + 1, sizeof *s.next);
        if (!s.next)
            code = hw_fail_memory(err, "the order of a graph");
    }
    for (uint32_t v = 0; code == HW_OK && v < n; v++)
        if (!s.placed[v])
            code = place(&s, v, err);
    hw_draft_rows_free(&s.before);
    free(s.next);
    free(s.path);
    free(s.open);
    free(s.placed);
    return code;
}

hw_code hw_draft_sort(hw_draft *d, hw_error *err)
{
    uint32_t *order = HW_NEW(uint32_t, d->n_nodes), *index = HW_NEW(uint32_t, d->n_nodes);
    hw_draft_node *node = hw_copy(d->node, d->n_nodes, sizeof *node);
    hw_code code = order && index && node ? hw_draft_order(d, order, err)
                                          : hw_fail_memory(err, "the order of a graph");
    for (uint32_t i = 0; code == HW_OK && i < d->n_nodes; i++) {
        d->node[i] = node[order[i]];
        index[order[i]] = i;
    }
    for (size_t t = 0; code == HW_OK && t < d->n_tensors; t++)
        if (d->tensor[t].maker != HW_NONE)
            d->tensor[t].maker = index[d->tensor[t].maker];
    for (size_t i = 0; code == HW_OK && i < d->n_reads; i++)
        d->read[i].from = index[d->read[i].from];
    for (size_t i = 0; code == HW_OK && i < d->n_controls; i++)
        d->control[i] = (hw_draft_pair){index[d->control[i].from], index[d->control[i].to]};
    free(order);
    free(index);
    free(node);
    return code == HW_BAD_INPUT ? HW_OK : code;
}
