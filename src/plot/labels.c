/*
 * Names beside points, without one over another.  See plot_internal.h.
 *
 * Each in turn, the most crowded first, takes the first free place of those
 * around its point, near ones first.  O(n^2) with a constant of some hundred
 * places.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/plot_internal.h"

typedef hw_plot_box box;

/* What no text may lie over, and how many of the texts have their places. */
typedef struct ground {
    const hw_plot_label *labels;
    size_t n;
    const box *boxes;
    size_t n_boxes;
    box placed[HW_PLOT_LINES];
    const hw_plot_label *owner[HW_PLOT_LINES];
    size_t n_placed;
    double width, height;
} ground;

typedef struct item {
    size_t number, neighbours;
} item;

static box box_of(double left, double base, double wide, double high)
{
    return (box){left, left + wide, base - high / 2, base + high / 2};
}

static bool overlap(const box *a, const box *b)
{
    return a->left < b->right && b->left < a->right && a->low < b->high && b->low < a->high;
}

/* Does the line that leads from a point to its text cross a box? */
static bool crosses(const hw_plot_label *l, const box *b)
{
    enum { PIECES = 24 };
    for (unsigned i = 1; i < PIECES && l->away; i++) {
        double part = (double)i / PIECES;
        double x = l->x + (l->from - l->x) * part, y = l->y + (l->base - l->y) * part;
        if (x > b->left && x < b->right && y > b->low && y < b->high)
            return true;
    }
    return false;
}

static int most_neighbours(const void *x, const void *y)
{
    const item *a = x, *b = y;
    if (a->neighbours != b->neighbours)
        return a->neighbours > b->neighbours ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* `strict`: nor may a line that leads to a text cross anything. */
static bool is_free(const ground *g, const hw_plot_label *l, const box *wanted, bool strict)
{
    enum { POINT = 6, EDGE = 2 };
    if (wanted->left < EDGE || wanted->right > g->width - EDGE || wanted->low < EDGE ||
        wanted->high > g->height - EDGE)
        return false;
    for (size_t i = 0; i < g->n_placed; i++)
        if (overlap(&g->placed[i], wanted) ||
            (strict && (crosses(l, &g->placed[i]) || crosses(g->owner[i], wanted))))
            return false;
    for (size_t i = 0; i < g->n_boxes; i++)
        if (overlap(&g->boxes[i], wanted))
            return false;
    for (size_t i = 0; i < g->n; i++) {
        const hw_plot_label *k = &g->labels[i];
        box point = {k->x - POINT, k->x + POINT, k->y - POINT, k->y + POINT};
        if (overlap(&point, wanted) || (strict && k->x != l->x && crosses(l, &point)))
            return false;
    }
    return true;
}

static double distance(const hw_plot_label *l, const box *b)
{
    double dx = l->x < b->left ? b->left - l->x : l->x > b->right ? l->x - b->right : 0;
    double dy = l->y < b->low ? b->low - l->y : l->y > b->high ? l->y - b->high : 0;
    return hypot(dx, dy);
}

/* Would a reader take the text for that of another point? */
static bool is_doubtful(const ground *g, const hw_plot_label *l, const box *b)
{
    static const double clearly = 4;
    for (size_t i = 0; i < g->n; i++)
        if (&g->labels[i] != l && distance(&g->labels[i], b) < distance(l, b) + clearly)
            return true;
    return false;
}

/* Put the text into the first free place; false: there is none. */
static bool find_place(const ground *g, hw_plot_label *l, double wide, double high, bool strict)
{
    enum { RINGS = 24, TURNS = 16 };
    static const double first = 9, step = 6, near_enough = 16, turn = 3.14159265358979 / TURNS * 2;
    for (unsigned ring = 0; ring < RINGS; ring++)
        for (unsigned t = 0; t < TURNS; t++) {
            /* To the right first, then in turn above and below, round to the left. */
            double angle = turn * (t % 2 ? (t + 1) / 2 : t / 2) * (t % 2 ? 1 : -1);
            double far = first + ring * step, dx = far * cos(angle), dy = far * sin(angle);
            bool middle = fabs(cos(angle)) < 0.3;
            l->left = l->x + dx - (middle ? wide / 2 : dx > 0 ? 0 : wide);
            l->base = l->y + dy;
            l->from = middle ? l->left + wide / 2 : dx > 0 ? l->left : l->left + wide;
            box wanted = box_of(l->left, l->base, wide, high);
            l->away = far > near_enough || is_doubtful(g, l, &wanted);
            if (is_free(g, l, &wanted, strict))
                return true;
        }
    return false;
}

void hw_plot_place_labels(hw_plot_label *labels, size_t n, const hw_plot_box *boxes, size_t n_boxes,
                          unsigned width, unsigned height, unsigned font)
{
    static const double close = 60;
    item order[HW_PLOT_LINES] = {{0, 0}};
    n = n < HW_PLOT_LINES ? n : HW_PLOT_LINES;
    ground g = {labels, n, boxes, n_boxes, .width = width, .height = height};
    for (size_t i = 0; i < n; i++) {
        order[i] = (item){i, 0};
        for (size_t k = 0; k < n; k++)
            order[i].neighbours +=
                hypot(labels[i].x - labels[k].x, labels[i].y - labels[k].y) < close;
    }
    qsort(order, n, sizeof *order, most_neighbours);
    for (size_t i = 0; i < n; i++) {
        hw_plot_label *l = &labels[order[i].number];
        double wide = hw_frame_text_width(l->name, font), high = font + 1;
        if (!find_place(&g, l, wide, high, true) && !find_place(&g, l, wide, high, false)) {
            l->left = l->x + 8;
            l->base = l->y;
            l->away = false;
        }
        g.owner[g.n_placed] = l;
        g.placed[g.n_placed++] = box_of(l->left, l->base, wide, high);
    }
}
