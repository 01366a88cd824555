/*
 * Reading a suite: lines "key = value" under "[section]".  See suite.h.
 *
 * What stands before the first section holds for all; a section that gives a
 * key itself replaces it.  O(size of the file + units of the plan).
 */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suite_internal.h"
#include "core/memory.h"
#include "io/input.h"
#include "io/text.h"
#include "model/model.h"
#include "solve/foreign.h"

/* More are a mistake, and what looks for one of them looks at all. */
enum { MESSAGE_BYTES = 512, MOST_SECTIONS = 1024, MOST_SOLVERS = 1024 };

hw_code hw_suite_fail(const hw_suite_reader *r, hw_code code, hw_error *err, const char *format,
                      ...)
{
    char text[MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return hw_fail(err, code, "%s:%u: %s", r->file, r->line, text);
}

hw_code hw_suite_note(hw_suite_reader *r, hw_error *err, const char *format, ...)
{
    char text[MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hw_suite *s = r->suite;
    if (!hw_grow((void **)&s->notes, &r->notes_capacity, s->n_notes + 1, sizeof *s->notes))
        return hw_fail_memory(err, "a suite");
    s->notes[s->n_notes] = hw_copy_text(text, strlen(text));
    if (!s->notes[s->n_notes])
        return hw_fail_memory(err, "a suite");
    s->n_notes++;
    return HW_OK;
}

/* ---- Values. ---- */

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && (text[n - 1] == ' ' || text[n - 1] == '\t' || text[n - 1] == '\r'))
        text[--n] = '\0';
    return text;
}

static void clear_solver(hw_suite_solver *solver)
{
    free(solver->spec);
    free(solver->written);
}

/* What the solver is called, and the state in which a program of the user's is. */
static hw_code name_solver(hw_suite_solver *solver, hw_error *err)
{
    char name[HW_FOREIGN_NAME], **words;
    bool named = hw_foreign_name(solver->row, solver->values, name);
    const char *shown = named ? name : solver->written;
    solver->spec = hw_copy_text(shown, strlen(shown));
    if (!solver->spec)
        return hw_fail_memory(err, "a suite");
    solver->command = hw_foreign_command(solver->row, solver->values);
    if (!solver->command)
        return HW_OK;
    hw_code code = hw_command_split(solver->command, &words, err);
    if (code == HW_OK)
        code = hw_command_digest(words, solver->digest, err);
    free((void *)words);
    return code;
}

static hw_code add_solver(const hw_suite_reader *r, hw_suite_section *s, const char *spec,
                          bool proves, hw_error *err)
{
    size_t capacity = s->n_solvers;
    if (s->n_solvers >= MOST_SOLVERS)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "section [%s] has more than %d solvers: split it", s->name,
                             MOST_SOLVERS);
    if (!hw_grow((void **)&s->solvers, &capacity, s->n_solvers + 1, sizeof *s->solvers))
        return hw_fail_memory(err, "a suite");
    hw_suite_solver *solver = &s->solvers[s->n_solvers];
    *solver = (hw_suite_solver){.proves = proves, .written = hw_copy_text(spec, strlen(spec))};
    if (!solver->written)
        return hw_fail_memory(err, "a suite");
    hw_error why = {.code = HW_OK};
    hw_code code = hw_solver_parse(solver->written, &solver->row, solver->values, &why);
    if (code == HW_OK && proves && solver->row->kind != HW_SOLVER_EXACT)
        code = hw_fail(&why, HW_BAD_INPUT,
                       "optimum = %s: this solver proves nothing: list it as `solver`", spec);
    if (code == HW_OK)
        code = name_solver(solver, &why);
    for (size_t i = 0; code == HW_OK && i < s->n_solvers; i++)
        if (strcmp(s->solvers[i].spec, solver->spec) == 0)
            code = hw_fail(&why, HW_BAD_INPUT, "solver %s is listed twice: remove one%s",
                           solver->spec, solver->command ? ", or give it another name" : "");
    if (code == HW_OK) {
        s->n_solvers++;
        return HW_OK;
    }
    clear_solver(solver);
    return hw_suite_fail(r, code == HW_USAGE ? HW_BAD_INPUT : code, err, "%s", why.message);
}

/* All heuristics, or all that prove, which are not listed yet. */
static hw_code add_all(const hw_suite_reader *r, hw_suite_section *s, bool proves, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < hw_n_solvers; i++) {
        const hw_solver_row *row = hw_solvers[i];
        bool wanted =
            !row->foreign && row->kind == (proves ? HW_SOLVER_EXACT : HW_SOLVER_HEURISTIC);
        for (size_t k = 0; k < s->n_solvers; k++)
            wanted = wanted && strcmp(s->solvers[k].spec, row->name) != 0;
        if (wanted)
            code = add_solver(r, s, row->name, proves, err);
    }
    return code;
}

