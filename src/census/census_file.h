/*
 * A census under way: what is asked for, what is known so far, and the file
 * that keeps it, one JSON object a line.
 *
 * The first line says what was asked for:
 *
 *     {"format":"highwater-census","version":2,"nodes":[1,6],"sizes":3,
 *      "numberings":"all","fails":"all","part":[1,1],"solvers":["source",...]}
 *
 * and each further one is a block of graphs, written when it is done:
 *
 *     {"n":6,"block":17,"graphs":[..],"cases":[..],"runs":9,"cells":[[..],..],
 *      "seal":"7c0a..."}
 *
 * with figures by greatest size 1, 2, ..., and a cell [solver, accounting,
 * size, taken, fails] or, where a case was found that is worse than all that
 * was known when the block was begun, [..., peak, optimum, graph, code,
 * "sizes"].  Solver: its place in the first line; the one behind the last is
 * the worst order.  Accounting: 0 alloc-first, 1 free-first.  The seal tells a
 * figure that was changed since, here or in the first line.
 */
#ifndef HW_CENSUS_CENSUS_FILE_H
#define HW_CENSUS_CENSUS_FILE_H

#include <stdio.h>

#include "census/census.h"

typedef struct hw_census {
    hw_census_plan plan;
    size_t n_blocks[HW_DAGS_MOST + 1]; /* of n nodes; 0: not asked for */
    size_t n_done[HW_DAGS_MOST + 1];
    bool *done[HW_DAGS_MOST + 1];
    hw_census_tally *tally[HW_DAGS_MOST + 1]; /* NULL: not asked for */
} hw_census;

/* Nothing known yet.  HW_NO_MEMORY. */
hw_code hw_census_make(const hw_census_plan *plan, hw_census *out, hw_error *err);
void hw_census_free(hw_census *c);

/* Is a block of n nodes in the plan's part? */
bool hw_census_has_block(const hw_census_plan *plan, size_t block);

/* Blocks of the part, over all numbers of nodes, and how many of them are done. */
void hw_census_progress(const hw_census *c, size_t *done, size_t *total);

/* All blocks of all parts of n nodes are there. */
bool hw_census_whole(const hw_census *c, uint32_t n);

/* Write the first line, or that of a block.  Errors stay in the stream. */
void hw_census_put_head(const hw_census_plan *plan, FILE *out);
void hw_census_put_block(const hw_census_plan *plan, uint32_t n, size_t block,
                         const hw_census_tally *tally, FILE *out);

/* 64 mixed bits of all that is asked for, but for the part, and of what a block tells. */
uint64_t hw_census_seal(const hw_census_plan *plan, uint32_t n, size_t block,
                        const hw_census_tally *tally);

/* May the bytes be the beginning of a head, cut off before its end? */
bool hw_census_begun(const char *line, size_t length);

/* Read them.  HW_BAD_INPUT with what is wrong; a block that is there already is. */
hw_code hw_census_read_head(const char *line, size_t length, hw_census_plan *plan, hw_error *err);
hw_code hw_census_take_block(hw_census *c, const char *line, size_t length, hw_error *err);

/* Do two plans ask for the same, but for the part? */
bool hw_census_alike(const hw_census_plan *a, const hw_census_plan *b);

/*
 * Read a file, which has to be of the same plan as c (any part of it), into c.
 * A last line that was cut is left out: *whole_bytes is what stands before it.
 * HW_IO; HW_BAD_INPUT with the line.
 */
hw_code hw_census_load(hw_census *c, const char *path, uint64_t *whole_bytes, hw_error *err);

/* The plan of a file. */
hw_code hw_census_load_plan(const char *path, hw_census_plan *plan, hw_error *err);

#endif
