/* Allocations as rectangles.  See arena_plot.h. */
#include "arena/arena_plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/ratio.h"
#include "core/text_stream.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "io/memory_curve.h"

/* Pixels. */
enum { WIDTH = 1100, HEIGHT = 760, LEFT = 90, RIGHT = 150, HEAD = 88, FOOT = 62, LEGEND = 18 };

enum {
    MOST_RECTANGLES = 20000,
    LETTER = 6, /* width of a letter of a name, and what a line of text needs */
    LINE = 12,
    NAME_COLUMNS = 24,
    LEAST_LETTERS = 2
};

typedef struct rectangle {
    const hw_span *span;
    uint32_t buffer;
    bool loaded; /* there where the load is greatest */
    double area;
} rectangle;

typedef struct picture {
    const hw_arena_picture *ask;
    const hw_arena *a;
    rectangle *item;
    size_t n, n_drawn;
    int64_t first, end;
    double top; /* of the axis, in units */
    hw_curve_unit unit;
    FILE *out;
} picture;

static int by_area(const void *x, const void *y)
{
    const rectangle *a = x, *b = y;
    if (a->area != b->area)
        return a->area > b->area ? -1 : 1;
    return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

static hw_code gather(picture *p, hw_error *err)
{
    const hw_arena *a = p->a;
    p->item = HW_NEW(rectangle, a->n_spans);
    if (!p->item)
        return hw_fail_memory(err, "a plot");
    p->end = 1;
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        p->first = i == 0 || b->lower < p->first ? b->lower : p->first;
        p->end = i == 0 || b->upper > p->end ? b->upper : p->end;
        for (uint32_t k = b->first_span; k < b->first_span + b->n_spans; k++) {
            const hw_span *s = &a->span[k];
            p->item[p->n++] = (rectangle){s, i, s->first <= a->load_at && a->load_at < s->end,
                                          (double)(s->end - s->first) * (double)s->size};
        }
    }
    if (p->n > 1)
        qsort(p->item, p->n, sizeof *p->item, by_area);
    p->n_drawn = p->n < MOST_RECTANGLES ? p->n : MOST_RECTANGLES;
    return HW_OK;
}

static void put_ratio(FILE *out, hw_ratio r)
{
    if (r.over == r.under)
        (void)fputs("the load", out);
    else if (r.under == 0)
        (void)fputs("above no load", out);
    else
        (void)fprintf(out, "%.4g times the load", hw_ratio_value(r));
}

static void put_titles(const picture *p)
{
    const hw_placement *placed = p->ask->placement;
    FILE *out = p->out;
    (void)fputs("set label 1 '", out);
    const char *slash = strrchr(p->a->name, '/'), *name = slash ? slash + 1 : p->a->name;
    hw_gnuplot_put_text(out, *name ? name : "unnamed graph", 50);
    (void)fprintf(out, ": addresses of %" PRIu32 " buffers by ", p->a->n_buffers);
    hw_gnuplot_put_text(out, p->ask->allocator, 40);
    if (p->ask->order) {
        (void)fputs(", order ", out);
        hw_gnuplot_put_text(out, p->ask->order, 30);
    }
    (void)fprintf(out, "' at screen 0.5, screen %.5f center font 'sans,15'\n", 1 - 20.0 / HEIGHT);
    (void)fputs("set label 2 'Height ", out);
    hw_curve_put_bytes(out, placed->height);
    if (p->unit.bytes > 1)
        (void)fprintf(out, " (%" PRIu64 " bytes)", placed->height);
    (void)fputs(": ", out);
    put_ratio(out, (hw_ratio){placed->height, p->a->load});
    if (placed->height == placed->bound)
        (void)fputs(", proven least", out);
    if (p->n_drawn < p->n)
        (void)fprintf(out, "; the %zu largest of %zu rectangles are drawn", p->n_drawn, p->n);
    (void)fprintf(out, "' at screen 0.5, screen %.5f center\n", 1 - 43.0 / HEIGHT);
}

static void put_legend(const picture *p, unsigned number, unsigned from_right, const char *colour,
                       const char *text)
{
    (void)fprintf(p->out, "set label %u '%s' at screen %.5f, screen %.5f right tc rgb %s\n", number,
                  text, 1 - (double)(RIGHT + from_right) / WIDTH,
                  1 - (double)(HEAD - LEGEND) / HEIGHT, colour);
}

static void put_frame(const picture *p)
{
    FILE *out = p->out;
    (void)fprintf(out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH, 1 - (double)HEAD / HEIGHT,
                  (double)FOOT / HEIGHT);
    (void)fprintf(out,
                  "set xrange [%" PRId64 ":%" PRId64 "]\nset yrange [0:%.9g]\nunset grid\n"
                  "set format x '%%.7g'\n",
                  p->first, p->end, p->top);
    (void)fprintf(out, "set ylabel 'address (%s)' offset 0.5\nset xlabel '%s'\n", p->unit.name,
                  p->ask->order ? "step (a buffer that lives during step i covers i to i + 1)"
                                : "time");
    put_legend(p, 3, 0, "other_text", "\xe2\x96\xac at other times");
    put_legend(p, 4, 130, "usage", "\xe2\x96\xac in memory where the load is greatest");
}

