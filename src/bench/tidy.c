/* Sorting a file of results.  See tidy.h. */
#include "bench/tidy.h"

#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/io.h"

typedef struct piece {
    uint64_t position; /* in the plan; UINT64_MAX: not there */
    size_t offset, length;
} piece;

static int compare_pieces(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    int d = (a->position > b->position) - (a->position < b->position);
    return d ? d : (a->offset > b->offset) - (a->offset < b->offset);
}

typedef struct pieces {
    piece *item;
    size_t n, capacity;
    bool sorted;
    char *scratch; /* a line, to be parsed in place */
    size_t room;
} pieces;

static hw_code add_piece(pieces *p, const hw_sink *sink, const hw_plan *plan, const char *text,
                         size_t offset, size_t length, hw_error *err)
{
    if (!hw_grow((void **)&p->item, &p->capacity, p->n + 1, sizeof *p->item) ||
        !hw_grow((void **)&p->scratch, &p->room, length + 1, 1))
        return hw_fail_memory(err, "results");
    memcpy(p->scratch, text + offset, length);
    hw_record r;
    hw_error why = {.code = HW_OK};
    size_t unit, solver;
    if (hw_record_parse(p->scratch, length, &r, &why) != HW_OK)
        return hw_fail(err, HW_BAD_INPUT, "%s:%zu: %s", sink->name, p->n + 1, why.message);
    uint64_t position = UINT64_MAX;
    if (hw_plan_find(plan, &r, &unit, &solver))
        position = hw_plan_position(plan, unit, solver);
    p->sorted = p->sorted && (p->n == 0 || p->item[p->n - 1].position <= position);
    p->item[p->n++] = (piece){position, offset, length};
    return HW_OK;
}

static hw_code cut(pieces *p, const hw_sink *sink, const hw_plan *plan, const char *text,
                   size_t size, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t at = 0; code == HW_OK && at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        code = add_piece(p, sink, plan, text, at, length, err);
        at += length + 1;
    }
    return code;
}

static hw_code write_sorted(const hw_sink *sink, const pieces *p, const char *text, hw_error *err)
{
    hw_output out;
    hw_code code = hw_output_open(sink->name, &out, err);
    if (code != HW_OK)
        return code;
    bool written = true;
    for (size_t i = 0; i < p->n && written; i++)
        written = fwrite(text + p->item[i].offset, 1, p->item[i].length, out.stream) ==
                      p->item[i].length &&
                  fputc('\n', out.stream) != EOF;
    if (!written || fflush(out.stream) != 0) {
        code = hw_fail(err, HW_IO, "%s: cannot write it anew: %s", sink->name, strerror(errno));
        hw_output_abandon(&out);
        return code;
    }
    /* Else a machine that stops just now might come back with neither file. */
    (void)fsync(fileno(out.stream));
    return hw_output_commit(&out, err);
}

hw_code hw_tidy(const hw_sink *sink, const hw_plan *plan, hw_error *err)
{
    struct stat status;
    if (fstat(sink->file, &status) != 0)
        return hw_sink_failed(sink, errno, err);
    size_t size = (size_t)status.st_size;
    if (size == 0)
        return HW_OK;
    char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, sink->file, 0);
    if (text == MAP_FAILED)
        return hw_fail(err, HW_IO, "%s: cannot read: %s", sink->name, strerror(errno));
    pieces p = {.sorted = true};
    hw_code code = cut(&p, sink, plan, text, size, err);
    if (code == HW_OK && !p.sorted) {
        qsort(p.item, p.n, sizeof *p.item, compare_pieces);
        code = write_sorted(sink, &p, text, err);
    }
    (void)munmap(text, size);
    free(p.item);
    free(p.scratch);
    return code;
}

void hw_tidy_remove_leftovers(const hw_sink *sink)
{
    char pattern[4096];
    glob_t found;
    int n = snprintf(pattern, sizeof pattern, "%s.[0-9]*-[0-9]*.tmp", sink->name);
    if (n < 0 || (size_t)n >= sizeof pattern || strpbrk(sink->name, "*?[\\") ||
        glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        (void)unlink(found.gl_pathv[i]);
    globfree(&found);
}
