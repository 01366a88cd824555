/* What of a model is constant.  See onnx_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"

/* Domains whose operators do nothing but compute, as far as the table does not say otherwise. */
static bool is_known_domain(const char *domain)
{
    static const char *const known[] = {"", "ai.onnx", "ai.onnx.ml", "com.microsoft"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!domain || strcmp(domain, known[i]) == 0)
            return true;
    return false;
}

/* Does everything that the node reads, itself or inside, hold the same in every run? */
static bool reads_constants(const hw_onnx_scope *s, size_t v, bool *reads)
{
    for (uint32_t i = s->read_offset[v]; i < s->read_offset[v + 1]; i++)
        if (!s->value[s->read[i]].constant)
            return false;
    *reads = s->read_offset[v] < s->read_offset[v + 1];
    for (size_t b = 0; b < s->node[v].n_branches; b++) {
        const hw_onnx_scope *inner = s->node[v].branch[b];
        for (size_t i = 0; i < inner->n_values; i++) {
            if (inner->value[i].outside == HW_NONE)
                continue;
            if (!s->value[inner->value[i].outside].constant)
                return false;
            *reads = true;
        }
    }
    return true;
}

static void visit(hw_onnx_scope *s, size_t v)
{
    const Onnx__NodeProto *node = s->graph->node[v];
    bool reads = false;
    s->node[v].folded = !s->node[v].locked && is_known_domain(node->domain) &&
                        reads_constants(s, v, &reads) &&
                        (reads || (s->node[v].traits & HW_OPERATOR_CONSTANT));
    if (!s->node[v].folded)
        return;
    s->job->n_folded++;
    for (size_t i = 0; i < node->n_output; i++)
        if (*node->output[i])
            s->value[hw_onnx_names_find(&s->names, node->output[i])].constant = true;
}

/* The values of graph s that the branches of a node read. */
static size_t captured(const hw_onnx_scope *s, size_t v, uint32_t *to)
{
    size_t n = 0;
    for (size_t b = 0; b < s->node[v].n_branches; b++) {
        const hw_onnx_scope *inner = s->node[v].branch[b];
        for (size_t i = 0; i < inner->n_values; i++)
            if (inner->value[i].outside != HW_NONE) {
                if (to)
                    to[n] = inner->value[i].outside;
                n++;
            }
    }
    return n;
}

/* Lists of who waits for whom, both ends of every wait in one allocation. */
typedef struct waits {
    uint32_t *first; /* of a node, in `next` and `who`; HW_NONE: none */
    uint32_t *next, *who;
    uint32_t *left; /* makers that a node still waits for */
    uint32_t *ready;
    size_t n;
} waits;

static void add_wait(waits *w, const hw_onnx_scope *s, uint32_t value, size_t v)
{
    uint32_t maker = s->value[value].maker;
    if (maker == HW_NONE)
        return;
    w->who[w->n] = (uint32_t)v;
    w->next[w->n] = w->first[maker];
    w->first[maker] = (uint32_t)w->n++;
    w->left[v]++;
}

static bool open_waits(waits *w, const hw_onnx_scope *s)
{
    size_t n = s->graph->n_node, most = 0, reads = s->read_offset[n];
    for (size_t v = 0; v < n; v++) {
        size_t here = captured(s, v, NULL);
        reads += here;
        most = here > most ? here : most;
    }
    if (reads >= HW_NONE)
        return false;
    w->first = HW_NEW(uint32_t, n);
    w->left = HW_NEW0(uint32_t, n);
    w->ready = HW_NEW(uint32_t, n);
    w->next = HW_NEW(uint32_t, reads);
    w->who = HW_NEW(uint32_t, reads);
    uint32_t *inside = HW_NEW(uint32_t, most);
    bool fine = w->first && w->left && w->ready && w->next && w->who && inside;
    for (size_t v = 0; fine && v < n; v++)
        w->first[v] = HW_NONE;
    for (size_t v = 0; fine && v < n; v++) {
        for (uint32_t i = s->read_offset[v]; i < s->read_offset[v + 1]; i++)
            add_wait(w, s, s->read[i], v);
        size_t here = captured(s, v, inside);
        for (size_t i = 0; i < here; i++)
            add_wait(w, s, inside[i], v);
    }
    free(inside);
    return fine;
}

static void close_waits(waits *w)
{
    free(w->first);
    free(w->next);
    free(w->who);
    free(w->left);
    free(w->ready);
}

/* A node that what it reads waits for in turn: go against the waits until they must have met. */
static hw_code tell_cycle(const hw_onnx_scope *s, const waits *w, hw_error *err)
{
    size_t v = 0;
    uint32_t *met = w->ready; /* needed no more */
    memset(met, 0, s->graph->n_node * sizeof *met);
    while (w->left[v] == 0)
        v++;
    while (!met[v]++)
        for (uint32_t i = s->read_offset[v]; i < s->read_offset[v + 1]; i++) {
            uint32_t maker = s->value[s->read[i]].maker;
            if (maker != HW_NONE && w->left[maker] > 0) {
                v = maker;
                break;
            }
        }
    return hw_fail(err, HW_BAD_INPUT,
                   "node '%.200s' waits for its own outputs, through what it reads: a model has no "
                   "cycles",
                   hw_onnx_node_name(s, v));
}

/* Makers before readers, whatever the order of the file. */
hw_code hw_onnx_fold(hw_onnx_scope *s, hw_error *err)
{
    waits w = {0};
    size_t n_ready = 0;
    hw_code code = HW_OK;
    if (!open_waits(&w, s)) {
        close_waits(&w);
        return hw_fail_memory(err, "the nodes of a model");
    }
    for (size_t v = 0; v < s->graph->n_node; v++)
        if (w.left[v] == 0)
            w.ready[n_ready++] = (uint32_t)v;
    for (size_t i = 0; i < n_ready; i++) {
        uint32_t v = w.ready[i];
        visit(s, v);
        for (uint32_t k = w.first[v]; k != HW_NONE; k = w.next[k])
            if (--w.left[w.who[k]] == 0)
                w.ready[n_ready++] = w.who[k];
    }
    if (n_ready < s->graph->n_node) {
        code = tell_cycle(s, &w, err);
    } else {
        free(s->order);
        s->order = w.ready;
        w.ready = NULL;
    }
    close_waits(&w);
    return code;
}
