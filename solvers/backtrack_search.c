/*
 * The search around the peak.  See backtrack.c for the rule and
 * backtrack_search.h for the parts.
 *
 * All that decides what a try comes to depends on the set of nodes that have
 * moved: keys, live, usages.  Hence three ways to end one early:
 *
 * - It has moved the same set as the order in hand at a step after the peak:
 *   the rest is as before, and the try has succeeded.  At a step up to the
 *   peak: the order's own prefix leads on from there, with more discrepancies
 *   left.
 * - It has moved a set that was met before with as many discrepancies left.
 *   Sets are known by a hash of 64 bits, of which a table of limited size keeps
 *   the latest; two sets of the same hash would cost a try, nothing else.
 * - A step reaches the peak, or, once the place of the peak is behind, exceeds it.
 *
 * The set is the order's own after t moves when none of the nodes moved stands
 * in the order at step t or later: one number, the greatest such step, tells.
 */
#include "solvers/backtrack_search.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SEEN_BITS = 14, /* of the table of sets met: 2^bits of them, four for each set there is */
    ASIDE = 2 * BACKTRACK_MOST_WIDTH, /* ready nodes that are passed over, at most */
    LOOK_EVERY = 1 << 20,             /* work between two looks at the clock     */
};

typedef struct backtrack_seen {
    uint64_t hash;
    uint32_t search, left;
} backtrack_seen;

