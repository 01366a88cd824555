/*
 * highwater-check GRAPH ORDER PROOF: is the optimum of an order proven?
 *
 * What has to be trusted.  This program (check_graph.c reads, check_walk.c
 * knows live and usage, this file knows proofs), jansson and SHA-256; none of
 * the code that found order or proof.  And facts about live(S), the bytes
 * alive after exactly the nodes of the prefix S have run, which is submodular:
 * what a node v frees only grows with S.
 *
 * (1) Let B = N - 1.  A prefix is dead when no order that begins with it
 * (backwards: ends after it) keeps every step within B.  A proof lists dead
 * prefixes; the program checks for each that every successor exceeds B or is
 * listed before.  Successors are all ready nodes or, forwards, macro-steps
 * (A; w): A frees nothing, has no workspace and no dead output, w does not.
 * The nodes of A can wait until w needs them.  Alloc-first w needs its
 * ancestors and, for one storage that it frees, all users and their ancestors;
 * free-first every set of its inputs may be freed.  A node that reads what
 * another may overwrite cannot wait.
 * (2) A successor is closed before it is looked for: forwards a ready node
 * that does not raise live and fits in B is run at once (it can move to the
 * front of any completion), backwards a maximal node whose removal does not
 * raise live and whose step fits without reuse is taken off.  The closure does
 * not depend on the order of these moves.
 * (3) One macro-step to a listed prefix is enough where it loses nothing: to T
 * with live(T) <= live(S), and no prefix between is lower, as w is the only
 * maximal node, or frees nothing but one storage all of whose users ran in it.
 * (4) Some of the best orders, the one whose positions by node number are
 * least, runs for every symmetry of the graph the first node that it moves
 * before its image, for else taking the order along the symmetry would lower
 * the list; and where the symmetry exchanges two chains of nodes, pair by
 * pair, each smaller node before the larger, for else exchanging the chains
 * wherever the second is ahead would.  This holds for all symmetries at once,
 * also for those that the graph has with these edges only.
 * (5) A search may be confined to a piece between two prefixes through which
 * some order within B passes if there is any: a prefix all of whose nodes
 * precede all others (every order passes there); one with the least live in
 * the piece (run an order's nodes inside it first, then the others: live falls
 * nowhere below what it was, nor does reuse fall by more than live does); what
 * the moves of (2) lead to from either end.
 *
 * Positions bound steps where nodes have windows: then successors are all
 * ready nodes within their windows, and of (2) to (5) only the prefixes that
 * every order passes are left.  A bound is a number that every order reaches.
 * Nothing in the proof is believed: a changed proof is rejected, or still a
 * proof.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_walk.h"

/* A line of text of the proof. */
typedef struct proof_line {
    char *what, *which;
    list numbers;
} proof_line;

typedef struct search {
    graph *g;
    walk w;
    uint64_t budget; /* N - 1 */
    bool free_first;
    uint8_t *side;              /* of the piece a node runs 1: before, 2: after, 0: inside */
    uint32_t low, high;         /* once sorted by that: the nodes inside */
    uint32_t from, to;          /* the words of sets that hold them */
    bool windows;               /* no rules, positions count     */
    uint32_t open_end;          /* storages that the piece does not free */
    int64_t *earliest, *latest; /* positions of nodes            */
    uint64_t *piece, *impure;   /* sets: all nodes; those that cannot wait, whatever they free */
    uint64_t *above;            /* sets, of nodes: itself and its ancestors, in the piece */
    uint64_t **closure;         /* of storages that can die: their users and these' ancestors */
    uint64_t *set;              /* sets of macro-steps, one a level */
    bool commit, committed;     /* one macro-step is enough; it has been found */
    list trail;                 /* moves since the listed prefix */
    uint64_t *slot;             /* listed prefixes, each after its hash; 0: empty */
    size_t slots, listed;
} search;

/* Of two words, is it the second? */
static bool is_second(const char *word, const char *first, const char *second)
{
    bool is = strcmp(word, second) == 0;
    if (!is && strcmp(word, first) != 0)
        check_die(1, "'%s' in the proof is neither '%s' nor '%s'", word, first, second);
    return is;
}

/* ---- The listed prefixes, by open addressing. ---- */

