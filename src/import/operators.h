/*
 * What is known of operator types: which make views, may work in place, must
 * not move, can be fused.
 *
 * The built-in table holds the operators of ONNX, and the other names that the
 * generators and common frameworks give the same things; a file adds rows or
 * replaces them.  Names are compared without regard to case.
 */
#ifndef HW_IMPORT_OPERATORS_H
#define HW_IMPORT_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Traits of an operator type; any of them together. */
enum {
    HW_OPERATOR_VIEW = 1,         /* output 0 shares the buffer of input 0            */
    HW_OPERATOR_ELEMENTWISE = 2,  /* element i of the output needs element i of inputs
                                     alone: may overwrite one of same size and type   */
    HW_OPERATOR_RANDOM = 4,       /* draws random numbers: locked                     */
    HW_OPERATOR_STATE = 8,        /* reads or changes what outlives the run: locked   */
    HW_OPERATOR_IO = 16,          /* talks to the world: locked                       */
    HW_OPERATOR_CONVOLUTION = 32, /* convolutions and matrix products: heads of fusion */
    HW_OPERATOR_NORM = 64,        /* normalisation by statistics that are constants at
                                     inference: folds into a convolution before it     */
    HW_OPERATOR_ACTIVATION = 128, /* an elementwise non-linearity                     */
    HW_OPERATOR_CONSTANT = 256,   /* makes a constant of nothing or of constants alone */
    HW_OPERATOR_INPLACE = 512     /* not element by element, and yet kernels write it over an
                                     input of same size and type (Softmax, optimizers)  */
};
/* Traits that let an output overwrite an input. */
#define HW_OPERATOR_OVERWRITES (HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_INPLACE)

/* Traits that lock a node. */
#define HW_OPERATOR_LOCKED (HW_OPERATOR_RANDOM | HW_OPERATOR_STATE | HW_OPERATOR_IO)

/* A table of operator types and their traits. */
typedef struct hw_operators hw_operators;

/* A table that holds the built-in rows; NULL: out of memory. */
hw_operators *hw_operators_new(void);

/* Release it; NULL is allowed. */
void hw_operators_free(hw_operators *table);

/*
 * Add the rows of a file: lines "NAME TRAIT...", traits view, elementwise,
 * inplace, random, state, io, convolution, norm, activation, constant, or none;
 * blank lines and what follows # are passed over.  A name that the table has loses
 * its old traits.
 * HW_IO, HW_BAD_INPUT (file, line, cause, cure), HW_NO_MEMORY.
 */
hw_code hw_operators_read(hw_operators *table, const char *path, hw_error *err);

/* Give one operator type these traits, in place of those that it has.  HW_NO_MEMORY. */
hw_code hw_operators_set(hw_operators *table, const char *name, unsigned traits, hw_error *err);

/* Its traits; 0 for a name that is not there, NULL or "".  O(log n). */
unsigned hw_operators_traits(const hw_operators *table, const char *name);

/* Is it in the table, with traits or without?  O(log n). */
bool hw_operators_has(const hw_operators *table, const char *name);

#ifdef __cplusplus
}
#endif

#endif
