/*
 * Orders of one graph at several sizes, and what each costs at every other
 * size: the regret.
 *
 * The regret of order o at size b is peak(o, b) - best(b), where best(b) is
 * the least peak at b that any order in hand has.  An order that was found at
 * one size serves every other: the graph is the same, so it is legal there.
 *
 * Where every size is that of another value times one factor c (all tensors
 * scaled alike), live bytes, new bytes, workspaces and in-place savings (a sum
 * of minima) of every step are multiplied by c; hence so is the peak of every
 * order, the order of peaks is the same at both values, and the regret of an
 * optimal order is 0.  Rounding a size up to a whole byte adds less than a
 * byte a storage and workspace: then the regret is less than one byte for each
 * of those that are in memory at once.
 */
#ifndef HW_BUCKETS_REGRET_H
#define HW_BUCKETS_REGRET_H

#include "core/ratio.h"
#include "import/sweep.h"
#include "model/second.h"
#include "solve/solver.h"

/* What is known of one size. */
typedef struct hw_size_answer {
    uint64_t value;    /* of the dimension                                       */
    hw_status status;  /* of the best order here: optimal or feasible            */
    uint64_t best;     /* its peak                                               */
    uint64_t bound;    /* no order has a smaller peak                            */
    size_t order;      /* which order it is, an index of hw_regret.order         */
    bool searched;     /* the solver ran here                                    */
    bool adopted;      /* the best order was found at another size               */
    bool proportional; /* every size is that at the first value times one factor */
    uint64_t states;   /* that the solver counted here                           */
    double seconds;    /* that the solver took here                              */
    bool has_again;    /* a second solver, meant for run time, has an order here */
    uint64_t again_peak;
    double again_seconds; /* least of several runs */
} hw_size_answer;

/* Released by hw_regret_clear(). */
typedef struct hw_regret {
    uint32_t n_nodes;
    size_t n_sizes, n_orders;
    hw_size_answer *size;
    uint32_t **order;   /* the distinct orders, n_nodes node indices each, in the order in
                           which they were found */
    size_t *found_at;   /* by order: the first size whose search found it */
    uint64_t *peak;     /* of order o at size b: peak[o * n_sizes + b]    */
    bool cut;           /* a stop came before every size had its search   */
    bool has_again;     /* a second solver ran                            */
    bool with_resident; /* constants are part of every figure             */
} hw_regret;

typedef struct hw_regret_request {
    const hw_sweep *sweep;
    const hw_sweep_axis *axis; /* of the sweep */
    hw_accounting accounting;
    bool pin_inputs, with_resident;
    const hw_solver_row *solver;
    const hw_param_value *params;
    const hw_solver_row *again; /* NULL: none */
    const hw_param_value *again_params;
    hw_limits limits; /* of each run of a solver */
    uint64_t seed;
    uint32_t threads;
    const volatile sig_atomic_t *stop;
    void (*progress)(void *context, size_t done, size_t of); /* NULL: nobody looks */
    void *context;
} hw_regret_request;

/*
 * Solve every size, then measure every order at every size, by the simulator
 * and by the independent checker.  A stop ends the searches; sizes that had
 * none take the best order of the others.  HW_CHECK_FAILED: no order is legal;
 * HW_LIMIT: a solver found no order; HW_STOPPED: a stop before the first
 * order; HW_BAD_INPUT: a graph that differs in more than sizes; HW_INTERNAL:
 * simulator and checker disagree; errors of the solver; HW_NO_MEMORY.
 * O(sizes * orders * graph) beside the solver.
 */
hw_code hw_regret_find(const hw_regret_request *request, hw_regret *out, hw_error *err);
void hw_regret_clear(hw_regret *r);

static inline uint64_t hw_regret_peak(const hw_regret *r, size_t order, size_t size)
{
    return r->peak[order * r->n_sizes + size];
}

/* Bytes above the best at `size`. */
static inline uint64_t hw_regret_bytes(const hw_regret *r, size_t order, size_t size)
{
    return hw_regret_peak(r, order, size) - r->size[size].best;
}

/*
 * Is every size that counts in b (storages that are not constants, workspaces)
 * the one in a times one factor, exactly?  The graphs are the same but for
 * sizes.  O(graph).
 */
bool hw_sizes_proportional(const hw_graph *a, const hw_graph *b);

#endif
