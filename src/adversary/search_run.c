/*
 * Running a search: slots of workers, a window of finished lanes, records in
 * the order of the lanes.  See search_run.h.
 */
#include "adversary/search_run.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "adversary/search_confirm.h"
#include "adversary/search_worker.h"
#include "core/memory.h"

enum {
    WINDOW = 64, /* lanes that may be ahead of the first unwritten one */
    POLL_MS = 100
};

typedef struct run {
    const hw_search *search;
    const hw_search_options *options;
    hw_search_state *state;
    hw_store store;
    hw_lane_worker *worker;
    struct pollfd *polled;
    unsigned running;

    uint64_t evaluations;         /* of the lanes that have ended in this run */
    uint64_t planned;             /* evaluations of all lanes begun, kept ones too */
    uint64_t next, written;       /* lanes begun; in the folder, from the first on */
    hw_lane_record ahead[WINDOW]; /* lane l at l % WINDOW, finished but not written */
    bool waits[WINDOW];           /* is there one? */
    bool recorded;                /* a written lane has a graph: the best of them, */
    uint64_t recorded_lane;
    hw_find recorded_best;

    double start_seconds, shown_seconds;
} run;

/* ---- What is to be done. ---- */

/* The next lane, or false when there is none. */
static bool plan_next(run *r, hw_lane_plan *plan)
{
    const hw_search_options *o = r->options;
    uint64_t first = o->only ? o->lane : 0;
    if ((o->only && r->next > 0) || (o->evaluations && r->planned >= o->evaluations))
        return false;
    hw_search_plan(r->search, first + r->next, plan);
    if (o->evaluations && plan->limit > o->evaluations - r->planned)
        plan->limit = o->evaluations - r->planned;
    r->planned += plan->limit;
    r->next++;
    return true;
}

static bool more_to_begin(const run *r)
{
    const hw_search_options *o = r->options;
    return !(o->only && r->next > 0) && !(o->evaluations && r->planned >= o->evaluations) &&
           r->next - r->written < WINDOW;
}

/* ---- What was found. ---- */

static void count_evaluations(run *r)
{
    r->state->evaluations = r->evaluations;
    for (unsigned i = 0; r->worker && i < r->options->jobs; i++)
        if (r->worker[i].busy && !r->worker[i].done)
            r->state->evaluations += r->worker[i].used;
}

static void show(run *r, bool last)
{
    count_evaluations(r);
    r->state->seconds = hw_wall_seconds() - r->start_seconds;
    if (!r->options->progress || (!last && r->state->seconds - r->shown_seconds < 0.2))
        return;
    r->shown_seconds = r->state->seconds;
    r->options->progress(r->options->context, r->state);
}

static bool better_than_all(const run *r, const hw_find *find)
{
    return !r->state->any || hw_ratio_compare(find->rating.ratio, r->state->best.rating.ratio) > 0;
}

static void set_best(run *r, uint64_t lane, const hw_find *find)
{
    r->state->any = true;
    r->state->best = *find;
    r->state->best_lane = lane;
}

/* A lane that still runs has something better than all that is known. */
static hw_code take_find(run *r, uint64_t lane, const hw_find *find, hw_error *err)
{
    hw_graph *graph = NULL;
    if (!better_than_all(r, find))
        return HW_OK;
    hw_code code = hw_find_confirm(r->search, r->options, lane, find, &graph, err);
    if (code == HW_OK && r->options->folder)
        code = hw_store_best(&r->store, graph, err);
    if (code == HW_OK)
        set_best(r, lane, find);
    hw_graph_free(graph);
    return code;
}

/* A finished lane, all before it being written. */
static hw_code write_record(run *r, hw_lane_record *record, hw_error *err)
{
    hw_graph *graph = NULL;
    hw_code code = HW_OK;
    record->best = record->any &&
                   (!r->recorded ||
                    hw_ratio_compare(record->find.rating.ratio, r->recorded_best.rating.ratio) > 0);
    if (record->any)
        code =
            hw_find_confirm(r->search, r->options, record->plan.number, &record->find, &graph, err);
    if (code == HW_OK && r->options->folder)
        code = hw_store_add(&r->store, record, graph, err);
    if (code == HW_OK && record->best) {
        r->recorded = true;
        r->recorded_best = record->find;
        r->recorded_lane = record->plan.number;
    }
    hw_graph_free(graph);
    return code;
}

