/* All prefixes of a small model.  See support_prefixes.h. */
#include "tests/support_prefixes.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/sim.h"
#include "tests/support_random.h"

void prefixes_lay(prefixes *all, const hw_model *m)
{
    uint32_t n = m->n_nodes;
    hw_sim s;
    all->m = m;
    assert_int_equal(hw_graph_level_order(m->graph, all->order, NULL), HW_OK);
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    for (uint32_t set = 0; set < 1U << n; set++) {
        all->legal[set] = true;
        hw_sim_reset(&s);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = all->order[i];
            if (!(set >> v & 1))
                continue;
            for (uint32_t k = m->graph->preds.offset[v]; k < m->graph->preds.offset[v + 1]; k++)
                all->legal[set] = all->legal[set] && (set >> m->graph->preds.item[k] & 1);
            (void)hw_sim_step(&s, v);
        }
        all->live[set] = s.live;
        for (uint32_t v = 0; v < n; v++)
            all->usage[set][v] = set >> v & 1 ? 0 : hw_sim_usage(&s, v);
    }
    hw_sim_free(&s);
}

uint64_t prefixes_best(const prefixes *all, const uint32_t *chain, uint32_t n_chain)
{
    static uint64_t best[PREFIX_SETS];
    uint32_t n = all->m->n_nodes, sets = 1U << n;
    memset(best, 0xff, sets * sizeof *best);
    best[0] = all->live[0];
    for (uint32_t set = 0; set < sets; set++) {
        bool allowed = all->legal[set] && best[set] != UINT64_MAX;
        for (uint32_t i = 0; i < n_chain && allowed; i++)
            allowed = (set & chain[i]) == set || (set & chain[i]) == chain[i];
        for (uint32_t v = 0; v < n && allowed; v++) {
            uint32_t next = set | 1U << v;
            if (next == set || !all->legal[next])
                continue;
            uint64_t usage = all->usage[set][v];
            uint64_t peak = usage > best[set] ? usage : best[set];
            if (peak < best[next])
                best[next] = peak;
        }
        if (!allowed)
            best[set] = UINT64_MAX;
    }
    return best[sets - 1];
}

exact_problem *prefixes_problem(const prefixes *all)
{
    exact_map map;
    exact_problem *p;
    assert_int_equal(exact_map_init(&map, all->m, NULL), HW_OK);
    assert_int_equal(exact_problem_new(all->m, all->order, 0, all->m->n_nodes, all->m->live_empty,
                                       0, &map, &p, NULL),
                     HW_OK);
    exact_map_free(&map);
    return p;
}

/*
 * Tensors belong to components; a node reads from one, or joins two.  Most
 * components begin with inputs of the graph, so that live(empty) > 0.
 */
static hw_graph *draw_components(uint64_t *state, uint32_t nodes)
{
    enum { TENSORS = 5 * PREFIX_NODES };
    uint32_t part[TENSORS], n_tensors = 0, largest = 1 + random_below(state, 40);
    bool kept[TENSORS];
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    bool good = b != NULL, workspace = random_chance(state, 0.3);
    uint32_t given = random_below(state, 7);
    for (uint32_t i = 0; i < given && good; i++) {
        good = hw_builder_tensor(b, n_tensors, random_below(state, largest + 1), HW_INPUT, NULL,
                                 NULL) == HW_OK;
        kept[n_tensors] = false;
        part[n_tensors++] = i % 4;
    }
    for (uint32_t v = 0; v < nodes && good; v++) {
        uint64_t inputs[TENSORS], outputs[3], pair[2];
        hw_node_spec spec = {.id = v, .inputs = inputs, .outputs = outputs};
        uint32_t own = random_below(state, 4);
        uint32_t other = random_chance(state, 0.15) ? random_below(state, 4) : own;
        for (uint32_t t = 0; t < n_tensors; t++)
            if ((part[t] == own || part[t] == other) && random_chance(state, 0.45))
                inputs[spec.n_inputs++] = t;
        for (uint32_t t = 0; t < n_tensors; t++)
            if (part[t] == other)
                part[t] = own;
        uint32_t wanted = random_below(state, 4);
        for (uint32_t i = 0; i < wanted && i < 3 && good; i++) {
            bool output = random_chance(state, 0.2);
            good = hw_builder_tensor(b, n_tensors, random_below(state, largest + 1),
                                     output ? HW_OUTPUT : HW_ACTIVATION, NULL, NULL) == HW_OK;
            kept[n_tensors] = output;
            outputs[spec.n_outputs++] = n_tensors;
            part[n_tensors++] = own;
        }
        if (spec.n_inputs && spec.n_outputs && random_chance(state, 0.4) && !kept[inputs[0]]) {
            pair[0] = inputs[0];
            pair[1] = outputs[0];
            spec.inplace = pair;
            spec.n_inplace = 1;
        }
        if (workspace)
            spec.workspace = random_below(state, largest);
        good = good && hw_builder_node(b, &spec, NULL) == HW_OK;
    }
    if (good && hw_builder_finish(b, &g, NULL) != HW_OK)
        g = NULL;
    hw_builder_free(b);
    return g;
}

hw_graph *prefixes_graph(uint64_t *state, uint32_t most)
{
    if (random_chance(state, 0.5))
        return draw_components(state, 1 + random_below(state, most));
    random_shape shape = random_any_shape(state, 1, most);
    return random_graph(state, &shape);
}
