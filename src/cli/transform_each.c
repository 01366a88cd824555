/* Several graphs: sizes that vary, a file for each.  See transform_each.h. */
#include "cli/transform_each.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/sweep.h"

bool hw_transform_varies(const hw_cli *c)
{
    const char *text;
    for (size_t cursor = 0; (text = hw_cli_next(c, "dim", &cursor));)
        if (hw_sweep_is_axis(text))
            return true;
    return false;
}

static hw_code take_all(hw_cli *c, const hw_sweep *sweep, const hw_sweep_axis *axis,
                        hw_take_value take, void *context, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; i < axis->n_values && code == HW_OK; i++) {
        hw_graph *g = NULL;
        code = *c->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                        : hw_sweep_graph(sweep, i, &g, err);
        if (code == HW_OK)
            code = take(context, g, axis->value[i], err);
        hw_graph_free(g);
    }
    return code;
}

hw_code hw_transform_sweep(hw_cli *c, hw_take_value take, void *context, hw_error *err)
{
    hw_cli_import import = {0};
    hw_import_report notes = {0};
    hw_sweep_axis axis;
    hw_sweep *sweep = NULL;
    uint64_t base = 0;
    hw_code code = hw_cli_sweep_axis(c, &axis, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "base", 1, INT64_MAX, &base, err);
    if (code == HW_OK && base && !hw_cli_has(c, "scale"))
        code = hw_fail(err, HW_USAGE, "--base belongs to a rule of growth: give --scale too");
    if (code == HW_OK)
        code = hw_cli_import_options(c, &import, err);
    hw_sweep_request request = {.source = c->args[0],
                                .axis = &axis,
                                .options = &import.options,
                                .seed = c->seed,
                                .scale = hw_cli_value(c, "scale"),
                                .base = base};
    if (code == HW_OK)
        code = hw_sweep_open(&request, &notes, &sweep, err);
    for (size_t i = 0; code == HW_OK && i < notes.n_notes; i++)
        hw_cli_note(c, "%s: %s", c->args[0], notes.notes[i]);
    if (code == HW_OK)
        code = take_all(c, sweep, &axis, take, context, err);
    hw_sweep_close(sweep);
    hw_import_report_clear(&notes);
    hw_cli_import_clear(&import);
    hw_sweep_axis_clear(&axis);
    return code;
}

hw_code hw_transform_check_each(const hw_cli *c, const char *pattern, hw_error *err)
{
    const char *hole = strstr(pattern, "{}");
    if (!hole || strstr(hole + 2, "{}"))
        return hw_fail(err, HW_USAGE,
                       "option --each: '%s' should hold {} once, where the value or number goes",
                       pattern);
    if (c->output_path)
        return hw_fail(err, HW_USAGE, "-o and --each both say where the graphs go: give one");
    return HW_OK;
}

hw_code hw_transform_write_each(const hw_cli *c, const hw_graph *g, const char *pattern,
                                uint64_t label, hw_format format, hw_error *err)
{
    const char *hole = strstr(pattern, "{}");
    size_t size = strlen(pattern) + 24;
    char *path = HW_NEW(char, size);
    hw_output file = {0};
    if (!path)
        return hw_fail_memory(err, "a file name");
    (void)snprintf(path, size, "%.*s%" PRIu64 "%s", (int)(hole - pattern), pattern, label,
                   hole + 2);
    hw_code code = hw_cli_check_output(c, "--each", path, err);
    if (code == HW_OK)
        code = hw_cli_open(path, &file, err);
    if (code == HW_OK) {
        code = hw_graph_write(g, format, file.stream, err);
        if (code == HW_OK)
            code = hw_cli_commit(&file, err);
        else
            hw_cli_abandon(&file);
    }
    free(path);
    return code;
}
