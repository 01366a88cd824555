/*
 * Workflows of WfCommons, JSON of schema 1.0 to 1.6: tasks are nodes, files are
 * tensors with as many readers as name them.
 *
 * A file that no task writes is a raw input: an `input`, or, on demand, what a
 * node "stage-in" makes, one for each file, before all tasks.  A file that none
 * reads is a result of the workflow and kept to the end.  A task that waits
 * for another without reading a file of it gets a control edge.  A file that
 * several tasks write is a tensor for each of them (workflow_sources.c says who
 * reads which).  A file without a size is refused: what cannot be known is not
 * guessed.  The memory of the tasks themselves (execution.tasks[]) is no part of
 * the graph.
 * Source: https://github.com/wfcommons/WfFormat, wfcommons-schema.json.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/importers.h"
#include "import/json_head.h"
#include "import/workflow_internal.h"
#include "io/json_parse.h"

static bool tell(const char *bytes, size_t n, bool whole)
{
    const char *value;
    size_t left;
    (void)whole;
    if (hw_json_head_begins(bytes, n, "format", "highwater"))
        return false;
    if (hw_json_head_find(bytes, n, "workflow", &value, &left))
        return *value == '{';
    return hw_json_head_find(bytes, n, "schemaVersion", &value, &left) && *value == '"' &&
           hw_json_head_find(bytes, n, "createdAt", &value, &left);
}

void hw_workflow_clear(hw_workflow *w)
{
    hw_names_clear(&w->ids);
    hw_names_clear(&w->file_ids);
    free(w->task);
    free(w->file);
    free(w->link);
    free(w->pair);
    json_decref(w->root);
    *w = (hw_workflow){0};
}

static hw_code read(hw_import *in, hw_graph **out, hw_error *err)
{
    hw_workflow w = {.path = in->path};
    hw_draft d = {0};
    char title[40];
    *out = NULL;
    hw_code code = hw_json_parse(in->input, &w.root, err);
    if (code == HW_OK)
        code = hw_workflow_read(&w, err);
    if (code == HW_OK)
        code = hw_workflow_draft(&w, in->options->stage_in, &d, in->report, err);
    bool numbered = w.version && strspn(w.version, "0123456789.") == strlen(w.version);
    (void)snprintf(title, sizeof title, "WfCommons%s%.8s", numbered ? " " : "",
                   numbered ? w.version : "");
    if (code == HW_OK)
        code = hw_draft_graph(&d, in->path, title, w.name, out, err);
    hw_draft_clear(&d);
    hw_workflow_clear(&w);
    return code;
}

const hw_importer hw_importer_workflow = {
    .name = "wfcommons",
    .title = "WfCommons",
    .help = "workflows as JSON; files are tensors",
    .tell = tell,
    .read = read,
    .stages_in = true,
};
