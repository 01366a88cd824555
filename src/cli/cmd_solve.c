/* highwater solve: an order of every graph by every solver that is named. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "cli/solve_bound.h"
#include "cli/solve_files.h"
#include "cli/solve_text.h"
#include "cli/solve_then.h"
#include "cli/solve_trace.h"
#include "core/memory.h"
#include "model/check.h"
#include "solve/foreign.h"

static const hw_option options[] = {
    {"solver", "NAME[:K=V,...]", "portfolio",
     "The solver, with parameters; may be repeated.  `highwater list solvers` shows all, "
     "`highwater list solvers NAME` "
     "one at length."},
    {"start", "ORDER", NULL,
     "An order to begin with, for solvers that improve one: an order file, `source` or a solver."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    HW_OPTION_WITH_RESIDENT,
    {"budget", "BYTES", NULL,
     "Look for an order whose peak is at most BYTES (\"2GiB\"), and stop at the first."},
    {"time-limit", "SECONDS", "none", "Stop each solver after SECONDS."},
    {"state-limit", "N", "none",
     "Stop each solver after N states (see `highwater list solvers NAME`)."},
    {"memory-limit", "BYTES", "half of the machine's memory",
     "The most that a solver may take for its tables."},
    {"bound", "WORD", "auto",
     "The lower bound beside an answer that is not proven: simple, footprint, mincut (which take "
     "what they need, --time-limit at most) or auto (mincut, cut short after a fixed amount of "
     "work)."},
    {"order-out", "FILE", NULL, "Write the best order to FILE, for simulate and check."},
    {"proof", "FILE", NULL,
     "Write why no order has less, or none fits the budget, to FILE, for highwater-check; solver "
     "exact, which is the default then."},
    {"then", "OBJECTIVE", NULL,
     "Among orders of the same peak, or within --budget, take the best by area (the sum of live "
     "bytes over the steps) or by critical-path (longest remaining paths first). The limits hold "
     "for it anew."},
    {"trace", NULL, NULL, "Tell on standard error of every better order as it is found."},
    {"trace-out", "FILE", NULL,
     "Write a line of JSON to FILE for every better order or bound: ticks, seconds, best, bound; "
     "for `highwater plot --kind anytime`."},
};

static const char *const examples[] = {
    "highwater solve graph.json",
    "highwater solve graph.json --solver greedy --solver dp --accounting free-first",
    "highwater solve graph.json --solver lookahead:k=3 --budget 2MiB --json",
    "highwater gen layered --count 3 | highwater solve - --json",
    "highwater solve graph.json --order-out best.json -q && highwater check graph.json best.json",
    "highwater solve graph.json --then area",
    "highwater solve graph.json --proof graph.proof --order-out best.json -j 2",
};

enum { MOST_SOLVERS = 64 };

typedef struct chosen_solver {
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
} chosen_solver;

/* One call of the command. */
typedef struct solve_job {
    hw_memory_options memory;
    hw_limits limits;
    bool has_budget, has_then;
    hw_then then;
    uint64_t budget_bytes; /* as given */
    const char *order_path, *proof_path, *trace_path, *start_path;
    uint32_t *start; /* for the graph at hand */
    hw_solve_trace trace;
    hw_solve_bound bound;
    hw_bound_cache bounds; /* of the graph at hand */
    hw_output proof;       /* open while a solver with proof_path runs */
    chosen_solver *solvers;
    size_t n_solvers; /* 0: the default, by the size of the graph */
    uint32_t *best;   /* for order_path */
    uint64_t best_peak;
    bool has_best;
    bool has_head;    /* of the graph at hand, in text */
    hw_error refusal; /* the last one, not told yet; code HW_OK: none */
} solve_job;

/*
 * Inside the solvers the budget counts everything but the constants.  What the
 * constants do not leave cannot be a budget of theirs: every order exceeds it.
 */
static hw_code solve_within(const hw_model *m, const solve_job *job, const hw_solver_row *row,
                            hw_request *request, hw_answer *answer, hw_error *err)
{
    uint64_t resident = job->memory.with_resident ? m->resident_bytes : 0;
    request->has_budget = job->has_budget;
    if (!job->has_budget || job->budget_bytes >= resident) {
        request->budget_bytes = job->budget_bytes - (job->has_budget ? resident : 0);
        return hw_solve(m, row, request, answer, err);
    }
    memset(answer, 0, sizeof *answer);
    answer->status = HW_INFEASIBLE;
    answer->has_bound = m->legal;
    answer->bound = m->simple_bound;
    return HW_OK;
}

