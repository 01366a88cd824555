/*
 * highwater-check GRAPH ORDER PROOF: is the optimum of an order proven?
 *
 * What has to be trusted.  This program, jansson and SHA-256; none of the code
 * that found order or proof.  And three facts about live(S), the bytes alive
 * after exactly the nodes of the prefix S have run, which is submodular: what
 * a node v frees only grows with S.
 *
 * (1) Let B = N - 1.  A prefix is dead when no order that begins with it keeps
 * every step within B.  A search proof lists dead prefixes; the program checks
 * for each that every successor exceeds B or is listed before.  Successors are
 * all ready nodes, or, forwards with macros=1, macro-steps (A; w): A frees
 * nothing, has no workspace and no dead output, w does not; the nodes of A can
 * wait until w needs them.  Alloc-first w needs its ancestors if it has
 * workspace, dead outputs or an input that another node may overwrite; and for
 * each storage that it frees all its users and their ancestors.  Free-first
 * every set of its inputs may be freed.
 * (2) With safe=1 a successor is closed first: forwards a ready node that does
 * not raise live and fits in B is run at once (it can move to the front of any
 * completion), backwards a maximal node whose removal does not raise live and
 * whose step fits without reuse is taken off.  The closure does not depend on
 * the order of these moves.
 * (3) A listed prefix may name one macro-step to a prefix T that loses
 * nothing: live(T) <= live(S), within B, and no prefix between is lower, as w
 * is the only maximal node, or frees nothing but one storage all of whose
 * users the step holds.
 *
 * The prefixes before and after a node that is comparable to every other node
 * are in every order, so a search may be confined to a block between two.  A
 * bound proof is a number that any order reaches.  Nothing in the proof is
 * believed: a changed proof is rejected, or still a proof.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_walk.h"

typedef struct checker {
    graph *g;
    walk w;
    FILE *in;
    bool free_first, reverse, safe, macros, windows;
    uint64_t claim, budget;    /* N and N - 1 */
    bool *low, *high;          /* the prefixes at the ends of the block */
    uint32_t *inner, n, words; /* nodes of the block, topological        */
    uint32_t *place;           /* of a node in it, NOBODY outside         */
    bool *freeable;            /* storages that can die in the block      */
    bool *exempt;              /* nodes that are never pure               */
    uint32_t *earliest, *latest;
    uint64_t *now, *macro, *scratch; /* sets of block nodes */
    uint64_t *slot;                  /* listed sets, open addressing */
    uint8_t *used;
    size_t slots, listed;
    list trail; /* moves since the listed prefix */
} checker;

static bool has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static void flip(uint64_t *set, uint32_t i)
{
    set[i / 64] ^= UINT64_C(1) << (i % 64);
}

/* ---- The listed prefixes. ---- */

