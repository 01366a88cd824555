/*
 * Chains: independent branches, joined by one last node (join=yes), and from
 * one first node where fork=yes.  The family whose optimum is a merge of
 * hill-valley profiles.
 *
 * Nodes are numbered branch by branch.  Time O(n).
 * Source: this project, after the chains of Liu 1987.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, BRANCHES, LENGTHS, FORK, JOIN, DRESS };
enum { LENGTHS_RANDOM, LENGTHS_EQUAL };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes, with those of fork and join"},
    {"branches", HW_PARAM_INT, 1, HW_MOST_NODES, 4, NULL, "chains"},
    {"lengths", HW_PARAM_CHOICE, 0, 0, LENGTHS_RANDOM, "random|equal", "lengths of the chains"},
    {"fork", HW_PARAM_BOOL, 0, 1, 0, NULL, "one first node before all chains"},
    {"join", HW_PARAM_BOOL, 0, 1, 1, NULL, "one last node after all chains"},
    HW_DRESS_ROWS,
};

static hw_code draw_chains(hw_dag *d, const uint32_t *length, const hw_param_value *v,
                           hw_error *err)
{
    hw_code code = HW_OK;
    uint32_t node = v[FORK].i ? 1 : 0;
    for (int64_t branch = 0; branch < v[BRANCHES].i; branch++) {
        for (uint32_t i = 0; i < length[branch] && code == HW_OK; i++, node++) {
            if (i)
                code = hw_dag_add(d, node - 1, node, err);
            else if (v[FORK].i)
                code = hw_dag_add(d, 0, node, err);
        }
        if (v[JOIN].i && code == HW_OK)
            code = hw_dag_add(d, node - 1, d->n - 1, err);
    }
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    int64_t n = v[N].i, inner = n - v[FORK].i - v[JOIN].i, branches = v[BRANCHES].i;
    if (branches > inner)
        return hw_fail(err, HW_USAGE,
                       "branches=%" PRId64 " leaves no node for some of them: give at most %" PRId64
                       ", or a greater n",
                       branches, inner > 0 ? inner : 0);
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    uint32_t *length = HW_NEW(uint32_t, branches);
    if (!length)
        return hw_fail_memory(err, "the lengths of chains");
    hw_draw_parts(rng, (uint32_t)inner, length, (uint32_t)branches, v[LENGTHS].i == LENGTHS_EQUAL);
    hw_dag d;
    hw_dag_start(&d, (uint32_t)n);
    code = draw_chains(&d, length, v, err);
    free(length);
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_chains = {
    .name = "chains",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "independent chains joined at the end",
    .source = "this project, after Liu 1987",
    .generate = generate,
};
