/* The parent of a replay: starts the child, waits, takes the samples over.  See replay.h. */
#define _GNU_SOURCE /* memfd_create, MFD_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/drawing.h"
#include "replay/environment_internal.h"
#include "replay/replay_internal.h"

/* More samples than this are not kept (2 GiB). */
#define MOST_SAMPLES (UINT64_C(1) << 26)

typedef struct parent {
    const hw_replay_plan *plan;
    const hw_replay_request *request;
    hw_replay_share share;
    void *memory;
    size_t bytes;
    int file;
    FILE *complaints; /* the child's standard error */
    bool stopped;
} parent;

/* ---- The shared file. ---- */

static void fill_head(hw_replay_head *h, const hw_replay_plan *plan, const hw_replay_request *r)
{
    long page = sysconf(_SC_PAGESIZE);
    *h = (hw_replay_head){.magic = HW_REPLAY_MAGIC,
                          .n_events = plan->n_events,
                          .n_setup = plan->n_setup,
                          .n_moments = plan->n_moments,
                          .n_blocks = plan->n_blocks,
                          .height = r->height,
                          .limit = r->limit,
                          .page_bytes = page > 0 ? (uint64_t)page : 4096,
                          .way = r->way,
                          .touch = r->touch,
                          .passes = r->passes,
                          .trim = r->trim,
                          .release = r->release,
                          .huge_pages = r->huge_pages};
    if (r->preload)
        strncpy(h->preload, r->preload, sizeof h->preload - 1);
}

/* The loader parts LD_PRELOAD at blanks and colons. */
static hw_code check_preload(const char *library, hw_error *err)
{
    size_t length = strlen(library);
    if (length > 0 && length < HW_REPLAY_NAME_BYTES && strcspn(library, " :\t\n") == length)
        return HW_OK;
    return hw_fail(err, HW_USAGE,
                   "'%.300s' cannot be preloaded: give a path of less than %d characters without "
                   "blanks and colons",
                   library, HW_REPLAY_NAME_BYTES);
}

static hw_code share_plan(parent *p, hw_error *err)
{
    const hw_replay_plan *plan = p->plan;
    const hw_replay_request *r = p->request;
    hw_replay_head head;
    fill_head(&head, plan, r);
    p->bytes = hw_replay_share_lay(&head);
    if (p->bytes == 0 || head.n_moments * head.passes > MOST_SAMPLES) {
        (void)hw_fail(err, HW_USAGE,
                      "%" PRIu32 " passes of %zu moments are more samples than are kept: ask for "
                      "fewer passes",
                      r->passes, plan->n_moments);
        return HW_USAGE;
    }
    p->file = memfd_create("highwater-replay", MFD_CLOEXEC);
    if (p->file < 0 || ftruncate(p->file, (off_t)p->bytes) != 0) {
        (void)hw_fail(err, HW_IO, "cannot make the file that a replay shares: %s", strerror(errno));
        return HW_IO;
    }
    p->memory = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p->file, 0);
    if (p->memory == MAP_FAILED) {
        p->memory = NULL;
        return hw_fail_memory(err, "the file that a replay shares");
    }
    memcpy(p->memory, &head, sizeof head);
    if (!hw_replay_share_open(p->memory, p->bytes, &p->share)) {
        (void)hw_fail(err, HW_INTERNAL, "a replay does not find its own file: please report this");
        return HW_INTERNAL;
    }
    memcpy(p->share.event, plan->event, plan->n_events * sizeof *plan->event);
    for (uint32_t b = 0; r->offset && b < plan->n_blocks; b++)
        p->share.offset[b] = r->offset[b];
    return HW_OK;
}

/* ---- The child, seen from outside. ---- */

/* After the fork, where only what is safe there may be called. */
static void become(const parent *p, const char *word, char **environment)
{
    /* execve() takes char *const * for historic reasons and changes nothing. */
    char program_word[] = HW_REPLAY_CHILD_WORD, name[] = "highwater";
    char file_word[16];
    memcpy(file_word, word, sizeof file_word);
    char *argument[] = {name, program_word, file_word, NULL};
    int nothing = open("/dev/null", O_RDONLY);
    bool ready = nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(fileno(p->complaints), 1) >= 0 &&
                 dup2(fileno(p->complaints), 2) >= 0 && fcntl(p->file, F_SETFD, 0) == 0;
    if (ready)
        (void)execve(p->request->program, argument, environment);
    p->share.head->cause = errno;
    _exit(127);
}

