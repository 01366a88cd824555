/* List rules by any key: the reading of a rule that no solver has. */
#ifndef HW_CLAIMS_RULES_H
#define HW_CLAIMS_RULES_H

#include "model/model.h"

/* What a key may look at: a ready node at this step. */
typedef struct hw_rule_node {
    int64_t net;   /* live after it less live before: created - freed  */
    uint32_t path; /* nodes on a longest path from it to the end       */
    uint32_t node; /* its source position                              */
} hw_rule_node;

/* Does a go before b?  A strict total order. */
typedef bool (*hw_rule_before)(const void *context, const hw_rule_node *a, const hw_rule_node *b);

/*
 * Fill order[0 .. n_nodes): at each step the ready node that goes first, its
 * keys up to date.  For graphs without windows.  HW_NO_MEMORY.
 * O(nodes x ready nodes x uses).
 */
hw_code hw_rule_order(const hw_model *m, hw_rule_before before, const void *context,
                      uint32_t *order, hw_error *err);

#endif
