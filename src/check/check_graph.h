/*
 * The graph as highwater-check sees it: read by readers of its own, shared with
 * nothing else.  Any fault ends the program (check_die).
 */
#ifndef HW_CHECK_GRAPH_H
#define HW_CHECK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOBODY UINT32_MAX

typedef struct list {
    uint32_t *at;
    size_t n, room;
} list;

typedef struct tensor {
    uint64_t id, size;
    char kind; /* a, i, o, c */
    uint32_t producer, storage;
} tensor;

typedef struct node {
    uint64_t id, workspace, window;
    bool has_window, view, locked, required;
    list in, out;    /* tensors as listed                     */
    list pairs;      /* input, output, ...: sorted, each once */
    list pred, succ; /* nodes, repeats allowed                */
    list uses;       /* storages, each once                   */
    uint64_t made;   /* bytes of the storages it creates      */
    uint64_t dead;   /* of these: nobody wants them           */
} node;

typedef struct storage {
    uint64_t size;
    uint32_t maker;
    bool constant, stays;
    list users; /* nodes, each once */
} storage;

typedef struct graph {
    tensor *t;
    node *v;
    storage *s;
    uint32_t n_t, n, n_s;
    list control;   /* from, to, ...: sorted, each once */
    uint32_t *topo; /* nodes in a topological order     */
    uint64_t live_empty, live_full;
    char hash[65];
} graph;

/* Print "s REJECTED: ..." (status 1) or a complaint (other status) and exit. */
_Noreturn void check_die(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *check_room(size_t count, size_t bytes); /* cleared; never NULL */
void check_push(list *l, uint32_t value);

/* Read a JSON or line file, derive storages and edges under the accounting. */
graph *check_graph_read(const char *path);
void check_graph_derive(graph *g, bool pin_inputs);
uint32_t check_node_index(const graph *g, uint64_t id); /* NOBODY: none */
/* Node indices of an order file, g->n of them. */
uint32_t *check_order_read(const graph *g, const char *path);

#endif
