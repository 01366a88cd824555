/* highwater replay: an order against real allocators, in processes of their own. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/replay_text.h"
#include "core/memory.h"
#include "io/gnuplot.h"
#include "replay/replay_plot.h"
#include "replay/scale.h"
#include "solve/solver.h"

static const hw_option options[] = {
    {"order", "ORDER", "source",
     "An order file, `source` (the order of the graph's file) or a solver with parameters."},
    {"allocator", "WORD", "malloc",
     "malloc, mmap (a mapping a block), arena or arena:ALLOCATOR (offsets in one mapping), or "
     "mimalloc, jemalloc, tcmalloc. May be repeated. After a '+' comes what belongs to one: "
     "malloc+trim, malloc+MALLOC_ARENA_MAX=1, arena+release."},
    {"preload", "LIB", NULL,
     "Let malloc be of this library: a path, or a name that the loader finds."},
    {"trim", NULL, NULL,
     "Ask malloc's library to give free memory back after each step (malloc_trim)."},
    {"release", NULL, NULL, "Hand pages of the arena that no block needs back to the kernel."},
    {"alignment", "BYTES", "64", "Offsets in an arena are multiples of it."},
    {"scale", "1/N", "1/1",
     "Divide every size by N, rounded up to whole bytes; the logical figures are those of the "
     "divided sizes."},
    {"fit", "BYTES", NULL, "Divide sizes by the least N with which the order peaks at no more."},
    {"repeat", "R", "1", "Run the order so often in one process: R passes."},
    {"touch", "WORD", "write",
     "What is done to each page of a block when it is taken: write, read or none. What is written "
     "is looked for when the block is given back."},
    {"limit", "BYTES", NULL,
     "The process may have this much more memory, mapped and not used too."},
    {"huge-pages", NULL, NULL, "Leave transparent huge pages on where the machine has them on."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"with-resident", NULL, NULL, "Take the constants too, before all else; they stay."},
    {"csv", "FILE", NULL, "Write a line for each moment of each pass."},
    {"draw", "FILE", NULL, "Draw resident over logical memory: .svg, .pdf or .png."},
};

static const char *const examples[] = {
    "highwater replay graph.json",
    "highwater replay graph.json --order order.json --allocator mmap --repeat 2 --json",
    "highwater replay graph.json --allocator malloc --allocator arena --draw resident.svg",
    "highwater replay graph.json --allocator malloc+MALLOC_TRIM_THRESHOLD_=0 --csv resident.csv",
};

enum { MOST_TRIALS = 16, MOST_PASSES = 100000 };

typedef struct replay_job {
    hw_memory_options memory;
    hw_replay_trial trial[MOST_TRIALS];
    size_t n_trials;
    unsigned touch;
    uint64_t passes, align, limit, scale, fit;
    hw_scaled scaled;
    hw_model *whole, *model; /* with the sizes as they are, and divided */
    uint32_t *order;
    hw_log *log;
    hw_replay_plan *plan;
    const char *order_name, *csv, *draw;
} replay_job;

static void job_clear(replay_job *job)
{
    for (size_t i = 0; i < job->n_trials; i++) {
        hw_contender_clear(&job->trial[i].contender);
        hw_replay_result_clear(&job->trial[i].result);
    }
    hw_replay_plan_free(job->plan);
    hw_log_free(job->log);
    hw_model_free(job->model);
    hw_model_free(job->whole);
    hw_scaled_end(&job->scaled);
    free(job->order);
}

/* ---- Options. ---- */

static hw_code add_trial(const hw_cli *c, replay_job *job, const char *text, hw_error *err)
{
    if (job->n_trials == MOST_TRIALS)
        return hw_fail(err, HW_USAGE, "more than %d allocators: ask for fewer at a time",
                       MOST_TRIALS);
    hw_contender *contender = &job->trial[job->n_trials++].contender;
    hw_code code = hw_contender_parse(text, contender, err);
    if (code == HW_OK)
        code = hw_contender_add(contender, hw_cli_value(c, "preload"), hw_cli_has(c, "trim"),
                                hw_cli_has(c, "release"), err);
    if (code == HW_USAGE)
        hw_error_prefix(err, "option --allocator: ");
    return code;
}

