/*
 * Randomly wired networks: an undirected random graph by igraph (Watts and
 * Strogatz, Erdős and Rényi, or Barabási and Albert), each edge oriented from
 * the lower to the higher vertex.
 *
 * A vertex is one node, or the four nodes aggregate, relu, conv, bn in a row.
 * ends=yes gives every stage a first node that feeds all vertices without
 * predecessors and a last one that takes the mean of all without successors,
 * and strings the stages together.
 *
 * igraph draws through this project's generator (igraph_rng_type_t below), so
 * instances do not hang on igraph's own random streams; they still hang on how
 * its three algorithms use them, and the hashes in the tests would tell of a
 * release that changed one.  In igraph's Barabási-Albert graph vertex i brings
 * min(i, m) edges, so its first vertices are wired among themselves.
 * Time O(vertices * degree), more where WS must avoid double edges.
 * Source: Xie, Kirillov, Girshick and He, Exploring randomly wired neural
 * networks, ICCV 2019.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "gen/dress.h"
#include "gen/family.h"
#include "io/graphml.h"

enum { N, MODEL, K, REWIRE, P, M, OPS, STAGES, ENDS, DRESS };
enum { MODEL_WS, MODEL_ER, MODEL_BA };
enum { OPS_FOUR = 1, MOST_VERTICES = 100000, MOST_STAGES = 1000 };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, MOST_VERTICES, 20, NULL, "vertices of a stage"},
    {"model", HW_PARAM_CHOICE, 0, 0, MODEL_WS, "ws|er|ba",
     "Watts-Strogatz, Erdos-Renyi or Barabasi-Albert"},
    {"k", HW_PARAM_INT, 2, 1000, 4, NULL, "ws: neighbours of a vertex on the ring, even"},
    {"rewire", HW_PARAM_REAL, 0, 1, 0.75, NULL, "ws: probability that an edge is rewired"},
    {"p", HW_PARAM_REAL, 0, 1, 0.2, NULL, "er: edge probability"},
    {"m", HW_PARAM_INT, 1, 1000, 5, NULL, "ba: edges that a vertex brings"},
    {"ops", HW_PARAM_CHOICE, 0, 0, 0, "1|4", "nodes a vertex: 4 are aggregate, relu, conv, bn"},
    {"stages", HW_PARAM_INT, 1, MOST_STAGES, 1, NULL, "stages in a row; above 1 with ends=yes"},
    {"ends", HW_PARAM_BOOL, 0, 1, 0, NULL, "a first and a last node for every stage"},
    HW_DRESS_ROWS,
};

/* ---- igraph's generator on top of ours; its state is the gsl_rng. ---- */

static igraph_error_t rng_init(void **state)
{
    *state = NULL;
    return IGRAPH_SUCCESS;
}

static void rng_destroy(void *state)
{
    (void)state; /* the caller's */
}

static igraph_error_t rng_seed(void *state, igraph_uint_t seed)
{
    (void)state; /* seeded by the caller */
    (void)seed;
    return IGRAPH_SUCCESS;
}

/* 32 bits, so that igraph_uint_t of 32 and of 64 bits draw alike. */
static igraph_uint_t rng_get(void *state)
{
    return (igraph_uint_t)(hw_rng_u64(state) >> 32);
}

static const igraph_rng_type_t rng_type = {
    .name = "xoshiro256**",
    .bits = 32,
    .init = rng_init,
    .destroy = rng_destroy,
    .seed = rng_seed,
    .get = rng_get,
};

typedef struct wish {
    const hw_param_value *values;
} wish;

static igraph_error_t draw_model(igraph_t *graph, void *context)
{
    const hw_param_value *v = ((const wish *)context)->values;
    igraph_integer_t n = v[N].i;
    switch (v[MODEL].i) {
    case MODEL_WS:
        return igraph_watts_strogatz_game(graph, 1, n, v[K].i / 2, v[REWIRE].r, false, false);
    case MODEL_ER:
        return igraph_erdos_renyi_game_gnp(graph, n, v[P].r, IGRAPH_UNDIRECTED, IGRAPH_NO_LOOPS);
    default:
        return igraph_barabasi_game(graph, n, 1, v[M].i, NULL, true, 1, IGRAPH_UNDIRECTED,
                                    IGRAPH_BARABASI_PSUMTREE, NULL);
    }
}

