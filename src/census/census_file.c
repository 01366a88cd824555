/* A census under way, and its file.  See census_file.h. */
#include "census/census_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/input.h"

hw_code hw_census_make(const hw_census_plan *plan, hw_census *out, hw_error *err)
{
    *out = (hw_census){.plan = *plan};
    for (uint32_t n = plan->least_nodes; n <= plan->most_nodes; n++) {
        out->n_blocks[n] = hw_census_blocks(n, hw_dags_count[n]);
        out->done[n] = HW_NEW0(bool, out->n_blocks[n]);
        out->tally[n] = HW_NEW0(hw_census_tally, 1);
        if (!out->done[n] || !out->tally[n]) {
            hw_census_free(out);
            return hw_fail_memory(err, "a census");
        }
    }
    return HW_OK;
}

void hw_census_free(hw_census *c)
{
    for (uint32_t n = 0; n <= HW_DAGS_MOST; n++) {
        free(c->done[n]);
        free(c->tally[n]);
    }
    *c = (hw_census){0};
}

bool hw_census_has_block(const hw_census_plan *plan, size_t block)
{
    return block % plan->parts == plan->part - 1;
}

void hw_census_progress(const hw_census *c, size_t *done, size_t *total)
{
    *done = *total = 0;
    for (uint32_t n = c->plan.least_nodes; n <= c->plan.most_nodes; n++)
        for (size_t b = 0; b < c->n_blocks[n]; b++) {
            *total += hw_census_has_block(&c->plan, b);
            *done += hw_census_has_block(&c->plan, b) && c->done[n][b];
        }
}

bool hw_census_whole(const hw_census *c, uint32_t n)
{
    return c->n_blocks[n] > 0 && c->n_done[n] == c->n_blocks[n];
}

bool hw_census_alike(const hw_census_plan *a, const hw_census_plan *b)
{
    bool alike = a->least_nodes == b->least_nodes && a->most_nodes == b->most_nodes &&
                 a->most_size == b->most_size && a->all_numberings == b->all_numberings &&
                 a->all_fails == b->all_fails && a->n_solvers == b->n_solvers;
    for (size_t i = 0; alike && i < a->n_solvers; i++)
        alike = strcmp(a->solver[i].spec, b->solver[i].spec) == 0;
    return alike;
}

/* ---- Whole files. ---- */

typedef hw_code (*visit_line)(void *context, const char *line, size_t length, size_t number,
                              hw_error *err);

/* Call visit() for every line that ends; *whole_bytes: all of them together. */
static hw_code each_line(const char *path, visit_line visit, void *context, uint64_t *whole_bytes,
                         hw_error *err)
{
    *whole_bytes = 0;
    struct stat status;
    bool standard = strcmp(path, "-") == 0 && access(path, F_OK) != 0;
    if (standard || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return hw_fail(err, HW_IO,
                       "%s: cannot read: it is no regular file, and its lines are read twice: "
                       "write them into one first",
                       standard ? "standard input" : path);
    FILE *in = fopen(path, "re");
    if (!in)
        return hw_fail(err, HW_IO, "%s: cannot open: %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0, number = 0;
    hw_code code = HW_OK;
    ssize_t length;
    errno = 0;
    while (code == HW_OK && (length = getline(&line, &capacity, in)) > 0) {
        if (line[length - 1] != '\n') { /* cut in the middle of a line */
            if (number == 0 && !hw_census_begun(line, (size_t)length))
                code = hw_fail(err, HW_BAD_INPUT,
                               "%s:1: this is no line of a census: is this the right file?", path);
            break;
        }
        number++;
        code = visit(context, line, (size_t)length, number, err);
        if (code == HW_BAD_INPUT)
            hw_error_prefix(err, "%s:%zu: ", path, number);
        if (code == HW_OK)
            *whole_bytes += (uint64_t)length;
    }
    if (code == HW_OK)
        code = hw_input_ended(in, path, err);
    free(line);
    (void)fclose(in);
    return code;
}

static hw_code take_line(void *context, const char *line, size_t length, size_t number,
                         hw_error *err)
{
    hw_census *c = context;
    hw_census_plan plan;
    if (number > 1)
        return hw_census_take_block(c, line, length, err);
    hw_code code = hw_census_read_head(line, length, &plan, err);
    if (code == HW_OK && !hw_census_alike(&plan, &c->plan))
        code = hw_fail(err, HW_BAD_INPUT,
                       "this is a census of other nodes, sizes, numberings or solvers: give the "
                       "options that it was begun with, or another file");
    return code;
}

hw_code hw_census_load(hw_census *c, const char *path, uint64_t *whole_bytes, hw_error *err)
{
    return each_line(path, take_line, c, whole_bytes, err);
}

/* The head alone; HW_LIMIT ends the walk over the lines. */
static hw_code take_head(void *context, const char *line, size_t length, size_t number,
                         hw_error *err)
{
    (void)number;
    hw_code code = hw_census_read_head(line, length, context, err);
    return code == HW_OK ? HW_LIMIT : code;
}

hw_code hw_census_load_plan(const char *path, hw_census_plan *plan, hw_error *err)
{
    uint64_t whole;
    hw_code code = each_line(path, take_head, plan, &whole, err);
    if (code == HW_LIMIT)
        return HW_OK;
    return code == HW_OK ? hw_fail(err, HW_BAD_INPUT, "%s: no census: it has no whole line", path)
                         : code;
}
