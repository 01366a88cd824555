/*
 * Depth-first search over prefixes.  See exact_engine.h.
 *
 * Let d(v|S) = live(S + v) - live(S).  `live` is submodular on the prefixes:
 * what v frees only grows with S, so d(v|.) never rises as S grows.
 *
 * R1, safe move.  v ready, d(v|S) <= 0 and the step within B: run v at once.
 * Move v to the front of any completion: every later step sees live no higher
 * than before (d(v|.) stays <= 0) and in-place reuse no smaller.  Moves stay
 * safe as others are made, so the closure of a prefix does not depend on the
 * order in which they are made; prefixes are looked up and stored closed.
 *
 * R1', backwards from R.  v maximal, live(R - v) <= live(R) and the step of v
 * at R - v within B without any reuse: take v off at once.  The same proof with
 * intersections.  A step that loses its reuse of a buffer x because v, a user
 * of x, now runs later is paid for: freed(v|R - v) then holds x and
 * freed(v|U - v) does not, so live falls by at least the size of x.  Reuse is
 * left out of the test so that the closure is unique here too.
 *
 * A prefix is entered (closed, looked up, its moves listed), its moves are
 * tried, and when none is left it is dead: no order ends within B.  Then it is
 * dead for every smaller budget as well.
 */
#include "solvers/exact_engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code exact_engine_init(exact_engine *e, const exact_problem *p, bool reverse,
                          const exact_rules *rules, uint64_t memory_bytes, hw_error *err)
{
    memset(e, 0, sizeof *e);
    e->p = p;
    e->rules = *rules;
    if (p->earliest)
        e->rules = (exact_rules){0};
    hw_code code = exact_walk_init(&e->walk, p, reverse, err);
    if (code == HW_OK)
        code = exact_dead_init(&e->dead, p->words, memory_bytes, err);
    if (code == HW_OK)
        code = exact_moves_init(&e->moves, p, err);
    if (code == HW_OK)
        code = exact_commit_init(&e->commit, p, err);
    e->unclosed = HW_NEW(uint64_t, p->words);
    e->image = HW_NEW(uint64_t, (size_t)2 * p->words);
    if (code == HW_OK && (!e->unclosed || !e->image))
        code = hw_fail_memory(err, "the search");
    if (code != HW_OK)
        exact_engine_free(e);
    return code;
}

void exact_engine_free(exact_engine *e)
{
    exact_walk_free(&e->walk);
    exact_dead_free(&e->dead);
    exact_moves_free(&e->moves);
    exact_commit_free(&e->commit);
    free(e->frame);
    free(e->unclosed);
    free(e->image);
    memset(e, 0, sizeof *e);
}

void exact_engine_order(const exact_engine *e, uint32_t *order)
{
    uint32_t n = e->p->n;
    for (uint32_t i = 0; i < n; i++)
        order[i] = e->walk.trail[e->walk.reverse ? n - 1 - i : i];
}

int exact_engine_progress(const exact_engine *e)
{
    double share = 1;
    for (size_t i = 0; i < e->n_frames; i++) {
        const exact_frame *f = &e->frame[i];
        bool top = i + 1 == e->n_frames;
        size_t end = top ? e->moves.count : e->frame[i + 1].first;
        size_t done = f->next - f->first - !top; /* the last one begun is not */
        if (end == f->first)
            break;
        share /= (double)(end - f->first);
        if (done)
            return ilogb(share * (double)done);
    }
    return ilogb(share);
}

static void close_prefix(exact_engine *e)
{
    exact_walk *w = &e->walk;
    if (!(w->reverse ? e->rules.safe_reverse : e->rules.safe))
        return;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 0; i < e->p->words; i++)
            for (uint64_t bits = w->ready[i] & w->falls[i]; bits; bits &= bits - 1) {
                uint32_t v = i * 64 + (uint32_t)__builtin_ctzll(bits);
                uint64_t usage = w->reverse ? exact_walk_usage_plain(w, v) : exact_walk_usage(w, v);
                if (usage > e->budget)
                    continue;
                exact_walk_do(w, v);
                moved = true;
            }
    }
}

