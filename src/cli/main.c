/*
 * The program highwater: choose a command, run it, turn its code into an exit
 * status.  See cli.h.
 *
 * A first SIGINT, SIGTERM or SIGHUP asks the command to stop: solvers then answer with
 * the best that is in hand.  A second one ends the program at once.  SIGPIPE and
 * SIGXFSZ are ignored, so that a closed pipe and a file that may not grow are failed writes like
 * any other.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "cli/cli.h"
#include "io/igraph_late.h"
#include "replay/replay.h"

static volatile sig_atomic_t stop_flag;

static struct timespec first_signal; /* touched by the handler alone */

/*
 * timeout(1) and others signal a process and then its whole group: what comes
 * at once after the first signal is no second wish.
 */
static bool is_echo(void)
{
    enum { ECHO_MS = 200 };
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - first_signal.tv_sec) * 1000 +
               (now.tv_nsec - first_signal.tv_nsec) / 1000000 <
           ECHO_MS;
}

static void on_signal(int number)
{
    if (stop_flag) {
        if (is_echo())
            return;
        hw_cli_remove_unfinished();
        (void)signal(number, SIG_DFL);
        (void)raise(number);
        return;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &first_signal);
    stop_flag = 1;
}

static void install_signals(void)
{
    struct sigaction action, hangup;
    memset(&action, 0, sizeof action);
    (void)sigemptyset(&action.sa_mask);
    /* One at a time.  No SA_RESTART: a read that waits for a pipe must end. */
    (void)sigaddset(&action.sa_mask, SIGINT);
    (void)sigaddset(&action.sa_mask, SIGTERM);
    (void)sigaddset(&action.sa_mask, SIGHUP);
    action.sa_handler = on_signal;
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* no nohup(1) */
        (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL);
}

static void print_versions(FILE *out)
{
    const char *igraph = NULL;
    if (hw_igraph_load(NULL) == HW_OK)
        (void)igraph_version(&igraph, NULL, NULL, NULL);
    (void)fprintf(out, "highwater %s\nigraph %s\nGSL %s\njansson %s\ncompiler %s\n", HW_VERSION,
                  igraph ? igraph : "cannot be loaded", gsl_version, jansson_version_str(),
                  hw_compiler_name());
}

static const hw_command *find_command(const char *name, hw_error *err)
{
    enum { MOST_COMMANDS = 64 };
    const char *names[MOST_COMMANDS];
    size_t n = 0;
    for (size_t i = 0; i < hw_n_commands; i++) {
        if (strcmp(hw_commands[i]->name, name) == 0)
            return hw_commands[i];
        if (n < MOST_COMMANDS)
            names[n++] = hw_commands[i]->name;
    }
    const char *near = hw_nearest_name(name, names, n);
    (void)hw_fail(err, HW_USAGE, "no command is named '%s'%s%s%s `highwater --help` shows all",
                  name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":");
    return NULL;
}

/* Flush and check standard output. */
static hw_code finish_stdout(hw_error *err)
{
    hw_output standard = {.stream = stdout};
    return hw_output_commit(&standard, err);
}

static hw_code run_command(hw_cli *c, hw_error *err)
{
    size_t arg = c->command->output_arg;
    if (arg && c->n_args > arg) {
        if (c->output_path)
            return hw_fail(err, HW_USAGE, "both '%s' and -o %s name the output: give one",
                           c->args[arg], c->output_path);
        c->output_path = c->args[arg];
    }
    bool to_file = (c->command->common & HW_CLI_OUTPUT) && c->output_path;
    if (to_file) {
        hw_code code = hw_cli_open(c->output_path, &c->output, err);
        if (code != HW_OK)
            return code;
        c->out = c->output.stream;
    }
    hw_code code = c->command->run(c, err);
    if (to_file) {
        hw_error late;
        hw_code committed = HW_OK;
        if (code == HW_OK || (c->keep_output && (code == HW_CHECK_FAILED || code == HW_USAGE)))
            committed = hw_cli_commit(&c->output, &late);
        else
            hw_cli_abandon(&c->output);
        if (committed != HW_OK) {
            code = committed;
            *err = late;
        }
    }
    /* A write that a signal cut short is no fault of the file. */
    if (code == HW_IO && stop_flag)
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    return code;
}

/* argv[0] is the command. */
static hw_code run_words(int argc, char **argv, hw_error *err)
{
    const hw_command *command = find_command(argv[0], err);
    if (!command)
        return HW_USAGE;
    hw_cli c;
    hw_code code = hw_cli_read(&c, command, argc - 1, argv + 1, err);
    c.stop = &stop_flag;
    if (code == HW_OK && c.help)
        hw_cli_help(&c, stdout);
    else if (code == HW_OK)
        code = run_command(&c, err);
    hw_cli_clear(&c);
    return code;
}

static hw_code run_program(int argc, char **argv, hw_error *err)
{
    if (strcmp(argv[1], "--version") == 0) {
        print_versions(stdout);
        return HW_OK;
    }
    bool help_word = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help_word && argc == 2)) {
        hw_cli_help(NULL, stdout);
        return HW_OK;
    }
    if (help_word) {
        char help[] = "--help";
        char *words[] = {argv[2], help};
        return run_words(2, words, err);
    }
    if (argv[1][0] == '-')
        return hw_fail(err, HW_USAGE,
                       "'%s' stands where a command should: highwater COMMAND [OPTION]...; "
                       "`highwater --help` shows all",
                       argv[1]);
    return run_words(argc - 1, argv + 1, err);
}

int main(int argc, char **argv)
{
    int status;
    if (hw_replay_child(argc, argv, &status))
        return status;
    install_signals();
    (void)gsl_set_error_handler_off();
    if (argc < 2) {
        hw_cli_short_help(stderr);
        return hw_exit_status(HW_USAGE);
    }
    hw_error err = {.code = HW_OK};
    hw_code code = run_program(argc, argv, &err);
    hw_error late = {.code = HW_OK};
    hw_code flushed = finish_stdout(&late);
    if (flushed != HW_OK && (code == HW_OK || code == HW_CHECK_FAILED)) {
        code = flushed;
        err = late;
    }
    if (code != HW_OK && err.message[0])
        hw_cli_complain(&err);
    return hw_exit_status(code);
}
