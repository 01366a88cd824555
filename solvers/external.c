/*
 * external: a scheduler of the user's own, run as a program.
 *
 * The program gets the graph on its standard input and writes an order to its
 * standard output (highwater-external(7)).  It is one process a call.  Nothing
 * that it says is believed: the order is checked, its peak computed, a peak
 * that it claims compared.  What it does wrong is told by the codes of
 * solve/foreign.h.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "core/memory.h"
#include "core/real.h"
#include "core/text_stream.h"
#include "io/command.h"
#include "io/guest.h"
#include "io/io.h"
#include "solve/called.h"
#include "solvers/external_answer.h"

extern const hw_solver_row hw_solver_external;

enum { NAME, FORMAT, PATIENCE, COMMAND, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [NAME] = {"name", HW_PARAM_WORD, 0, HW_FOREIGN_NAME - 1, 0, NULL,
              "how tables, suites and messages call it"},
    [FORMAT] = {"format", HW_PARAM_CHOICE, 0, 1, 0, "json|line", "of the graph that it is given"},
    [PATIENCE] = {"patience", HW_PARAM_INT, 0, 1e6, 60, NULL,
                  "seconds that a call may take where no time limit is given; 0: any"},
    [COMMAND] = {"command", HW_PARAM_TEXT, 0, 512, 0, NULL,
                 "program and arguments, to the end of the text; no shell, quotes keep blanks"},
};

/* Exit statuses with a meaning: EX_TEMPFAIL, and what test suites skip by. */
enum { FOUND_NONE = 75, TAKES_NONE = 77 };

/* ---- What it is told. ---- */

enum { MOST_VARIABLES = 12, VARIABLE_BYTES = 64 };

typedef struct variables {
    char text[MOST_VARIABLES][VARIABLE_BYTES];
    const char *list[MOST_VARIABLES + 1];
    size_t n;
} variables;

static void put(variables *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(variables *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(v->text[v->n], VARIABLE_BYTES, format, args);
    va_end(args);
    v->list[v->n] = v->text[v->n];
    v->list[++v->n] = NULL;
}

static void set_variables(variables *v, const hw_model *m, const hw_request *q, double seconds,
                          uint64_t memory_bytes)
{
    v->n = 0;
    put(v, "HIGHWATER_PROTOCOL=1");
    put(v, "HIGHWATER_FORMAT=%s", q->params[FORMAT].i ? "line" : "json");
    put(v, "HIGHWATER_ACCOUNTING=%s", hw_accounting_name(m->accounting));
    put(v, "HIGHWATER_PIN_INPUTS=%s", m->pin_inputs ? "yes" : "no");
    put(v, "HIGHWATER_SEED=%" PRIu64, q->seed);
    put(v, "HIGHWATER_THREADS=%" PRIu32, q->threads ? q->threads : 1);
    if (seconds > 0)
        put(v, "HIGHWATER_TIME_LIMIT=%.9g", seconds);
    if (memory_bytes)
        put(v, "HIGHWATER_MEMORY_LIMIT=%" PRIu64, memory_bytes);
    if (q->limits.states)
        put(v, "HIGHWATER_STATE_LIMIT=%" PRIu64, q->limits.states);
    if (q->has_budget)
        put(v, "HIGHWATER_BUDGET=%" PRIu64, q->budget_bytes);
}

static hw_code graph_text(const hw_model *m, hw_format format, char **text, size_t *size,
                          hw_error *err)
{
    *text = NULL;
    FILE *out = hw_text_stream(text, size);
    if (!out)
        return hw_fail_memory(err, "the text of a graph");
    hw_code code = hw_graph_write(m->graph, format, out, err);
    if (fclose(out) != 0 || code == HW_IO) /* a stream in memory fails for want of it */
        code = hw_fail_memory(err, "the text of a graph");
    return code;
}

/* ---- What became of it. ---- */

/* The system's limit of data counts as well: a suite's memory-kill is one. */
static uint64_t memory_limit(const hw_request *q)
{
    struct rlimit data;
    uint64_t limit = q->limits.memory_bytes;
    if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY &&
        (limit == 0 || data.rlim_cur < limit))
        limit = data.rlim_cur;
    return limit;
}

/* A program that fails was short of memory if it says so, or if it had nearly all of it. */
static bool lacked_memory(const hw_guest_result *r, uint64_t limit)
{
    static const char *const say[] = {
        "MemoryError", "ut of memory",     "annot allocate memory", "OutOfMemory",
        "bad_alloc",   "memory exhausted", "memory allocation of"};
    for (size_t i = 0; i < sizeof say / sizeof *say; i++)
        if (strstr(r->words, say[i]))
            return true;
    return limit > 0 && r->memory_bytes >= limit - limit / 8;
}

/* The message of a failure, with the last words of the program. */
static hw_code say(hw_error *err, hw_code code, const hw_guest_result *r, const char *what)
{
    if (r->words[0])
        return hw_fail(err, code, "%s; it said: %s", what, r->words);
    return hw_fail(err, code, "%s", what);
}

