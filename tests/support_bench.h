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

hw_results *support_results(const char *path);

/* The file with times and memory blotted out; freed by the caller. */
char *support_content(const char *path);

/*
 * Take the seals (bench/seal.h) out of lines, in place: an edit is meant then,
 * and what else gives it away is looked at.
 */
void support_unseal(char *lines);

#endif