static bool put_rectangles(const picture *p, const char *name, bool loaded)
{
    bool any = false;
    (void)fprintf(p->out, "$%s << EOD\n", name);
    for (size_t i = 0; i < p->n_drawn; i++) {
        const rectangle *r = &p->item[i];
        if (r->loaded != loaded)
            continue;
        double low = (double)p->ask->placement->offset[r->buffer] / p->unit.bytes;
        double high = low + (double)r->span->size / p->unit.bytes;
        double left = (double)r->span->first, right = (double)r->span->end;
        (void)fprintf(p->out, "%.12g %.9g %.12g %.12g %.9g %.9g\n", (left + right) / 2,
                      (low + high) / 2, left, right, low, high);
        any = true;
    }
    (void)fputs("EOD\n", p->out);
    return any;
}

/* Names of the rectangles that have room for some letters of them. */
static void put_names(const picture *p)
{
    double across = (double)(WIDTH - LEFT - RIGHT) / (double)(p->end - p->first);
    double up = (double)(HEIGHT - HEAD - FOOT) / p->top;
    unsigned number = 10;
    for (size_t i = 0; i < p->n_drawn; i++) {
        const rectangle *r = &p->item[i];
        const char *name = p->ask->names ? p->ask->names[r->buffer] : p->a->label[r->buffer];
        double size = (double)r->span->size / p->unit.bytes;
        double low = (double)p->ask->placement->offset[r->buffer] / p->unit.bytes;
        double wide = (double)(r->span->end - r->span->first) * across, high = size * up;
        size_t letters = hw_gnuplot_characters(name);
        if (letters > NAME_COLUMNS)
            letters = NAME_COLUMNS;
        bool upright = (wide < (double)letters * LETTER || high < LINE) && high > wide;
        double along = upright ? high : wide, beside = upright ? wide : high;
        size_t room = (size_t)(along / LETTER);
        if (beside < LINE || room < LEAST_LETTERS || (room < letters && room < 6))
            continue;
        (void)fprintf(p->out, "set label %u '", number++);
        hw_gnuplot_put_text(p->out, name, room < letters ? room : letters);
        (void)fprintf(p->out, "' at %.12g, %.9g center%s font 'sans,8' front\n",
                      (double)r->span->first + (double)(r->span->end - r->span->first) / 2,
                      low + size / 2, upright ? " rotate by 90" : "");
    }
}

/* The text at the right of a line across, moved up or down by `shift` pixels. */
static void put_level(const picture *p, unsigned number, uint64_t at, const char *name, int shift)
{
    (void)fprintf(p->out, "set label %u '%s ", number, name);
    hw_curve_put_bytes(p->out, at);
    (void)fprintf(p->out, "' at graph 1.006, first %.9g left font 'sans,10' front\n",
                  (double)at / p->unit.bytes + shift * p->top / (HEIGHT - HEAD - FOOT));
}

/* Height and load; their texts apart where the lines are close. */
static void put_levels(const picture *p)
{
    uint64_t height = p->ask->placement->height, load = p->a->load;
    double apart = (double)(height - load) / p->unit.bytes / p->top * (HEIGHT - HEAD - FOOT);
    int shift = apart < LINE ? LINE / 2 : 0;
    if (height == load) {
        put_level(p, 5, height, "height = load", 0);
        return;
    }
    put_level(p, 5, height, "height", shift);
    put_level(p, 6, load, "load", -shift);
}

static void put_script(picture *p)
{
    FILE *out = p->out;
    uint64_t height = p->ask->placement->height;
    p->unit = hw_curve_unit_for(height);
    p->top = height > 0 ? (double)height / p->unit.bytes * 1.08 : 1;
    (void)fputs("unset key\n", out);
    put_titles(p);
    put_frame(p);
    put_levels(p);
    bool other = put_rectangles(p, "other", false), loaded = put_rectangles(p, "loaded", true);
    put_names(p);
    static const char *const style = "using 1:2:3:4:5:6 with boxxyerror fs solid 1 border lc rgb "
                                     "frame lw 0.5 fc rgb";
    (void)fputs("plot ", out);
    if (other)
        (void)fprintf(out, "$other %s other_area notitle, ", style);
    if (loaded)
        (void)fprintf(out, "$loaded %s usage_area notitle, ", style);
    (void)fprintf(out, "%.9g with lines lw 1.6 lc rgb ink notitle", (double)height / p->unit.bytes);
    if (height != p->a->load) /* an arrow would not be dashed in svg after boxes */
        (void)fprintf(out, ", %.9g with lines dt (10,6) lw 1.6 lc rgb ink notitle",
                      (double)p->a->load / p->unit.bytes);
    (void)fputc('\n', out);
}

hw_code hw_arena_plot(const hw_arena_picture *ask, const char *path, hw_error *err)
{
    picture p = {.ask = ask, .a = ask->arena};
    char *script = NULL;
    size_t size = 0;
    hw_code code = gather(&p, err);
    if (code == HW_OK) {
        p.out = hw_text_stream(&script, &size);
        if (!p.out)
            code = hw_fail_memory(err, "a plot");
    }
    if (code == HW_OK) {
        put_script(&p);
        bool whole = !ferror(p.out);
        if (fclose(p.out) != 0 || !whole)
            code = hw_fail_memory(err, "a plot");
    }
    if (code == HW_OK)
        code = hw_gnuplot_render(script, WIDTH, HEIGHT, path, err);
    free(script);
    free(p.item);
    return code;
}
