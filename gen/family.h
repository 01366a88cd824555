/*
 * The one interface of all generators: a family is a row in a table.
 *
 * Instance i of a family is a function of (campaign seed, family, parameters,
 * i) alone (highwater-model(7)).
 */
#ifndef HW_GEN_FAMILY_H
#define HW_GEN_FAMILY_H

#include "core/params.h"
#include "core/rng.h"
#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One graph, the caller's, from the values of the row's parameters and a
 * generator that the seed of the instance has set.  HW_USAGE: parameters that
 * contradict each other.  HW_NO_MEMORY.
 */
typedef hw_code (*hw_generate_function)(const hw_param_value *params, gsl_rng *rng, hw_graph **out,
                                        hw_error *err);

/* A family: a static row. */
typedef struct hw_family_row {
    const char *name;              /* as commands and suites name it */
    bool random;                   /* false: every instance is the same */
    const hw_param_row *params;    /* n_params of them */
    size_t n_params;               /* how many */
    const char *help;              /* one line                          */
    const char *source;            /* paper, year, or "this project"    */
    hw_generate_function generate; /* makes an instance */
} hw_family_row;

/* All rows, in the order of gen/registry.c. */
extern const hw_family_row *const hw_families[];
extern const size_t hw_n_families; /* how many */

/* The row named by the first `length` bytes of name, or NULL. */
const hw_family_row *hw_family_find(const char *name, size_t length);

/* Parse "NAME" or "NAME:param=value,..."; as hw_solver_parse(). */
hw_code hw_family_parse(const char *spec, const hw_family_row **row, hw_param_value *values,
                        hw_error *err);

/*
 * Instance `index` of a family.  The graph is named "FAMILY-INDEX" and its
 * source tells family, parameters, campaign seed and index.  HW_USAGE:
 * parameters that contradict each other.  HW_NO_MEMORY.
 */
hw_code hw_generate(const hw_family_row *row, const hw_param_value *values, uint64_t campaign_seed,
                    uint64_t index, hw_graph **out, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
