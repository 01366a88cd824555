/* highwater arena: addresses for the buffers of an order, or of a CSV file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/arena_plot.h"
#include "arena/clock.h"
#include "cli/arena_text.h"
#include "cli/shared.h"
#include "core/memory.h"
#include "io/drawing.h"

static const hw_option options[] = {
    {"order", "ORDER", "source",
     "Of a graph: an order file, `source` (the order of the graph's file) or a solver with "
     "parameters."},
    {"allocator", "NAME[:K=V,...]", "greedy-by-size",
     "Who places the buffers (`highwater list allocators`); may be repeated; `all`: each in turn."},
    {"alignment", "BYTES", "1", "Of a graph: every offset is a multiple of it."},
    {"capacity", "BYTES", "none",
     "Be content with any allocation of at most that height; the table says who keeps it."},
    {"buffers", NULL, NULL, "FILE is a CSV file of buffers, whatever its name ends with."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"time-limit", "SECONDS", "60", "Stop each search after SECONDS.  With --state-limit: none."},
    {"state-limit", "N", "none", "Stop each search after N states."},
    {"check", "FILE", NULL,
     "Place nothing: check the offsets of a CSV file (columns id and offset) for these buffers."},
    {"offsets", "FILE", NULL,
     "Write buffers and offsets of the lowest allocation as CSV, in the form of MiniMalloc."},
    {"draw", "FILE", NULL, "Draw the lowest allocation: .svg, .pdf or .png."},
};

static const char *const examples[] = {
    "highwater arena graph.json",
    "highwater arena graph.json --order greedy --allocator all --alignment 64",
    "highwater arena graph.json --offsets offsets.csv && highwater arena graph.json --check "
    "offsets.csv",
    "highwater arena offsets.csv --json",
    "highwater arena graph.json --allocator hill-climb:rounds=1000 --draw arena.svg",
};

#define DEFAULT_SECONDS 60

enum { MOST_ROWS = 64 };

typedef struct arena_job {
    hw_memory_options memory;
    uint64_t alignment;
    hw_placement_request request;
    const char *order_name, *check_path, *offsets_path, *draw_path;
    bool all;
    hw_arena_row *rows;
    size_t n_rows;
    hw_graph *graph;
    hw_arena *arena;
    char hash[HW_HASH_TEXT];
} arena_job;

/* ---- What is asked for. ---- */

static hw_code add_row(arena_job *job, const char *spec, hw_error *err)
{
    if (job->n_rows == MOST_ROWS)
        return hw_fail(err, HW_USAGE, "more than %d allocators: give fewer", MOST_ROWS);
    hw_arena_row *row = &job->rows[job->n_rows];
    hw_code code = hw_allocator_parse(spec, &row->allocator, row->values, err);
    if (code != HW_OK)
        return code;
    (void)hw_params_spec(row->allocator->name, row->allocator->params, row->allocator->n_params,
                         row->values, row->spec, sizeof row->spec);
    job->n_rows++;
    return HW_OK;
}

static hw_code read_allocators(const hw_cli *c, arena_job *job, hw_error *err)
{
    hw_code code = HW_OK;
    size_t cursor = 0;
    const char *spec;
    while (code == HW_OK && (spec = hw_cli_next(c, "allocator", &cursor))) {
        job->all = job->all || strcmp(spec, "all") == 0;
        for (size_t i = 0; code == HW_OK && strcmp(spec, "all") == 0 && i < hw_n_allocators; i++)
            code = add_row(job, hw_allocators[i]->name, err);
        if (code == HW_OK && strcmp(spec, "all") != 0)
            code = add_row(job, spec, err);
    }
    if (code == HW_OK && job->n_rows == 0)
        code = add_row(job, "greedy-by-size", err);
    return code;
}

/* Files that are written: different ones, none of which is read. */
static hw_code check_files(const hw_cli *c, const arena_job *job, hw_error *err)
{
    const struct {
        const char *option, *path;
    } file[] = {
        {"-o", c->output_path}, {"--offsets", job->offsets_path}, {"--draw", job->draw_path}};
    enum { N = sizeof file / sizeof file[0] };
    hw_code code = HW_OK;
    for (int i = 0; i < N; i++) {
        if (code == HW_OK)
            code = hw_cli_not_input(c, file[i].option, file[i].path, err);
        if (code == HW_OK && i > 0 && job->check_path)
            code = hw_cli_two_files("--check", job->check_path, file[i].option, file[i].path, err);
        for (int k = 0; k < i && code == HW_OK; k++)
            code =
                hw_cli_two_files(file[k].option, file[k].path, file[i].option, file[i].path, err);
    }
    return code;
}

