/* From a draft to a graph: cycles told by name, then the builder.  See draft.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/draft.h"
#include "io/text.h"
#include "model/builder.h"

/* Rows of n_rows lists: item[offset[i] .. offset[i + 1]). */
typedef struct rows {
    size_t *offset;
    uint32_t *item;
} rows;

static void free_rows(rows *r)
{
    free(r->offset);
    free(r->item);
    *r = (rows){0};
}

/* Room for `total` items in n rows, offsets cleared. */
static bool new_rows(rows *r, size_t n, size_t total)
{
    r->offset = HW_NEW0(size_t, n + 2);
    r->item = HW_NEW(uint32_t, total);
    return r->offset && r->item;
}

/*
 * Rows are filled in two passes, `pass` 0 counting at row + 2 and `pass` 1
 * placing at row + 1, which leaves offsets where they belong.
 */
static void put(rows *r, int pass, size_t row, uint32_t item)
{
    if (pass == 0)
        r->offset[row + 2]++;
    else
        r->item[r->offset[row + 1]++] = item;
}

static void sum_up(rows *r, size_t n)
{
    for (size_t i = 2; i < n + 2; i++)
        r->offset[i] += r->offset[i - 1];
}

/* Nodes that wait for each node, an entry for each mention. */
static bool successors(const hw_draft *d, rows *r)
{
    if (!new_rows(r, d->n_nodes, d->n_reads + d->n_controls))
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < d->n_reads; i++) {
            uint32_t maker = d->tensor[d->read[i].to].maker;
            if (maker != HW_NONE)
                put(r, pass, maker, d->read[i].from);
        }
        for (size_t i = 0; i < d->n_controls; i++)
            put(r, pass, d->control[i].from, d->control[i].to);
        if (pass == 0)
            sum_up(r, d->n_nodes);
    }
    return true;
}

/*
 * A cycle among nodes that wait: each of them waits for another one of them, so
 * walking back from any ends in a cycle.  before[v]: one that v waits for.
 */
static hw_code name_cycle(const hw_draft *d, const uint32_t *before, uint32_t start, hw_error *err)
{
    uint32_t v = start;
    for (size_t i = 0; i < d->n_nodes; i++) /* far enough to stand on the cycle */
        v = before[v];
    char list[320], one[HW_DRAFT_NODE_TEXT];
    enum { MOST_SHOWN = 4 };
    uint32_t shown[MOST_SHOWN], u = v;
    size_t length = 0, used = 0;
    do {
        shown[length++ % MOST_SHOWN] = u; /* backwards: the last ones seen come first */
        u = before[u];
    } while (u != v);
    for (size_t i = 0; i < length && i < MOST_SHOWN; i++) {
        int wrote = snprintf(list + used, sizeof list - used, "%s -> ",
                             hw_draft_node_text(d, shown[(length - 1 - i) % MOST_SHOWN], one));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return hw_fail(
        err, HW_BAD_INPUT, "a cycle of %zu node%s: %s%s: remove an edge of it", length,
        length == 1 ? "" : "s", list,
        length > MOST_SHOWN ? "..." : hw_draft_node_text(d, shown[(length - 1) % MOST_SHOWN], one));
}

static hw_code sort_out(const hw_draft *d, const rows *after, uint32_t *waiting, uint32_t *queue,
                        hw_error *err)
{
    size_t n = d->n_nodes, head = 0, tail = 0;
    for (size_t i = 0; i < after->offset[n]; i++)
        waiting[after->item[i]]++;
    for (size_t v = 0; v < n; v++)
        if (waiting[v] == 0)
            queue[tail++] = (uint32_t)v;
    for (; head < tail; head++)
        for (size_t i = after->offset[queue[head]]; i < after->offset[queue[head] + 1]; i++)
            if (--waiting[after->item[i]] == 0)
                queue[tail++] = after->item[i];
    if (tail == n)
        return HW_OK;
    uint32_t start = 0;
    for (size_t v = 0; v < n; v++) { /* `queue` has served: now what each waits for */
        if (waiting[v] == 0)
            continue;
        start = (uint32_t)v;
        for (size_t i = after->offset[v]; i < after->offset[v + 1]; i++)
            if (waiting[after->item[i]])
                queue[after->item[i]] = (uint32_t)v;
    }
    return name_cycle(d, queue, start, err);
}

hw_code hw_draft_check_cycle(const hw_draft *d, hw_error *err)
{
    rows after = {0};
    uint32_t *waiting = HW_NEW0(uint32_t, d->n_nodes), *queue = HW_NEW(uint32_t, d->n_nodes);
    hw_code code = waiting && queue && successors(d, &after)
                       ? sort_out(d, &after, waiting, queue, err)
                       : hw_fail_memory(err, "looking for cycles");
    free_rows(&after);
    free(waiting);
    free(queue);
    return code;
}

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
static hw_code add_nodes(const hw_draft *d, const rows *in, const rows *made, uint64_t *id,
                         hw_builder *b, hw_error *err)
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
    rows in = {0}, made = {0};
    uint64_t *id = HW_NEW(uint64_t, d->n_reads + d->n_tensors);
    hw_code code = HW_OK;
    if (!id || !new_rows(&in, d->n_nodes, d->n_reads) || !new_rows(&made, d->n_nodes, d->n_tensors))
        code = hw_fail_memory(err, "a graph read in");
    for (int pass = 0; code == HW_OK && pass < 2; pass++) {
        for (size_t i = 0; i < d->n_reads; i++)
            put(&in, pass, d->read[i].from, d->read[i].to);
        for (size_t t = 0; t < d->n_tensors; t++)
            if (d->tensor[t].maker != HW_NONE)
                put(&made, pass, d->tensor[t].maker, (uint32_t)t);
        if (pass == 0) {
            sum_up(&in, d->n_nodes);
            sum_up(&made, d->n_nodes);
        }
    }
    for (size_t t = 0; code == HW_OK && t < d->n_tensors; t++)
        code = hw_builder_tensor(b, t, d->tensor[t].size, d->tensor[t].kind,
                                 d->text + d->tensor[t].name, err);
    if (code == HW_OK)
        code = add_nodes(d, &in, &made, id, b, err);
    for (size_t i = 0; code == HW_OK && i < d->n_controls; i++)
        code = hw_builder_control(b, d->control[i].from, d->control[i].to, err);
    free_rows(&in);
    free_rows(&made);
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
        code = hw_draft_check_cycle(d, err);
    if (code == HW_OK)
        code = build(d, b, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(err, "%s: ", path);
    return code;
}
