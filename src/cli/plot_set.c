/* All plots of results at once.  See plot_set.h. */
#include "cli/plot_set.h"

#include <string.h>

#include "cli/shared.h"
#include "core/json_out.h"
#include "io/gnuplot.h"
#include "io/folder.h"

/* What the set holds: kinds, one of them twice. */
static const struct entry {
    const char *name;
    hw_plot_kind kind;
    double quantile; /* 0: what the options say */
} entries[] = {
    {"gaps", HW_PLOT_GAPS, 0},         {"runtime", HW_PLOT_RUNTIME, 0},
    {"optimal", HW_PLOT_OPTIMAL, 0},   {"profile", HW_PLOT_PROFILE, 0},
    {"rivals", HW_PLOT_RIVALS, 0},     {"cactus", HW_PLOT_CACTUS, 0},
    {"pareto", HW_PLOT_PARETO, 0},     {"pareto-p90", HW_PLOT_PARETO, 0.9},
    {"heat", HW_PLOT_HEAT, 0},         {"heat-p90", HW_PLOT_HEAT, 0.9},
    {"families", HW_PLOT_FAMILIES, 0}, {"shares", HW_PLOT_SHARES, 0},
    {"counts", HW_PLOT_COUNTS, 0},
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

typedef struct set {
    const hw_cli *c;
    const hw_plot_data *data;
    const hw_plot_options *options;
    hw_json_out json;
} set;

static hw_code draw(const set *s, const struct entry *e, hw_plot_size size, const char *ending,
                    hw_plot_script *script, hw_error *err)
{
    hw_plot_options o = *s->options;
    char path[4096];
    o.size = size;
    o.quantile = e->quantile > 0 ? e->quantile : o.quantile;
    int length = snprintf(path, sizeof path, "%s/%s.%s", s->c->output_path, e->name, ending);
    if (length < 0 || (size_t)length >= sizeof path)
        return hw_fail(err, HW_USAGE, "-o %s: the name is too long", s->c->output_path);
    hw_code code = hw_plot_make(s->data, e->kind, &o, script, err);
    if (code == HW_OK)
        code = hw_gnuplot_render(script->text, script->width_px, script->height_px, path, err);
    return code;
}

static hw_code draw_entry(set *s, const struct entry *e, bool pdf, size_t *drawn, hw_error *err)
{
    hw_plot_script script = {.text = NULL}, page = {.text = NULL};
    hw_error why = {.code = HW_OK};
    hw_code code = draw(s, e, s->options->size, "svg", &script, &why);
    if (code == HW_BAD_INPUT) {
        hw_cli_note(s->c, "no %s: %s", e->name, why.message);
        return HW_OK;
    }
    if (code == HW_OK && pdf)
        code = draw(s, e, s->options->size == HW_PLOT_COLUMN ? HW_PLOT_COLUMN : HW_PLOT_PAGE, "pdf",
                    &page, &why);
    if (code == HW_OK) {
        char file[64];
        (void)snprintf(file, sizeof file, "%s.svg", e->name);
        hw_json_open(&s->json, NULL, '{');
        hw_json_put_string(&s->json, "file", file);
        hw_json_put_string(&s->json, "kind", hw_plot_kind_name(e->kind));
        hw_json_put_string(&s->json, "title", script.title);
        hw_json_put_string(&s->json, "caption", script.caption);
        hw_json_close(&s->json, '}');
        ++*drawn;
    } else if (err) {
        *err = why;
    }
    hw_plot_script_free(&script);
    hw_plot_script_free(&page);
    return code;
}

hw_code hw_cli_plot_set(const hw_cli *c, const hw_plot_data *data, const hw_plot_options *options,
                        bool pdf, hw_error *err)
{
    char path[4096];
    hw_output out;
    size_t drawn = 0;
    hw_code made = hw_folder_make(c->output_path, err);
    if (made != HW_OK)
        return made;
    int length = snprintf(path, sizeof path, "%s/plots.json", c->output_path);
    if (length < 0 || (size_t)length >= sizeof path)
        return hw_fail(err, HW_USAGE, "-o %s: the name is too long", c->output_path);
    hw_code code = hw_cli_open_inside(path, &out, err);
    if (code != HW_OK)
        return code;
    set s = {c, data, options, hw_json_on(out.stream)};
    s.json.break_items = true;
    hw_json_open(&s.json, NULL, '[');
    for (size_t i = 0; code == HW_OK && i < ENTRIES; i++)
        code = c->stop && *c->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                                   : draw_entry(&s, &entries[i], pdf, &drawn, err);
    hw_json_close(&s.json, ']');
    hw_json_line(&s.json);
    if (code == HW_OK && drawn == 0)
        code = hw_fail(err, HW_BAD_INPUT, "the results hold nothing to draw");
    if (code != HW_OK) {
        hw_cli_abandon(&out);
        return code;
    }
    hw_cli_note(c, "%zu plots are in %s", drawn, c->output_path);
    return hw_cli_commit(&out, err);
}
