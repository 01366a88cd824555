/* One acyclic graph of the census.  See census_dag.h. */
#include "census/census_dag.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static const hw_accounting accountings[] = {HW_ALLOC_FIRST, HW_FREE_FIRST};

uint32_t hw_census_vectors(uint32_t n, uint32_t m)
{
    uint32_t count = 1;
    while (n-- > 0)
        count *= m;
    return count;
}

void hw_census_sizes(uint32_t n, uint32_t m, uint32_t vector, uint64_t *sizes)
{
    for (; n-- > 0; vector /= m)
        sizes[n] = vector % m + 1;
}

static void genome_of(const hw_dag *dag, hw_genome *g)
{
    hw_genome_start(g, dag->n);
    for (uint32_t v = 0; v < dag->n; v++)
        g->parents[v] = dag->parents[v];
}

/* ---- Vectors. ---- */

/* The vector in which node place[v] has the size that v has in this one. */
static uint32_t moved(uint32_t n, uint32_t m, const uint64_t *sizes, const uint8_t *place)
{
    uint64_t to[HW_DAGS_MOST];
    uint32_t vector = 0;
    for (uint32_t v = 0; v < n; v++)
        to[place[v]] = sizes[v] - 1;
    for (uint32_t v = 0; v < n; v++)
        vector = vector * m + (uint32_t)to[v];
    return vector;
}

/* Ascending, so that the least of an orbit comes first and marks the others. */
static void find_orbits(hw_census_dag *d)
{
    uint64_t sizes[HW_DAGS_MOST];
    memset(d->least, 0xff, d->n_vectors * sizeof *d->least);
    for (uint32_t i = 0; i < d->n_vectors; i++) {
        uint64_t greatest = 0;
        hw_census_sizes(d->dag.n, d->m, i, sizes);
        for (uint32_t v = 0; v < d->dag.n; v++)
            greatest = sizes[v] > greatest ? sizes[v] : greatest;
        d->greatest[i] = (uint8_t)(greatest - 1);
        if (d->least[i] != UINT32_MAX)
            continue;
        for (size_t a = 0; a < d->numberings.n_automorphisms; a++)
            d->least[moved(d->dag.n, d->m, sizes, d->numberings.automorphism[a].place)] = i;
    }
}

static void find_spans(hw_census_dag *d)
{
    hw_genome g;
    hw_small small;
    uint64_t sizes[HW_GENOME_MOST];
    genome_of(&d->dag, &g);
    for (size_t a = 0; a < 2; a++) {
        hw_ratio most = {0, 1};
        hw_small_set(&small, &g, accountings[a]);
        for (uint32_t i = 0; i < d->n_vectors; i++) {
            if (d->least[i] != i)
                continue;
            hw_census_sizes(d->dag.n, d->m, i, sizes);
            hw_small_resize(&small, sizes);
            hw_census_span s = {(uint32_t)hw_small_optimum(&small),
                                (uint32_t)hw_small_worst(&small)};
            d->span[a][i] = s;
            if (hw_ratio_compare((hw_ratio){s.worst, s.optimum}, most) > 0) {
                most = (hw_ratio){s.worst, s.optimum};
                d->showcase[a] = i;
            }
        }
    }
}

hw_code hw_census_dag_make(const hw_dag *dag, uint32_t m, hw_census_dag *out, hw_error *err)
{
    *out = (hw_census_dag){.dag = *dag, .m = m, .n_vectors = hw_census_vectors(dag->n, m)};
    hw_code code = hw_numberings_make(dag, &out->numberings, err);
    if (code != HW_OK)
        return code;
    out->least = HW_NEW(uint32_t, out->n_vectors);
    out->greatest = HW_NEW(uint8_t, out->n_vectors);
    bool fine = out->least && out->greatest;
    for (size_t a = 0; a < 2; a++) {
        out->span[a] = HW_NEW0(hw_census_span, out->n_vectors);
        out->failed[a] = HW_NEW0(uint64_t, out->n_vectors);
        fine = fine && out->span[a] && out->failed[a];
    }
    if (!fine) {
        hw_census_dag_free(out);
        return hw_fail_memory(err, "the sizes of a graph");
    }
    find_orbits(out);
    find_spans(out);
    return HW_OK;
}

void hw_census_dag_free(hw_census_dag *d)
{
    hw_numberings_free(&d->numberings);
    free(d->least);
    free(d->greatest);
    for (size_t a = 0; a < 2; a++) {
        free(d->span[a]);
        free(d->failed[a]);
    }
    *d = (hw_census_dag){0};
}

/* ---- Templates. ---- */

void hw_census_template_free(hw_census_template *t)
{
    hw_model_free(t->model[0]);
    hw_model_free(t->model[1]);
    hw_graph_free(t->graph);
    t->model[0] = t->model[1] = NULL;
    t->graph = NULL;
}

hw_code hw_census_template_make(const hw_dag *dag, hw_census_template *out, hw_error *err)
{
    hw_genome g;
    genome_of(dag, &g);
    out->model[0] = out->model[1] = NULL;
    memcpy(out->parents, dag->parents, sizeof out->parents);
    hw_code code = hw_genome_graph(&g, NULL, NULL, &out->graph, err);
    for (size_t a = 0; code == HW_OK && a < 2; a++) {
        hw_small_set(&out->small[a], &g, accountings[a]);
        code = hw_model_new(out->graph, accountings[a], false, &out->model[a], err);
    }
    if (code != HW_OK)
        hw_census_template_free(out);
    return code;
}

/* Node v makes tensor v, of size[v]; what nobody reads is in no buffer and stays. */
void hw_census_template_size(hw_census_template *t, hw_accounting accounting, const uint64_t *sizes)
{
    hw_model *m = t->model[accounting];
    m->live_full = 0;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        t->graph->tensor_size[v] = sizes[v];
        m->new_bytes[v] = sizes[v];
        if (m->makes.offset[v] == m->makes.offset[v + 1])
            m->live_full += sizes[v];
    }
    for (uint32_t b = 0; b < m->n_buffers; b++)
        m->buffer_size[b] = sizes[m->buffer_maker[b]];
    hw_model_find_bound(m);
    hw_small_resize(&t->small[accounting], sizes);
}
