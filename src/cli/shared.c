/* What several commands do alike.  See shared.h. */
#include "cli/shared.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/control.h"
#include "core/memory.h"
#include "gen/family.h"
#include "solve/called.h"

hw_code hw_cli_memory_options(const hw_cli *c, hw_memory_options *options, hw_error *err)
{
    unsigned accounting = HW_ALLOC_FIRST;
    hw_code code = hw_cli_choice(c, "accounting", &accounting, err);
    *options = (hw_memory_options){.accounting = accounting ? HW_FREE_FIRST : HW_ALLOC_FIRST,
                                   .pin_inputs = hw_cli_has(c, "pin-inputs"),
                                   .with_resident = hw_cli_has(c, "with-resident")};
    return code;
}

hw_code hw_cli_model(const hw_graph *g, const hw_memory_options *options, hw_model **out,
                     hw_error *err)
{
    hw_code code = hw_model_new(g, options->accounting, options->pin_inputs, out, err);
    char name[HW_SHOWN_TEXT];
    if (code == HW_BAD_INPUT)
        hw_error_prefix(err, "%s: ", hw_cli_graph_name(g, name));
    return code;
}

const char *hw_cli_default_solver(void)
{
    return "portfolio";
}

uint64_t hw_cli_default_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages / 2 * (uint64_t)page : 0;
}

static hw_code solver_order(const hw_cli *c, const hw_model *m, const char *spec,
                            const hw_limits *limits, uint32_t *order, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    char name[HW_FOREIGN_NAME];
    hw_code code = hw_solver_parse(spec, &row, values, err);
    if (code != HW_OK)
        return code;
    hw_request request = {.params = values, .seed = c->seed, .stop = c->stop};
    hw_answer answer;
    if (limits)
        request.limits = *limits;
    else
        request.limits.memory_bytes = hw_cli_default_memory();
    code = hw_solve(m, row, &request, &answer, err);
    if (code != HW_OK)
        return code;
    if (answer.has_order)
        memcpy(order, answer.order, (size_t)m->n_nodes * sizeof *order);
    else if (answer.status == HW_INFEASIBLE)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "no order of this graph is legal: its windows "
                       "contradict its edges");
    else
        code = hw_fail(err, HW_LIMIT, "solver %s found no order (%s): choose another",
                       hw_solver_short(row, values, name), hw_status_name(answer.status));
    hw_answer_clear(&answer);
    return code;
}

hw_code hw_cli_order(const hw_cli *c, const hw_model *m, const char *text, const hw_limits *limits,
                     uint32_t *order, hw_error *err)
{
    if (strcmp(text, "source") == 0) {
        for (uint32_t v = 0; v < m->n_nodes; v++)
            order[v] = v;
        return HW_OK;
    }
    if (hw_solver_find(text, strcspn(text, ":")))
        return solver_order(c, m, text, limits, order, err);
    hw_code code = hw_order_load(text, m->graph, order, err);
    if (code == HW_IO && strcmp(text, "-") != 0 && access(text, F_OK) != 0)
        return hw_fail(err, HW_IO,
                       "%s: no such order file, and no solver of this name: `highwater list "
                       "solvers` shows those",
                       text);
    return code;
}

void hw_cli_reader_notes(const hw_cli *c, const hw_reader *r, const hw_import_report *report,
                         const char *path)
{
    const char *notes = hw_reader_notes(r);
    if (notes) /* they name the file */
        hw_cli_note(c, "%s", notes);
    for (size_t i = 0; i < report->n_notes; i++)
        hw_cli_note(c, "%s: %s", hw_cli_input_name(path), report->notes[i]);
}

/*
 * Open a file of graphs.  The spec of a family, which buckets and transform
 * take with --dim, is no file: the message says how it gets here.
 */
static hw_code open_graphs(const hw_cli *c, const char *path, const hw_import_options *options,
                           hw_import_report *report, hw_reader **out, hw_error *err)
{
    hw_code code = hw_import_open(path, options, report, out, err);
    if (code != HW_IO || !hw_family_find(path, strcspn(path, ":")) || access(path, F_OK) == 0)
        return code;
    return hw_fail(err, HW_IO,
                   "%s: no such file; it is a family: `highwater gen %s | highwater %s -`", path,
                   path, c->command->name);
}

static hw_code each_of(hw_cli *c, const char *path, const hw_import_options *options,
                       hw_visit_graph visit, void *context, hw_error *err)
{
    hw_reader *r;
    hw_import_report report = {0};
    hw_code code = open_graphs(c, path, options, &report, &r, err);
    if (code != HW_OK) {
        hw_import_report_clear(&report);
        return code;
    }
    for (bool first = true;; first = false) {
        hw_graph *g = NULL;
        code = hw_reader_next(r, &g, err);
        if (code == HW_OK && !g && first)
            code = hw_fail(err, HW_BAD_INPUT,
                           "%s: holds no graph: it should have a line 'p "
                           "highwater'",
                           hw_cli_input_name(path));
        if (code != HW_OK || !g)
            break;
        code =
            *c->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal") : visit(c, g, context, err);
        hw_graph_free(g);
        if (code != HW_OK)
            break;
    }
    hw_cli_reader_notes(c, r, &report, path);
    hw_reader_close(r);
    hw_import_report_clear(&report);
    return code;
}