static void print(const hw_cli *c, solve_job *job, const hw_solved *solved)
{
    if (c->json) {
        hw_solved_json(solved, c->out);
        return;
    }
    if (!job->has_head)
        hw_solved_head(solved, c->out);
    job->has_head = true;
    hw_solved_text(solved, c->out);
}

/* The proof to its place, and what is told of it; *command, the caller's: NULL, none checks it. */
static hw_code tell_proof(const hw_cli *c, solve_job *job, hw_solved *solved, char **command,
                          hw_error *err)
{
    const hw_answer *a = solved->answer;
    bool written, checkable = false;
    hw_code code = hw_solve_end_proof(c, job->proof_path, a, &job->proof, &written, err);
    solved->has_proof = true;
    solved->proof_at_stdout = strcmp(job->proof_path, "-") == 0;
    solved->proof = written                         ? HW_PROOF_COMPLETE
                    : a->proof == HW_PROOF_COMPLETE ? HW_PROOF_CUT
                                                    : a->proof;
    if (written && !solved->proof_at_stdout)
        code = hw_solve_checkable(c->args[0], solved->hash, &checkable, err);
    if (!checkable)
        return code;
    *command = hw_solve_check_command(c->args[0], a->status == HW_OPTIMAL ? job->order_path : NULL,
                                      job->proof_path);
    solved->check_command = *command;
    return *command ? code : hw_fail_memory(err, "the command that checks a proof");
}

/* The answer with all that stands beside it: bound, proof, best order. */
static hw_code tell_answer(hw_cli *c, const hw_model *m, solve_job *job, hw_solved *solved,
                           hw_error *err)
{
    const hw_answer *a = solved->answer;
    char *command = NULL;
    hw_code proven = job->proof_path ? tell_proof(c, job, solved, &command, err) : HW_OK;
    if (proven != HW_NO_MEMORY)
        print(c, job, solved);
    free(command);
    if (job->order_path && a->has_order && (!job->has_best || a->peak < job->best_peak)) {
        memcpy(job->best, a->order, (size_t)m->n_nodes * sizeof *job->best);
        job->best_peak = a->peak;
        job->has_best = true;
    }
    if (proven != HW_OK) /* the answer is out, whatever becomes of the proof */
        return proven;
    return hw_cli_flush(c, err);
}

static hw_code run_solver(hw_cli *c, const hw_model *m, solve_job *job, const char *hash,
                          const chosen_solver *solver, hw_error *err)
{
    hw_request request = {.params = solver->values,
                          .limits = job->limits,
                          .threads = c->jobs,
                          .seed = c->seed,
                          .stop = c->stop,
                          .start = job->start,
                          .proof = job->proof.stream};
    hw_answer answer;
    hw_solved solved = {.model = m,
                        .hash = hash,
                        .row = solver->row,
                        .values = solver->values,
                        .answer = &answer,
                        .seed = c->seed,
                        .with_resident = job->memory.with_resident,
                        .has_budget = job->has_budget,
                        .budget_bytes = job->budget_bytes};
    hw_solve_trace_begin(&job->trace, m, hash, solver->row, solver->values,
                         job->memory.with_resident ? m->resident_bytes : 0, &request);
    hw_code code = solve_within(m, job, solver->row, &request, &answer, err);
    if (code == HW_OK) {
        code = hw_solve_raise(m, solver->row, &request, job->bound, &job->bounds, &answer,
                              &solved.bound, err);
        bool fits =
            answer.has_order && (!request.has_budget || answer.peak <= request.budget_bytes);
        if (code == HW_OK) /* before another order of a larger peak may take its place */
            hw_solve_trace_end(&job->trace, &answer);
        if (code == HW_OK && job->has_then && fits) {
            code = hw_then_answer(m, solver->row, &request, &answer, &job->then, err);
            solved.then = &job->then;
        }
        if (code != HW_OK)
            hw_answer_clear(&answer);
    }
    if (code != HW_OK) {
        char shown[HW_SHOWN_TEXT];
        if (code == HW_USAGE || code == HW_BAD_INPUT || hw_foreign_failed(solver->row, code))
            hw_error_prefix(err, "%s: ", hw_cli_graph_name(m->graph, shown));
        return code;
    }
    code = tell_answer(c, m, job, &solved, err);
    hw_answer_clear(&answer);
    return code;
}

/*
 * A refusal ends that run alone, and so does the failure of a program of the
 * user's; the last one is the message of the command.
 */
static hw_code pass_over(solve_job *job, const hw_solver_row *row, hw_code code, hw_error *err)
{
    if (code != HW_USAGE && !hw_foreign_failed(row, code))
        return code;
    if (job->refusal.code != HW_OK)
        hw_cli_complain(&job->refusal);
    job->refusal = *err;
    return HW_OK;
}

