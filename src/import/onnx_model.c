/* Unpacking a model, and the steps of reading one.  See onnx_internal.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"

/*
 * A field of two bytes can ask for a structure of three hundred, so unpacked
 * models are larger than their files, but no real one by more than this.
 */
enum { MOST_GROWTH = 100, LEAST_BYTES = 1 << 20 };
static const size_t most_bytes = (size_t)4 << 30;

const bool hw_onnx_readable = true;

static void *lend(void *context, size_t n)
{
    hw_onnx_memory *m = context;
    if (n > m->left) {
        m->refused = true;
        return NULL;
    }
    m->left -= n;
    void *memory = hw_alloc(n, 1);
    m->lacked = m->lacked || !memory;
    return memory;
}

static void take_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

hw_code hw_onnx_unpack(const hw_onnx_bytes *bytes, hw_onnx_memory *memory, Onnx__ModelProto **out,
                       hw_error *err)
{
    *memory = (hw_onnx_memory){.allocator = {.alloc = lend, .free = take_back}};
    memory->allocator.allocator_data = memory;
    memory->left =
        bytes->n < most_bytes / MOST_GROWTH ? bytes->n * MOST_GROWTH + LEAST_BYTES : most_bytes;
    static const uint8_t nothing;
    *out =
        onnx__model_proto__unpack(&memory->allocator, bytes->n, bytes->n ? bytes->data : &nothing);
    if (*out)
        return HW_OK;
    if (memory->lacked)
        return hw_fail_memory(err, "a model of ONNX");
    return hw_fail(err, HW_BAD_INPUT, "%s",
                   memory->refused ? "the model needs far more memory than a model of its size "
                                     "can: the file is damaged"
                                   : "this is no model of ONNX: the file is damaged");
}

void hw_onnx_release(hw_onnx_memory *memory, Onnx__ModelProto *model)
{
    /* The structure that holds the allocator may have moved since. */
    memory->allocator.allocator_data = memory;
    if (model)
        onnx__model_proto__free_unpacked(model, &memory->allocator);
}

static hw_code load(hw_onnx_job *job, hw_error *err)
{
    hw_onnx_bytes bytes = {0};
    hw_code code = hw_onnx_skim(job->in->input, &bytes, &job->facts, err);
    if (code == HW_OK)
        code = hw_onnx_unpack(&bytes, &job->memory, &job->model, err);
    free(bytes.data);
    if (code != HW_OK)
        return code;
    if (!job->model->graph)
        return hw_fail(err, HW_BAD_INPUT,
                       "the model holds no graph: the file is cut off or no whole model");
    /* They stand behind the graph, in most files: their absence shows that a file was cut. */
    if (!job->model->has_ir_version || (job->model->ir_version >= 3 && !job->model->n_opset_import))
        return hw_fail(err, HW_BAD_INPUT,
                       "the model does not tell its %s: the file is cut off or no whole model",
                       job->model->has_ir_version ? "operator set" : "version");
    if (job->model->graph->n_node == 0)
        return hw_fail(err, HW_BAD_INPUT, "the graph of the model has no nodes: nothing can run");
    return HW_OK;
}

/* Forget what one conversion counted. */
static void start_over(hw_onnx_job *job)
{
    job->n_symbols = job->n_unsized = 0;
    job->n_folded = job->n_branches = job->n_sparse = job->n_copies = 0;
    job->n_defaults = job->n_crowded = job->n_resized = 0;
    job->branch_bytes = 0;
}

/* The graph; NULL where something has no size, and a topological order of the nodes then. */
static hw_code convert(hw_onnx_job *job, hw_graph **out, uint32_t **order, hw_error *err)
{
    hw_onnx_scope *s = NULL;
    *out = NULL;
    *order = NULL;
    start_over(job);
    hw_code code = hw_onnx_scope_open(job, job->model->graph, NULL, &s, err);
    if (code == HW_OK)
        code = hw_onnx_fold(s, err);
    if (code == HW_OK)
        code = hw_onnx_branches(s, err);
    if (code == HW_OK)
        code = hw_onnx_build(s, out, err);
    if (code == HW_OK && job->n_unsized > 0) {
        hw_graph_free(*out);
        *out = NULL;
        *order = s->order;
        s->order = NULL;
    }
    hw_onnx_scope_close(s);
    return code;
}

