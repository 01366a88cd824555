/*
 * The solution files of CBC, HiGHS, GLPK and SCIP.  See ilp_read.h.
 *
 *   CBC     "Optimal - objective value 12.0", then lines "number name value
 *           cost", "**" before those that break a bound; columns at 0 left out
 *   HiGHS   "Model status", "Optimal", ..., "# Primal solution values",
 *           "Feasible", "Objective 12", "# Columns 3", then lines "name value"
 *           up to "# Rows 2"
 *   GLPK    lines "c ...", "s mip ROWS COLUMNS o 12", "i ROW value", "j COLUMN
 *           value", "e o f"; columns by number
 *   SCIP    "solution status: optimal solution found", "objective value: 12",
 *           then lines "name value (obj:1)"; columns at 0 left out
 */
#include "io/ilp_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { LINE_BYTES = 512 };

/* ---- Columns by name. ---- */

typedef struct by_name {
    const char *name;
    size_t column;
} by_name;

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const by_name *)a)->name, ((const by_name *)b)->name);
}

typedef struct reading {
    const char *program;
    FILE *in;
    const hw_linear *l;
    hw_ilp_answer *answer;
    by_name *names;
    size_t *place; /* of GLPK: the column of each of its numbers, less one */
    char line[LINE_BYTES];
    hw_error *err;
} reading;

