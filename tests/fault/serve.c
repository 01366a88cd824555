/*
 * The server.  See fault.h.
 *
 * Asked for by the environment, which runs do not see:
 *
 *   FAULT_KIND      what fails: memory, clock-late, clock-early, or a kind of calls.c
 *   FAULT_BEFORE    the folder that a run finds (a copy of it)
 *   FAULT_WORK      the folder, there already, that runs take place in
 *   FAULT_LOG       the folder, there already, for what they print
 *   FAULT_NAME      what the report calls the command
 *   FAULT_ALL       "1": all fail from the k-th on
 *   FAULT_WORKERS   "1": in the processes that the program forks, in each its k-th
 *   FAULT_STEP      every how many (1), FAULT_FIRST the first (1)
 *   FAULT_MOST      no k above it
 *   FAULT_LOOSE     "1": figures may differ between runs
 *   FAULT_NORMAL    the exit status when nothing fails (0)
 *   FAULT_STATUS    the exit status of a lack of memory (4)
 *   FAULT_KEEPS     "1": the program frees nothing at its end
 *   FAULT_SAYS      texts with | between: a success with less holds one (an answer at a limit)
 *   FAULT_GROWS     words: files that grow by lines
 *   FAULT_INTERIM   words: files that hold the best so far
 *   FAULT_SECONDS   a run that takes longer hangs (20)
 *   FAULT_SHOW      k: this run alone, with all that it prints and what it leaks
 *
 * On standard output a line a command: its name, the kind, how many runs, how
 * many of them as if nothing had failed, how many bad; below it, indented, the
 * bad runs by what is wrong (with FAULT_VERBOSE all).  Exit status 1: some were
 * bad, 98: the normal run is not the same twice.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault.h"

#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds for those that a process has started to end after it. */
#define SOON 2.0

typedef int (*main_function)(int, char **, char **);

typedef struct group {
    char *text;
    long n, first;
    bool bad;
} group;

typedef struct server {
    main_function program;
    int argc;
    char **argv, **environment;
    const char *name, *kind_name, *work, *out_path, *err_path;
    const fault_kind *kind; /* NULL: none of system calls */
    fault_shared *shared;
    fault_world before, seen_before; /* the latter as runs are judged: blurred, if loose */
    fault_rules rules;
    long seconds;
    group *groups;
    size_t n_groups;
} server;

static main_function real_main;

static const char *setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

/* The number of a setting, at least `least`; ends the process where it is none. */
static long number(const char *name, const char *otherwise, long least)
{
    const char *text = setting(name, otherwise);
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end != text && !*end && errno == 0 && value >= least && value <= INT_MAX)
        return value;
    (void)fprintf(stderr, "%s: '%s' is no number from %ld on\n", name, text, least);
    _exit(99);
}

/* ---- One run. ---- */