static uint64_t *slot_of(const search *s, const uint64_t *set, uint64_t hash)
{
    uint32_t words = s->to - s->from;
    for (size_t at = (size_t)(hash >> 1) & (s->slots - 1);; at = (at + 1) & (s->slots - 1)) {
        uint64_t *here = s->slot + at * (words + 1);
        if (!*here || (*here == hash && memcmp(here + 1, set, words * sizeof *set) == 0))
            return here;
    }
}

static uint64_t hash_of(const search *s)
{
    uint64_t h = 0;
    for (uint32_t k = s->from; k < s->to; k++) {
        h = (h ^ s->w.done[k]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h | 1;
}

static void list_prefix(search *s)
{
    size_t words = s->to - s->from, n = s->slots;
    if (2 * ++s->listed > n) {
        uint64_t *old = s->slot;
        s->slots = n ? 2 * n : 1024;
        s->slot = check_room(s->slots * (words + 1), sizeof *s->slot);
        for (uint64_t *x = old; x < old + n * (words + 1); x += words + 1)
            if (*x)
                memcpy(slot_of(s, x + 1, *x), x, (words + 1) * sizeof *x);
        free(old);
    }
    uint64_t hash = hash_of(s), *slot = slot_of(s, s->w.done + s->from, hash);
    *slot = hash;
    memcpy(slot + 1, s->w.done + s->from, words * sizeof *slot);
}

/* ---- Moves. ---- */

/* The first node from v on that is in the set; NOBODY: none. */
static uint32_t member(const search *s, const uint64_t *set, uint32_t v)
{
    uint32_t k = v / 64;
    uint64_t bits = k < s->to ? set[k] & (UINT64_MAX << (v % 64)) : 0;
    while (!bits && ++k < s->to)
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
        for (uint32_t k = s->from; k < s->to; k++)
            for (uint64_t bits = w->ready[k] & w->falls[k] & s->piece[k]; bits; bits &= bits - 1) {
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
    bool all = true, pure = !s->windows && !s->w.reverse && s->w.open == s->open_end;
    for (uint32_t k = s->from; k < s->to; k++) {
        all = all && (s->piece[k] & ~s->w.done[k]) == 0;
        pure = pure && (s->impure[k] & ~s->w.done[k]) == 0;
    }
    return all || pure;
}

/* Close the prefix reached: is it listed? */
static bool is_dead(search *s)
{
    close_prefix(s);
    if (complete(s))
        check_die(1, "an order within %" PRIu64 " exists", s->budget);
    return s->slots && *slot_of(s, s->w.done + s->from, hash_of(s));
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
    int64_t step = w->reverse ? (int64_t)s->high - 1 : s->low;
    for (uint32_t v = s->low; v < s->high && s->windows; v++)
        step += has(w->done, v) ? (w->reverse ? -1 : 1) : 0;
    for (uint32_t v = s->low; v < s->high && s->windows; v++)
        if (!has(w->done, v) && (w->reverse ? s->earliest[v] > step : s->latest[v] < step))
            return;
    for (uint32_t v = s->low; v < s->high; v++)
        if (has(w->ready, v) && (!s->windows || (s->earliest[v] <= step && step <= s->latest[v])) &&
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
    for (uint32_t k = s->from; k < s->to; k++) {
        uint64_t bits = k == w / 64 ? set[k] & ~(UINT64_C(1) << (w % 64)) : set[k];
        if (bits & (s->impure[k] | s->w.frees[k]))
            return false;
        for (; bits; bits &= bits - 1)
            live += s->g->v[64 * k + (uint32_t)__builtin_ctzll(bits)].made;
    }
    return live <= s->budget;
}

/* The macro-step of the set, ended by w; x: the storage that it was made to free. */
static void check_macro(search *s, const uint64_t *set, uint32_t w, uint32_t x, uint32_t level)
{
    uint64_t before = s->w.live;
    bool good = true;
    for (uint32_t v = member(s, set, s->low); v != NOBODY && good; v = member(s, set, v + 1))
        if (v != w && (good = !has(s->w.frees, v)))
            move(s, v);
    good = good && (s->g->v[w].gain || has(s->impure, w)) && walk_usage(&s->w, w) <= s->budget;
    if (good && s->commit)
        good = walk_after(&s->w, w) <= before &&
               (level == 0 || (level == 1 && s->g->v[w].gain == s->g->s[x].size));
    if (good) {
        move(s, w);
        if (!s->commit)
            require_dead(s);
        else
            s->committed = is_dead(s);
    }
    back_to_prefix(s);
}

/*
 * All macro-steps that w ends: those of the set at this level, and of the sets
 * that make w free some of its storages k, k + 1, ... as well.
 */
static void check_macros(search *s, uint32_t w, uint32_t k, uint32_t x, uint32_t level)
{
    const list *uses = &s->g->v[w].uses;
    uint64_t *set = s->set + (size_t)level * s->w.words, *more = set + s->w.words;
    if (!may_wait(s, set, w))
        return;
    check_macro(s, set, w, x, level);
    for (; k < uses->n && (s->w.free_first || level == 0) && !s->committed; k++) {
        const uint64_t *closure = s->closure[uses->at[k]];
        const list *users = &s->g->s[uses->at[k]].users;
        uint64_t added = 0;
        for (uint32_t i = s->from; i < s->to && closure; i++) {
            more[i] = set[i] | (closure[i] & ~s->w.done[i]);
            added |= more[i] & ~set[i];
        }
        for (uint32_t i = 0; i < users->n && added; i++) /* w has to be the last of them */
            if (users->at[i] > w && has(s->above + (size_t)(users->at[i] - s->low) * s->w.words, w))
                added = 0;
        if (added)
            check_macros(s, w, k + 1, uses->at[k], level + 1);
    }
}

static void check_all_macros(search *s)
{
    for (uint32_t v = s->low; v < s->high && !s->committed; v++) {
        const uint64_t *above = s->above + (size_t)(v - s->low) * s->w.words;
        if (has(s->w.done, v))
            continue;
        for (uint32_t k = s->from; k < s->to; k++)
            s->set[k] = above[k] & ~s->w.done[k];
        check_macros(s, v, 0, NOBODY, 0);
    }
    if (s->commit && !s->committed)
        check_die(1, "prefix %zu has no step that loses nothing", s->listed + 1);
}

/* ---- The list. ---- */

static uint64_t read_number(const search *s, FILE *in)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
        int byte = getc_unlocked(in);
        if (byte == EOF)
            break;
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
    check_die(1, "the list is cut short or malformed after prefix %zu", s->listed);
}

/* One node into or out of the prefix; every set on the way is a prefix of the piece. */
static void read_flip(search *s, FILE *in)
{
    uint64_t index = read_number(s, in);
    uint32_t v = index < s->g->n ? s->g->place[index] : NOBODY;
    bool good = v != NOBODY && has(s->piece, v);
    if (good && has(s->w.done, v)) {
        const list *next = s->w.reverse ? &s->g->v[v].pred : &s->g->v[v].succ;
        for (uint32_t k = 0; k < next->n; k++)
            good = good && !has(s->w.done, next->at[k]);
    } else if (good) {
        good = has(s->w.ready, v);
    }
    if (!good)
        check_die(1, "prefix %zu is no prefix of the piece", s->listed + 1);
    walk_flip(&s->w, v);
}

/* Move everything back to where the search began. */
static void to_start(search *s)
{
    for (uint32_t i = s->low; i < s->high; i++) {
        uint32_t v = s->w.reverse ? i : s->high - 1 - (i - s->low);
        if (has(s->w.done, v))
            walk_flip(&s->w, v);
    }
}

static void check_list(search *s, FILE *in)
{
    for (uint64_t head; (head = read_number(s, in));) {
        for (uint64_t flips = --head / 3; flips; flips--)
            read_flip(s, in);
        if (complete(s))
            check_die(1, "prefix %zu can be completed", s->listed + 1);
        s->commit = head % 3 == 1;
        s->committed = false;
        if (s->windows || s->w.reverse || head % 3 == 2)
            check_plain(s);
        else
            check_all_macros(s);
        list_prefix(s);
    }
    if (getc(in) != EOF)
        check_die(1, "something follows the end of the list");
    to_start(s);
    require_dead(s);
}

/* ---- The piece. ---- */

/* Positions of nodes: their windows, and what these leave to their neighbours. */
static bool find_windows(const graph *g, int64_t **earliest, int64_t **latest)
{
    int64_t *first = *earliest = check_room(g->n, sizeof *first), n = g->n;
    int64_t *last = *latest = check_room(g->n, sizeof *last);
    bool any = false;
    for (uint32_t v = 0; v < g->n; v++) {
        int64_t w = g->v[v].window < g->n ? (int64_t)g->v[v].window : n;
        any = any || g->v[v].window != NO_WINDOW;
        first[v] = w < g->v[v].source ? g->v[v].source - w : 0;
        last[v] = g->v[v].source + w < n ? g->v[v].source + w : n - 1;
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            if (first[v] <= first[g->v[v].pred.at[k]])
                first[v] = first[g->v[v].pred.at[k]] + 1;
    }
    for (uint32_t v = g->n; v-- > 0;)
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            if (last[g->v[v].pred.at[k]] >= last[v])
                last[g->v[v].pred.at[k]] = last[v] - 1;
    return any;
}

/* Sets of nodes of the piece; the walk is at its high end. */
static void lay_sets(search *s)
{
    graph *g = s->g;
    uint32_t words = s->w.words, most_uses = 0;
    s->piece = check_room(words, sizeof *s->piece);
    s->impure = check_room(words, sizeof *s->impure);
    s->above = check_room((size_t)(s->high - s->low) * words, sizeof *s->above);
    s->closure = check_room(g->n_s, sizeof *s->closure);
    for (uint32_t v = s->low; v < s->high; v++) {
        uint64_t *above = s->above + (size_t)(v - s->low) * words;
        put(s->piece, v, true);
        put(above, v, true);
        if (g->v[v].workspace || g->v[v].made != g->v[v].kept)
            put(s->impure, v, true);
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            for (uint32_t i = s->from; i < s->to && g->v[v].pred.at[k] >= s->low; i++)
                above[i] |= s->above[(size_t)(g->v[v].pred.at[k] - s->low) * words + i];
        for (uint32_t k = 0; k < g->v[v].uses.n; k++) {
            uint32_t x = g->v[v].uses.at[k];
            if (g->s[x].left != (s->w.reverse ? g->s[x].users.n : 0))
                continue; /* somebody after the piece uses it */
            if (!s->closure[x])
                s->closure[x] = check_room(words, sizeof *s->closure[x]);
            for (uint32_t i = s->from; i < s->to; i++)
                s->closure[x][i] |= above[i];
        }
        most_uses = g->v[v].uses.n > most_uses ? g->v[v].uses.n : most_uses;
    }
    s->set = check_room((size_t)(most_uses + 2) * words, sizeof *s->set);
    for (uint32_t v = s->low; v < s->high && !s->w.free_first; v++)
        for (uint32_t k = 0; k < g->v[v].pairs.n; k += 2) {
            uint32_t x = g->t[g->v[v].pairs.at[k]].storage;
            for (uint32_t i = 0; i < g->s[x].users.n; i++)
                if (s->closure[x] && g->t[g->v[v].pairs.at[k + 1]].size && g->s[x].users.at[i] != v)
                    put(s->impure, g->s[x].users.at[i], true);
        }
}

/* Are all marked nodes of the piece, `count`, ancestors of all others in it? */
static bool is_cut(const search *s, const uint8_t *mark, uint32_t count)
{
    const graph *g = s->g;
    uint8_t *above = check_room(g->n, sizeof *above);
    bool cut = true;
    for (uint32_t v = 0; v < g->n && cut; v++) {
        bool first = s->side[v] == 0 && !mark[v]; /* it is enough to ask the first of them */
        for (uint32_t k = 0; k < g->v[v].pred.n && first; k++)
            first = s->side[g->v[v].pred.at[k]] != 0 || mark[g->v[v].pred.at[k]];
        if (!first)
            continue;
        memset(above, 0, g->n * sizeof *above);
        (void)check_graph_reach(g, v, true, above);
        uint32_t found = 0;
        for (uint32_t u = 0; u < g->n; u++)
            found += above[u] && mark[u];
        cut = found == count;
    }
    free(above);
    return cut;
}

/* Start the walk s->w and take it to one end of the piece. */
static void walk_to_piece(search *s, bool reverse)
{
    walk_start(&s->w, s->g, s->free_first, reverse);
    for (uint32_t i = 0; i < s->g->n; i++) {
        uint32_t v = reverse ? s->g->n - 1 - i : i;
        if (s->side[v] == (reverse ? 2 : 1))
            walk_flip(&s->w, v);
    }
}

/* Is the prefix of all marked nodes one of the least live ones in the piece? */
static bool is_valley(search *s, const uint8_t *mark)
{
    walk_to_piece(s, false);
    for (uint32_t v = 0; v < s->g->n; v++) {
        if (mark[v] && !has(s->w.ready, v))
            return false;
        if (mark[v])
            walk_flip(&s->w, v);
    }
    return s->w.live <= walk_least_live(s->g, s->side);
}

/* Do moves that lose nothing lead through these nodes, from the low or the high end? */
static bool is_safe(search *s, const list *nodes, bool low)
{
    walk_to_piece(s, !low);
    for (uint32_t k = 0; k < nodes->n; k++) {
        uint32_t v = s->g->place[nodes->at[k]];
        if (!has(s->w.ready, v) || !has(s->w.falls, v) ||
            (low ? walk_usage(&s->w, v) : walk_usage_plain(&s->w, v)) > s->budget)
            return false;
        walk_flip(&s->w, v);
    }
    return true;
}

/* A line that moves one end of the piece. */
static void narrow(search *s, const proof_line *l)
{
    bool cut = strcmp(l->what, "cut") == 0, safe = strcmp(l->what, "safe") == 0;
    bool low = strcmp(l->which, "low") == 0;
    uint8_t *mark = check_room(s->g->n, sizeof *mark);
    uint32_t count = cut && l->numbers.n == 1 ? l->numbers.at[0] : 0;
    for (uint32_t v = 0, left = count; v < s->g->n && left; v++)
        left -= mark[v] = s->side[v] == 0;
    for (uint32_t k = 0; k < l->numbers.n && !cut; k++) {
        uint32_t v = l->numbers.at[k] < s->g->n ? s->g->place[l->numbers.at[k]] : NOBODY;
        if (v == NOBODY || s->side[v] != 0 || mark[v])
            check_die(1, "a line '%s' names a node that is not in the piece", l->what);
        mark[v] = 1;
    }
    if (!(cut ? is_cut(s, mark, count)
              : !s->windows && (safe ? is_safe(s, &l->numbers, low) : is_valley(s, mark))))
        check_die(1, "a line '%s' leads to a prefix that orders need not pass", l->what);
    for (uint32_t v = 0; v < s->g->n; v++)
        if (s->side[v] == 0 && (low || safe ? mark[v] : !mark[v]))
            s->side[v] = low ? 1 : 2;
    free(mark);
}

/* Sort the nodes by side; inside and outside they stay in topological order. */
static void sort_by_side(search *s)
{
    static const uint8_t sides[] = {1, 0, 2};
    graph *g = s->g;
    uint32_t n = 0, *order = check_room(g->n, sizeof *order);
    for (uint32_t i = 0; i < 3; i++) {
        s->low = i == 1 ? n : s->low;
        for (uint32_t v = 0; v < g->n; v++)
            if (s->side[v] == sides[i])
                order[n++] = v;
        s->high = i == 1 ? n : s->high;
    }
    check_graph_renumber(g, order);
    free(order);
    for (uint32_t v = 0; v < g->n; v++)
        s->side[v] = v < s->low ? 1 : v < s->high ? 0 : 2;
    s->from = s->low / 64;
    s->to = s->high / 64 + 1;
}

static void check_search(search *s, bool reverse, FILE *in)
{
    sort_by_side(s);
    s->windows = find_windows(s->g, &s->earliest, &s->latest);
    walk_to_piece(s, reverse);
    uint64_t begin = s->w.live;
    if (reverse)
        lay_sets(s);
    for (uint32_t v = s->low; v < s->high; v++) /* to the other end */
        walk_flip(&s->w, reverse ? s->high - 1 - (v - s->low) : v);
    uint64_t end = s->w.live;
    if (!reverse)
        lay_sets(s);
    s->open_end = s->w.open;
    to_start(s);
    if (begin <= s->budget && end <= s->budget) /* else every order exceeds it */
        check_list(s, in);
}

/* ---- Bounds. ---- */

/* More nodes than positions between two, in what their windows leave. */
static bool is_crowded(const search *s, int64_t first, int64_t last)
{
    int64_t inside = 0;
    for (uint32_t v = 0; v < s->g->n; v++)
        inside += s->earliest[v] >= first && s->latest[v] <= last;
    return inside > 0 && inside > last - first + 1;
}

static uint64_t node_bound(search *s, uint32_t v, bool before)
{
    const graph *g = s->g;
    uint8_t *mark = check_room(g->n, sizeof *mark), *side = check_room(g->n, sizeof *side);
    (void)check_graph_reach(g, v, true, side);
    (void)check_graph_reach(g, v, false, mark);
    for (uint32_t u = 0; u < g->n; u++)
        side[u] = mark[u] ? 2 : side[u];
    side[v] = s->free_first && !before ? 1 : 2;
    uint64_t live = walk_least_live(g, side);
    free(mark);
    free(side);
    if (before)
        return live;
    return live + g->v[v].workspace + g->v[v].made - (s->free_first ? g->v[v].kept : 0) -
           walk_reuse(&s->w, v, true);
}

static void check_bound(search *s, const proof_line *l)
{
    uint64_t bytes = s->g->live_empty, claim = s->budget + 1;
    const list *x = &l->numbers;
    if (strcmp(l->which, "windows") == 0 && x->n == 2) {
        if (!is_crowded(s, x->at[0], x->at[1]))
            check_die(1, "the windows between these positions are not crowded");
        return;
    }
    if (strcmp(l->which, "live") == 0)
        bytes = s->g->live_full > bytes ? s->g->live_full : bytes;
    else if (x->n == 1 && x->at[0] < s->g->n)
        bytes = node_bound(s, s->g->place[x->at[0]], is_second(l->which, "node", "before"));
    if (bytes < claim)
        check_die(1, "the bound is %" PRIu64 ", not the %" PRIu64 " claimed", bytes, claim);
}

/* ---- Lines. ---- */

static proof_line next_line(FILE *in)
{
    proof_line l = {.what = NULL};
    char *line = NULL, *rest, *word;
    size_t room = 0;
    if (getline(&line, &room, in) <= 0 || !(l.what = strtok_r(line, " \n", &rest)) ||
        !(l.which = strtok_r(NULL, " \n", &rest)))
        check_die(1, "the proof is cut short");
    while ((word = strtok_r(NULL, " \n", &rest))) {
        uint64_t value = check_number(&word, 1);
        check_push(&l.numbers, value < NOBODY ? (uint32_t)value : NOBODY);
    }
    return l;
}

/* ---- Symmetries. ---- */

static int by_content(const void *a, const void *b)
{
    const list *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return x->n ? memcmp(x->at, y->at, x->n * sizeof *x->at) : 0;
}

static void push_bytes(list *l, uint64_t bytes)
{
    check_push(l, (uint32_t)(bytes >> 32));
    check_push(l, (uint32_t)bytes);
}

/* Push the number of nodes, and their names, sorted; nodes may repeat. */
static void push_names(list *l, const list *nodes, const uint32_t *name)
{
    list names = {0};
    uint32_t at = l->n;
    check_push(l, 0);
    for (uint32_t k = 0; k < nodes->n; k++)
        check_push(&names, name[nodes->at[k]]);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, check_by_value);
    for (uint32_t k = 0; k < names.n; k++)
        if (k == 0 || names.at[k] != names.at[k - 1]) {
            check_push(l, names.at[k]);
            l->at[at]++;
        }
    free(names.at);
}

typedef struct lists {
    list *at;
    size_t n, room;
} lists;

static list *new_list(lists *all, uint32_t what)
{
    if (all->n == all->room) {
        all->room = all->room ? 2 * all->room : 64;
        all->at = check_grow(all->at, all->room, sizeof *all->at);
    }
    list *l = &all->at[all->n++];
    *l = (list){0};
    check_push(l, what);
    return l;
}

static void free_lists(lists *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->at[i].at);
    free(all->at);
}

/* What v can reuse once the users of some storages have run: a list for every such set. */
static void describe_reuse(search *s, uint32_t v, const uint32_t *name, lists *all)
{
    enum { MOST = 12 };
    graph *g = s->g;
    storage *x[MOST];
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->v[v].pairs.n; k += 2) {
        storage *own = &g->s[g->t[g->v[v].pairs.at[k]].storage];
        uint32_t i = 0;
        while (i < n && x[i] != own)
            i++;
        if (i == MOST)
            check_die(3, "a node may overwrite more than %d storages", MOST);
        if (i == n && own->dies)
            x[n++] = own;
    }
    uint8_t *run = check_room(g->n, sizeof *run);
    for (uint32_t subset = 1; subset < UINT32_C(1) << n; subset++) {
        list users = {0};
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < x[i]->users.n && (subset >> i & 1); k++)
                check_push(&users, x[i]->users.at[k]);
        for (uint32_t k = 0; k < users.n; k++)
            run[users.at[k]] = 1;
        for (uint32_t i = 0; i < n; i++) {
            x[i]->left = 1; /* v alone, if all others are among these users */
            for (uint32_t k = 0; k < x[i]->users.n; k++)
                x[i]->left += !run[x[i]->users.at[k]];
        }
        list *l = new_list(all, 2);
        check_push(l, name[v]);
        push_bytes(l, walk_reuse(&s->w, v, false));
        push_names(l, &users, name);
        for (uint32_t k = 0; k < users.n; k++)
            run[users.at[k]] = 0;
        free(users.at);
    }
    free(run);
}

