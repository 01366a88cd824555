/* highwater arena: addresses for the buffers of an order, or of a CSV file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/clock.h"
#include "cli/arena_files.h"
#include "cli/arena_joint.h"
#include "cli/arena_text.h"
#include "cli/shared.h"
#include "core/memory.h"

static const hw_option options[] = {
    {"order", "ORDER", "source",
     "Of a graph: an order file, `source` (the order of the graph's file) or a solver with "
     "parameters.  With --joint: where the search begins, and the peak that it keeps to at first "
     "(the solver that `solve` takes)."},
    {"allocator", "NAME[:K=V,...]", "exact",
     "Who places the buffers (`highwater list allocators`); may be repeated; `all`: each in turn."},
    {"alignment", "BYTES", "1", "Of a graph: every offset is a multiple of it."},
    {"capacity", "BYTES", "none",
     "Be content with any allocation of at most that height; the table says who keeps it."},
    {"buffers", NULL, NULL, "FILE is a CSV file of buffers, whatever its name ends with."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"joint", NULL, NULL,
     "Of a graph: look for an order whose arena is smallest, among those of the least peak and "
     "among all."},
    {"time-limit", "SECONDS", "10", "Stop each search after SECONDS.  With --state-limit: none."},
    {"state-limit", "N", "none",
     "Stop each search after N states; with --joint, after N orders whose arena was looked at."},
    {"check", "FILE", NULL,
     "Place nothing: check the offsets of a CSV file (columns id and offset) for these buffers."},
    {"offsets", "FILE", NULL,
     "Write buffers and offsets of the lowest allocation as CSV, in the form of MiniMalloc."},
    {"draw", "FILE", NULL, "Draw the lowest allocation: .svg, .pdf or .png."},
    {"order-out", "FILE", NULL, "Of a graph: write the order of the lowest allocation."},
};

static const char *const examples[] = {
    "highwater arena graph.json",
    "highwater arena graph.json --order greedy --allocator all --alignment 64",
    "highwater arena graph.json --offsets offsets.csv",
    "highwater arena graph.json --check offsets.csv",
    "highwater arena offsets.csv --json",
    "highwater arena graph.json --allocator hill-climb:rounds=1000 --draw arena.svg",
    "highwater arena graph.json --joint --state-limit 1000",
};

#define DEFAULT_SECONDS 10

enum { MOST_ROWS = 64 };

typedef struct arena_job {
    hw_memory_options memory;
    uint64_t alignment;
    hw_placement_request request;
    const char *order_name, *check_path;
    hw_arena_files files;
    bool joint;
    hw_arena_row *rows;
    size_t n_rows;
    hw_graph *graph;
    hw_model *model;
    uint32_t *order;
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
        for (size_t i = 0; code == HW_OK && strcmp(spec, "all") == 0 && i < hw_n_allocators; i++)
            code = add_row(job, hw_allocators[i]->name, err);
        if (code == HW_OK && strcmp(spec, "all") != 0)
            code = add_row(job, spec, err);
    }
    if (code == HW_OK && job->n_rows == 0 && !job->joint)
        code = add_row(job, "exact", err);
    if (code == HW_OK && job->joint &&
        (job->n_rows > 1 || (job->n_rows && !job->rows->allocator->proves)))
        code = hw_fail(err, HW_USAGE, "--joint takes one allocator, and one that proves");
    return code;
}

static hw_code read_job(const hw_cli *c, arena_job *job, hw_error *err)
{
    hw_placement_request *request = &job->request;
    *request = (hw_placement_request){.seconds = hw_cli_has(c, "state-limit") ? 0 : DEFAULT_SECONDS,
                                      .seed = c->seed,
                                      .stop = c->stop};
    job->alignment = 1;
    job->joint = hw_cli_has(c, "joint");
    job->check_path = hw_cli_value(c, "check");
    job->order_name = hw_cli_has(c, "order") ? hw_cli_value(c, "order")
                      : job->joint           ? hw_cli_default_solver()
                                             : "source";
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
    if (code == HW_OK && job->check_path && (hw_cli_has(c, "allocator") || job->joint))
        code = hw_fail(err, HW_USAGE, "--check places nothing: leave --allocator and --joint out");
    if (code == HW_OK)
        code = read_allocators(c, job, err);
    return code == HW_OK ? hw_arena_files_read(c, &job->files, err) : code;
}

/* ---- What is placed. ---- */

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), k = strlen(ending);
    return n >= k && strcmp(text + n - k, ending) == 0;
}

