/* The options of `highwater adversary`.  See adversary_options.h. */
#include "cli/adversary_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "small/small.h"
#include "cli/shared.h"
#include "core/memory.h"

enum {
    NODES = 8,
    LOW = 1,
    HIGH = 100,
    MOST_EDGES = HW_GENOME_MOST * (HW_GENOME_MOST - 1) / 2,
    HARD_STATES = 100000, /* of one run of an exact solver: no graph eats the search, */
    MOST_STATES = 1048576 /* nor does an optimum that the fast route cannot find      */
};

static const double default_seconds = 60;

/* "A:B", or "A" for A:A. */
static hw_code read_range(const hw_cli *c, const char *name, uint64_t least, uint64_t most,
                          uint64_t *low, uint64_t *high, hw_error *err)
{
    const char *text = hw_cli_value(c, name);
    char first[32];
    if (!text)
        return HW_OK;
    size_t length = strcspn(text, ":");
    const char *second = text[length] ? text + length + 1 : text;
    if (length >= sizeof first)
        length = sizeof first - 1;
    memcpy(first, text, length);
    first[length] = '\0';
    if (!hw_read_u64(first, low) || !hw_read_u64(second, high) || *low < least || *high > most ||
        *low > *high)
        return hw_fail(err, HW_USAGE,
                       "option --%s: '%s' is no range: give A:B, or one number, from %" PRIu64
                       " to %" PRIu64 ", A not above B",
                       name, text, least, most);
    return HW_OK;
}

static hw_code read_features(const hw_cli *c, hw_space *space, hw_error *err)
{
    const char *text = hw_cli_value(c, "features");
    if (!text || strcmp(text, "none") == 0)
        return HW_OK;
    for (size_t length; *text; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        if (length == 9 && strncmp(text, "workspace", 9) == 0)
            space->workspace = true;
        else if (length == 7 && strncmp(text, "inplace", 7) == 0)
            space->inplace = true;
        else if (length == 5 && strncmp(text, "split", 5) == 0)
            space->split = true;
        else
            return hw_fail(err, HW_USAGE,
                           "option --features: '%.*s' is none of workspace, inplace, split",
                           (int)length, text);
    }
    return HW_OK;
}

static hw_code read_space(const hw_cli *c, hw_space *space, hw_error *err)
{
    uint64_t least_nodes = space->least_nodes, most_nodes = space->most_nodes, least_edges = 0,
             most_edges = MOST_EDGES, most_in = HW_GENOME_MOST, most_out = HW_GENOME_MOST;
    unsigned shape = HW_SHAPE_ANY, outputs = space->discard;
    space->low = LOW;
    space->high = HIGH;
    hw_code code = read_range(c, "nodes", 1, HW_GENOME_MOST, &least_nodes, &most_nodes, err);
    if (code == HW_OK)
        code = read_range(c, "edges", 0, MOST_EDGES, &least_edges, &most_edges, err);
    if (code == HW_OK) /* so that no sum can pass 2^64 */
        code = read_range(c, "sizes", 0, UINT64_C(1) << 48, &space->low, &space->high, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "max-in", 0, HW_GENOME_MOST, &most_in, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "max-out", 0, HW_GENOME_MOST, &most_out, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "shape", &shape, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "outputs", &outputs, err);
    if (code == HW_OK)
        code = read_features(c, space, err);
    space->least_nodes = (uint32_t)least_nodes;
    space->most_nodes = (uint32_t)most_nodes;
    space->least_edges = (uint32_t)least_edges;
    space->most_edges = (uint32_t)most_edges;
    space->most_in = (uint32_t)most_in;
    space->most_out = (uint32_t)most_out;
    space->shape = (hw_shape)shape;
    space->discard = outputs == 1;
    return code == HW_OK ? hw_space_check(space, err) : code;
}

static hw_code read_start(const hw_cli *c, hw_adversary_job *job, hw_error *err)
{
    const char *path = hw_cli_value(c, "start");
    hw_graph *g = NULL;
    if (!path)
        return HW_OK;
    hw_code code = hw_cli_one_graph(c, path, &g, err);
    if (code == HW_OK) {
        code = hw_genome_of_graph(g, &job->start, err);
        if (code == HW_USAGE)
            hw_error_prefix(err, "%s: ", hw_cli_input_name(path));
    }
    hw_graph_free(g);
    if (code == HW_OK)
        job->search.start = &job->start;
    return code;
}