static hw_code start(const parent *p, pid_t *child, hw_error *err)
{
    char word[16];
    hw_replay_environment e;
    hw_code code = hw_replay_environment_make(&e, p->request, err);
    if (code != HW_OK)
        return code;
    (void)snprintf(word, sizeof word, "%d", p->file);
    *child = fork();
    if (*child == 0)
        become(p, word, (char **)(void *)e.variable);
    if (*child < 0)
        code = hw_fail(err, HW_IO, "cannot start the process of a replay: %s", strerror(errno));
    hw_replay_environment_free(&e);
    return code;
}

/* A little longer each time, so that short replays are not kept waiting. */
static void rest(long *nanoseconds)
{
    enum { MOST = 20000000 };
    struct timespec pause = {.tv_nsec = *nanoseconds};
    (void)nanosleep(&pause, NULL);
    *nanoseconds = *nanoseconds * 2 > MOST ? MOST : *nanoseconds * 2;
}

static void show(const parent *p)
{
    const hw_replay_head *h = p->share.head;
    uint64_t samples = h->n_samples;
    hw_replay_progress now = {.pass = (uint32_t)(samples / p->plan->n_moments),
                              .moment = (size_t)(samples % p->plan->n_moments)};
    if (p->request->show)
        p->request->show(p->request->context, &now);
}

static hw_code wait_for(parent *p, pid_t child, int *status, hw_error *err)
{
    long wait_ns = 100000;
    for (;;) {
        pid_t ended = waitpid(child, status, p->stopped ? 0 : WNOHANG);
        if (ended == child)
            return HW_OK;
        if (ended < 0 && errno != EINTR)
            return hw_fail(err, HW_IO, "lost sight of the process of a replay: %s",
                           strerror(errno));
        if (p->stopped)
            continue;
        if (p->request->stop && *p->request->stop) {
            (void)kill(child, SIGKILL);
            p->stopped = true;
        } else {
            show(p);
            rest(&wait_ns);
        }
    }
}

/* ---- How it ended. ---- */

enum { PLACE_BYTES = 160 };

/* "at step 12 (node 7), with a block of 4096 bytes": the event at work. */
static void put_place(const parent *p, char text[PLACE_BYTES])
{
    const hw_replay_head *h = p->share.head;
    const hw_log *log = p->plan->log;
    if (h->event >= p->plan->n_events) {
        (void)snprintf(text, PLACE_BYTES, "at the end");
        return;
    }
    const hw_replay_event *e = &p->plan->event[h->event];
    int used = 0;
    if (e->step < 0)
        used = snprintf(text, PLACE_BYTES, "before step 0");
    else if (e->step >= log->n_steps)
        used = snprintf(text, PLACE_BYTES, "at the end");
    else
        used = snprintf(text, PLACE_BYTES, "at step %" PRId64 " (node %" PRIu32 ")", e->step,
                        hw_node_id(log->model->graph, log->order[e->step]));
    if (e->block != HW_NONE && used > 0 && used < PLACE_BYTES)
        (void)snprintf(text + used, (size_t)(PLACE_BYTES - used),
                       ", at a block of %" PRIu64 " bytes", p->plan->block[e->block].size);
}

