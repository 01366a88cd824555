/*
 * The rounds of lns: several tracks, each an order that is improved for itself.
 *
 * A round takes one track and does what comes next: shake it, unless it has just
 * gained; merge until that stalls; re-solve windows at the peak, and so on while
 * either helps.  What is worse in the end than the track was is forgotten.
 *
 * The first track is the order in hand.  When it has stalled, tracks from the
 * orders of other rules get their turns: how far a descent comes depends on its
 * start by some per cent.  Once all have stalled, the best goes on, with longer
 * searches in its windows; from time to time the worst is given up for a copy of
 * the best, shaken hard.
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/lns.h"
#include "solvers/lns_descent.h"

enum {
    STATES_A_NODE = 20,     /* without gain, after which merging has stalled; of a shake, too */
    STRENGTH = 64,          /* of a shake                                                    */
    HARD_STRENGTH = 900,    /* of one that makes a new track ...                             */
    HARD_STATES_A_NODE = 5, /* ... and its length                                            */
    PREFIXES = 500,         /* in one window, at first                                       */
    DOUBLE_EVERY = 4,       /* stalls of a track, until ...                                  */
    MOST_DOUBLED = 6,       /* ... so many times                                             */
    SETTLED = 4,            /* stalls after which a track waits for others                   */
    RENEW_EVERY = 12,       /* stalls of the best, and a track is given up                   */
    N_TRACKS = 4
};

static const char *const starts[N_TRACKS - 1] = {"greedy-reverse", "greedy", "lookahead"};

typedef struct track {
    uint32_t *order; /* NULL: not begun */
    uint64_t peak;
    uint32_t stalls; /* rounds since the last gain */
} track;

typedef struct run {
    const hw_model *m;
    const lns_options *options;
    const hw_request *request;
    lns_descent d;
    track track[N_TRACKS];
    uint32_t n_tracks, n_starts; /* of the tracks and of starts[], those used */
    uint32_t loaded;             /* the track that the descent works on       */
    uint32_t idle;               /* rounds since the best peak fell           */
} run;

static hw_code add_track(run *r, const uint32_t *order, uint64_t peak, hw_error *err)
{
    track *t = &r->track[r->n_tracks];
    *t = (track){.order = hw_copy(order, r->m->n_nodes, sizeof *order), .peak = peak};
    if (!t->order)
        return hw_fail_memory(err, "an order");
    r->n_tracks++;
    return HW_OK;
}

/* A track from the order of the next rule, unless it is one already. */
static hw_code start_track(run *r, hw_error *err)
{
    const hw_limits none = {0};
    hw_answer found = {.order = HW_NEW(uint32_t, r->m->n_nodes)};
    if (!found.order)
        return hw_fail_memory(err, "an order");
    hw_code code = hw_solve_inside(r->m, starts[r->n_starts++], &none, r->d.meter, r->request,
                                   &found, NULL, err);
    bool known = !found.has_order;
    for (uint32_t i = 0; i < r->n_tracks && code == HW_OK && !known; i++)
        known = memcmp(found.order, r->track[i].order, r->m->n_nodes * sizeof *found.order) == 0;
    if (code == HW_OK && !known)
        code = add_track(r, found.order, found.peak, err);
    free(found.order);
    return code;
}

/* The track of fewest stalls among those not settled, else the one of least peak. */
static uint32_t choose_track(const run *r)
{
    uint32_t fresh = 0, best = 0;
    for (uint32_t i = 1; i < r->n_tracks; i++) {
        fresh = r->track[i].stalls < r->track[fresh].stalls ? i : fresh;
        best = r->track[i].peak < r->track[best].peak ? i : best;
    }
    return r->track[fresh].stalls < SETTLED ? fresh : best;
}

static void load(run *r, uint32_t index)
{
    lns_range range = r->d.off_base;
    if (index != r->loaded)
        range = (lns_range){0, r->m->n_nodes};
    lns_descent_load(&r->d, r->track[index].order, range);
    r->loaded = index;
}

