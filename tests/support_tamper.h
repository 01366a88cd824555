/* Every change of one byte of a text. */
#ifndef HW_TESTS_SUPPORT_TAMPER_H
#define HW_TESTS_SUPPORT_TAMPER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Each of its eight bits turned; another digit, a space, a newline, a quote in
 * its place; left out; doubled; everything from there on cut off.
 */
enum { TAMPER_WAYS = 15, TAMPER_CUT = TAMPER_WAYS - 1 };

/*
 * bytes[0 .. n), the byte at `place` changed in one way, in out[], which has
 * room for n + 1.  Returns how many bytes it has; SIZE_MAX: that is no change.
 */
size_t tampered(const char *bytes, size_t n, size_t place, unsigned way, char *out);

/* A walk through the changes of a text: all of them, or at each place one, drawn. */
typedef struct tamper_walk {
    const char *bytes;
    size_t n, place;
    unsigned way;
    char *out; /* the change, n_out bytes */
    size_t n_out;
    uint64_t *state; /* NULL: all of them */
} tamper_walk;

/* Bytes must outlive the walk. */
tamper_walk tamper_all(const char *bytes, size_t n);
tamper_walk tamper_some(const char *bytes, size_t n, uint64_t *state);

/* The next change; 0: there is none, and out[] is released. */
int tamper_next(tamper_walk *w);

#endif
