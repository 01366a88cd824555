/* Taking a census by worker processes.  See census_run.h. */
#include "census/census_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/sink.h"
#include "bench/worker.h"
#include "core/memory.h"
#include "core/text_stream.h"

enum { MOST_JOBS = 256, LOOK_EVERY_MS = 200 };
static const char failure_mark = '!'; /* begins what a worker sends when it fails */

/* A process at work on one block, and what came from it so far. */
typedef struct slot {
    bool busy;
    pid_t pid;
    int pipe;
    uint32_t n;
    size_t block;
    char *text;
    size_t length, capacity;
} slot;

typedef struct crew {
    hw_census *census;
    const hw_census_options *options;
    hw_sink sink;
    bool has_file;
    uint32_t *codes; /* the list of all DAGs on n nodes */
    size_t n_dags;
    uint32_t n;
    size_t next; /* block to start */
    slot *slots;
    unsigned n_slots, n_busy;
} crew;

/* ---- In the worker. ---- */

static bool work(const crew *w, size_t block, int pipe)
{
    const hw_census *c = w->census;
    hw_error err = {0};
    char *text = NULL;
    size_t length = 0;
    hw_census_tally *tally = HW_NEW0(hw_census_tally, 1);
    FILE *out = tally ? hw_text_stream(&text, &length) : NULL;
    hw_code code = out ? HW_OK : hw_fail_memory(&err, "a block of a census");
    if (code == HW_OK)
        code = hw_census_block(&c->plan, w->n, w->codes, w->n_dags, block, c->tally[w->n],
                               hw_worker_heed_end(), tally, &err);
    if (code == HW_OK)
        hw_census_put_block(&c->plan, w->n, block, tally, out);
    if (out && fclose(out) != 0 && code == HW_OK)
        code = hw_fail_memory(&err, "a block of a census");
    bool sent;
    if (code == HW_OK) {
        sent = hw_worker_send(pipe, text, length);
    } else if (code == HW_STOPPED) {
        sent = false; /* the parent has ended it and does not listen */
    } else {
        char start[2] = {failure_mark, (char)('0' + code)};
        sent = hw_worker_send(pipe, start, 2) &&
               hw_worker_send(pipe, err.message, strlen(err.message));
    }
    free(text);
    free(tally);
    return sent;
}

/* ---- In the parent. ---- */

static hw_code start(crew *w, slot *s, size_t block, hw_error *err)
{
    pid_t pid;
    int end;
    hw_code code = hw_worker_fork(&pid, &end, err);
    if (code != HW_OK)
        return code;
    if (pid == 0) {
        _exit(work(w, block, end) ? 0 : 1); /* the parent's buffers are not this process's */
    }
    *s = (slot){.busy = true, .pid = pid, .pipe = end, .n = w->n, .block = block};
    w->n_busy++;
    return HW_OK;
}

