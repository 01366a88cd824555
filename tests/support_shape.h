/* Shapes of graphs by their definitions, slowly, for tests. */
#ifndef HW_TESTS_SUPPORT_SHAPE_H
#define HW_TESTS_SUPPORT_SHAPE_H

#include "adversary/space.h"

/* Is g of the shape?  O(n^4). */
bool slow_shape(hw_shape shape, const hw_genome *g);

#endif
