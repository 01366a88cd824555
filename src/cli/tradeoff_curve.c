/* The curve between peak and a second objective.  See tradeoff_curve.h. */
#include "cli/tradeoff_curve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "model/sim.h"

void hw_tradeoff_free(hw_tradeoff *t)
{
    free(t->point);
    memset(t, 0, sizeof *t);
}

static hw_code add(hw_tradeoff *t, hw_tradeoff_point p, hw_error *err)
{
    void *points = t->point;
    if (!hw_grow(&points, &t->capacity, t->n_points + 1, sizeof p))
        return hw_fail_memory(err, "the points of a curve");
    t->point = points;
    t->point[t->n_points++] = p;
    return HW_OK;
}

static bool stopped(const hw_request *request)
{
    return request->stop && *request->stop;
}

/* One point too many: the last of those that are wanted is that of the least peak. */
static hw_code end_early(const hw_model *m, hw_second kind, const uint32_t *order, size_t most,
                         const hw_request *request, hw_meter *meter, uint64_t least, hw_tradeoff *t,
                         bool *proven, hw_error *err)
{
    hw_then then = {.kind = kind};
    uint64_t peak;
    uint32_t *now = hw_copy(order, m->n_nodes, sizeof *now);
    hw_code code = now ? hw_then_improve(m, least, 0, meter, now, &then, err)
                       : hw_fail_memory(err, "an order");
    if (code == HW_OK && stopped(request))
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    if (code == HW_OK)
        code = hw_peak(m, now, &peak, err);
    free(now);
    if (code != HW_OK)
        return code;
    *proven = then.proven;
    t->n_points = most - 1;
    t->whole = false;
    return add(t, (hw_tradeoff_point){peak, then.cost, true}, err);
}

/*
 * From the least cost at any peak down: the best within a cap, then the cap
 * just below its peak.  A point that costs as much as the next is not on the
 * curve.  *proven becomes false where a search was cut short.
 */
static hw_code descend(const hw_model *m, hw_second kind, const uint32_t *order, size_t most,
                       const hw_request *request, uint64_t least, hw_tradeoff *t, bool *proven,
                       hw_error *err)
{
    uint32_t *now = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = now ? HW_OK : hw_fail_memory(err, "an order");
    uint64_t cap = UINT64_MAX, peak = UINT64_MAX;
    hw_request limits = {.limits = request->limits, .stop = request->stop};
    hw_meter meter;
    hw_meter_start(&meter, &limits);
    *proven = true;
    while (code == HW_OK && peak > least && t->n_points <= most) {
        hw_then then = {.kind = kind};
        memcpy(now, order, (size_t)m->n_nodes * sizeof *now);
        code = hw_then_improve(m, cap, 0, &meter, now, &then, err);
        if (code == HW_OK && stopped(request))
            code = hw_fail(err, HW_STOPPED, "stopped by a signal");
        if (code == HW_OK)
            code = hw_peak(m, now, &peak, err);
        if (code != HW_OK)
            break;
        if (!then.proven) {
            *proven = false;
            break;
        }
        if (t->n_points && t->point[t->n_points - 1].cost == then.cost)
            t->n_points--;
        code = add(t, (hw_tradeoff_point){peak, then.cost, true}, err);
        cap = peak - 1;
    }
    t->whole = code == HW_OK && *proven && peak <= least;
    if (code == HW_OK && *proven && t->n_points > most)
        code = end_early(m, kind, order, most, request, &meter, least, t, proven, err);
    for (size_t i = 0; i < t->n_points / 2; i++) {
        hw_tradeoff_point p = t->point[i], *other = &t->point[t->n_points - 1 - i];
        t->point[i] = *other;
        *other = p;
    }
    free(now);
    return code;
}

typedef struct start {
    bool open; /* has an order that was not improved yet */
    uint64_t peak;
    uint32_t *order;
} start;

typedef struct climb {
    const hw_model *m;
    hw_second kind;
    const hw_request *request;
    start start[HW_THEN_STARTS];
    uint32_t *now, *trial;
    hw_cost cost; /* of now */
} climb;

static hw_code find_starts(climb *c, hw_error *err)
{
    for (size_t i = 0; i < HW_THEN_STARTS; i++) {
        hw_answer answer;
        hw_code code = hw_then_start(c->m, i, c->request, &answer, err);
        if (code != HW_OK)
            return code;
        c->start[i] = (start){answer.has_order, answer.peak, answer.order};
    }
    return HW_OK;
}

/*
 * The best order within `cap` from the one in hand and the starts that fit.
 * Each of the points has an equal part of what the limits allow for the curve.
 */
static hw_code climb_to(climb *c, uint64_t cap, size_t n_points, hw_error *err)
{
    hw_then then = {.kind = c->kind};
    hw_meter meter;
    hw_request part = {.limits = c->request->limits, .stop = c->request->stop};
    part.limits.seconds /= (double)n_points;
    if (part.limits.states)
        part.limits.states = part.limits.states / n_points + (part.limits.states < n_points);
    hw_meter_start(&meter, &part);
    size_t bytes = (size_t)c->m->n_nodes * sizeof *c->now;
    hw_code code = hw_then_improve(c->m, cap, 1, &meter, c->now, &then, err);
    c->cost = then.cost;
    for (size_t i = 0; i < HW_THEN_STARTS && code == HW_OK; i++) {
        start *s = &c->start[i];
        if (!s->open || s->peak > cap)
            continue;
        s->open = false;
        memcpy(c->trial, s->order, bytes);
        code = hw_then_improve(c->m, cap, 1, &meter, c->trial, &then, err);
        if (code != HW_OK || then.cost >= c->cost)
            continue;
        memcpy(c->now, c->trial, bytes);
        c->cost = then.cost;
    }
    return code;
}