/* All that live and usage depend on, the nodes renamed, as a sorted set of lists. */
static lists describe(search *s, const uint32_t *name)
{
    const graph *g = s->g;
    lists all = {0};
    for (const storage *x = g->s; x < g->s + g->n_s; x++) {
        if (x->constant || x->size == 0)
            continue;
        list *l = new_list(&all, 0);
        push_bytes(l, x->size);
        check_push(l, x->stays);
        check_push(l, x->maker == NOBODY ? NOBODY : name[x->maker]);
        push_names(l, &x->users, name);
    }
    for (uint32_t v = 0; v < g->n; v++) {
        list *l = new_list(&all, 1);
        check_push(l, name[v]);
        push_bytes(l, g->v[v].workspace);
        push_names(l, &g->v[v].pred, name);
        describe_reuse(s, v, name, &all);
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_content);
    return all;
}

/* Does the symmetry exchange pairs, and does a path join the smaller nodes of any two? */
static bool is_chain(const graph *g, const uint32_t *image)
{
    uint8_t *near = check_room(g->n, sizeof *near); /* nodes that a path joins with v */
    bool chain = true;
    for (uint32_t v = 0; v < g->n && chain; v++) {
        chain = image[image[v]] == v;
        if (v >= image[v])
            continue;
        memset(near, 0, g->n * sizeof *near);
        (void)check_graph_reach(g, v, true, near);
        (void)check_graph_reach(g, v, false, near);
        for (uint32_t u = 0; u < g->n; u++)
            chain = chain && (u >= image[u] || u == v || near[u]);
    }
    free(near);
    return chain;
}

