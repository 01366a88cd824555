/*
 * Second objectives: what a good order is, among those whose peak is allowed.
 *
 * area           the sum of live(S) after every step, in byte-steps: how much
 *                memory is taken for how long (others can use the rest)
 * critical-path  the sum of step(v) * path(v) over the nodes, path(v) the nodes
 *                on the longest path from v on, steps counted from 0: the least
 *                of it runs the longest remaining paths first, which is what a
 *                list scheduler on parallel hardware wants
 *
 * Both are sums over the steps of a term that depends on the prefix and its
 * next node alone, so that parts of an order can be improved apart.
 */
#ifndef HW_MODEL_SECOND_H
#define HW_MODEL_SECOND_H

#include "model/model.h"

typedef enum hw_second { HW_SECOND_AREA = 0, HW_SECOND_CRITICAL_PATH } hw_second;

/* Up to 2^32 terms below 2^64. */
__extension__ typedef unsigned __int128 hw_cost;

enum { HW_COST_TEXT = 40 };

const char *hw_second_name(hw_second kind);
const char *hw_second_unit(hw_second kind);

/* The digits of a cost; returns text. */
const char *hw_cost_text(hw_cost cost, char text[HW_COST_TEXT]);

/* The value of a legal order of all nodes.  O(nodes + uses + edges).  HW_NO_MEMORY. */
hw_code hw_second_value(const hw_model *m, hw_second kind, const uint32_t *order, hw_cost *cost,
                        hw_error *err);

#endif