static hw_code read_job(const hw_cli *c, arena_job *job, hw_error *err)
{
    hw_placement_request *request = &job->request;
    *request = (hw_placement_request){.seconds = hw_cli_has(c, "state-limit") ? 0 : DEFAULT_SECONDS,
                                      .seed = c->seed,
                                      .stop = c->stop};
    job->alignment = 1;
    job->order_name = hw_cli_has(c, "order") ? hw_cli_value(c, "order") : "source";
    job->check_path = hw_cli_value(c, "check");
    job->offsets_path = hw_cli_value(c, "offsets");
    job->draw_path = hw_cli_value(c, "draw");
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "alignment", &job->alignment, err);
    if (code == HW_OK && job->alignment == 0)
        code = hw_fail(err, HW_USAGE, "option --alignment: 0 divides nothing: give 1 or more");
    if (code == HW_OK)
        code = hw_cli_bytes(c, "capacity", &request->capacity, err);
    if (code == HW_OK && request->capacity == 0 && hw_cli_has(c, "capacity"))
        code = hw_fail(err, HW_USAGE, "option --capacity: 0 holds nothing: give 1 or more");
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &request->seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &request->states, err);
    if (code == HW_OK && job->draw_path)
        code = hw_drawing_check_ending(job->draw_path, err);
    if (code == HW_OK && job->check_path && hw_cli_has(c, "allocator"))
        code = hw_fail(err, HW_USAGE, "--check places nothing: leave --allocator out");
    if (code == HW_OK)
        code = read_allocators(c, job, err);
    return code == HW_OK ? check_files(c, job, err) : code;
}

/* ---- What is placed. ---- */

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), k = strlen(ending);
    return n >= k && strcmp(text + n - k, ending) == 0;
}

static hw_code load_buffers(const hw_cli *c, arena_job *job, hw_error *err)
{
    static const char *const of_graphs[] = {"order", "alignment", "accounting", "pin-inputs"};
    for (size_t i = 0; i < sizeof of_graphs / sizeof of_graphs[0]; i++)
        if (hw_cli_has(c, of_graphs[i]))
            return hw_fail(err, HW_USAGE,
                           "--%s is for graphs, and %s holds buffers with lifetimes of their own: "
                           "leave it out",
                           of_graphs[i], hw_cli_input_name(c->args[0]));
    job->order_name = NULL;
    return hw_arena_read(c->args[0], &job->arena, err);
}

static hw_code load_graph(const hw_cli *c, arena_job *job, hw_error *err)
{
    hw_model *m = NULL;
    uint32_t *order = NULL;
    if (strcmp(c->args[0], "-") == 0 && strcmp(job->order_name, "-") == 0)
        return hw_fail(err, HW_USAGE, "standard input cannot be both graph and order");
    hw_code code = hw_cli_one_graph(c, c->args[0], &job->graph, err);
    if (code == HW_OK)
        code = hw_cli_model(job->graph, &job->memory, &m, err);
    if (code == HW_OK)
        code = hw_graph_hash(job->graph, job->hash, err);
    if (code == HW_OK) {
        order = HW_NEW(uint32_t, m->n_nodes);
        code = order ? hw_cli_order(c, m, job->order_name, NULL, order, err)
                     : hw_fail_memory(err, "an order");
    }
    if (code == HW_OK)
        code = hw_arena_of_order(m, order, job->alignment, &job->arena, err);
    if (code == HW_CHECK_FAILED)
        hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    free(order);
    hw_model_free(m);
    return code;
}

/* Of several allocators one may refuse; the others go on. */
static hw_code place_all(const hw_cli *c, arena_job *job, hw_error *err)
{
    for (size_t i = 0; i < job->n_rows; i++) {
        hw_arena_row *row = &job->rows[i];
        hw_placement_request request = job->request;
        hw_clock clock = hw_clock_start(0);
        hw_error why;
        request.params = row->values;
        hw_code code = hw_arena_place(job->arena, row->allocator, &request, &row->placement, &why);
        row->seconds = hw_clock_elapsed(&clock);
        bool refused = code == HW_USAGE || code == HW_BAD_INPUT || code == HW_LIMIT;
        if (code != HW_OK && (!refused || job->n_rows == 1)) {
            *err = why;
            return code;
        }
        row->tried = true;
        if (refused) {
            (void)snprintf(row->refusal, sizeof row->refusal, "%s", why.message);
            hw_cli_note(c, "%s", why.message);
        }
    }
    return HW_OK;
}

static hw_code check_offsets(arena_job *job, hw_error *err)
{
    hw_arena_row *row = job->rows;
    uint64_t *offset = HW_NEW(uint64_t, job->arena->n_buffers);
    hw_error why;
    job->n_rows = 0;
    if (!offset)
        return hw_fail_memory(err, "a file of offsets");
    *row = (hw_arena_row){.tried = true, .placement = {.offset = offset}};
    (void)snprintf(row->spec, sizeof row->spec, "as-given");
    hw_code code = hw_arena_read_offsets(job->check_path, job->arena, offset, err);
    if (code != HW_OK)
        return code;
    code = hw_arena_check(job->arena, offset, &row->placement.height, &why);
    row->placement.placed = code == HW_OK;
    row->placement.bound = job->arena->bound;
    if (code == HW_OK)
        job->n_rows = 1;
    else
        *err = why;
    return code;
}

/* ---- What is told. ---- */

/* The lowest allocation, the first of equal ones; NULL: none is placed. */
static const hw_arena_row *lowest(const arena_job *job)
{
    const hw_arena_row *best = NULL;
    for (size_t i = 0; i < job->n_rows; i++)
        if (job->rows[i].placement.placed &&
            (!best || job->rows[i].placement.height < best->placement.height))
            best = &job->rows[i];
    return best;
}

