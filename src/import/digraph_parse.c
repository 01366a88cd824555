/* The statements of a DOT digraph.  See digraph.c, which says what is read of them. */
#include "import/digraph_internal.h"

#include <string.h>

#include "core/memory.h"
#include "model/graph.h"

static hw_code next(hw_digraph *r)
{
    return hw_dot_next(&r->s, r->err);
}

static hw_code fail(const hw_digraph *r, const char *what)
{
    return hw_dot_fail(&r->s, r->err, what);
}

static hw_code read_size(const hw_digraph *r, uint64_t *out)
{
    *out = 0;
    if (r->s.length == 0)
        return fail(r, "a size is empty: write a number of bytes, digits alone");
    for (size_t i = 0; i < r->s.length; i++) {
        unsigned digit = (unsigned)(unsigned char)r->s.text[i] - '0';
        if (digit > 9)
            return fail(r, "a size is no number of bytes: write digits alone");
        if (*out > ((uint64_t)INT64_MAX - digit) / 10)
            return fail(r, "a size is more than 2^63 - 1: take a larger unit");
        *out = 10 * *out + digit;
    }
    return HW_OK;
}

/* One of NAME=VALUE, the name at hand. */
static hw_code read_attribute(hw_digraph *r, hw_digraph_node *a)
{
    bool size = strcmp(r->s.text, "size") == 0, op = strcmp(r->s.text, "op") == 0;
    a->has_alpha = a->has_alpha || strcmp(r->s.text, "alpha") == 0;
    hw_code code = next(r);
    if (code != HW_OK || !hw_dot_is_sign(&r->s, '='))
        return code != HW_OK || !size ? code : fail(r, "size has no value: write size=BYTES");
    code = next(r);
    if (code == HW_OK && r->s.token != HW_DOT_ID)
        code = fail(r, "an attribute has no value: write NAME=VALUE");
    if (code == HW_OK && size) {
        code = read_size(r, &a->size);
        a->has_size = true;
    } else if (code == HW_OK && op) {
        a->op = hw_names_add(&r->ops, r->s.text, r->s.length, NULL);
        if (a->op == UINT32_MAX)
            code = hw_fail_memory(r->err, "the operator types of a graph");
    }
    return code == HW_OK ? next(r) : code;
}

/* Lists in brackets, as many as stand there; the token at hand is the first behind them. */
static hw_code read_attributes(hw_digraph *r, hw_digraph_node *a)
{
    hw_code code = HW_OK;
    while (code == HW_OK && hw_dot_is_sign(&r->s, '[')) {
        code = next(r);
        while (code == HW_OK && !hw_dot_is_sign(&r->s, ']')) {
            if (hw_dot_is_sign(&r->s, ',') || hw_dot_is_sign(&r->s, ';'))
                code = next(r);
            else if (r->s.token == HW_DOT_ID)
                code = read_attribute(r, a);
            else
                code = fail(r, r->s.token == HW_DOT_END
                                   ? "an attribute list has no end: the file is truncated"
                                   : "in an attribute list stands no NAME=VALUE");
        }
        if (code == HW_OK)
            code = next(r);
    }
    return code;
}

/* The node named by the token at hand, with its port passed over. */
static hw_code read_node(hw_digraph *r, uint32_t *out)
{
    bool added;
    *out = hw_names_add(&r->names, r->s.text, r->s.length, &added);
    if (*out == UINT32_MAX ||
        !hw_grow((void **)&r->node, &r->node_room, *out + (size_t)1, sizeof *r->node))
        return hw_fail_memory(r->err, "the nodes of a graph");
    if (added)
        r->node[*out] = (hw_digraph_node){.op = HW_NONE};
    hw_code code = next(r);
    while (code == HW_OK && hw_dot_is_sign(&r->s, ':')) {
        code = next(r);
        if (code == HW_OK && r->s.token != HW_DOT_ID)
            code = fail(r, "behind : stands no port");
        if (code == HW_OK)
            code = next(r);
    }
    return code;
}

/* -> NODE -> NODE ... [ATTRIBUTES], the first arrow at hand. */
static hw_code read_edges(hw_digraph *r, uint32_t from)
{
    size_t first = r->n_edges;
    hw_code code = HW_OK;
    while (code == HW_OK && r->s.token == HW_DOT_ARROW) {
        uint32_t to = 0;
        code = next(r);
        if (code == HW_OK && (r->s.token != HW_DOT_ID || hw_dot_is_word(&r->s, "subgraph")))
            code = fail(r, "behind -> stands no node: an edge leads to one node, write one for "
                           "each of a group");
        if (code == HW_OK)
            code = read_node(r, &to);
        if (code == HW_OK && from == to)
            code = fail(r, "a node reads what it makes: take the edge out");
        if (code == HW_OK &&
            !hw_grow((void **)&r->edges, &r->edge_room, r->n_edges + 1, sizeof *r->edges))
            code = hw_fail_memory(r->err, "the edges of a graph");
        if (code == HW_OK)
            r->edges[r->n_edges++] = (hw_digraph_edge){.from = from, .to = to};
        from = to;
    }
    hw_digraph_node a = {.op = HW_NONE};
    if (code == HW_OK)
        code = read_attributes(r, &a);
    for (size_t i = first; i < r->n_edges; i++) {
        r->edges[i].size = a.size;
        r->edges[i].has_size = a.has_size;
    }
    return code;
}