/* Pairs of a node and what it is taken to; edges that follow go into `ahead`. */
static void check_symmetry(search *s, const proof_line *l, list *ahead)
{
    const graph *g = s->g;
    const list *pairs = &l->numbers;
    uint32_t *name = check_room(g->n, sizeof *name), *image = check_room(g->n, sizeof *image);
    for (uint32_t v = 0; v < g->n; v++)
        name[v] = image[v] = v;
    for (uint32_t k = 0; k + 1 < pairs->n; k += 2) {
        if (pairs->at[k] >= g->n || pairs->at[k + 1] >= g->n)
            check_die(1, "a symmetry names a node that does not exist");
        image[pairs->at[k]] = pairs->at[k + 1];
    }
    lists here = describe(s, name), there = describe(s, image);
    bool same = here.n == there.n;
    for (size_t i = 0; i < here.n && same; i++)
        same = by_content(&here.at[i], &there.at[i]) == 0;
    if (!same)
        check_die(1, "what is called a symmetry takes the graph to another one");
    free_lists(&here);
    free_lists(&there);
    bool chain = is_second(l->which, "first", "chain");
    if (chain && !is_chain(g, image))
        check_die(1, "a symmetry does not exchange two chains");
    for (uint32_t v = 0, edges = 0; v < g->n && (chain || edges == 0); v++)
        if (v < image[v]) {
            check_push(ahead, v);
            check_push(ahead, image[v]);
            edges++;
        }
    free(name);
    free(image);
}