static void release(crew *w, slot *s, bool unfinished)
{
    (void)close(s->pipe);
    if (unfinished)
        hw_worker_end(s->pid);
    while (!unfinished && waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    free(s->text);
    *s = (slot){0};
    w->n_busy--;
}

/* The line of a block: first to the file, then into what later blocks know. */
static hw_code settle(crew *w, const slot *s, hw_error *err)
{
    if (s->length >= 2 && s->text[0] == failure_mark)
        return hw_fail(err, (hw_code)(s->text[1] - '0'), "%.*s", (int)(s->length - 2), s->text + 2);
    const volatile sig_atomic_t *stop = w->options->stop;
    if (s->length == 0 && stop && *stop) /* the signal reached both */
        return hw_fail(err, HW_STOPPED, "stopped by a signal");
    if (s->length == 0 || s->text[s->length - 1] != '\n')
        return hw_fail(err, HW_INTERNAL,
                       "the process at block %zu of %" PRIu32
                       " nodes ended without an answer: was it killed, or short of memory?",
                       s->block, s->n);
    hw_code code = w->has_file ? hw_sink_write(&w->sink, s->text, s->length, err) : HW_OK;
    return code == HW_OK ? hw_census_take_block(w->census, s->text, s->length, err) : code;
}

static hw_code take_bytes(crew *w, slot *s, hw_error *err)
{
    enum { CHUNK = 1 << 16 };
    void *text = s->text;
    if (!hw_grow(&text, &s->capacity, s->length + CHUNK, 1))
        return hw_fail_memory(err, "a block of a census");
    s->text = text;
    ssize_t n = read(s->pipe, s->text + s->length, CHUNK);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN
                   ? HW_OK
                   : hw_fail(err, HW_IO, "cannot read from a worker: %s", strerror(errno));
    s->length += (size_t)n;
    if (n > 0)
        return HW_OK;
    hw_code code = settle(w, s, err);
    release(w, s, false);
    return code;
}

/* Wait a moment for any of them. */
static hw_code listen(crew *w, hw_error *err)
{
    struct pollfd end[MOST_JOBS];
    nfds_t n = 0;
    for (unsigned i = 0; i < w->n_slots; i++)
        if (w->slots[i].busy)
            end[n++] = (struct pollfd){.fd = w->slots[i].pipe, .events = POLLIN};
    int ready = poll(end, n, LOOK_EVERY_MS);
    if (ready < 0 && errno != EINTR)
        return hw_fail(err, HW_IO, "cannot wait for workers: %s", strerror(errno));
    n = 0;
    hw_code code = HW_OK;
    for (unsigned i = 0; i < w->n_slots && ready > 0 && code == HW_OK; i++)
        if (w->slots[i].busy && end[n++].revents)
            code = take_bytes(w, &w->slots[i], err);
    return code;
}

static slot *free_slot(const crew *w)
{
    for (unsigned i = 0; i < w->n_slots; i++)
        if (!w->slots[i].busy)
            return &w->slots[i];
    return NULL;
}

static hw_code fill_slots(crew *w, hw_error *err)
{
    const hw_census *c = w->census;
    hw_code code = HW_OK;
    for (; code == HW_OK && w->next < c->n_blocks[w->n]; w->next++) {
        if (c->done[w->n][w->next] || !hw_census_has_block(&c->plan, w->next))
            continue;
        slot *s = free_slot(w);
        if (!s)
            break;
        code = start(w, s, w->next, err);
    }
    return code;
}

/* All blocks of n nodes. */
static hw_code take_nodes(crew *w, hw_error *err)
{
    const hw_census_options *o = w->options;
    hw_code code = hw_dags_make(w->n, &w->codes, &w->n_dags, err);
    w->next = 0;
    while (code == HW_OK) {
        if (o->stop && *o->stop)
            code = hw_fail(err, HW_STOPPED, "stopped by a signal");
        if (code == HW_OK)
            code = fill_slots(w, err);
        if (code != HW_OK || w->n_busy == 0)
            break;
        code = listen(w, err);
        if (code == HW_OK && o->progress)
            o->progress(o->context, w->census);
    }
    for (unsigned i = 0; i < w->n_slots; i++)
        if (w->slots[i].busy) {
            release(w, &w->slots[i], true);
        }
    free(w->codes);
    w->codes = NULL;
    return code;
}

/* ---- The file. ---- */

static hw_code put_head(crew *w, hw_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = hw_text_stream(&text, &length);
    if (!out)
        return hw_fail_memory(err, "the head of a census");
    hw_census_put_head(&w->census->plan, out);
    hw_code code = fclose(out) == 0 ? hw_sink_write(&w->sink, text, length, err)
                                    : hw_fail_memory(err, "the head of a census");
    free(text);
    return code;
}

/* What the file holds, and the file itself behind its last whole line. */
static hw_code resume(crew *w, hw_error *err)
{
    const char *path = w->options->path;
    uint64_t whole = 0;
    hw_census_plan plan;
    hw_code code = hw_census_load(w->census, path, &whole, err);
    if (code == HW_OK && whole > 0)
        code = hw_census_load_plan(path, &plan, err);
    if (code != HW_OK)
        return code;
    if (whole > 0 && (plan.part != w->census->plan.part || plan.parts != w->census->plan.parts))
        return hw_fail(err, HW_USAGE,
                       "%s is part %" PRIu32 "/%" PRIu32 ": give that --part, or another file",
                       path, plan.part, plan.parts);
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0)
        return hw_fail(err, HW_IO, "%s: cannot write: %s", path, strerror(errno));
    w->sink = (hw_sink){.file = file, .name = path, .owned = true, .regular = true};
    w->has_file = true;
    if (ftruncate(file, (off_t)whole) != 0)
        return hw_fail(err, HW_IO, "%s: cannot cut it after its last whole line: %s", path,
                       strerror(errno));
    return whole == 0 ? put_head(w, err) : HW_OK;
}

