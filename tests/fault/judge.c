/*
 * What a run must look like.  See fault.h.
 *
 * Either all is as if nothing had failed, or the exit status is that of a
 * failure that is documented, the last line of standard error says what failed,
 * and the folder holds what it held before, what the normal run leaves, and
 * nothing else.  No block more is live than after the normal run.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Does the figure go on at `at`?  An exponent is a part of it. */
static bool in_figure(const fault_file *file, size_t at)
{
    const char *c = file->text + at;
    if (at == file->size)
        return false;
    return isdigit((unsigned char)*c) || *c == '.' || (*c == 'e' && (c[1] == '-' || c[1] == '+')) ||
           ((*c == '-' || *c == '+') && c[-1] == 'e' && isdigit((unsigned char)c[1]));
}

/* The length of a digest that begins at `at`: eight or more hexadecimal digits; 0: there is none.
 */
static size_t digest_at(const fault_file *file, size_t at)
{
    enum { LEAST = 8 };
    size_t n = 0;
    if (at > 0 && isalnum((unsigned char)file->text[at - 1]))
        return 0;
    while (at + n < file->size && isxdigit((unsigned char)file->text[at + n]))
        n++;
    return n >= LEAST && !isalnum((unsigned char)file->text[at + n]) ? n : 0;
}

/* The length of a unit of time, and the blank before it, that begins at `at` behind a figure. */
static size_t unit_at(const fault_file *file, size_t at)
{
    static const char *const units[] = {" us", " ms", " s", " min", " h"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t n = strlen(units[i]);
        if (at + n < file->size && memcmp(file->text + at, units[i], n) == 0 &&
            !isalnum((unsigned char)file->text[at + n]))
            return n;
    }
    return 0;
}

void fault_blur(fault_file *file)
{
    size_t to = 0;
    for (size_t at = 0, n; at < file->size;) {
        if ((n = digest_at(file, at)) > 0) {
            at += n;
            file->text[to++] = '#';
            continue;
        }
        if (!isdigit((unsigned char)file->text[at])) {
            file->text[to++] = file->text[at++];
            continue;
        }
        while (in_figure(file, at))
            at++;
        at += unit_at(file, at); /* a second under load, a millisecond without */
        while (to > 1 && file->text[to - 1] == ' ' && file->text[to - 2] == ' ')
            to--; /* a column as wide as its figure */
        file->text[to++] = '#';
        while (to > 2 && file->text[to - 2] == ':' && file->text[to - 3] == '#')
            to -= 2; /* hours, minutes, seconds */
    }
    file->size = to;
    if (file->text)
        file->text[to] = '\0';
}

static bool same_text(const fault_file *a, const fault_file *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->text, b->text, a->size) == 0);
}

/* The next line that holds no warning, from *at on, which moves behind it; its length. */
static size_t next_line(const fault_file *said, size_t *at, const char **line)
{
    while (*at < said->size) {
        *line = said->text + *at;
        size_t n = strcspn(*line, "\n");
        n += (*line)[n] == '\n';
        *at += n;
        bool warns = false;
        for (size_t i = 0; i + 7 <= n && !warns; i++)
            warns = memcmp(*line + i, "warning", 7) == 0;
        if (!warns)
            return n;
    }
    return 0;
}

bool fault_same_messages(const fault_file *a, const fault_file *b, bool loose)
{
    size_t at[2] = {0}, n[2];
    const char *line[2] = {NULL};
    if (!loose)
        return same_text(a, b);
    do {
        n[0] = next_line(a, &at[0], &line[0]);
        n[1] = next_line(b, &at[1], &line[1]);
        if (n[0] != n[1] || (n[0] && memcmp(line[0], line[1], n[0]) != 0))
            return false;
    } while (n[0]);
    return true;
}

void fault_last_line(const fault_file *error, char *line, size_t size)
{
    size_t end = error->size;
    while (end && error->text[end - 1] == '\n')
        end--;
    size_t begin = end;
    while (begin && error->text[begin - 1] != '\n')
        begin--;
    (void)snprintf(line, size, "%.*s", (int)(end - begin), error->text + begin);
}

