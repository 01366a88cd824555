/*
 * What the parts of highwater-check share; nothing of it comes from elsewhere.
 * Any fault ends the program (check_die).  See highwater-check.c.
 */
#ifndef HW_CHECK_CHECK_H
#define HW_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define NOBODY    UINT32_MAX
#define NO_WINDOW UINT64_MAX

typedef struct list {
    uint32_t *at, n, room;
} list;

typedef struct tensor {
    uint64_t id, size;
    char kind; /* a, i, o, c */
    uint32_t producer, storage;
} tensor;

typedef struct node {
    uint64_t id, workspace, window;
    int view, locked, required;
    uint32_t source;  /* its place in the file                 */
    list in, out;     /* tensors as listed                     */
    list pairs;       /* input, output, ...: sorted, each once */
    list pred, succ;  /* nodes, repeats allowed                */
    list uses;        /* storages that it can free, each once  */
    uint64_t made;    /* bytes of the storages it creates      */
    uint64_t kept;    /* of these: what outlasts its step      */
    uint64_t gain;    /* of a walk: what its move would free; backwards: what
                         would come alive again; moved: 0      */
    uint32_t waiting; /* of a walk: neighbours that move before it, and have not */
    uint32_t vertex;  /* of a flow; 0: none                    */
} node;

typedef struct storage {
    uint64_t size;
    uint32_t maker;
    bool constant, stays;
    bool dies;           /* it has users and a size, and may go after them */
    list users;          /* nodes, each once                               */
    uint32_t left, last; /* of a walk: users that have not moved: how many, their XOR */
    uint32_t vertex;     /* of a flow; 0: none */
} storage;

/* Vertices 0, the source, and 1, the sink, and more; arc a ^ 1 is the reverse of a. */
typedef struct flow {
    uint32_t *head, *next, *to, *back; /* back: arc by which a vertex was reached */
    uint32_t *queue;
    uint64_t *room;
    uint32_t n, arcs;
} flow;

typedef struct graph {
    tensor *t;
    node *v; /* in the order of the file; once sorted, in a topological order */
    storage *s;
    uint32_t n_t, n, n_s;
    list control;                   /* from, to, ...: sorted, each once */
    uint32_t *place;                /* once sorted: of a node of the file, in v */
    uint64_t live_empty, live_full; /* bytes live before and after all nodes */
    flow flow;                      /* room for one, once it is needed */
    char hash[65];
} graph;

/* ---- check_read.c ---- */

/* Print "s REJECTED: ..." (status 1) or a complaint (other status) and exit. */
_Noreturn void check_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *check_room(size_t count, size_t bytes); /* cleared; never NULL */
void *check_grow(void *array, size_t count, size_t bytes);
void check_push(list *l, uint32_t value);
/* The number that begins at *at, which moves behind it. */
uint64_t check_number(char **at, int status); /* fault: die with the status */

/* Read a JSON or line file. */
graph *check_graph_read(const char *path);
/* The nodes of an order file, g->n of them; once derived. */
uint32_t *check_order_read(const graph *g, const char *path);

/* ---- check_graph.c ---- */

/* Find storages and edges; number the nodes topologically. */
void check_graph_derive(graph *g, bool pin_inputs);

/*
 * ---- check_walk.c ----
 *
 * Prefixes of a graph, one node at a time: forwards from the empty prefix
 * (nodes run) or backwards from the full one (nodes are taken off).  Sets are
 * bits.
 */
typedef struct walk {
    graph *g;
    bool free_first, reverse;
    uint32_t words;                         /* of a set                          */
    uint32_t open;                          /* storages that have not died       */
    uint64_t live;                          /* bytes                             */
    uint64_t *done, *ready, *falls, *frees; /* moved; may move next; would not
                                              raise live; gain above 0         */
} walk;

static inline bool has(const uint64_t *set, uint32_t v)
{
    return set[v / 64] >> (v % 64) & 1;
}

static inline void put(uint64_t *set, uint32_t v, bool in)
{
    uint64_t bit = UINT64_C(1) << (v % 64);
    set[v / 64] = in ? set[v / 64] | bit : set[v / 64] & ~bit;
}

/* (Re)start a walk, cleared at first; one a graph: it counts in nodes and storages. */
void walk_start(walk *w, graph *g, bool free_first, bool reverse);
/* Move node v, or move it back. */
void walk_flip(walk *w, uint32_t v);
/* The usage of the step that the move of v stands for; plain: without in-place reuse. */
uint64_t walk_usage_plain(const walk *w, uint32_t v);
uint64_t walk_usage(const walk *w, uint32_t v);
/* What the step reuses; ever: the most that it could. */
uint64_t walk_reuse(const walk *w, uint32_t v, bool ever);

/*
 * The least live over all prefixes from `top` less the n nodes inside up to
 * `top`: the walk stands at `top` where it goes forwards, and backwards before
 * it takes these nodes off.  A closure problem, solved by a maximum flow along
 * shortest paths (Edmonds and Karp).
 */
uint64_t walk_least_live(const walk *w, const uint32_t *inside, uint32_t n);

/* ---- check_search.c, check_bound.c, highwater-check.c ---- */

typedef struct search {
    FILE *in; /* the proof */
    graph *g;
    walk w;
    uint64_t budget; /* N - 1 */
    bool free_first;
    bool windows;          /* no rules, positions count */
    int64_t *first, *last; /* positions of nodes        */
    uint64_t *impure;      /* set of nodes that cannot wait, whatever they free */
    uint64_t *above;       /* sets, of nodes: itself and its ancestors          */
    uint64_t **closure;    /* of storages that can die: their users and these' ancestors */
    uint64_t *set;         /* sets of macro-steps, one a level       */
    list way;              /* storages by which these grew           */
    list trail;            /* moves since the prefix to be listed    */
    list path;             /* of a commit */
    uint64_t *slot;        /* listed prefixes, each after its hash; 0: empty */
    size_t slots, listed;
} search;

/* Is the word the second of two?  It has to be one of them. */
bool check_second(const char *word, const char *first, const char *second);

/* Positions of nodes, from their windows and those of their neighbours. */
void check_windows(search *s);
/* The line `bound KIND FIRST LAST`; the numbers are 0 where it has none. */
void check_bound(search *s, const char *kind, uint64_t first, uint64_t last);
/* The records of a search, to the end of the proof. */
void check_search(search *s, bool reverse);

#endif
