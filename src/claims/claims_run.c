/* Experiments in processes, as many at once as were asked for.  See claims.h. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/worker.h"
#include "claims/claims.h"
#include "core/memory.h"
#include "core/text_stream.h"

enum { MOST_JOBS = 64, LOOK_EVERY_MS = 200, CHUNK = 1 << 14 };

/* A process at work on one row, and what came from it so far. */
typedef struct slot {
    bool busy;
    pid_t pid;
    int pipe;
    size_t at; /* of the row */
    char *bytes;
    size_t length, capacity;
} slot;

typedef struct crew {
    const hw_claim_row *const *rows;
    size_t n, next, done;
    const hw_claims_options *options;
    hw_claim_finding *finding;
    slot slots[MOST_JOBS];
    unsigned n_slots, n_busy;
} crew;

/* ---- In the process. ---- */

static bool work(const hw_claim_row *row, const hw_claims_options *options, int pipe)
{
    hw_claims_options o = *options;
    hw_claim_finding finding;
    char *bytes = NULL;
    size_t length = 0;
    o.stop = hw_worker_heed_end();
    hw_claims_run_one(row, &o, &finding);
    FILE *out = hw_text_stream(&bytes, &length);
    if (!out)
        return false;
    hw_claim_finding_send(&finding, out);
    bool sent = fclose(out) == 0 && hw_worker_send(pipe, bytes, length);
    free(bytes);
    hw_claim_finding_clear(&finding);
    return sent;
}

/* ---- In the parent. ---- */

static hw_code start(crew *w, slot *s, hw_error *err)
{
    pid_t pid;
    int end;
    hw_code code = hw_worker_fork(&pid, &end, err);
    if (code != HW_OK)
        return code;
    if (pid == 0) {
        _exit(work(w->rows[w->next], w->options, end) ? 0 : 1); /* the buffers are the parent's */
    }
    *s = (slot){.busy = true, .pid = pid, .pipe = end, .at = w->next++};
    w->n_busy++;
    return HW_OK;
}

static void release(crew *w, slot *s)
{
    free(s->bytes);
    *s = (slot){0};
    w->n_busy--;
}

/* A process that told nothing has died: its claim is undecided, with why. */
static hw_code tell_death(hw_claim_finding *f, int status, hw_error *err)
{
    hw_error why = {.code = HW_OK};
    if (WIFSIGNALED(status))
        (void)hw_fail(&why, HW_INTERNAL, "its process was ended by signal %d (%s)",
                      WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)hw_fail(&why, HW_INTERNAL, "its process ended with exit status %d",
                      WEXITSTATUS(status));
    f->code = why.code;
    f->message = hw_copy(why.message, strlen(why.message) + 1, 1);
    return f->message ? HW_OK : hw_fail_memory(err, "a message");
}

static hw_code settle(crew *w, slot *s, hw_error *err)
{
    int status = 0;
    hw_claim_finding *f = &w->finding[s->at];
    (void)close(s->pipe);
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
        ;
    *f = (hw_claim_finding){.row = w->rows[s->at]};
    hw_code code = s->length > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0
                       ? hw_claim_finding_receive(s->bytes, s->length, f, err)
                       : tell_death(f, status, err);
    w->done++;
    release(w, s);
    return code;
}

static hw_code take_bytes(crew *w, slot *s, hw_error *err)
{
    void *bytes = s->bytes;
    if (!hw_grow(&bytes, &s->capacity, s->length + CHUNK, 1))
        return hw_fail_memory(err, "what an experiment found");
    s->bytes = bytes;
    ssize_t n = read(s->pipe, s->bytes + s->length, CHUNK);
    if (n > 0)
        s->length += (size_t)n;
    return n == 0 || (n < 0 && errno != EINTR) ? settle(w, s, err) : HW_OK;
}

static void tell_progress(const crew *w)
{
    char running[256] = "";
    size_t length = 0;
    if (!w->options->progress)
        return;
    for (unsigned i = 0; i < w->n_slots && length + 8 < sizeof running; i++)
        if (w->slots[i].busy)
            length += (size_t)snprintf(running + length, sizeof running - length, "%s%s",
                                       length ? " " : "", w->rows[w->slots[i].at]->id);
    w->options->progress(w->options->progress_context, w->done, running);
}

static hw_code wait_for_some(crew *w, hw_error *err)
{
    struct pollfd wait[MOST_JOBS];
    slot *who[MOST_JOBS];
    nfds_t n = 0;
    for (unsigned i = 0; i < w->n_slots; i++)
        if (w->slots[i].busy) {
            wait[n] = (struct pollfd){.fd = w->slots[i].pipe, .events = POLLIN};
            who[n++] = &w->slots[i];
        }
    int ready = poll(wait, n, LOOK_EVERY_MS);
    if (ready < 0 && errno != EINTR)
        return hw_fail(err, HW_IO, "cannot wait for the experiments: %s", strerror(errno));
    hw_code code = HW_OK;
    for (nfds_t i = 0; code == HW_OK && ready > 0 && i < n; i++)
        if (wait[i].revents)
            code = take_bytes(w, who[i], err);
    return code;
}

static hw_code step(crew *w, hw_error *err)
{
    if (w->options->stop && *w->options->stop)
        return hw_fail(err, HW_STOPPED, "stopped with %zu of %zu experiments done", w->done, w->n);
    hw_code code = HW_OK;
    for (unsigned i = 0; code == HW_OK && i < w->n_slots && w->next < w->n; i++)
        if (!w->slots[i].busy)
            code = start(w, &w->slots[i], err);
    if (code == HW_OK)
        code = wait_for_some(w, err);
    tell_progress(w);
    return code;
}

hw_code hw_claims_run(const hw_claim_row *const *rows, size_t n, const hw_claims_options *o,
                      hw_claim_finding *finding, hw_error *err)
{
    crew *w = HW_NEW0(crew, 1);
    if (!w)
        return hw_fail_memory(err, "experiments");
    *w = (crew){.rows = rows, .n = n, .options = o, .finding = finding};
    w->n_slots = o->jobs == 0 ? 1 : o->jobs > MOST_JOBS ? MOST_JOBS : o->jobs;
    for (size_t i = 0; i < n; i++)
        finding[i] = (hw_claim_finding){.row = rows[i]};
    hw_code code = HW_OK;
    while (code == HW_OK && w->done < n)
        code = step(w, err);
    for (unsigned i = 0; i < w->n_slots; i++)
        if (w->slots[i].busy) {
            (void)close(w->slots[i].pipe); /* it shall not wait for a reader */
            hw_worker_end(w->slots[i].pid);
            release(w, &w->slots[i]);
        }
    free(w);
    return code;
}
