/* Proofs of what needs no search.  See settled.h. */
#include "proof/settled.h"

#include <stdlib.h>

#include "core/memory.h"
#include "proof/proof.h"

hw_code hw_proof_empty(FILE *out, const hw_model *m, uint64_t claim, hw_error *err)
{
    hw_proof p;
    hw_code code = hw_proof_begin(&p, out, m, claim, err);
    if (code == HW_OK)
        code = hw_proof_write_bound(&p, HW_PROOF_LIVE, HW_NONE, err);
    hw_proof_free(&p);
    return code;
}

/* First and last positions that the windows and the edges leave; last may be negative. */
static void find_windows(const hw_graph *g, const uint32_t *order, int64_t *first, int64_t *last)
{
    int64_t n = g->n_nodes;
    for (int64_t v = 0; v < n; v++) {
        uint32_t window = g->node_window ? g->node_window[v] : HW_NONE;
        int64_t w = window < n ? window : n;
        first[v] = v > w ? v - w : 0;
        last[v] = v + w < n ? v + w : n - 1;
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = order[i];
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            if (first[v] <= first[g->preds.item[k]])
                first[v] = first[g->preds.item[k]] + 1;
    }
    for (uint32_t i = g->n_nodes; i-- > 0;) {
        uint32_t v = order[i];
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++)
            if (last[v] >= last[g->succs.item[k]])
                last[v] = last[g->succs.item[k]] - 1;
    }
}

/*
 * Two positions between which more nodes have to run than there are places: by
 * Hall's theorem for intervals they exist when no order fits.  Nodes are taken
 * in by falling first position; due[p]: how many of these have last position p.
 */
static bool find_crowd(uint32_t n, const int64_t *first, const int64_t *last, uint32_t *due,
                       uint32_t *from, uint32_t *to)
{
    for (uint32_t v = 0; v < n; v++)
        if (last[v] >= 0 && first[v] > last[v]) {
            *from = (uint32_t)first[v];
            *to = (uint32_t)last[v];
            return true;
        }
    /* No last position is below 0 here: a node behind it, due at position 0, was found above. */
    for (*from = n; (*from)-- > 0;) {
        uint32_t inside = 0;
        for (uint32_t v = 0; v < n; v++)
            if (first[v] == *from)
                due[last[v]]++;
        for (*to = 0; *to < n; (*to)++) {
            inside += due[*to];
            if (*to >= *from && inside > *to - *from + 1)
                return true;
        }
    }
    return false;
}

hw_code hw_proof_no_order(FILE *out, const hw_model *m, uint64_t claim, hw_error *err)
{
    hw_proof p;
    uint32_t n = m->n_nodes, from = 0, to = 0;
    uint32_t *order = HW_NEW(uint32_t, n), *due = HW_NEW0(uint32_t, n);
    int64_t *first = HW_NEW(int64_t, n), *last = HW_NEW(int64_t, n);
    hw_code code = order && due && first && last ? hw_graph_level_order(m->graph, order, err)
                                                 : hw_fail_memory(err, "a proof");
    if (code == HW_OK) {
        find_windows(m->graph, order, first, last);
        if (!find_crowd(n, first, last, due, &from, &to))
            code = hw_fail(err, HW_INTERNAL,
                           "no positions are found at which the windows leave too little room: "
                           "please report this graph");
    }
    if (code == HW_OK) {
        code = hw_proof_begin(&p, out, m, claim, err);
        if (code == HW_OK)
            code = hw_proof_write_crowd(&p, from, to, err);
        hw_proof_free(&p);
    }
    free(order);
    free(due);
    free(first);
    free(last);
    return code;
}
