/* The options of every command that reads graphs, for graphs of other formats.  See shared.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "core/memory.h"

static size_t count_given(const hw_cli *c, const char *name)
{
    size_t n = 0;
    for (size_t cursor = 0; hw_cli_next(c, name, &cursor);)
        n++;
    return n;
}

/* All values of a repeated option; NULL with *n == 0 where there is none. */
static hw_code collect(const hw_cli *c, const char *name, const char ***out, size_t *n,
                       hw_error *err)
{
    *n = count_given(c, name);
    *out = NULL;
    if (*n == 0)
        return HW_OK;
    *out = HW_NEW(const char *, *n);
    if (!*out)
        return hw_fail_memory(err, "the command line");
    size_t cursor = 0;
    for (size_t i = 0; i < *n; i++)
        (*out)[i] = hw_cli_next(c, name, &cursor);
    return HW_OK;
}

/* A range is the command's own affair. */
static bool is_range(const hw_cli *c, const char *text)
{
    return (c->command->common & HW_CLI_SWEEP) && hw_sweep_is_axis(text);
}

static hw_code read_dims(const hw_cli *c, hw_cli_import *import, hw_error *err)
{
    size_t n = count_given(c, "dim"), bytes = 0, cursor = 0;
    for (const char *text; (text = hw_cli_next(c, "dim", &cursor));)
        bytes += strlen(text) + 1;
    if (n == 0)
        return HW_OK;
    import->dims = HW_NEW0(hw_dim, n);
    import->names = HW_NEW(char, bytes);
    if (!import->dims || !import->names)
        return hw_fail_memory(err, "the command line");
    char *name = import->names;
    cursor = 0;
    size_t n_dims = 0;
    for (const char *text; (text = hw_cli_next(c, "dim", &cursor));) {
        const char *equals = strrchr(text, '=');
        uint64_t value;
        if (is_range(c, text))
            continue;
        if (!equals || equals == text || !hw_read_u64(equals + 1, &value) || value > INT64_MAX)
            return hw_fail(err, HW_USAGE,
                           "option --dim: '%s' is no NAME=N: give a dimension of the file and its "
                           "value, as in --dim batch=1",
                           text);
        size_t length = (size_t)(equals - text);
        memcpy(name, text, length);
        name[length] = '\0';
        for (size_t k = 0; k < n_dims; k++)
            if (strcmp(import->dims[k].name, name) == 0 && import->dims[k].value != value)
                return hw_fail(err, HW_USAGE, "option --dim: '%s' has two values: give one", name);
        import->dims[n_dims++] = (hw_dim){.name = name, .value = value};
        name += length + 1;
    }
    import->options.dims = import->dims;
    import->options.n_dims = n_dims;
    return HW_OK;
}

static hw_code read_operators(const hw_cli *c, hw_cli_import *import, hw_error *err)
{
    const char *path = hw_cli_value(c, "operators");
    if (!path)
        return HW_OK;
    import->operators = hw_operators_new();
    if (!import->operators)
        return hw_fail_memory(err, "the table of operators");
    import->options.operators = import->operators;
    return hw_operators_read(import->operators, path, err);
}

hw_code hw_cli_import_options(const hw_cli *c, hw_cli_import *import, hw_error *err)
{
    *import = (hw_cli_import){0};
    if (!(c->command->common & HW_CLI_IMPORT))
        return HW_OK;
    hw_import_options *o = &import->options;
    uint64_t window = 0;
    o->format = hw_cli_value(c, "from");
    o->has_window = hw_cli_has(c, "window");
    o->stage_in = hw_cli_has(c, "stage-in");
    hw_code code = hw_cli_u64(c, "window", 0, HW_NONE - 1, &window, err);
    o->window = (uint32_t)window;
    if (code == HW_OK)
        code = read_dims(c, import, err);
    if (code == HW_OK)
        code = collect(c, "lock", &import->locked, &o->n_locked, err);
    if (code == HW_OK)
        code = collect(c, "view", &import->views, &o->n_views, err);
    o->locked = import->locked;
    o->views = import->views;
    return code == HW_OK ? read_operators(c, import, err) : code;
}

hw_code hw_cli_sweep_axis(const hw_cli *c, hw_sweep_axis *out, hw_error *err)
{
    const char *found = NULL;
    size_t cursor = 0;
    *out = (hw_sweep_axis){0};
    for (const char *text; (text = hw_cli_next(c, "dim", &cursor));) {
        if (!is_range(c, text))
            continue;
        if (found)
            return hw_fail(err, HW_USAGE,
                           "option --dim: '%.200s' and '%.200s' both give several values: give one "
                           "range; names that vary together share it, as in --dim H,W=64:256:64",
                           found, text);
        found = text;
    }
    if (!found)
        return hw_fail(err, HW_USAGE,
                       "no dimension varies: give one several values, as in --dim H=224:1024:32 or "
                       "--dim H=224,512");
    hw_code code = hw_sweep_axis_read(found, out, err);
    if (code == HW_USAGE)
        hw_error_prefix(err, "option --dim: ");
    return code;
}

void hw_cli_import_clear(hw_cli_import *import)
{
    free(import->dims);
    free(import->names);
    free(import->locked);
    free(import->views);
    hw_operators_free(import->operators);
    *import = (hw_cli_import){0};
}
