/* Prefixes that symmetry makes equal.  See exact_images.h. */
#include "solvers/exact_images.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/exact_maps.h"

static const uint64_t most_work = 4000000; /* edges and vertices looked at */
enum { MOST_MAPS = 256 };

/* While maps are found. */
typedef struct finding {
    exact_images *images;
    uint32_t n;
    size_t first_capacity, step_capacity;
    uint32_t *inverse; /* of a node under the map at hand    */
    uint32_t *head;    /* of each map: its smallest node ... */
    uint32_t *goal;    /* ... and where that goes            */
    bool *known;
} finding;

void exact_images_free(exact_images *images)
{
    free(images->first);
    free(images->step);
    memset(images, 0, sizeof *images);
}

static bool begin(void *context)
{
    finding *f = context;
    f->inverse = HW_NEW(uint32_t, f->n);
    f->known = HW_NEW0(bool, f->n);
    f->head = HW_NEW(uint32_t, MOST_MAPS);
    f->goal = HW_NEW(uint32_t, MOST_MAPS);
    return f->inverse && f->known && f->head && f->goal;
}

/*
 * Maps found already take a to b, one after the other.  They were found in
 * descending order of the nodes that they begin with, so one look in ascending
 * order follows them all.
 */
static bool is_known(void *context, uint32_t a, uint32_t b)
{
    finding *f = context;
    if (f->images->n_maps == MOST_MAPS)
        return true;
    memset(f->known, 0, f->n * sizeof *f->known);
    f->known[a] = true;
    for (size_t i = f->images->n_maps; i-- > 0;)
        if (f->known[f->head[i]])
            f->known[f->goal[i]] = true;
    return f->known[b];
}

static bool keep(void *context, uint32_t a, const uint32_t *image)
{
    finding *f = context;
    exact_images *images = f->images;
    void *first = images->first, *step = images->step;
    size_t count = images->n_maps ? images->first[images->n_maps] : 0;
    bool good = hw_grow(&first, &f->first_capacity, images->n_maps + 2, sizeof *images->first);
    images->first = first;
    good = good && hw_grow(&step, &f->step_capacity, count + f->n, sizeof *images->step);
    images->step = step;
    if (!good)
        return false;
    images->first[images->n_maps] = count;
    for (uint32_t v = 0; v < f->n; v++)
        f->inverse[image[v]] = v;
    for (uint32_t v = 0; v < f->n; v++)
        if (f->inverse[v] != v)
            images->step[count++] = (exact_image_step){f->inverse[v], v};
    f->head[images->n_maps] = a;
    f->goal[images->n_maps] = image[a];
    images->first[++images->n_maps] = count;
    return true;
}

hw_code exact_images_find(const exact_problem *p, exact_images *images, hw_error *err)
{
    memset(images, 0, sizeof *images);
    images->words = p->words;
    if (p->earliest) /* windows give every node a place of its own */
        return HW_OK;
    finding f = {.images = images, .n = p->n};
    exact_map_user user = {&f, begin, is_known, keep};
    exact_structure structure;
    uint64_t work = 0;
    bool complete;
    hw_code code = exact_structure_of_piece(p, &structure, err);
    if (code != HW_OK)
        return code;
    code = exact_maps_find(&structure, p->n, &user, most_work, &work, &complete, err);
    exact_structure_free(&structure);
    free(f.inverse);
    free(f.known);
    free(f.head);
    free(f.goal);
    if (code != HW_OK)
        exact_images_free(images);
    return code;
}

/* Apply a map if that makes the set larger. */
static bool apply(const exact_images *images, size_t map, uint64_t *set, uint64_t *scratch)
{
    size_t i = images->first[map], end = images->first[map + 1];
    const exact_image_step *step = images->step;
    while (i < end && exact_has(set, step[i].from) == exact_has(set, step[i].to))
        i++;
    if (i == end || !exact_has(set, step[i].from))
        return false;
    memcpy(scratch, set, images->words * sizeof *set);
    for (i = images->first[map]; i < end; i++)
        if (exact_has(scratch, step[i].from))
            exact_add(set, step[i].to);
        else
            exact_drop(set, step[i].to);
    return true;
}

bool exact_images_settle(const exact_images *images, uint64_t *set, uint64_t *scratch)
{
    bool changed = false;
    for (bool more = true; more;) {
        more = false;
        for (size_t map = 0; map < images->n_maps; map++)
            more = apply(images, map, set, scratch) || more;
        changed = changed || more;
    }
    return changed;
}
