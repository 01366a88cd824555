/* Lanes in processes.  See search_worker.h. */
#include "adversary/search_worker.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/worker.h"

/* ---- In the worker. ---- */

/* A parent that is gone shows in the next write, which ends the process. */
static void send_news(int pipe, const hw_lane_news *news)
{
    if (!hw_worker_send(pipe, news, sizeof *news))
        _exit(1);
}

typedef struct voice {
    int pipe;
    hw_lane_news news;
} voice;

static void tell_found(void *context, const hw_find *find)
{
    voice *v = context;
    v->news =
        (hw_lane_news){.kind = HW_LANE_FOUND, .any = true, .used = find->evaluation, .find = *find};
    send_news(v->pipe, &v->news);
}

static void tell_tick(void *context, uint64_t used)
{
    voice *v = context;
    v->news = (hw_lane_news){.kind = HW_LANE_TICK, .used = used};
    send_news(v->pipe, &v->news);
}

static void work(const hw_search *search, const hw_lane_plan *plan, int pipe)
{
    voice v = {.pipe = pipe};
    hw_search stoppable = *search;
    stoppable.goal.stop = hw_worker_heed_end();
    hw_lane_listener listener = {.found = tell_found, .tick = tell_tick, .context = &v};
    hw_lane_news done = {.kind = HW_LANE_DONE};
    hw_error err = {.code = HW_OK};
    hw_code code =
        hw_lane_run(&stoppable, plan, &listener, &done.find, &done.any, &done.used, &err);
    if (code == HW_STOPPED)
        return;
    done.err = err;
    done.err.code = code;
    send_news(pipe, &done);
}

hw_code hw_lane_worker_start(hw_lane_worker *w, const hw_search *s, const hw_lane_plan *plan,
                             hw_error *err)
{
    pid_t pid;
    int end;
    hw_code code = hw_worker_fork(&pid, &end, err);
    if (code != HW_OK)
        return code;
    if (pid == 0) {
        work(s, plan, end);
        _exit(0); /* the parent's buffers and handlers are not this process's */
    }
    *w = (hw_lane_worker){.busy = true, .plan = *plan, .pid = pid, .pipe = end};
    return HW_OK;
}

/* ---- In the parent. ---- */

static int reap(const hw_lane_worker *w)
{
    int status = 0;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* The pipe has ended: with its outcome read, or the process has died. */
static bool bury(hw_lane_worker *w)
{
    (void)close(w->pipe);
    int status = reap(w);
    w->busy = false;
    if (w->done)
        return false;
    w->news = (hw_lane_news){.kind = HW_LANE_DIED, .used = w->used};
    if (WIFSIGNALED(status))
        (void)hw_fail(&w->news.err, HW_INTERNAL, "its process was ended by signal %d (%s)",
                      WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)hw_fail(&w->news.err, HW_INTERNAL, "its process ended with exit status %d",
                      WEXITSTATUS(status));
    return true;
}

bool hw_lane_worker_read(hw_lane_worker *w)
{
    unsigned char *bytes = (unsigned char *)&w->news;
    if (w->filled == sizeof w->news)
        w->filled = 0;
    ssize_t n = read(w->pipe, bytes + w->filled, sizeof w->news - w->filled);
    if (n < 0 && errno == EINTR)
        return false;
    if (n <= 0)
        return bury(w);
    w->filled += (size_t)n;
    if (w->filled < sizeof w->news)
        return false;
    w->used = w->news.used;
    w->done = w->news.kind == HW_LANE_DONE;
    return true;
}

void hw_lane_worker_abandon(hw_lane_worker *w)
{
    (void)close(w->pipe); /* it shall not wait for a reader */
    hw_worker_end(w->pid);
    w->busy = false;
}
