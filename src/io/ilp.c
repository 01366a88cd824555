/* Solving an integer program by another program.  See ilp.h. */
#include "io/ilp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/real.h"
#include "io/ilp_read.h"

enum { PATH_BYTES = 512, FILE_BYTES = PATH_BYTES + 16, LINE_BYTES = 512, MOST_ARGUMENTS = 20 };

static const struct {
    const char *name, *package; /* the package as a message tells it */
} programs[HW_ILP_PROGRAMS] = {
    [HW_ILP_CBC] = {"cbc", "coinor-cbc"},
    [HW_ILP_HIGHS] = {"highs", "highs, where your system has it"},
    [HW_ILP_GLPSOL] = {"glpsol", "glpk-utils"},
    [HW_ILP_SCIP] = {"scip", "scip, where your system has it"},
};

const char *hw_ilp_name(hw_ilp_program program)
{
    return programs[program].name;
}

const char *hw_ilp_package(hw_ilp_program program)
{
    return programs[program].package;
}

bool hw_ilp_present(hw_ilp_program program)
{
    return hw_program_present(programs[program].name);
}

/* ---- The files of one call. ---- */

typedef struct workplace {
    const char *program;
    char folder[PATH_BYTES], model[FILE_BYTES], solution[FILE_BYTES], options[FILE_BYTES];
    FILE *empty, *output; /* standard input and output of the program */
} workplace;

static hw_code no_files(const workplace *w, hw_error *err)
{
    return hw_fail(err, HW_IO, "cannot make temporary files for %s: %s", w->program,
                   strerror(errno));
}

static void leave(workplace *w)
{
    if (w->empty)
        (void)fclose(w->empty);
    if (w->output)
        (void)fclose(w->output);
    (void)unlink(w->model);
    (void)unlink(w->solution);
    (void)unlink(w->options);
    (void)rmdir(w->folder);
}

static hw_code enter(workplace *w, const char *program, hw_ilp_format format, hw_error *err)
{
    const char *root = getenv("TMPDIR");
    *w = (workplace){.program = program};
    int n = snprintf(w->folder, sizeof w->folder, "%s/highwater-%s-%ld-XXXXXX",
                     root && *root ? root : "/tmp", program, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof w->folder)
        return hw_fail(err, HW_IO, "the name in TMPDIR is too long for temporary files");
    if (!mkdtemp(w->folder))
        return no_files(w, err);
    (void)snprintf(w->model, sizeof w->model, "%s/model.%s", w->folder,
                   format == HW_ILP_LP ? "lp" : "mps");
    (void)snprintf(w->solution, sizeof w->solution, "%s/solution.txt", w->folder);
    (void)snprintf(w->options, sizeof w->options, "%s/options.txt", w->folder);
    w->empty = tmpfile();
    w->output = tmpfile();
    if (w->empty && w->output)
        return HW_OK;
    hw_code code = no_files(w, err);
    leave(w);
    return code;
}

static hw_code write_model(const hw_linear *l, const workplace *w, hw_ilp_format format,
                           hw_error *err)
{
    FILE *out = fopen(w->model, "we");
    if (!out)
        return no_files(w, err);
    hw_code code = HW_OK;
    if (format == HW_ILP_LP)
        hw_linear_write_lp(l, out);
    else
        code = hw_linear_write_mps(l, out, err);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return no_files(w, err);
    return code;
}

/* HiGHS takes these from a file alone. */
static hw_code write_options(const workplace *w, hw_error *err)
{
    FILE *out = fopen(w->options, "we");
    if (!out)
        return no_files(w, err);
    (void)fputs("mip_rel_gap = 0\nmip_abs_gap = 0\n", out);
    bool failed = ferror(out) != 0;
    return fclose(out) != 0 || failed ? no_files(w, err) : HW_OK;
}

/* ---- How each is called: none may stop before the gap is closed. ---- */

typedef struct call {
    const char *argument[MOST_ARGUMENTS];
    char limit[64], read[FILE_BYTES + 32], write[FILE_BYTES + 32];
} call;

