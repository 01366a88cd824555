/*
 * Graphs in the manner of DAGGEN: levels whose mean width is n^fat, each level
 * between regularity and 2 - regularity times that; a node reads 1 to
 * 1 + density * (width of the level before) parents, each from a level 1 to
 * jump levels before its own.
 *
 * By that law the number of parents grows with the width of a level, so graphs
 * densify with n unless fat is small; max-parents bounds it.  Nodes are
 * numbered level by level.  Own implementation of the published description.
 * Time O(n + edges).
 * Source: Suter and others, DAGGEN, a synthetic task graph generator; used
 * since Tobita and Kasahara 2002, Hunold 2015.
 */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, FAT, DENSITY, REGULARITY, JUMP, MAX_PARENTS, DRESS };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes"},
    {"fat", HW_PARAM_REAL, 0, 1, 0.5, NULL, "mean width of a level is n^fat: 0 a chain"},
    {"density", HW_PARAM_REAL, 0, 1, 0.5, NULL,
     "most parents beyond the first, as a share of the level before"},
    {"regularity", HW_PARAM_REAL, 0, 1, 0.9, NULL, "evenness of the widths: 1 equal"},
    {"jump", HW_PARAM_INT, 1, HW_MOST_NODES, 1, NULL, "levels that an edge may reach back"},
    {"max-parents", HW_PARAM_INT, 1, HW_MOST_NODES, 10, NULL, "most parents of a node"},
    HW_DRESS_ROWS,
};

/* Fill begin[0 .. levels] with the first node of every level; returns levels. */
static uint32_t draw_levels(uint32_t n, const hw_param_value *v, gsl_rng *rng, uint32_t *begin)
{
    double mean = pow(n, v[FAT].r), spread = 1 - v[REGULARITY].r;
    uint32_t levels = 0;
    for (uint32_t used = 0; used < n;) {
        double width = floor(mean * (1 + spread * (2 * gsl_rng_uniform(rng) - 1)) + 0.5);
        uint32_t whole = width < 1 ? 1 : (uint32_t)width;
        begin[levels++] = used;
        used += whole < n - used ? whole : n - used;
    }
    begin[levels] = n;
    return levels;
}

/* Parents of one node of `level`.  A parent drawn twice counts once. */
static hw_code draw_parents(hw_dag *d, uint32_t node, uint32_t level, const uint32_t *begin,
                            const hw_param_value *v, gsl_rng *rng, hw_error *err)
{
    uint32_t before = begin[level] - begin[level - 1];
    uint64_t most = 1 + (uint64_t)(v[DENSITY].r * before);
    most = most < before ? most : before;
    most = most < (uint64_t)v[MAX_PARENTS].i ? most : (uint64_t)v[MAX_PARENTS].i;
    uint64_t parents = 1 + hw_rng_below(rng, most);
    uint64_t reach = (uint64_t)v[JUMP].i < level ? (uint64_t)v[JUMP].i : level;
    hw_code code = HW_OK;
    for (uint64_t i = 0; i < parents && code == HW_OK; i++) {
        uint32_t from = level - 1 - (uint32_t)hw_rng_below(rng, reach);
        uint32_t width = begin[from + 1] - begin[from];
        code = hw_dag_add(d, begin[from] + (uint32_t)hw_rng_below(rng, width), node, err);
    }
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    uint32_t n = (uint32_t)v[N].i;
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    uint32_t *begin = HW_NEW(uint32_t, (size_t)n + 1);
    if (!begin)
        return hw_fail_memory(err, "the levels of a generated graph");
    uint32_t levels = draw_levels(n, v, rng, begin);
    hw_dag d;
    hw_dag_start(&d, n);
    for (uint32_t level = 1; level < levels; level++)
        for (uint32_t node = begin[level]; node < begin[level + 1] && code == HW_OK; node++)
            code = draw_parents(&d, node, level, begin, v, rng, err);
    free(begin);
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_daggen = {
    .name = "daggen",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "levels by fat, density, regularity and jump",
    .source = "Suter and others, DAGGEN",
    .generate = generate,
};