/* node [...], edge [...], graph [...]: defaults, of which a size would count for later ones. */
static hw_code read_defaults(hw_digraph *r, bool of_graph)
{
    hw_digraph_node a = {.op = HW_NONE};
    hw_code code = HW_OK;
    if (of_graph) { /* its size is that of the drawing: not to be read as bytes */
        while (code == HW_OK && r->s.token != HW_DOT_END && !hw_dot_is_sign(&r->s, ']'))
            code = next(r);
        return code == HW_OK ? next(r) : code;
    }
    code = read_attributes(r, &a);
    if (code == HW_OK && a.has_size)
        code = fail(r, "a size for all nodes or edges that follow: write it at each of them");
    return code;
}

static hw_code read_statement(hw_digraph *r)
{
    bool of_graph = hw_dot_is_word(&r->s, "graph");
    if (of_graph || hw_dot_is_word(&r->s, "node") || hw_dot_is_word(&r->s, "edge")) {
        hw_code code = next(r);
        if (code == HW_OK && !hw_dot_is_sign(&r->s, '['))
            code = fail(r, "behind node, edge or graph stands no [: put names such as these in "
                           "quotes");
        return code == HW_OK ? read_defaults(r, of_graph) : code;
    }
    if (hw_dot_is_word(&r->s, "subgraph")) {
        hw_code code = next(r);
        if (code == HW_OK && r->s.token == HW_DOT_ID)
            code = next(r);
        return code != HW_OK || hw_dot_is_sign(&r->s, '{')
                   ? code
                   : fail(r, "behind subgraph stands no {: an edge leads to one node, not a group");
    }
    /* NAME = VALUE, of the graph: a node of that name is not meant */
    hw_dot_scan ahead = r->s;
    ahead.text = NULL;
    ahead.room = ahead.length = 0;
    bool equals = hw_dot_next(&ahead, NULL) == HW_OK && hw_dot_is_sign(&ahead, '=');
    hw_dot_scan_clear(&ahead);
    if (equals) {
        hw_code code = next(r);
        for (int i = 0; i < 2 && code == HW_OK; i++) {
            if (i == 1 && r->s.token != HW_DOT_ID)
                return fail(r, "behind = stands no value");
            code = next(r);
        }
        return code;
    }
    uint32_t node = 0;
    hw_code code = read_node(r, &node);
    if (code != HW_OK)
        return code;
    if (r->s.token == HW_DOT_ARROW)
        return read_edges(r, node);
    if (r->s.token == HW_DOT_LINE)
        return fail(r, "-- in a digraph: edges have a direction, write ->");
    return read_attributes(r, &r->node[node]);
}

static hw_code read_body(hw_digraph *r)
{
    hw_code code = HW_OK;
    while (code == HW_OK) {
        if (hw_dot_is_sign(&r->s, '{')) {
            r->depth++;
            code = next(r);
        } else if (hw_dot_is_sign(&r->s, '}')) {
            code = next(r);
            if (--r->depth == 0)
                break;
            if (code == HW_OK && r->s.token == HW_DOT_ARROW)
                code = fail(r, "an edge from a group: write one for each of its nodes");
        } else if (hw_dot_is_sign(&r->s, ';')) {
            code = next(r);
        } else if (r->s.token == HW_DOT_ID) {
            code = read_statement(r);
        } else {
            code = fail(r, r->s.token == HW_DOT_END ? "the graph has no end: the file is truncated"
                                                    : "a statement begins with no name");
        }
    }
    if (code == HW_OK && r->s.token != HW_DOT_END)
        code = fail(r, "something follows the graph: give a file of one graph");
    return code;
}

hw_code hw_digraph_parse(hw_digraph *r)
{
    hw_code code = next(r);
    if (code == HW_OK && hw_dot_is_word(&r->s, "strict"))
        code = next(r);
    if (code == HW_OK && hw_dot_is_word(&r->s, "graph"))
        return fail(r, "an undirected graph: it says not who makes and who reads; write a digraph");
    if (code == HW_OK && !hw_dot_is_word(&r->s, "digraph"))
        return fail(r, "no digraph: a DOT file begins with 'digraph NAME {'");
    if (code == HW_OK)
        code = next(r);
    if (code == HW_OK && r->s.token == HW_DOT_ID)
        code = next(r);
    if (code == HW_OK && !hw_dot_is_sign(&r->s, '{'))
        return fail(r, "behind 'digraph NAME' stands no {");
    return code == HW_OK ? read_body(r) : code;
}