/*
 * Convert, infer shapes, give new symbols their values, until nothing changes.
 * A symbol that the inference makes up can be given a value like those of the
 * file, after which more shapes follow.
 */
static hw_code settle(hw_onnx_job *job, hw_graph **out, hw_error *err)
{
    enum { MOST_ROUNDS = 8 };
    bool changed = false;
    for (unsigned round = 0;; round++) {
        uint32_t *order = NULL;
        hw_code code = convert(job, out, &order, err);
        if (code != HW_OK || *out)
            return code;
        bool again = (round == 0 || changed) && round < MOST_ROUNDS && !job->no_shapes;
        if (again)
            code = hw_onnx_infer(job, order, err);
        free(order);
        if (code != HW_OK)
            return code;
        if (!again)
            break;
        hw_onnx_dims_set(job, &changed);
    }
    hw_code code = hw_onnx_dims_check(job, err);
    return code == HW_OK ? hw_onnx_tell_unsized(job, err) : code;
}

static hw_code note(hw_onnx_job *job, hw_error *err)
{
    hw_import_report *r = job->in->report;
    hw_code code = HW_OK;
    r->folded = job->n_folded;
    if (code == HW_OK && job->n_branches)
        code = hw_import_note(
            r, err,
            "%" PRIu32 " graphs inside of nodes (If, Loop, Scan): what they read outside is an "
            "input of the node, their weights are resident, and the peak of the larger one in the "
            "order of the file, its results counted in, is the node's workspace (at most %" PRIu64
            " bytes)",
            job->n_branches, job->branch_bytes);
    if (code == HW_OK && job->facts.external)
        code = hw_import_note(r, err,
                              "%" PRIu32 " weights lie in other files, which were not read: sizes "
                              "are those of their shapes",
                              job->facts.external);
    if (code == HW_OK && job->n_defaults && job->model->ir_version >= 4)
        code = hw_import_note(r, err,
                              "%" PRIu32 " inputs have a value in the file: taken as constants",
                              job->n_defaults);
    if (code == HW_OK && job->n_copies)
        code = hw_import_note(r, err,
                              "%" PRIu32 " inputs are outputs too: a view, added as the last node, "
                              "keeps each to the end",
                              job->n_copies);
    if (code == HW_OK && job->n_sparse)
        code = hw_import_note(
            r, err, "%" PRIu32 " sparse weights: sized as their values and indices", job->n_sparse);
    if (code == HW_OK && job->n_crowded)
        code = hw_import_note(r, err,
                              "%" PRIu32 " nodes could overwrite more than 256 inputs: the first "
                              "256 may be",
                              job->n_crowded);
    if (code == HW_OK && job->n_resized)
        code = hw_import_note(r, err,
                              "%" PRIu32 " nodes of types that make views make another size than "
                              "they read: they are no views",
                              job->n_resized);
    if (code == HW_OK && job->facts.training)
        code = hw_import_note(r, err, "what the file holds about training was left out");
    return code;
}

static hw_code read_model(hw_onnx_job *job, hw_graph **out, hw_error *err)
{
    bool changed;
    hw_code code = load(job, err);
    if (code == HW_OK)
        code = hw_onnx_inline(job, err);
    if (code == HW_OK)
        code = hw_onnx_dims_name(job, err);
    if (code != HW_OK)
        return code;
    hw_onnx_dims_set(job, &changed);
    code = settle(job, out, err);
    if (code == HW_OK)
        code = hw_onnx_dims_check(job, err);
    return code == HW_OK ? note(job, err) : code;
}

hw_code hw_onnx_read(hw_import *in, hw_graph **out, hw_error *err)
{
    hw_onnx_job job = {.in = in, .dim_used = HW_NEW0(bool, in->options->n_dims)};
    *out = NULL;
    if (!job.dim_used)
        return hw_fail_memory(err, "the options");
    hw_code code = read_model(&job, out, err);
    if (code != HW_OK) {
        hw_error_prefix(err, "%s: ", in->path);
        hw_graph_free(*out);
        *out = NULL;
    }
    hw_onnx_release(&job.memory, job.model);
    free(job.dim_used);
    return code;
}
