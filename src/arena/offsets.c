/* Allocations as CSV files: an arena with a column of offsets.  See csv.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/csv_internal.h"
#include "core/memory.h"
#include "io/text.h"

/* ---- Out. ---- */

/* The gaps of a buffer: where it needs less than its size. */
static void write_gaps(const hw_arena *a, const hw_buffer *b, FILE *out)
{
    int64_t at = b->lower;
    const char *blank = "";
    for (uint32_t i = b->first_span; i < b->first_span + b->n_spans; i++) {
        const hw_span *s = &a->span[i];
        if (at < s->first) {
            fprintf(out, "%s%" PRId64 "-%" PRId64, blank, at, s->first);
            blank = " ";
        }
        if (s->size < b->size) {
            fprintf(out, "%s%" PRId64 "-%" PRId64 "@0:%" PRIu64, blank, s->first, s->end, s->size);
            blank = " ";
        }
        at = s->end;
    }
    if (at < b->upper && b->n_spans > 0)
        fprintf(out, "%s%" PRId64 "-%" PRId64, blank, at, b->upper);
}

static bool has_gaps(const hw_arena *a, const hw_buffer *b)
{
    if (b->n_spans != 1)
        return b->n_spans > 1;
    const hw_span *s = &a->span[b->first_span];
    return s->first != b->lower || s->end != b->upper;
}

void hw_arena_write(const hw_arena *a, const uint64_t *offset, FILE *out)
{
    bool gaps = false, alignment = false;
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        gaps |= has_gaps(a, &a->buffer[i]);
        alignment |= a->buffer[i].alignment != 1;
    }
    fprintf(out, "id,lower,upper,size%s%s%s\n", alignment ? ",alignment" : "", gaps ? ",gaps" : "",
            offset ? ",offset" : "");
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRIu64, a->label[i], b->lower, b->upper,
                b->size);
        if (alignment)
            fprintf(out, ",%" PRIu64, b->alignment);
        if (gaps) {
            putc(',', out);
            write_gaps(a, b, out);
        }
        if (offset)
            fprintf(out, ",%" PRIu64, offset[i]);
        putc('\n', out);
    }
}

/* ---- In. ---- */

static int by_label(const void *x, const void *y)
{
    const csv_name *a = x, *b = y;
    return strcmp(a->label, b->label);
}

hw_code csv_names(const hw_arena *a, csv_name **out, hw_error *err)
{
    csv_name *names = HW_NEW(csv_name, a->n_buffers);
    *out = names;
    if (!names)
        return hw_fail_memory(err, "the names of buffers");
    for (uint32_t i = 0; i < a->n_buffers; i++)
        names[i] = (csv_name){a->label[i], i};
    if (a->n_buffers > 0)
        qsort(names, a->n_buffers, sizeof *names, by_label);
    return HW_OK;
}

static hw_code take_line(const csv *c, const csv_name *names, uint32_t n, bool *seen,
                         uint64_t *offset)
{
    const csv_name key = {.label = csv_text(c, COLUMN_ID)};
    const csv_name *found = n ? bsearch(&key, names, n, sizeof *names, by_label) : NULL;
    if (!found)
        return csv_fail(c, "no buffer has the id", key.label,
                        "give an allocation of these buffers");
    if (seen[found->buffer])
        return csv_fail(c, "a second offset for", key.label, "give one a buffer");
    seen[found->buffer] = true;
    return csv_u64(c, COLUMN_OFFSET, &offset[found->buffer]);
}

static hw_code take_all(csv *c, const hw_arena *a, const csv_name *names, bool *seen,
                        uint64_t *offset)
{
    hw_code code = csv_requires(c, COLUMN_ID);
    if (code == HW_OK)
        code = csv_requires(c, COLUMN_OFFSET);
    for (bool more = true; code == HW_OK;) {
        code = csv_next(c, &more);
        if (code != HW_OK || !more)
            break;
        code = take_line(c, names, a->n_buffers, seen, offset);
    }
    for (uint32_t i = 0; code == HW_OK && i < a->n_buffers; i++)
        if (!seen[i])
            code = hw_fail(c->err, HW_BAD_INPUT, "%s: no offset for buffer %.64s: add its line",
                           c->in->name, a->label[i]);
    return code;
}

hw_code hw_arena_read_offsets(const char *path, const hw_arena *a, uint64_t *offset, hw_error *err)
{
    hw_input in;
    csv c;
    csv_name *names = NULL;
    hw_code code = hw_input_open(&in, path, err);
    if (code != HW_OK)
        return code;
    bool *seen = HW_NEW0(bool, a->n_buffers);
    code = seen ? csv_names(a, &names, err) : hw_fail_memory(err, "a file of offsets");
    if (code == HW_OK) {
        code = csv_start(&c, &in, err);
        if (code == HW_OK)
            code = take_all(&c, a, names, seen, offset);
        csv_end(&c);
    }
    free(names);
    free(seen);
    hw_input_close(&in);
    return code;
}
