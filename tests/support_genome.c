/* Random genomes, see support_genome.h. */
#include "support_genome.h"

#include "support_draft.h"

hw_genome random_genome(uint64_t seed, uint32_t most)
{
    hw_genome g;
    hw_genome_start(&g, 1 + (uint32_t)draft_below(&seed, most));
    uint64_t density = 1 + draft_below(&seed, 6);
    g.discard = draft_below(&seed, 2);
    for (uint32_t v = 0; v < g.n; v++) {
        g.size[v] = draft_below(&seed, 100);
        g.workspace[v] = draft_below(&seed, 3) ? 0 : draft_below(&seed, 50);
        for (uint32_t u = 0; u < v; u++)
            if (draft_below(&seed, density + 1) == 0)
                g.parents[v] |= UINT64_C(1) << u;
        uint32_t u = v ? (uint32_t)draft_below(&seed, v) : 0;
        if (g.parents[v] >> u & 1 && draft_below(&seed, 3) == 0)
            g.inplace[v] = (uint8_t)u;
    }
    for (uint32_t v = 0; v < g.n; v++) {
        uint64_t readers = hw_genome_readers(&g, v);
        if ((readers & (readers - 1)) && draft_below(&seed, 3) == 0)
            g.split |= UINT64_C(1) << v;
    }
    return g;
}
