/*
 * The graph as highwater-check sees it: read by readers of its own, shared with
 * nothing else.  Any fault ends the program (check_die).
 */
#ifndef HW_CHECK_GRAPH_H
#define HW_CHECK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Print "s REJECTED: ..." (status 1) or a complaint (other status) and exit. */
_Noreturn void check_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *check_room(size_t count, size_t bytes); /* cleared; never NULL */
void *check_grow(void *array, size_t count, size_t bytes);
void check_push(list *l, uint32_t value);
/* The number that begins at *at, which moves behind it. */
uint64_t check_number(char **at, int status); /* fault: die with the status */

/* Read a JSON or line file. */
graph *check_graph_read(const char *path);
/* Find storages and edges; number the nodes topologically. */
void check_graph_derive(graph *g, bool pin_inputs);
/* The nodes of an order file, g->n of them; once derived. */
uint32_t *check_order_read(const graph *g, const char *path);

#endif