static void tell(const hw_cli *c, const arena_job *job)
{
    char name[HW_SHOWN_TEXT];
    const hw_arena_told told = {.arena = job->arena,
                                .name = job->graph ? hw_cli_graph_name(job->graph, name)
                                                   : hw_cli_shown(job->arena->name, name),
                                .order = job->order_name,
                                .accounting = hw_accounting_name(job->memory.accounting),
                                .pin_inputs = job->memory.pin_inputs,
                                .hash = job->hash,
                                .capacity = job->request.capacity,
                                .alignment = job->alignment,
                                .rows = job->rows,
                                .n_rows = job->n_rows};
    if (!c->json) {
        hw_arena_text(&told, c->out);
        return;
    }
    hw_json_out j = hw_json_on(c->out);
    hw_json_open(&j, NULL, '{');
    hw_arena_json(&told, &j);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static hw_code write_offsets(const arena_job *job, const hw_arena_row *row, hw_error *err)
{
    hw_output file = {.stream = NULL};
    hw_code code = hw_cli_open(job->offsets_path, &file, err);
    if (code != HW_OK)
        return code;
    hw_arena_write(job->arena, row->placement.offset, file.stream);
    return hw_cli_commit(&file, err);
}

static hw_code draw(const arena_job *job, const hw_arena_row *row, hw_error *err)
{
    const hw_arena *a = job->arena;
    const char **names = HW_NEW(const char *, a->n_buffers);
    if (!names)
        return hw_fail_memory(err, "a plot");
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        uint32_t t = a->buffer[i].tensor;
        bool named = job->graph && t != HW_NONE && *hw_tensor_name(job->graph, t);
        names[i] = named ? hw_tensor_name(job->graph, t) : a->label[i];
    }
    const hw_arena_picture picture = {.arena = a,
                                      .placement = &row->placement,
                                      .allocator = row->spec,
                                      .order = job->order_name,
                                      .names = names};
    hw_code code = hw_arena_plot(&picture, job->draw_path, err);
    free(names);
    return code;
}

/* The table is out, whatever becomes of the files. */
static hw_code finish(const hw_cli *c, const arena_job *job, hw_error *err)
{
    const hw_arena_row *best = lowest(job);
    tell(c, job);
    hw_code code = hw_cli_flush(c, err);
    if (!best && (job->offsets_path || job->draw_path))
        hw_cli_note(c, "nothing is placed: no file is written");
    if (code == HW_OK && best && job->offsets_path)
        code = write_offsets(job, best, err);
    if (code == HW_OK && best && job->draw_path)
        code = draw(job, best, err);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    arena_job job = {.rows = HW_NEW0(hw_arena_row, MOST_ROWS)};
    hw_code code = job.rows ? read_job(c, &job, err) : hw_fail_memory(err, "the allocators");
    bool buffers =
        hw_cli_has(c, "buffers") || (ends_with(c->args[0], ".csv") && !hw_cli_has(c, "from"));
    bool random = false;
    for (size_t i = 0; i < job.n_rows; i++)
        random = random || job.rows[i].allocator->random;
    if (code == HW_OK && random && !job.check_path)
        hw_cli_note(c, "seed %" PRIu64, c->seed);
    if (code == HW_OK)
        code = buffers ? load_buffers(c, &job, err) : load_graph(c, &job, err);
    if (code == HW_OK) {
        code = job.check_path ? check_offsets(&job, err) : place_all(c, &job, err);
        if (code == HW_OK) {
            code = finish(c, &job, err);
        } else if (code == HW_STOPPED && lowest(&job)) { /* what was placed before stands */
            hw_code told = finish(c, &job, err);
            code = told == HW_OK ? hw_fail(err, HW_STOPPED, "stopped by a signal") : told;
        } else if (code == HW_CHECK_FAILED) {
            hw_error_prefix(err, "%s: ", hw_cli_input_name(job.check_path));
        }
    }
    for (size_t i = 0; job.rows && i < MOST_ROWS; i++)
        hw_placement_clear(&job.rows[i].placement);
    free(job.rows);
    hw_arena_free(job.arena);
    hw_graph_free(job.graph);
    return code;
}

const hw_command hw_command_arena = {
    .name = "arena",
    .arguments = "FILE",
    .least_args = 1,
    .most_args = 1,
    .help = "Give the buffers of an order addresses in one arena.",
    .details =
        "FILE is a graph, whose order gives each storage and each workspace its lifetime, or a CSV "
        "file of buffers (id,lower,upper,size, as MiniMalloc has them). A storage keeps one offset "
        "for life; views share it, and an output that overwrites an input in place goes on in the "
        "same buffer.\n\n"
        "The height is the greatest end of a buffer. No allocation is lower than the logical peak "
        "(the load: the greatest sum of what is needed at once); height / load is the "
        "fragmentation. The height is `least` where it is proven that no allocation is lower, "
        "else the best bound stands there. Every allocation passes through an independent "
        "checker before it is told.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
