/* Solving a linear program by CBC.  See cbc.h. */
#include "io/cbc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/program.h"

enum { PATH_BYTES = 512, LINE_BYTES = 512 };

/* The files of one call. */
typedef struct workplace {
    char folder[PATH_BYTES], program[PATH_BYTES + 16], solution[PATH_BYTES + 16];
    FILE *empty, *output; /* standard input and output of CBC */
} workplace;

bool hw_cbc_present(void)
{
    return hw_program_present("cbc");
}

static hw_code no_files(hw_error *err)
{
    return hw_fail(err, HW_IO, "cannot make temporary files for cbc: %s", strerror(errno));
}

static void leave(workplace *w)
{
    if (w->empty)
        (void)fclose(w->empty);
    if (w->output)
        (void)fclose(w->output);
    (void)unlink(w->program);
    (void)unlink(w->solution);
    (void)rmdir(w->folder);
}

static hw_code enter(workplace *w, hw_error *err)
{
    const char *root = getenv("TMPDIR");
    *w = (workplace){.empty = NULL};
    int n = snprintf(w->folder, sizeof w->folder, "%s/highwater-cbc-XXXXXX",
                     root && *root ? root : "/tmp");
    if (n < 0 || (size_t)n >= sizeof w->folder)
        return hw_fail(err, HW_IO, "the name in TMPDIR is too long for temporary files");
    if (!mkdtemp(w->folder))
        return no_files(err);
    (void)snprintf(w->program, sizeof w->program, "%s/program.lp", w->folder);
    (void)snprintf(w->solution, sizeof w->solution, "%s/solution.txt", w->folder);
    w->empty = tmpfile();
    w->output = tmpfile();
    if (w->empty && w->output)
        return HW_OK;
    hw_code code = no_files(err);
    leave(w);
    return code;
}

static hw_code write_program(const hw_linear *l, const workplace *w, hw_error *err)
{
    FILE *out = fopen(w->program, "we");
    if (!out)
        return no_files(err);
    hw_linear_write_lp(l, out);
    bool failed = ferror(out) != 0;
    return fclose(out) != 0 || failed ? no_files(err) : HW_OK;
}

/* The last line with words that CBC wrote. */
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

/* ---- The answer. ---- */

typedef struct by_name {
    const char *name;
    size_t column;
} by_name;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const by_name *)a)->name, ((const by_name *)b)->name);
}

/*
 * The values: lines "number name value cost", with "**" before a value that
 * breaks a bound; columns at 0 are left out.
 */
static hw_code read_values(FILE *in, const hw_linear *l, double *value, hw_error *err)
{
    by_name *names = HW_NEW(by_name, l->n_columns);
    if (!names)
        return hw_fail_memory(err, "an answer of cbc");
    for (size_t i = 0; i < l->n_columns; i++)
        names[i] = (by_name){l->column[i].name, i};
    qsort(names, l->n_columns, sizeof *names, compare_names);
    char line[LINE_BYTES];
    hw_code code = HW_OK;
    while (code == HW_OK && fgets(line, sizeof line, in)) {
        char *rest = line, *number = strtok_r(rest, " \t\n", &rest);
        if (number && strcmp(number, "**") == 0)
            number = strtok_r(NULL, " \t\n", &rest);
        char *name = strtok_r(NULL, " \t\n", &rest), *text = strtok_r(NULL, " \t\n", &rest);
        if (!number)
            continue;
        by_name key = {name, 0};
        const by_name *found =
            name && text ? bsearch(&key, names, l->n_columns, sizeof key, compare_names) : NULL;
        char *end = text;
        double x = text ? strtod(text, &end) : 0;
        if (!found || end == text || !isfinite(x))
            code = hw_fail(err, HW_IO, "cbc wrote a solution that cannot be read, at column %s",
                           name ? name : "?");
        else
            value[found->column] = x;
    }
    free(names);
    return code;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The first line, as "Optimal - objective value 12.00000000". */
static hw_code read_solution(FILE *in, const hw_linear *l, hw_cbc_answer *a, hw_error *err)
{
    char head[LINE_BYTES];
    if (!fgets(head, sizeof head, in))
        return hw_fail(err, HW_IO, "cbc wrote an empty solution");
    head[strcspn(head, "\r\n")] = '\0';
    const char *objective = strstr(head, "objective value");
    if (begins(head, "Optimal"))
        a->status = HW_CBC_OPTIMAL;
    else if (begins(head, "Infeasible") || begins(head, "Integer infeasible"))
        a->status = HW_CBC_INFEASIBLE;
    else if (begins(head, "Stopped") && !strstr(head, "no integer solution"))
        a->status = HW_CBC_FEASIBLE;
    else if (begins(head, "Stopped"))
        a->status = HW_CBC_UNKNOWN;
    else
        return hw_fail(err, HW_IO, "cbc answers '%s', which is not known here", head);
    if (a->status != HW_CBC_OPTIMAL && a->status != HW_CBC_FEASIBLE)
        return HW_OK;
    if (!objective)
        return hw_fail(err, HW_IO, "cbc answers '%s', without a value", head);
    a->objective = strtod(objective + strlen("objective value"), NULL);
    a->value = HW_NEW0(double, l->n_columns);
    if (!a->value)
        return hw_fail_memory(err, "an answer of cbc");
    hw_code code = read_values(in, l, a->value, err);
    if (code != HW_OK) {
        free(a->value);
        a->value = NULL;
    }
    return code;
}

static hw_code run(const hw_linear *l, double seconds, const workplace *w, hw_cbc_answer *a,
                   hw_error *err)
{
    char limit[32];
    int status = 0;
    (void)snprintf(limit, sizeof limit, "%g", seconds > 0 ? seconds : 1e9);
    /* The search must not stop before the gap is closed. */
    const char *const arguments[] = {"cbc",       w->program,  "-timeMode", "elapsed", "-seconds",
                                     limit,       "-ratioGap", "0",         "-solve",  "-solution",
                                     w->solution, "-quit",     NULL};
    const int files[3] = {fileno(w->empty), fileno(w->output), fileno(w->output)};
    hw_code code = write_program(l, w, err);
    if (code == HW_OK)
        code = hw_program_run(arguments, "coinor-cbc", files, &status, err);
    if (code != HW_OK)
        return code;
    FILE *in = fopen(w->solution, "re");
    if (!in || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char why[LINE_BYTES];
        if (in)
            (void)fclose(in);
        last_words(w->output, why);
        return hw_fail(err, HW_IO, "cbc failed: %s", why);
    }
    code = read_solution(in, l, a, err);
    (void)fclose(in);
    return code;
}

hw_code hw_cbc_solve(const hw_linear *l, double seconds, hw_cbc_answer *answer, hw_error *err)
{
    workplace w;
    *answer = (hw_cbc_answer){.status = HW_CBC_UNKNOWN};
    hw_code code = enter(&w, err);
    if (code != HW_OK)
        return code;
    code = run(l, seconds, &w, answer, err);
    leave(&w);
    return code;
}