static void begin_run(server *s)
{
    (void)setpgid(0, 0);
    int out = open(s->out_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int err_fd = open(s->err_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    int in = open("/dev/null", O_RDONLY);
    if (out < 0 || err_fd < 0 || in < 0 || chdir(s->work) != 0)
        err(99, "a run");
    (void)dup2(in, 0);
    (void)dup2(out, 1);
    (void)dup2(err_fd, 2);
    for (int fd = 3; fd < 64; fd++)
        (void)close(fd);
    if (s->kind)
        fault_listen(s->shared, s->kind);
    fault_state = s->shared;
}

static double now_seconds(void)
{
    struct timespec now;
    (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Until the process ends; answers its calls meanwhile. */
static void attend(server *s, pid_t pid, fault_outcome *o)
{
    int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    int listener = s->kind ? fault_listener(s->shared, pid, pidfd) : -1;
    double end = now_seconds() + (double)s->seconds;
    struct pollfd ready[2] = {{.fd = pidfd, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    for (;;) {
        int left = (int)((end - now_seconds()) * 1000);
        int n = poll(ready, listener >= 0 ? 2 : 1, left > 0 ? left : 0);
        if (n == 0) {
            o->hung = true;
            (void)kill(-pid, SIGKILL);
            (void)kill(pid, SIGKILL);
            break;
        }
        if (listener >= 0 && ready[1].revents & POLLIN)
            fault_answer(s->shared, s->kind, listener, pid);
        else if (ready[0].revents)
            break;
    }
    while (waitpid(pid, &o->status, 0) < 0 && errno == EINTR)
        continue;
    /* Those that it started must be gone, or go by themselves soon; calls are answered meanwhile.
     */
    end = now_seconds();
    for (bool told = false;;) {
        int status;
        pid_t other = waitpid(-1, &status, WNOHANG);
        if (other < 0)
            break;
        if (other > 0)
            continue;
        if (listener >= 0) {
            struct pollfd call = {.fd = listener, .events = POLLIN};
            if (poll(&call, 1, 2) > 0)
                fault_answer(s->shared, s->kind, listener, pid);
        } else {
            const struct timespec pause = {.tv_nsec = 2000000};
            (void)nanosleep(&pause, NULL);
        }
        if (!told && now_seconds() > end + SOON) {
            told = true;
            o->behind = !o->hung;
            (void)kill(-pid, SIGKILL);
        }
        if (now_seconds() > end + 2 * SOON)
            break;
    }
    if (listener >= 0)
        (void)close(listener);
    (void)close(pidfd);
}

static void read_back(const char *path, fault_file *file)
{
    *file = (fault_file){0};
    FILE *in = fopen(path, "re");
    if (!in)
        err(99, "%s", path);
    (void)fseek(in, 0, SEEK_END);
    long size = ftell(in);
    rewind(in);
    file->text = malloc((size_t)size + 1);
    file->size = fread(file->text, 1, (size_t)size, in);
    file->text[file->size] = '\0';
    (void)fclose(in);
}

static void run(server *s, long at, fault_outcome *o)
{
    fault_shared *shared = s->shared;
    *o = (fault_outcome){0};
    shared->at = at;
    atomic_store(&shared->seen, 0);
    atomic_store(&shared->fired, false);
    atomic_store(&shared->live, 0);
    atomic_store(&shared->listener, -1);
    atomic_store(&shared->go, 0);
    (void)fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        err(99, "fork");
    if (pid == 0) {
        begin_run(s);
        if (shared->trace)
            fault_catch_crash();
        int status = s->program(s->argc, s->argv, s->environment);
        if (shared->trace) {
            fault_state = NULL;
            (void)fflush(NULL);
            fault_show_live();
        }
        exit(status);
    }
    attend(s, pid, o);
    o->live = atomic_load(&shared->live);
    o->seen = atomic_load(&shared->seen);
    o->fired = atomic_load(&shared->fired);
    read_back(s->out_path, &o->out);
    read_back(s->out_path, &o->said);
    read_back(s->err_path, &o->err);
    fault_world_read(s->work, &o->world);
    if (!fault_world_same(&o->world, &s->before))
        fault_world_write(s->work, &s->before);
    if (s->rules.loose) {
        fault_blur(&o->out);
        fault_blur(&o->err);
        for (size_t i = 0; i < o->world.n; i++)
            fault_blur(&o->world.file[i]);
    }
}

static void clear(fault_outcome *o)
{
    free(o->out.text);
    free(o->said.text);
    free(o->err.text);
    fault_world_clear(&o->world);
}

/* ---- All runs. ---- */

static void count(server *s, const fault_outcome *o, const char *wrong, bool normal, long at)
{
    char line[2048] = "", *text = NULL;
    if (!normal)
        fault_last_line(&o->err, line, sizeof line);
    /* Alike but for the place in a file: one group. */
    fault_file blurred = {.text = line, .size = strlen(line)};
    fault_blur(&blurred);
    if (asprintf(&text, "%s; %s %d%s%s",
                 wrong    ? wrong
                 : normal ? "as normal"
                          : "failed well",
                 WIFSIGNALED(o->status) ? "signal" : "status",
                 WIFSIGNALED(o->status) ? WTERMSIG(o->status) : WEXITSTATUS(o->status),
                 *line ? ": " : "", line) < 0)
        err(99, "no memory");
    for (size_t i = 0; i < s->n_groups; i++)
        if (strcmp(s->groups[i].text, text) == 0) {
            s->groups[i].n++;
            free(text);
            return;
        }
    s->groups = realloc(s->groups, (s->n_groups + 1) * sizeof *s->groups);
    s->groups[s->n_groups++] = (group){text, 1, at, wrong != NULL};
}

static int report(const server *s, long runs, long normal, long bad)
{
    (void)printf("%s %s %s%s: %ld runs, %ld as normal, %ld bad\n", bad ? "not ok" : "ok", s->name,
                 s->kind_name, s->shared->all ? " from then on" : "", runs, normal, bad);
    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i].bad || getenv("FAULT_VERBOSE"))
            (void)printf("    %s%ld x (first %ld) %s\n", s->groups[i].bad ? "BAD " : "",
                         s->groups[i].n, s->groups[i].first, s->groups[i].text);
    return bad > 0;
}

static int show(server *s, long at)
{
    fault_outcome o;
    s->shared->trace = true;
    run(s, at, &o);
    (void)printf("status %d, signal %d, live %ld, seen %ld%s\n--- standard output\n%s"
                 "--- standard error\n%s--- files\n",
                 WEXITSTATUS(o.status), WIFSIGNALED(o.status) ? WTERMSIG(o.status) : 0, o.live,
                 o.seen, o.hung ? ", hung" : "", o.out.text, o.err.text);
    for (size_t i = 0; i < o.world.n; i++)
        (void)printf("%s (%zu bytes)\n", o.world.file[i].path, o.world.file[i].size);
    return 0;
}

/* The same twice, or what is not; the reference in *first. */
static int normal_runs(server *s, fault_outcome *first)
{
    fault_outcome second;
    run(s, 0, first);
    run(s, 0, &second);
    const char *differs = first->status != second.status                  ? "the status"
                          : strcmp(first->out.text, second.out.text) != 0 ? "the output"
                          : !fault_same_messages(&first->err, &second.err, s->rules.loose)
                              ? "the messages"
                          : !fault_world_same(&first->world, &second.world) ? "the files"
                          : first->live != second.live                      ? "what is live"
                          : first->hung || first->behind || WIFSIGNALED(first->status) ? "the end"
                                                                                       : NULL;
    if (second.live > first->live)
        first->live = second.live;
    clear(&second);
    int wanted = (int)number("FAULT_NORMAL", "0", 0);
    if (!differs && WEXITSTATUS(first->status) == wanted)
        return 0;
    if (!differs) {
        (void)printf("not ok %s: the normal run ends with status %d, not %d: %s", s->name,
                     WEXITSTATUS(first->status), wanted, first->err.text);
        return 98;
    }
    (void)printf("not ok %s: %s of the normal run is not the same twice\n", s->name, differs);
    return 98;
}

static int serve(server *s)
{
    fault_outcome reference;
    long runs = 0, bad = 0, normal = 0;
    const char *shown = getenv("FAULT_SHOW");
    long step = number("FAULT_STEP", "1", 1);
    fault_world_write(s->work, &s->before);
    if (shown)
        return show(s, number("FAULT_SHOW", shown, 0));
    int status = normal_runs(s, &reference);
    if (status != 0)
        return status;
    bool more = true;
    long most = number("FAULT_MOST", "1000000000", 0);
    for (long at = number("FAULT_FIRST", "1", 0); more && at <= most; at += step) {
        fault_outcome o;
        run(s, at, &o);
        more = o.fired;
        if (more) {
            bool as_normal;
            const char *wrong = fault_judge(&o, &reference, &s->seen_before, &s->rules, &as_normal);
            count(s, &o, wrong, as_normal, at);
            runs++;
            normal += as_normal;
            bad += wrong != NULL;
        }
        clear(&o);
    }
    clear(&reference);
    return report(s, runs, normal, bad);
}

static int server_main(int argc, char **argv, char **environment)
{
    const char *kind = getenv("FAULT_KIND");
    if (!kind)
        return real_main(argc, argv, environment);
    server s = {.program = real_main, .argc = argc, .argv = argv, .kind_name = kind};
    s.name = setting("FAULT_NAME", "?");
    s.work = setting("FAULT_WORK", ".");
    s.seconds = number("FAULT_SECONDS", "20", 1);
    s.kind = fault_find_kind(kind);
    bool memory = strcmp(kind, "memory") == 0, late = strcmp(kind, "clock-late") == 0;
    if (!s.kind && !memory && !late && strcmp(kind, "clock-early") != 0)
        errx(99, "%s: no such kind", kind);
    s.shared =
        mmap(NULL, sizeof *s.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s.shared == MAP_FAILED)
        err(99, "mmap");
    *s.shared = (fault_shared){.all = getenv("FAULT_ALL") != NULL,
                               .depth = getenv("FAULT_WORKERS") != NULL,
                               .memory = memory,
                               .clock_step = memory || s.kind ? 0
                                             : late           ? 3600
                                                              : -1};
    s.rules = (fault_rules){.loose = getenv("FAULT_LOOSE") != NULL,
                            .memory = memory && !s.shared->depth,
                            .memory_status = (int)number("FAULT_STATUS", "4", 0),
                            .keeps = getenv("FAULT_KEEPS") != NULL,
                            .silent = s.kind && s.kind->kills,
                            .leaves = s.kind && s.kind->leaves,
                            .struck = s.shared->depth,
                            .says = setting("FAULT_SAYS", ""),
                            .interim = setting("FAULT_INTERIM", ""),
                            .grows = setting("FAULT_GROWS", "")};
    const char *log = setting("FAULT_LOG", ".");
    char *out_path, *err_path;
    if (asprintf(&out_path, "%s/out", log) < 0 || asprintf(&err_path, "%s/err", log) < 0)
        err(99, "no memory");
    s.out_path = out_path;
    s.err_path = err_path;
    fault_world_read(setting("FAULT_BEFORE", "."), &s.before);
    fault_world_read(setting("FAULT_BEFORE", "."), &s.seen_before);
    for (size_t i = 0; s.rules.loose && i < s.seen_before.n; i++)
        fault_blur(&s.seen_before.file[i]);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    const struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)unsetenv("LD_PRELOAD");
    (void)unsetenv("FAULT_KIND");
    s.environment = environ;
    fault_find_loader();
    int status = serve(&s);
    (void)fflush(NULL);
    _exit(status);
}

/* Called by the first instructions of every program; glibc gives it this name. */
int __libc_start_main(main_function program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*end)(void), void *stack)
{
    int (*real)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *);
    *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return real(server_main, argc, argv, init, fini, end, stack);
}
