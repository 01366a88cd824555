/* From a draft to a graph: the builder takes what was gathered.  See draft.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/draft.h"
#include "import/draft_rows.h"
#include "io/text.h"
#include "model/builder.h"

/* The name of a file without folder and last ending. */
static void stem_of(const char *path, char *out, size_t room)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
    const char *dot = strrchr(from, '.');
    size_t n = dot && dot > from ? (size_t)(dot - from) : strlen(from);
    n = n < room ? n : room - 1;
    memcpy(out, from, n);
    out[n] = '\0';
}

/* Ids that nodes read and make, as the builder wants them. */
static hw_code add_nodes(const hw_draft *d, const hw_draft_rows *in, const hw_draft_rows *made,
                         uint64_t *id, hw_builder *b, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t v = 0; code == HW_OK && v < d->n_nodes; v++) {
        size_t n_in = in->offset[v + 1] - in->offset[v];
        size_t n_out = made->offset[v + 1] - made->offset[v];
        for (size_t i = 0; i < n_in; i++)
            id[i] = in->item[in->offset[v] + i];
        for (size_t i = 0; i < n_out; i++)
            id[n_in + i] = made->item[made->offset[v] + i];
        code = hw_builder_node(b,
                               &(hw_node_spec){.id = v,
                                               .name = d->text + d->node[v].name,
                                               .op = d->text + d->node[v].op,
                                               .inputs = id,
                                               .outputs = id + n_in,
                                               .n_inputs = n_in,
                                               .n_outputs = n_out},
                               err);
    }
    return code;
}

static hw_code build(const hw_draft *d, hw_builder *b, hw_error *err)
{
    hw_draft_rows in = {0}, made = {0};
    uint64_t *id = HW_NEW(uint64_t, d->n_reads + d->n_tensors);
    hw_code code = HW_OK;
    if (!id || !hw_draft_rows_new(&in, d->n_nodes, d->n_reads) ||
        !hw_draft_rows_new(&made, d->n_nodes, d->n_tensors))
        code = hw_fail_memory(err, "a graph read in");
    for (int pass = 0; code == HW_OK && pass < 2; pass++) {
        for (size_t i = 0; i < d->n_reads; i++)
            hw_draft_rows_put(&in, pass, d->read[i].from, d->read[i].to);
        for (size_t t = 0; t < d->n_tensors; t++)
            if (d->tensor[t].maker != HW_NONE)
                hw_draft_rows_put(&made, pass, d->tensor[t].maker, (uint32_t)t);
        if (pass == 0) {
            hw_draft_rows_sum(&in, d->n_nodes);
            hw_draft_rows_sum(&made, d->n_nodes);
        }
    }
    for (size_t t = 0; code == HW_OK && t < d->n_tensors; t++)
        code = hw_builder_tensor(b, t, d->tensor[t].size, d->tensor[t].kind,
                                 d->text + d->tensor[t].name, err);
    if (code == HW_OK)
        code = add_nodes(d, &in, &made, id, b, err);
    for (size_t i = 0; code == HW_OK && i < d->n_controls; i++)
        code = hw_builder_control(b, d->control[i].from, d->control[i].to, err);
    hw_draft_rows_free(&in);
    hw_draft_rows_free(&made);
    free(id);
    return code;
}

hw_code hw_draft_graph(const hw_draft *d, const char *path, const char *title, const char *name,
                       hw_graph **out, hw_error *err)
{
    char stem[256], source[320];
    *out = NULL;
    stem_of(path, stem, sizeof stem);
    if (!hw_is_utf8(stem, strlen(stem)))
        stem[0] = '\0';
    (void)snprintf(source, sizeof source, "%s %s", title, stem);
    hw_builder *b = hw_builder_new();
    if (!b)
        return hw_fail_memory(err, "a graph read in");
    hw_code code = hw_builder_describe(b, name ? name : stem, source, "bytes", err);
    if (code == HW_OK)
        code = hw_draft_order(d, NULL, err);
    if (code == HW_OK)
        code = build(d, b, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(err, "%s: ", path);
    return code;
}
