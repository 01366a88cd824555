/* Canonical forms by BLISS.  See canon.h. */
#include "census/canon.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/graphml.h"

struct hw_canon_maker {
    hw_igraph_guard guard;
    igraph_vector_int_t ends, colours, labels;
};

int hw_canon_compare(const hw_canon *a, const hw_canon *b)
{
    if (a->arcs != b->arcs)
        return a->arcs < b->arcs ? -1 : 1;
    return memcmp(a->colour, b->colour, sizeof a->colour);
}

static hw_code fail(igraph_error_t cause, hw_error *err)
{
    if (cause == IGRAPH_ENOMEM)
        return hw_fail_memory(err, "a canonical form");
    return hw_fail(err, HW_INTERNAL, "igraph found no canonical form: %s", hw_igraph_complaint());
}

hw_code hw_canon_begin(hw_canon_maker **out, hw_error *err)
{
    hw_canon_maker *m = HW_NEW0(hw_canon_maker, 1);
    *out = NULL;
    if (!m)
        return hw_fail_memory(err, "canonical forms");
    hw_code code = hw_igraph_begin(&m->guard, err);
    if (code != HW_OK) {
        free(m);
        return code;
    }
    igraph_vector_int_t *all[] = {&m->ends, &m->colours, &m->labels};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (igraph_vector_int_init(all[i], 0) != IGRAPH_SUCCESS) {
            while (i-- > 0)
                igraph_vector_int_destroy(all[i]);
            hw_igraph_end(&m->guard);
            free(m);
            return hw_fail_memory(err, "canonical forms");
        }
    *out = m;
    return HW_OK;
}

void hw_canon_end(hw_canon_maker *m)
{
    if (!m)
        return;
    igraph_vector_int_destroy(&m->ends);
    igraph_vector_int_destroy(&m->colours);
    igraph_vector_int_destroy(&m->labels);
    hw_igraph_end(&m->guard);
    free(m);
}

/* The graph and its colours as igraph wants them. */
static igraph_error_t build(hw_canon_maker *m, uint32_t n, const uint8_t *parents,
                            const uint8_t *colour, igraph_t *graph)
{
    igraph_error_t code = igraph_vector_int_resize(&m->colours, n);
    igraph_vector_int_clear(&m->ends);
    for (uint32_t v = 0; code == IGRAPH_SUCCESS && v < n; v++) {
        VECTOR(m->colours)[v] = colour ? colour[v] : 0;
        for (uint32_t u = 0; code == IGRAPH_SUCCESS && u < n; u++) {
            if (!(parents[v] >> u & 1))
                continue;
            code = igraph_vector_int_push_back(&m->ends, u);
            if (code == IGRAPH_SUCCESS)
                code = igraph_vector_int_push_back(&m->ends, v);
        }
    }
    return code == IGRAPH_SUCCESS
               ? igraph_create(graph, &m->ends, (igraph_integer_t)n, IGRAPH_DIRECTED)
               : code;
}

typedef struct wish {
    hw_canon_maker *m;
    igraph_bliss_info_t *info;
} wish;

static igraph_error_t permute(igraph_t *graph, void *context)
{
    const wish *w = context;
    return igraph_canonical_permutation(graph, &w->m->colours, &w->m->labels, IGRAPH_BLISS_FL,
                                        w->info);
}

hw_code hw_canon_form(hw_canon_maker *m, uint32_t n, const uint8_t *parents, const uint8_t *colour,
                      hw_canon *out, uint64_t *automorphisms, hw_error *err)
{
    igraph_t graph;
    igraph_bliss_info_t info = {0};
    igraph_error_t code = build(m, n, parents, colour, &graph);
    if (code != IGRAPH_SUCCESS)
        return fail(code, err);
    code = hw_igraph_guarded(permute, &graph, &(wish){m, automorphisms ? &info : NULL});
    igraph_destroy(&graph);
    if (code != IGRAPH_SUCCESS)
        return fail(code, err);
    if (automorphisms) {
        *automorphisms = strtoull(info.group_size, NULL, 10);
        igraph_free(info.group_size);
    }
    *out = (hw_canon){0};
    for (uint32_t v = 0; v < n; v++) {
        uint32_t to = (uint32_t)VECTOR(m->labels)[v];
        out->colour[to] = colour ? colour[v] : 0;
        for (uint32_t u = 0; u < n; u++)
            if (parents[v] >> u & 1)
                out->arcs |= UINT64_C(1) << (8 * (uint32_t)VECTOR(m->labels)[u] + to);
    }
    return HW_OK;
}