/* The symmetries at the head of a proof; the line after them. */
static proof_line read_symmetries(search *s, FILE *in)
{
    graph *g = s->g;
    proof_line l = next_line(in);
    list ahead = {0};
    for (; strcmp(l.what, "symmetry") == 0; l = next_line(in)) {
        for (uint32_t v = 0; v < g->n; v++)
            if (g->v[v].window != NO_WINDOW)
                check_die(1, "windows and symmetries do not go together");
        if (strcmp(l.which, "round") != 0) {
            check_symmetry(s, &l, &ahead);
            continue;
        }
        for (uint32_t i = 0; i < ahead.n; i += 2)
            check_graph_edge(g, ahead.at[i], ahead.at[i + 1]);
        ahead.n = 0;
    }
    free(ahead.at);
    return l;
}

/* ---- The order, and all of the proof. ---- */

static uint64_t peak_of(search *s, const uint32_t *order)
{
    graph *g = s->g;
    uint64_t peak = s->w.live; /* the walk is at its start */
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = order[i], from = g->v[v].source, moved = from < i ? i - from : from - i;
        if (!has(s->w.ready, v))
            check_die(1, "the order is not legal at step %" PRIu32, i);
        if (moved > g->v[v].window)
            check_die(1, "the order leaves a window at step %" PRIu32, i);
        uint64_t usage = walk_usage(&s->w, v);
        peak = usage > peak ? usage : peak;
        walk_flip(&s->w, v);
    }
    return peak;
}

