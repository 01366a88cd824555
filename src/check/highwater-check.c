/*
 * highwater-check GRAPH ORDER PROOF: is the optimum of an order proven?
 *
 * What has to be trusted.  This program: check_read.c reads the graph,
 * check_graph.c lays its storages, check_walk.c knows live, usage and the minimum
 * cut, check_search.c lists of dead prefixes, check_bound.c bounds and windows;
 * jansson and SHA-256; none of the code that found order or proof.  And facts
 * about live(S), the bytes alive after exactly the nodes of the prefix S have
 * run, which is submodular: what a node v frees only grows with S.
 *
 * (1) Let B = N - 1.  A prefix is dead when no order that begins with it
 * (backwards: ends after it) keeps every step within B.  A proof lists dead
 * prefixes, and each must follow from those before it: every successor exceeds
 * B or is listed.  Successors are all ready nodes or, forwards, macro-steps
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
 * (3) S is dead, too, when T is, a listed prefix that holds S (backwards: that S
 * holds), if no prefix between S and T has less live than T: of an order from S
 * through prefixes U take that from T through all U or T (backwards: U and T).
 * At its steps live is no higher, as live(U or T) <= live(U) + live(T) -
 * live(U and T), nor is reuse smaller by more than live is.
 *
 * Where nodes have windows, successors are all ready nodes within theirs, and
 * (2) and (3) do not hold.  A bound is a number that every order reaches.
 * Nothing in the proof is believed: a changed proof is rejected, or still a
 * proof.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

bool check_second(const char *word, const char *first, const char *second)
{
    bool is = strcmp(word, second) == 0;
    if (!is && strcmp(word, first) != 0)
        check_die(1, "'%s' in the proof is neither '%s' nor '%s'", word, first, second);
    return is;
}

static uint64_t peak_of(search *s, const uint32_t *order)
{
    graph *g = s->g;
    walk_start(&s->w, g, s->free_first, false);
    uint64_t peak = s->w.live;
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

/* The next word of the text of the proof. */
static char *word(search *s, char *text)
{
    if (fscanf(s->in, " %69s", text) != 1)
        check_die(ferror(s->in) ? 3 : 1,
                  ferror(s->in) ? "the proof cannot be read" : "the proof is cut short");
    return text;
}

static uint64_t number(char *text)
{
    char *at = text;
    uint64_t value = check_number(&at, 1);
    if (*at)
        check_die(1, "'%s' in the proof is not a number", text);
    return value;
}

/* The value of a line of the header. */
static char *header(search *s, const char *key, char *text)
{
    if (strcmp(word(s, text), key) != 0)
        check_die(1, "the header of the proof has no '%s'", key);
    return word(s, text);
}

static void check_proof(search *s)
{
    char text[70], kind[70];
    bool searched = check_second(word(s, text), "bound", "search");
    (void)word(s, kind);
    check_windows(s);
    if (searched) {
        if (getc(s->in) != '\n')
            check_die(1, "the line of the search is malformed");
        check_search(s, check_second(kind, "forward", "reverse"));
        return;
    }
    bool live = strcmp(kind, "live") == 0, crowd = strcmp(kind, "windows") == 0;
    uint64_t first = live ? 0 : number(word(s, text)), last = crowd ? number(word(s, text)) : 0;
    check_bound(s, kind, first, last);
    if (fscanf(s->in, " %1s", text) == 1)
        check_die(1, "something follows the bound");
}

int main(int argc, char **argv)
{
    static search s; /* held to the end: nothing of it needs to be released */
    s = (search){.g = NULL};
    char text[70];
    bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (argc != 4) {
        (void)fputs("usage: highwater-check GRAPH ORDER PROOF   (ORDER -: only the bound)\n",
                    help ? stdout : stderr);
        if (help && fflush(stdout) != 0)
            check_die(3, "standard output cannot be written");
        return help ? 0 : 2;
    }
    s.g = check_graph_read(argv[1]);
    s.in = strcmp(argv[3], "-") == 0 ? stdin : fopen(argv[3], "r");
    if (!s.in)
        check_die(3, "%s: cannot open: %s", argv[3], strerror(errno));
    if (strcmp(header(&s, "highwater-proof", text), "3") != 0)
        check_die(1, "the version of the proof is not 3");
    if (strcmp(header(&s, "graph", text), s.g->hash) != 0)
        check_die(1, "the proof belongs to another graph");
    s.free_first = check_second(header(&s, "accounting", text), "alloc-first", "free-first");
    check_graph_derive(s.g, check_second(header(&s, "inputs", text), "freed", "pinned"));
    uint64_t claim = number(header(&s, "claim", text));
    bool alone = strcmp(argv[2], "-") == 0;
    uint32_t *order = alone ? NULL : check_order_read(s.g, argv[2]);
    uint64_t peak = alone ? claim : peak_of(&s, order);
    free(order);
    if (peak != claim)
        check_die(1, "the order has peak %" PRIu64 ", the proof is for %" PRIu64, peak, claim);
    s.budget = claim - 1;
    if (claim) /* there is nothing below 0 */
        check_proof(&s);
    if (ferror(s.in)) /* what follows it was not seen */
        check_die(3, "the proof cannot be read to its end");
    (void)printf("s VERIFIED %s %" PRIu64 "\n", alone ? "bound" : "optimum", claim);
    if (fflush(stdout) != 0)
        check_die(3, "standard output cannot be written: the verdict is 's VERIFIED'");
    return 0;
}
