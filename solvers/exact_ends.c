/* Safe ends.  See exact_ends.h. */
#include "solvers/exact_ends.h"

#include "solvers/exact_walk.h"

/* Make safe moves among the nodes outside `taken` until none is left. */
static void close_end(exact_walk *w, uint64_t bound, const uint64_t *taken)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 0; i < w->p->words; i++) {
            uint64_t bits = w->ready[i] & w->falls[i] & ~(taken ? taken[i] : 0);
            for (; bits; bits &= bits - 1) {
                uint32_t v = i * 64 + (uint32_t)__builtin_ctzll(bits);
                /* Backwards any reuse is left out of the test: see R1'. */
                uint64_t usage = w->reverse ? exact_walk_usage_plain(w, v) : exact_walk_usage(w, v);
                if (usage > bound)
                    continue;
                exact_walk_do(w, v);
                moved = true;
            }
        }
    }
}

hw_code exact_ends_find(const exact_problem *p, uint64_t bound, uint32_t *order, uint32_t *front,
                        uint32_t *back, hw_error *err)
{
    exact_walk forward, reverse;
    hw_code code = exact_walk_init(&forward, p, false, err);
    if (code != HW_OK)
        return code;
    code = exact_walk_init(&reverse, p, true, err);
    if (code == HW_OK) {
        uint32_t count = 0;
        close_end(&forward, bound, NULL);
        close_end(&reverse, bound, forward.done);
        for (uint32_t i = 0; i < forward.count; i++)
            order[count++] = forward.trail[i];
        for (uint32_t v = 0; v < p->n; v++)
            if (!exact_has(forward.done, v) && !exact_has(reverse.done, v))
                order[count++] = v;
        for (uint32_t i = reverse.count; i-- > 0;)
            order[count++] = reverse.trail[i];
        *front = forward.count;
        *back = reverse.count;
        exact_walk_free(&reverse);
    }
    exact_walk_free(&forward);
    return code;
}
