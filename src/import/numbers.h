/*
 * Numbers, one after the other, out of a text that holds nothing else: for
 * formats whose lines carry no meaning.
 */
#ifndef HW_IMPORT_NUMBERS_H
#define HW_IMPORT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "io/input.h"

typedef struct hw_numbers {
    const char *file;
    const char *at, *end;
    uint64_t line;
} hw_numbers;

/* Read the whole input; what is unread of it stays where it is.  HW_IO, HW_STOPPED, HW_NO_MEMORY.
 */
hw_code hw_numbers_open(hw_numbers *s, hw_input *in, hw_error *err);

/* The next number; `what` names it in messages ("the size of node 3").  HW_BAD_INPUT: none is
 * there, it has a sign or a fraction, or it is above `most`. */
hw_code hw_numbers_next(hw_numbers *s, const char *what, uint64_t most, uint64_t *out,
                        hw_error *err);

/* HW_BAD_INPUT: something follows. */
hw_code hw_numbers_end(hw_numbers *s, const char *format, hw_error *err);

/* What stands at the head of a file of numbers alone. */
typedef struct hw_numbers_shape {
    uint64_t nodes, edges;  /* the two numbers of the first line         */
    unsigned second, third; /* numbers on the next two lines; 0: no such line, or cut */
    bool second_cut;        /* the second line goes on behind the head   */
} hw_numbers_shape;

/* False: the first line is not two numbers, or something else than numbers follows.  O(n). */
bool hw_numbers_head(const char *bytes, size_t n, bool whole, hw_numbers_shape *shape);

#endif
