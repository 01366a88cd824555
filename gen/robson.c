/*
 * A program of requests that drives first-fit far above what is live (Robson
 * 1971, 1974): its order is locked, its peak is `memory`, and a first-fit
 * arena needs about memory * (1 + stages / 2).
 *
 * Stage 0 makes `memory` tensors of one unit.  Stage i frees each tensor that
 * holds no address f_i mod 2^i, and makes tensors of 2^i units while no more
 * than `memory` units are live: between two kept ones less than 2^i units are
 * free, so none of the new ones finds a hole.  f_i is f_(i-1) or f_(i-1) +
 * 2^(i-1), whichever keeps more free space apart.  The addresses are those of
 * first-fit, which is run along here; any allocator without knowledge of what
 * comes can be driven as far, by requests that follow its addresses:
 *
 *     height >= memory * (1 + stages / 2) - 2^stages + 1
 *
 * Nodes: one that makes each tensor, in order; at the start of each stage one
 * that reads all that die there, so they are freed after it; one at the end
 * that reads the rest.  The peak is `memory` units in both accountings.
 *
 * O(stages * memory + tensors log tensors).
 * Source: Robson, An Estimate of the Store Size Necessary for Dynamic Storage
 * Allocation, 1971; Bounds for Some Functions Concerning Dynamic Storage
 * Allocation, 1974.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "gen/family.h"
#include "model/builder.h"

enum { MEMORY, STAGES, UNIT, LOCKED };

static const hw_param_row params[] = {
    {"memory", HW_PARAM_INT, 1, 100000, 64, NULL, "units that are live at the peak"},
    {"stages", HW_PARAM_INT, 0, 16, 4, NULL, "doublings of the size; 2^stages is at most memory"},
    {"unit", HW_PARAM_INT, 1, 1099511627776, 1, NULL, "bytes of the smallest tensors"},
    {"locked", HW_PARAM_BOOL, 0, 1, 1, NULL, "the order of the program is the only legal one"},
};

typedef struct block {
    uint64_t at, size, id; /* address and size in units; the tensor */
} block;

typedef struct program {
    hw_builder *b;
    const hw_param_value *v;
    block *live, *next; /* by address */
    uint64_t *dying;    /* tensors that the next node reads */
    size_t n_live;
    uint64_t units; /* live                             */
    uint64_t tensors, nodes;
    hw_error *err;
} program;

static hw_code add_node(program *p, const char *op, const uint64_t *reads, size_t n_reads,
                        const uint64_t *made)
{
    const hw_node_spec spec = {.id = p->nodes++,
                               .op = op,
                               .inputs = reads,
                               .n_inputs = n_reads,
                               .outputs = made,
                               .n_outputs = made ? 1 : 0,
                               .locked = p->v[LOCKED].i != 0};
    return hw_builder_node(p->b, &spec, p->err);
}

static bool holds(const block *b, uint64_t offset, uint64_t step)
{
    uint64_t first = (b->at + step - 1 - offset) / step * step + offset;
    return first < b->at + b->size; /* the first address from b->at on that is offset mod step */
}

/* Room that is kept apart by blocks that hold addresses offset mod step. */
static uint64_t worth(const program *p, uint64_t offset, uint64_t step)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n_live; i++)
        if (holds(&p->live[i], offset, step))
            sum += step - p->live[i].size;
    return sum;
}

static hw_code free_others(program *p, uint64_t offset, uint64_t step)
{
    size_t kept = 0, n = 0;
    for (size_t i = 0; i < p->n_live; i++) {
        block b = p->live[i];
        if (holds(&b, offset, step)) {
            p->live[kept++] = b;
        } else {
            p->dying[n++] = b.id;
            p->units -= b.size;
        }
    }
    p->n_live = kept;
    return add_node(p, "free", p->dying, n, NULL);
}

/* Tensors of `size` while they fit in memory, at the places that first-fit gives them. */
static hw_code make(program *p, uint64_t size)
{
    hw_code code = HW_OK;
    size_t n = 0, old = 0;
    uint64_t at = 0, end = 0; /* end of what lies before `old` */
    while (code == HW_OK && p->units + size <= (uint64_t)p->v[MEMORY].i) {
        while (old < p->n_live && p->live[old].at < at + size) { /* the hole is too small */
            p->next[n++] = p->live[old];
            end = p->live[old].at + p->live[old].size;
            at = end;
            old++;
        }
        p->next[n++] = (block){at, size, p->tensors};
        at += size;
        p->units += size;
        code = hw_builder_tensor(p->b, p->tensors, size * (uint64_t)p->v[UNIT].i, HW_ACTIVATION,
                                 NULL, p->err);
        if (code == HW_OK)
            code = add_node(p, "make", NULL, 0, &p->tensors);
        p->tensors++;
    }
    while (old < p->n_live)
        p->next[n++] = p->live[old++];
    block *spare = p->live;
    p->live = p->next;
    p->next = spare;
    p->n_live = n;
    return code;
}

static hw_code run(program *p)
{
    uint64_t offset = 0, step = 1;
    hw_code code = make(p, 1);
    for (int64_t i = 1; code == HW_OK && i <= p->v[STAGES].i; i++) {
        uint64_t other = offset + step;
        step *= 2;
        if (worth(p, other, step) > worth(p, offset, step))
            offset = other;
        code = free_others(p, offset, step);
        if (code == HW_OK)
            code = make(p, step);
    }
    for (size_t i = 0; i < p->n_live; i++)
        p->dying[i] = p->live[i].id;
    return code == HW_OK ? add_node(p, "free", p->dying, p->n_live, NULL) : code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    (void)rng;
    if (INT64_C(1) << v[STAGES].i > v[MEMORY].i)
        return hw_fail(err, HW_USAGE, "2^stages passes memory: give fewer stages or more memory");
    size_t room = (size_t)v[MEMORY].i + 1; /* live blocks have one unit at least */
    program p = {.b = hw_builder_new(),
                 .v = v,
                 .live = HW_NEW(block, room),
                 .next = HW_NEW(block, room),
                 .dying = HW_NEW(uint64_t, room),
                 .err = err};
    hw_code code =
        p.b && p.live && p.next && p.dying ? run(&p) : hw_fail_memory(err, "a program of requests");
    if (code == HW_OK)
        code = hw_builder_finish(p.b, out, err);
    hw_builder_free(p.b);
    free(p.live);
    free(p.next);
    free(p.dying);
    return code;
}

const hw_family_row hw_family_robson = {
    .name = "robson",
    .random = false,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "requests that drive a first-fit arena far above the peak",
    .source = "Robson 1971, 1974",
    .generate = generate,
};