static uint64_t item_hash(uint32_t item)
{
    uint64_t z = (item + UINT64_C(1)) * 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

hw_code backtrack_open(backtrack_search *s, const hw_model *m, bool backwards,
                       const backtrack_options *options, hw_meter *meter, hw_error *err)
{
    uint32_t n = m->n_nodes;
    memset(s, 0, sizeof *s);
    s->options = *options;
    s->meter = meter;
    s->most_work = UINT64_MAX;
    s->item = HW_NEW(uint32_t, n);
    s->usage = HW_NEW(uint64_t, n);
    s->n_frames = options->back < n ? options->back + 1 : n;
    s->frame = HW_NEW(backtrack_frame, s->n_frames);
    s->keys = HW_NEW(hw_key, (size_t)s->n_frames * (options->width + 1));
    s->seen_bits = n + 2 < MOST_SEEN_BITS ? n + 2 : MOST_SEEN_BITS;
    s->seen = HW_NEW0(backtrack_seen, (size_t)1 << s->seen_bits);
    hw_code code = beam_walk_open(&s->walk, m, backwards, err);
    if (code == HW_OK && (!s->item || !s->usage || !s->frame || !s->keys || !s->seen ||
                          !backtrack_order_init(&s->order, n)))
        code = hw_fail_memory(err, "the search around the peak");
    return code;
}

void backtrack_close(backtrack_search *s)
{
    beam_walk_close(&s->walk);
    backtrack_order_free(&s->order);
    free(s->item);
    free(s->usage);
    free(s->frame);
    free(s->keys);
    free(s->seen);
    memset(s, 0, sizeof *s);
}

/* ---- Moves, counted. ---- */

/* Count a move; true when the search has to end. */
static bool count(backtrack_search *s)
{
    bool over = hw_meter_count(s->meter, 1);
    if (s->walk.work - s->looked >= LOOK_EVERY) { /* few moves, but long ones */
        s->looked = s->walk.work;
        over = hw_meter_look(s->meter);
    }
    return over || s->walk.work >= s->most_work;
}

static bool move(backtrack_search *s, uint32_t item)
{
    beam_walk_do(&s->walk, item);
    s->at++;
    return count(s);
}

static bool move_back(backtrack_search *s, uint32_t item)
{
    beam_walk_undo(&s->walk, item);
    s->at--;
    return count(s);
}

/* Take back moves of the try down to step `to`.  True: the search has to end. */
static bool take_back(backtrack_search *s, uint32_t to)
{
    bool over = false;
    while (s->at > to && !over)
        over = move_back(s, s->item[s->at - 1]);
    return over;
}

/* Along the order in hand, whose prefix the walk is, to step `to`.  True: the search has to end. */
static bool go_to(backtrack_search *s, uint32_t to)
{
    bool over = false;
    while (s->at > to && !over)
        over = move_back(s, s->order.item[s->at - 1]);
    while (s->at < to && !over)
        over = move(s, s->order.item[s->at]);
    return over;
}

/* ---- Choices. ---- */

/* May the ready node of this key run next, its usage below `limit`? */
static bool may_run(const backtrack_search *s, hw_key key, uint64_t limit)
{
    return hw_gate_allows(&s->walk.gate, hw_key_item(key)) &&
           beam_walk_usage(&s->walk, key) < limit;
}

/* The least key in the heap of nodes that may run, besides `but`; 0: none. */
static hw_key find_least(backtrack_search *s, uint64_t limit, uint32_t but)
{
    const hw_heap *ready = &s->walk.ready;
    hw_key least = 0;
    s->walk.work += ready->count;
    for (uint32_t i = 0; i < ready->count; i++) {
        hw_key key = ready->slot[i];
        if ((least == 0 || key < least) && hw_key_item(key) != but && may_run(s, key, limit))
            least = key;
    }
    return least;
}

/*
 * The `most` best keys of nodes that may run next with a usage below `limit`,
 * best first, besides node `but` (HW_NONE: none); returns how many there are.
 * After ASIDE keys the rest is looked at only where windows could leave none.
 */
static uint32_t find_best(backtrack_search *s, uint32_t most, uint64_t limit, uint32_t but,
                          hw_key *best)
{
    hw_heap *ready = &s->walk.ready;
    hw_key aside[ASIDE];
    uint32_t found = 0, n_aside = 0;
    if (most == 1 && but == HW_NONE && ready->count && may_run(s, ready->slot[0], limit)) {
        best[0] = ready->slot[0];
        return 1;
    }
    while (found < most && n_aside < ASIDE && ready->count) {
        hw_key key = aside[n_aside++] = hw_heap_pop(ready);
        if (hw_key_item(key) != but && may_run(s, key, limit))
            best[found++] = key;
    }
    if (found == 0 && s->walk.gate.windows) {
        best[0] = find_least(s, limit, but);
        found = best[0] != 0;
    }
    s->walk.work += n_aside;
    while (n_aside)
        hw_heap_push(ready, aside[--n_aside]);
    return found;
}

/* Note the try's next move and make it.  True: the search has to end. */
static bool choose(backtrack_search *s, hw_key key)
{
    s->item[s->at] = hw_key_item(key);
    s->usage[s->at] = beam_walk_usage(&s->walk, key);
    return move(s, hw_key_item(key));
}

/* Has this set been met with as many discrepancies left?  It has now. */
static bool seen_before(backtrack_search *s, uint64_t hash, uint32_t left)
{
    backtrack_seen *seen = &s->seen[hash >> (64 - s->seen_bits)];
    if (seen->search == s->search && seen->hash == hash && seen->left >= left)
        return true;
    *seen = (backtrack_seen){hash, s->search, left};
    return false;
}

/* ---- Whole orders. ---- */

backtrack_end backtrack_greedy(backtrack_search *s)
{
    uint32_t n = s->order.n;
    while (s->at < n) {
        hw_key key;
        if (find_best(s, 1, UINT64_MAX, HW_NONE, &key) == 0)
            return BACKTRACK_STUCK;
        if (choose(s, key) && s->at < n)
            return BACKTRACK_OVER;
    }
    backtrack_order_put(&s->order, 0, n, s->item, s->usage);
    return BACKTRACK_BETTER;
}

backtrack_end backtrack_take(backtrack_search *s, const uint32_t *order)
{
    uint32_t n = s->order.n;
    if (go_to(s, 0))
        return BACKTRACK_OVER;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = beam_walk_node(&s->walk, s->walk.backwards ? order[n - 1 - i] : order[i]);
        if (choose(s, hw_heap_key(&s->walk.ready, item)))
            return BACKTRACK_OVER;
    }
    backtrack_order_put(&s->order, 0, n, s->item, s->usage);
    return BACKTRACK_BETTER;
}

/* ---- Tries. ---- */

