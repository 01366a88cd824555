/* An order and its peak, while pieces change.  See backtrack_order.h. */
#include "solvers/backtrack_order.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool backtrack_order_init(backtrack_order *o, uint32_t n)
{
    size_t leaves = 1;
    while (leaves < n)
        leaves *= 2;
    *o = (backtrack_order){.n = n,
                           .leaves = leaves,
                           .item = HW_NEW(uint32_t, n),
                           .step = HW_NEW(uint32_t, n),
                           .most = HW_NEW0(uint64_t, 2 * leaves)};
    return o->item && o->step && o->most;
}

void backtrack_order_free(backtrack_order *o)
{
    free(o->item);
    free(o->step);
    free(o->most);
    memset(o, 0, sizeof *o);
}

void backtrack_order_put(backtrack_order *o, uint32_t from, uint32_t count, const uint32_t *item,
                         const uint64_t *usage)
{
    if (count == 0)
        return;
    uint64_t *most = o->most;
    for (uint32_t i = 0; i < count; i++) {
        o->item[from + i] = item[i];
        o->step[item[i]] = from + i;
        most[o->leaves + from + i] = usage[i];
    }
    size_t first = o->leaves + from, last = first + count - 1;
    while (first > 1) {
        first /= 2;
        last /= 2;
        for (size_t i = first; i <= last; i++)
            most[i] = most[2 * i] > most[2 * i + 1] ? most[2 * i] : most[2 * i + 1];
    }
}

uint32_t backtrack_order_peak_step(const backtrack_order *o)
{
    size_t at = 1;
    while (at < o->leaves)
        at = 2 * at + (o->most[2 * at] < o->most[1]);
    return (uint32_t)(at - o->leaves);
}
