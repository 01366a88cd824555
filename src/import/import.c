/* One door for the files of every format.  See import.h. */
#include "import/import.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/params.h"
#include "io/reader.h"

/* What a reader of any format carries along. */
typedef struct door {
    hw_import_options options;
    hw_operators *operators; /* own; NULL: the caller's are taken */
    const hw_importer *importer;
    hw_import_report *report, own_report;
    bool reported;
} door;

static const char native[] = "highwater"; /* --from: a format of highwater itself */

/* It, or the name of one of them that is read; which one it is, content tells. */
static bool is_native(const char *name)
{
    hw_format format;
    return strcmp(name, native) == 0 ||
           (hw_format_parse(name, &format, NULL) == HW_OK && format != HW_FORMAT_DOT);
}

static hw_code find_importer(door *d, hw_error *err)
{
    const char *name = d->options.format;
    const char *names[32] = {native};
    size_t n = 1;
    if (!name || is_native(name))
        return HW_OK;
    for (size_t i = 0; i < hw_n_importers; i++) {
        if (strcmp(hw_importers[i]->name, name) == 0) {
            d->importer = hw_importers[i];
            return HW_OK;
        }
        if (n < sizeof names / sizeof names[0])
            names[n++] = hw_importers[i]->name;
    }
    const char *near = hw_nearest_name(name, names, n);
    return hw_fail(err, HW_USAGE,
                   "no format is named '%s'%s%s%s `highwater list formats` shows all", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":");
}

static bool tell(void *context, const char *bytes, size_t n, bool whole)
{
    door *d = context;
    for (size_t i = 0; !d->options.format && !d->importer && i < hw_n_importers; i++)
        if (hw_importers[i]->tell(bytes, n, whole))
            d->importer = hw_importers[i];
    return d->importer != NULL;
}

static hw_code read(void *context, hw_input *input, hw_graph **out, hw_error *err)
{
    door *d = context;
    hw_import in = {
        .input = input, .path = input->name, .options = &d->options, .report = d->report};
    d->report->format = d->importer->title;
    return d->importer->read(&in, out, err);
}

static hw_code finish(void *context, hw_graph **g, hw_error *err)
{
    door *d = context;
    hw_code code = hw_import_apply(g, &d->options, d->importer != NULL, d->report, err);
    if (code != HW_OK)
        return code;
    if (d->importer && !(*g)->source_order_legal_edges)
        code = hw_import_note(d->report, err,
                              "the order of the file does not follow the edges: as a schedule it "
                              "is not legal");
    if (code != HW_OK)
        return code;
    if (!d->reported)
        code = hw_import_report_count(d->report, *g, err);
    d->reported = true;
    return code;
}

static void close_door(void *context)
{
    door *d = context;
    hw_operators_free(d->operators);
    hw_import_report_clear(&d->own_report);
    free(d);
}

/* What is asked for and the format does not have would go unheard. */
static hw_code check_options(const door *d, const char *path, hw_error *err)
{
    const hw_importer *row = d->importer;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (row && row->refused)
        return HW_OK;
    if (d->options.n_dims > 0 && !(row && row->has_dims))
        return hw_fail(err, HW_USAGE,
                       "%s: its sizes are fixed numbers, without a dimension %s: leave --dim out, "
                       "or give buckets and transform a rule by which they grow (--scale)",
                       name, d->options.dims[0].name);
    if (d->options.stage_in && !(row && row->stages_in))
        return hw_fail(err, HW_USAGE,
                       "%s: this is no workflow, which --stage-in is for: leave it out; `highwater "
                       "transform FILE stage-in` brings in the inputs of any graph",
                       name);
    return HW_OK;
}

hw_code hw_import_open(const char *path, const hw_import_options *options, hw_import_report *report,
                       hw_reader **out, hw_error *err)
{
    *out = NULL;
    door *d = HW_NEW0(door, 1);
    if (!d)
        return hw_fail_memory(err, "reading a file");
    if (options)
        d->options = *options;
    d->report = report ? report : &d->own_report;
    d->report->format = "highwater";
    hw_code code = find_importer(d, err);
    if (code == HW_OK && !d->options.operators) {
        d->operators = hw_operators_new();
        if (!d->operators)
            code = hw_fail_memory(err, "the table of operators");
        d->options.operators = d->operators;
    }
    if (code != HW_OK) {
        close_door(d);
        return code;
    }
    const hw_reader_hooks hooks = {
        .context = d, .tell = tell, .read = read, .finish = finish, .close = close_door};
    code = hw_reader_open_hooked(path, &hooks, out, err);
    if (code == HW_OK)
        code = check_options(d, path, err);
    if (code != HW_OK && *out) {
        hw_reader_close(*out);
        *out = NULL;
    }
    return code;
}

hw_code hw_import_load(const char *path, const hw_import_options *options, hw_import_report *report,
                       hw_graph **out, hw_error *err)
{
    hw_reader *r;
    *out = NULL;
    hw_code code = hw_import_open(path, options, report, &r, err);
    return code == HW_OK ? hw_reader_only(r, out, err) : code;
}
