/* The report of an import.  See import_report.h. */
#include "cli/import_report.h"

#include <inttypes.h>

#include "cli/shared.h"

/* A count of the report, under its name for persons and for programs. */
typedef struct count {
    const char *label, *key;
    uint64_t value;
    bool always; /* a person is told it even where it is 0 */
} count;

enum { N_COUNTS = 10 };

static void counts_of(const hw_import_report *r, count out[N_COUNTS])
{
    const count counts[N_COUNTS] = {
        {"nodes", "nodes", r->nodes, true},
        {"tensors", "tensors", r->tensors, true},
        {"edges", "edges", r->edges, true},
        {"views", "views", r->views, true},
        {"in-place pairs", "inplace_pairs", r->inplace_pairs, true},
        {"constants", "constants", r->constants, true},
        {"nodes folded", "folded", r->folded, false},
        {"dead outputs", "dead_outputs", r->dead_outputs, true},
        {"locked nodes", "locked", r->locked, true},
        {"windows", "windows", r->windows, false},
    };
    for (size_t i = 0; i < N_COUNTS; i++)
        out[i] = counts[i];
}

void hw_import_text(const hw_import_account *a, FILE *out)
{
    count counts[N_COUNTS];
    char name[HW_SHOWN_TEXT], text[HW_BYTES_TEXT];
    counts_of(a->report, counts);
    (void)fprintf(out, "%s: %s, graph %s\n", hw_cli_input_name(a->file), a->report->format,
                  hw_cli_graph_name(a->graph, name));
    for (size_t i = 0; i < N_COUNTS; i++)
        if (counts[i].always || counts[i].value)
            (void)fprintf(out, "  %-22s %" PRIu64 "\n", counts[i].label, counts[i].value);
    hw_bytes_text(a->report->resident_bytes, text);
    (void)fprintf(out, "  %-22s %s\n", "resident", text);
    hw_bytes_text(hw_graph_total_bytes(a->graph), text);
    (void)fprintf(out, "  %-22s %s\n", "total, not resident", text);
    if (a->reader_notes)
        (void)fprintf(out, "  note: %s\n", a->reader_notes);
    for (size_t i = 0; i < a->report->n_notes; i++)
        (void)fprintf(out, "  note: %s\n", a->report->notes[i]);
}

void hw_import_json(const hw_import_account *a, FILE *out)
{
    count counts[N_COUNTS];
    counts_of(a->report, counts);
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "file", hw_cli_input_name(a->file));
    hw_json_put_string(&j, "format", a->report->format);
    hw_json_put_string(&j, "graph", a->graph->name);
    for (size_t i = 0; i < N_COUNTS; i++)
        hw_json_put_u64(&j, counts[i].key, counts[i].value);
    hw_json_put_u64(&j, "resident", a->report->resident_bytes);
    hw_json_put_u64(&j, "total_bytes", hw_graph_total_bytes(a->graph));
    hw_json_open(&j, "notes", '[');
    if (a->reader_notes)
        hw_json_put_string(&j, NULL, a->reader_notes);
    for (size_t i = 0; i < a->report->n_notes; i++)
        hw_json_put_string(&j, NULL, a->report->notes[i]);
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
}
