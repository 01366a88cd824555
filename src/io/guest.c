/*
 * Running a program of the user's: pipes, limits, its last words.  See guest.h.
 *
 * All pipes are served at once by poll(2), so that neither side waits for the
 * other, whatever their sizes.
 */
#define _GNU_SOURCE /* pipe2 */
#include "io/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/broken_pipe.h"
#include "core/control.h"
#include "core/memory.h"
#include "io/guest_keeper.h"
#include "io/text.h"

extern char **environ;

enum { WATCH_MS = 20, CHUNK = 1 << 16, MOST_TURNS = 32, KEPT_WORDS = 2048 };

typedef struct pipes {
    int ends[5][2]; /* input, output, words, report, lifeline: reading and writing end */
} pipes;

enum { INPUT, OUTPUT, WORDS, REPORT, LIFELINE, N_PIPES };

typedef struct visit {
    const hw_guest *guest;
    hw_guest_result *out;
    int file[N_PIPES]; /* our end of each; -1: closed */
    pid_t keeper;
    size_t sent, output_capacity;
    char words[KEPT_WORDS]; /* the end of standard error */
    size_t n_words;
    double term_at, kill_at; /* by the monotonic clock; 0: never */
    bool flooded, stopped, no_memory;
} visit;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Before. ---- */

/* The caller's variables but its own, and those given; freed by free(). */
static char **environment_of(const hw_guest *g)
{
    size_t n = 0, given = 0, kept = 0;
    while (environ[n])
        n++;
    while (g->variable[given])
        given++;
    char **list = HW_NEW(char *, n + given + 1);
    if (!list)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], g->own_prefix, strlen(g->own_prefix)) != 0)
            list[kept++] = environ[i];
    /* execve() takes char *const * for historic reasons and changes nothing. */
    memcpy((void *)(list + kept), (const void *)g->variable, (given + 1) * sizeof *list);
    return list;
}

static void close_pipes(const pipes *p, int end)
{
    for (int i = 0; i < N_PIPES; i++)
        if (p->ends[i][end] >= 0)
            (void)close(p->ends[i][end]);
}

static bool open_pipes(pipes *p)
{
    for (int i = 0; i < N_PIPES; i++)
        p->ends[i][0] = p->ends[i][1] = -1;
    for (int i = 0; i < N_PIPES; i++)
        if (pipe2(p->ends[i], O_CLOEXEC) != 0) {
            int cause = errno;
            close_pipes(p, 0);
            close_pipes(p, 1);
            errno = cause;
            return false;
        }
    return true;
}

/* Start the keeper; its pid, or -1 with errno. */
static pid_t hire(hw_keeper *keeper, pipes *p)
{
    keeper->standard[0] = p->ends[INPUT][0];
    keeper->standard[1] = p->ends[OUTPUT][1];
    keeper->standard[2] = p->ends[WORDS][1];
    keeper->report = p->ends[REPORT][1];
    keeper->lifeline = p->ends[LIFELINE][0];
    pid_t pid = fork();
    if (pid == 0)
        hw_keeper_live(keeper);
    int cause = errno;
    for (int i = 0; i < N_PIPES; i++) { /* the keeper's ends */
        bool writes = i == OUTPUT || i == WORDS || i == REPORT;
        (void)close(p->ends[i][writes]);
        p->ends[i][writes] = -1;
    }
    errno = cause;
    return pid;
}

/* ---- While it runs. ---- */

static void close_file(visit *v, int which)
{
    if (v->file[which] >= 0)
        (void)close(v->file[which]);
    v->file[which] = -1;
}

/* Its end of the lifeline, too: the program is ended by force, even if it stopped its keeper. */
static void kill_it(visit *v)
{
    close_file(v, LIFELINE);
    (void)kill(v->keeper, SIGCONT);
}

static void feed(visit *v)
{
    const hw_guest *g = v->guest;
    while (v->sent < g->n_input) {
        ssize_t n = write(v->file[INPUT], g->input + v->sent, g->n_input - v->sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n < 0) /* it has closed its input: what it knows is enough for it */
            break;
        v->sent += (size_t)n;
    }
    close_file(v, INPUT);
}

/* Take n bytes of output, or end the program that writes too much. */
static void take_output(visit *v, const char *bytes, size_t n)
{
    hw_guest_result *out = v->out;
    size_t room = v->guest->most_output - out->n_output;
    if (v->flooded || v->no_memory)
        return;
    if (n > room) {
        v->flooded = true;
        kill_it(v);
        return;
    }
    if (!hw_grow((void **)&out->output, &v->output_capacity, out->n_output + n + 1, 1)) {
        v->no_memory = true;
        kill_it(v);
        return;
    }
    memcpy(out->output + out->n_output, bytes, n);
    out->n_output += n;
}

