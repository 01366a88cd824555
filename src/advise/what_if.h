/*
 * The same graph under other rules: what in-place work and views are worth
 * beside the order.
 */
#ifndef HW_ADVISE_WHAT_IF_H
#define HW_ADVISE_WHAT_IF_H

#include "import/operators.h"
#include "solve/solver.h"

typedef enum hw_what_if {
    HW_IF_NO_INPLACE = 0, /* no output overwrites an input                     */
    HW_IF_ALL_INPLACE,    /* every node of a type that the table has as elementwise or
                             inplace may overwrite an input of its output's size */
    HW_IF_NO_VIEWS,       /* views are ordinary nodes with storages of their own */
    HW_IF_KINDS
} hw_what_if;

const char *hw_what_if_text(hw_what_if kind);

/*
 * g under another rule, the caller's, in *out; NULL: nothing changes.  Nodes
 * keep their indices.  *changed: how many pairs or views come or go.
 * operators: NULL, no type is either.  HW_NO_MEMORY, HW_BAD_INPUT (sums
 * that overflow).  O(size log size).
 */
hw_code hw_what_if_graph(const hw_graph *g, hw_what_if kind, bool pin_inputs,
                         const hw_operators *operators, hw_graph **out, uint32_t *changed,
                         hw_error *err);

#endif