static hw_code read_trials(const hw_cli *c, replay_job *job, hw_error *err)
{
    size_t cursor = 0;
    const char *text;
    hw_code code = HW_OK;
    while (code == HW_OK && (text = hw_cli_next(c, "allocator", &cursor)) != NULL)
        code = add_trial(c, job, text, err);
    if (code == HW_OK && job->n_trials == 0)
        code = add_trial(c, job, "malloc", err);
    bool mallocs = false, arenas = false;
    for (size_t i = 0; i < job->n_trials; i++) {
        mallocs |= job->trial[i].contender.way == HW_REPLAY_MALLOC;
        arenas |= job->trial[i].contender.way == HW_REPLAY_ARENA;
    }
    if (code == HW_OK && !mallocs && (hw_cli_has(c, "preload") || hw_cli_has(c, "trim")))
        return hw_fail(err, HW_USAGE,
                       "--preload and --trim are for malloc, which is not asked for: add "
                       "--allocator malloc");
    if (code == HW_OK && !arenas && (hw_cli_has(c, "release") || hw_cli_has(c, "alignment")))
        return hw_fail(err, HW_USAGE,
                       "--release and --alignment are for arenas, of which none is asked for: add "
                       "--allocator arena");
    return code;
}

/* "1/16" or "16". */
static hw_code read_scale(const hw_cli *c, replay_job *job, hw_error *err)
{
    const char *text = hw_cli_value(c, "scale");
    job->scale = 1;
    if (!text)
        return HW_OK;
    if (hw_cli_has(c, "fit"))
        return hw_fail(err, HW_USAGE, "both --scale and --fit say how large sizes are: give one");
    const char *number = strncmp(text, "1/", 2) == 0 ? text + 2 : text;
    if (!hw_read_u64(number, &job->scale) || job->scale == 0)
        return hw_fail(err, HW_USAGE,
                       "option --scale: '%s' is no fraction like 1/16: give 1/N, N from 1 on",
                       text);
    return HW_OK;
}

