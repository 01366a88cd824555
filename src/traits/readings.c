/* Balances of a graph under each reading.  See readings.h. */
#include "traits/readings.h"

#include <stdlib.h>

#include "traits/branches.h"
#include "traits/features_internal.h"
#include "core/memory.h"

#define ROW(id, name, failure, meaning) {name, failure, meaning},
const hw_reading_row hw_reading_rows[HW_N_READINGS] = {HW_READING_TABLE(ROW)};

typedef struct scene {
    const hw_model *m;
    const hw_feature_orders *orders;
    hw_blocks blocks;
    hw_precedence p;
    hw_branches forks, parts;
    double *least; /* bytes that are large, by meaning */
    features_pairs *pairs;
} scene;

static void scene_close(scene *s)
{
    hw_branches_close(&s->forks);
    hw_branches_close(&s->parts);
    hw_precedence_close(&s->p);
    hw_blocks_close(&s->blocks);
    free(s->least);
    free(s->pairs);
}

static hw_code scene_open(scene *s, const hw_model *m, const hw_feature_orders *orders,
                          const double *large, size_t n, hw_error *err)
{
    *s = (scene){.m = m, .orders = orders};
    s->least = HW_NEW(double, n);
    s->pairs = HW_NEW(features_pairs, n);
    if (!s->least || !s->pairs)
        return hw_fail_memory(err, "the readings of a claim");
    hw_code code = hw_blocks_open(&s->blocks, m, err);
    if (code == HW_OK)
        code = hw_precedence_open(&s->p, m->graph, err);
    if (code == HW_OK)
        code = hw_branches_of_forks(&s->p, &s->blocks, &s->forks, err);
    if (code == HW_OK)
        code = hw_branches_of_parts(&s->p, &s->blocks, &s->parts, err);
    for (size_t i = 0; i < n; i++)
        s->least[i] = large[i] * (double)s->blocks.largest;
    return code;
}

hw_code hw_readings_of(const hw_model *m, const hw_feature_orders *orders, const double *large,
                       size_t n, double (*balance)[HW_N_READINGS], hw_error *err)
{
    if (m->n_nodes == 0 || m->n_nodes > HW_FEATURES_MOST)
        return hw_fail(err, HW_USAGE, "%u nodes: branches are looked for in graphs of 1 to %d",
                       (unsigned)m->n_nodes, (int)HW_FEATURES_MOST);
    scene s;
    hw_code code = scene_open(&s, m, orders, large, n, err);
    if (code == HW_OK)
        code = features_pairs_of(m, &s.blocks, &s.p, orders, s.least, n, s.pairs, err);
    for (size_t i = 0; i < n && code == HW_OK; i++) {
        hw_likeness any = {0}, any_peak = {0};
        double peak = large[i] * s.pairs[i].optimum;
        double sums = large[i] * (double)s.blocks.total / 2;
        code = hw_blocks_likeness(&s.p, &s.blocks, s.least[i], &any, err);
        if (code == HW_OK)
            code = hw_blocks_likeness(&s.p, &s.blocks, peak, &any_peak, err);
        balance[i][HW_READING_FORK_BLOCKS] =
            hw_branches_likeness(&s.forks, false, s.least[i]).balance;
        balance[i][HW_READING_FORK_SUMS] = hw_branches_likeness(&s.forks, true, sums).balance;
        balance[i][HW_READING_PART_BLOCKS] =
            hw_branches_likeness(&s.parts, false, s.least[i]).balance;
        balance[i][HW_READING_ANY_BLOCKS] = any.balance;
        balance[i][HW_READING_FORK_PEAK] = hw_branches_likeness(&s.forks, false, peak).balance;
        balance[i][HW_READING_ANY_PEAK] = any_peak.balance;
        balance[i][HW_READING_ALIVE_BLOCKS] = s.pairs[i].alive;
        balance[i][HW_READING_TURN_BLOCKS] = s.pairs[i].wrong;
    }
    scene_close(&s);
    return code;
}