/* Add the edges of one stage, whose nodes begin at `first`. */
static hw_code add_stage(hw_dag *d, const igraph_t *graph, uint32_t first, const hw_param_value *v,
                         hw_error *err)
{
    const uint32_t n = (uint32_t)v[N].i, each = v[OPS].i == OPS_FOUR ? 4 : 1;
    const uint32_t body = first + (v[ENDS].i ? 1 : 0), last = body + n * each;
    uint8_t *degree = HW_NEW0(uint8_t, 2 * (size_t)n); /* has predecessors, has successors */
    if (!degree)
        return hw_fail_memory(err, "a stage of a randomly wired network");
    hw_code code = HW_OK;
    for (igraph_integer_t e = 0; e < igraph_ecount(graph) && code == HW_OK; e++) {
        igraph_integer_t a = IGRAPH_FROM(graph, e), b = IGRAPH_TO(graph, e);
        uint32_t low = (uint32_t)(a < b ? a : b), high = (uint32_t)(a < b ? b : a);
        degree[2 * (size_t)high] = degree[2 * (size_t)low + 1] = 1;
        code = hw_dag_add(d, body + low * each + each - 1, body + high * each, err);
    }
    for (uint32_t i = 0; i < n * each && code == HW_OK; i++)
        if (i % each)
            code = hw_dag_add(d, body + i - 1, body + i, err);
    for (uint32_t i = 0; i < n && v[ENDS].i && code == HW_OK; i++) {
        if (!degree[2 * (size_t)i])
            code = hw_dag_add(d, first, body + i * each, err);
        if (code == HW_OK && !degree[2 * (size_t)i + 1])
            code = hw_dag_add(d, body + i * each + each - 1, last, err);
    }
    free(degree);
    return code;
}

static void name_stage(const char **op, uint32_t first, const hw_param_value *v)
{
    static const char *const four[] = {"Aggregate", "Relu", "Conv", "BatchNorm"};
    const uint32_t each = v[OPS].i == OPS_FOUR ? 4 : 1, count = (uint32_t)v[N].i * each;
    if (v[ENDS].i)
        op[first++] = "Input";
    for (uint32_t i = 0; i < count; i++)
        op[first + i] = each == 4 ? four[i % 4] : "Unit";
    if (v[ENDS].i)
        op[first + count] = "Mean";
}

static hw_code draw(hw_dag *d, const hw_param_value *v, gsl_rng *rng, hw_error *err)
{
    const uint32_t stage_nodes = d->n / (uint32_t)v[STAGES].i;
    igraph_rng_t ours;
    hw_igraph_guard guard;
    hw_code code = hw_igraph_begin(&guard, err);
    if (code != HW_OK)
        return code;
    /* None are wanted, and without memory for them igraph 0.10 falls. */
    (void)igraph_set_attribute_table(NULL);
    if (igraph_rng_init(&ours, &rng_type) != IGRAPH_SUCCESS) {
        hw_igraph_end(&guard);
        return hw_fail_memory(err, "igraph's random generator");
    }
    ours.state = rng;
    ours.is_seeded = true;
    igraph_rng_t *before = igraph_rng_default();
    igraph_rng_set_default(&ours);
    for (uint32_t first = 0; first < d->n && code == HW_OK; first += stage_nodes) {
        igraph_t graph;
        if (hw_igraph_guarded(draw_model, &graph, &(wish){v}) != IGRAPH_SUCCESS) {
            code = hw_fail_memory(err, "a random graph");
            break;
        }
        if (first)
            code = hw_dag_add(d, first - 1, first, err);
        if (code == HW_OK)
            code = add_stage(d, &graph, first, v, err);
        name_stage(d->op, first, v);
        igraph_destroy(&graph);
    }
    igraph_rng_set_default(before);
    hw_igraph_end(&guard);
    return code;
}

static hw_code check(const hw_param_value *v, hw_error *err)
{
    if (v[MODEL].i == MODEL_WS && v[K].i % 2)
        return hw_fail(err, HW_USAGE, "k=%" PRId64 " is odd: give an even number of neighbours",
                       v[K].i);
    if (v[MODEL].i == MODEL_WS && v[K].i >= v[N].i && v[N].i > 1)
        return hw_fail(err, HW_USAGE,
                       "k=%" PRId64 " neighbours need more than n=%" PRId64
                       " vertices: give a smaller k or a greater n",
                       v[K].i, v[N].i);
    if (v[STAGES].i > 1 && !v[ENDS].i)
        return hw_fail(err, HW_USAGE, "stages=%" PRId64 " need ends=yes, which joins them",
                       v[STAGES].i);
    return hw_dress_check(v + DRESS, err);
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    hw_code code = check(v, err);
    if (code != HW_OK)
        return code;
    uint64_t n = (uint64_t)v[STAGES].i *
                 ((uint64_t)v[N].i * (v[OPS].i == OPS_FOUR ? 4 : 1) + (v[ENDS].i ? 2 : 0));
    if (n > HW_MOST_NODES)
        return hw_fail(err, HW_USAGE,
                       "n and stages make %" PRIu64 " nodes: give fewer, for at most %d", n,
                       HW_MOST_NODES);
    hw_dag d;
    hw_dag_start(&d, (uint32_t)n);
    d.op = HW_NEW0(const char *, n);
    code = d.op ? draw(&d, v, rng, err) : hw_fail_memory(err, "a randomly wired network");
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_randwire = {
    .name = "randwire",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "randomly wired networks: random graphs by igraph, low to high",
    .source = "Xie, Kirillov, Girshick and He 2019",
    .generate = generate,
};