/* R3: nothing is left to be freed and nothing needs more than its outputs. */
static bool only_outputs_left(const exact_engine *e)
{
    const exact_walk *w = &e->walk;
    if (w->reverse || !e->rules.macros || w->open)
        return false;
    for (uint32_t i = 0; i < e->p->words; i++)
        if (e->p->impure[i] & ~w->done[i])
            return false;
    return true;
}

static void run_rest(exact_walk *w)
{
    for (uint32_t v = 0; v < w->p->n; v++) /* node numbers are topological */
        if (!exact_has(w->done, v))
            exact_walk_do(w, v);
}

/* Has a node that is left missed its last (backwards: first) position? */
static bool too_late(const exact_walk *w)
{
    const exact_problem *p = w->p;
    uint32_t step = exact_walk_step(w);
    for (uint32_t v = 0; p->earliest && v < p->n; v++)
        if (!exact_has(w->done, v) && (w->reverse ? p->earliest[v] > step : p->latest[v] < step))
            return true;
    return false;
}

/* Where the moves of a frame end in the list of moves. */
static size_t end_of(const exact_engine *e, size_t frame)
{
    return frame + 1 < e->n_frames ? e->frame[frame + 1].first : e->moves.count;
}

/*
 * R2 over several moves: of the first n frames, all of them prefixes on the way
 * to where the walk stands, leave their other moves untried from the outermost
 * on for which this is a valley.  Outer frames are likelier not to be, so after
 * a miss half of the way inwards is left out.
 */
static void drop_siblings(exact_engine *e, size_t n)
{
    size_t from = n, left = n; /* left: the innermost frame with moves left, plus 1 */
    if (!e->rules.deep)
        return;
    while (left && e->frame[left - 1].next == end_of(e, left - 1))
        left--;
    while (from && e->frame[from - 1].live >= e->walk.live)
        from--;
    while (from < left) {
        if (exact_commit_is_valley(&e->commit, &e->walk, e->frame[from].count)) {
            for (size_t i = from; i < left; i++) {
                e->frame[i].next = end_of(e, i);
                e->frame[i].how = EXACT_HOW_COMMIT;
                e->frame[i].witness = e->walk.count;
            }
            return;
        }
        from += (n - from + 1) / 2;
    }
}

typedef enum entered { COMPLETE, KNOWN_DEAD, PUSHED, NO_ROOM } entered;

/*
 * A prefix whose closure is dead is dead.  Stored as it was before it was
 * closed, it is known the next time without being walked to.
 */
static void bury_unclosed(exact_engine *e, uint32_t made)
{
    if (e->walk.count == made || e->dead.full)
        return;
    memcpy(e->unclosed, e->walk.done, e->p->words * sizeof *e->unclosed);
    for (uint32_t i = made; i < e->walk.count; i++)
        exact_drop(e->unclosed, e->walk.trail[i]);
    exact_dead_add(&e->dead, e->unclosed);
}

/* The image of the walk's prefix by which it is looked up, if it is another. */
static bool find_image(exact_engine *e)
{
    if (!e->images || e->images->n_maps == 0)
        return false;
    memcpy(e->image, e->walk.done, e->p->words * sizeof *e->image);
    return exact_images_settle(e->images, e->image, e->image + e->p->words);
}

static void bury_image(exact_engine *e)
{
    if (find_image(e))
        exact_dead_add(&e->dead, e->image);
}

/* Enter the prefix that the walk has come to from `base` moves. */
static entered enter(exact_engine *e, uint32_t base)
{
    exact_walk *w = &e->walk;
    uint32_t made = w->count;
    close_prefix(e);
    if (e->n_frames) /* a commit of one macro-step; commits over several come below */
        e->frame[e->n_frames - 1].witness = w->count;
    if (w->live < e->goal)
        return COMPLETE;
    if (w->count < w->p->n && only_outputs_left(e))
        run_rest(w);
    if (w->count == w->p->n)
        return COMPLETE;
    if (exact_dead_has(&e->dead, w->done) ||
        (find_image(e) && exact_dead_has(&e->dead, e->image))) {
        bury_unclosed(e, made);
        drop_siblings(e, e->n_frames);
        return KNOWN_DEAD;
    }
    void *array = e->frame;
    if (!hw_grow(&array, &e->frame_capacity, e->n_frames + 1, sizeof *e->frame))
        return NO_ROOM;
    e->frame = array;
    exact_frame *f = &e->frame[e->n_frames++];
    *f = (exact_frame){.base = base,
                       .made = made,
                       .count = w->count,
                       .live = w->live,
                       .first = e->moves.count,
                       .next = e->moves.count};
    e->states++;
    if (!too_late(w))
        f->how = exact_moves_find(&e->moves, w, &e->dead, &e->rules, e->budget);
    drop_siblings(e, e->n_frames - 1);
    return e->moves.no_memory ? NO_ROOM : PUSHED;
}