/* ---- Sections. ---- */

static void clear_solvers(hw_suite_section *s)
{
    for (size_t i = 0; i < s->n_solvers; i++)
        clear_solver(&s->solvers[i]);
    free(s->solvers);
    s->solvers = NULL;
    s->n_solvers = 0;
}

/* Section 0 holds what stands before the first "[section]". */
static hw_code begin_section(hw_suite_reader *r, const char *name, hw_error *err)
{
    hw_suite *suite = r->suite;
    if (suite->n_sections > MOST_SECTIONS)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "more than %d sections: split the suite",
                             MOST_SECTIONS);
    for (size_t i = 1; i < suite->n_sections; i++)
        if (strcmp(suite->sections[i].name, name) == 0)
            return hw_suite_fail(r, HW_BAD_INPUT, err, "section [%s] is given twice: rename one",
                                 name);
    if (suite->n_sections == 1 && suite->n_sources)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "families and graphs stand before the first section: move them into "
                             "one");
    if (!hw_grow((void **)&suite->sections, &r->sections_capacity, suite->n_sections + 1,
                 sizeof *suite->sections))
        return hw_fail_memory(err, "a suite");
    hw_suite_section *s = &suite->sections[suite->n_sections];
    if (suite->n_sections == 0)
        *s = (hw_suite_section){.accounting = {true, true},
                                .pinned = {true, false},
                                .limits = {.measure_seconds = HW_SUITE_MEASURE_SECONDS}};
    else
        *s = suite->sections[0];
    s->solvers = NULL;
    s->n_solvers = 0;
    s->name = hw_copy_text(name, strlen(name));
    if (!s->name)
        return hw_fail_memory(err, "a suite");
    suite->n_sections++;
    return HW_OK;
}

/*
 * Give a section without a `solver` of its own those that stand before the
 * first section, and the same for `optimum`; then put exact solvers last.
 */
static hw_code inherit_solvers(const hw_suite_reader *r, hw_suite_section *s, hw_error *err)
{
    const hw_suite_section *all = &r->suite->sections[0];
    bool has[2] = {false, false}; /* by `proves` */
    for (size_t i = 0; i < s->n_solvers; i++)
        has[s->solvers[i].proves] = true;
    for (size_t i = 0; s != all && i < all->n_solvers; i++) {
        if (has[all->solvers[i].proves])
            continue;
        hw_code code = add_solver(r, s, all->solvers[i].written, all->solvers[i].proves, err);
        if (code != HW_OK)
            return code;
    }
    for (size_t i = 1; i < s->n_solvers; i++) {
        hw_suite_solver moved = s->solvers[i];
        size_t at = i;
        for (; at > 0 && s->solvers[at - 1].proves && !moved.proves; at--)
            s->solvers[at] = s->solvers[at - 1];
        s->solvers[at] = moved;
    }
    return HW_OK;
}

static hw_code set_name(const hw_suite_reader *r, const char *text, hw_error *err)
{
    if (!*text)
        return hw_suite_fail(r, HW_BAD_INPUT, err, "name is empty: give the suite a name");
    free(r->suite->name);
    r->suite->name = hw_copy_text(text, strlen(text));
    return r->suite->name ? HW_OK : hw_fail_memory(err, "a suite");
}

enum key {
    KEY_NAME,
    KEY_SEED,
    KEY_ACCOUNTING,
    KEY_PIN_INPUTS,
    KEY_STATE_LIMIT,
    KEY_TIME_LIMIT,
    KEY_MEMORY_LIMIT,
    KEY_KILL_AFTER,
    KEY_CPU_LIMIT,
    KEY_MEMORY_KILL,
    KEY_MEASURE_FOR,
    KEY_MOST_NODES,
    KEY_SOLVER,
    KEY_OPTIMUM,
    KEY_FAMILY,
    KEY_GRAPH,
    KEY_GRAPH_IF_PRESENT,
    N_KEYS
};

