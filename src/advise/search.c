/* The best recomputation, level by level.  See search.h. */
#include <stdlib.h>
#include <string.h>

#include "advise/search_internal.h"
#include "core/memory.h"

/*
 * All changes of up to WHOLE graphs are taken to the next level where those are
 * likely to be few.  Else the best FEW, and up to BASES that keep most bytes out
 * of the peak: these may gain nothing before an input is made again too.
 */
enum { WHOLE = 400, FEW = 4, BASES = 8 };
#define WHOLE_NODES (UINT64_C(1) << 19)

/* ---- Levels. ---- */

static void bases_clear(search *s)
{
    for (size_t i = 0; i < s->n_bases; i++) {
        hw_again_clear(&s->base[i]);
        if (s->users)
            hw_users_clear(&s->users[i]);
    }
    free(s->base);
    free(s->users);
    s->base = NULL;
    s->users = NULL;
    s->n_bases = 0;
}

static hw_code list_changes(search *s, hw_error *err)
{
    hw_code code = HW_OK;
    s->users = HW_NEW0(hw_users, s->n_bases);
    if (!s->users)
        return hw_fail_memory(err, "the users of results");
    s->list.every = s->whole;
    for (uint32_t i = 0; i < s->n_bases && code == HW_OK; i++) {
        hw_model *m = NULL;
        code = hw_users_find(s->base[i].graph, s->ask->operators, &s->users[i], err);
        if (code == HW_OK)
            code = hw_model_new(s->base[i].graph, s->ask->accounting, s->ask->pin_inputs, &m, err);
        if (code == HW_OK)
            code = changes_of(m, &s->base[i], &s->users[i], i, &s->list, err);
        hw_model_free(m);
    }
    return code;
}

/* What is known of the level when its search ends. */
static void conclude(search *s, uint64_t bound_before)
{
    hw_level *level = s->level;
    level->every = s->list.every;
    level->changes = s->list.n;
    uint64_t bound = bound_before;
    for (size_t i = 0; i < s->list.n; i++) {
        const change *c = &s->list.change[i];
        level->settled += advise_settled(s, c);
        if (!c->impossible && c->bound < bound)
            bound = c->bound;
    }
    if (!level->every)
        bound = s->floor;
    if (bound > level->peak)
        bound = level->peak;
    level->bound = bound > s->floor ? bound : s->floor;
    level->proven = level->bound >= level->peak;
}

static hw_code search_level(search *s, uint64_t bound_before, hw_error *err)
{
    hw_code code = list_changes(s, err);
    if (code == HW_OK)
        code = advise_place(s, err);
    if (code == HW_OK)
        code = advise_ask(s, err);
    conclude(s, bound_before);
    return code;
}

/* Changes from the front of the list, until base[] has `most`; they leave the list. */
static hw_code take_bases(search *s, hw_again *base, size_t most, size_t *made, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; i < s->list.n && *made < most && code == HW_OK; i++) {
        change *c = &s->list.change[i];
        bool possible;
        if (c->impossible)
            continue;
        code = advise_make(s, c, &base[*made], &possible, err);
        if (code == HW_OK && possible)
            ++*made;
        c->impossible = true; /* taken */
    }
    return code;
}

/* The graphs that the next level changes, in place of those of this one. */
static hw_code next_bases(search *s, hw_error *err)
{
    uint64_t n = s->n_bases ? s->base[0].graph->n_nodes + 1 : 0;
    uint64_t per_base = s->n_bases ? s->list.n / s->n_bases + 1 : 0;
    bool whole = s->list.every && s->list.n <= WHOLE && s->list.n * per_base * n <= WHOLE_NODES;
    size_t made = 0;
    hw_again *base = HW_NEW0(hw_again, whole ? s->list.n : BASES);
    hw_code code = base ? HW_OK : hw_fail_memory(err, "changed graphs");
    advise_sort_by_hope(s);
    if (code == HW_OK)
        code = take_bases(s, base, whole ? s->list.n : FEW, &made, err);
    advise_sort_by_score(s);
    if (code == HW_OK && !whole)
        code = take_bases(s, base, BASES, &made, err);
    bases_clear(s);
    change_list_clear(&s->list);
    s->base = base;
    s->n_bases = made;
    s->whole = whole;
    return code;
}

static hw_code begin(search *s, const hw_graph *g, const uint32_t *order, hw_error *err)
{
    s->base = HW_NEW0(hw_again, 1);
    if (!s->base)
        return hw_fail_memory(err, "a changed graph");
    s->n_bases = 1;
    s->whole = true;
    return hw_again_first(g, order, &s->base[0], err);
}

/* An equal part of the time that is left for each level to come. */
static double end_of_level(const hw_again_ask *ask, uint32_t copies)
{
    double now = hw_wall_seconds(), left = ask->end_seconds - now;
    if (ask->end_seconds <= 0)
        return 0;
    return now + (left > 0 ? left : 0) / (double)(ask->copies - copies + 1);
}

hw_code hw_again_search(const hw_graph *g, const uint32_t *order, uint64_t peak, uint64_t bound,
                        uint64_t floor, const hw_again_ask *ask, hw_level *level, hw_error *err)
{
    search s = {.ask = ask, .floor = floor};
    memset(level, 0, (ask->copies + 1) * sizeof *level);
    level[0] = (hw_level){.peak = peak, .bound = bound, .every = true, .proven = peak == bound};
    hw_code code = begin(&s, g, order, err);
    for (uint32_t k = 1; k <= ask->copies; k++) {
        level[k] = (hw_level){.copies = k, .peak = level[k - 1].peak, .bound = floor};
        level[k].proven = level[k].peak <= floor;
        level[k].every = level[k].proven;
        s.level = &level[k];
        s.end_seconds = end_of_level(ask, k);
        if (code != HW_OK || level[k].proven || advise_over(&s))
            continue;
        code = search_level(&s, level[k - 1].bound, err);
        if (code == HW_OK && k < ask->copies)
            code = next_bases(&s, err);
    }
    bases_clear(&s);
    change_list_clear(&s.list);
    free(s.late);
    return code;
}

void hw_levels_clear(hw_level *level, uint32_t copies)
{
    for (uint32_t k = 0; k <= copies; k++)
        hw_again_clear(&level[k].best);
}