static size_t slot_of(const checker *c, const uint64_t *set)
{
    uint64_t h = 14695981039346656037u;
    for (uint32_t i = 0; i < c->words; i++) {
        h = (h ^ set[i]) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    size_t at = (size_t)h & (c->slots - 1);
    while (c->used[at] && memcmp(c->slot + at * c->words, set, c->words * sizeof *set) != 0)
        at = (at + 1) & (c->slots - 1);
    return at;
}

static void list_prefix(checker *c, const uint64_t *set)
{
    if (2 * c->listed >= c->slots) {
        uint64_t *old = c->slot;
        uint8_t *old_used = c->used;
        size_t n = c->slots;
        c->slots = n ? 2 * n : 1024;
        c->slot = check_room(c->slots * c->words, sizeof *c->slot);
        c->used = check_room(c->slots, 1);
        c->listed = 0;
        for (size_t i = 0; i < n; i++)
            if (old_used[i])
                list_prefix(c, old + i * c->words);
        free(old);
        free(old_used);
    }
    size_t at = slot_of(c, set);
    c->listed += !c->used[at];
    c->used[at] = 1;
    memcpy(c->slot + at * c->words, set, c->words * sizeof *set);
}

/* ---- Moves. ---- */

static void enter(checker *c, uint32_t v, bool add)
{
    if (add)
        walk_add(&c->w, v);
    else
        walk_remove(&c->w, v);
    flip(c->now, c->place[v]);
}

static void move(checker *c, uint32_t v)
{
    enter(c, v, !c->reverse);
    check_push(&c->trail, v);
}

static void take_back(checker *c, size_t length)
{
    while (c->trail.n > length)
        enter(c, c->trail.at[--c->trail.n], c->reverse);
}

static bool open_node(const checker *c, uint32_t v)
{
    return c->place[v] != NOBODY && c->w.in[v] == c->reverse &&
           (c->reverse ? c->w.above[v] : c->w.missing[v]) == 0;
}

/* The usage of the step that the move v stands for. */
static uint64_t usage(checker *c, uint32_t v, bool plain)
{
    if (c->reverse)
        walk_remove(&c->w, v);
    uint64_t bytes = plain ? walk_usage_plain(&c->w, v) : walk_usage(&c->w, v);
    if (c->reverse)
        walk_add(&c->w, v);
    return bytes;
}

static bool lowers(const checker *c, uint32_t v)
{
    uint64_t kept = c->g->v[v].made - c->g->v[v].dead;
    return c->reverse ? c->w.gain[v] <= kept : kept <= c->w.gain[v];
}

static void close_prefix(checker *c)
{
    for (bool moved = c->safe; moved;) {
        moved = false;
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t v = c->inner[c->reverse ? c->n - 1 - i : i];
            if (open_node(c, v) && lowers(c, v) && usage(c, v, c->reverse) <= c->budget) {
                move(c, v);
                moved = true;
            }
        }
    }
}

static bool impure(const checker *c, uint32_t v)
{
    return c->g->v[v].workspace || c->g->v[v].dead || c->exempt[v];
}

/* Are all orders of the rest alike, ending at live of the block's end? */
static bool only_outputs_left(const checker *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->inner[i];
        if (c->w.in[v])
            continue;
        if (impure(c, v))
            return false;
        for (size_t k = 0; k < c->g->v[v].uses.n; k++)
            if (c->freeable[c->g->v[v].uses.at[k]])
                return false;
    }
    return true;
}

static bool complete(const checker *c)
{
    uint32_t inside = 0;
    for (uint32_t i = 0; i < c->words; i++)
        inside += (uint32_t)__builtin_popcountll(c->now[i]);
    if (inside == (c->reverse ? 0 : c->n))
        return true;
    return c->macros && only_outputs_left(c);
}

/* The prefix reached has to be dead: listed before. */
static void require_dead(checker *c)
{
    close_prefix(c);
    if (complete(c))
        check_die(1, "an order within %" PRIu64 " exists", c->budget);
    if (!c->slots || !c->used[slot_of(c, c->now)])
        check_die(1, "a successor of prefix %zu is not listed before it", c->listed + 1);
}

static uint32_t step_of(const checker *c)
{
    return c->w.count - (c->reverse ? 1 : 0);
}

static void check_plain(checker *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->inner[i], step = step_of(c);
        if (!open_node(c, v) || (c->windows && (step < c->earliest[v] || step > c->latest[v])) ||
            usage(c, v, false) > c->budget)
            continue;
        move(c, v);
        require_dead(c);
        take_back(c, 0);
    }
}

/* ---- Macro-steps. ---- */

/* Add v and what must run before it to the set; block nodes not yet run. */
static void add_closure(checker *c, uint64_t *set, uint32_t v)
{
    list stack = {0};
    check_push(&stack, v);
    while (stack.n) {
        uint32_t u = stack.at[--stack.n];
        if (c->w.in[u] || has(set, c->place[u]))
            continue;
        flip(set, c->place[u]);
        for (size_t i = 0; i < c->g->v[u].pred.n; i++)
            check_push(&stack, c->g->v[u].pred.at[i]);
    }
    free(stack.at);
}

