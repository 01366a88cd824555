/* highwater-check as a function (check_inside.c, check_program.h). */
#ifndef HW_TESTS_FUZZ_CHECK_INSIDE_H
#define HW_TESTS_FUZZ_CHECK_INSIDE_H

/*
 * highwater-check GRAPH ORDER PROOF: its exit status, and in `text` the
 * beginning of what it wrote to either stream.  Whatever it held is released.
 */
enum { CHECK_TEXT = 256 };
int check_inside(const char *graph, const char *order, const char *proof, char text[CHECK_TEXT]);

#endif
