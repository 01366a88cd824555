/* For tests of sweeps: a folder of their own, suites from text, results. */
#ifndef HW_TESTS_SUPPORT_BENCH_H
#define HW_TESTS_SUPPORT_BENCH_H

#include "bench/bench.h"
#include "bench/results.h"

/* Group fixtures: a fresh folder that is the current one; removed with its files. */
int support_bench_enter(void **state);
int support_bench_leave(void **state);

/* A suite in the file t.suite; fails the test with the message. */
hw_suite *support_suite(const char *text);

/* Five solvers, two of which prove, on seven small graphs. */
extern const char support_plain_suite[];

/* Run a suite; fails the test with the message where that does not end well. */
void support_run_well(const hw_suite *suite, const hw_bench_options *o, hw_bench_counts *counts);

hw_results *support_results(const char *path);

/* The file with times and memory blotted out; freed by the caller. */
char *support_content(const char *path);

/* Two texts hold the same lines, whatever their order; both are cut, and freed. */
void support_same_lines(char *one, char *other);

/*
 * Take the seals (bench/seal.h) out of lines, in place: an edit is meant then,
 * and what else gives it away is looked at.
 */
void support_unseal(char *lines);

#endif