static bool maximal(const checker *c, const uint64_t *set, uint32_t v)
{
    for (size_t i = 0; i < c->g->v[v].succ.n; i++) {
        uint32_t u = c->g->v[v].succ.at[i];
        if (c->place[u] != NOBODY && has(set, c->place[u]))
            return false;
    }
    return true;
}

/* Run the set but `last`; false as soon as a node is not pure or too much is made. */
static bool run_pure(checker *c, const uint64_t *set, uint32_t last)
{
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->inner[i];
        if (!has(set, i) || v == last)
            continue;
        if (impure(c, v) || c->w.gain[v] || c->w.live + c->g->v[v].made > c->budget)
            return false;
        move(c, v);
    }
    return true;
}

/* False when no larger set with the same end can be a macro either. */
static bool check_macro(checker *c, const uint64_t *set, uint32_t last)
{
    size_t begin = c->trail.n;
    bool pure = run_pure(c, set, last);
    if (pure && (c->w.gain[last] || impure(c, last)) && usage(c, last, false) <= c->budget) {
        move(c, last);
        require_dead(c);
    }
    take_back(c, begin);
    return pure;
}

static void check_alloc_first(checker *c)
{
    size_t bytes = c->words * sizeof *c->macro;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->inner[i];
        if (c->w.in[v] || !impure(c, v))
            continue;
        memset(c->macro, 0, bytes);
        add_closure(c, c->macro, v);
        (void)check_macro(c, c->macro, v);
    }
    for (uint32_t s = 0; s < c->g->n_s; s++) {
        const list *users = &c->g->s[s].users;
        if (!c->freeable[s] || c->w.left[s] == 0)
            continue;
        memset(c->macro, 0, bytes);
        for (size_t i = 0; i < users->n; i++)
            add_closure(c, c->macro, users->at[i]);
        for (size_t i = 0; i < users->n; i++)
            if (!c->w.in[users->at[i]] && maximal(c, c->macro, users->at[i]))
                (void)check_macro(c, c->macro, users->at[i]);
    }
}

/* All sets that make `last` free some of its inputs k, k + 1, ... as well. */
static void check_subsets(checker *c, const uint64_t *set, uint32_t last, size_t k)
{
    const list *uses = &c->g->v[last].uses;
    size_t begin = c->trail.n;
    bool pure = run_pure(c, set, last); /* if not, no larger set is */
    take_back(c, begin);
    while (pure && k < uses->n && !c->freeable[uses->at[k]])
        k++;
    if (!pure)
        return;
    if (k == uses->n) {
        (void)check_macro(c, set, last);
        return;
    }
    uint64_t *with = check_room(c->words, sizeof *with);
    memcpy(with, set, c->words * sizeof *with);
    const list *users = &c->g->s[uses->at[k]].users;
    for (size_t i = 0; i < users->n; i++)
        add_closure(c, with, users->at[i]);
    check_subsets(c, set, last, k + 1);
    if (maximal(c, with, last) && memcmp(with, set, c->words * sizeof *with) != 0)
        check_subsets(c, with, last, k + 1);
    free(with);
}

static void check_free_first(checker *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->w.in[c->inner[i]])
            continue;
        memset(c->macro, 0, c->words * sizeof *c->macro);
        add_closure(c, c->macro, c->inner[i]);
        check_subsets(c, c->macro, c->inner[i], 0);
    }
}

/* ---- Reading the list. ---- */

static uint64_t number(checker *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        int byte = getc(c->in);
        if (byte == EOF || shift > 56)
            check_die(1, "the list of prefixes is cut short or malformed");
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128))
            return value;
    }
}

static uint32_t block_node(checker *c, uint64_t index)
{
    if (index >= c->g->n || c->place[index] == NOBODY)
        check_die(1, "prefix %zu names a node outside the block", c->listed + 1);
    return (uint32_t)index;
}

