/*
 * A piece as a coloured graph.  See exact_structure.h.
 *
 * Edges: node -> node as in the piece; buffer -> user; node -> pair -> buffer;
 * pair -> output.  The kinds of the ends tell these roles apart.
 */
#include "solvers/exact_structure.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* What must be equal for vertices to be alike. */
typedef struct looks {
    uint64_t figure[4]; /* what it is; then bytes */
    uint32_t vertex;
} looks;

enum { NODE, STORAGE, PAIR, OUTPUT };

void exact_structure_free(exact_structure *s)
{
    free(s->out.offset);
    free(s->out.item);
    free(s->in.offset);
    free(s->in.item);
    free(s->kind);
    memset(s, 0, sizeof *s);
}

static int by_looks(const void *a, const void *b)
{
    const looks *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x->figure[i] != y->figure[i])
            return x->figure[i] < y->figure[i] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Vertices that look the same are of one kind. */
static bool lay_kinds(exact_structure *s, looks *look)
{
    s->kind = HW_NEW(uint32_t, s->n);
    if (!s->kind)
        return false;
    qsort(look, s->n, sizeof *look, by_looks);
    for (uint32_t i = 0, kind = 0; i < s->n; i++) {
        if (i && memcmp(look[i].figure, look[i - 1].figure, sizeof look[i].figure) != 0)
            kind++;
        s->kind[look[i].vertex] = kind;
    }
    return true;
}

typedef void edge_sink(exact_structure *s, uint32_t from, uint32_t to);

static void each_edge(const exact_problem *p, edge_sink *edge, exact_structure *s)
{
    uint32_t buffers = p->n, pairs = buffers + p->n_buffers;
    uint32_t outputs = pairs + (p->reuse_offset ? p->reuse_offset[p->n] : 0);
    for (uint32_t v = 0; v < p->n; v++) {
        for (uint32_t k = p->succs.offset[v]; k < p->succs.offset[v + 1]; k++)
            edge(s, v, p->succs.item[k]);
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++)
            edge(s, buffers + p->uses.item[k], v);
        if (!p->reuse_offset)
            continue;
        for (uint32_t k = p->reuse_offset[v]; k < p->reuse_offset[v + 1]; k++) {
            uint32_t first = p->reuse_offset[v];
            while (p->reuse_pair[first].right != p->reuse_pair[k].right)
                first++;
            edge(s, v, pairs + k);
            edge(s, pairs + k, buffers + p->reuse_pair[k].left);
            edge(s, pairs + k, outputs + first);
        }
    }
}

/* Rows are counted two places ahead, so that filling them leaves offsets right. */
static void count_edge(exact_structure *s, uint32_t from, uint32_t to)
{
    s->out.offset[from + 2]++;
    s->in.offset[to + 2]++;
}

static void add_edge(exact_structure *s, uint32_t from, uint32_t to)
{
    s->out.item[s->out.offset[from + 1]++] = to;
    s->in.item[s->in.offset[to + 1]++] = from;
}

/* Both rows of s and its kinds; look[] is released. */
static hw_code lay(exact_structure *s, looks *look, const exact_problem *p, hw_error *err)
{
    s->out.offset = HW_NEW0(uint32_t, (size_t)s->n + 2);
    s->in.offset = HW_NEW0(uint32_t, (size_t)s->n + 2);
    bool good = look && s->out.offset && s->in.offset && lay_kinds(s, look);
    free(look);
    if (good) {
        each_edge(p, count_edge, s);
        for (uint32_t i = 2; i <= s->n + 1; i++) {
            s->out.offset[i] += s->out.offset[i - 1];
            s->in.offset[i] += s->in.offset[i - 1];
        }
        s->out.item = HW_NEW(uint32_t, s->out.offset[s->n + 1]);
        s->in.item = HW_NEW(uint32_t, s->in.offset[s->n + 1]);
        good = s->out.item && s->in.item;
    }
    if (good) {
        each_edge(p, add_edge, s);
        return HW_OK;
    }
    exact_structure_free(s);
    return hw_fail_memory(err, "the structure of a graph");
}

hw_code exact_structure_of_piece(const exact_problem *p, exact_structure *s, hw_error *err)
{
    uint32_t n_reuse = p->reuse_offset ? p->reuse_offset[p->n] : 0;
    uint32_t buffers = p->n, pairs = buffers + p->n_buffers, outputs = pairs + n_reuse;
    memset(s, 0, sizeof *s);
    s->n = outputs + n_reuse;
    looks *look = HW_NEW0(looks, s->n);
    for (uint32_t v = 0; look && v < p->n; v++)
        look[v] = (looks){{p->new_bytes[v], p->dead_bytes[v], p->workspace[v], NODE}, v};
    for (uint32_t b = 0; look && b < p->n_buffers; b++)
        look[buffers + b] = (looks){{p->size[b], 0, 0, STORAGE}, buffers + b};
    for (uint32_t k = 0; look && k < n_reuse; k++) {
        look[pairs + k] = (looks){{p->reuse_pair[k].weight, 0, 0, PAIR}, pairs + k};
        look[outputs + k] = (looks){{0, 0, 0, OUTPUT}, outputs + k};
    }
    return lay(s, look, p, err);
}
