/*
 * A suite: what a sweep runs, read from a text file (highwater-results(5)).
 *
 * A suite has sections; a section has sources (an expanded row of a family, or
 * a graph file), solvers, accountings and limits.  The plan is a list of
 * units: one instance under one accounting, to be run by every solver of its
 * section.  The order of the plan is the order of the file.
 */
#ifndef HW_BENCH_SUITE_H
#define HW_BENCH_SUITE_H

#include "gen/family.h"
#include "io/command.h"
#include "solve/solver.h"

/* Limits of a run; 0: none. */
typedef struct hw_suite_limits {
    hw_limits solver;           /* kept by the solver itself                            */
    double kill_after_seconds;  /* a run is killed after this long                      */
    double cpu_seconds;         /* and after this much CPU time of all its threads      */
    uint64_t memory_kill_bytes; /* it gets no more than this, beyond what its process had */
    double measure_seconds;     /* calls are repeated until they took so long together  */
    uint64_t most_nodes;        /* larger graphs are not run at all                     */
} hw_suite_limits;

/* What suites measure for that do not say. */
#define HW_SUITE_MEASURE_SECONDS 1e-4

typedef struct hw_suite_solver {
    char *spec; /* the column `solver` of its results: as written, "lookahead:k=5", or the
                   name that a foreign one was given */
    char *written;
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT]; /* texts among them stand in `written`           */
    const char *command;                   /* of a foreign solver, in `written`; NULL: none */
    char digest[HW_COMMAND_DIGEST];        /* hw_command_digest() of that, when it was read */
    bool proves;                           /* listed as `optimum`, so an exact one */
    hw_suite_limits limits;
} hw_suite_solver;

typedef struct hw_suite_section {
    char *name;
    hw_suite_solver *solvers;
    size_t n_solvers;
    hw_suite_limits limits; /* of the solvers without their own  */
    bool accounting[2];     /* by hw_accounting                  */
    bool pinned[2];         /* without and with pinned inputs    */
} hw_suite_section;

/* One set of parameters of a family, or one graph file. */
typedef struct hw_suite_source {
    uint32_t section;
    const hw_family_row *family; /* NULL: a file                        */
    hw_param_value *values;      /* of the family                       */
    char *label;                 /* "n=8,degree=2"; a file's name       */
    char *path;                  /* of the file                         */
    char *sizes;                 /* law of the tensor sizes; NULL: none */
    unsigned line;               /* of the suite's file                 */
    uint64_t n_instances;
} hw_suite_source;

typedef struct hw_suite_unit {
    uint32_t source;
    uint8_t accounting; /* hw_accounting */
    bool pinned;
    uint64_t index; /* of the instance */
} hw_suite_unit;

typedef struct hw_suite {
    char *name;
    uint64_t seed;
    hw_suite_section *sections;
    size_t n_sections;
    hw_suite_source *sources;
    size_t n_sources;
    hw_suite_unit *units; /* the plan */
    size_t n_units;
    uint64_t n_runs; /* over all units */
    char **notes;    /* what was skipped and why, a sentence each */
    size_t n_notes;
} hw_suite;

/* The name under which graph files stand in the column `family`. */
#define HW_SUITE_FILE "file"

/*
 * Read a suite; path "-" is standard input.  Paths in it are relative to its
 * folder.  *out is released by hw_suite_free().  Messages name file and line.
 * HW_BAD_INPUT: a line that is none, an unknown key, family, solver or
 * parameter (with the nearest name), an exact solver wanted and another given,
 * two sources of a section with one name, no units at all.  HW_IO: cannot be read.  HW_NO_MEMORY.
 */
hw_code hw_suite_load(const char *path, hw_suite **out, hw_error *err);
void hw_suite_free(hw_suite *suite);

#endif