/* One macro-step that loses nothing; its nodes follow in the proof. */
static void check_commit(checker *c)
{
    uint64_t before = c->w.live, n = number(c);
    if (c->reverse || c->windows || n == 0 || n > c->n)
        check_die(1, "prefix %zu makes a commit that is not possible", c->listed + 1);
    memset(c->macro, 0, c->words * sizeof *c->macro);
    memset(c->scratch, 0, c->words * sizeof *c->scratch);
    uint32_t v = NOBODY;
    for (uint64_t i = 0; i < n; i++) {
        v = block_node(c, number(c));
        if (has(c->macro, c->place[v]) || c->w.in[v])
            check_die(1, "prefix %zu commits to a node that has run", c->listed + 1);
        flip(c->macro, c->place[v]);
    }
    add_closure(c, c->scratch, v);
    bool good = memcmp(c->scratch, c->macro, c->words * sizeof *c->macro) == 0;
    const list *uses = &c->g->v[v].uses;
    uint64_t size = 0;
    for (size_t i = 0; i < uses->n && !good; i++) { /* the one storage that it may free */
        const list *users = &c->g->s[uses->at[i]].users;
        if (!c->freeable[uses->at[i]])
            continue;
        memset(c->scratch, 0, c->words * sizeof *c->scratch);
        for (size_t k = 0; k < users->n; k++)
            add_closure(c, c->scratch, users->at[k]);
        good = memcmp(c->scratch, c->macro, c->words * sizeof *c->macro) == 0;
        size = c->g->s[uses->at[i]].size;
    }
    if (!good || !maximal(c, c->macro, v) || !run_pure(c, c->macro, v) ||
        (size && c->w.gain[v] != size) || usage(c, v, false) > c->budget ||
        walk_after(&c->w, v) > before)
        check_die(1, "prefix %zu makes a commit that may lose something", c->listed + 1);
    move(c, v);
    require_dead(c);
    take_back(c, 0);
}

static bool too_late(const checker *c)
{
    for (uint32_t i = 0; c->windows && i < c->n; i++) {
        uint32_t v = c->inner[i], step = step_of(c);
        if (c->w.in[v] == c->reverse && (c->reverse ? c->earliest[v] > step : c->latest[v] < step))
            return true;
    }
    return false;
}

/* Go to the next listed prefix: flip the nodes that differ from the last one. */
static void read_difference(checker *c, uint64_t count)
{
    uint64_t at = 0;
    if (count > c->n)
        check_die(1, "prefix %zu differs in too many nodes", c->listed + 1);
    list change = {0};
    for (uint64_t i = 0; i < count; i++, at++) {
        at += number(c);
        check_push(&change, c->place[block_node(c, at)]);
    }
    memset(c->macro, 0, c->words * sizeof *c->macro);
    for (size_t i = 0; i < change.n; i++)
        flip(c->macro, change.at[i]);
    free(change.at);
    for (uint32_t i = c->n; i-- > 0;) /* out from the top, then in from the bottom */
        if (has(c->macro, i) && c->w.in[c->inner[i]])
            enter(c, c->inner[i], false);
        else if (has(c->macro, i))
            flip(c->scratch, i);
    for (uint32_t i = 0; i < c->n; i++)
        if (has(c->scratch, i)) {
            flip(c->scratch, i);
            enter(c, c->inner[i], true);
        }
    for (uint32_t i = 0; i < c->n; i++)
        if (has(c->now, i) && c->w.missing[c->inner[i]])
            check_die(1, "prefix %zu is no prefix", c->listed + 1);
}