static bool next_line(reading *r)
{
    if (!fgets(r->line, sizeof r->line, r->in))
        return false;
    r->line[strcspn(r->line, "\r\n")] = '\0';
    return true;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static hw_code unknown(const reading *r, const char *what)
{
    return hw_fail(r->err, HW_IO, "%s answers '%s', which is not known here", r->program, what);
}

static hw_code bad_column(const reading *r, const char *name)
{
    return hw_fail(r->err, HW_IO, "%s wrote a solution that cannot be read, at column %s",
                   r->program, name ? name : "?");
}

/* A finite number that is the whole of `text`, which may be NULL. */
static bool number(const char *text, double *value)
{
    char *end;
    if (!text)
        return false;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static hw_code need_values(reading *r)
{
    r->answer->value = HW_NEW0(double, r->l->n_columns);
    return r->answer->value ? HW_OK : hw_fail_memory(r->err, "an answer");
}

static hw_code set_value(reading *r, const char *name, const char *text)
{
    double x;
    by_name key = {name, 0};
    const by_name *found =
        name ? bsearch(&key, r->names, r->l->n_columns, sizeof key, compare_names) : NULL;
    if (!found || !number(text, &x))
        return bad_column(r, name);
    r->answer->value[found->column] = x;
    return HW_OK;
}

/* ---- One reader a program. ---- */

static hw_code read_cbc(reading *r)
{
    hw_ilp_answer *a = r->answer;
    if (!next_line(r))
        return hw_fail(r->err, HW_IO, "cbc wrote an empty solution");
    const char *objective = strstr(r->line, "objective value");
    if (begins(r->line, "Optimal"))
        a->status = HW_ILP_OPTIMAL;
    else if (begins(r->line, "Infeasible") || begins(r->line, "Integer infeasible"))
        a->status = HW_ILP_INFEASIBLE;
    else if (begins(r->line, "Stopped") && !strstr(r->line, "no integer solution"))
        a->status = HW_ILP_FEASIBLE;
    else if (begins(r->line, "Stopped"))
        a->status = HW_ILP_UNKNOWN;
    else
        return unknown(r, r->line);
    if (a->status == HW_ILP_INFEASIBLE || a->status == HW_ILP_UNKNOWN)
        return HW_OK;
    if (!objective)
        return hw_fail(r->err, HW_IO, "cbc answers '%s', without a value", r->line);
    a->objective = strtod(objective + strlen("objective value"), NULL);
    hw_code code = need_values(r);
    while (code == HW_OK && next_line(r)) {
        char *rest = r->line, *first = strtok_r(rest, " \t", &rest);
        if (first && strcmp(first, "**") == 0)
            first = strtok_r(NULL, " \t", &rest);
        if (!first)
            continue;
        char *name = strtok_r(NULL, " \t", &rest), *text = strtok_r(NULL, " \t", &rest);
        code = set_value(r, name, text);
    }
    return code;
}

/* Skip to the line after one that begins so. */
static bool skip_to(reading *r, const char *with)
{
    while (next_line(r))
        if (begins(r->line, with))
            return true;
    return false;
}

static hw_code read_highs(reading *r)
{
    hw_ilp_answer *a = r->answer;
    if (!skip_to(r, "Model status") || !next_line(r))
        return hw_fail(r->err, HW_IO, "highs wrote an empty solution");
    if (begins(r->line, "Infeasible")) {
        a->status = HW_ILP_INFEASIBLE;
        return HW_OK;
    }
    bool optimal = strcmp(r->line, "Optimal") == 0;
    if (!optimal && !strstr(r->line, "limit") && !strstr(r->line, "Interrupted"))
        return unknown(r, r->line);
    a->status = HW_ILP_UNKNOWN;
    if (!skip_to(r, "# Primal solution values") || !next_line(r) || !begins(r->line, "Feasible"))
        return optimal ? hw_fail(r->err, HW_IO, "highs answers 'Optimal', without values") : HW_OK;
    if (!next_line(r) || !begins(r->line, "Objective ") ||
        !number(r->line + strlen("Objective "), &a->objective))
        return hw_fail(r->err, HW_IO, "highs answers '%s' where the objective should stand",
                       r->line);
    if (!skip_to(r, "# Columns"))
        return bad_column(r, NULL);
    hw_code code = need_values(r);
    while (code == HW_OK && next_line(r) && r->line[0] != '#' && r->line[0] != '\0') {
        char *rest = r->line, *name = strtok_r(rest, " \t", &rest);
        code = set_value(r, name, strtok_r(NULL, " \t", &rest));
    }
    a->status = optimal ? HW_ILP_OPTIMAL : HW_ILP_FEASIBLE;
    return code;
}

/* "s mip ROWS COLUMNS STATUS OBJECTIVE" */
static hw_code read_glpk_head(reading *r)
{
    hw_ilp_answer *a = r->answer;
    char *rest = r->line, *word = NULL;
    for (int i = 0; i < 5; i++)
        word = strtok_r(i ? NULL : rest, " ", &rest);
    char status = word ? word[0] : '?';
    if (status == 'o')
        a->status = HW_ILP_OPTIMAL;
    else if (status == 'f')
        a->status = HW_ILP_FEASIBLE;
    else if (status == 'n')
        a->status = HW_ILP_INFEASIBLE;
    else if (status == 'u')
        a->status = HW_ILP_UNKNOWN;
    else
        return unknown(r, word ? word : "s");
    if (!number(strtok_r(NULL, " ", &rest), &a->objective))
        return hw_fail(r->err, HW_IO, "glpsol answers without a value");
    return HW_OK;
}

static hw_code read_glpk(reading *r)
{
    hw_ilp_answer *a = r->answer;
    hw_code code = skip_to(r, "s mip") ? read_glpk_head(r)
                                       : hw_fail(r->err, HW_IO, "glpsol wrote an empty solution");
    if (code != HW_OK || (a->status != HW_ILP_OPTIMAL && a->status != HW_ILP_FEASIBLE))
        return code;
    code = need_values(r);
    while (code == HW_OK && next_line(r)) {
        if (!begins(r->line, "j "))
            continue;
        char *rest = r->line + 2, *name = strtok_r(rest, " ", &rest);
        double at = 0, x;
        if (!number(name, &at) || at < 1 || at > (double)r->l->n_columns ||
            !number(strtok_r(NULL, " ", &rest), &x))
            return bad_column(r, name);
        a->value[r->place[(size_t)at - 1]] = x;
    }
    return code;
}

static hw_code read_scip(reading *r)
{
    static const char status[] = "solution status:", value[] = "objective value:";
    hw_ilp_answer *a = r->answer;
    if (!skip_to(r, status))
        return hw_fail(r->err, HW_IO, "scip wrote an empty solution");
    const char *what = r->line + strlen(status);
    what += strspn(what, " ");
    bool optimal = begins(what, "optimal");
    if (begins(what, "infeasible")) {
        a->status = HW_ILP_INFEASIBLE;
        return HW_OK;
    }
    if (!optimal && !strstr(what, "limit") && !strstr(what, "interrupt"))
        return unknown(r, what);
    if (!next_line(r) || !begins(r->line, value)) { /* "no solution available" */
        a->status = HW_ILP_UNKNOWN;
        return optimal ? hw_fail(r->err, HW_IO, "scip answers 'optimal', without values") : HW_OK;
    }
    const char *text = r->line + strlen(value);
    if (!number(text + strspn(text, " "), &a->objective))
        return hw_fail(r->err, HW_IO, "scip answers '%s', without a value", r->line);
    a->status = optimal ? HW_ILP_OPTIMAL : HW_ILP_FEASIBLE;
    hw_code code = need_values(r);
    while (code == HW_OK && next_line(r)) {
        char *rest = r->line, *name = strtok_r(rest, " \t", &rest);
        if (name)
            code = set_value(r, name, strtok_r(NULL, " \t", &rest));
    }
    return code;
}

/* The numbers that GLPK gives to the columns. */
static bool number_columns(reading *r, hw_ilp_format format)
{
    bool *seen = HW_NEW(bool, r->l->n_columns);
    r->place = HW_NEW(size_t, r->l->n_columns);
    bool made = seen && r->place;
    if (made && format == HW_ILP_LP)
        hw_linear_lp_order(r->l, r->place, seen);
    for (size_t i = 0; made && format == HW_ILP_MPS && i < r->l->n_columns; i++)
        r->place[i] = i;
    free(seen);
    return made;
}

hw_code hw_ilp_read(hw_ilp_program program, hw_ilp_format format, FILE *in, const hw_linear *l,
                    hw_ilp_answer *answer, hw_error *err)
{
    static hw_code (*const readers[HW_ILP_PROGRAMS])(reading *) = {
        [HW_ILP_CBC] = read_cbc,
        [HW_ILP_HIGHS] = read_highs,
        [HW_ILP_GLPSOL] = read_glpk,
        [HW_ILP_SCIP] = read_scip,
    };
    reading r = {.program = hw_ilp_name(program), .in = in, .l = l, .answer = answer, .err = err};
    r.names = HW_NEW(by_name, l->n_columns);
    hw_code code = r.names && number_columns(&r, format) ? HW_OK : hw_fail_memory(err, "an answer");
    if (code == HW_OK) {
        for (size_t i = 0; i < l->n_columns; i++)
            r.names[i] = (by_name){l->column[i].name, i};
        qsort(r.names, l->n_columns, sizeof *r.names, compare_names);
        code = readers[program](&r);
    }
    if (code != HW_OK) {
        free(answer->value);
        answer->value = NULL;
    }
    free(r.names);
    free(r.place);
    return code;
}