/* The word of a line of the header. */
static char *header(FILE *in, const char *key)
{
    proof_line l = next_line(in);
    if (strcmp(l.what, key) != 0)
        check_die(1, "the header of the proof has no '%s'", key);
    return l.which;
}

static void check_proof(search *s, FILE *in)
{
    proof_line l = read_symmetries(s, in);
    check_graph_sort(s->g);
    s->windows = find_windows(s->g, &s->earliest, &s->latest);
    s->side = check_room(s->g->n, sizeof *s->side);
    while (strcmp(l.what, "cut") == 0 || strcmp(l.what, "valley") == 0 ||
           strcmp(l.what, "safe") == 0) {
        narrow(s, &l);
        l = next_line(in);
    }
    if (is_second(l.what, "bound", "search"))
        check_search(s, is_second(l.which, "forward", "reverse"), in);
    else
        check_bound(s, &l);
}

int main(int argc, char **argv)
{
    static search s; /* held to the end: nothing of it needs to be released */
    if (argc != 4) {
        (void)fputs("usage: highwater-check GRAPH ORDER PROOF   (ORDER -: only the bound)\n",
                    stderr);
        return 2;
    }
    s.g = check_graph_read(argv[1]);
    FILE *in = strcmp(argv[3], "-") == 0 ? stdin : fopen(argv[3], "r");
    if (!in)
        check_die(3, "%s cannot be opened", argv[3]);
    if (strcmp(header(in, "highwater-proof"), "2") != 0)
        check_die(1, "the version of the proof is not 2");
    if (strcmp(header(in, "graph"), s.g->hash) != 0)
        check_die(1, "the proof belongs to another graph");
    s.free_first = is_second(header(in, "accounting"), "alloc-first", "free-first");
    check_graph_derive(s.g, is_second(header(in, "inputs"), "freed", "pinned"));
    char *word = header(in, "claim");
    uint64_t claim = check_number(&word, 1);
    bool alone = strcmp(argv[2], "-") == 0;
    walk_start(&s.w, s.g, s.free_first, false);
    uint32_t *order = alone ? NULL : check_order_read(s.g, argv[2]);
    uint64_t peak = alone ? claim : peak_of(&s, order);
    free(order);
    if (peak != claim)
        check_die(1, "the order has peak %" PRIu64 ", the proof is for %" PRIu64, peak, claim);
    s.budget = claim - 1;
    if (claim) /* there is nothing below 0 */
        check_proof(&s, in);
    (void)printf("s VERIFIED %s %" PRIu64 "\n", alone ? "bound" : "optimum", claim);
    return 0;
}