static void check_list(checker *c)
{
    for (;;) {
        uint64_t head = number(c);
        if (head-- == 0)
            break;
        memset(c->scratch, 0, c->words * sizeof *c->scratch);
        read_difference(c, head >> 2);
        if (complete(c))
            check_die(1, "prefix %zu can be completed", c->listed + 1);
        if ((head & 3) == 1)
            check_commit(c);
        else if ((head & 3) == 3)
            check_die(1, "prefix %zu has an unknown kind", c->listed + 1);
        else if (too_late(c))
            ;
        else if ((head & 3) == 2 || c->reverse || !c->macros)
            check_plain(c);
        else if (c->free_first)
            check_free_first(c);
        else
            check_alloc_first(c);
        list_prefix(c, c->now);
    }
    if (getc(c->in) != EOF)
        check_die(1, "something follows the end of the list");
    for (uint32_t i = 0; i < c->n; i++) /* back to the start */
        if (!c->reverse && has(c->now, c->n - 1 - i))
            enter(c, c->inner[c->n - 1 - i], false);
        else if (c->reverse && !has(c->now, i))
            enter(c, c->inner[i], true);
    require_dead(c);
}

/* ---- The block. ---- */

/* Mark all nodes that lead to v (or that v leads to). */
static uint32_t reach(const graph *g, uint32_t v, bool up, bool *mark)
{
    uint32_t n = 0;
    list stack = {0};
    check_push(&stack, v);
    while (stack.n) {
        uint32_t x = stack.at[--stack.n];
        const list *near = up ? &g->v[x].pred : &g->v[x].succ;
        for (size_t i = 0; i < near->n; i++)
            if (!mark[near->at[i]]) {
                mark[near->at[i]] = true;
                n++;
                check_push(&stack, near->at[i]);
            }
    }
    free(stack.at);
    return n;
}

/* "whole", "before:ID" or "after:ID" to the prefix meant. */
static bool *read_end(const checker *c, const char *text, bool top)
{
    const graph *g = c->g;
    bool *set = check_room(g->n, sizeof *set), *below = check_room(g->n, sizeof *below);
    const char *colon = strchr(text, ':');
    if (strcmp(text, "whole") == 0) {
        memset(set, top, g->n * sizeof *set);
    } else {
        uint32_t v = colon ? check_node_index(g, strtoull(colon + 1, NULL, 10)) : NOBODY;
        if (v == NOBODY || (strncmp(text, "before:", 7) != 0 && strncmp(text, "after:", 6) != 0))
            check_die(1, "the block has no end '%s'", text);
        if (reach(g, v, true, set) + reach(g, v, false, below) != g->n - 1)
            check_die(1, "node %" PRIu64 " is not comparable to all others", g->v[v].id);
        set[v] = text[0] == 'a';
    }
    free(below);
    return set;
}

static void tighten(checker *c)
{
    const graph *g = c->g;
    c->earliest = check_room(g->n, sizeof *c->earliest);
    c->latest = check_room(g->n, sizeof *c->latest);
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t w = g->v[v].has_window ? g->v[v].window : g->n;
        c->windows = c->windows || g->v[v].has_window;
        c->earliest[v] = w < v ? v - (uint32_t)w : 0;
        c->latest[v] = w < g->n - 1 - v ? v + (uint32_t)w : g->n - 1;
    }
    for (uint32_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->v[g->topo[i]].succ.n; k++) {
            uint32_t v = g->topo[i], u = g->v[v].succ.at[k];
            if (c->earliest[u] <= c->earliest[v])
                c->earliest[u] = c->earliest[v] + 1;
        }
    for (uint32_t i = g->n; i-- > 0;)
        for (size_t k = 0; k < g->v[g->topo[i]].pred.n; k++) {
            uint32_t v = g->topo[i], u = g->v[v].pred.at[k];
            if (c->latest[u] >= c->latest[v])
                c->latest[u] = c->latest[v] ? c->latest[v] - 1 : 0;
        }
}

