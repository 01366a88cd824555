/* Which instances a page shows over time.  See page_internal.h. */
#include <string.h>

#include "gen/family.h"
#include "report/page_internal.h"

static double gap_of(const hw_record *r)
{
    return hw_gap_percent(r->checked_peak.value, r->optimum.value);
}

/* Larger gaps first, then smaller graphs: they say the same and are easier to read. */
static bool is_before(const hw_record *a, const hw_record *b)
{
    double x = gap_of(a), y = gap_of(b);
    if (x > y || x < y)
        return x > y;
    return a->n_nodes < b->n_nodes;
}

static bool can_show(const hw_record *r, uint64_t most_nodes)
{
    return r->graph && r->n_nodes <= most_nodes && r->checked_peak.known && r->optimum.known &&
           r->checked_peak.value > r->optimum.value &&
           hw_family_find(r->family, strlen(r->family)) != NULL;
}

size_t hw_page_pick(const hw_record *records, size_t n, uint64_t most_nodes, const hw_record **out,
                    size_t most)
{
    enum { MOST_FAMILIES = 256 };
    const hw_record *worst[MOST_FAMILIES];
    size_t n_worst = 0, n_out = 0;
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = &records[i];
        if (!can_show(r, most_nodes))
            continue;
        size_t f = 0;
        while (f < n_worst && strcmp(worst[f]->family, r->family) != 0)
            f++;
        if (f == n_worst && n_worst < MOST_FAMILIES)
            worst[n_worst++] = r;
        else if (f < n_worst && is_before(r, worst[f]))
            worst[f] = r;
    }
    for (size_t f = 0; f < n_worst; f++) { /* insertion, equal ones in the order of the file */
        size_t at = n_out < most ? n_out : most;
        while (at > 0 && is_before(worst[f], out[at - 1]))
            at--;
        if (at == most)
            continue;
        n_out += n_out < most;
        memmove((void *)(out + at + 1), (const void *)(out + at),
                (n_out - at - 1) * sizeof(const hw_record *));
        out[at] = worst[f];
    }
    return n_out;
}
