/*
 * Fusion: chains of nodes become one node each, and the tensors between them vanish.
 *
 * A chain u -> v may be joined where v is the only successor of u, by edges of
 * every origin, and where all that u makes and anybody reads is an activation.
 * So whatever leaves a chain leaves it by its last node; joining it closes no
 * cycle, however many chains are joined, and the orders of the fused graph are
 * the orders of the original in which the members of each chain follow one
 * another.  Which chains are joined, patterns say (patterns.h).
 *
 * Left alone are locked nodes and such that must work in place.  A view is
 * passed over inside a chain (not at its ends) where it shows its input at its
 * full size and all that it makes is read there.  A graph with windows is
 * refused.
 *
 * The fused node stands where its last member stood and has its id and name.
 * It reads what the members read and did not make themselves, makes what they
 * made and is still there, and needs the workspace of the member that needs
 * most.  It may overwrite an input x by an output o where each member that
 * reads x does so by a chain of in-place pairs of equal sizes that ends in o:
 * then element e of x is read for element e of o alone.
 */
#ifndef HW_TRANSFORM_FUSE_H
#define HW_TRANSFORM_FUSE_H

#include <signal.h>
#include <stdio.h>

#include "transform/patterns.h"

/* Which nodes of a graph go together.  Released by hw_fusion_free(). */
typedef struct hw_fusion {
    uint32_t n_groups;
    uint32_t *offset;     /* n_groups + 1                                             */
    uint32_t *member;     /* nodes of group i: member[offset[i] .. offset[i + 1]), in order */
    uint32_t *pattern;    /* of a group: its number among the patterns                */
    uint32_t *group;      /* of a node; HW_NONE: it stays                             */
    bool *inner;          /* of a tensor: it vanishes                                 */
    uint32_t n_inner;     /* such tensors                                             */
    uint64_t inner_bytes; /* their sum, views left out                                */
} hw_fusion;

void hw_fusion_free(hw_fusion *f);

/*
 * The patterns that are built in: "convolution" (bias, norm, activation after
 * it), "norm" (an activation after it), "chain" (elementwise nodes); on request
 * "residual" (the addition of another branch after a convolution) and
 * "attention" (scores, softmax and weighted sum in one kernel: Dao and others
 * 2022, FlashAttention).  NULL: out of memory.
 */
enum { HW_FUSE_RESIDUAL = 1, HW_FUSE_ATTENTION = 2 };
hw_patterns *hw_fuse_patterns(unsigned asked);

/* Line i of all of them, and whether it is there on request alone; NULL: no more. */
const char *hw_fuse_pattern(size_t i, bool *asked);

/*
 * What would be fused: patterns in turn, each on chains that begin as early as
 * they can, until nothing more matches; where several chains run into one
 * node, the one goes on that comes last in the source.  At most `most` nodes a
 * group.  stop may be NULL.
 * HW_BAD_INPUT: windows.  HW_STOPPED, HW_NO_MEMORY.  A round takes O((nodes + edges) patterns) and,
 * where matches fail for being too long, up to `most` times that; there are few rounds.
 */
hw_code hw_fuse_plan(const hw_graph *g, const hw_patterns *patterns, const hw_operators *operators,
                     uint32_t most, const volatile sig_atomic_t *stop, hw_fusion **out,
                     hw_error *err);

/* The fused graph.  O(size of g). */
hw_code hw_fuse(const hw_graph *g, const hw_fusion *f, hw_graph **out, hw_error *err);

#endif
