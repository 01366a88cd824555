/*
 * Random series-parallel partial orders of nodes (vertex series-parallel
 * DAGs): 0 .. n-1 is split at a uniform place into two parts, side by side or
 * one before the other, and so on down to single nodes.
 *
 * The edges are the covering pairs (last nodes of the first part x first nodes
 * of the second); where these are more than `dense` times the nodes of both
 * parts, the parts are put side by side instead.  Then `extra` edges a node
 * that are superfluous for the order: pairs at most `span` numbers apart of
 * which one comes before the other (those that already are covering pairs
 * count but add nothing, and drawing ends after eight attempts each).  Covering
 * edges a node vary from graph to graph and grow slowly with n.
 *
 * With share=no every tensor has one consumer: the graphs of the solver
 * series-parallel, at any number of edges.  O(n + m).
 * Source: Valdes, Tarjan and Lawler 1982, doi:10.1137/0211023 (the class).
 */
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, PARALLEL, DENSE, EXTRA, SPAN, DRESS };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes"},
    {"parallel", HW_PARAM_REAL, 0, 1, 0.5, NULL, "probability of a split side by side"},
    {"dense", HW_PARAM_REAL, 0, 1000, 1, NULL, "most edges of a split, by the nodes of its parts"},
    {"extra", HW_PARAM_REAL, 0, 100, 0, NULL, "superfluous edges a node"},
    {"span", HW_PARAM_INT, 1, HW_MOST_NODES, 30, NULL, "how far a superfluous edge may lead"},
    HW_DRESS_ROWS,
};

/* Nodes linked by next[]; both HW_NONE: none. */
typedef struct chain {
    uint32_t head, tail;
} chain;

/* A part low .. high - 1 of the numbers; children follow parents. */
typedef struct part {
    uint32_t low, high, middle;
    uint32_t left, right; /* parts */
    bool series;          /* drawn; taken back where too dense */
    chain first, last;    /* nodes with none before, none behind them in the part */
    uint32_t n_first, n_last;
    uint32_t place; /* of `low` in the second numbering */
} part;

typedef struct order {
    uint32_t n;
    part *part;           /* 2 n - 1, the root first                            */
    uint32_t *next_first; /* by node: in the chain of first nodes; HW_NONE      */
    uint32_t *next_last;  /* by node: in the chain of last nodes                */
    uint32_t *second;     /* u < v: u before v exactly if second[u] < second[v] */
} order;

/* Split from the root down: parts are their own queue. */
static void split(order *o, double parallel, gsl_rng *rng)
{
    uint32_t made = 1;
    o->part[0] = (part){.low = 0, .high = o->n};
    for (uint32_t i = 0; i < made; i++) {
        part *p = &o->part[i];
        if (p->high - p->low == 1)
            continue;
        p->middle = p->low + 1 + (uint32_t)hw_rng_below(rng, p->high - p->low - 1);
        p->series = !hw_draw_chance(rng, parallel);
        p->left = made++;
        p->right = made++;
        o->part[p->left] = (part){.low = p->low, .high = p->middle};
        o->part[p->right] = (part){.low = p->middle, .high = p->high};
    }
}

static chain both(chain a, chain b, uint32_t *next)
{
    next[a.tail] = b.head;
    return (chain){a.head, b.tail};
}

/* The edges of all splits, from the leaves up. */
static hw_code cover(order *o, hw_dag *d, double dense, hw_error *err)
{
    for (uint32_t i = 2 * o->n - 1; i-- > 0;) {
        part *p = &o->part[i];
        if (p->high - p->low == 1) {
            p->first = p->last = (chain){p->low, p->low};
            p->n_first = p->n_last = 1;
            continue;
        }
        const part *a = &o->part[p->left], *b = &o->part[p->right];
        double pairs = (double)a->n_last * b->n_first;
        p->series = p->series && (pairs <= 1 || pairs <= dense * (p->high - p->low));
        if (!p->series) {
            p->first = both(a->first, b->first, o->next_first);
            p->last = both(a->last, b->last, o->next_last);
            p->n_first = a->n_first + b->n_first;
            p->n_last = a->n_last + b->n_last;
            continue;
        }
        p->first = a->first;
        p->n_first = a->n_first;
        p->last = b->last;
        p->n_last = b->n_last;
        uint32_t u = a->last.head;
        for (uint32_t k = 0; k < a->n_last; k++, u = o->next_last[u]) {
            uint32_t v = b->first.head;
            for (uint32_t l = 0; l < b->n_first; l++, v = o->next_first[v]) {
                hw_code code = hw_dag_add(d, u, v, err);
                if (code != HW_OK)
                    return code;
            }
        }
    }
    return HW_OK;
}

/* A second numbering in which parts side by side stand the other way round. */
static void number(order *o)
{
    o->part[0].place = 0;
    for (uint32_t i = 0; i < 2 * o->n - 1; i++) {
        const part *p = &o->part[i];
        if (p->high - p->low == 1) {
            o->second[p->low] = p->place;
            continue;
        }
        uint32_t left = p->middle - p->low, right = p->high - p->middle;
        o->part[p->left].place = p->place + (p->series ? 0 : right);
        o->part[p->right].place = p->place + (p->series ? left : 0);
    }
}

static hw_code add_superfluous(const order *o, hw_dag *d, const hw_param_value *v, gsl_rng *rng,
                               hw_error *err)
{
    enum { ATTEMPTS = 8 };
    uint64_t wanted = (uint64_t)(v[EXTRA].r * o->n), attempts = wanted * ATTEMPTS;
    hw_code code = HW_OK;
    for (; wanted && attempts && code == HW_OK; attempts--) {
        uint32_t u = (uint32_t)hw_rng_below(rng, o->n);
        uint64_t to = u + 1 + hw_rng_below(rng, (uint64_t)v[SPAN].i);
        if (to >= o->n || o->second[u] > o->second[to])
            continue;
        code = hw_dag_add(d, u, (uint32_t)to, err);
        wanted--;
    }
    return code;
}

static hw_code draw(hw_dag *d, const hw_param_value *v, gsl_rng *rng, hw_error *err)
{
    uint32_t n = d->n;
    order o = {n, HW_NEW(part, 2 * (size_t)n - 1), HW_NEW(uint32_t, n), HW_NEW(uint32_t, n),
               HW_NEW(uint32_t, n)};
    hw_code code = HW_OK;
    if (!o.part || !o.next_first || !o.next_last || !o.second) {
        code = hw_fail_memory(err, "a series-parallel order");
    } else {
        split(&o, v[PARALLEL].r, rng);
        code = cover(&o, d, v[DENSE].r, err);
        if (code == HW_OK) {
            number(&o);
            code = add_superfluous(&o, d, v, rng, err);
        }
    }
    free(o.part);
    free(o.next_first);
    free(o.next_last);
    free(o.second);
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    hw_dag d;
    hw_dag_start(&d, (uint32_t)v[N].i);
    code = draw(&d, v, rng, err);
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_series_parallel_order = {
    .name = "series-parallel-order",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "random series-parallel partial orders, of any density",
    .source = "Valdes, Tarjan and Lawler 1982",
    .generate = generate,
};