static hw_code open_file(crew *w, hw_error *err)
{
    const hw_census_options *o = w->options;
    if (!o->path)
        return HW_OK;
    if (o->resume && access(o->path, F_OK) == 0)
        return resume(w, err);
    hw_code code =
        hw_sink_open(o->path, o->overwrite ? HW_SINK_OVERWRITE : HW_SINK_NEW, &w->sink, err);
    if (code != HW_OK)
        return code;
    w->has_file = true;
    return put_head(w, err);
}

hw_code hw_census_run(hw_census *c, const hw_census_options *options, hw_error *err)
{
    crew w = {.census = c, .options = options};
    w.n_slots = options->jobs < 1 ? 1 : options->jobs > MOST_JOBS ? MOST_JOBS : options->jobs;
    w.slots = HW_NEW0(slot, w.n_slots);
    hw_code code = w.slots ? open_file(&w, err) : hw_fail_memory(err, "a census");
    for (w.n = c->plan.least_nodes; code == HW_OK && w.n <= c->plan.most_nodes; w.n++)
        code = take_nodes(&w, err);
    free(w.slots);
    if (w.has_file) {
        hw_code closed = hw_sink_close(&w.sink, code == HW_OK ? err : NULL);
        code = code == HW_OK ? closed : code;
    }
    return code;
}

/* ---- The second route. ---- */

static hw_code recheck(const hw_census *c, uint32_t n, size_t solver, hw_accounting accounting,
                       const hw_census_worst *worst, hw_error *err)
{
    const char *spec = c->plan.solver[solver].spec;
    hw_goal goal;
    hw_rating rating;
    hw_genome g;
    hw_graph *graph = NULL;
    hw_code code = hw_goal_parse(spec, NULL, false, &goal, err);
    goal.accounting = accounting;
    hw_census_genome(&c->plan, n, worst, &g);
    if (code == HW_OK)
        code = hw_genome_graph(&g, NULL, NULL, &graph, err);
    if (code == HW_OK)
        code = hw_goal_rate(&goal, graph, &rating, err);
    hw_graph_free(graph);
    if (code == HW_OK && (!rating.counts || rating.peak != worst->ratio.over ||
                          rating.reference != worst->ratio.under))
        code = hw_fail(err, HW_INTERNAL,
                       "%s on graph %" PRIu32 " of %" PRIu32 " nodes, code %" PRIu32
                       ", %s: the census has %" PRIu64 "/%" PRIu64
                       ", the solver and the proof %" PRIu64 "/%" PRIu64,
                       spec, worst->dag, n, worst->code, hw_accounting_name(accounting),
                       worst->ratio.over, worst->ratio.under, rating.peak, rating.reference);
    return code;
}

hw_code hw_census_recheck(const hw_census *c, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t n = c->plan.least_nodes; n <= c->plan.most_nodes; n++)
        for (size_t s = 0; s < c->plan.n_solvers; s++)
            for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
                for (uint32_t k = 0; code == HW_OK && k < c->plan.most_size; k++) {
                    const hw_census_worst *worst = &c->tally[n]->cell[a][k][s].worst;
                    if (worst->found)
                        code = recheck(c, n, s, (hw_accounting)a, worst, err);
                }
    return code;
}
