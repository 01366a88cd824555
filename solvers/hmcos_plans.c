/* How groups run, remembered.  See hmcos_plans.h. */
#include "solvers/hmcos_plans.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"

void hmcos_plans_clear(hmcos_plans *p)
{
    for (size_t i = 0; i < p->n_plans; i++) {
        free(p->plan[i].kills);
        free(p->plan[i].nodes);
    }
    free(p->plan);
    free(p->shared);
    free(p->kills);
    hmcos_units_close(&p->units);
}

static bool used_outside(const hmcos_graph *h, uint32_t group, uint32_t b)
{
    const hw_rows *users = &h->m->users;
    for (uint32_t i = users->offset[b]; i < users->offset[b + 1]; i++)
        if (h->group_of[h->seq_of[users->item[i]]] != group)
            return true;
    return false;
}

static int by_number(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* The units of a group and its shared buffers, made before it or given. */
static hw_code plans_lay(hmcos_plans *p, const hmcos_graph *h, uint32_t group, hw_error *err)
{
    const hw_model *m = h->m;
    hw_code code = hmcos_units_open(&p->units, h, group, err);
    if (code != HW_OK)
        return code;
    size_t uses = 0;
    const hw_rows *nodes = &p->units.nodes;
    const uint32_t n = nodes->offset[p->units.count];
    for (uint32_t i = 0; i < n; i++)
        uses += m->uses.offset[nodes->item[i] + 1] - m->uses.offset[nodes->item[i]];
    p->shared = HW_NEW(uint32_t, uses);
    p->kills = HW_NEW(uint64_t, uses / 64 + 1);
    if (!p->shared || !p->kills)
        return hw_fail_memory(err, "the groups of a graph");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t v = nodes->item[i], k = m->uses.offset[v]; k < m->uses.offset[v + 1]; k++) {
            uint32_t b = m->uses.item[k], maker = m->buffer_maker[b];
            if (maker != HW_NONE && h->group_of[h->seq_of[maker]] == group)
                continue;
            if (used_outside(h, group, b))
                p->shared[p->n_shared++] = b;
        }
    qsort(p->shared, p->n_shared, sizeof *p->shared, by_number);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->n_shared; i++)
        if (i == 0 || p->shared[i] != p->shared[i - 1])
            p->shared[kept++] = p->shared[i];
    p->n_shared = kept;
    p->laid = true;
    return HW_OK;
}

static void find_kills(hmcos_plans *p, const hmcos_graph *h, uint32_t group, const uint64_t *set)
{
    const hw_rows *users = &h->m->users;
    memset(p->kills, 0, (p->n_shared / 64 + 1) * sizeof *p->kills);
    for (uint32_t i = 0; i < p->n_shared; i++) {
        uint32_t b = p->shared[i], k = users->offset[b];
        while (k < users->offset[b + 1] && (hw_bits_have(set, users->item[k]) ||
                                            h->group_of[h->seq_of[users->item[k]]] == group))
            k++;
        if (k == users->offset[b + 1])
            hw_bits_add(p->kills, i);
    }
}

/* The plan for the kills in p->kills, a new one where there is none. */
static hmcos_plan *find_plan(hmcos_plans *p)
{
    const size_t words = p->n_shared / 64 + 1;
    for (size_t i = 0; i < p->n_plans; i++)
        if (memcmp(p->plan[i].kills, p->kills, words * sizeof *p->kills) == 0)
            return &p->plan[i];
    if (!hw_grow((void **)&p->plan, &p->capacity, p->n_plans + 1, sizeof *p->plan))
        return NULL;
    hmcos_plan fresh = {.kills = hw_copy(p->kills, words, sizeof *p->kills)};
    if (!fresh.kills)
        return NULL;
    p->plan[p->n_plans] = fresh;
    return &p->plan[p->n_plans++];
}

hw_code hmcos_plans_find(hmcos_plans *p, const hmcos_graph *h, uint32_t group, const uint64_t *set,
                         hmcos_plan **out, hw_error *err)
{
    hw_code code = p->laid ? HW_OK : plans_lay(p, h, group, err);
    *out = NULL;
    if (code != HW_OK)
        return code;
    find_kills(p, h, group, set);
    *out = find_plan(p);
    return *out ? HW_OK : hw_fail_memory(err, "the groups of a graph");
}
