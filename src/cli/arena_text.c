/* Tables of allocations.  See arena_text.h. */
#include "cli/arena_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/ratio.h"

static hw_ratio fragmentation(const hw_arena_told *t, const hw_arena_row *row)
{
    return hw_ratio_lowest((hw_ratio){row->placement.height, t->arena->load});
}

static bool proven(const hw_arena_row *row)
{
    return row->placement.placed && row->placement.height == row->placement.bound;
}

static void head(const hw_arena_told *t, FILE *out)
{
    const hw_arena *a = t->arena;
    char bytes[HW_BYTES_TEXT];
    (void)fprintf(out, "%s: %" PRIu32 " buffers", t->name, a->n_buffers);
    if (t->order)
        (void)fprintf(out, ", order %s, %s%s", t->order, t->accounting,
                      t->pin_inputs ? ", pinned inputs" : "");
    if (t->alignment > 1)
        (void)fprintf(out, ", aligned to %" PRIu64, t->alignment);
    hw_bytes_text(a->load, bytes);
    (void)fprintf(out, "\n  %s %s at %s %" PRId64 "\n", t->order ? "logical peak" : "load", bytes,
                  t->order ? "step" : "tick", a->load_at);
    if (a->bound > a->load) {
        hw_bytes_text(a->bound, bytes);
        (void)fprintf(out, "  no height below %s: fixed offsets\n", bytes);
    }
}

/* "least", or the bound that is proven; against a capacity, whether it is kept. */
static void put_proof(const hw_arena_told *t, const hw_arena_row *row, FILE *out)
{
    const hw_placement *p = &row->placement;
    if (!row->tried || row->refusal[0])
        (void)fprintf(out, "%s", row->refusal[0] ? "refused" : "not tried");
    else if (!p->placed)
        (void)fprintf(out, p->bound > t->capacity && t->capacity > 0 ? "none fits: proven"
                                                                     : "none found");
    else if (proven(row))
        (void)fputs("least", out);
    else
        (void)fprintf(out, ">= %" PRIu64, p->bound);
    if (t->capacity > 0 && p->placed)
        (void)fputs(p->height <= t->capacity ? ", fits" : ", too high", out);
}

void hw_arena_text(const hw_arena_told *t, FILE *out)
{
    int wide = 9;
    for (size_t i = 0; i < t->n_rows; i++)
        if ((int)strlen(t->rows[i].spec) > wide)
            wide = (int)strlen(t->rows[i].spec);
    head(t, out);
    if (t->n_rows == 0)
        return;
    (void)fprintf(out, "  %-*s  %14s  %11s  %14s  %10s  %s\n", wide, "allocator", "height",
                  "height/load", "waste", "seconds", "proof");
    for (size_t i = 0; i < t->n_rows; i++) {
        const hw_arena_row *row = &t->rows[i];
        const hw_placement *p = &row->placement;
        (void)fprintf(out, "  %-*s", wide, row->spec);
        if (!p->placed)
            (void)fprintf(out, "  %14s  %11s  %14s", "-", "-", "-");
        else if (t->arena->load == 0)
            (void)fprintf(out, "  %14" PRIu64 "  %11s  %14" PRIu64, p->height, "-", p->height);
        else
            (void)fprintf(out, "  %14" PRIu64 "  %11.6f  %14" PRIu64, p->height,
                          hw_ratio_value(fragmentation(t, row)), p->height - t->arena->load);
        (void)fprintf(out, "  %10.6f  ", row->seconds);
        put_proof(t, row, out);
        (void)fputc('\n', out);
    }
}

static void row_json(const hw_arena_told *t, const hw_arena_row *row, hw_json_out *j)
{
    const hw_placement *p = &row->placement;
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "allocator", row->spec);
    hw_json_put_bool(j, "in_time_order", row->allocator && row->allocator->in_time_order);
    hw_json_put_string(j, "refusal", row->refusal[0] ? row->refusal : NULL);
    hw_json_put_bool(j, "placed", p->placed);
    hw_json_put_u64_or_null(j, "height", p->placed, p->height);
    hw_json_put_u64_or_null(j, "waste", p->placed, p->height - t->arena->load);
    if (p->placed && t->arena->load > 0) {
        hw_ratio r = fragmentation(t, row);
        hw_json_open(j, "fragmentation", '[');
        hw_json_put_u64(j, NULL, r.over);
        hw_json_put_u64(j, NULL, r.under);
        hw_json_close(j, ']');
        hw_json_put_real(j, "fragmentation_decimal", hw_ratio_value(r));
    } else {
        hw_json_put_null(j, "fragmentation");
        hw_json_put_null(j, "fragmentation_decimal");
    }
    hw_json_put_u64_or_null(j, "bound", row->tried && !row->refusal[0], p->bound);
    hw_json_put_bool(j, "proven_least", proven(row));
    if (t->capacity > 0)
        hw_json_put_bool(j, "fits", p->placed && p->height <= t->capacity);
    hw_json_put_u64(j, "states", p->states);
    hw_json_put_real(j, "seconds", round(row->seconds * 1e9) / 1e9);
    hw_json_close(j, '}');
}

void hw_arena_json(const hw_arena_told *t, hw_json_out *j)
{
    hw_json_put_string(j, "name", t->arena->name);
    if (t->order) {
        hw_json_put_string(j, "hash", t->hash);
        hw_json_put_string(j, "order", t->order);
        hw_json_put_string(j, "accounting", t->accounting);
        hw_json_put_bool(j, "pin_inputs", t->pin_inputs);
    }
    hw_json_put_u64(j, "alignment", t->alignment);
    hw_json_put_u64(j, "buffers", t->arena->n_buffers);
    hw_json_put_u64(j, "load", t->arena->load);
    hw_json_put_i64(j, "load_at", t->arena->load_at);
    hw_json_put_u64_or_null(j, "capacity", t->capacity > 0, t->capacity);
    hw_json_open(j, "allocations", '[');
    for (size_t i = 0; i < t->n_rows; i++)
        row_json(t, &t->rows[i], j);
    hw_json_close(j, ']');
}
