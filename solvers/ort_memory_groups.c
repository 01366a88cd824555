/*
 * Groups of ort-memory.  See ort_memory_groups.h.
 *
 * A node that is no end and all of whose successors reach the same ends reaches
 * those too: one node stands for all of them, and only edges between such nodes
 * are gone along.  The sets of ends are never written down: all nodes begin in one
 * class, and for each 64 ends the classes are split by the ends reached among
 * these.  Exact, and in the memory of a few words a node and one an edge.
 */
#include "solvers/ort_memory_groups.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { ENDS_AT_ONCE = 64 };

/* A node that leads to some of the ends at hand. */
typedef struct leader {
    uint32_t class, place; /* in branch[] */
    uint64_t ends;         /* reached, of those at hand */
} leader;

typedef struct splitting {
    const hw_graph *g;
    const uint8_t *part;
    const uint32_t *branch;
    uint32_t n, n_classes;
    uint32_t *place; /* by node: in branch[]                       */
    uint32_t *stand; /* by place: who stands for it: itself, or a later place */
    hw_rows preds;   /* by place, of those that stand for themselves          */
    uint32_t *class; /* by place                                   */
    uint64_t *ends;  /* by place: 0 outside a turn                 */
    bool *listed;    /* by place: false outside a turn             */
    leader *list;    /* who leads to the ends at hand              */
} splitting;

static bool is_end(const splitting *s, uint32_t v)
{
    const hw_rows *succs = &s->g->succs;
    bool end = succs->offset[v] == succs->offset[v + 1];
    for (uint32_t i = succs->offset[v]; !end && i < succs->offset[v + 1]; i++)
        end = s->part[succs->item[i]] != HW_ORT_BRANCH;
    return end;
}

static int later_first(const void *a, const void *b)
{
    uint32_t x = ((const leader *)a)->place, y = ((const leader *)b)->place;
    return (x < y) - (x > y);
}

static int by_class_and_ends(const void *a, const void *b)
{
    const leader *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->ends != y->ends)
        return x->ends < y->ends ? -1 : 1;
    return later_first(a, b);
}

static void list_place(splitting *s, uint32_t place, uint32_t *count)
{
    if (s->listed[place])
        return;
    s->listed[place] = true;
    s->list[(*count)++] = (leader){.place = place};
}

/* Who stands for whom, from the last place on: successors have later places. */
static void find_stands(const splitting *s)
{
    const hw_rows *succs = &s->g->succs;
    for (uint32_t place = s->n; place-- > 0;) {
        uint32_t v = s->branch[place], begin = succs->offset[v], end = succs->offset[v + 1];
        s->stand[place] = place;
        if (is_end(s, v))
            continue;
        uint32_t stand = s->stand[s->place[succs->item[begin]]];
        bool same = true;
        for (uint32_t i = begin + 1; same && i < end; i++)
            same = s->stand[s->place[succs->item[i]]] == stand;
        if (same)
            s->stand[place] = stand;
    }
}

/*
 * The edges that are left, into rows or, before that, their number.  All edges
 * from a node for which another stands lead to nodes for which the same one does:
 * what is left begins at nodes that stand for themselves.
 */
static void deal_edges(splitting *s, bool into_rows)
{
    const hw_rows *succs = &s->g->succs;
    for (uint32_t place = 0; place < s->n; place++) {
        uint32_t v = s->branch[place], begin = succs->offset[v];
        uint32_t end = s->stand[place] == place ? succs->offset[v + 1] : begin;
        for (uint32_t i = begin; i < end; i++) {
            if (s->part[succs->item[i]] != HW_ORT_BRANCH)
                continue;
            uint32_t to = s->stand[s->place[succs->item[i]]];
            if (into_rows)
                s->preds.item[s->preds.offset[to + 1]++] = place;
            else
                s->preds.offset[to + 2]++;
        }
    }
}

static bool lay_edges(splitting *s)
{
    s->preds.offset = HW_NEW0(uint32_t, (size_t)s->n + 2);
    if (!s->preds.offset)
        return false;
    deal_edges(s, false);
    for (uint32_t place = 2; place <= s->n + 1; place++)
        s->preds.offset[place] += s->preds.offset[place - 1];
    s->preds.item = HW_NEW(uint32_t, s->preds.offset[s->n + 1]);
    if (!s->preds.item)
        return false;
    deal_edges(s, true);
    return true;
}

/*
 * All nodes that lead to the ends at hand, which are the first of the list.
 * What they reach is handed to predecessors, not asked of successors: of those
 * most may lead elsewhere.
 */
static uint32_t find_leaders(splitting *s, uint32_t count)
{
    const hw_rows *preds = &s->preds;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = s->list[k].place;
        for (uint32_t i = preds->offset[place]; i < preds->offset[place + 1]; i++)
            list_place(s, preds->item[i], &count);
    }
    qsort(s->list, count, sizeof *s->list, later_first);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = s->list[k].place;
        for (uint32_t i = preds->offset[place]; i < preds->offset[place + 1]; i++)
            s->ends[preds->item[i]] |= s->ends[place];
        s->list[k].ends = s->ends[place];
        s->list[k].class = s->class[place];
    }
    return count;
}

