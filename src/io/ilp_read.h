/* The solution files of the programs behind ilp.h. */
#ifndef HW_IO_ILP_READ_H
#define HW_IO_ILP_READ_H

#include "io/ilp.h"

/*
 * Read what `program` wrote into the answer.  HW_IO: it cannot be read; then
 * answer->value is NULL.  HW_NO_MEMORY.
 */
hw_code hw_ilp_read(hw_ilp_program program, hw_ilp_format format, FILE *in, const hw_linear *l,
                    hw_ilp_answer *answer, hw_error *err);

#endif