static hw_code take_done(run *r, const hw_lane_worker *w, hw_error *err)
{
    uint64_t place = w->plan.number - (r->options->only ? r->options->lane : 0);
    if (w->news.err.code != HW_OK)
        return hw_fail(err, w->news.err.code, "%s", w->news.err.message);
    r->evaluations += w->news.used;
    r->ahead[place % WINDOW] = (hw_lane_record){
        .plan = w->plan, .used = w->news.used, .any = w->news.any, .find = w->news.find};
    r->waits[place % WINDOW] = true;
    hw_code code = HW_OK;
    while (code == HW_OK && r->waits[r->written % WINDOW]) {
        r->waits[r->written % WINDOW] = false;
        code = write_record(r, &r->ahead[r->written % WINDOW], err);
        r->written += code == HW_OK;
        r->state->lanes += code == HW_OK;
    }
    return code;
}

static hw_code hear(run *r, hw_lane_worker *w, hw_error *err)
{
    hw_code code = HW_OK;
    if (!hw_lane_worker_read(w))
        return HW_OK;
    if (w->news.kind == HW_LANE_FOUND)
        code = take_find(r, w->plan.number, &w->news.find, err);
    else if (w->news.kind == HW_LANE_DONE)
        code = take_done(r, w, err);
    else if (w->news.kind == HW_LANE_DIED && !(r->options->stop && *r->options->stop))
        code = hw_fail(err, HW_INTERNAL, "lane %" PRIu64 ": %s: `%s --lane %" PRIu64 "` repeats it",
                       w->plan.number, w->news.err.message, r->options->command, w->plan.number);
    return code;
}

/* ---- The loop. ---- */

