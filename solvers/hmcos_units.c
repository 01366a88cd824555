/* What a search of hmcos runs as one.  See hmcos_graph.h. */
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/hmcos_graph.h"

void hmcos_units_close(hmcos_units *units)
{
    free(units->nodes.offset);
    free(units->nodes.item);
    free(units->group);
    free(units->preds.offset);
    free(units->preds.item);
    free(units->succs.offset);
    free(units->succs.item);
    free(units->hash);
}

static bool allocate(hmcos_units *u, size_t units, size_t nodes, size_t edges)
{
    u->nodes.offset = HW_NEW(uint32_t, units + 1);
    u->nodes.item = HW_NEW(uint32_t, nodes);
    u->group = HW_NEW(uint32_t, units);
    u->preds.offset = HW_NEW(uint32_t, units + 1);
    u->preds.item = HW_NEW(uint32_t, edges);
    u->succs.offset = HW_NEW(uint32_t, units + 1);
    u->succs.item = HW_NEW(uint32_t, edges);
    u->hash = HW_NEW(uint64_t, units);
    return u->nodes.offset && u->nodes.item && u->group && u->preds.offset && u->preds.item &&
           u->succs.offset && u->succs.item && u->hash;
}

/* 64 mixed bits of a node (the finisher of splitmix64). */
static uint64_t node_hash(uint32_t v)
{
    uint64_t z = (v + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/*
 * Number the units: a group has the place of its first member.  Nothing depends
 * on the numbers being topological.
 */
static void number(hmcos_units *u, const hmcos_graph *h, uint32_t group, uint32_t *unit_of)
{
    for (uint32_t s = 0; s < h->n_seqs; s++)
        unit_of[s] = HW_NONE;
    for (uint32_t s = 0; s < h->n_seqs; s++) {
        uint32_t own = h->group_of[s];
        if (unit_of[s] != HW_NONE || (group != HW_NONE && own != group))
            continue;
        unit_of[s] = u->count;
        u->group[u->count++] = group == HW_NONE ? own : HW_NONE;
        for (uint32_t i = own == HW_NONE ? 0 : h->members.offset[own];
             group == HW_NONE && own != HW_NONE && i < h->members.offset[own + 1]; i++)
            unit_of[h->members.item[i]] = unit_of[s];
    }
}

/* Nodes by unit: sequences ascending, the nodes of each in their order. */
static void lay_nodes(hmcos_units *u, const hmcos_graph *h, const uint32_t *unit_of,
                      uint32_t *place)
{
    for (uint32_t k = 0; k <= u->count; k++)
        place[k] = 0;
    for (uint32_t s = 0; s < h->n_seqs; s++)
        if (unit_of[s] != HW_NONE)
            place[unit_of[s] + 1] += h->nodes.offset[s + 1] - h->nodes.offset[s];
    for (uint32_t k = 0; k < u->count; k++) {
        place[k + 1] += place[k];
        u->nodes.offset[k] = place[k];
        u->hash[k] = 0;
    }
    u->nodes.offset[u->count] = place[u->count];
    for (uint32_t s = 0; s < h->n_seqs; s++)
        for (uint32_t i = h->nodes.offset[s]; unit_of[s] != HW_NONE && i < h->nodes.offset[s + 1];
             i++) {
            u->nodes.item[place[unit_of[s]]++] = h->nodes.item[i];
            u->hash[unit_of[s]] ^= node_hash(h->nodes.item[i]);
        }
}

/* Rows among the units from rows of nodes. */
static void lay_edges(const hmcos_units *u, const hmcos_graph *h, const hw_rows *from,
                      const uint32_t *unit_of, uint32_t *seen, hw_rows *to)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < u->count; k++)
        seen[k] = HW_NONE;
    for (uint32_t k = 0; k < u->count; k++) {
        to->offset[k] = count;
        seen[k] = k;
        for (uint32_t i = u->nodes.offset[k]; i < u->nodes.offset[k + 1]; i++) {
            uint32_t v = u->nodes.item[i];
            for (uint32_t e = from->offset[v]; e < from->offset[v + 1]; e++) {
                uint32_t other = unit_of[h->seq_of[from->item[e]]];
                if (other == HW_NONE || seen[other] == k)
                    continue;
                seen[other] = k;
                to->item[count++] = other;
            }
        }
    }
    to->offset[u->count] = count;
}

hw_code hmcos_units_open(hmcos_units *units, const hmcos_graph *h, uint32_t group, hw_error *err)
{
    const hw_graph *g = h->m->graph;
    *units = (hmcos_units){.count = 0};
    uint32_t *unit_of = HW_NEW(uint32_t, h->n_seqs), *space = HW_NEW(uint32_t, h->n_seqs + 1);
    size_t most =
        group == HW_NONE ? h->n_seqs : h->members.offset[group + 1] - h->members.offset[group];
    size_t nodes = 0, edges = 0;
    for (uint32_t s = 0; s < h->n_seqs; s++) {
        if (group != HW_NONE && h->group_of[s] != group)
            continue;
        nodes += h->nodes.offset[s + 1] - h->nodes.offset[s];
        edges += h->preds.offset[s + 1] - h->preds.offset[s];
        edges += h->succs.offset[s + 1] - h->succs.offset[s];
    }
    bool laid = unit_of && space && allocate(units, most, nodes, edges);
    if (laid) {
        number(units, h, group, unit_of);
        lay_nodes(units, h, unit_of, space);
        lay_edges(units, h, &g->preds, unit_of, space, &units->preds);
        lay_edges(units, h, &g->succs, unit_of, space, &units->succs);
    }
    free(unit_of);
    free(space);
    return laid ? HW_OK : hw_fail_memory(err, "the units of a graph");
}