static void back_to(exact_walk *w, uint32_t count)
{
    while (w->count > count)
        (void)exact_walk_undo(w);
}

/*
 * Tell of the frame f, just taken off.  What has been undone since the witness
 * of a commit died still stands in the trail.  The prefix before it, if it is
 * decided by the same witness, is dead next: its path runs through this one.
 */
static void tell(const exact_engine *e, const exact_frame *f)
{
    const exact_frame *before = e->n_frames ? f - 1 : NULL;
    bool commit = f->how == EXACT_HOW_COMMIT;
    if (!e->on_dead ||
        (commit && before && before->how == EXACT_HOW_COMMIT && before->witness == f->witness))
        return;
    e->on_dead(e->context, &e->walk, f->how, e->walk.trail + f->count,
               commit ? f->witness - f->count : 0);
}

/* The prefix on top is dead: tell, store, drop. */
static void bury(exact_engine *e)
{
    exact_frame *f = &e->frame[--e->n_frames];
    exact_dead_add(&e->dead, e->walk.done);
    bury_unclosed(e, f->made);
    bury_image(e);
    tell(e, f);
    e->moves.count = f->first;
    back_to(&e->walk, f->base);
}

static exact_outcome start(exact_engine *e, uint64_t budget)
{
    back_to(&e->walk, 0);
    e->n_frames = 0;
    e->moves.count = 0;
    e->budget = budget;
    e->running = false;
    if (e->p->live_start > budget || e->p->live_end > budget)
        return EXACT_NONE;
    switch (enter(e, 0)) {
    case COMPLETE:
        return EXACT_FOUND;
    case KNOWN_DEAD:
        return EXACT_NONE;
    case NO_ROOM:
        return EXACT_FAILED;
    default:
        e->running = true;
        return EXACT_PAUSED;
    }
}

exact_outcome exact_engine_run(exact_engine *e, uint64_t budget, uint64_t states, hw_meter *meter)
{
    if (!e->running || e->budget != budget) {
        exact_outcome outcome = start(e, budget);
        if (outcome != EXACT_PAUSED)
            return outcome;
        if (hw_meter_count(meter, 1))
            return EXACT_OVER;
    }
    uint64_t stop_at = e->states + states;
    while (e->n_frames) {
        exact_frame *f = &e->frame[e->n_frames - 1];
        if (f->next == e->moves.count) {
            bury(e);
            continue;
        }
        if (e->states >= stop_at)
            return EXACT_PAUSED;
        uint32_t base = e->walk.count;
        exact_move move = e->moves.item[f->next++];
        exact_move_set(&e->walk, &move, e->unclosed);
        for (uint32_t i = 0; i < e->p->words; i++)
            e->unclosed[i] |= e->walk.done[i];
        if (f->how != EXACT_HOW_COMMIT && exact_dead_has(&e->dead, e->unclosed))
            continue;
        exact_move_make(&e->moves, &e->walk, &move);
        switch (enter(e, base)) {
        case COMPLETE:
            e->running = false;
            return EXACT_FOUND;
        case NO_ROOM:
            e->running = false;
            return EXACT_FAILED;
        case KNOWN_DEAD:
            back_to(&e->walk, base);
            break;
        case PUSHED:
            if (hw_meter_count(meter, 1))
                return EXACT_OVER;
            break;
        }
    }
    e->running = false;
    return EXACT_NONE;
}