static hw_code judge_end(const hw_guest_result *r, double seconds, uint64_t memory_bytes,
                         size_t most_output, hw_error *err)
{
    char what[160];
    bool by_signal = r->end == HW_GUEST_SIGNALED;
    if (r->end == HW_GUEST_FLOODED) {
        (void)snprintf(what, sizeof what, "not an order: more than %zu bytes of output",
                       most_output);
        return say(err, HW_CHECK_FAILED, r, what);
    }
    if (r->out_of_time) {
        (void)snprintf(what, sizeof what, "time limit: ended after %g seconds", seconds);
        return say(err, HW_LIMIT, r, what);
    }
    if (by_signal && r->number == SIGXCPU)
        return say(err, HW_LIMIT, r, "time limit: no CPU time is left");
    if (!by_signal && r->number == TAKES_NONE)
        return say(err, HW_USAGE, r, "takes no such graph");
    if (by_signal)
        (void)snprintf(what, sizeof what, "signal %d (%s)", r->number, strsignal(r->number));
    else
        (void)snprintf(what, sizeof what, "exit status %d", r->number);
    if (lacked_memory(r, memory_bytes)) {
        char longer[sizeof what + 32];
        (void)snprintf(longer, sizeof longer, "out of memory: %s", what);
        return say(err, HW_NO_MEMORY, r, longer);
    }
    return say(err, HW_CRASHED, r, what);
}

static hw_code take(const hw_model *m, const hw_guest_result *r, hw_answer *answer, hw_error *err)
{
    external_answer read = {.order = HW_NEW(uint32_t, m->n_nodes)};
    if (!read.order)
        return hw_fail_memory(err, "an order");
    hw_error why = {.code = HW_OK};
    hw_code code = external_read(m, r->output, r->n_output, &read, &why);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, read.order, read.peak);
    else
        code = say(err, code, r, why.message);
    free(read.order);
    return code;
}

/* ---- The run. ---- */

static bool is_over(void *context)
{
    const hw_request *q = context;
    return (q->stop && *q->stop) || (q->outer && hw_meter_past(q->outer));
}

static hw_code run(const hw_model *m, const hw_request *request, char *const *words,
                   const char *graph, size_t n_graph, hw_answer *answer, hw_error *err)
{
    const hw_limits *limits = &request->limits;
    hw_request asked = *request;
    const hw_program_watch watch = {is_over, &asked};
    variables v;
    hw_guest_result r;
    hw_guest guest = {
        .argument = (const char *const *)words,
        .own_prefix = "HIGHWATER_",
        .variable = v.list,
        .input = graph,
        .n_input = n_graph,
        .seconds = limits->seconds > 0 ? limits->seconds : (double)request->params[PATIENCE].i,
        .memory_bytes = limits->memory_bytes,
        .most_output = (size_t)65536 + (size_t)64 * m->n_nodes,
        .watch = &watch,
    };
    const double grace = 0.5, share = 0.1; /* it has to write what it has */
    guest.grace_seconds = grace + share * guest.seconds;
    uint64_t memory_bytes = memory_limit(request);
    hw_point point;
    hw_point_begin(&point);
    set_variables(&v, m, request, guest.seconds, memory_bytes);
    hw_point_end(&point);
    hw_code code = hw_guest_run(&guest, &r, err);
    if (code != HW_OK)
        return code;
    answer->cpu_seconds = r.cpu_seconds;
    answer->program_bytes = r.memory_bytes;
    answer->limit_reached = r.out_of_time || r.end == HW_GUEST_STOPPED;
    if (r.end == HW_GUEST_EXITED && r.number == 0)
        code = take(m, &r, answer, err);
    else if (r.end != HW_GUEST_STOPPED && !(r.end == HW_GUEST_EXITED && r.number == FOUND_NONE))
        code = judge_end(&r, guest.seconds, memory_bytes, guest.most_output, err);
    free(r.output);
    return code;
}

/* Messages begin with the name, or the beginning of the command. */
static void prefix(const hw_request *request, hw_error *err)
{
    char name[HW_FOREIGN_NAME];
    hw_error_prefix(err, "%s: ", hw_solver_short(&hw_solver_external, request->params, name));
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    char **words = NULL, *graph = NULL;
    size_t size = 0;
    hw_code code = hw_foreign_check(&hw_solver_external, request->params, err);
    if (code != HW_OK)
        return code;
    hw_meter_start(&meter, request);
    code = hw_command_split(request->params[COMMAND].text, &words, err);
    if (code == HW_OK)
        code = graph_text(m, request->params[FORMAT].i ? HW_FORMAT_LINE : HW_FORMAT_JSON, &graph,
                          &size, err);
    if (code == HW_OK)
        code = run(m, request, words, graph, size, answer, err);
    if (code != HW_OK)
        prefix(request, err);
    (void)hw_meter_count(&meter, 1);
    answer->states = meter.states;
    free(graph);
    free((void *)words);
    return code;
}

const hw_solver_row hw_solver_external = {
    .name = "external",
    .kind = HW_SOLVER_HEURISTIC,
    .foreign = true,
    .counts = "calls",
    .params = params,
    .n_params = N_PARAMS,
    .help = "a program of yours: graph on its standard input, order on its output",
    .source = "highwater-external(7)",
    .solve = solve,
};