/* Is `path` one of the words? */
static bool listed(const char *words, const char *path)
{
    size_t length = strlen(path);
    for (const char *at = words; at && (at = strstr(at, path)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Is every line of `part` one of `whole`, or of what was there? */
static bool lines_of(const fault_file *part, const fault_file *whole)
{
    const char *at = part->text, *end = part->text + part->size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop)
            return false;
        char *line = strndup(at, (size_t)(stop - at) + 1);
        bool found = strstr(whole->text, line) != NULL;
        free(line);
        if (!found)
            return false;
        at = stop + 1;
    }
    return true;
}

/* Does the output hold one of the texts that | separates? */
static bool says(const fault_outcome *o, const char *texts)
{
    for (const char *at = texts; *at;) {
        size_t n = strcspn(at, "|");
        char *text = strndup(at, n);
        bool found = strstr(o->said.text, text) || strstr(o->err.text, text);
        for (size_t i = 0; !found && i < o->world.n; i++)
            found = o->world.file[i].text && strstr(o->world.file[i].text, text);
        free(text);
        if (found)
            return true;
        at += n + (at[n] == '|');
    }
    return false;
}

/* Results that tell how a worker ended or what it lacked, or that a question stays open for it. */
static bool tells_of_end(const fault_file *file)
{
    static const char *const words[] = {"signal #", "crashed", "undecided", "out-of-memory",
                                        "\"limit_reached\":true"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(file->text, words[i]))
            return true;
    return false;
}

static const char *judge_file(const fault_file *file, const fault_outcome *reference,
                              const fault_world *before, const fault_rules *rules)
{
    const fault_file *old = fault_world_find(before, file->path);
    const fault_file *normal = fault_world_find(&reference->world, file->path);
    size_t length = strlen(file->path);
    if (!old && !normal)
        return rules->leaves && length > 4 && strcmp(file->path + length - 4, ".tmp") == 0
                   ? NULL
                   : "a file is left";
    if (S_ISDIR(file->mode) || (old && same_text(file, old)) || (normal && same_text(file, normal)))
        return NULL;
    if (normal && listed(rules->interim, file->path))
        return NULL;
    if (normal && listed(rules->grows, file->path) && lines_of(file, normal))
        return NULL;
    if (normal && rules->struck && tells_of_end(file))
        return NULL;
    return "a file is half written";
}

static const char *judge_world(const fault_outcome *o, const fault_outcome *reference,
                               const fault_world *before, const fault_rules *rules)
{
    const char *wrong = NULL;
    if (WEXITSTATUS(o->status) == 0 && says(o, rules->says))
        return NULL; /* files tell of it, too: which lines differ is not known here */
    for (size_t i = 0; !wrong && i < o->world.n; i++)
        wrong = judge_file(&o->world.file[i], reference, before, rules);
    for (size_t i = 0; !wrong && i < before->n; i++)
        if (!fault_world_find(&o->world, before->file[i].path) &&
            fault_world_find(&reference->world, before->file[i].path))
            wrong = "a file is gone";
    return wrong;
}

/* Is every optimum that is said one that the normal run says? */
static bool true_optima(const fault_outcome *o, const fault_outcome *reference)
{
    static const char claim[] = ", no order has less";
    for (const char *at = o->said.text; (at = strstr(at, claim)); at++) {
        const char *begin = at;
        while (begin > o->said.text && begin[-1] != '\n')
            begin--;
        char *line = strndup(begin, (size_t)(at - begin) + sizeof claim - 1);
        bool found = strstr(reference->said.text, line) != NULL;
        free(line);
        if (!found)
            return false;
    }
    return true;
}

static const char *judge_message(const fault_outcome *o, const fault_rules *rules)
{
    char line[2048];
    int status = WEXITSTATUS(o->status);
    fault_last_line(&o->err, line, sizeof line);
    if (rules->struck && status == 5) /* a process that is gone, whoever ended it */
        return strstr(line, "ended") ? NULL : "the message does not tell of the end";
    if (status != 1 && status != 3 && status != 4 && status != rules->memory_status)
        return "the exit status is not one of a failure outside";
    if (strncmp(line, "highwater", 9) != 0 || !strchr(line, ':'))
        return "no message";
    /* A file that the C library has no memory to open cannot be opened: status 3 and its words. */
    if (rules->memory && !strstr(line, "memory") && !says(o, rules->says))
        return "the message does not speak of memory";
    if (rules->memory && status != rules->memory_status &&
        (status != 3 || !strstr(line, "Cannot allocate memory")))
        return "the exit status is not that of a lack of memory";
    return NULL;
}

/* The loader of libraries has no memory for a table of its own and ends the process. */
static bool ended_by_loader(const fault_outcome *o, const fault_rules *rules)
{
    enum { STATUS = 127 };
    char line[64];
    fault_last_line(&o->err, line, sizeof line);
    return rules->memory && WEXITSTATUS(o->status) == STATUS && strcmp(line, "out of memory") == 0;
}

const char *fault_judge(const fault_outcome *o, const fault_outcome *reference,
                        const fault_world *before, const fault_rules *rules, bool *normal)
{
    *normal = false;
    if (o->hung)
        return "hung";
    if (o->behind)
        return "a process is left behind";
    if (WIFSIGNALED(o->status) && rules->silent)
        return judge_world(o, reference, before, rules);
    if (!WIFEXITED(o->status))
        return "crashed";
    if (ended_by_loader(o, rules)) {
        fault_rules killed = *rules;
        killed.leaves = true;
        return judge_world(o, reference, before, &killed);
    }
    if (o->live > reference->live && !rules->keeps)
        return "a leak";
    const bool same = o->status == reference->status && same_text(&o->out, &reference->out) &&
                      fault_same_messages(&o->err, &reference->err, rules->loose);
    *normal = same && fault_world_same(&o->world, &reference->world);
    if (*normal)
        return NULL;
    const char *wrong = judge_world(o, reference, before, rules);
    if (!wrong && !true_optima(o, reference))
        wrong = "an optimum that is none";
    if (!wrong && WEXITSTATUS(o->status) == 0)
        return says(o, rules->says) || (same && rules->leaves) || rules->struck
                   ? NULL
                   : "success, yet not with what a normal run gives";
    return wrong ? wrong : judge_message(o, rules);
}
