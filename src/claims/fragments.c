/* See fragments.h. */
#include "claims/fragments.h"

#include <stdlib.h>
#include <string.h>

#include "claims/strata.h"
#include "core/memory.h"
#include "model/builder.h"

/* ---- The instance. ---- */

enum { BLOCKS = 20, BLOCK_MB = 50, REQUEST_MB = 400 };

static hw_code add_node(hw_builder *b, uint64_t id, const char *name, const uint64_t *reads,
                        size_t n_reads, const uint64_t *made, hw_error *err)
{
    const hw_node_spec spec = {.id = id,
                               .name = name,
                               .inputs = reads,
                               .n_inputs = n_reads,
                               .outputs = made,
                               .n_outputs = made ? 1 : 0,
                               .locked = true};
    return hw_builder_node(b, &spec, err);
}

hw_code hw_fragment_instance(hw_graph **out, hw_error *err)
{
    uint64_t half[2][BLOCKS / 2 + 1], request = BLOCKS, node = 0;
    hw_builder *b = hw_builder_new();
    if (!b)
        return hw_fail_memory(err, "an example");
    hw_code code = hw_builder_describe(b, "holes", "section 4.1", "bytes", err);
    for (uint64_t t = 0; code == HW_OK && t <= BLOCKS; t++)
        code = hw_builder_tensor(b, t, (t < BLOCKS ? BLOCK_MB : REQUEST_MB) * HW_FRAGMENT_MB,
                                 HW_ACTIVATION, NULL, err);
    for (uint64_t t = 0; t < BLOCKS; t++)
        half[t % 2][t / 2] = t;
    half[1][BLOCKS / 2] = request;
    for (uint64_t t = 0; code == HW_OK && t < BLOCKS; t++)
        code = add_node(b, node++, "make", NULL, 0, &t, err);
    if (code == HW_OK)
        code = add_node(b, node++, "free every other", half[0], BLOCKS / 2, NULL, err);
    if (code == HW_OK)
        code = add_node(b, node++, "request", NULL, 0, &request, err);
    if (code == HW_OK)
        code = add_node(b, node++, "use", half[1], BLOCKS / 2 + 1, NULL, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

/* ---- Allocators. ---- */

static hw_code place(const hw_claim_run *run, const hw_arena *a, const char *spec, uint64_t *height,
                     hw_error *err)
{
    const hw_allocator *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_placement p;
    hw_placement_request request = {.params = values,
                                    .states = 5000,
                                    .seed = hw_claim_seed(run),
                                    .stop = hw_claim_stop_flag(run)};
    hw_code code = hw_allocator_parse(spec, &row, values, err);
    if (code == HW_OK)
        code = hw_arena_place(a, row, &request, &p, err);
    if (code == HW_OK) {
        *height = p.height;
        hw_placement_clear(&p);
    }
    return code;
}

/* The buffers of a that are small, or those that are not, as an arena of their own. */
static hw_code part_of(const hw_arena *a, bool small, uint64_t most, hw_arena **out, hw_error *err)
{
    hw_code code = hw_arena_start(a->name, out, err);
    for (uint32_t i = 0; code == HW_OK && i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        if ((b->size <= most) == small && b->n_spans > 0)
            code = hw_arena_add(*out, a->label[i], &a->span[b->first_span], b->n_spans,
                                b->alignment, HW_ARENA_FREE, err);
    }
    return code == HW_OK ? hw_arena_finish(*out, err) : code;
}

static hw_code place_split(const hw_claim_run *run, const hw_arena *a, uint64_t *height,
                           hw_error *err)
{
    hw_arena *part[2] = {NULL, NULL};
    uint64_t most = 0, ends[2] = {0, 0};
    hw_code code = HW_OK;
    for (uint32_t i = 0; i < a->n_buffers; i++)
        most = a->buffer[i].size > most ? a->buffer[i].size : most;
    for (int k = 0; code == HW_OK && k < 2; k++)
        code = part_of(a, k == 0, most / 10, &part[k], err);
    for (int k = 0; code == HW_OK && k < 2; k++)
        if (part[k]->n_buffers > 0)
            code = place(run, part[k], k == 0 ? "bucket-pool" : "first-fit", &ends[k], err);
    *height = ends[0] + ends[1];
    hw_arena_free(part[0]);
    hw_arena_free(part[1]);
    return code;
}

hw_code hw_fragment_height(const hw_claim_run *run, const hw_arena *a, const char *allocator,
                           uint64_t *height, hw_error *err)
{
    return strcmp(allocator, HW_FRAGMENT_SPLIT) == 0 ? place_split(run, a, height, err)
                                                     : place(run, a, allocator, height, err);
}

/* ---- Many orders. ---- */

static hw_code take_arena(const hw_claim_run *run, hw_fragments *f, const hw_arena *a,
                          hw_error *err)
{
    for (size_t k = 0; k < f->n_allocators; k++) {
        uint64_t height = 0;
        if (!hw_grow((void **)&f->ratio[k], &f->room[k], f->n + 1, sizeof *f->ratio[k]))
            return hw_fail_memory(err, "heights");
        hw_code code = hw_fragment_height(run, a, f->allocators[k], &height, err);
        if (code != HW_OK)
            return code;
        f->ratio[k][f->n] = (double)height / (double)a->load;
    }
    f->n++;
    return HW_OK;
}

hw_code hw_fragments_take(const hw_claim_run *run, hw_fragments *f, const hw_model *m,
                          hw_error *err)
{
    hw_answer answer;
    hw_arena *a = NULL;
    hw_code code = hw_claim_solve(run, m, f->rule, NULL, &answer, err);
    if (code != HW_OK)
        return code;
    code = answer.has_order
               ? hw_arena_of_order(m, answer.order, f->alignment, &a, err)
               : hw_fail(err, HW_CHECK_FAILED, "%s has no order of %s", f->rule, m->graph->name);
    if (code == HW_OK && a && a->load > 0)
        code = take_arena(run, f, a, err);
    hw_arena_free(a);
    hw_answer_clear(&answer);
    return code;
}

static hw_code take_both(const hw_claim_run *run, hw_fragments *f, const hw_graph *g, hw_error *err)
{
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_claim_models(g, m, err);
    for (int a = 0; code == HW_OK && a < 2; a++)
        code = hw_fragments_take(run, f, m[a], err);
    hw_claim_models_free(m);
    return code;
}

hw_code hw_fragments_random(const hw_claim_run *run, hw_fragments *f, uint32_t each, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t k = 0; k < hw_n_strata_families; k++)
        for (uint32_t i = 0; code == HW_OK && i < each; i++) {
            char spec[HW_SHEET_SPEC];
            hw_graph *g = NULL;
            (void)snprintf(spec, sizeof spec, "%s,n=40", hw_strata_families[k].spec);
            code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = take_both(run, f, g, err);
            hw_graph_free(g);
        }
    return code;
}

hw_code hw_fragments_real(const hw_claim_run *run, hw_fragments *f, hw_error *err)
{
    hw_claim_set set;
    hw_code code = hw_claim_real_graphs(run, 16, &set, err);
    for (size_t i = 0; code == HW_OK && i < set.n; i++)
        if (set.graph[i]->n_nodes <= HW_FRAGMENT_NODES)
            code = take_both(run, f, set.graph[i], err);
    hw_claim_set_clear(&set);
    return code;
}

hw_fragment_facts hw_fragments_ask(hw_fragments *f, size_t allocator)
{
    double *ratio = f->ratio[allocator];
    uint64_t equal = 0, above = 0;
    hw_sort_reals(ratio, f->n);
    for (size_t i = 0; i < f->n; i++) {
        equal += ratio[i] <= 1;
        above += ratio[i] >= 1.4;
    }
    return (hw_fragment_facts){.median = hw_quantile(ratio, f->n, 0.5),
                               .high = hw_quantile(ratio, f->n, 0.95),
                               .worst = hw_quantile(ratio, f->n, 1),
                               .equal = hw_share_of(equal, f->n),
                               .above_1_4 = hw_share_of(above, f->n)};
}

void hw_fragments_clear(hw_fragments *f)
{
    for (size_t k = 0; k < f->n_allocators; k++) {
        free(f->ratio[k]);
        f->ratio[k] = NULL;
        f->room[k] = 0;
    }
    f->n = 0;
}