static hw_code fill_slots(run *r, hw_error *err)
{
    hw_lane_plan plan;
    for (unsigned i = 0; i < r->options->jobs && more_to_begin(r); i++) {
        if (r->worker[i].busy)
            continue;
        if (!plan_next(r, &plan))
            break;
        hw_code code = hw_lane_worker_start(&r->worker[i], r->search, &plan, err);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code listen_once(run *r, hw_error *err)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->options->jobs; i++)
        if (r->worker[i].busy)
            r->polled[n++] = (struct pollfd){.fd = r->worker[i].pipe, .events = POLLIN};
    if (poll(r->polled, n, POLL_MS) < 0 && errno != EINTR)
        return hw_fail(err, HW_IO, "cannot wait for workers: %s", strerror(errno));
    n = 0;
    for (unsigned i = 0; i < r->options->jobs; i++) {
        if (!r->worker[i].busy)
            continue;
        hw_code code = r->polled[n++].revents ? hear(r, &r->worker[i], err) : HW_OK;
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static bool any_busy(const run *r)
{
    for (unsigned i = 0; i < r->options->jobs; i++)
        if (r->worker[i].busy)
            return true;
    return false;
}

static bool is_over(const run *r)
{
    const hw_search_options *o = r->options;
    return (o->stop && *o->stop) ||
           (o->seconds > 0 && hw_wall_seconds() - r->start_seconds >= o->seconds);
}

static hw_code work(run *r, hw_error *err)
{
    hw_code code = HW_OK;
    while (code == HW_OK && !is_over(r)) {
        code = fill_slots(r, err);
        if (code != HW_OK || !any_busy(r))
            break;
        code = listen_once(r, err);
        show(r, false);
    }
    r->state->complete = code == HW_OK && !any_busy(r) && !more_to_begin(r);
    for (unsigned i = 0; i < r->options->jobs; i++)
        if (r->worker[i].busy) {
            r->evaluations += r->worker[i].done ? 0 : r->worker[i].used;
            hw_lane_worker_abandon(&r->worker[i]);
        }
    return code;
}

/* What was written is preferred to as good a find of a lane that was cut off. */
static hw_code conclude(run *r, hw_error *err)
{
    hw_graph *graph = NULL;
    hw_code code = HW_OK;
    bool ahead = r->state->any &&
                 (!r->recorded ||
                  hw_ratio_compare(r->state->best.rating.ratio, r->recorded_best.rating.ratio) > 0);
    if (ahead || !r->recorded)
        return HW_OK;
    set_best(r, r->recorded_lane, &r->recorded_best);
    if (!r->options->folder)
        return HW_OK;
    code = hw_find_graph(r->search, r->options->command, r->recorded_lane, &r->recorded_best,
                         &graph, err);
    if (code == HW_OK)
        code = hw_store_best(&r->store, graph, err);
    hw_graph_free(graph);
    return code;
}

/* ---- Going on with an earlier run. ---- */

static bool plan_kept(void *context, hw_lane_plan *plan)
{
    return plan_next(context, plan);
}

static void take_kept(void *context, const hw_lane_record *record)
{
    run *r = context;
    r->written++;
    r->state->lanes++;
    r->state->lanes_kept++;
    if (!record->best)
        return;
    r->recorded = true;
    r->recorded_best = record->find;
    r->recorded_lane = record->plan.number;
}

/* The best graph of all, which may be of a lane that was cut off. */
static hw_code load_best(run *r, hw_error *err)
{
    hw_graph *graph = NULL;
    hw_find find;
    uint64_t lane;
    hw_code code = hw_store_load_best(&r->store, &graph, err);
    if (code == HW_OK && graph) {
        code = hw_find_of_graph(r->search, graph, &lane, &find, err);
        if (code == HW_OK && find.rating.counts && better_than_all(r, &find))
            set_best(r, lane, &find);
        else if (code == HW_USAGE) {
            hw_error why = *err;
            code =
                hw_fail(err, HW_BAD_INPUT, "%s: %s: remove the file, and --resume finds it again",
                        r->store.best, why.message);
        }
    }
    hw_graph_free(graph);
    return code;
}

static hw_code read_kept(run *r, hw_error *err)
{
    hw_store_reader reader = {.plan = plan_kept, .take = take_kept, .context = r};
    hw_graph *graph = NULL;
    hw_code code = hw_store_read(&r->store, &reader, err);
    if (code == HW_OK && r->recorded) {
        code = hw_find_confirm(r->search, r->options, r->recorded_lane, &r->recorded_best, &graph,
                               err);
        if (code == HW_OK)
            set_best(r, r->recorded_lane, &r->recorded_best);
    }
    hw_graph_free(graph);
    return code == HW_OK ? load_best(r, err) : code;
}

static hw_code open_and_work(run *r, hw_error *err)
{
    const hw_search_options *o = r->options;
    hw_code code;
    r->worker = HW_NEW0(hw_lane_worker, o->jobs);
    r->polled = HW_NEW0(struct pollfd, o->jobs);
    if (!r->worker || !r->polled)
        return hw_fail_memory(err, "workers");
    if (!o->folder) {
        code = work(r, err);
        return code == HW_OK ? conclude(r, err) : code;
    }
    code = hw_store_open(&r->store, o->folder, r->search, o->command, o->resume, err);
    if (code != HW_OK)
        return code;
    code = read_kept(r, err);
    if (code == HW_OK)
        code = work(r, err);
    if (code == HW_OK)
        code = conclude(r, err);
    hw_error late;
    hw_code closed = hw_store_close(&r->store, &late);
    if (code == HW_OK && closed != HW_OK) {
        *err = late;
        code = closed;
    }
    return code;
}

hw_code hw_search_run(const hw_search *s, const hw_search_options *options, hw_search_state *out,
                      hw_error *err)
{
    *out = (hw_search_state){.any = false};
    run *r = HW_NEW0(run, 1);
    if (!r)
        return hw_fail_memory(err, "a search");
    r->search = s;
    r->options = options;
    r->state = out;
    r->start_seconds = hw_wall_seconds();
    hw_code code = open_and_work(r, err);
    show(r, true);
    free(r->worker);
    free(r->polled);
    free(r);
    return code;
}
