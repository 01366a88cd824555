/*
 * Patterns of fusion: which chains of operators a backend runs as one kernel.
 *
 * A pattern is a line "NAME: ITEM ITEM...".  An item names operator types,
 * "Relu" or "Relu|Relu6", without regard to case, or a class in angle brackets,
 * as the table of operators has it:
 *
 *   <convolution>  convolutions and matrix products
 *   <norm>         normalisation that folds into what is before it
 *   <activation>   elementwise non-linearities
 *   <elementwise>  elementwise operators, activations among them
 *   <bias>         elementwise, and all that it reads beside the chain is constant
 *   <any>          every operator
 *
 * and may end in ? (at most once), * (any number) or + (once or more).  A
 * pattern matches a chain from its first node on, as long a piece as it can.
 */
#ifndef HW_TRANSFORM_PATTERNS_H
#define HW_TRANSFORM_PATTERNS_H

#include <stdint.h>

#include "import/operators.h"
#include "model/graph.h"

typedef struct hw_patterns hw_patterns;

enum { HW_PATTERN_ITEMS = 32 }; /* most items of a pattern */

/* No patterns yet; NULL: out of memory. */
hw_patterns *hw_patterns_new(void);
void hw_patterns_free(hw_patterns *p);

/*
 * Append one pattern.  where: what stands before messages ("FILE: line 3"), or NULL.
 * HW_BAD_INPUT: no name, an unknown class, no items or too many, a pattern that no chain of two
 * nodes can match, a name that is there already.  HW_NO_MEMORY.
 */
hw_code hw_patterns_add(hw_patterns *p, const char *line, const char *where, hw_error *err);

/* Append the patterns of a file; blank lines and what follows # are passed over.  Errors as above,
 * and HW_IO. */
hw_code hw_patterns_read(hw_patterns *p, const char *path, hw_error *err);

size_t hw_patterns_count(const hw_patterns *p);
const char *hw_pattern_name(const hw_patterns *p, size_t pattern);

/* ---- Matching: sets of items as bits, item i is bit i. ---- */

/*
 * The items of a pattern that a node fits: by operator type and traits of the
 * table.  only_constants: all that it reads beside the chain is constant.
 */
uint32_t hw_pattern_fits(const hw_patterns *p, size_t pattern, const char *op, unsigned traits,
                         bool only_constants);

/* The items that may stand first; those that may follow any of `items`. */
uint32_t hw_pattern_first(const hw_patterns *p, size_t pattern);
uint32_t hw_pattern_after(const hw_patterns *p, size_t pattern, uint32_t items);

/* May a match end with one of these items? */
bool hw_pattern_ends(const hw_patterns *p, size_t pattern, uint32_t items);

#endif
