/* See strata.h. */
#include "claims/strata.h"

const hw_strata_family hw_strata_families[] = {
    {"erdos, half an edge a node", "erdos:degree=0.5", 0.5, true, 0.5},
    {"erdos, 1 edge a node", "erdos:degree=1", 1, true, 1},
    {"erdos, 1.5 edges a node", "erdos:degree=1.5", 1.5, true, 1.5},
    {"erdos, 2 edges a node", "erdos:degree=2", 2, true, 2},
    {"erdos, 3 edges a node", "erdos:degree=3", 3, true, 3},
    {"layered, 1.5 inputs a node", "layered:degree=1.5", 0, false, 0},
    {"layered, 3 inputs a node", "layered:degree=3", 0, false, 0},
    {"random orders of dimension 2", "random-order:dimension=2", 0, false, 0},
    {"random orders of dimension 3", "random-order:dimension=3", 0, false, 0},
    {"series-parallel", "series-parallel:parallel=0.5", 0, false, 0},
    {"in-trees", "tree:direction=in", 0, false, 0},
    {"out-trees", "tree:direction=out", 0, false, 0},
    {"fork-joins", "fan:width=3", 0, false, 0},
    {"chains", "chains:branches=3", 0, false, 0},
    {"randomly wired", "randwire:model=er,p=0.3", 0, false, 0},
    {"daggen, sparse", "daggen:density=0.2", 0, false, 0},
    {"daggen, dense", "daggen:density=0.8", 0, false, 0},
};
const size_t hw_n_strata_families = sizeof hw_strata_families / sizeof hw_strata_families[0];

const char *const hw_strata_sizes[] = {"uniform", "lognormal", "pareto", "bimodal", "constant"};
const size_t hw_n_strata_sizes = sizeof hw_strata_sizes / sizeof hw_strata_sizes[0];

hw_code hw_strata_add(hw_sheet *s, const uint32_t *n, size_t n_n, size_t n_sizes, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t f = 0; f < hw_n_strata_families; f++)
        for (size_t k = 0; k < n_n; k++)
            for (size_t l = 0; l < n_sizes; l++)
                if (code == HW_OK && hw_strata_families[f].most_of_n <= (n[k] - 1) / 2.0)
                    code = hw_sheet_add(s, (int)f, (int)n[k], (int)l, err, "%s,n=%u,sizes=%s",
                                        hw_strata_families[f].spec, (unsigned)n[k],
                                        hw_strata_sizes[l]);
    return code;
}
