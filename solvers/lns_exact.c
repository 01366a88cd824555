/* Windows re-solved by the exact search.  See lns_exact.h. */
#include "solvers/lns_exact.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { FIRST_NODES = 16, PLACES = 3, PART_OF_TURN = 4 };

hw_code lns_exact_open(lns_exact *x, local_order *l, uint32_t most, uint64_t memory_bytes,
                       hw_error *err)
{
    *x = (lns_exact){.l = l, .most = most < l->n ? most : l->n};
    x->search =
        (exact_options){.rules = {true, true, true, true, true}, .memory_bytes = memory_bytes};
    x->scratch = HW_NEW(uint32_t, x->most);
    if (!x->scratch)
        return hw_fail_memory(err, "the windows of an order");
    hw_code code = exact_map_init(&x->map, l->m, err);
    x->map.position = l->position;
    return code;
}

void lns_exact_close(lns_exact *x)
{
    exact_map_free(&x->map);
    free(x->scratch);
    memset(x, 0, sizeof *x);
}

/* One call. */
typedef struct resolving {
    lns_exact *x;
    hw_meter *meter;
    uint64_t prefixes;
    uint32_t low, high; /* the window in work */
    bool better, proven;
} resolving;

/* Does the peak stand inside the window and nowhere before? */
static bool holds_peak(const resolving *r)
{
    const local_order *l = r->x->l;
    uint32_t step = local_order_find(l, 0, local_order_peak(l));
    return step >= r->low && step < r->high;
}

/* Lower the peak of the window until it lies outside or no more can be done. */
static hw_code solve_window(resolving *r, exact_search *s, hw_error *err)
{
    local_order *l = r->x->l;
    const exact_problem *p = s->p;
    while (!r->meter->over && holds_peak(r)) {
        uint64_t peak = local_order_peak(l);
        if (peak <= l->m->simple_bound)
            break;
        s->pause_at = s->states + r->prefixes;
        exact_outcome outcome = exact_search_decide(s, peak - 1, r->meter, r->x->scratch);
        if (outcome == EXACT_FAILED)
            return hw_fail_memory(err, "the search in a window");
        r->proven = r->proven || (outcome == EXACT_NONE && p->n == l->n);
        if (outcome != EXACT_FOUND)
            break;
        for (uint32_t i = 0; i < p->n; i++)
            l->order[r->low + i] = p->node[r->x->scratch[i]];
        local_order_relay(l, r->low, r->high);
        r->better = true;
    }
    return HW_OK;
}

static hw_code try_window(resolving *r, hw_error *err)
{
    lns_exact *x = r->x;
    exact_problem *p;
    exact_search s;
    uint64_t memory = x->search.memory_bytes;
    hw_code code = exact_problem_new(x->l->m, x->l->order, r->low, r->high, x->l->live[r->low],
                                     memory / 2, &x->map, &p, NULL);
    if (code == HW_NO_MEMORY && memory) /* too large for the limit: not this window */
        return HW_OK;
    if (code != HW_OK)
        return hw_fail_memory(err, "the windows of an order");
    code = exact_search_init(&s, p, &x->search, err);
    if (code == HW_OK) {
        uint64_t share = r->prefixes / PART_OF_TURN + 1; /* short questions take short turns */
        s.share = share < s.share ? share : s.share;
        code = solve_window(r, &s, err);
        exact_search_free(&s);
    }
    exact_problem_free(p);
    return code;
}

/* Windows of `size` nodes with the step in the middle, then late, then early in it. */
static hw_code try_size(resolving *r, uint32_t step, uint32_t size, hw_error *err)
{
    const uint32_t n = r->x->l->n, before[PLACES] = {size / 2, size - size / 4 - 1, size / 4};
    uint32_t tried[PLACES], count = 0;
    for (int i = 0; i < PLACES && !r->better && !r->proven && !r->meter->over; i++) {
        uint32_t low = step > before[i] ? step - before[i] : 0;
        low = low > n - size ? n - size : low;
        bool again = false;
        for (uint32_t k = 0; k < count; k++)
            again = again || tried[k] == low;
        tried[count++] = r->low = low;
        r->high = low + size;
        hw_code code = again ? HW_OK : try_window(r, err);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

hw_code lns_exact_improve(lns_exact *x, uint64_t prefixes, hw_meter *meter,
                          lns_exact_result *result, hw_error *err)
{
    resolving r = {.x = x, .meter = meter, .prefixes = prefixes};
    uint32_t step = local_order_find(x->l, 0, local_order_peak(x->l));
    bool last = step == x->l->n || x->most == 0; /* live before step 0 is the peak */
    hw_code code = HW_OK;
    for (uint32_t size = FIRST_NODES; code == HW_OK && !r.better && !last && !meter->over;
         size *= 2) {
        last = size >= x->most;
        code = try_size(&r, step, last ? x->most : size, err);
    }
    *result = (lns_exact_result){r.better, r.proven, r.low, r.high};
    return code;
}
