/*
 * Fork-join graphs: `stages` in a row, each a fork, `width` branches and a
 * join.  With nest > 1 a branch of at least 4 nodes is a fork-join itself, and
 * so on down to `nest` levels; all other branches are chains.
 *
 * Nodes are numbered depth first: fork, branch after branch, join.  A stack of
 * at most nest frames of parts.  Time O(n).
 * Source: fork-join task graphs of structured parallel programs; nested
 * fork-join as in Blumofe and Leiserson 1999.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, STAGES, WIDTH, NEST, LENGTHS, DRESS };
enum { LENGTHS_RANDOM, LENGTHS_EQUAL };
enum { MOST_NEST = 16, LEAST_BLOCK = 4 };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes, with forks and joins"},
    {"stages", HW_PARAM_INT, 1, HW_MOST_NODES, 1, NULL, "fork-joins in a row"},
    {"width", HW_PARAM_INT, 1, HW_MOST_NODES, 4, NULL,
     "branches of a fork; fewer where an inner fork has no nodes for them"},
    {"nest", HW_PARAM_INT, 1, MOST_NEST, 1, NULL, "levels of forks within branches"},
    {"lengths", HW_PARAM_CHOICE, 0, 0, LENGTHS_RANDOM, "random|equal", "sizes of the branches"},
    HW_DRESS_ROWS,
};

/* A fork-join under way: its fork is drawn, branches up to `next` too. */
typedef struct frame {
    uint32_t fork, join;
    uint32_t *part, count, next;
} frame;

/* A frame for a fork-join of `size` >= 3 nodes from d's node `first` on. */
static hw_code open_frame(frame *f, uint32_t first, uint32_t size, const hw_param_value *v,
                          gsl_rng *rng, hw_error *err)
{
    uint32_t inner = size - 2, width = v[WIDTH].i < inner ? (uint32_t)v[WIDTH].i : inner;
    *f = (frame){first, first + size - 1, HW_NEW(uint32_t, width), width, 0};
    if (!f->part)
        return hw_fail_memory(err, "the branches of a fork");
    hw_draw_parts(rng, inner, f->part, width, v[LENGTHS].i == LENGTHS_EQUAL);
    return HW_OK;
}

/* Draw one fork-join of `size` >= 3 nodes from d's node `first` on. */
static hw_code draw_block(hw_dag *d, uint32_t first, uint32_t size, const hw_param_value *v,
                          gsl_rng *rng, hw_error *err)
{
    frame stack[MOST_NEST] = {{0}}, *top = stack;
    uint32_t node = first + 1;
    hw_code code = open_frame(top, first, size, v, rng, err);
    while (code == HW_OK) {
        if (top->next == top->count) { /* all branches drawn: leave it */
            node = top->join + 1;
            free(top->part);
            if (top == stack)
                return HW_OK;
            top--;
            continue;
        }
        uint32_t part = top->part[top->next++], last = node + part - 1;
        code = hw_dag_add(d, top->fork, node, err);
        if (code == HW_OK)
            code = hw_dag_add(d, last, top->join, err);
        if (code == HW_OK && part >= LEAST_BLOCK && top - stack + 1 < v[NEST].i) {
            code = open_frame(++top, node, part, v, rng, err);
            node++;
            continue;
        }
        for (; code == HW_OK && node < last; node++)
            code = hw_dag_add(d, node, node + 1, err);
        node++;
    }
    for (; top > stack; top--)
        free(top->part);
    free(stack->part);
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    int64_t n = v[N].i, stages = v[STAGES].i, width = v[WIDTH].i;
    if (stages > n || width + 2 > n / stages)
        return hw_fail(err, HW_USAGE,
                       "%" PRId64 " stages of a fork, %" PRId64 " branches and a join need %" PRId64
                       " nodes, n=%" PRId64 ": give fewer stages, a smaller width or a greater n",
                       stages, width, stages * (width + 2), n);
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    hw_dag d;
    hw_dag_start(&d, (uint32_t)n);
    uint32_t first = 0;
    for (int64_t stage = 0; stage < stages && code == HW_OK; stage++) {
        uint32_t size = (uint32_t)(n / stages + (stage < n % stages));
        if (stage)
            code = hw_dag_add(&d, first - 1, first, err);
        if (code == HW_OK)
            code = draw_block(&d, first, size, v, rng, err);
        first += size;
    }
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_fan = {
    .name = "fan",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "fork-joins, in a row and nested",
    .source = "Blumofe and Leiserson 1999 (nested fork-join)",
    .generate = generate,
};
