/* The two directions in turn.  See exact_search.h. */
#include "solvers/exact_search.h"

#include <string.h>

#include "solvers/exact_beam.h"

enum {
    FIRST_SHARE = 500,        /* states of the first turn                    */
    FIRST_BEAM_STATES = 2000, /* states after which the first beam is worth it */
    IMAGES_STATES = 500       /* states after which maps of the piece are */
};

hw_code exact_search_init(exact_search *s, const exact_problem *p, const exact_options *options,
                          hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->p = p;
    s->options = options;
    s->share = FIRST_SHARE;
    hw_code code = HW_OK;
    for (int r = 0; r < 2 && code == HW_OK; r++) {
        if (options->direction == (r ? EXACT_FORWARD : EXACT_REVERSE))
            continue;
        uint64_t memory = options->memory_bytes / (options->direction == EXACT_BOTH ? 4 : 2);
        code = exact_engine_init(&s->engine[r], p, r == 1, &options->rules, memory, err);
        s->open[r] = code == HW_OK;
    }
    s->turn = s->open[0] ? 0 : 1;
    if (code != HW_OK)
        exact_search_free(s);
    return code;
}

void exact_search_free(exact_search *s)
{
    for (int r = 0; r < 2; r++)
        if (s->open[r])
            exact_engine_free(&s->engine[r]);
    exact_images_free(&s->images);
    memset(s, 0, sizeof *s);
}

/* Maps of the piece when the search has become long.  False: out of memory. */
static bool find_images(exact_search *s)
{
    if (!s->options->symmetry || s->looked ||
        s->engine[0].states + s->engine[1].states < IMAGES_STATES)
        return true;
    s->looked = true;
    if (exact_images_find(s->p, &s->images, NULL) != HW_OK)
        return false;
    s->engine[0].images = s->engine[1].images = &s->images;
    return true;
}

/* A beam each way when the search has become long, a wider one later. */
static exact_outcome try_beam(exact_search *s, uint64_t budget, hw_meter *meter, uint32_t *order)
{
    uint64_t states = s->engine[0].states + s->engine[1].states;
    uint64_t due = FIRST_BEAM_STATES;
    for (uint32_t i = 0; i < s->beams / 2; i++)
        due *= 32;
    if (!s->options->beam || s->beams >= 4 || states < due || budget == UINT64_MAX)
        return EXACT_NONE;
    uint32_t width = s->beams < 2 ? (s->options->beam + 3) / 4 : s->options->beam;
    bool found;
    uint32_t reverse = s->beams++ % 2 == 0;
    if (exact_beam(s->p, reverse, width, budget + 1, meter, order, &found, NULL) != HW_OK)
        return EXACT_FAILED;
    return found ? EXACT_FOUND : EXACT_NONE;
}

exact_outcome exact_search_decide(exact_search *s, uint64_t budget, hw_meter *meter,
                                  uint32_t *order)
{
    for (;;) {
        exact_engine *e = &s->engine[s->turn];
        exact_outcome outcome = exact_engine_run(e, budget, s->share, meter);
        if (outcome == EXACT_NONE)
            s->proved_by = s->turn;
        if (outcome == EXACT_FOUND)
            exact_engine_order(e, order);
        if (outcome != EXACT_PAUSED)
            return outcome;
        if (s->open[1 - s->turn])
            s->turn = 1 - s->turn;
        if (s->turn == 0 || !s->open[0]) {
            s->share *= 2;
            if (s->pause_at && s->engine[0].states + s->engine[1].states >= s->pause_at) {
                s->pause_at = 0;
                return EXACT_PAUSED;
            }
            if (!find_images(s))
                return EXACT_FAILED;
            outcome = try_beam(s, budget, meter, order);
            if (outcome != EXACT_NONE)
                return outcome;
            if (meter->over)
                return EXACT_OVER;
        }
    }
}
