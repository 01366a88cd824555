/*
 * Lists of dead prefixes for highwater-check: facts (1) to (3) of
 * highwater-check.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

/* ---- The listed prefixes, by open addressing. ---- */

static uint64_t *slot_of(const search *s, const uint64_t *set, uint64_t hash)
{
    uint32_t words = s->w.words;
    for (size_t at = (size_t)(hash >> 1) & (s->slots - 1);; at = (at + 1) & (s->slots - 1)) {
        uint64_t *here = s->slot + at * (words + 1);
        if (!*here || (*here == hash && memcmp(here + 1, set, words * sizeof *set) == 0))
            return here;
    }
}

static uint64_t hash_of(const search *s)
{
    uint64_t h = 0;
    for (uint32_t k = 0; k < s->w.words; k++) {
        h = (h ^ s->w.done[k]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h | 1;
}

static void list_prefix(search *s)
{
    size_t words = s->w.words, n = s->slots;
    if (2 * ++s->listed > n) {
        uint64_t *old = s->slot;
        s->slots = n ? 2 * n : 1024;
        s->slot = check_room(s->slots * (words + 1), sizeof *s->slot);
        for (size_t i = 0; i < n; i++) {
            const uint64_t *x = &old[i * (words + 1)];
            if (*x)
                memcpy(slot_of(s, x + 1, *x), x, (words + 1) * sizeof *x);
        }
        free(old);
    }
    uint64_t hash = hash_of(s), *slot = slot_of(s, s->w.done, hash);
    *slot = hash;
    memcpy(slot + 1, s->w.done, words * sizeof *slot);
}

/* ---- Moves. ---- */

/* The first node from v on that is in the set; NOBODY: none. */
static uint32_t member(const search *s, const uint64_t *set, uint32_t v)
{
    uint32_t k = v / 64;
    uint64_t bits = k < s->w.words ? set[k] & (UINT64_MAX << (v % 64)) : 0;
    while (!bits && ++k < s->w.words)
        bits = set[k];
    return bits ? 64 * k + (uint32_t)__builtin_ctzll(bits) : NOBODY;
}

static void move(search *s, uint32_t v)
{
    walk_flip(&s->w, v);
    check_push(&s->trail, v);
}

static void back_to_prefix(search *s)
{
    while (s->trail.n)
        walk_flip(&s->w, s->trail.at[--s->trail.n]);
}

static void close_prefix(search *s)
{
    const walk *w = &s->w;
    for (bool moved = !s->windows; moved;) {
        moved = false;
        for (uint32_t k = 0; k < s->w.words; k++)
            for (uint64_t bits = w->ready[k] & w->falls[k]; bits; bits &= bits - 1) {
                uint32_t v = 64 * k + (uint32_t)__builtin_ctzll(bits);
                if ((w->reverse ? walk_usage_plain(w, v) : walk_usage(w, v)) > s->budget)
                    continue;
                move(s, v);
                moved = true;
            }
    }
}

/* Have all nodes moved, or do those that are left only add up to live of the end? */
static bool complete(const search *s)
{
    bool all = true, pure = !s->windows && !s->w.reverse && s->w.open == 0;
    for (uint32_t v = 0; v < s->g->n && (all || pure); v++)
        if (!has(s->w.done, v)) {
            all = false;
            pure = pure && !has(s->impure, v);
        }
    return all || pure;
}

/* Close the prefix reached: is it listed? */
static bool is_dead(search *s)
{
    close_prefix(s);
    if (complete(s))
        check_die(1, "an order within %" PRIu64 " exists", s->budget);
    return s->slots && *slot_of(s, s->w.done, hash_of(s));
}

static void require_dead(search *s)
{
    if (!is_dead(s))
        check_die(1, "a successor of prefix %zu is not listed before it", s->listed + 1);
}

/* All ready nodes, in their windows; none, when one that waits has missed its own. */
static void check_plain(search *s)
{
    const walk *w = &s->w;
    int64_t step = w->reverse ? (int64_t)s->g->n - 1 : 0;
    for (uint32_t v = 0; v < s->g->n && s->windows; v++)
        step += has(w->done, v) ? (w->reverse ? -1 : 1) : 0;
    for (uint32_t v = 0; v < s->g->n && s->windows; v++)
        if (!has(w->done, v) && (w->reverse ? s->first[v] > step : s->last[v] < step))
            return;
    for (uint32_t v = member(s, w->ready, 0); v != NOBODY; v = member(s, w->ready, v + 1))
        if ((!s->windows || (s->first[v] <= step && step <= s->last[v])) &&
            walk_usage(w, v) <= s->budget) {
            move(s, v);
            require_dead(s);
            back_to_prefix(s);
        }
}

/* ---- Macro-steps. ---- */

/* Can the set wait for w, as far as it shows here?  If not, no larger set can either. */
static bool may_wait(const search *s, const uint64_t *set, uint32_t w)
{
    uint64_t live = s->w.live;
    for (uint32_t k = 0; k < s->w.words; k++) {
        uint64_t bits = k == w / 64 ? set[k] & ~(UINT64_C(1) << (w % 64)) : set[k];
        if (bits & (s->impure[k] | s->w.frees[k]))
            return false;
        for (; bits; bits &= bits - 1)
            live += s->g->v[64 * k + (uint32_t)__builtin_ctzll(bits)].made;
    }
    return live <= s->budget;
}

/* The macro-step of the set, ended by w. */
static void check_macro(search *s, const uint64_t *set, uint32_t w)
{
    bool good = true;
    for (uint32_t v = member(s, set, 0); v != NOBODY && good; v = member(s, set, v + 1))
        if (v != w && (good = !has(s->w.frees, v)))
            move(s, v);
    good = good && (s->g->v[w].gain || has(s->impure, w)) && walk_usage(&s->w, w) <= s->budget;
    if (good) {
        move(s, w);
        require_dead(s);
    }
    back_to_prefix(s);
}

/*
 * The set at `level` and what makes w free its storage k as well, laid above
 * it; false: nothing more, or w is not the last of its users.
 */
static bool enlarge(search *s, uint32_t w, uint32_t k, uint32_t level)
{
    uint32_t freed = s->g->v[w].uses.at[k];
    const uint64_t *set = s->set + (size_t)level * s->w.words, *closure = s->closure[freed];
    uint64_t *more = s->set + (size_t)(level + 1) * s->w.words, added = 0;
    const list *users = &s->g->s[freed].users;
    for (uint32_t i = 0; i < s->w.words && closure; i++) {
        more[i] = set[i] | (closure[i] & ~s->w.done[i]);
        added |= more[i] & ~set[i];
    }
    for (uint32_t i = 0; i < users->n && added; i++)
        if (users->at[i] != w && has(s->above + (size_t)users->at[i] * s->w.words, w))
            added = 0;
    return added;
}

/*
 * All macro-steps that w ends: of the set at level 0, and of the sets that make
 * w free some of its storages as well.  Depth first; how deep is up to the
 * graph, so the way down is no recursion.
 */
static void check_macros(search *s, uint32_t w)
{
    uint32_t n = s->g->v[w].uses.n, k = 0; /* k: the next storage, at the level reached */
    list *way = &s->way;                   /* storages, one for each level above 0      */
    way->n = 0;
    for (bool fresh = true;;) {
        const uint64_t *set = s->set + (size_t)way->n * s->w.words;
        bool on = !fresh || may_wait(s, set, w);
        if (fresh && on)
            check_macro(s, set, w);
        on = on && (s->w.free_first || way->n == 0);
        while (on && k < n && !enlarge(s, w, k, way->n))
            k++;
        fresh = on && k < n;
        if (fresh)
            check_push(way, k++);
        else if (way->n > 0)
            k = way->at[--way->n] + 1;
        else
            return;
    }
}

static void check_all_macros(search *s)
{
    for (uint32_t v = 0; v < s->g->n; v++) {
        if (has(s->w.done, v))
            continue;
        for (uint32_t k = 0; k < s->w.words; k++)
            s->set[k] = s->above[(size_t)v * s->w.words + k] & ~s->w.done[k];
        check_macros(s, v);
    }
}

/* ---- The list. ---- */

static uint64_t read_number(const search *s)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        int byte = getc_unlocked(s->in);
        if (byte == EOF)
            break;
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
    if (ferror(s->in))
        check_die(3, "the proof cannot be read after prefix %zu", s->listed);
    check_die(1, "the list is cut short or malformed after prefix %zu", s->listed);
}

static uint32_t read_node(const search *s)
{
    uint64_t index = read_number(s);
    if (index >= s->g->n)
        check_die(1, "after prefix %zu a node does not exist", s->listed);
    return s->g->place[index];
}

/* One node into or out of the prefix; every set on the way is a prefix. */
static void read_flip(search *s)
{
    uint32_t v = read_node(s);
    const list *next = s->w.reverse ? &s->g->v[v].pred : &s->g->v[v].succ;
    bool good = has(s->w.done, v) || has(s->w.ready, v);
    for (uint32_t k = 0; k < next->n && has(s->w.done, v); k++)
        good = good && !has(s->w.done, next->at[k]);
    if (!good)
        check_die(1, "prefix %zu is none", s->listed + 1);
    walk_flip(&s->w, v);
}

/* A listed prefix, least live among those up to it; the path leads through dead ones, too. */
static void check_commit(search *s)
{
    list *path = &s->path;
    path->n = 0;
    for (uint64_t n = read_number(s); n; n--) {
        uint32_t v = read_node(s);
        if (!has(s->w.ready, v) || s->windows)
            check_die(1, "the path from prefix %zu leads through no prefixes", s->listed + 1);
        move(s, v);
        check_push(path, v);
    }
    require_dead(s);
    uint64_t live = s->w.live;
    uint32_t n = s->trail.n;
    if (s->w.reverse)
        back_to_prefix(s);
    if (live > walk_least_live(&s->w, s->trail.at, n))
        check_die(1, "the path from prefix %zu loses something", s->listed + 1);
    back_to_prefix(s);
    for (uint32_t i = 0; i + 1 < path->n; i++) {
        walk_flip(&s->w, path->at[i]);
        close_prefix(s);
        if (s->trail.n == 0) /* others are never looked for */
            list_prefix(s);
        back_to_prefix(s);
    }
    for (uint32_t i = path->n; i-- > 1;)
        walk_flip(&s->w, path->at[i - 1]);
}

/* Sets of nodes; nodes are numbered topologically. */
static void lay_sets(search *s)
{
    graph *g = s->g;
    uint32_t words = s->w.words, most_uses = 0;
    s->impure = check_room(words, sizeof *s->impure);
    s->above = check_room((size_t)g->n * words, sizeof *s->above);
    s->closure = check_room(g->n_s, sizeof *s->closure);
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t *above = s->above + (size_t)v * words;
        put(above, v, true);
        if (g->v[v].workspace || g->v[v].made != g->v[v].kept)
            put(s->impure, v, true);
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            for (uint32_t i = 0; i < words; i++)
                above[i] |= s->above[(size_t)g->v[v].pred.at[k] * words + i];
        for (uint32_t k = 0; k < g->v[v].uses.n; k++) {
            uint64_t **closure = &s->closure[g->v[v].uses.at[k]];
            *closure = *closure ? *closure : check_room(words, sizeof **closure);
            for (uint32_t i = 0; i < words; i++)
                (*closure)[i] |= above[i];
        }
        most_uses = g->v[v].uses.n > most_uses ? g->v[v].uses.n : most_uses;
    }
    s->set = check_room((size_t)(most_uses + 2) * words, sizeof *s->set);
    for (uint32_t v = 0; v < g->n && !s->w.free_first; v++)
        for (uint32_t k = 0; k < g->v[v].pairs.n; k += 2) {
            const storage *x = &g->s[g->t[g->v[v].pairs.at[k]].storage];
            for (uint32_t i = 0; i < x->users.n; i++)
                if (x->dies && g->t[g->v[v].pairs.at[k + 1]].size && x->users.at[i] != v)
                    put(s->impure, x->users.at[i], true);
        }
}

void check_search(search *s, bool reverse)
{
    walk_start(&s->w, s->g, s->free_first, reverse);
    lay_sets(s);
    for (uint64_t head; (head = read_number(s));) {
        for (uint64_t flips = --head / 3; flips; flips--)
            read_flip(s);
        if (complete(s))
            check_die(1, "prefix %zu can be completed", s->listed + 1);
        if (head % 3 == 1)
            check_commit(s);
        else if (s->windows || reverse || head % 3 == 2)
            check_plain(s);
        else
            check_all_macros(s);
        list_prefix(s);
    }
    if (getc(s->in) != EOF)
        check_die(1, "something follows the end of the list");
    walk_start(&s->w, s->g, s->free_first, reverse);
    require_dead(s);
}