static void lay_block(checker *c)
{
    const graph *g = c->g;
    c->inner = check_room(g->n, sizeof *c->inner);
    c->place = check_room(g->n, sizeof *c->place);
    c->freeable = check_room(g->n_s, sizeof *c->freeable);
    c->exempt = check_room(g->n, sizeof *c->exempt);
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t v = g->topo[i];
        c->place[v] = NOBODY;
        if (c->high[v] && !c->low[v]) {
            c->place[v] = c->n;
            c->inner[c->n++] = v;
        }
    }
    c->words = c->n / 64 + 1;
    for (uint32_t s = 0; s < g->n_s; s++) {
        c->freeable[s] = walk_frees(&g->s[s]);
        for (size_t i = 0; i < g->s[s].users.n; i++)
            c->freeable[s] = c->freeable[s] && c->high[g->s[s].users.at[i]];
    }
    for (uint32_t i = 0; i < c->n && !c->free_first; i++) {
        const list *pairs = &g->v[c->inner[i]].pairs;
        for (size_t k = 0; k < pairs->n; k += 2) {
            uint32_t s = g->t[pairs->at[k]].storage;
            for (size_t u = 0; c->freeable[s] && g->t[pairs->at[k + 1]].size && u < g->s[s].users.n;
                 u++)
                if (g->s[s].users.at[u] != c->inner[i])
                    c->exempt[g->s[s].users.at[u]] = true;
        }
    }
    c->now = check_room(c->words, sizeof *c->now);
    c->macro = check_room(c->words, sizeof *c->macro);
    c->scratch = check_room(c->words, sizeof *c->scratch);
}

/* A whole word as a number. */
static uint64_t word_value(const char *word)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno)
        check_die(1, "'%s' is not a number of 64 bits", word);
    return value;
}

static void check_search(checker *c, const char *line)
{
    char direction[8], low[32], high[32], safe[2], macros[2];
    if (sscanf(line, "search %7s %31s %31s safe=%1[01] macros=%1[01]", direction, low, high, safe,
               macros) != 5)
        check_die(1, "the line '%s' is malformed", line);
    c->reverse = strcmp(direction, "reverse") == 0;
    c->safe = *safe == '1';
    c->macros = *macros == '1' && !c->reverse;
    c->low = read_end(c, low, false);
    c->high = read_end(c, high, true);
    tighten(c);
    if (c->windows && (c->safe || c->macros))
        check_die(1, "windows do not go with the rules");
    lay_block(c);
    for (uint32_t i = 0; i < c->g->n; i++)
        if (c->low[c->g->topo[i]])
            walk_add(&c->w, c->g->topo[i]);
    uint64_t live_low = c->w.live;
    for (uint32_t i = 0; i < c->n; i++)
        enter(c, c->inner[i], true);
    for (uint32_t v = 0; v < c->g->n; v++)
        if (c->low[v] && !c->high[v])
            check_die(1, "the block ends before it begins");
    if (live_low <= c->budget && c->w.live <= c->budget)
        check_list(c);
}

/* ---- Bounds, header, order. ---- */

static void check_bound(checker *c, const char *line)
{
    const graph *g = c->g;
    char kind[16], id[32] = "0";
    uint64_t bytes;
    if (sscanf(line, "bound %15s %31s", kind, id) < 1)
        check_die(1, "the line '%s' is malformed", line);
    if (strcmp(kind, "live-empty") == 0) {
        bytes = g->live_empty;
    } else if (strcmp(kind, "live-full") == 0) {
        bytes = g->live_full;
    } else {
        uint32_t v = check_node_index(g, word_value(id));
        bool before = strcmp(kind, "before") == 0;
        if (v == NOBODY || (!before && strcmp(kind, "node") != 0))
            check_die(1, "the line '%s' names no bound", line);
        bool *above = check_room(g->n, sizeof *above), *below = check_room(g->n, sizeof *below);
        uint8_t *side = check_room(g->n, sizeof *side);
        (void)reach(g, v, true, above);
        (void)reach(g, v, false, below);
        for (uint32_t u = 0; u < g->n; u++)
            side[u] = above[u] ? 1 : below[u] ? 2 : 0;
        side[v] = c->free_first && !before ? 1 : 2;
        bytes = walk_least_live(g, side);
        free(above);
        free(below);
        free(side);
        if (!before)
            bytes += g->v[v].workspace + (c->free_first ? g->v[v].dead : g->v[v].made) -
                     walk_most_reuse(&c->w, v);
    }
    if (bytes < c->claim)
        check_die(1, "the bound is %" PRIu64 ", not the %" PRIu64 " claimed", bytes, c->claim);
}

