/* From the tasks and files of a workflow to nodes and tensors.  See workflow.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/workflow_internal.h"
#include "io/text.h"

typedef struct drafting {
    hw_workflow *w;
    hw_draft *d;
    hw_import_report *report;
    hw_error *err;
    bool stage_in;
    hw_wf_sources sources;
    uint32_t first;     /* node of the first task */
    hw_wf_pair *served; /* parent and child that a file joins */
    size_t n_served, served_room;
    char *text; /* a name of the file as a string */
    size_t text_room;
    uint32_t n_raw, n_twice;
} drafting;

static const char *text_of(drafting *s, const char *before, const char *text, size_t n)
{
    size_t lead = strlen(before);
    if (!hw_grow((void **)&s->text, &s->text_room, lead + n + 1, 1))
        return NULL;
    memcpy(s->text, before, lead);
    memcpy(s->text + lead, text, n);
    s->text[lead + n] = '\0';
    return s->text;
}

static const char *file_text(drafting *s, const char *before, uint32_t file)
{
    const hw_name *name = &s->w->file_ids.name[file];
    return text_of(s, before, s->w->file_ids.text + name->at, name->length);
}

static hw_code check_sizes(const drafting *s)
{
    const hw_workflow *w = s->w;
    size_t n = 0;
    uint32_t first = 0;
    for (size_t i = w->n_links; i-- > 0;)
        if (!w->file[w->link[i].file].has_size)
            first = w->link[i].file;
    for (size_t f = 0; f < w->file_ids.n_names; f++)
        n += !w->file[f].has_size;
    if (n == 0)
        return HW_OK;
    char quoted[HW_QUOTE_BYTES];
    const hw_name *name = &w->file_ids.name[first];
    return hw_fail(s->err, HW_BAD_INPUT,
                   "%s: %zu file%s no size, such as '%s': give each its sizeInBytes, 0 where it "
                   "is empty",
                   w->path, n, n == 1 ? " has" : "s have",
                   hw_quote(w->file_ids.text + name->at, name->length, quoted));
}

/* Raw inputs, in the order in which tasks name them; with stage_in each is made by a node. */
static hw_code add_raw(drafting *s)
{
    hw_workflow *w = s->w;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < s->sources.n_sources; i++) {
        uint32_t file = w->link[s->sources.source[i].reader].file;
        hw_wf_file *f = &w->file[file];
        if (s->sources.source[i].writer != HW_NONE || f->is_raw)
            continue;
        f->is_raw = true;
        uint32_t maker = HW_NONE;
        if (s->stage_in) {
            const char *name = file_text(s, "stage-in ", file);
            code = name ? hw_draft_node_add(s->d, name, "stage-in", &maker, s->err)
                        : hw_fail_memory(s->err, "the names of a graph");
        }
        const char *name = code == HW_OK ? file_text(s, "", file) : NULL;
        if (code == HW_OK)
            code = name ? hw_draft_tensor_add(s->d, f->size, s->stage_in ? HW_ACTIVATION : HW_INPUT,
                                              maker, name, &f->raw, s->err)
                        : hw_fail_memory(s->err, "the names of a graph");
        s->n_raw++;
    }
    return code;
}

static hw_code add_tasks(drafting *s)
{
    hw_workflow *w = s->w;
    hw_code code = HW_OK;
    s->first = (uint32_t)s->d->n_nodes;
    for (size_t v = 0; code == HW_OK && v < w->ids.n_names; v++) {
        const char *op = text_of(s, "", w->task[v].op, w->task[v].op_length);
        code = op ? hw_draft_node_add(s->d, w->task[v].name, op, NULL, s->err)
                  : hw_fail_memory(s->err, "the names of a graph");
    }
    for (size_t i = 0; code == HW_OK && i < w->n_links; i++) {
        hw_wf_link *link = &w->link[i];
        if (!link->writes)
            continue;
        const char *name = file_text(s, "", link->file);
        code = name ? hw_draft_tensor_add(s->d, w->file[link->file].size, HW_ACTIVATION,
                                          s->first + link->task, name, &link->tensor, s->err)
                    : hw_fail_memory(s->err, "the names of a graph");
    }
    return code;
}