/* Does the try, which stands after the peak's step, succeed?  `above` and hash as in a frame. */
static backtrack_end complete(backtrack_search *s, uint32_t above, uint64_t hash)
{
    uint64_t peak = backtrack_order_peak(&s->order);
    for (;;) {
        hw_key key;
        if (above == s->at)
            return BACKTRACK_BETTER;
        if (find_best(s, 1, UINT64_MAX, HW_NONE, &key) == 0 ||
            beam_walk_usage(&s->walk, key) > peak)
            return BACKTRACK_FAILED;
        uint32_t item = hw_key_item(key), step = s->order.step[item];
        above = step >= above ? step + 1 : above;
        hash ^= item_hash(item);
        if (choose(s, key))
            return BACKTRACK_OVER;
        if (above != s->at && seen_before(s, hash, 0))
            return BACKTRACK_FAILED;
    }
}

/* Lay out the choices of the step where the walk stands. */
static void open_frame(backtrack_search *s, uint32_t depth, backtrack_frame from,
                       uint32_t peak_step)
{
    uint64_t peak = backtrack_order_peak(&s->order);
    hw_key *keys = s->keys + (size_t)depth * (s->options.width + 1);
    uint32_t found = 0, own = s->at < s->order.n ? s->order.item[s->at] : HW_NONE;
    from.first = from.next = depth * (s->options.width + 1);
    if (from.with_order) {
        /* The order's own choice comes first and is no discrepancy; at the peak there is none. */
        keys[0] = s->at < peak_step ? hw_heap_key(&s->walk.ready, own) : 0;
        found = 1;
        if (from.left)
            found += find_best(s, s->options.width, peak, own, keys + 1);
        from.next += s->at == peak_step;
    } else {
        found = find_best(s, from.left ? s->options.width + 1 : 1, peak, HW_NONE, keys);
    }
    from.end = from.first + found;
    s->frame[depth] = from;
}

/* Try every way with `left` discrepancies from step `begin` on, where the walk stands. */
static backtrack_end try_all(backtrack_search *s, uint32_t begin, uint32_t peak_step, uint32_t left)
{
    uint32_t depth = 1;
    open_frame(s, 0, (backtrack_frame){.left = left, .above = begin, .with_order = true},
               peak_step);
    while (depth) {
        backtrack_frame *f = &s->frame[depth - 1], next = *f;
        if (take_back(s, begin + depth - 1))
            return BACKTRACK_OVER;
        if (f->next == f->end) {
            depth--;
            continue;
        }
        hw_key key = s->keys[f->next];
        uint32_t item = hw_key_item(key), step = s->order.step[item];
        next.left -= f->next++ > f->first;
        next.with_order &= step == s->at;
        next.above = step >= next.above ? step + 1 : next.above;
        next.hash ^= item_hash(item);
        if (choose(s, key))
            return BACKTRACK_OVER;
        if (next.above == s->at && !next.with_order) {
            if (s->at > peak_step)
                return BACKTRACK_BETTER;
            continue;
        }
        if (seen_before(s, next.hash, next.left))
            continue;
        if (s->at <= peak_step) {
            open_frame(s, depth++, next, peak_step);
        } else if (next.left == 0) { /* with some left it is a try of an earlier turn */
            backtrack_end end = complete(s, next.above, next.hash);
            if (end != BACKTRACK_FAILED)
                return end;
        }
    }
    return BACKTRACK_FAILED;
}

backtrack_end backtrack_around_peak(backtrack_search *s)
{
    uint32_t peak_step = backtrack_order_peak_step(&s->order);
    uint32_t begin = peak_step < s->n_frames ? 0 : peak_step + 1 - s->n_frames;
    if (go_to(s, begin))
        return BACKTRACK_OVER;
    s->search++;
    for (uint32_t left = 1; left <= s->options.discrepancies; left++) {
        backtrack_end end = try_all(s, begin, peak_step, left);
        if (end == BACKTRACK_BETTER)
            backtrack_order_put(&s->order, begin, s->at - begin, s->item + begin, s->usage + begin);
        if (end != BACKTRACK_FAILED)
            return end;
    }
    return BACKTRACK_FAILED;
}
