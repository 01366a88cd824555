/*
 * Maximum-weight bipartite assignment by labels and tight edges (Kuhn 1955,
 * Munkres 1957), over a list of edges.  See assignment.h.
 *
 * Every row i has a label u(i), every column j a label w(j), with
 * u(i) + w(j) >= gain(i, j) on every edge and equality on chosen edges; a free
 * column has label 0, and so has a row that was left without a column.  Then
 * the chosen edges gain exactly the sum of all labels, which no other choice
 * can exceed.  Rows enter one after another, each with its greatest gain as
 * label.  While a row searches, some free column or the end of some label
 * limits every change, so labels stay within 0 .. 2^63 - 1 and all slacks
 * within 64 bits.
 */
#include "model/assignment.h"

#include <stdlib.h>

#include "core/memory.h"

#define NOTHING UINT32_MAX

typedef struct column {
    uint32_t label;     /* of the caller                              */
    uint32_t taken_by;  /* row, or NOTHING                            */
    uint32_t from;      /* row of the search that reaches it best     */
    uint32_t search;    /* number of the last search that reached it  */
    bool in_tree;       /* in that search: behind a tight edge        */
    uint64_t potential; /* w(j)                                       */
    uint64_t slack;     /* least u(i) + w(j) - gain over rows reached */
} column;

typedef struct row {
    size_t begin, end; /* its edges                        */
    uint32_t takes;    /* column, or NOTHING               */
    uint64_t potential;
} row;

typedef struct problem {
    const hw_assignment_edge *edges;
    uint32_t *edge_column; /* column number of each edge      */
    row *rows;
    column *columns;
    uint32_t n_rows, n_columns;
    uint32_t *tree_rows; /* rows of the running search      */
    uint32_t *reached;   /* columns that the search reached */
} problem;

static int by_row(const void *a, const void *b)
{
    const hw_assignment_edge *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_label(const void *a, const void *b)
{
    const column *x = a, *y = b;
    return (x->label > y->label) - (x->label < y->label);
}

/* Number rows and columns; edges are sorted by row. */
static void number(problem *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p->columns[i] = (column){.label = p->edges[i].column, .taken_by = NOTHING};
    qsort(p->columns, n, sizeof *p->columns, by_label);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || p->columns[i].label != p->columns[p->n_columns - 1].label)
            p->columns[p->n_columns++] = p->columns[i];
    for (size_t i = 0; i < n; i++) {
        const column key = {.label = p->edges[i].column};
        const column *found = bsearch(&key, p->columns, p->n_columns, sizeof *p->columns, by_label);
        p->edge_column[i] = (uint32_t)(found - p->columns);
        if (i == 0 || p->edges[i].row != p->edges[i - 1].row)
            p->rows[p->n_rows++] = (row){.begin = i, .takes = NOTHING};
        row *r = &p->rows[p->n_rows - 1];
        r->end = i + 1;
        if (p->edges[i].gain > r->potential)
            r->potential = p->edges[i].gain;
    }
}

/* Row r joins the search: note by how much its edges miss being tight. */
static uint32_t reach_from(problem *p, uint32_t search, uint32_t r, uint32_t n_reached)
{
    for (size_t e = p->rows[r].begin; e < p->rows[r].end; e++) {
        column *c = &p->columns[p->edge_column[e]];
        uint64_t slack = p->rows[r].potential + c->potential - p->edges[e].gain;
        if (c->search != search) {
            c->search = search;
            c->in_tree = false;
            p->reached[n_reached++] = p->edge_column[e];
        } else if (c->in_tree || c->slack <= slack) {
            continue;
        }
        c->slack = slack;
        c->from = r;
    }
    return n_reached;
}

/* Lower the labels of the tree's rows and raise those of its columns. */
static void shift(problem *p, uint64_t by, uint32_t n_rows, uint32_t n_reached)
{
    for (uint32_t i = 0; i < n_rows; i++)
        p->rows[p->tree_rows[i]].potential -= by;
    for (uint32_t i = 0; i < n_reached; i++) {
        column *c = &p->columns[p->reached[i]];
        if (c->in_tree)
            c->potential += by;
        else
            c->slack -= by;
    }
}

/* Column c goes to the row that reached it, whose column goes on, back to the start. */
static void pass_on(problem *p, uint32_t c)
{
    while (c != NOTHING) {
        uint32_t r = p->columns[c].from, next = p->rows[r].takes;
        p->columns[c].taken_by = r;
        p->rows[r].takes = c;
        c = next;
    }
}

/* Find a column for row `start`, or the row that goes without one. */
static void place(problem *p, uint32_t start)
{
    uint32_t search = start + 1, n_rows = 0, n_reached = 0, joined = start;
    for (;;) {
        p->tree_rows[n_rows++] = joined;
        n_reached = reach_from(p, search, joined, n_reached);
        uint32_t poorest = p->tree_rows[0], nearest = NOTHING;
        for (uint32_t i = 1; i < n_rows; i++)
            if (p->rows[p->tree_rows[i]].potential < p->rows[poorest].potential)
                poorest = p->tree_rows[i];
        for (uint32_t i = 0; i < n_reached; i++) {
            const column *c = &p->columns[p->reached[i]];
            if (!c->in_tree && (nearest == NOTHING || c->slack < p->columns[nearest].slack))
                nearest = p->reached[i];
        }
        uint64_t left = p->rows[poorest].potential;
        if (nearest == NOTHING || left <= p->columns[nearest].slack) {
            shift(p, left, n_rows, n_reached); /* the label of `poorest` is now 0 */
            uint32_t given_up = p->rows[poorest].takes;
            p->rows[poorest].takes = NOTHING;
            pass_on(p, given_up);
            return;
        }
        shift(p, p->columns[nearest].slack, n_rows, n_reached);
        p->columns[nearest].in_tree = true;
        joined = p->columns[nearest].taken_by;
        if (joined == NOTHING) {
            pass_on(p, nearest);
            return;
        }
    }
}

static uint64_t solve(problem *p)
{
    uint64_t total = 0;
    for (uint32_t r = 0; r < p->n_rows; r++)
        place(p, r);
    for (uint32_t r = 0; r < p->n_rows; r++) {
        uint64_t gain = 0; /* of the best of parallel edges: the tight one */
        for (size_t e = p->rows[r].begin; e < p->rows[r].end; e++)
            if (p->edge_column[e] == p->rows[r].takes && p->edges[e].gain > gain)
                gain = p->edges[e].gain;
        total += gain;
    }
    return total;
}

bool hw_assignment_best(hw_assignment_edge *edges, size_t n, uint64_t *total)
{
    *total = n == 1 ? edges[0].gain : 0;
    if (n <= 1)
        return true;
    if (n >= NOTHING)
        return false;
    qsort(edges, n, sizeof *edges, by_row);
    problem p = {
        .edges = edges,
        .edge_column = HW_NEW(uint32_t, n),
        .rows = HW_NEW(row, n),
        .columns = HW_NEW(column, n),
        .tree_rows = HW_NEW(uint32_t, n),
        .reached = HW_NEW(uint32_t, n),
    };
    bool room = p.edge_column && p.rows && p.columns && p.tree_rows && p.reached;
    if (room) {
        number(&p, n);
        *total = solve(&p);
    }
    free(p.edge_column);
    free(p.rows);
    free(p.columns);
    free(p.tree_rows);
    free(p.reached);
    return room;
}
