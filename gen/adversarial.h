/*
 * Families on which rules fail, with the peaks that their proofs promise.
 *
 * Each adversarial_*.c tells in its head how its graphs look, which rules they
 * defeat and why.  The functions here say the same in figures, so that a run
 * can be held against them.
 */
#ifndef HW_GEN_ADVERSARIAL_H
#define HW_GEN_ADVERSARIAL_H

#include "model/builder.h"
#include "model/model.h"

/* ---- Laying graphs node by node (adversarial.c). ---- */

/* Errors stick: after the first one every call does nothing. */
typedef struct hw_sketch {
    hw_builder *builder;
    uint64_t tensors, nodes; /* so far */
    uint64_t *reads;         /* room of hw_sketch_add() */
    size_t room;
    hw_code code;
    hw_error *err;
} hw_sketch;

void hw_sketch_start(hw_sketch *s, hw_error *err);

/* A tensor of `size` bytes, kept to the end or not; its id: 0, 1, 2, ... */
uint64_t hw_sketch_tensor(hw_sketch *s, uint64_t size, bool kept);

/*
 * The next node, of operator `op`: it reads `n_joined` tensors in a row, from
 * `joined` on, then those listed, and makes what is listed.  HW_NO_TENSOR
 * stands for none.  Amortised O(tensors named).
 */
#define HW_NO_TENSOR UINT64_MAX
enum { HW_SKETCH_MOST = 4 };
typedef struct hw_sketch_node {
    uint64_t joined, n_joined;
    uint64_t reads[HW_SKETCH_MOST], makes[HW_SKETCH_MOST];
    uint32_t n_reads, n_makes;
} hw_sketch_node;
void hw_sketch_add(hw_sketch *s, const char *op, const hw_sketch_node *node);

/* The next node, which reads one tensor and makes one, or none. */
void hw_sketch_step(hw_sketch *s, const char *op, uint64_t read, uint64_t made);

/* The graph, or the error that stuck; releases the sketch. */
hw_code hw_sketch_finish(hw_sketch *s, hw_graph **out);

/* ---- What the proofs promise. ---- */

/*
 * The ladder of `rungs` rungs (adversarial_ladder.c): its optimum, and the peak
 * of an order that begins `begun` of the rungs, the gate last, before it ends
 * the first.  1 <= begun <= rungs, small <= big.  hung: hang=gate, not loose.
 */
typedef struct hw_ladder {
    uint64_t rungs, big, small, excess;
    bool loose, hung;
} hw_ladder;
uint64_t hw_ladder_optimum(const hw_ladder *l, hw_accounting accounting);
uint64_t hw_ladder_peak(const hw_ladder *l, uint64_t begun, hw_accounting accounting);

/*
 * The fan (adversarial_fan.c), rungs >= 2; loose: z_3 makes nothing (kept=no).
 * The lean one has rungs >= 3 and the same figures whether loose or not.
 */
uint64_t hw_adversarial_fan_optimum(const hw_ladder *l, hw_accounting accounting);
uint64_t hw_adversarial_fan_peak(const hw_ladder *l, hw_accounting accounting);
uint64_t hw_lean_fan_optimum(const hw_ladder *l, hw_accounting accounting);
uint64_t hw_lean_fan_peak(const hw_ladder *l, hw_accounting accounting);

/* The pairs (adversarial_pairs.c), rungs >= 2, loose: >= 3; big is that of one of a pair. */
uint64_t hw_pairs_optimum(const hw_ladder *l, uint64_t depth, hw_accounting accounting);
uint64_t hw_pairs_peak(const hw_ladder *l, uint64_t depth, hw_accounting accounting);

/* The same with spike=yes, depth 1, one rung more at least; alike under both accountings. */
uint64_t hw_spiked_optimum(const hw_ladder *l);
uint64_t hw_spiked_peak(const hw_ladder *l);

/* The branches (adversarial_branches.c): rise <= block, small <= rise. */
typedef struct hw_branches {
    uint64_t branches, rise, block, small;
} hw_branches;
uint64_t hw_branches_optimum(const hw_branches *b, hw_accounting accounting);
uint64_t hw_branches_peak(const hw_branches *b, hw_accounting accounting);

/* The harpoon (adversarial_harpoon.c): thin <= large / branches. */
typedef struct hw_harpoon {
    uint64_t levels, branches, large, thin;
} hw_harpoon;
uint64_t hw_harpoon_optimum(const hw_harpoon *h, hw_accounting accounting);
uint64_t hw_harpoon_peak(const hw_harpoon *h, hw_accounting accounting);

#endif
