/*
 * Build a graph, find its best order, and write down why none is better.
 *
 *     prove-bound FOLDER      # writes graph.json, best.json, graph.proof there
 *     highwater-check FOLDER/graph.json FOLDER/best.json FOLDER/graph.proof
 *
 * The graph: WAYS branches from one input, each a large tensor and a small one
 * made of it, and a node that joins the small ones.  One branch after another
 * is best; level by level keeps all large tensors at once.
 */
#include <highwater.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 4, LARGE = 1000, SMALL = 10 };

/* Tensors: 0 the input, 1 + 2i and 2 + 2i of branch i, then the output. */
static hw_code build(hw_graph **out, hw_error *err)
{
    hw_builder *b = hw_builder_new();
    uint64_t large[WAYS], small[WAYS], input = 0, result = 1 + 2 * WAYS;
    hw_code code = b ? HW_OK : hw_fail(err, HW_NO_MEMORY, "out of memory");
    if (code == HW_OK)
        code = hw_builder_describe(b, "ways", "examples/prove-bound.c", "bytes", err);
    if (code == HW_OK)
        code = hw_builder_tensor(b, input, SMALL, HW_INPUT, "x", err);
    for (uint64_t i = 0; code == HW_OK && i < WAYS; i++) {
        large[i] = 1 + 2 * i;
        small[i] = 2 + 2 * i;
        code = hw_builder_tensor(b, large[i], LARGE, HW_ACTIVATION, NULL, err);
        if (code == HW_OK)
            code = hw_builder_tensor(b, small[i], SMALL, HW_ACTIVATION, NULL, err);
    }
    if (code == HW_OK)
        code = hw_builder_tensor(b, result, SMALL, HW_OUTPUT, "y", err);
    for (uint64_t i = 0; code == HW_OK && i < 2 * WAYS; i++) { /* first all that widen */
        uint64_t *large_i = &large[i % WAYS], *small_i = &small[i % WAYS];
        hw_node_spec node = {.id = i, .n_inputs = 1, .n_outputs = 1};
        node.op = i < WAYS ? "Widen" : "Narrow";
        node.inputs = i < WAYS ? &input : large_i;
        node.outputs = i < WAYS ? large_i : small_i;
        code = hw_builder_node(b, &node, err);
    }
    hw_node_spec join = {.id = 2 * WAYS, .op = "Sum", .inputs = small, .outputs = &result};
    join.n_inputs = WAYS;
    join.n_outputs = 1;
    if (code == HW_OK)
        code = hw_builder_node(b, &join, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

/* Open FOLDER/name as a file that appears whole or not at all. */
static hw_code open_in(const char *folder, const char *name, hw_output *o, hw_error *err)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return hw_fail(err, HW_USAGE, "the name of the folder is too long");
    return hw_output_open(path, o, err);
}

static hw_code prove(const hw_graph *g, const char *folder, hw_error *err)
{
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *row = NULL;
    hw_model *m = NULL;
    hw_output graph = {0}, order = {0}, proof = {0};
    hw_answer answer = {0};
    hw_code code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK)
        code = hw_solver_parse("exact", &row, values, err);
    if (code == HW_OK)
        code = open_in(folder, "graph.json", &graph, err);
    if (code == HW_OK)
        code = open_in(folder, "best.json", &order, err);
    if (code == HW_OK)
        code = open_in(folder, "graph.proof", &proof, err);
    if (code == HW_OK)
        code = hw_graph_write(g, HW_FORMAT_JSON, graph.stream, err);
    if (code == HW_OK) {
        hw_request request = {.params = values, .proof = proof.stream};
        code = hw_solve(m, row, &request, &answer, err);
    }
    if (code == HW_OK && answer.proof != HW_PROOF_COMPLETE)
        code = hw_fail(err, HW_LIMIT, "there is no proof");
    if (code == HW_OK)
        code = hw_order_write(g, answer.order, order.stream, err);
    hw_output *const all[] = {&graph, &order, &proof};
    for (size_t i = 0; i < 3; i++)
        if (code == HW_OK)
            code = hw_output_commit(all[i], err);
        else
            hw_output_abandon(all[i]);
    if (code == HW_OK)
        printf("%s: no order of %" PRIu32 " nodes has a peak below %" PRIu64 " bytes\n",
               hw_status_name(answer.status), g->n_nodes, answer.bound);
    hw_answer_clear(&answer);
    hw_model_free(m);
    return code;
}

int main(int argc, char **argv)
{
    hw_error err = {0};
    hw_graph *g = NULL;
    if (argc != 2) {
        fputs("usage: prove-bound FOLDER\n", stderr);
        return 2;
    }
    hw_code code = build(&g, &err);
    if (code == HW_OK)
        code = prove(g, argv[1], &err);
    if (code != HW_OK)
        fprintf(stderr, "prove-bound: %s\n", err.message);
    hw_graph_free(g);
    return hw_exit_status(code);
}