/* The first line that the child complained with, "" where it did not. */
static void read_complaint(FILE *complaints, char *text, size_t size)
{
    rewind(complaints);
    if (!fgets(text, (int)size, complaints))
        text[0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static hw_code fail_ended(const parent *p, int status, hw_error *err)
{
    char place[PLACE_BYTES], complaint[300];
    int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    put_place(p, place);
    read_complaint(p->complaints, complaint, sizeof complaint);
    if (signal_number == SIGKILL)
        return hw_fail(err, HW_LIMIT,
                       "the process of the replay was killed %s, as the kernel does when memory "
                       "runs short: divide the sizes by more",
                       place);
    if (signal_number)
        return hw_fail(err, HW_IO, "the process of the replay was ended by signal %d (%s) %s%s%s",
                       signal_number, strsignal(signal_number), place, complaint[0] ? ": " : "",
                       complaint);
    if (WEXITSTATUS(status) == 127 && p->share.head->cause)
        return hw_fail(err, HW_IO, "cannot start %s: %s", p->request->program,
                       strerror(p->share.head->cause));
    return hw_fail(err, HW_IO, "the process of the replay ended with exit status %d %s%s%s",
                   WEXITSTATUS(status), place, complaint[0] ? ": " : "", complaint);
}

static hw_code fail_preload(const parent *p, hw_replay_state state, hw_error *err)
{
    const char *library = p->request->preload;
    if (state == HW_REPLAY_NO_MALLOC)
        return hw_fail(err, HW_USAGE,
                       "%.256s can be preloaded, but malloc() is still from %s: name a library "
                       "that has one",
                       library, p->share.head->served_by);
    return hw_fail(err, HW_USAGE,
                   "%.256s cannot be preloaded: install its package, or give the path of the "
                   "library",
                   library);
}

static hw_code verdict(const parent *p, int status, hw_error *err)
{
    const hw_replay_head *h = p->share.head;
    hw_replay_state state = (hw_replay_state)h->state;
    char place[PLACE_BYTES];
    put_place(p, place);
    if (p->stopped)
        return hw_fail(err, HW_STOPPED, "stopped by a signal %s", place);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail_ended(p, status, err);
    switch (state) {
    case HW_REPLAY_FINISHED:
        return HW_OK;
    case HW_REPLAY_REFUSED:
        return hw_fail(err, HW_LIMIT, "no memory %s, after %" PRIu64 " of %" PRIu64 " moments: %s",
                       place, (uint64_t)h->n_samples, h->n_moments * h->passes, strerror(h->cause));
    case HW_REPLAY_SPOILED:
        return hw_fail(err, HW_CHECK_FAILED,
                       "%s: something else was written to it while it was held", place);
    case HW_REPLAY_NOT_LOADED:
    case HW_REPLAY_NO_MALLOC:
        return fail_preload(p, state, err);
    case HW_REPLAY_NO_TRIM:
        return hw_fail(err, HW_USAGE, "there is no call to trim with in %s: leave trimming out",
                       h->served_by[0] ? h->served_by : "this allocator");
    case HW_REPLAY_NO_PROC:
        return hw_fail(err, HW_IO,
                       "/proc does not tell the memory of a process here, which a "
                       "replay needs");
    case HW_REPLAY_STARTED:
    case HW_REPLAY_RUNNING:
        break;
    }
    return hw_fail(err, HW_IO, "%s does not know how to be the process of a replay",
                   p->request->program);
}

/* ---- Altogether. ---- */

void hw_replay_result_clear(hw_replay_result *result)
{
    free(result->sample);
    *result = (hw_replay_result){0};
}

static hw_code take_samples(const parent *p, hw_replay_result *result, hw_error *err)
{
    const hw_replay_head *h = p->share.head;
    size_t n = (size_t)h->n_samples, most = p->plan->n_moments * p->request->passes;
    n = n < most ? n : most;
    result->sample = hw_copy(p->share.sample, n, sizeof *result->sample);
    if (!result->sample)
        return hw_fail_memory(err, "the samples of a replay");
    result->n_samples = n;
    result->n_moments = p->plan->n_moments;
    result->passes = p->request->passes;
    result->before = h->before;
    result->exact = h->exact;
    result->has_own = h->has_own;
    memcpy(result->served_by, h->served_by, sizeof result->served_by - 1);
    return HW_OK;
}

static hw_code run_child(parent *p, hw_replay_result *result, hw_error *err)
{
    pid_t child = -1;
    int status = 0;
    hw_code code = start(p, &child, err);
    if (code == HW_OK)
        code = wait_for(p, child, &status, err);
    if (code == HW_OK)
        code = take_samples(p, result, err);
    return code == HW_OK ? verdict(p, status, err) : code;
}

hw_code hw_replay_run(const hw_replay_plan *plan, const hw_replay_request *request,
                      hw_replay_result *result, hw_error *err)
{
    *result = (hw_replay_result){0};
    parent p = {.plan = plan, .request = request, .file = -1};
    if (getenv(HW_REPLAY_CHILD_MARK))
        return hw_fail(
            err, HW_USAGE,
            "this process was itself started to execute a replay, and did not: the main() "
            "of its program has to begin with hw_replay_child()");
    hw_code code = request->preload ? check_preload(request->preload, err) : HW_OK;
    if (code == HW_OK) {
        p.complaints = hw_drawing_scratch(err);
        code = p.complaints ? share_plan(&p, err) : HW_IO;
    }
    if (code == HW_OK)
        code = run_child(&p, result, err);
    if (p.memory)
        (void)munmap(p.memory, p.bytes);
    if (p.file >= 0)
        (void)close(p.file);
    if (p.complaints)
        (void)fclose(p.complaints);
    return code;
}
