/* Merging components by their profiles.  See exact_components.h. */
#include "solvers/exact_components.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void exact_components_lay(const exact_problem *p, const exact_parts *parts, uint32_t low,
                          exact_component *list)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        exact_component *k = &list[i];
        *k = (exact_component){.low = low + at, .high = low + parts->end[i]};
        for (; at < parts->end[i]; at++) {
            uint32_t v = parts->order[at];
            k->change += p->new_bytes[v] - p->dead_bytes[v];
            for (uint32_t j = p->uses.offset[v]; j < p->uses.offset[v + 1]; j++) {
                uint32_t b = p->uses.item[j];
                if (p->users.item[p->users.offset[b]] == v) /* each buffer once */
                    k->change -= p->size[b];
            }
        }
    }
}

/* Every component may use what the others give back, at the most. */
static exact_outcome find_profiles(exact_profiler *c, const exact_profile_ask *ask,
                                   exact_component *list, uint32_t n)
{
    uint64_t drops = 0; /* of live, from the asked end to the other */
    for (uint32_t i = 0; i < n; i++)
        drops += ask->reverse ? list[i].change : 0 - list[i].change;
    for (uint32_t i = 0; i < n; i++) {
        exact_component *k = &list[i];
        uint64_t more = drops - (ask->reverse ? k->change : 0 - k->change);
        exact_profile_ask inner = *ask;
        inner.low = k->low;
        inner.high = k->high;
        inner.high_hill = ask->high_hill > UINT64_MAX - more ? UINT64_MAX : ask->high_hill + more;
        k->live = ask->live;
        exact_outcome outcome = exact_profile_find(c, &inner, &k->profile);
        if (outcome != EXACT_FOUND && outcome != EXACT_NONE)
            return outcome;
        k->whole = outcome == EXACT_FOUND;
    }
    return EXACT_FOUND;
}

/* The component whose next valley costs least; NULL: none has one. */
static exact_component *cheapest(exact_component *list, uint32_t n)
{
    exact_component *best = NULL;
    uint64_t least = 0;
    for (uint32_t i = 0; i < n; i++) {
        exact_component *k = &list[i];
        if (k->next == k->profile.count)
            continue;
        uint64_t climb = k->profile.segment[k->next].hill - k->live;
        if (!best || climb < least) {
            best = k;
            least = climb;
        }
    }
    return best;
}

/* The nodes of the next segment of k, appended at the asked end of merged[]. */
static void take_nodes(const exact_profiler *c, const exact_profile_ask *ask, exact_component *k,
                       uint32_t nodes, uint32_t *merged, uint32_t *count)
{
    uint32_t n = ask->high - ask->low;
    if (ask->reverse)
        memcpy(merged + n - *count - nodes, c->order + k->high - k->taken - nodes,
               nodes * sizeof *merged);
    else
        memcpy(merged + *count, c->order + k->low + k->taken, nodes * sizeof *merged);
    k->taken += nodes;
    *count += nodes;
}

static exact_outcome merge(exact_profiler *c, const exact_profile_ask *ask, exact_component *list,
                           uint32_t n, uint32_t *merged, exact_profile *out)
{
    uint64_t live = ask->live;
    uint32_t count = 0;
    exact_outcome outcome = EXACT_FOUND;
    for (exact_component *k = cheapest(list, n); k; k = cheapest(list, n)) {
        const exact_segment *s = &k->profile.segment[k->next];
        uint64_t hill = live + (s->hill - k->live);
        if (hill > ask->high_hill) {
            outcome = EXACT_NONE;
            break;
        }
        live -= k->live - s->valley;
        k->live = s->valley;
        k->next++;
        take_nodes(c, ask, k, s->nodes, merged, &count);
        if (!exact_profile_append(out, s->nodes, hill > ask->low_hill ? hill : ask->low_hill, live))
            return EXACT_FAILED;
    }
    for (uint32_t i = 0; i < n; i++) {
        exact_component *k = &list[i];
        if (!k->whole)
            outcome = EXACT_NONE;
        take_nodes(c, ask, k, k->high - k->low - k->taken, merged, &count);
    }
    memcpy(c->order + ask->low, merged, count * sizeof *merged);
    return outcome;
}

exact_outcome exact_components_merge(exact_profiler *c, const exact_profile_ask *ask,
                                     exact_component *list, uint32_t n, exact_profile *out)
{
    uint32_t *merged = HW_NEW(uint32_t, ask->high - ask->low);
    exact_outcome outcome = merged ? find_profiles(c, ask, list, n) : EXACT_FAILED;
    if (outcome == EXACT_FOUND)
        outcome = merge(c, ask, list, n, merged, out);
    for (uint32_t i = 0; i < n; i++)
        exact_profile_free(&list[i].profile);
    free(merged);
    return outcome;
}