/* The order file appears after all solvers have run. */
static hw_code write_order(const hw_cli *c, const hw_graph *g, const solve_job *job, hw_error *err)
{
    if (job->has_best)
        return hw_solve_write_order(job->order_path, g, job->best, err);
    if (job->refusal.code != HW_OK) /* which says enough */
        return HW_OK;
    hw_cli_note(c, "no order is in hand: %s is not written", job->order_path);
    return HW_OK;
}

static hw_code solve_model(hw_cli *c, const hw_model *m, solve_job *job, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(m->graph, hash, err);
    job->has_best = job->has_head = job->bounds.filled = false;
    if (code != HW_OK || job->n_solvers) {
        for (size_t i = 0; i < job->n_solvers && code == HW_OK; i++)
            code = pass_over(job, job->solvers[i].row,
                             run_solver(c, m, job, hash, &job->solvers[i], err), err);
        return code;
    }
    chosen_solver standard;
    const char *name = job->proof_path ? hw_solve_proving_solver() : hw_cli_default_solver();
    code = hw_solver_parse(name, &standard.row, standard.values, err);
    if (code != HW_OK)
        return code;
    char shown[HW_SHOWN_TEXT];
    hw_cli_detail(c, "%s: solver %s%s", hw_cli_graph_name(m->graph, shown), name,
                  job->proof_path ? ", for a proof" : "");
    return run_solver(c, m, job, hash, &standard, err);
}

static hw_code check_start(const hw_model *m, const solve_job *job, hw_error *err)
{
    hw_check check;
    char what[256];
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                  job->start, m->n_nodes, &check, err);
    if (code != HW_OK || check.verdict == HW_ORDER_LEGAL)
        return code;
    hw_check_message(m->graph, &check, what, sizeof what);
    return hw_fail(err, HW_CHECK_FAILED, "--start %s: %s", job->start_path, what);
}

static hw_code solve_graph(hw_cli *c, const hw_graph *g, void *context, hw_error *err)
{
    solve_job *job = context;
    hw_model *m;
    hw_code code = hw_cli_model(g, &job->memory, &m, err);
    if (code != HW_OK)
        return code;
    if (job->order_path && !(job->best = HW_NEW(uint32_t, g->n_nodes)))
        code = hw_fail_memory(err, "an order");
    if (code == HW_OK && job->start_path && m->legal) {
        job->start = HW_NEW(uint32_t, g->n_nodes);
        code = job->start ? hw_cli_order(c, m, job->start_path, &job->limits, job->start, err)
                          : hw_fail_memory(err, "an order");
        if (code == HW_OK)
            code = check_start(m, job, err);
    }
    if (code == HW_OK && job->proof_path) /* before the search: what cannot be written ends it */
        code = hw_cli_open(job->proof_path, &job->proof, err);
    if (code == HW_OK)
        code = solve_model(c, m, job, err);
    if (job->proof.stream)
        hw_cli_abandon(&job->proof);
    if (code == HW_OK && job->order_path)
        code = write_order(c, g, job, err);
    free(job->best);
    free(job->start);
    job->best = job->start = NULL;
    hw_model_free(m);
    return code;
}

static hw_code read_solvers(const hw_cli *c, solve_job *job, hw_error *err)
{
    const char *spec;
    hw_code code = HW_OK;
    for (size_t cursor = 0; code == HW_OK && (spec = hw_cli_next(c, "solver", &cursor));) {
        if (job->n_solvers == MOST_SOLVERS)
            return hw_fail(err, HW_USAGE, "more than %d solvers: run the command twice",
                           (int)MOST_SOLVERS);
        chosen_solver *solver = &job->solvers[job->n_solvers];
        code = hw_solver_parse(spec, &solver->row, solver->values, err);
        if (code == HW_OK)
            job->n_solvers++;
    }
    return code;
}

/* One order and one proof: one graph, and one solver that proves. */
static hw_code check_files(const hw_cli *c, const solve_job *job, hw_error *err)
{
    if (job->order_path && c->n_args > 1)
        return hw_fail(err, HW_USAGE, "--order-out %s holds one order: give one graph",
                       job->order_path);
    if (job->proof_path && (c->n_args > 1 || job->n_solvers > 1))
        return hw_fail(err, HW_USAGE, "--proof %s holds one proof: give one %s", job->proof_path,
                       c->n_args > 1 ? "graph" : "solver");
    hw_code code = HW_OK;
    if (job->proof_path && job->n_solvers)
        code = hw_solve_can_prove(job->solvers[0].row, err);
    return code == HW_OK
               ? hw_solve_files_check(c, job->order_path, job->proof_path, job->trace_path, err)
               : code;
}

