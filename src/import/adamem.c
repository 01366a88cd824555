/*
 * Graphs as AdaMemScheduling publishes them: n and m, then m edges "u v w":
 * node v, from 0, reads w bytes that node u makes.  Blanks and line ends alike
 * part the numbers.
 *
 * As its programs count, all that a node makes is one buffer, of the sum of
 * its edges, which goes when the last of its readers has run; a node without
 * successors makes nothing.
 * Source: https://github.com/jianhui1006/AdaMemScheduling, code/scheduler.cpp,
 * Topsort::getCost.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "import/draft.h"
#include "import/importers.h"
#include "import/numbers.h"

static bool tell(const char *bytes, size_t n, bool whole)
{
    hw_numbers_shape shape;
    if (!hw_numbers_head(bytes, n, whole, &shape))
        return false;
    if (shape.edges == 0)
        return shape.nodes > 0 && shape.second == 0;
    return shape.second == 3 && shape.third == (shape.edges > 1 ? 3U : 0U);
}

typedef struct edge {
    uint32_t from, to;
    uint64_t bytes;
} edge;

typedef struct reading {
    hw_numbers s;
    uint64_t n, m;
    edge *edges;
    size_t n_edges, room;
    uint64_t *bytes; /* that each node makes */
    uint32_t *made;  /* the tensor of each node, HW_NONE: none */
} reading;

/* So many nodes may stand without an edge: they need no room in the file, but do here. */
enum { MOST_ALONE = 1 << 20 };

static hw_code read_head(reading *r, hw_error *err)
{
    hw_code code = hw_numbers_next(&r->s, "the number of nodes", HW_NONE - 1, &r->n, err);
    if (code == HW_OK)
        code = hw_numbers_next(&r->s, "the number of edges", UINT32_MAX, &r->m, err);
    if (code != HW_OK)
        return code;
    if (r->n > 2 * r->m + MOST_ALONE)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": %" PRIu64 " nodes with %" PRIu64 " edges: more than %d "
                       "nodes would stand alone; mend the counts",
                       r->s.file, r->s.line, r->n, r->m, MOST_ALONE);
    if (r->n == 0 && r->m > 0)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": %" PRIu64 " edges without a node: mend the counts",
                       r->s.file, r->s.line, r->m);
    return HW_OK;
}

/* Edges are read before anything is made by the number of nodes, which may be false. */
static hw_code read_edges(reading *r, hw_error *err)
{
    for (uint64_t i = 0; i < r->m; i++) {
        uint64_t from, to, weight;
        hw_code code = hw_numbers_next(&r->s, "the first node of an edge", r->n - 1, &from, err);
        if (code == HW_OK)
            code = hw_numbers_next(&r->s, "the second node of an edge", r->n - 1, &to, err);
        if (code == HW_OK)
            code = hw_numbers_next(&r->s, "the bytes of an edge", INT64_MAX, &weight, err);
        if (code != HW_OK)
            return code;
        if (from == to)
            return hw_fail(err, HW_BAD_INPUT,
                           "%s:%" PRIu64 ": node %" PRIu64 " reads what it makes: take the edge "
                           "out",
                           r->s.file, r->s.line, from);
        if (!hw_grow((void **)&r->edges, &r->room, r->n_edges + 1, sizeof(edge)))
            return hw_fail_memory(err, "the edges of a graph");
        r->edges[r->n_edges++] = (edge){(uint32_t)from, (uint32_t)to, weight};
    }
    return hw_numbers_end(&r->s, "n m, m edges u v w", err);
}

/* The bytes of each node, HW_NONE in made[] where it has no successor. */
static hw_code sum_up(reading *r, hw_error *err)
{
    r->bytes = HW_NEW0(uint64_t, r->n);
    r->made = HW_NEW(uint32_t, r->n);
    if (!r->bytes || !r->made)
        return hw_fail_memory(err, "the nodes of a graph");
    for (uint64_t v = 0; v < r->n; v++)
        r->made[v] = HW_NONE;
    for (size_t i = 0; i < r->n_edges; i++) {
        uint32_t u = r->edges[i].from;
        r->made[u] = 0;
        if (r->edges[i].bytes > INT64_MAX - r->bytes[u])
            return hw_fail(err, HW_BAD_INPUT,
                           "%s: the edges of node %" PRIu32 " sum up to more than 2^63 - 1 bytes: "
                           "take a larger unit",
                           r->s.file, u);
        r->bytes[u] += r->edges[i].bytes;
    }
    return HW_OK;
}

static hw_code fill(reading *r, hw_draft *d, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint64_t v = 0; code == HW_OK && v < r->n; v++) {
        code = hw_draft_node_add(d, NULL, NULL, NULL, err);
        if (code == HW_OK && r->made[v] != HW_NONE)
            code = hw_draft_tensor_add(d, r->bytes[v], HW_ACTIVATION, (uint32_t)v, NULL,
                                       &r->made[v], err);
    }
    for (size_t i = 0; code == HW_OK && i < r->n_edges; i++)
        code = hw_draft_read_add(d, r->edges[i].to, r->made[r->edges[i].from], err);
    return code;
}

static hw_code read(hw_import *in, hw_graph **out, hw_error *err)
{
    reading r = {0};
    hw_draft d = {0};
    *out = NULL;
    hw_code code = hw_numbers_open(&r.s, in->input, err);
    if (code == HW_OK)
        code = read_head(&r, err);
    if (code == HW_OK)
        code = read_edges(&r, err);
    if (code == HW_OK)
        code = sum_up(&r, err);
    if (code == HW_OK)
        code = fill(&r, &d, err);
    if (code == HW_OK)
        code = hw_draft_graph(&d, in->path, "AdaMem", NULL, out, err);
    hw_draft_clear(&d);
    free(r.edges);
    free(r.bytes);
    free(r.made);
    return code;
}

const hw_importer hw_importer_adamem = {
    .name = "adamem",
    .title = "AdaMem text",
    .help = "n m, then m edges 'u v bytes'; one buffer a node",
    .tell = tell,
    .read = read,
};
