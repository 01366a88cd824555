/*
 * Who reads which version of a file.
 *
 * A file has a version for each task that writes it.  A task reads those of its
 * parents.  Where none of them wrote it, it reads that of the last writer
 * before it in the order of the file, or, where there is none before it, what
 * was there before the workflow if the task writes the file itself or nobody
 * else does, and else the first version.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "import/workflow_internal.h"

typedef struct finding {
    const hw_workflow *w;
    hw_wf_sources *out;
    hw_error *err;
    size_t *first_version; /* of each file, in `version` */
    uint32_t *version;     /* links that write, by file, then task */
    size_t *first_parent;  /* of each task, in the pairs */
} finding;

int hw_wf_by_child(const void *a, const void *b)
{
    const hw_wf_pair *p = a, *q = b;
    if (p->child != q->child)
        return p->child < q->child ? -1 : 1;
    return p->parent < q->parent ? -1 : p->parent > q->parent;
}

size_t hw_wf_pairs_unique(hw_wf_pair *pair, size_t n)
{
    size_t kept = 0;
    if (n == 0)
        return 0;
    qsort(pair, n, sizeof *pair, hw_wf_by_child);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || hw_wf_by_child(&pair[i], &pair[kept - 1]) != 0)
            pair[kept++] = pair[i];
    return kept;
}

static hw_code lay_out(finding *f, hw_workflow *w)
{
    size_t n_files = w->file_ids.n_names, n_tasks = w->ids.n_names, n = 0;
    f->first_version = HW_NEW0(size_t, n_files + 2);
    f->version = HW_NEW(uint32_t, w->n_links);
    f->first_parent = HW_NEW(size_t, n_tasks + 1);
    if (!f->first_version || !f->version || !f->first_parent)
        return hw_fail_memory(f->err, "the files of a workflow");
    for (size_t i = 0; i < w->n_links; i++)
        if (w->link[i].writes)
            f->first_version[w->link[i].file + (size_t)2]++;
    for (size_t i = 0; i < n_files; i++) {
        w->file[i].n_versions = (uint32_t)f->first_version[i + 2];
        f->first_version[i + 2] += f->first_version[i + 1];
    }
    for (uint32_t i = 0; i < w->n_links; i++) /* links stand by task */
        if (w->link[i].writes)
            f->version[f->first_version[w->link[i].file + (size_t)1]++] = i;
    for (size_t t = 0; t <= n_tasks; t++) {
        while (n < w->n_pairs && w->pair[n].child < t)
            n++;
        f->first_parent[t] = n;
    }
    return HW_OK;
}

static hw_code take(finding *f, uint32_t reader, uint32_t writer)
{
    hw_wf_sources *out = f->out;
    if (!hw_grow((void **)&out->source, &out->room, out->n_sources + 1, sizeof *out->source))
        return hw_fail_memory(f->err, "the files of a workflow");
    out->source[out->n_sources++] = (hw_wf_source){reader, writer};
    return HW_OK;
}

/* How many of the n versions are of tasks before this one. */
static size_t before(const finding *f, const uint32_t *version, size_t n, uint32_t task)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->w->link[version[middle]].task < task)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_parent(const finding *f, uint32_t parent, uint32_t child)
{
    const hw_wf_pair wanted = {parent, child};
    size_t first = f->first_parent[child], n = f->first_parent[child + (size_t)1] - first;
    return n && bsearch(&wanted, f->w->pair + first, n, sizeof wanted, hw_wf_by_child);
}

/* Versions of the reader's parents, by walking over whichever there are fewer of. */
static hw_code take_parents(finding *f, uint32_t reader, const uint32_t *version, size_t n)
{
    uint32_t task = f->w->link[reader].task;
    size_t first = f->first_parent[task], parents = f->first_parent[task + (size_t)1] - first;
    hw_code code = HW_OK;
    if (parents < n) {
        for (size_t i = first; code == HW_OK && i < first + parents; i++) {
            uint32_t parent = f->w->pair[i].parent;
            size_t at = before(f, version, n, parent);
            if (at < n && f->w->link[version[at]].task == parent)
                code = take(f, reader, version[at]);
        }
        return code;
    }
    for (size_t i = 0; code == HW_OK && i < n; i++)
        if (is_parent(f, f->w->link[version[i]].task, task))
            code = take(f, reader, version[i]);
    return code;
}

static hw_code find(finding *f, uint32_t reader)
{
    const hw_wf_link *link = &f->w->link[reader];
    const uint32_t *version = f->version + f->first_version[link->file];
    size_t n = f->w->file[link->file].n_versions, known = f->out->n_sources;
    hw_code code = take_parents(f, reader, version, n);
    if (code != HW_OK || f->out->n_sources > known)
        return code;
    size_t earlier = before(f, version, n, link->task);
    if (earlier > 0)
        return take(f, reader, version[earlier - 1]);
    bool own = n > 0 && f->w->link[version[0]].task == link->task;
    return take(f, reader, n == 0 || own ? HW_NONE : version[0]);
}

hw_code hw_workflow_sources(hw_workflow *w, hw_wf_sources *out, hw_error *err)
{
    finding f = {.w = w, .out = out, .err = err};
    hw_code code = lay_out(&f, w);
    for (uint32_t i = 0; code == HW_OK && i < w->n_links; i++)
        if (!w->link[i].writes)
            code = find(&f, i);
    free(f.first_version);
    free(f.version);
    free(f.first_parent);
    return code;
}
