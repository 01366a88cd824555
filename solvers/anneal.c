/*
 * anneal: simulated annealing on orders.
 *
 * A move takes a node, or a block of nodes that follow one another, to another
 * place between its last predecessor and its first successor; the order stays
 * legal.  Half of the moves begin near a step that uses much, half anywhere, and
 * near places are likelier than far ones.  A move that raises the energy by d is
 * made with probability exp(-d / T).  The energy is the sum over all steps above
 * a level of the squares of what they use beyond it (lns_merge.h has the same
 * penalty): the peak alone would be flat nearly everywhere.  The level lies a
 * twentieth of the least peak so far below it.  The answer is judged by its peak
 * alone, in whole numbers, and is never worse than the start.
 *
 * T falls from `hot` to `cold`, in parts of what a step at the peak costs, by
 * the same factor at each of STAGES stages, over `sweeps` moves a node; a limit
 * that will end it sooner is what the stages are spread over instead.
 *
 * GSL: its gsl_siman_solve() cannot be stopped or metered, copies the whole state
 * for each try, and knows no change of energy without the energy of all; so the
 * loop is written here, over a law of GSL's, gsl_ran_exponential, and the
 * generator of core/rng.h.  (d <= T times an exponential variate is as likely as
 * exp(-d / T).)  Floating point decides moves only.
 *
 * A move costs the uses of the nodes between its two places, whatever the size
 * of the graph (local_order.h).
 *
 * Source: Kirkpatrick, Gelatt and Vecchi 1983, doi:10.1126/science.220.4598.671.
 */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/rng.h"
#include "solvers/local_order.h"
#include "solvers/start.h"

enum { SWEEPS, HOT, COLD, REACH, BLOCK, START, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [SWEEPS] = {"sweeps", HW_PARAM_INT, 1, 1e9, 1000, NULL, "moves a node"},
    [HOT] = {"hot", HW_PARAM_REAL, 1e-9, 1e9, 10, NULL,
             "first temperature, in what a step at the peak costs"},
    [COLD] = {"cold", HW_PARAM_REAL, 1e-9, 1e9, 0.1, NULL, "last temperature"},
    [REACH] = {"reach", HW_PARAM_INT, 1, 1e6, 2000, NULL, "how far a move may go, in positions"},
    [BLOCK] = {"block", HW_PARAM_INT, 1, 1e4, 32, NULL, "nodes that move together, at most"},
    [START] = START_PARAM,
};

enum { STAGES = 256, LEVEL_PART = 20, STEPS_A_STATE = 64 };

/* A block low .. middle - 1 changes places with middle .. high - 1. */
typedef struct move {
    uint32_t low, middle, high;
} move;

typedef struct annealing {
    const hw_model *m;
    const hw_request *request;
    hw_answer *answer;
    hw_meter meter;
    gsl_rng *rng;
    uint32_t *work; /* the working order */
    local_order l;
    uint32_t *scratch;
    uint64_t level;
    double unit;                /* what a step at the peak lies above the level */
    double temperature;         /* in squares of that                           */
    uint32_t off_low, off_high; /* where the working order may differ from the answer's */
} annealing;

/* ---- Energy and answer. ---- */

/* The level below the least peak so far, for the stage that begins. */
static void begin_stage(annealing *s, double progress)
{
    const double hot = s->request->params[HOT].r, cold = s->request->params[COLD].r;
    uint64_t peak = s->answer->peak, below = peak / LEVEL_PART + 1;
    s->level = below < peak ? peak - below : 0;
    s->unit = (double)(peak - s->level);
    s->temperature = hot * pow(cold / hot, progress);
}

static double energy_within(const annealing *s, uint32_t low, uint32_t high)
{
    double sum = 0;
    for (uint32_t i = low; i < high; i++)
        if (s->l.usage[i] > s->level) {
            double above = (double)(s->l.usage[i] - s->level) / s->unit;
            sum += above * above;
        }
    return sum;
}