static const hw_suite_limit_key limit_of_key[N_KEYS] = {
    [KEY_STATE_LIMIT] = HW_SUITE_STATE_LIMIT,   [KEY_TIME_LIMIT] = HW_SUITE_TIME_LIMIT,
    [KEY_MEMORY_LIMIT] = HW_SUITE_MEMORY_LIMIT, [KEY_KILL_AFTER] = HW_SUITE_KILL_AFTER,
    [KEY_MOST_NODES] = HW_SUITE_MOST_NODES,     [KEY_CPU_LIMIT] = HW_SUITE_CPU_LIMIT,
    [KEY_MEMORY_KILL] = HW_SUITE_MEMORY_KILL,   [KEY_MEASURE_FOR] = HW_SUITE_MEASURE_FOR,
};

static const char *const keys[N_KEYS] = {
    [KEY_NAME] = "name",
    [KEY_SEED] = "seed",
    [KEY_ACCOUNTING] = "accounting",
    [KEY_PIN_INPUTS] = "pin-inputs",
    [KEY_STATE_LIMIT] = "state-limit",
    [KEY_TIME_LIMIT] = "time-limit",
    [KEY_MEMORY_LIMIT] = "memory-limit",
    [KEY_KILL_AFTER] = "kill-after",
    [KEY_CPU_LIMIT] = "cpu-limit",
    [KEY_MEMORY_KILL] = "memory-kill",
    [KEY_MEASURE_FOR] = "measure-for",
    [KEY_MOST_NODES] = "most-nodes",
    [KEY_SOLVER] = "solver",
    [KEY_OPTIMUM] = "optimum",
    [KEY_FAMILY] = "family",
    [KEY_GRAPH] = "graph",
    [KEY_GRAPH_IF_PRESENT] = "graph-if-present",
};

static hw_code set_key(hw_suite_reader *r, char *key, char *value, hw_error *err)
{
    /* "time-limit dp": a limit of one solver. */
    char *spec = strpbrk(key, " \t");
    if (spec) {
        *spec++ = '\0';
        spec += strspn(spec, " \t");
    }
    size_t id = 0;
    while (id < N_KEYS && strcmp(keys[id], key) != 0)
        id++;
    if (id == N_KEYS) {
        const char *near = hw_nearest_name(key, keys, N_KEYS);
        return hw_suite_fail(r, HW_BAD_INPUT, err, "a suite has no key '%s'%s%s%s", key,
                             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (spec && (id < KEY_STATE_LIMIT || id > KEY_MOST_NODES))
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "%s %s: only limits are given to one solver: leave '%s' out", key,
                             spec, spec);
    uint32_t section = (uint32_t)(r->suite->n_sections - 1);
    hw_suite_section *s = &r->suite->sections[section];
    if ((id == KEY_NAME || id == KEY_SEED) && section > 0)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "%s belongs to the whole suite: move it before the first section",
                             key);
    switch ((enum key)id) {
    case KEY_NAME:
        return set_name(r, value, err);
    case KEY_SEED:
        return hw_suite_count(r, key, value, &r->suite->seed, err);
    case KEY_ACCOUNTING:
        return hw_suite_accountings(r, value, s->accounting, err);
    case KEY_PIN_INPUTS:
        return hw_suite_pinned(r, value, s->pinned, err);
    case KEY_STATE_LIMIT:
    case KEY_TIME_LIMIT:
    case KEY_MEMORY_LIMIT:
    case KEY_KILL_AFTER:
    case KEY_CPU_LIMIT:
    case KEY_MEMORY_KILL:
    case KEY_MEASURE_FOR:
    case KEY_MOST_NODES:
        return hw_suite_set_limit(r, section, limit_of_key[id], keys[id], spec ? spec : "", value,
                                  err);
    case KEY_SOLVER:
    case KEY_OPTIMUM:
        return strcmp(value, "all") == 0 ? add_all(r, s, id == KEY_OPTIMUM, err)
                                         : add_solver(r, s, value, id == KEY_OPTIMUM, err);
    case KEY_FAMILY:
        return hw_suite_add_families(r, section, value, err);
    case KEY_GRAPH:
    case KEY_GRAPH_IF_PRESENT:
        return hw_suite_add_files(r, section, value, id == KEY_GRAPH_IF_PRESENT, err);
    case N_KEYS:
        break;
    }
    return hw_fail(err, HW_INTERNAL, "key %s of a suite is not handled", key);
}

/*
 * The '=' between key and value: the first, but in "state-limit lookahead:k=5
 * = 7" the first with a blank before it, for parameters are written with one.
 */
static char *separator(char *line)
{
    char *first = strchr(line, '='), *blank = strpbrk(line, " \t");
    if (!first || !blank)
        return first;
    bool two_words = blank + strspn(blank, " \t") < first;
    for (char *at = first; two_words && at; at = strchr(at + 1, '='))
        if (at[-1] == ' ' || at[-1] == '\t')
            return at;
    return first;
}

