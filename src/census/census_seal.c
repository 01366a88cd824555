/* The seal of a block of a census.  See census_file.h. */
#include <string.h>

#include "census/census_file.h"
#include "core/bitset.h"

static void add(uint64_t *seal, uint64_t figure)
{
    const uint64_t both[2] = {*seal, figure};
    *seal = hw_bits_hash(both, 2);
}

static void add_text(uint64_t *seal, const char *text)
{
    size_t length = strlen(text);
    add(seal, length);
    for (size_t i = 0; i < length; i++)
        add(seal, (unsigned char)text[i]);
}

static void add_plan(uint64_t *seal, const hw_census_plan *plan)
{
    add(seal, plan->least_nodes);
    add(seal, plan->most_nodes);
    add(seal, plan->most_size);
    add(seal, plan->all_numberings);
    add(seal, plan->all_fails);
    add(seal, plan->n_solvers);
    for (size_t i = 0; i < plan->n_solvers; i++)
        add_text(seal, plan->solver[i].spec);
}

static void add_cell(uint64_t *seal, const hw_census_cell *cell)
{
    add(seal, cell->taken);
    if (!cell->taken) /* nor is it written */
        return;
    add(seal, cell->fails);
    add(seal, cell->worst.found);
    if (!cell->worst.found)
        return;
    add(seal, cell->worst.ratio.over);
    add(seal, cell->worst.ratio.under);
    add(seal, cell->worst.dag);
    add(seal, cell->worst.code);
    add(seal, cell->worst.vector);
}

uint64_t hw_census_seal(const hw_census_plan *plan, uint32_t n, size_t block,
                        const hw_census_tally *tally)
{
    uint64_t seal = 0;
    add_plan(&seal, plan);
    add(&seal, n);
    add(&seal, block);
    add(&seal, tally->runs);
    for (uint32_t k = 0; k < plan->most_size; k++) {
        add(&seal, tally->graphs[k]);
        add(&seal, tally->cases[k]);
    }
    for (size_t a = 0; a < 2; a++)
        for (uint32_t k = 0; k < plan->most_size; k++)
            for (size_t s = 0; s <= plan->n_solvers; s++)
                add_cell(&seal, &tally->cell[a][k][s]);
    return seal;
}
