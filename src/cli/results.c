/* Reading results for a command.  See results.h. */
#include "cli/results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "core/memory.h"

typedef struct wishes {
    hw_condition condition[HW_CLI_MOST_CONDITIONS];
    size_t n;
} wishes;

hw_code hw_cli_conditions(const hw_cli *c, hw_condition *conditions, size_t *n, hw_error *err)
{
    size_t cursor = 0;
    const char *text;
    *n = 0;
    while ((text = hw_cli_next(c, "where", &cursor)) != NULL) {
        if (*n == HW_CLI_MOST_CONDITIONS)
            return hw_fail(err, HW_USAGE, "more than %d options --where: give fewer",
                           HW_CLI_MOST_CONDITIONS);
        hw_code code = hw_condition_parse(text, &conditions[(*n)++], err);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code read_wishes(const hw_cli *c, wishes *w, hw_error *err)
{
    hw_code code = hw_cli_conditions(c, w->condition, &w->n, err);
    return code == HW_OK ? hw_cli_not_input(c, "-o", c->output_path, err) : code;
}

/* The results of one file that are wished for; *before: those that it has. */
static hw_code load(const hw_cli *c, const char *path, const wishes *w, hw_results **out,
                    size_t *before, hw_error *err)
{
    hw_code code = hw_results_load(path, hw_cli_has(c, "skip-broken"), out, err);
    if (code != HW_OK)
        return code;
    hw_results *results = *out;
    if (results->n_broken)
        hw_cli_note(c, "%" PRIu64 " lines left out; the first: %s", results->n_broken,
                    results->broken.message);
    *before = results->n_records;
    results->n_records = hw_records_choose(results->records, *before, w->condition, w->n);
    return HW_OK;
}

/* A run that was made again counts once. */
static hw_code leave_earlier_out(const hw_cli *c, hw_record *records, size_t *n, hw_error *err)
{
    size_t replaced = 0;
    hw_code code = hw_records_latest(records, n, &replaced, err);
    if (replaced)
        hw_cli_note(c, "%zu runs were run again later: the later ones count", replaced);
    return code;
}

static hw_code fail_empty(const hw_cli *c, size_t before, hw_error *err)
{
    return hw_fail(err, HW_BAD_INPUT, "%s: %s", c->n_args > 1 ? "all files" : c->args[0],
                   before ? "no result has the values that --where asks for"
                          : "holds no results: was the sweep stopped before its first unit?");
}

hw_code hw_cli_results(const hw_cli *c, hw_results **out, hw_error *err)
{
    wishes w;
    hw_results *results = NULL;
    size_t before = 0;
    *out = NULL;
    hw_code code = read_wishes(c, &w, err);
    if (code == HW_OK)
        code = load(c, c->args[0], &w, &results, &before, err);
    if (code != HW_OK)
        return code;
    code = results->n_records ? leave_earlier_out(c, results->records, &results->n_records, err)
                              : fail_empty(c, before, err);
    if (code == HW_OK)
        *out = results;
    else
        hw_results_free(results);
    return code;
}

void hw_cli_all_results_free(hw_cli_all_results *all)
{
    for (size_t i = 0; i < all->n_files; i++)
        hw_results_free(all->file[i]);
    free((void *)all->file);
    free(all->records);
    *all = (hw_cli_all_results){.n_files = 0};
}

/* The records of a lone file are taken as they are; those of several are copied. */
static hw_code join(hw_cli_all_results *all, hw_error *err)
{
    for (size_t i = 0; i < all->n_files; i++)
        all->n_records += all->file[i]->n_records;
    if (all->n_files == 1) {
        all->records = all->file[0]->records;
        all->file[0]->records = NULL;
        return HW_OK;
    }
    all->records = HW_NEW(hw_record, all->n_records);
    if (!all->records)
        return hw_fail_memory(err, "results");
    size_t at = 0;
    for (size_t i = 0; i < all->n_files; i++) {
        hw_results *file = all->file[i];
        if (file->n_records)
            memcpy(all->records + at, file->records, file->n_records * sizeof *file->records);
        at += file->n_records;
        free(file->records);
        file->records = NULL;
    }
    return HW_OK;
}

hw_code hw_cli_all_results_load(const hw_cli *c, hw_cli_all_results *all, hw_error *err)
{
    wishes w;
    size_t before = 0, in_file = 0;
    *all = (hw_cli_all_results){.file = HW_NEW0(hw_results *, c->n_args)};
    hw_code code = all->file ? read_wishes(c, &w, err) : hw_fail_memory(err, "results");
    for (size_t i = 0; code == HW_OK && i < c->n_args; i++) {
        code = load(c, c->args[i], &w, &all->file[i], &in_file, err);
        all->n_files += code == HW_OK;
        before += code == HW_OK ? in_file : 0;
    }
    if (code == HW_OK)
        code = join(all, err);
    if (code == HW_OK)
        code = all->n_records ? leave_earlier_out(c, all->records, &all->n_records, err)
                              : fail_empty(c, before, err);
    if (code != HW_OK)
        hw_cli_all_results_free(all);
    return code;
}