hw_code hw_cli_each_graph(hw_cli *c, const char *const *paths, size_t n_paths, hw_visit_graph visit,
                          void *context, hw_error *err)
{
    hw_cli_import import;
    hw_code code = hw_cli_import_options(c, &import, err);
    for (size_t i = 0; i < n_paths && code == HW_OK; i++)
        code = each_of(c, paths[i], &import.options, visit, context, err);
    hw_cli_import_clear(&import);
    return code;
}

static hw_code one_of(hw_reader *r, const char *path, hw_graph **out, hw_error *err)
{
    hw_graph *second = NULL;
    hw_code code = hw_reader_next(r, out, err);
    if (code == HW_OK && !*out)
        code = hw_fail(err, HW_BAD_INPUT, "%s: holds no graph: this command wants one",
                       hw_cli_input_name(path));
    if (code == HW_OK)
        code = hw_reader_next(r, &second, err);
    if (code == HW_OK && second)
        code =
            hw_fail(err, HW_BAD_INPUT,
                    "%s: holds several graphs, and this command wants one: split the file", path);
    hw_graph_free(second);
    if (code != HW_OK) {
        hw_graph_free(*out);
        *out = NULL;
    }
    return code;
}

hw_code hw_cli_one_graph(const hw_cli *c, const char *path, hw_graph **out, hw_error *err)
{
    hw_reader *r = NULL;
    hw_import_report report = {0};
    hw_cli_import import;
    *out = NULL;
    hw_code code = hw_cli_import_options(c, &import, err);
    if (code == HW_OK)
        code = open_graphs(c, path, &import.options, &report, &r, err);
    if (code == HW_OK)
        code = one_of(r, path, out, err);
    if (code == HW_OK)
        hw_cli_reader_notes(c, r, &report, path);
    hw_reader_close(r);
    hw_import_report_clear(&report);
    hw_cli_import_clear(&import);
    return code;
}

const char *hw_cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static const char *output_name(const hw_cli *c)
{
    bool file = c->output_path && strcmp(c->output_path, "-") != 0;
    return file ? c->output_path : "standard output";
}

hw_code hw_cli_write_graph(const hw_cli *c, const hw_graph *g, hw_format format, hw_error *err)
{
    hw_code code = hw_graph_write(g, format, c->out, err);
    if (code == HW_IO)
        hw_error_prefix(err, "%s: ", output_name(c));
    return code;
}

hw_code hw_cli_flush(const hw_cli *c, hw_error *err)
{
    errno = 0;
    if (fflush(c->out) == 0 && !ferror(c->out))
        return HW_OK;
    return hw_fail(err, HW_IO, "%s: cannot write: %s", output_name(c),
                   errno ? strerror(errno) : "an earlier write failed");
}

const char *hw_cli_shown(const char *text, char out[HW_SHOWN_TEXT])
{
    size_t taken = hw_control_tame(text, out, HW_SHOWN_TEXT - 3), n = strlen(out);
    if (text[taken]) {
        while (n && ((unsigned char)out[n - 1] & 0xc0) == 0x80) /* whole characters alone */
            n--;
        n -= n && (unsigned char)out[n - 1] >= 0xc0;
        memcpy(out + n, "...", 3);
        n += 3;
    }
    out[n] = '\0';
    return out;
}

const char *hw_cli_graph_name(const hw_graph *g, char out[HW_SHOWN_TEXT])
{
    return hw_cli_shown(g->name[0] ? g->name : "graph", out);
}

hw_code hw_cli_two_files(const char *first_name, const char *first, const char *second_name,
                         const char *second, hw_error *err)
{
    if (!first || !second || strcmp(first, "-") == 0 || strcmp(first, second) != 0)
        return HW_OK;
    return hw_fail(err, HW_USAGE, "%s and %s both name '%s': give each a file of its own",
                   first_name, second_name, first);
}

/* Two paths of one file, whatever they are called. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
           S_ISREG(x.st_mode);
}

hw_code hw_cli_not_input(const hw_cli *c, const char *option, const char *path, hw_error *err)
{
    for (size_t i = 0; path && strcmp(path, "-") != 0 && i < c->n_args; i++)
        if (same_file(path, c->args[i]))
            return hw_fail(err, HW_USAGE,
                           "%s would write over '%s', which is read: give it a file of its own",
                           option, c->args[i]);
    return HW_OK;
}

hw_code hw_cli_check_output(const hw_cli *c, const char *option, const char *path, hw_error *err)
{
    hw_code code = hw_cli_not_input(c, option, path, err);
    return code == HW_OK ? hw_output_check(path, err) : code;
}