static hw_code add_reads(drafting *s)
{
    const hw_workflow *w = s->w;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < s->sources.n_sources; i++) {
        const hw_wf_source *source = &s->sources.source[i];
        const hw_wf_link *reader = &w->link[source->reader];
        uint32_t tensor =
            source->writer == HW_NONE ? w->file[reader->file].raw : w->link[source->writer].tensor;
        code = hw_draft_read_add(s->d, s->first + reader->task, tensor, s->err);
        if (code != HW_OK || source->writer == HW_NONE)
            continue;
        if (!hw_grow((void **)&s->served, &s->served_room, s->n_served + 1, sizeof *s->served))
            return hw_fail_memory(s->err, "the tasks of a workflow");
        s->served[s->n_served++] = (hw_wf_pair){w->link[source->writer].task, reader->task};
    }
    for (size_t f = 0; f < w->file_ids.n_names; f++)
        s->n_twice += w->file[f].n_versions > 1;
    return code;
}

/* Relations that no file serves are control edges. */
static hw_code add_control(drafting *s, uint32_t *n_control)
{
    const hw_workflow *w = s->w;
    hw_code code = HW_OK;
    size_t at = 0;
    s->n_served = hw_wf_pairs_unique(s->served, s->n_served);
    for (size_t i = 0; code == HW_OK && i < w->n_pairs; i++) {
        while (at < s->n_served && hw_wf_by_child(&s->served[at], &w->pair[i]) < 0)
            at++;
        if (at < s->n_served && hw_wf_by_child(&s->served[at], &w->pair[i]) == 0)
            continue;
        code = hw_draft_control_add(s->d, s->first + w->pair[i].parent, s->first + w->pair[i].child,
                                    s->err);
        ++*n_control;
    }
    return code;
}

static hw_code note(const drafting *s, uint32_t n, const char *one, const char *many)
{
    return n ? hw_import_note(s->report, s->err, "%" PRIu32 " %s", n, n == 1 ? one : many) : HW_OK;
}

static hw_code take_notes(const drafting *s, uint32_t n_control)
{
    const hw_workflow *w = s->w;
    uint32_t unused = 0;
    for (size_t f = 0; f < w->file_ids.n_names; f++)
        unused += w->file[f].reader == HW_NONE && w->file[f].writer == HW_NONE;
    hw_code code = HW_OK;
    if (s->stage_in)
        code = note(s, s->n_raw, "raw input: brought in by a node stage-in",
                    "raw inputs: each brought in by a node stage-in");
    if (code == HW_OK)
        code = note(s, n_control, "relation of tasks without a file: a control edge",
                    "relations of tasks without a file: control edges");
    if (code == HW_OK)
        code = note(s, s->n_twice,
                    "file is written by several tasks: a tensor for each, read by its children",
                    "files are written by several tasks: a tensor for each, read by its children");
    if (code == HW_OK)
        code = note(s, w->n_unlike, "mention of a file with another size: its writer's counts",
                    "mentions of files with another size: their writers' count");
    if (code == HW_OK)
        code = note(s, unused, "file that no task names: left out",
                    "files that no task names: left out");
    return code;
}

hw_code hw_workflow_draft(hw_workflow *w, bool stage_in, hw_draft *d, hw_import_report *report,
                          hw_error *err)
{
    drafting s = {.w = w, .d = d, .report = report, .err = err, .stage_in = stage_in};
    uint32_t n_control = 0;
    hw_code code = check_sizes(&s);
    w->n_pairs = hw_wf_pairs_unique(w->pair, w->n_pairs);
    if (code == HW_OK)
        code = hw_workflow_sources(w, &s.sources, err);
    if (code == HW_OK)
        code = add_raw(&s);
    if (code == HW_OK)
        code = add_tasks(&s);
    if (code == HW_OK)
        code = add_reads(&s);
    if (code == HW_OK)
        code = add_control(&s, &n_control);
    if (code == HW_OK)
        code = take_notes(&s, n_control);
    hw_draft_keep_results(d);
    free(s.served);
    free(s.sources.source);
    free(s.text);
    return code;
}
