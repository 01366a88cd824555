/* What came in with an import.  See import.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/import.h"

void hw_import_report_clear(hw_import_report *report)
{
    for (size_t i = 0; i < report->n_notes; i++)
        free(report->notes[i]);
    free(report->notes);
    *report = (hw_import_report){0};
}

hw_code hw_import_note(hw_import_report *report, hw_error *err, const char *format, ...)
{
    char text[HW_MESSAGE_BYTES];
    if (!report)
        return HW_OK;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < report->n_notes; i++)
        if (strcmp(report->notes[i], text) == 0)
            return HW_OK;
    if (report->n_notes == report->notes_room) {
        size_t room = report->notes_room ? 2 * report->notes_room : 8;
        char **notes = realloc(report->notes, room * sizeof *notes);
        if (!notes)
            return hw_fail_memory(err, "the report of an import");
        report->notes = notes;
        report->notes_room = room;
    }
    char *kept = hw_copy(text, strlen(text) + 1, 1);
    if (!kept)
        return hw_fail_memory(err, "the report of an import");
    report->notes[report->n_notes++] = kept;
    return HW_OK;
}

hw_code hw_import_report_count(hw_import_report *report, const hw_graph *g, hw_error *err)
{
    bool *read = HW_NEW0(bool, g->n_tensors);
    if (!read)
        return hw_fail_memory(err, "the report of an import");
    report->nodes = g->n_nodes;
    report->tensors = g->n_tensors;
    report->edges = g->n_edges;
    report->views = report->inplace_pairs = report->constants = report->dead_outputs = 0;
    report->locked = report->windows = 0;
    report->resident_bytes = hw_graph_resident_bytes(g);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        report->views += (g->node_flags[v] & HW_NODE_VIEW) != 0;
        report->locked += (g->node_flags[v] & HW_NODE_LOCKED) != 0;
        report->windows += g->node_window && g->node_window[v] != HW_NONE;
    }
    if (g->inplace_offset)
        report->inplace_pairs = g->inplace_offset[g->n_nodes];
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        read[g->inputs.item[i]] = true;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        report->constants += g->tensor_kind[t] == HW_CONSTANT;
        report->dead_outputs += !read[t] && g->tensor_kind[t] == HW_ACTIVATION;
    }
    free(read);
    return HW_OK;
}
