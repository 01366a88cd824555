/* Whether two graphs of the same build are one scaled by a factor.  See regret.h. */
#include "buckets/regret.h"

__extension__ typedef unsigned __int128 wide;

/* The factor so far: there / here, once a size that is not 0 has given it. */
typedef struct factor {
    uint64_t here, there;
} factor;

static bool agrees(factor *f, uint64_t here, uint64_t there)
{
    if (here == 0 || there == 0)
        return here == there;
    if (f->here == 0)
        *f = (factor){here, there};
    return (wide)here * f->there == (wide)there * f->here;
}

bool hw_sizes_proportional(const hw_graph *a, const hw_graph *b)
{
    factor f = {0, 0};
    for (uint32_t s = 0; s < a->n_storages; s++) {
        uint32_t root = a->storage_root[s];
        if (a->tensor_kind[root] != HW_CONSTANT &&
            !agrees(&f, a->tensor_size[root], b->tensor_size[root]))
            return false;
    }
    for (uint32_t v = 0; v < a->n_nodes; v++)
        if (!agrees(&f, hw_node_workspace(a, v), hw_node_workspace(b, v)))
            return false;
    return true;
}
