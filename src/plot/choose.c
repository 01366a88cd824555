/*
 * Which solvers a plot shows when the user names none: few enough to tell
 * apart, and those that readers look for.  See plot_internal.h.
 */
#include <string.h>

#include "core/params.h"
#include "plot/plot_internal.h"

/* The rule of the seed article, what programs use, the best of ours, a baseline. */
static const char *const heuristics[] = {
    "greedy",   "lns",        "beam",           "hmcos",         "xla-best",     "inductor-best",
    "source",   "ort-memory", "lookahead",      "lpmf",          "best-of-both", "backtrack",
    "xla-list", "dfs",        "greedy-listing", "greedy-reverse"};
static const char *const provers[] = {"exact", "portfolio", "dp",           "enumerate",
                                      "milp",  "serenity",  "tflite-tools", "liu"};

/* Is this the solver's whole name, or its name without parameters? */
static bool is_named(const char *spec, const char *name)
{
    size_t length = strlen(name);
    return strncmp(spec, name, length) == 0 && (spec[length] == '\0' || spec[length] == ':');
}

static void show(hw_plot *p, size_t solver, size_t most)
{
    for (size_t i = 0; i < p->n_shown; i++)
        if (p->shown[i] == solver)
            return;
    if (p->n_shown < most)
        p->shown[p->n_shown++] = solver;
}

static bool show_named(hw_plot *p, const char *name, size_t most)
{
    bool found = false;
    for (size_t s = 0; s < p->data->n_solvers; s++)
        if (is_named(p->data->solver[s], name)) {
            show(p, s, most);
            found = true;
        }
    return found;
}

static void show_kind(hw_plot *p, bool exact, const char *const *first, size_t n, size_t most)
{
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < p->data->n_solvers; s++)
            if (p->data->exact[s] == exact && strcmp(p->data->solver[s], first[i]) == 0)
                show(p, s, most);
    for (size_t s = 0; s < p->data->n_solvers; s++)
        if (p->data->exact[s] == exact)
            show(p, s, most);
}

static hw_code show_wanted(hw_plot *p, hw_error *err)
{
    for (size_t i = 0; i < p->options->n_solvers; i++) {
        const char *name = p->options->solvers[i];
        if (show_named(p, name, HW_PLOT_LINES))
            continue;
        const char *near = hw_nearest_name(name, p->data->solver, p->data->n_solvers);
        return hw_fail(err, HW_USAGE, "no result is of solver '%s'%s%s%s", name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return HW_OK;
}

hw_code hw_plot_choose(hw_plot *p, hw_plot_wish wish, size_t most, hw_error *err)
{
    enum {
        HEURISTICS = sizeof heuristics / sizeof heuristics[0],
        PROVERS = sizeof provers / sizeof provers[0]
    };
    p->n_shown = 0;
    if (p->options->n_solvers)
        return show_wanted(p, err);
    if (p->options->all_solvers)
        most = HW_PLOT_LINES;
    if (wish == HW_PLOT_HEURISTICS || wish == HW_PLOT_BOTH)
        show_kind(p, false, heuristics, HEURISTICS,
                  wish == HW_PLOT_BOTH && !p->options->all_solvers ? (most + 1) / 2 : most);
    if (wish == HW_PLOT_EXACT || wish == HW_PLOT_BOTH)
        show_kind(p, true, provers, PROVERS, most);
    return HW_OK;
}
