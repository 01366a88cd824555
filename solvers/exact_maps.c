/* Maps of a graph onto itself.  See exact_maps.h. */
#include "solvers/exact_maps.h"

#include <stdlib.h>

#include "core/memory.h"
#include "solvers/exact_partition.h"

typedef struct search {
    const exact_map_user *user;
    exact_partition part;
    uint32_t n;      /* nodes: the first vertices              */
    uint32_t *image; /* of a node under the map at hand        */
    uint64_t work, most_work;
} search;

static bool too_much(const search *r)
{
    return r->work + r->part.work > r->most_work;
}

static bool own_copy_in_cell(const search *r, uint32_t x)
{
    return r->part.cell[x] == r->part.cell[r->part.n + x];
}

/* The smallest right vertex in the cell of left x. */
static uint32_t smallest_right(const search *r, uint32_t x)
{
    const exact_partition *p = &r->part;
    uint32_t start = p->cell[x], best = HW_NONE;
    for (uint32_t i = start; i < start + p->size[start]; i++)
        if (p->item[i] >= p->n && p->item[i] - p->n < best)
            best = p->item[i] - p->n;
    return best;
}

/*
 * One more choice: where x goes to y let y go to x; else give a vertex that
 * cannot stay a place.  HW_NONE in *x: every vertex has one partner or may stay.
 */
static void choose(const search *r, uint32_t *x, uint32_t *y)
{
    const exact_partition *p = &r->part;
    *x = HW_NONE;
    for (uint32_t i = 0; i < p->n; i++) {
        if (!exact_partition_single(p, i)) {
            *x = *x == HW_NONE && !own_copy_in_cell(r, i) ? i : *x;
            continue;
        }
        uint32_t to = exact_partition_image(p, i);
        if (to != i && !exact_partition_single(p, to) && p->cell[to] == p->cell[p->n + i]) {
            *x = to;
            *y = i;
            return;
        }
    }
    if (*x != HW_NONE)
        *y = smallest_right(r, *x);
}

/*
 * Complete the choices made so far to a map, without backtracking.  When all
 * vertices of larger cells may stay where they are, they do: each is joined to
 * a vertex with one partner just as its whole cell is, so no edge is lost.
 */
static bool complete(search *r)
{
    const exact_partition *p = &r->part;
    uint32_t x, y;
    for (;;) {
        r->work += p->n;
        choose(r, &x, &y);
        if (x == HW_NONE)
            break;
        if (too_much(r) || !exact_partition_pair(&r->part, x, y))
            return false;
    }
    for (uint32_t v = 0; v < r->n; v++)
        r->image[v] = exact_partition_single(p, v) ? exact_partition_image(p, v) : v;
    return true;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Try to send a to each other node of its cell, smaller nodes staying. */
static bool try_node(search *r, uint32_t a, uint32_t *others)
{
    exact_partition *p = &r->part;
    uint32_t start = p->cell[a], count = 0, mark = p->n_trail;
    for (uint32_t i = start; i < start + p->size[start]; i++)
        if (p->item[i] < p->n && p->item[i] != a)
            others[count++] = p->item[i];
    qsort(others, count, sizeof *others, ascending);
    bool good = true;
    for (uint32_t i = 0; good && i < count && !too_much(r); i++) {
        if (r->user->skip(r->user->context, a, others[i]))
            continue;
        if (exact_partition_pair(p, a, others[i]) && complete(r))
            good = r->user->use(r->user->context, a, r->image);
        exact_partition_undo(p, mark);
    }
    return good;
}

/*
 * The nodes that can move while all smaller ones stay, each with where the
 * partition stood; then from the last of them to the first, so that what later
 * nodes bring need not be found again.
 */
static bool try_all(search *r, uint32_t *base, uint32_t *mark, uint32_t *others)
{
    uint32_t levels = 0;
    for (uint32_t a = 0; a < r->n && !too_much(r); a++) {
        if (exact_partition_single(&r->part, a))
            continue;
        base[levels] = a;
        mark[levels++] = r->part.n_trail;
        (void)exact_partition_pair(&r->part, a, a);
    }
    bool good = true;
    while (good && levels-- > 0 && !too_much(r)) {
        exact_partition_undo(&r->part, mark[levels]);
        good = try_node(r, base[levels], others);
    }
    return good;
}

/* Anything but pairs of copies?  Most graphs end here. */
static bool may_have_maps(const search *r)
{
    for (uint32_t v = 0; v < r->n; v++)
        if (!exact_partition_single(&r->part, v))
            return true;
    return false;
}

hw_code exact_maps_find(const exact_structure *s, uint32_t n, const exact_map_user *user,
                        uint64_t most_work, uint64_t *work, bool *complete, hw_error *err)
{
    search r = {.user = user, .n = n, .work = *work, .most_work = most_work};
    hw_code code = exact_partition_init(&r.part, s->n, &s->out, &s->in, s->kind, err);
    if (code != HW_OK)
        return code;
    if (may_have_maps(&r)) {
        uint32_t *nodes = HW_NEW(uint32_t, (size_t)3 * n);
        r.image = HW_NEW(uint32_t, n);
        if (!nodes || !r.image || !user->begin(user->context) ||
            !try_all(&r, nodes, nodes + n, nodes + 2 * (size_t)n))
            code = hw_fail_memory(err, "the symmetry of a graph");
        free(nodes);
        free(r.image);
    }
    *complete = !too_much(&r);
    *work = r.work + r.part.work;
    exact_partition_free(&r.part);
    return code;
}