static hw_code load_buffers(const hw_cli *c, arena_job *job, hw_error *err)
{
    static const char *const of_graphs[] = {"order",      "alignment", "accounting",
                                            "pin-inputs", "joint",     "order-out"};
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
    if (strcmp(c->args[0], "-") == 0 && strcmp(job->order_name, "-") == 0)
        return hw_fail(err, HW_USAGE, "standard input cannot be both graph and order");
    hw_code code = hw_cli_one_graph(c, c->args[0], &job->graph, err);
    if (code == HW_OK)
        code = hw_cli_model(job->graph, &job->memory, &job->model, err);
    if (code == HW_OK)
        code = hw_graph_hash(job->graph, job->hash, err);
    if (code != HW_OK || job->joint)
        return code;
    job->order = HW_NEW(uint32_t, job->model->n_nodes);
    code = job->order ? hw_cli_order(c, job->model, job->order_name, NULL, job->order, err)
                      : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_arena_of_order(job->model, job->order, job->alignment, &job->arena, err);
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

/* The table is out, whatever becomes of the files. */
static hw_code finish(const hw_cli *c, const arena_job *job, hw_error *err)
{
    const hw_arena_row *best = lowest(job);
    tell(c, job);
    hw_code code = hw_cli_flush(c, err);
    if (!best && (job->files.offsets || job->files.draw || job->files.order))
        hw_cli_note(c, "nothing is placed: no file is written");
    if (code != HW_OK || !best)
        return code;
    const hw_arena_shown shown = {.arena = job->arena,
                                  .placement = &best->placement,
                                  .allocator = best->spec,
                                  .order_name = job->order_name,
                                  .graph = job->graph,
                                  .order = job->order};
    return hw_arena_files_write(&job->files, &shown, err);
}

static hw_code place_or_check(hw_cli *c, arena_job *job, hw_error *err)
{
    hw_code code = job->check_path ? check_offsets(job, err) : place_all(c, job, err);
    if (code == HW_OK)
        return finish(c, job, err);
    if (code == HW_STOPPED && lowest(job)) { /* what was placed before stands */
        hw_code told = finish(c, job, err);
        return told == HW_OK ? hw_fail(err, HW_STOPPED, "stopped by a signal") : told;
    }
    if (code == HW_CHECK_FAILED)
        hw_error_prefix(err, "%s: ", hw_cli_input_name(job->check_path));
    return code;
}

static hw_code search_jointly(hw_cli *c, arena_job *job, hw_error *err)
{
    const hw_arena_row *row = job->n_rows ? job->rows : NULL;
    hw_joint_ask ask = {.order_name = job->order_name,
                        .prover = row ? row->allocator : hw_allocator_find("exact", 5),
                        .prover_params = row ? row->values : NULL,
                        .alignment = job->alignment,
                        .limits = {.states = job->request.states, .seconds = job->request.seconds},
                        .hash = job->hash};
    hw_joint_found found;
    hw_code code = hw_joint_run(c, job->model, &ask, &found, err);
    if (code != HW_OK) {
        hw_joint_found_clear(&found);
        return code;
    }
    const hw_joint *best = hw_joint_lower(&found);
    const hw_arena_shown shown = {.arena = best->arena,
                                  .placement = &best->placement,
                                  .allocator = "joint search",
                                  .order_name = "of the search",
                                  .graph = job->graph,
                                  .order = best->order};
    code = hw_arena_files_write(&job->files, &shown, err);
    hw_joint_found_clear(&found);
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
    if (code == HW_CHECK_FAILED)
        hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    if (code == HW_OK)
        code = job.joint ? search_jointly(c, &job, err) : place_or_check(c, &job, err);
    for (size_t i = 0; job.rows && i < MOST_ROWS; i++)
        hw_placement_clear(&job.rows[i].placement);
    free(job.rows);
    free(job.order);
    hw_arena_free(job.arena);
    hw_model_free(job.model);
    hw_graph_free(job.graph);
    return code;
}

static const hw_option_values values[] = {
    {"allocator", HW_VALUES_ALLOCATORS},
};

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
        "checker before it is told.\n\n"
        "With --joint the order is looked for too. Of two orders of the least peak one may "
        "fragment where the other does not, and an order of a higher peak may have a lower arena "
        "than all of them: both searches are made and told.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