/* Why the search cannot begin with that graph.  Behind read_space(). */
static hw_code check_start(const hw_cli *c, const hw_search *s, hw_error *err)
{
    const hw_space *space = &s->space;
    const hw_genome *g = s->start;
    if (!g || hw_space_holds(space, g))
        return HW_OK;
    const char *name = hw_cli_input_name(hw_cli_value(c, "start"));
    if (g->n < space->least_nodes || g->n > space->most_nodes)
        return hw_fail(err, HW_USAGE,
                       "%s: the graph to start from has %" PRIu32 " nodes, the search %" PRIu32
                       " to %" PRIu32 ": see --nodes",
                       name, g->n, space->least_nodes, space->most_nodes);
    for (uint32_t v = 0; v < g->n; v++)
        if (g->size[v] < space->low || g->size[v] > space->high)
            return hw_fail(err, HW_USAGE,
                           "%s: the graph to start from has a size of %" PRIu64
                           ", the search %" PRIu64 " to %" PRIu64 ": see --sizes",
                           name, g->size[v], space->low, space->high);
    uint32_t edges = hw_genome_edges(g);
    if (edges < space->least_edges || edges > space->most_edges)
        return hw_fail(err, HW_USAGE,
                       "%s: the graph to start from has %" PRIu32 " edges, the search %" PRIu32
                       " to %" PRIu32 ": see --edges",
                       name, edges, space->least_edges, space->most_edges);
    return hw_fail(err, HW_USAGE,
                   "%s: the graph to start from is outside the search's limits: see --max-in, "
                   "--max-out, --shape, --features and --outputs",
                   name);
}

/* Behind read_space(). */
static hw_code read_limit(const hw_cli *c, hw_search *s, hw_error *err)
{
    uint64_t *states = &s->goal.limits.states;
    if (s->goal.kind == HW_GOAL_HARD)
        *states = HARD_STATES;
    else if (s->space.most_nodes > HW_SMALL_MOST)
        *states = MOST_STATES;
    return hw_cli_u64(c, "state-limit", 1, UINT64_MAX, states, err);
}

static hw_code read_goal(const hw_cli *c, hw_goal *goal, hw_error *err)
{
    unsigned accounting = HW_ALLOC_FIRST;
    hw_code code =
        hw_goal_parse(c->args[0], hw_cli_value(c, "against"), hw_cli_has(c, "hard"), goal, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "accounting", &accounting, err);
    goal->accounting = accounting ? HW_FREE_FIRST : HW_ALLOC_FIRST;
    goal->seed = c->seed;
    return code;
}

static hw_code read_run(const hw_cli *c, hw_adversary_job *job, hw_error *err)
{
    unsigned method = HW_SEARCH_METHODS;
    hw_search_options *o = &job->options;
    o->jobs = c->jobs;
    o->folder = c->output_path;
    o->resume = hw_cli_has(c, "resume");
    o->only = hw_cli_has(c, "lane");
    o->stop = c->stop;
    hw_code code = hw_cli_choice(c, "method", &method, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "evaluations", 1, UINT64_MAX, &o->evaluations, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "lane", 0, UINT64_MAX - 1, &o->lane, err);
    o->seconds = o->evaluations || o->only ? 0 : default_seconds;
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &o->seconds, err);
    if (code == HW_OK && o->resume && !o->folder)
        code = hw_fail(err, HW_USAGE, "--resume needs the folder of the search: -o FOLDER");
    if (code == HW_OK && o->folder && strcmp(o->folder, "-") == 0)
        code = hw_fail(err, HW_USAGE, "-o names a folder for the graphs that are found, not '-'");
    job->search.seed = c->seed;
    job->search.methods =
        method == HW_SEARCH_METHODS ? (1U << HW_SEARCH_METHODS) - 1 : 1U << method;
    return code;
}

/* ---- Back to a command line. ---- */

static void put_range(FILE *out, const char *name, uint64_t low, uint64_t high)
{
    (void)fprintf(out, " --%s %" PRIu64, name, low);
    if (high != low)
        (void)fprintf(out, ":%" PRIu64, high);
}

/* So that a shell reads it as one word. */
static void put_word(FILE *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=,./:@%";
    if (*text && strspn(text, plain) == strlen(text)) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *text; text++)
        (void)(*text == '\'' ? fputs("'\\''", out) : fputc(*text, out));
    (void)fputc('\'', out);
}

