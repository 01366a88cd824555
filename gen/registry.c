/*
 * The table of families: one row each.
 *
 * To add a family: one file in this folder that defines an hw_family_row, one
 * line below, one line in tests/test_generators.c.
 */
#include <stdio.h>
#include <string.h>

#include "gen/family.h"

/* X(name of the row); the order is that of `highwater list families`. */
#define HW_FAMILY_TABLE(X) X(hw_family_layered)

#define DECLARE(row) extern const hw_family_row row;
HW_FAMILY_TABLE(DECLARE)

#define LIST(row) &row,
const hw_family_row *const hw_families[] = {HW_FAMILY_TABLE(LIST)};
const size_t hw_n_families = sizeof hw_families / sizeof hw_families[0];