/* The working order becomes the answer if its peak is lower. */
static void take(annealing *s)
{
    uint64_t peak = local_order_peak(&s->l);
    if (peak >= s->answer->peak)
        return;
    memcpy(s->answer->order + s->off_low, s->work + s->off_low,
           (s->off_high - s->off_low) * sizeof *s->work);
    s->off_low = s->m->n_nodes;
    s->off_high = 0;
    (void)hw_answer_improve(s->m, s->answer, s->answer->order, peak);
}

/* ---- Moves. ---- */

/* 1 .. most, about as likely in each of the ranges between powers of two. */
static uint32_t draw_distance(gsl_rng *rng, uint32_t most)
{
    uint32_t bits = 0;
    while (bits < 30 && UINT32_C(2) << bits <= most)
        bits++;
    uint32_t distance = UINT32_C(1) << hw_rng_below(rng, bits + 1);
    distance += (uint32_t)hw_rng_below(rng, distance);
    return distance < most ? distance : most;
}

/* Where the block low .. high - 1 may begin at the earliest. */
static uint32_t first_place(const local_order *l, uint32_t low, uint32_t high, uint32_t reach)
{
    const hw_rows *preds = &l->m->graph->preds;
    uint32_t first = low > reach ? low - reach : 0;
    for (uint32_t at = low; at < high; at++)
        for (uint32_t i = preds->offset[l->order[at]]; i < preds->offset[l->order[at] + 1]; i++) {
            uint32_t before = l->position[preds->item[i]];
            if (before >= first && before < low)
                first = before + 1;
        }
    return first;
}

/* Where it may end at the latest. */
static uint32_t last_place(const local_order *l, uint32_t low, uint32_t high, uint32_t reach)
{
    const hw_rows *succs = &l->m->graph->succs;
    uint32_t last = l->n - high > reach ? high + reach : l->n;
    for (uint32_t at = low; at < high; at++)
        for (uint32_t i = succs->offset[l->order[at]]; i < succs->offset[l->order[at] + 1]; i++) {
            uint32_t after = l->position[succs->item[i]];
            if (after >= high && after < last)
                last = after;
        }
    return last;
}

/* A move that keeps all edges; false: the block that was drawn has none. */
static bool draw_move(annealing *s, move *x)
{
    const local_order *l = &s->l;
    const uint32_t reach = (uint32_t)s->request->params[REACH].i;
    const uint32_t block = (uint32_t)s->request->params[BLOCK].i;
    const uint64_t above = s->level < l->most[1] ? s->level + 1 : l->most[1];
    uint64_t coins = hw_rng_u64(s->rng);
    uint32_t at = coins & 1 ? local_order_draw(l, hw_rng_u64(s->rng), above)
                            : (uint32_t)hw_rng_below(s->rng, l->n);
    uint32_t length = coins & 2 ? 1 : 1 + (uint32_t)hw_rng_below(s->rng, block);
    length = length < l->n - at ? length : l->n - at;
    if (coins & 4) {
        uint32_t last = last_place(l, at, at + length, reach);
        if (last == at + length)
            return false;
        uint32_t distance = draw_distance(s->rng, last - (at + length));
        *x = (move){at, at + length, at + length + distance};
    } else {
        uint32_t first = first_place(l, at, at + length, reach);
        if (first == at)
            return false;
        *x = (move){at - draw_distance(s->rng, at - first), at, at + length};
    }
    return true;
}

static bool fits_windows(const annealing *s, const move *x)
{
    const hw_model *m = s->m;
    const uint32_t later = x->high - x->middle, sooner = x->middle - x->low;
    for (uint32_t at = x->low; m->earliest && at < x->high; at++) {
        uint32_t v = s->work[at], to = at < x->middle ? at + later : at - sooner;
        if (to < m->earliest[v] || to > m->latest[v])
            return false;
    }
    return true;
}