/* The worst track goes on from the best, shaken hard. */
static void renew_track(run *r, uint32_t best)
{
    uint32_t worst = best == 0 ? 1 : 0;
    for (uint32_t i = 0; i < r->n_tracks; i++)
        if (i != best && r->track[i].peak > r->track[worst].peak)
            worst = i;
    load(r, best);
    lns_descent_shake(&r->d, HARD_STRENGTH, (uint64_t)HARD_STATES_A_NODE * r->m->n_nodes);
    track *t = &r->track[worst];
    memcpy(t->order, r->d.work, r->m->n_nodes * sizeof *t->order);
    t->peak = local_order_peak(&r->d.l);
    t->stalls = 0;
    r->loaded = worst;
    r->d.off_base = (lns_range){r->m->n_nodes, 0};
}

/* What a round has made of its track. */
static void keep(run *r, track *t)
{
    uint64_t peak = local_order_peak(&r->d.l);
    const lns_range off = r->d.off_base;
    t->stalls = peak < t->peak ? 0 : t->stalls + 1;
    if (peak > t->peak || off.low >= off.high)
        return;
    memcpy(t->order + off.low, r->d.work + off.low, (off.high - off.low) * sizeof *t->order);
    t->peak = peak;
    r->d.off_base = (lns_range){r->m->n_nodes, 0};
}

static hw_code play_round(run *r, uint32_t index, hw_error *err)
{
    track *t = &r->track[index];
    uint64_t patience = (uint64_t)STATES_A_NODE * r->m->n_nodes, before = r->d.best_peak;
    uint32_t doubled = t->stalls / DOUBLE_EVERY;
    uint64_t prefixes = (uint64_t)PREFIXES << (doubled < MOST_DOUBLED ? doubled : MOST_DOUBLED);
    bool better = true;
    hw_code code = HW_OK;
    load(r, index);
    if (t->stalls)
        lns_descent_shake(&r->d, STRENGTH, patience);
    while (code == HW_OK && better && !lns_descent_over(&r->d)) {
        lns_descent_merge(&r->d, patience);
        code = lns_descent_resolve(&r->d, prefixes, &better, err);
    }
    keep(r, t);
    r->idle = r->d.best_peak < before ? 0 : r->idle + 1;
    return code;
}

static hw_code play(run *r, hw_error *err)
{
    uint32_t n_starts = r->options->starts ? N_TRACKS - 1 : 0;
    hw_code code = HW_OK;
    while (code == HW_OK && !lns_descent_over(&r->d)) {
        uint32_t index = choose_track(r);
        const track *t = &r->track[index];
        if (t->stalls && r->n_starts < n_starts) {
            code = start_track(r, err);
            continue;
        }
        if (r->options->patience && r->idle >= r->options->patience)
            break;
        if (t->stalls >= SETTLED && r->n_tracks > 1 && t->stalls % RENEW_EVERY == 0) {
            renew_track(r, index);
            r->track[index].stalls++;
            continue;
        }
        code = play_round(r, index, err);
    }
    return code;
}

hw_code lns_improve(const hw_model *m, const lns_options *options, const hw_request *request,
                    uint32_t *order, uint64_t *peak, hw_meter *meter, hw_answer *answer,
                    hw_error *err)
{
    run r = {.m = m, .options = options, .request = request};
    hw_code code = lns_descent_open(&r.d, m, options->window, options->exact, options->memory_bytes,
                                    request->seed, order, *peak, meter, answer, err);
    r.d.bound = options->bound > m->simple_bound ? options->bound : m->simple_bound;
    if (code == HW_OK)
        code = add_track(&r, order, *peak, err);
    if (code == HW_OK && m->n_nodes > 1)
        code = play(&r, err);
    *peak = r.d.best_peak;
    for (uint32_t i = 0; i < r.n_tracks; i++)
        free(r.track[i].order);
    lns_descent_close(&r.d);
    return code;
}
