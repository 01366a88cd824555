/*
 * The steps of `highwater transform`: a row each, with parameters, applied one
 * after the other.
 */
#ifndef HW_TRANSFORM_STEPS_H
#define HW_TRANSFORM_STEPS_H

#include "core/params.h"
#include "transform/fuse.h"

typedef struct hw_step_context hw_step_context;

typedef struct hw_step_row {
    const char *name, *help;
    const hw_param_row *params;
    size_t n_params;
    bool fuses;       /* tells context->fused                  */
    bool takes_order; /* asks context->order for one           */

    /* Another graph out of g, the caller's.  HW_BAD_INPUT: not of this graph; HW_NO_MEMORY,
     * HW_STOPPED. */
    hw_code (*run)(const hw_graph *g, const hw_param_value *values, const hw_step_context *context,
                   hw_graph **out, hw_error *err);
} hw_step_row;

/* What steps need from outside; all zeros: nothing. */
struct hw_step_context {
    const hw_operators *operators; /* needed to fuse                                */
    const hw_patterns *patterns;   /* in place of the built-in ones; NULL: those    */
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* or NULL */
    void *context;                     /* of the two below, which may be NULL */

    /* The new source order for g, n_nodes node indices. */
    hw_code (*order)(void *context, const hw_graph *g, uint32_t *order, hw_error *err);

    /* g was fused. */
    hw_code (*fused)(void *context, const hw_graph *g, const hw_fusion *f, const hw_graph *fused,
                     const hw_patterns *patterns, hw_error *err);
};

/* All steps. */
extern const hw_step_row hw_step_rows[];
extern const size_t hw_n_steps;

/* A step and its parameters. */
typedef struct hw_step {
    const hw_step_row *row;
    hw_param_value values[4];
} hw_step;

/* "NAME" or "NAME:param=value,...".  HW_USAGE, with the nearest name. */
hw_code hw_step_parse(const char *text, hw_step *out, hw_error *err);

/* Apply one.  Errors of the step. */
hw_code hw_step_run(const hw_step *step, const hw_graph *g, const hw_step_context *context,
                    hw_graph **out, hw_error *err);

#endif
