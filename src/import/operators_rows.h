/* The built-in rows of the table of operator types (operators.c), by traits. */
#ifndef HW_IMPORT_OPERATORS_ROWS_H
#define HW_IMPORT_OPERATORS_ROWS_H

#include <stddef.h>

typedef struct hw_operator_group {
    unsigned traits;   /* HW_OPERATOR_* */
    const char *names; /* split by single blanks; each in one group alone, whatever its case */
} hw_operator_group;

extern const hw_operator_group hw_operator_groups[];
extern const size_t hw_n_operator_groups;

#endif