/* Arguments end with NULL. */
static void lay_call(call *c, hw_ilp_program program, hw_ilp_format format, const workplace *w,
                     double seconds)
{
    const double most = 1e9, limit = seconds > 0 && seconds < most ? seconds : most;
    const char *const cbc[] = {"cbc",       w->model,    "-timeMode", "elapsed", "-seconds",
                               c->limit,    "-ratioGap", "0",         "-solve",  "-solution",
                               w->solution, "-quit",     NULL};
    const char *const highs[] = {
        "highs",          "--model_file", w->model,       "--solution_file", w->solution,
        "--options_file", w->options,     "--time_limit", c->limit,          NULL};
    const char *const glpsol[] = {"glpsol", format == HW_ILP_LP ? "--lp" : "--freemps",
                                  w->model, "--tmlim",
                                  c->limit, "--cuts",
                                  "-w",     w->solution,
                                  NULL};
    const char *const scip[] = {
        "scip", "-c",       c->read, "-c",     c->limit, "-c",   "set limits gap 0",
        "-c",   "optimize", "-c",    c->write, "-c",     "quit", NULL};
    const char *const *from = scip;
    switch (program) {
    case HW_ILP_CBC:
        (void)snprintf(c->limit, sizeof c->limit, "%g", limit);
        from = cbc;
        break;
    case HW_ILP_HIGHS:
        (void)snprintf(c->limit, sizeof c->limit, "%g", limit);
        from = highs;
        break;
    case HW_ILP_GLPSOL: /* whole seconds; the watch is more exact */
        (void)snprintf(c->limit, sizeof c->limit, "%.0f", limit < 1 ? 1 : limit);
        from = glpsol;
        break;
    case HW_ILP_SCIP:
    case HW_ILP_PROGRAMS:
        (void)snprintf(c->limit, sizeof c->limit, "set limits time %g", limit);
        (void)snprintf(c->read, sizeof c->read, "read %s", w->model);
        (void)snprintf(c->write, sizeof c->write, "write solution %s", w->solution);
        break;
    }
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        c->argument[i] = from[i];
        if (!from[i])
            break;
    }
}

/* The last line with words that the program wrote. */
static void last_words(FILE *output, char text[LINE_BYTES])
{
    char line[LINE_BYTES];
    (void)snprintf(text, LINE_BYTES, "it gave no reason");
    rewind(output);
    while (fgets(line, sizeof line, output)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")] != '\0')
            memcpy(text, line, LINE_BYTES);
    }
}

static hw_code run(hw_ilp_program program, hw_ilp_format format, const hw_linear *l, double seconds,
                   const hw_program_watch *watch, const workplace *w, hw_ilp_answer *a,
                   hw_error *err)
{
    call c;
    int status = 0;
    bool killed = false;
    lay_call(&c, program, format, w, seconds);
    const int files[3] = {fileno(w->empty), fileno(w->output), fileno(w->output)};
    hw_code code = write_model(l, w, format, err);
    if (code == HW_OK)
        code = write_options(w, err);
    if (code == HW_OK)
        code = hw_program_run_watched(c.argument, programs[program].package, files, watch, &status,
                                      &killed, err);
    if (code != HW_OK || killed)
        return code;
    FILE *in = fopen(w->solution, "re");
    if (!in || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char why[LINE_BYTES];
        if (in)
            (void)fclose(in);
        last_words(w->output, why);
        return hw_fail(err, HW_IO, "%s failed: %s", w->program, why);
    }
    code = hw_ilp_read(program, format, in, l, a, err);
    (void)fclose(in);
    return code;
}

hw_code hw_ilp_solve(hw_ilp_program program, hw_ilp_format format, const hw_linear *l,
                     double seconds, const hw_program_watch *watch, hw_ilp_answer *answer,
                     hw_error *err)
{
    workplace w;
    *answer = (hw_ilp_answer){.status = HW_ILP_UNKNOWN};
    hw_code code = enter(&w, programs[program].name, format, err);
    if (code != HW_OK)
        return code;
    hw_point point; /* in what it is told, and in what it writes */
    hw_point_begin(&point);
    code = run(program, format, l, seconds, watch, &w, answer, err);
    hw_point_end(&point);
    leave(&w);
    return code;
}