static hw_code take_point(climb *c, hw_tradeoff *t, hw_error *err)
{
    uint64_t peak;
    hw_code code = hw_peak(c->m, c->now, &peak, err);
    if (code != HW_OK)
        return code;
    while (t->n_points && t->point[t->n_points - 1].peak >= peak &&
           t->point[t->n_points - 1].cost >= c->cost)
        t->n_points--;
    if (t->n_points && c->cost >= t->point[t->n_points - 1].cost)
        return HW_OK;
    return add(t, (hw_tradeoff_point){peak, c->cost, false}, err);
}

/* Caps in equal steps up to where a cap no longer matters, each from the order before. */
static hw_code ascend(climb *c, const uint32_t *order, size_t most, uint64_t least, hw_tradeoff *t,
                      hw_error *err)
{
    uint64_t highest = least;
    hw_code code = find_starts(c, err);
    for (size_t i = 0; i < HW_THEN_STARTS && code == HW_OK; i++)
        if (c->start[i].open && c->start[i].peak > highest)
            highest = c->start[i].peak;
    if (code == HW_OK)
        memcpy(c->now, order, (size_t)c->m->n_nodes * sizeof *order);
    for (size_t i = 0; i < most && code == HW_OK && !stopped(c->request); i++) {
        uint64_t cap = least + (most > 1 ? (highest - least) / (most - 1) * i : 0);
        if (i + 1 == most && most > 1)
            cap = UINT64_MAX;
        code = climb_to(c, cap, most, err);
        if (code == HW_OK)
            code = take_point(c, t, err);
    }
    return code;
}

static hw_code find_points(const hw_model *m, hw_second kind, const uint32_t *order, size_t most,
                           const hw_request *request, uint64_t least, hw_tradeoff *t, hw_error *err)
{
    climb c = {.m = m,
               .kind = kind,
               .request = request,
               .now = HW_NEW(uint32_t, m->n_nodes),
               .trial = HW_NEW(uint32_t, m->n_nodes)};
    hw_code code = c.now && c.trial ? ascend(&c, order, most, least, t, err)
                                    : hw_fail_memory(err, "the points of a curve");
    for (size_t i = 0; i < HW_THEN_STARTS; i++)
        free(c.start[i].order);
    free(c.now);
    free(c.trial);
    return code;
}

hw_code hw_tradeoff_find(const hw_model *m, hw_second kind, const uint32_t *order, size_t most,
                         const hw_request *request, hw_tradeoff *out, hw_error *err)
{
    memset(out, 0, sizeof *out);
    uint64_t least;
    bool proven = false;
    hw_code code = hw_peak(m, order, &least, err);
    if (code == HW_OK)
        code = descend(m, kind, order, most, request, least, out, &proven, err);
    if (code != HW_OK || proven)
        return code;
    hw_tradeoff_free(out);
    return find_points(m, kind, order, most, request, least, out, err);
}

/* ---- The picture. ---- */

enum { WIDTH = 760, HEIGHT = 460, NAME_COLUMNS = 60, MOST_MARKS = 8 };

static void put_script(FILE *out, const hw_model *m, hw_second kind, const hw_tradeoff *t)
{
    const hw_tradeoff_point *last = &t->point[t->n_points - 1];
    double low = (double)t->point[0].peak, high = (double)last->peak;
    double room = high > low ? (high - low) * 0.08 : high > 0 ? high * 0.05 : 1;
    hw_cost span = t->point[0].cost - last->cost;
    if (span > 0 && span <= MOST_MARKS) /* costs are whole: no marks between them */
        (void)fputs("set ytics 1\n", out);
    (void)fputs("$curve << EOD\n", out);
    for (size_t i = 0; i < t->n_points; i++)
        (void)fprintf(out, "%" PRIu64 " %.17g\n", t->point[i].peak, (double)t->point[i].cost);
    (void)fprintf(out, "%.17g %.17g\nEOD\nset title '", high + room, (double)last->cost);
    hw_gnuplot_put_text(out, *m->graph->name ? m->graph->name : "graph", NAME_COLUMNS);
    (void)fprintf(out,
                  ", %s: %s' noenhanced font ',14'\n"
                  "set grid noxtics\n"
                  "set format y '%%.9g'\nset format x '%%.9g'\n"
                  "set xlabel 'greatest peak allowed (bytes)'\n"
                  "set ylabel '%s %s (%s)'\n"
                  "set xrange [%.17g:%.17g]\nset offsets 0,0,graph 0.08,graph 0.08\n"
                  "unset key\n"
                  "plot $curve using 1:2 with steps linecolor rgb live linewidth 2, "
                  "$curve every ::0::%zu using 1:2 with points pointtype 7 pointsize 0.7 "
                  "linecolor rgb live\n",
                  hw_accounting_name(m->accounting),
                  t->whole ? "every point proven" : "best found, not proven",
                  t->whole ? "least" : "best", hw_second_name(kind), hw_second_unit(kind),
                  low - room, high + room, t->n_points - 1);
}

hw_code hw_tradeoff_plot(const hw_model *m, hw_second kind, const hw_tradeoff *t, const char *path,
                         hw_error *err)
{
    char *script = NULL;
    size_t size = 0;
    if (t->n_points == 0)
        return hw_fail(err, HW_LIMIT, "there is no point to draw: give more time");
    FILE *out = hw_text_stream(&script, &size);
    if (!out)
        return hw_fail_memory(err, "a plot");
    put_script(out, m, kind, t);
    hw_code code = fclose(out) == 0 ? hw_gnuplot_render(script, WIDTH, HEIGHT, path, err)
                                    : hw_fail_memory(err, "a plot");
    free(script);
    return code;
}