static uint64_t peak_of(checker *c, const uint32_t *order)
{
    static walk w;
    w = walk_new(c->g, c->free_first);
    uint64_t peak = w.live;
    for (uint32_t i = 0; i < c->g->n; i++) {
        uint32_t v = order[i], moved = v < i ? i - v : v - i;
        if (w.in[v] || w.missing[v])
            check_die(1, "the order is not legal at step %" PRIu32, i);
        if (c->g->v[v].has_window && moved > c->g->v[v].window)
            check_die(1, "the order leaves a window at step %" PRIu32, i);
        uint64_t bytes = walk_usage(&w, v);
        peak = bytes > peak ? bytes : peak;
        walk_add(&w, v);
    }
    return peak;
}

/* The word after `key` on the next line. */
static void header(checker *c, const char *key, char word[128])
{
    char line[256], found[32];
    if (!fgets(line, sizeof line, c->in) || sscanf(line, "%31s %127s", found, word) != 2 ||
        strcmp(found, key) != 0)
        check_die(1, "the header of the proof is malformed: '%s ...' is expected", key);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        (void)fputs("usage: highwater-check GRAPH ORDER PROOF   (ORDER -: only the bound)\n",
                    stderr);
        return 2;
    }
    static checker c; /* held to the end: nothing of it needs to be released */
    c.g = check_graph_read(argv[1]);
    char hash[128] = "", accounting[128] = "", inputs[128] = "", line[256];
    char version[128] = "", claim[128] = "";
    c.in = strcmp(argv[3], "-") == 0 ? stdin : fopen(argv[3], "r");
    if (!c.in)
        check_die(3, "%s cannot be opened", argv[3]);
    header(&c, "highwater-proof", version);
    header(&c, "graph", hash);
    header(&c, "accounting", accounting);
    header(&c, "inputs", inputs);
    header(&c, "claim", claim);
    c.claim = word_value(claim);
    c.free_first = strcmp(accounting, "free-first") == 0;
    bool pinned = strcmp(inputs, "pinned") == 0;
    if (strcmp(version, "1") != 0 || (!c.free_first && strcmp(accounting, "alloc-first") != 0) ||
        (!pinned && strcmp(inputs, "freed") != 0))
        check_die(1, "the header of the proof is of another kind");
    if (strcmp(hash, c.g->hash) != 0)
        check_die(1, "the proof belongs to another graph");
    check_graph_derive(c.g, pinned);
    c.w = walk_new(c.g, c.free_first);
    c.budget = c.claim - 1;
    if (!fgets(line, sizeof line, c.in))
        check_die(1, "the proof is cut short");
    line[strcspn(line, "\n")] = '\0';
    if (c.claim && strncmp(line, "search ", 7) == 0)
        check_search(&c, line);
    else
        check_bound(&c, line);
    if (strcmp(argv[2], "-") == 0) {
        (void)printf("s VERIFIED bound %" PRIu64 "\n", c.claim);
        return 0;
    }
    uint32_t *order = check_order_read(c.g, argv[2]);
    uint64_t peak = peak_of(&c, order);
    free(order);
    if (peak != c.claim)
        check_die(1, "the order has peak %" PRIu64 ", %" PRIu64 " is proven", peak, c.claim);
    (void)printf("s VERIFIED optimum %" PRIu64 "\n", c.claim);
    return 0;
}