/* Keep the end of what it says. */
static void take_words(visit *v, const char *bytes, size_t n)
{
    if (n > KEPT_WORDS) {
        bytes += n - KEPT_WORDS;
        n = KEPT_WORDS;
    }
    if (v->n_words + n > KEPT_WORDS) {
        size_t gone = v->n_words + n - KEPT_WORDS;
        memmove(v->words, v->words + gone, v->n_words - gone);
        v->n_words -= gone;
    }
    memcpy(v->words + v->n_words, bytes, n);
    v->n_words += n;
}

/* What can be read now of its output or its words; no more than a pipe can hold. */
static void drain(visit *v, int which)
{
    char bytes[CHUNK];
    for (int turn = 0; turn < MOST_TURNS && v->file[which] >= 0; turn++) {
        ssize_t n = read(v->file[which], bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (n <= 0)
            close_file(v, which);
        else if (which == OUTPUT)
            take_output(v, bytes, (size_t)n);
        else
            take_words(v, bytes, (size_t)n);
        if (n > 0 && (size_t)n < sizeof bytes)
            return;
    }
}

/* Look at clock and watch; how long poll() may wait, in milliseconds. */
static int heed_limits(visit *v)
{
    const hw_program_watch *watch = v->guest->watch;
    if (v->file[LIFELINE] < 0)
        return -1;
    if (watch && watch->over(watch->context)) {
        v->stopped = true;
        kill_it(v);
        return -1;
    }
    double left = INFINITY, time = now();
    if (v->term_at > 0 && time >= v->term_at && !v->out->out_of_time) {
        v->out->out_of_time = true;
        (void)!write(v->file[LIFELINE], "T", 1);
    }
    if (v->kill_at > 0 && time >= v->kill_at) {
        kill_it(v);
        return -1;
    }
    if (v->term_at > 0)
        left = (v->out->out_of_time ? v->kill_at : v->term_at) - time;
    if (watch && left > WATCH_MS * 1e-3)
        left = WATCH_MS * 1e-3;
    const double most = 1e6;
    return left > most ? -1 : (int)ceil(left * 1e3);
}

/* Serve the pipes until the keeper has told how it ended; false: it never will. */
static bool attend(visit *v, hw_keeper_report *report)
{
    for (;;) {
        int wait_ms = heed_limits(v);
        struct pollfd polled[] = {{.fd = v->file[REPORT], .events = POLLIN},
                                  {.fd = v->file[OUTPUT], .events = POLLIN},
                                  {.fd = v->file[WORDS], .events = POLLIN},
                                  {.fd = v->file[INPUT], .events = POLLOUT}};
        if (poll(polled, sizeof polled / sizeof *polled, wait_ms) < 0)
            continue; /* a signal: limits and watch have a look at it */
        if (polled[3].revents)
            feed(v);
        if (polled[1].revents)
            drain(v, OUTPUT);
        if (polled[2].revents)
            drain(v, WORDS);
        if (!polled[0].revents)
            continue;
        ssize_t got;
        while ((got = read(v->file[REPORT], report, sizeof *report)) < 0 && errno == EINTR)
            continue;
        return got == (ssize_t)sizeof *report;
    }
}

/* ---- After. ---- */

/* The last line that says something, control characters as '?', cut at a character. */
static void last_words(const visit *v, char text[HW_GUEST_WORDS])
{
    size_t end = v->n_words, start, n = 0;
    while (end > 0 && strchr("\n\r\t ", v->words[end - 1]) && v->words[end - 1])
        end--;
    start = end;
    while (start > 0 && v->words[start - 1] != '\n' && v->words[start - 1] != '\r')
        start--;
    for (; start < end && n + 1 < HW_GUEST_WORDS; start++)
        text[n++] = v->words[start] ? v->words[start] : '?';
    while (start < end && n > 0 && ((unsigned char)v->words[start] & 0xc0) == 0x80) {
        n--; /* the character of which a part is cut off */
        start--;
    }
    text[n] = '\0';
    if (!hw_is_utf8(text, n))
        for (char *p = text; *p; p++)
            if ((unsigned char)*p >= 0x80)
                *p = '?';
    (void)hw_control_tame(text, text, HW_GUEST_WORDS);
}

static hw_code cannot_find(const char *name, int cause, hw_error *err)
{
    if (cause == ENOMEM)
        return hw_fail_memory(err, "starting a program");
    if (strchr(name, '/') || cause != ENOENT)
        return hw_fail(err, HW_IO, "cannot start %.200s: %s", name, strerror(cause));
    if (access(name, F_OK) == 0)
        return hw_fail(err, HW_IO,
                       "cannot start %.200s: it is not in PATH; for the one here write ./%.200s",
                       name, name);
    return hw_fail(err, HW_IO, "cannot start %.200s: it is not in PATH", name);
}

/* Its file is there. */
static hw_code cannot_start(const char *name, int cause, hw_error *err)
{
    if (cause == ENOMEM)
        return hw_fail_memory(err, "starting a program");
    const char *why = cause == ENOENT
                          ? "what runs it is not there: its first line '#!...', or its loader"
                      : cause == ENOEXEC ? "it is no program, and has no first line '#!...'"
                                         : strerror(cause);
    return hw_fail(err, HW_IO, "cannot start %.200s: %s", name, why);
}

static hw_code conclude(const visit *v, const hw_keeper_report *report, hw_error *err)
{
    hw_guest_result *out = v->out;
    if (v->no_memory)
        return hw_fail_memory(err, "the output of a program");
    if (!report->started)
        return cannot_start(v->guest->argument[0], report->cause, err);
    last_words(v, out->words);
    out->cpu_seconds = report->cpu_seconds;
    out->memory_bytes = report->memory_bytes;
    bool signaled = WIFSIGNALED(report->status);
    out->end = v->stopped   ? HW_GUEST_STOPPED
               : v->flooded ? HW_GUEST_FLOODED
               : signaled   ? HW_GUEST_SIGNALED
                            : HW_GUEST_EXITED;
    out->number = signaled ? WTERMSIG(report->status) : WEXITSTATUS(report->status);
    if (!out->output)
        out->output = HW_NEW(char, 1);
    if (!out->output)
        return hw_fail_memory(err, "the output of a program");
    out->output[out->n_output] = '\0';
    return HW_OK;
}

static hw_code receive(visit *v, hw_keeper *keeper, hw_error *err)
{
    pipes p;
    hw_keeper_report report;
    if (!open_pipes(&p))
        return hw_fail(err, HW_IO, "cannot make pipes to %.200s: %s", v->guest->argument[0],
                       strerror(errno));
    double start = now();
    pid_t pid = hire(keeper, &p);
    v->keeper = pid;
    for (int i = 0; i < N_PIPES; i++) {
        v->file[i] = p.ends[i][0] >= 0 ? p.ends[i][0] : p.ends[i][1];
        if (pid > 0 && i != REPORT)
            (void)fcntl(v->file[i], F_SETFL, O_NONBLOCK);
    }
    if (v->guest->seconds > 0) {
        v->term_at = start + v->guest->seconds;
        v->kill_at = v->term_at + v->guest->grace_seconds;
    }
    hw_code code = HW_OK;
    if (pid < 0) {
        code = hw_fail(err, HW_IO, "cannot start a process for %.200s: %s: run fewer at once",
                       v->guest->argument[0], strerror(errno));
    } else if (!attend(v, &report)) {
        code = hw_fail(err, HW_IO, "lost sight of %.200s", v->guest->argument[0]);
    } else { /* what it wrote last stands in the pipes, even if others hold them open */
        drain(v, OUTPUT);
        drain(v, WORDS);
        code = conclude(v, &report, err);
    }
    for (int i = 0; i < N_PIPES; i++)
        close_file(v, i);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return code;
}

/* A program that does not read its input would end this one by SIGPIPE. */
static hw_code receive_quietly(visit *v, hw_keeper *keeper, hw_error *err)
{
    hw_broken_pipe quiet;
    hw_broken_pipe_begin(&quiet);
    hw_code code = receive(v, keeper, err);
    hw_broken_pipe_end(&quiet);
    return code;
}

hw_code hw_guest_run(const hw_guest *guest, hw_guest_result *out, hw_error *err)
{
    *out = (hw_guest_result){.number = 0};
    size_t n = 1; /* the program itself is there */
    while (guest->argument[n])
        n++;
    char *file = hw_program_in_path(guest->argument[0]);
    if (!file)
        return cannot_find(guest->argument[0], errno, err);
    char **argument = hw_copy((const void *)guest->argument, n + 1, sizeof *argument);
    char **environment = environment_of(guest);
    visit *v = HW_NEW0(visit, 1);
    hw_code code = HW_OK;
    if (argument && environment && v) {
        hw_keeper keeper = {.file = file,
                            .argument = argument,
                            .environment = environment,
                            .data_bytes = guest->memory_bytes};
        v->guest = guest;
        v->out = out;
        code = receive_quietly(v, &keeper, err);
    } else {
        code = hw_fail_memory(err, "running a program");
    }
    if (code != HW_OK) {
        free(out->output);
        out->output = NULL;
    }
    free(v);
    free((void *)environment);
    free((void *)argument);
    free(file);
    return code;
}
