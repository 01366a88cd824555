/* The parts of a piece.  See exact_parts.h. */
#include "solvers/exact_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/exact_blocks.h"
#include "solvers/exact_ends.h"
#include "solvers/exact_valley.h"

hw_code exact_parts_init(exact_parts *parts, uint32_t n, hw_error *err)
{
    *parts = (exact_parts){HW_NEW(uint32_t, n), HW_NEW(uint32_t, n), 1};
    if (parts->order && parts->end)
        return HW_OK;
    exact_parts_free(parts);
    return hw_fail_memory(err, "the pieces of a graph");
}

void exact_parts_free(exact_parts *parts)
{
    free(parts->order);
    free(parts->end);
    parts->order = parts->end = NULL;
}

/* The nodes sorted by part, and within a part as they are. */
static void sort_by_part(uint32_t n, const uint32_t *part, exact_parts *parts)
{
    memset(parts->end, 0, n * sizeof *parts->end);
    for (uint32_t v = 0; v < n; v++)
        if (part[v] + 1 < parts->count)
            parts->end[part[v] + 1]++;
    for (uint32_t i = 1; i < parts->count; i++) /* where parts begin ... */
        parts->end[i] += parts->end[i - 1];
    for (uint32_t v = 0; v < n; v++) /* ... and, when they are filled, end */
        parts->order[parts->end[part[v]]++] = v;
}

hw_code exact_parts_by_cuts(const exact_problem *p, exact_parts *parts, hw_error *err)
{
    for (uint32_t v = 0; v < p->n; v++)
        parts->order[v] = v;
    return exact_blocks(&p->preds, &p->succs, p->n, NULL, parts->end, &parts->count, err);
}

hw_code exact_parts_by_valleys(const exact_problem *p, exact_parts *parts, hw_error *err)
{
    uint32_t *part = HW_NEW(uint32_t, p->n);
    if (!part)
        return hw_fail_memory(err, "the valleys of a piece");
    hw_code code = exact_valley_parts(p, part, &parts->count, err);
    if (code == HW_OK)
        sort_by_part(p->n, part, parts);
    free(part);
    return code;
}

hw_code exact_parts_by_ends(const exact_problem *p, uint64_t bound, exact_parts *parts,
                            hw_error *err)
{
    uint32_t front, back;
    hw_code code = exact_ends_find(p, bound, parts->order, &front, &back, err);
    if (code != HW_OK)
        return code;
    parts->count = 0;
    if (front)
        parts->end[parts->count++] = front;
    if (front + back < p->n)
        parts->end[parts->count++] = p->n - back;
    if (back)
        parts->end[parts->count++] = p->n;
    return HW_OK;
}

/* The first node of v's component so far; paths are halved on the way. */
static uint32_t first_of(uint32_t *link, uint32_t v)
{
    while (link[v] != v) {
        link[v] = link[link[v]];
        v = link[v];
    }
    return v;
}

static void join(uint32_t *link, uint32_t u, uint32_t v)
{
    u = first_of(link, u);
    v = first_of(link, v);
    if (u < v)
        link[v] = u;
    else
        link[u] = v;
}

hw_code exact_parts_by_components(const exact_problem *p, exact_parts *parts, hw_error *err)
{
    uint32_t *link = HW_NEW(uint32_t, p->n), *part = HW_NEW(uint32_t, p->n);
    if (!link || !part) {
        free(link);
        free(part);
        return hw_fail_memory(err, "the components of a piece");
    }
    for (uint32_t v = 0; v < p->n; v++)
        link[v] = v;
    for (uint32_t v = 0; v < p->n; v++)
        for (uint32_t k = p->preds.offset[v]; k < p->preds.offset[v + 1]; k++)
            join(link, p->preds.item[k], v);
    for (uint32_t b = 0; b < p->n_buffers; b++)
        for (uint32_t k = p->users.offset[b] + 1; k < p->users.offset[b + 1]; k++)
            join(link, p->users.item[k - 1], p->users.item[k]);
    parts->count = 0;
    for (uint32_t v = 0; v < p->n; v++) {
        uint32_t first = first_of(link, v); /* the least of its component */
        part[v] = first == v ? parts->count++ : part[first];
    }
    sort_by_part(p->n, part, parts);
    free(link);
    free(part);
    return HW_OK;
}