static hw_code read_line(hw_suite_reader *r, char *line, hw_error *err)
{
    line = trim(line);
    if (*line == '\0' || *line == '#')
        return HW_OK;
    char *comment = strstr(line, " #");
    if (comment) {
        *comment = '\0';
        line = trim(line);
    }
    if (*line == '[') {
        size_t n = strlen(line);
        if (n < 3 || line[n - 1] != ']')
            return hw_suite_fail(r, HW_BAD_INPUT, err, "'%s': a section is written [name]", line);
        line[n - 1] = '\0';
        return begin_section(r, trim(line + 1), err);
    }
    if (*line == '{' || *line == '<')
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "begins with '%c', as graphs and results do, and no line of a suite "
                             "does: is this the right file?",
                             *line);
    char *equals = separator(line);
    if (!equals)
        return hw_suite_fail(r, HW_BAD_INPUT, err,
                             "'%s' is neither \"key = value\" nor \"[section]\" nor a comment (#)",
                             line);
    *equals = '\0';
    return set_key(r, trim(line), trim(equals + 1), err);
}

static hw_code read_lines(hw_suite_reader *r, char *text, size_t size, hw_error *err)
{
    if (memchr(text, '\0', size))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s holds NUL bytes: a suite is a text file (highwater-results(5))",
                       r->file);
    text[size] = '\0';
    while (text) {
        char *end = strchr(text, '\n');
        if (end)
            *end++ = '\0';
        r->line++;
        hw_code code = hw_is_utf8(text, strlen(text))
                           ? read_line(r, text, err)
                           : hw_suite_fail(r, HW_BAD_INPUT, err,
                                           "is not UTF-8, as results are: convert the file");
        if (code != HW_OK)
            return code;
        text = end;
    }
    return HW_OK;
}

/* ---- The file. ---- */

static hw_code read_suite(hw_suite_reader *r, hw_input *in, hw_error *err)
{
    hw_code code = begin_section(r, "all", err);
    if (code == HW_OK)
        code = hw_input_all(in, err);
    if (code != HW_OK)
        return code;
    size_t size = in->end - in->start;
    char *text = HW_NEW(char, size + 1);
    if (!text)
        return hw_fail_memory(err, "a suite");
    memcpy(text, in->buffer + in->start, size);
    code = read_lines(r, text, size, err);
    free(text);
    for (size_t i = 0; code == HW_OK && i < r->suite->n_sections; i++)
        code = inherit_solvers(r, &r->suite->sections[i], err);
    if (code == HW_OK)
        code = hw_suite_settle_limits(r, err);
    return code == HW_OK ? hw_suite_make_plan(r, err) : code;
}

/* The name that a suite has when it gives none: the file's, without ending. */
static hw_code name_by_file(hw_suite_reader *r, const char *path, hw_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    r->folder = hw_copy_text(path, (size_t)(base - path));
    r->suite->name = hw_copy_text(base, n);
    return r->folder && r->suite->name ? HW_OK : hw_fail_memory(err, "a suite");
}

hw_code hw_suite_load(const char *path, hw_suite **out, hw_error *err)
{
    *out = NULL;
    hw_suite_reader r = {.suite = HW_NEW0(hw_suite, 1), .file = path};
    if (!r.suite)
        return hw_fail_memory(err, "a suite");
    r.suite->seed = HW_DEFAULT_SEED;
    hw_input in;
    hw_code code = name_by_file(&r, path, err);
    if (code == HW_OK) {
        code = hw_input_open(&in, path, err);
        if (code == HW_OK) {
            code = read_suite(&r, &in, err);
            hw_input_close(&in);
        }
    }
    free(r.folder);
    hw_suite_forget_limits(&r);
    if (code != HW_OK) {
        hw_suite_free(r.suite);
        return code;
    }
    *out = r.suite;
    return HW_OK;
}

void hw_suite_free(hw_suite *suite)
{
    if (!suite)
        return;
    for (size_t i = 0; i < suite->n_sections; i++) {
        clear_solvers(&suite->sections[i]);
        free(suite->sections[i].name);
    }
    for (size_t i = 0; i < suite->n_sources; i++) {
        free(suite->sources[i].values);
        free(suite->sources[i].label);
        free(suite->sources[i].path);
        free(suite->sources[i].sizes);
    }
    for (size_t i = 0; i < suite->n_notes; i++)
        free(suite->notes[i]);
    free(suite->sections);
    free(suite->sources);
    free(suite->units);
    free((void *)suite->notes);
    free(suite->name);
    free(suite);
}