static hw_code read_job(const hw_cli *c, solve_job *job, hw_error *err)
{
    job->limits.memory_bytes = hw_cli_default_memory();
    job->has_budget = hw_cli_has(c, "budget");
    job->trace = (hw_solve_trace){.c = c, .tell = hw_cli_has(c, "trace")};
    job->trace_path = hw_cli_value(c, "trace-out");
    job->start_path = hw_cli_value(c, "start");
    job->order_path = hw_cli_value(c, "order-out");
    job->proof_path = hw_cli_value(c, "proof");
    unsigned bound = HW_SOLVE_BOUND_AUTO;
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "budget", &job->budget_bytes, err);
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &job->limits.seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &job->limits.states, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "memory-limit", &job->limits.memory_bytes, err);
    if (code == HW_OK && job->limits.memory_bytes == 0 && hw_cli_has(c, "memory-limit"))
        code = hw_fail(err, HW_USAGE, "option --memory-limit: 0 leaves nothing: give 1 or more");
    if (code == HW_OK)
        code = hw_cli_choice(c, "bound", &bound, err);
    job->bound = (hw_solve_bound)bound;
    job->has_then = hw_cli_has(c, "then");
    unsigned then = 0;
    if (code == HW_OK)
        code = hw_cli_choice(c, "then", &then, err);
    job->then.kind = (hw_second)then;
    if (code == HW_OK)
        code = read_solvers(c, job, err);
    return code == HW_OK ? check_files(c, job, err) : code;
}

/* --order-out, --proof: the file may hold one graph only, which is known at its end. */
static hw_code solve_only(hw_cli *c, solve_job *job, hw_error *err)
{
    hw_graph *g;
    hw_code code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK)
        code = solve_graph(c, g, job, err);
    hw_graph_free(g);
    return code;
}

/* All graphs, with the trace file around them. */
static hw_code solve_all(hw_cli *c, solve_job *job, hw_error *err)
{
    hw_output trace = {.stream = NULL};
    hw_code code = HW_OK;
    if (job->trace_path)
        code = hw_cli_open(job->trace_path, &trace, err);
    job->trace.file = trace.stream;
    if (code == HW_OK)
        code = job->order_path || job->proof_path
                   ? solve_only(c, job, err)
                   : hw_cli_each_graph(c, c->args, c->n_args, solve_graph, job, err);
    if (!trace.stream)
        return code;
    if (code == HW_OK || code == HW_STOPPED) { /* what was found before a signal stands */
        hw_code written = hw_cli_commit(&trace, code == HW_OK ? err : NULL);
        return code == HW_OK ? written : code;
    }
    hw_cli_abandon(&trace);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    solve_job job = {.solvers = HW_NEW(chosen_solver, MOST_SOLVERS)};
    hw_code code = job.solvers ? read_job(c, &job, err) : hw_fail_memory(err, "the solvers");
    bool random = false;
    for (size_t i = 0; i < job.n_solvers; i++)
        random = random || job.solvers[i].row->random || job.solvers[i].row->foreign;
    if (code == HW_OK && random)
        hw_cli_note(c, "seed %" PRIu64, c->seed);
    if (code == HW_OK)
        code = solve_all(c, &job, err);
    if (code == HW_OK && job.refusal.code != HW_OK) {
        c->keep_output = true;
        *err = job.refusal;
        code = job.refusal.code;
    } else if (job.refusal.code != HW_OK) {
        hw_cli_complain(&job.refusal);
    }
    free(job.solvers);
    return code;
}

static const hw_option_values values[] = {
    {"bound", HW_SOLVE_BOUND_WORDS},
    {"then", HW_THEN_WORDS},
};

const hw_command hw_command_solve = {
    .name = "solve",
    .arguments = "GRAPH...",
    .least_args = 1,
    .most_args = INT32_MAX,
    .help = "Find an order of small peak, or prove the least one.",
    .details =
        "Every order passes through an independent checker before it is printed. A graph gets "
        "one answer a solver, with --json one object a line.\n\n"
        "The status is `optimal` (no order has a smaller peak: proven), `feasible` (an order, not "
        "proven best), `infeasible` (proven: no order is legal or fits the budget), `unknown` "
        "(nothing is proven and no order that fits is in hand) or `stalled` (greedy-listing: the "
        "printed loop would never end). All are answers: the exit status is 0. A solver "
        "that does not take a graph says why, the others go on, and the exit status is 2.\n\n"
        "Beside what is not proven stands a lower bound, and who proved it: the solver, or one of "
        "the bounds of `highwater info`. Where it meets the peak the order is optimal after all. "
        "Its time is not counted in that of the solver.\n\n"
        "SIGINT, SIGTERM or SIGHUP stops the search; the best order so far is printed. A second "
        "one ends the program.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_THREADS | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