static void put_features(FILE *out, const hw_space *space)
{
    const char *comma = "";
    if (!space->workspace && !space->inplace && !space->split)
        return;
    (void)fputs(" --features ", out);
    if (space->workspace) {
        (void)fputs("workspace", out);
        comma = ",";
    }
    if (space->inplace) {
        (void)fprintf(out, "%sinplace", comma);
        comma = ",";
    }
    if (space->split)
        (void)fprintf(out, "%ssplit", comma);
}

static void put_space(const hw_cli *c, FILE *out, const hw_space *space)
{
    put_range(out, "nodes", space->least_nodes, space->most_nodes);
    if (space->least_edges > 0 || space->most_edges < MOST_EDGES)
        put_range(out, "edges", space->least_edges, space->most_edges);
    put_range(out, "sizes", space->low, space->high);
    if (space->most_in < HW_GENOME_MOST)
        (void)fprintf(out, " --max-in %" PRIu32, space->most_in);
    if (space->most_out < HW_GENOME_MOST)
        (void)fprintf(out, " --max-out %" PRIu32, space->most_out);
    if (space->shape != HW_SHAPE_ANY)
        (void)fprintf(out, " --shape %s", hw_cli_value(c, "shape"));
    put_features(out, space);
    (void)fprintf(out, " --outputs %s", space->discard ? "discarded" : "kept");
}

static void put_goal(FILE *out, const hw_goal *goal)
{
    char text[HW_SPEC_TEXT];
    (void)hw_params_spec(goal->row->name, goal->row->params, goal->row->n_params, goal->values,
                         text, sizeof text);
    (void)fputs("highwater adversary ", out);
    put_word(out, text);
    if (goal->kind == HW_GOAL_AGAINST) {
        (void)hw_params_spec(goal->other->name, goal->other->params, goal->other->n_params,
                             goal->other_values, text, sizeof text);
        (void)fputs(" --against ", out);
        put_word(out, text);
    }
    if (goal->kind == HW_GOAL_HARD)
        (void)fputs(" --hard", out);
    (void)fprintf(out, " --accounting %s", hw_accounting_name(goal->accounting));
    if (goal->limits.states)
        (void)fprintf(out, " --state-limit %" PRIu64, goal->limits.states);
}

static hw_code write_command(const hw_cli *c, hw_adversary_job *job, bool whole, char **text,
                             hw_error *err)
{
    size_t size;
    FILE *out = hw_text_stream(text, &size);
    if (!out)
        return hw_fail_memory(err, "a command line");
    put_goal(out, &job->search.goal);
    put_space(c, out, &job->search.space);
    if (hw_cli_has(c, "method"))
        (void)fprintf(out, " --method %s", hw_cli_value(c, "method"));
    if (job->search.start) {
        (void)fputs(" --start ", out);
        put_word(out, whole ? hw_cli_value(c, "start") : "graph");
    }
    if (whole) {
        (void)fprintf(out, " --seed %" PRIu64, job->search.seed);
        if (job->options.evaluations)
            (void)fprintf(out, " --evaluations %" PRIu64, job->options.evaluations);
        if (job->options.only)
            (void)fprintf(out, " --lane %" PRIu64, job->options.lane);
    }
    return fclose(out) == 0 ? HW_OK : hw_fail_memory(err, "a command line");
}

hw_code hw_adversary_job_read(const hw_cli *c, hw_adversary_job *job, hw_error *err)
{
    memset(job, 0, sizeof *job);
    hw_search *s = &job->search;
    hw_code code = read_goal(c, &s->goal, err);
    if (code == HW_OK)
        code = read_start(c, job, err);
    s->space.least_nodes = s->space.most_nodes = s->start ? s->start->n : NODES;
    s->space.discard = s->start && s->start->discard;
    if (code == HW_OK)
        code = read_space(c, &s->space, err);
    if (code == HW_OK)
        code = read_limit(c, s, err);
    if (code == HW_OK)
        code = check_start(c, s, err);
    if (code == HW_OK)
        code = read_run(c, job, err);
    if (code == HW_OK)
        code = write_command(c, job, false, &job->label, err);
    if (code == HW_OK)
        code = write_command(c, job, true, &job->command, err);
    s->label = job->label;
    job->options.command = job->command;
    return code;
}

void hw_adversary_job_clear(hw_adversary_job *job)
{
    free(job->label);
    free(job->command);
}
