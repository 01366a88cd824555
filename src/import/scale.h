/*
 * How the tensors of a graph grow with one dimension, where its file does not
 * say: a rule out of a word or a file.
 *
 * Everything of one storage grows alike, as its root does, and constants never
 * grow.  A size is that of the graph times (value / base) to the power of its
 * growth, rounded up to a whole byte; so it is exact where value is a multiple
 * of base.
 */
#ifndef HW_IMPORT_SCALE_H
#define HW_IMPORT_SCALE_H

#include "model/graph.h"

/* The power of the dimension with which bytes grow. */
enum { HW_GROWTH_FIXED = 0, HW_GROWTH_LINEAR = 1, HW_GROWTH_QUADRATIC = 2 };

/* Bases and values of a dimension that a rule takes: powers stay in 64 bits. */
#define HW_SCALE_MOST UINT32_MAX

/* Released by hw_scale_clear(). */
typedef struct hw_scale {
    uint8_t *tensor;    /* growth of each tensor                        */
    uint8_t *workspace; /* growth of what each node holds while it runs */
    uint32_t grow;      /* tensors that grow, constants aside           */
    uint32_t stay;      /* those that do not                            */
    uint32_t parted;    /* in-place pairs of equal sizes that grow apart */
} hw_scale;

/*
 * The rule `text` for g:
 *
 *   all      everything linear
 *   some=P   of the storages a share of about P (0 to 1) grows, by a coin
 *            linear or quadratic, drawn by the seed; storages whose in-place
 *            pair has equal sizes are drawn together; workspaces stay
 *   FILE     lines "op|node|tensor|kind PATTERN fixed|linear|quadratic":
 *            patterns of the shell (* ? [...]) against the operator type or
 *            name of the node that makes a tensor, its own name, or its kind
 *            (input, activation, output); the first line that matches counts.
 *            `op` and `node` speak of workspaces too.  What no line matches
 *            stays; # begins a comment
 *
 * HW_USAGE: no such word and no such file; HW_IO, HW_BAD_INPUT (file, line,
 * cause, cure), HW_NO_MEMORY.  O(g times lines).
 */
hw_code hw_scale_new(const hw_graph *g, const char *text, uint64_t seed, hw_scale *out,
                     hw_error *err);
void hw_scale_clear(hw_scale *s);

/*
 * bytes * (value / base)^growth, rounded up.  False: it passes 2^63 - 1.  base, value: 1 to
 * HW_SCALE_MOST.
 */
bool hw_scale_bytes(uint64_t bytes, unsigned growth, uint64_t base, uint64_t value, uint64_t *out);

/* g, whose sizes hold at `base`, at `value`.  HW_BAD_INPUT: sizes that overflow.  HW_NO_MEMORY. */
hw_code hw_scale_graph(const hw_graph *g, const hw_scale *s, uint64_t base, uint64_t value,
                       hw_graph **out, hw_error *err);

#endif