/* Those of one class that reach the same ends of these become a new class. */
static void split(splitting *s, uint32_t count)
{
    qsort(s->list, count, sizeof *s->list, by_class_and_ends);
    for (uint32_t k = 0; k < count; k++) {
        if (k == 0 || s->list[k].class != s->list[k - 1].class ||
            s->list[k].ends != s->list[k - 1].ends)
            s->n_classes++;
        s->class[s->list[k].place] = s->n_classes - 1;
        s->ends[s->list[k].place] = 0;
        s->listed[s->list[k].place] = false;
    }
}

/*
 * Numbers of classes without gaps again: at most as many as nodes, so that as
 * many new ones are made before the next time.  first_use[] has n_classes
 * entries.
 */
static void renumber(splitting *s, uint32_t *first_use)
{
    uint32_t count = 0;
    memset(first_use, 0xff, (size_t)s->n_classes * sizeof *first_use);
    for (uint32_t place = 0; place < s->n; place++) {
        uint32_t class = s->class[place];
        if (first_use[class] == HW_NONE)
            first_use[class] = count++;
        s->class[place] = first_use[class];
    }
    s->n_classes = count;
}

/* False: the meter ended it. */
static bool split_by_ends(splitting *s, uint32_t *first_use, hw_meter *meter)
{
    uint32_t at_hand = 0;
    s->n_classes = 1;
    for (uint32_t place = 0; place < s->n; place++) {
        if (is_end(s, s->branch[place])) {
            s->ends[place] = UINT64_C(1) << at_hand;
            list_place(s, place, &at_hand);
        }
        if (at_hand < ENDS_AT_ONCE && place + 1 < s->n)
            continue;
        uint32_t leaders = find_leaders(s, at_hand);
        at_hand = 0;
        split(s, leaders);
        if (s->n_classes / 2 >= s->n)
            renumber(s, first_use);
        if (hw_meter_count(meter, leaders))
            return false;
    }
    for (uint32_t place = 0; place < s->n; place++)
        s->class[place] = s->class[s->stand[place]];
    renumber(s, first_use);
    return true;
}

static hw_code lay_groups(hw_ort_groups *groups, const splitting *s, hw_error *err)
{
    groups->count = s->n_classes;
    groups->offset = HW_NEW0(uint32_t, (size_t)s->n_classes + 2);
    groups->member = HW_NEW(uint32_t, s->n);
    if (!groups->offset || !groups->member)
        return hw_fail_memory(err, "groups of nodes");
    for (uint32_t place = 0; place < s->n; place++) {
        groups->of[s->branch[place]] = s->class[place];
        groups->offset[s->class[place] + 2]++;
    }
    for (uint32_t c = 2; c <= s->n_classes; c++)
        groups->offset[c] += groups->offset[c - 1];
    for (uint32_t place = 0; place < s->n; place++)
        groups->member[groups->offset[s->class[place] + 1]++] = s->branch[place];
    return HW_OK;
}

hw_code hw_ort_groups_open(hw_ort_groups *groups, const hw_graph *g, const uint8_t *part,
                           const uint32_t *branch, uint32_t n_branch, hw_meter *meter, bool *done,
                           hw_error *err)
{
    splitting s = {.g = g,
                   .part = part,
                   .branch = branch,
                   .n = n_branch,
                   .place = HW_NEW(uint32_t, g->n_nodes),
                   .stand = HW_NEW(uint32_t, n_branch),
                   .class = HW_NEW0(uint32_t, n_branch),
                   .ends = HW_NEW0(uint64_t, n_branch),
                   .listed = HW_NEW0(bool, n_branch),
                   .list = HW_NEW(leader, n_branch)};
    uint32_t *first_use = HW_NEW(uint32_t, 3 * (size_t)n_branch + 1);
    *groups = (hw_ort_groups){.of = HW_NEW(uint32_t, g->n_nodes)};
    hw_code code = HW_OK;
    if (!s.place || !s.stand || !s.class || !s.ends || !s.listed || !s.list || !first_use ||
        !groups->of) {
        code = hw_fail_memory(err, "groups of nodes");
    } else {
        for (uint32_t place = 0; place < n_branch; place++)
            s.place[branch[place]] = place;
        find_stands(&s);
        if (lay_edges(&s))
            *done = split_by_ends(&s, first_use, meter);
        else
            code = hw_fail_memory(err, "groups of nodes");
        if (code == HW_OK && *done)
            code = lay_groups(groups, &s, err);
    }
    free(s.place);
    free(s.stand);
    free(s.preds.offset);
    free(s.preds.item);
    free(s.class);
    free(s.ends);
    free(s.listed);
    free(s.list);
    free(first_use);
    return code;
}

void hw_ort_groups_close(hw_ort_groups *groups)
{
    free(groups->of);
    free(groups->offset);
    free(groups->member);
    memset(groups, 0, sizeof *groups);
}