static void make(annealing *s, const move *x)
{
    uint32_t first = x->middle - x->low, second = x->high - x->middle;
    memcpy(s->scratch, s->work + x->low, first * sizeof *s->work);
    memmove(s->work + x->low, s->work + x->middle, second * sizeof *s->work);
    memcpy(s->work + x->low + second, s->scratch, first * sizeof *s->work);
    local_order_relay(&s->l, x->low, x->high);
}

static void try_move(annealing *s)
{
    move x;
    uint64_t steps = 0;
    if (draw_move(s, &x) && fits_windows(s, &x)) {
        double before = energy_within(s, x.low, x.high);
        make(s, &x);
        double rise = energy_within(s, x.low, x.high) - before;
        steps = x.high - x.low;
        if (rise <= 0 || rise <= s->temperature * gsl_ran_exponential(s->rng, 1)) {
            s->off_low = x.low < s->off_low ? x.low : s->off_low;
            s->off_high = x.high > s->off_high ? x.high : s->off_high;
            take(s);
        } else {
            make(s, &(move){x.low, x.low + (x.high - x.middle), x.high});
        }
    }
    (void)hw_meter_count(&s->meter, 1 + steps / STEPS_A_STATE);
}

/* ---- Cooling. ---- */

/* How much of the run is behind, 0 to 1: of its moves, or of a limit that ends it sooner. */
static double progress_of(const annealing *s, uint64_t moves)
{
    const hw_limits *limits = &s->request->limits;
    double sweeps = (double)s->request->params[SWEEPS].i;
    double progress = (double)moves / (sweeps * (double)s->m->n_nodes);
    if (limits->states)
        progress = fmax(progress, (double)s->meter.states / (double)limits->states);
    if (limits->seconds > 0)
        progress = fmax(progress, (hw_wall_seconds() - s->meter.start_seconds) / limits->seconds);
    return fmin(progress, 1);
}

static void cool(annealing *s)
{
    enum { LOOK_EVERY = 64 };
    uint64_t bound = s->m->simple_bound;
    double stage = -1;
    if (s->request->has_budget && s->request->budget_bytes > bound)
        bound = s->request->budget_bytes;
    for (uint64_t moves = 0; s->answer->peak > bound && !s->meter.over; moves++) {
        if (moves % LOOK_EVERY == 0) {
            double progress = progress_of(s, moves);
            if (progress >= 1)
                break;
            if (floor(progress * STAGES) > stage) {
                stage = floor(progress * STAGES);
                begin_stage(s, stage / STAGES);
            }
        }
        try_move(s);
    }
}

static hw_code anneal(annealing *s, hw_error *err)
{
    const uint32_t n = s->m->n_nodes;
    s->off_low = n;
    s->rng = hw_rng_new(s->request->seed);
    s->work = hw_copy(s->answer->order, n, sizeof *s->work);
    s->scratch = HW_NEW(uint32_t, n);
    hw_code code = s->rng && s->work && s->scratch ? HW_OK : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = local_order_open(&s->l, s->m, s->work, err);
    if (code == HW_OK)
        cool(s);
    local_order_close(&s->l);
    if (s->rng)
        gsl_rng_free(s->rng);
    free(s->work);
    free(s->scratch);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    annealing s = {.m = m, .request = request, .answer = answer};
    hw_meter_start(&s.meter, request);
    hw_code code = start_order(m, request->params[START].i, request, &s.meter, answer, err);
    if (code == HW_OK && answer->has_order && !s.meter.over)
        code = anneal(&s, err);
    answer->states = s.meter.states;
    answer->limit_reached = s.meter.over;
    return code;
}

const hw_solver_row hw_solver_anneal = {
    .name = "anneal",
    .kind = HW_SOLVER_HEURISTIC,
    .random = true,
    .budget_aware = true,
    .counts = "moves, or as much work",
    .params = params,
    .n_params = N_PARAMS,
    .help = "simulated annealing: nodes and blocks change places, at falling temperatures",
    .source = "Kirkpatrick, Gelatt and Vecchi 1983, doi:10.1126/science.220.4598.671",
    .solve = solve,
};