static hw_code read_files(const hw_cli *c, replay_job *job, hw_error *err)
{
    job->csv = hw_cli_value(c, "csv");
    job->draw = hw_cli_value(c, "draw");
    hw_code code = hw_cli_two_files("--csv", job->csv, "--draw", job->draw, err);
    if (code == HW_OK)
        code = hw_cli_two_files("--csv", job->csv, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_two_files("--draw", job->draw, "-o", c->output_path, err);
    if (code == HW_OK && job->draw)
        code = hw_gnuplot_check_ending(job->draw, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--csv", job->csv, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--draw", job->draw, err);
    return code == HW_OK ? hw_cli_check_output(c, "-o", c->output_path, err) : code;
}

static hw_code read_job(const hw_cli *c, replay_job *job, hw_error *err)
{
    job->passes = 1;
    job->align = 64;
    job->order_name = hw_cli_has(c, "order") ? hw_cli_value(c, "order") : "source";
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = read_trials(c, job, err);
    if (code == HW_OK)
        code = read_scale(c, job, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "repeat", 1, MOST_PASSES, &job->passes, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "touch", &job->touch, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "fit", &job->fit, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "limit", &job->limit, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "alignment", &job->align, err);
    if (code == HW_OK && (job->align == 0 || job->align > UINT64_C(1) << 30))
        code = hw_fail(err, HW_USAGE, "option --alignment: give 1 to 1GiB");
    if (code == HW_OK && hw_cli_has(c, "limit") && job->limit == 0)
        code = hw_fail(err, HW_USAGE, "option --limit: no process has 0 bytes: give more");
    if (code == HW_OK && strcmp(c->args[0], "-") == 0 && strcmp(job->order_name, "-") == 0)
        code = hw_fail(err, HW_USAGE, "standard input cannot be both graph and order");
    return code == HW_OK ? read_files(c, job, err) : code;
}

/* ---- The plan. ---- */

static hw_code make_plan(const hw_cli *c, replay_job *job, const hw_graph *g, hw_error *err)
{
    const hw_memory_options *memory = &job->memory;
    hw_code code = hw_cli_model(g, memory, &job->whole, err);
    job->order = HW_NEW(uint32_t, g->n_nodes);
    if (code == HW_OK && !job->order)
        code = hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_cli_order(c, job->whole, job->order_name, NULL, job->order, err);
    if (code == HW_OK) /* which also finds an order that is not legal */
        code = hw_log_new(job->whole, job->order, memory->with_resident, &job->log, err);
    if (code == HW_OK && hw_cli_has(c, "fit"))
        code = hw_scale_to_fit(g, memory->accounting, memory->pin_inputs, job->order,
                               memory->with_resident, job->fit, &job->scale, err);
    if (code == HW_OK && job->scale > 1) {
        hw_log_free(job->log);
        job->log = NULL;
        code = hw_scaled_start(&job->scaled, g, job->scale, err);
        if (code == HW_OK)
            code = hw_cli_model(&job->scaled.graph, memory, &job->model, err);
        if (code == HW_OK)
            code = hw_log_new(job->model, job->order, memory->with_resident, &job->log, err);
    }
    return code == HW_OK ? hw_replay_plan_new(job->log, &job->plan, err) : code;
}

/* ---- Replays. ---- */

typedef struct line {
    const char *name;
    const replay_job *job;
    double shown_seconds;
    bool shown;
} line;

static void show(void *context, const hw_replay_progress *p)
{
    line *l = context;
    double now = hw_wall_seconds();
    char name[HW_SHOWN_TEXT];
    if (now - l->shown_seconds < 0.2)
        return;
    l->shown = true;
    l->shown_seconds = now;
    (void)fprintf(stderr, "\r%s: pass %" PRIu32 " of %" PRIu64 ", step %zu of %" PRIu32 "\033[K",
                  hw_cli_shown(l->name, name), p->pass + 1, l->job->passes, p->moment / 2,
                  l->job->log->n_steps);
}

/* Would the machine run out of memory? */
static hw_code check_room(const replay_job *job, const hw_replay_request *request, hw_error *err)
{
    uint64_t need, has = hw_replay_free_bytes();
    char need_text[HW_BYTES_TEXT], has_text[HW_BYTES_TEXT];
    hw_code code = hw_replay_need(job->plan, request, &need, err);
    if (code != HW_OK || has == 0 || need <= has)
        return code;
    /* Half of what is free, so that the machine stays usable. */
    uint64_t times = need / (has / 2 ? has / 2 : 1) + 1;
    hw_bytes_text(need, need_text);
    hw_bytes_text(has, has_text);
    if (job->scale > UINT64_MAX / times)
        times = UINT64_MAX / job->scale;
    return hw_fail(err, HW_LIMIT,
                   "the replay would need %s of memory, and %s are free here: divide the sizes, "
                   "--scale 1/%" PRIu64,
                   need_text, has_text, job->scale * times);
}

static hw_code run_trial(const hw_cli *c, replay_job *job, hw_replay_trial *t, hw_error *err)
{
    const hw_contender *contender = &t->contender;
    hw_replay_request request = {.program = "/proc/self/exe",
                                 .way = contender->way,
                                 .touch = (hw_replay_touch)job->touch,
                                 .passes = (uint32_t)job->passes,
                                 .preload = contender->preload,
                                 .setting = contender->setting,
                                 .n_settings = contender->n_settings,
                                 .trim = contender->trim,
                                 .release = contender->release,
                                 .huge_pages = hw_cli_has(c, "huge-pages"),
                                 .limit = job->limit,
                                 .stop = c->stop};
    line l = {.name = contender->name, .job = job};
    uint64_t *offset = NULL;
    hw_code code = HW_OK;
    if (!c->quiet && isatty(STDERR_FILENO)) {
        request.show = show;
        request.context = &l;
    }
    if (contender->way == HW_REPLAY_ARENA) {
        hw_placement_request place = {.params = contender->params,
                                      .seconds = 10, /* for those that search */
                                      .seed = c->seed,
                                      .stop = c->stop};
        code = hw_replay_place(job->plan, contender->allocator, &place, job->align, &offset,
                               &t->height, err);
        request.offset = offset;
        request.height = t->height;
    }
    if (code == HW_OK)
        code = check_room(job, &request, err);
    if (code == HW_OK)
        code = hw_replay_run(job->plan, &request, &t->result, err);
    if (l.shown)
        (void)fputs("\r\033[K", stderr);
    if (code == HW_USAGE && contender->package)
        hw_error_prefix(err, "%s (package %s): ", contender->name, contender->package);
    else if (code != HW_OK && code != HW_STOPPED)
        hw_error_prefix(err, "%s: ", contender->name);
    free(offset);
    return code;
}

/* ---- Output. ---- */

static hw_code write_csv(const replay_job *job, const hw_replay_report *report, hw_error *err)
{
    hw_output o;
    hw_code code = hw_cli_open(job->csv, &o, err);
    if (code != HW_OK)
        return code;
    hw_replay_put_csv(report, o.stream);
    return hw_cli_commit(&o, err);
}

static hw_code draw(const replay_job *job, hw_error *err)
{
    hw_replay_line lines[MOST_TRIALS];
    for (size_t i = 0; i < job->n_trials; i++)
        lines[i] = (hw_replay_line){job->trial[i].contender.name, &job->trial[i].result};
    return hw_replay_plot(job->plan, lines, job->n_trials, job->order_name, job->scale, job->draw,
                          err);
}

static hw_code report(hw_cli *c, const replay_job *job, const hw_graph *g, hw_error *err)
{
    hw_replay_report r = {.plan = job->plan,
                          .graph = g,
                          .order_name = job->order_name,
                          .scale = job->scale,
                          .touch = (hw_replay_touch)job->touch,
                          .trial = job->trial,
                          .n_trials = job->n_trials};
    hw_code code = job->draw ? draw(job, err) : HW_OK;
    if (code == HW_OK && job->csv)
        code = write_csv(job, &r, err);
    if (code == HW_OK && c->json)
        code = hw_replay_put_json(&r, c->out, err);
    else if (code == HW_OK)
        hw_replay_put_text(&r, c->out);
    return code == HW_OK ? hw_cli_flush(c, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    replay_job *job = HW_NEW0(replay_job, 1);
    hw_graph *g = NULL;
    if (!job)
        return hw_fail_memory(err, "a replay");
    hw_code code = read_job(c, job, err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK) {
        code = make_plan(c, job, g, err);
        if (code == HW_CHECK_FAILED)
            hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    }
    for (size_t i = 0; code == HW_OK && i < job->n_trials; i++)
        code = run_trial(c, job, &job->trial[i], err);
    if (code == HW_OK)
        code = report(c, job, g, err);
    job_clear(job);
    free(job);
    hw_graph_free(g);
    return code;
}

static const hw_option_values values[] = {
    {"allocator", "malloc|mimalloc|jemalloc|tcmalloc|mmap|arena"},
    {"touch", "write|read|none"},
};

const hw_command hw_command_replay = {
    .name = "replay",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Execute an order against real allocators and see what stays resident.",
    .details =
        "For each allocator a process is started that takes, writes and gives back blocks at the "
        "moments of the model: outputs and workspace before a step, inputs that die after it (with "
        "free-first before it); outputs in place and views share a block. Its resident memory, "
        "anonymous pages less what it had before, is read while each step runs and after it. A row "
        "a step, with what the logical bytes are beside it; lag is resident less live bytes: what "
        "the allocator keeps and adds. Several allocators have a row each.\n\n"
        "What does not fit into the machine's free memory is refused: --scale and --fit divide the "
        "sizes. A process that gets no memory, or is killed for want of it, ends the command with "
        "exit status 4 and the step. Variables of allocators (MALLOC_*, MIMALLOC_*, "
        "GLIBC_TUNABLES, LD_PRELOAD) are not passed on; those after --allocator malloc+ are.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
