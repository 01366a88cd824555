/*
 * highwater-check GRAPH ORDER PROOF: is the optimum of an order proven?
 *
 * What has to be trusted.  This program: check_graph.c reads the graph,
 * check_walk.c knows live, usage and the minimum cut, check_search.c lists of
 * dead prefixes, check_piece.c the ends of a search, check_symmetry.c the
 * symmetries; jansson and SHA-256; none of the code that found order or proof.
 * And facts about live(S), the bytes alive after exactly the nodes of the
 * prefix S have run, which is submodular: what a node v frees only grows with
 * S.
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
 * (3) S is dead when T is, a listed prefix to which a path leads from S with
 * every step within B, if no prefix between S and T has less live than T: take
 * an order from S, and run (backwards: take off) what leads to T first.  At its
 * later steps live is no higher than it was, as live(U or T) <= live(U) +
 * live(T) - live(U and T), nor does reuse fall by more than live does.
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
 * the piece (run an order's nodes inside it first, then the others: live rises
 * nowhere above what it was, and reuse falls by no more than live does); what
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

#include "check/check_proof.h"

bool check_second(const char *word, const char *first, const char *second)
{
    bool is = strcmp(word, second) == 0;
    if (!is && strcmp(word, first) != 0)
        check_die(1, "'%s' in the proof is neither '%s' nor '%s'", word, first, second);
    return is;
}

void check_line(search *s)
{
    proof_line *l = &s->line;
    char *rest, *word;
    l->numbers.n = 0;
    if (getline(&l->text, &l->room, s->in) <= 0 || !(l->what = strtok_r(l->text, " \n", &rest)) ||
        !(l->which = strtok_r(NULL, " \n", &rest)))
        check_die(1, "the proof is cut short");
    while ((word = strtok_r(NULL, " \n", &rest))) {
        uint64_t value = check_number(&word, 1);
        check_push(&l->numbers, value < NOBODY ? (uint32_t)value : NOBODY);
    }
}

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
static char *header(search *s, const char *key)
{
    check_line(s);
    if (strcmp(s->line.what, key) != 0)
        check_die(1, "the header of the proof has no '%s'", key);
    return s->line.which;
}

static void check_proof(search *s)
{
    const proof_line *l = &s->line;
    check_line(s);
    check_symmetries(s);
    check_graph_sort(s->g);
    check_windows(s);
    s->side = check_room(s->g->n, sizeof *s->side);
    while (strcmp(l->what, "cut") == 0 || strcmp(l->what, "valley") == 0 ||
           strcmp(l->what, "safe") == 0) {
        check_narrow(s);
        check_line(s);
    }
    if (check_second(l->what, "bound", "search"))
        check_search(s);
    else
        check_bound(s);
}

int main(int argc, char **argv)
{
    static search s; /* held to the end: nothing of it needs to be released */
    bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (argc != 4) {
        (void)fputs("usage: highwater-check GRAPH ORDER PROOF   (ORDER -: only the bound)\n",
                    help ? stdout : stderr);
        return help ? 0 : 2;
    }
    s.g = check_graph_read(argv[1]);
    s.in = strcmp(argv[3], "-") == 0 ? stdin : fopen(argv[3], "r");
    if (!s.in)
        check_die(3, "%s cannot be opened", argv[3]);
    if (strcmp(header(&s, "highwater-proof"), "3") != 0)
        check_die(1, "the version of the proof is not 3");
    if (strcmp(header(&s, "graph"), s.g->hash) != 0)
        check_die(1, "the proof belongs to another graph");
    s.free_first = check_second(header(&s, "accounting"), "alloc-first", "free-first");
    check_graph_derive(s.g, check_second(header(&s, "inputs"), "freed", "pinned"));
    char *word = header(&s, "claim");
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
        check_proof(&s);
    (void)printf("s VERIFIED %s %" PRIu64 "\n", alone ? "bound" : "optimum", claim);
    return 0;
}
