/*
 * The claims of the seed article, one row each: X(id, section, claim, what
 * decides it, function).  A function is in the file of src/claims that begins
 * with the id.
 */
#ifndef HW_CLAIMS_TABLE_H
#define HW_CLAIMS_TABLE_H

#include "claims/claim.h"

/* clang-format off */
#define HW_CLAIM_TABLE(X)                                                                                    \
    X("C01", "1.3", "The tree 100, 2 x 80, 4 x 50 MB peaks at 460 MB in level order.",                      \
      "Peak of the level order under both accountings and every reading of the tree.", hw_claim_c01)    \
    X("C02", "1.3", "The same tree peaks at 180 MB depth-first.",                                            \
      "Peak of the depth-first order and the optimum, under the same readings.", hw_claim_c02)           \
    X("C03", "2.1", "The sum of all tensors and the resident part do not depend on the order; only the peak does.", \
      "Property test over random orders of random graphs.", hw_claim_c03)                                \
    X("C04", "2.2", "Below about 10 nodes all orders can be enumerated; at 20 nodes of a random graph not within seconds.", \
      "Number of orders and time of enumeration against nodes, density and family.", hw_claim_c04)       \
    X("C05", "2.2", "Exact answers are out of reach for industrial graphs, so everyone uses heuristics.",    \
      "Share of real graphs, nets and random graphs solved to proven optimality within a limit.", hw_claim_c05) \
    X("C06", "3.1", "Choosing the ready node with the least net change is a good rule: -400 MB before +150 MB.", \
      "Gap of greedy to the optimum, and the example of two nodes both ways.", hw_claim_c06)             \
    X("C07", "3.2", "The key of the priority queue is (-net, -critical path, id).",                          \
      "Both signs of the net change on a heap that pops the least.", hw_claim_c07)                       \
    X("C08", "3.2", "A blend of net change and critical path, 8:2 or 9:1, is a good compromise.",            \
      "Peak and makespan against the weight of the critical path, 0 to 1.", hw_claim_c08)                \
    X("C09", "3.3", "The printed simulation gives the peak of an order.",                                    \
      "The listing to the letter against the independent checker, feature by feature.", hw_claim_c09)    \
    X("C10", "3.4", "On small random graphs greedy is mostly within 5 % of the optimum; only constructed graphs exceed 20 %.", \
      "Distribution of the gap by family, density, sizes and accounting.", hw_claim_c10)                 \
    X("C11", "3.4", "The bad cases share one trait: two branches with large blocks of similar size.",        \
      "Whether the trait, scored on random and adversarial graphs, explains the gap.", hw_claim_c11)     \
    X("C12", "3.4", "One step of lookahead over the k best candidates is the best value after greedy.",      \
      "Gap and effort of lookahead over k and depth against other solvers.", hw_claim_c12)               \
    X("C13", "4.1", "A logical peak of 1 GB can still fail a 400 MB allocation: fragmentation.",             \
      "Height of the arena over the logical peak, by allocator; an instance that needs 1.4 times it.", hw_claim_c13) \
    X("C14", "4.1", "A size-bucketed pool or one arena with offsets cures it.",                              \
      "The same measurement with a free list, a bucket pool, an arena and optimal offsets.", hw_claim_c14) \
    X("C15", "4.2", "Freeing, then allocating charges an in-place operator a peak that it does not have.",   \
      "The peak with and without the pair under both accountings.", hw_claim_c15)                        \
    X("C16", "4.2", "Nodes with side effects need a lock; constraints can be folded into edges.",            \
      "Cost in peak of locks and windows and of the extra edge for in-place operators.", hw_claim_c16)   \
    X("C17", "4.3", "An order that is best at one input size need not be best at another; bucket the sizes.", \
      "Regret of orders at other sizes, with all tensors scaled and with some.", hw_claim_c17)           \
    X("C18", "4.3", "Scheduling a few hundred nodes takes tens of microseconds.",                            \
      "Time of simulation and of greedy from 100 to 1,000 nodes.", hw_claim_c18)                         \
    X("C19", "4.4", "A decoder falls from 2.9 GB to 1.8 GB, by 38 %, against level order.",                  \
      "Level, source and depth-first order against greedy and the optimum on decoders.", hw_claim_c19)   \
    X("C20", "4.4", "On a graph that is already fused the gain shrinks to about 5 %.",                       \
      "The same comparison on the same graphs, fused and unfused.", hw_claim_c20)                        \
    X("C21", "5.2", "The printed scheduling loop implements the rule.",                                      \
      "The loop to the letter, repaired in named steps, each with its share.", hw_claim_c21)             \
    X("C22", "5.3", "A log of lifetimes shows every error: each tensor vanishes exactly at its last consumer.", \
      "Logs with seeded faults against the checker.", hw_claim_c22)                                      \
    X("C23", "5.4", "Ordering by output size alone makes the peak worse, not better.",                       \
      "by-output against the source order and greedy.", hw_claim_c23)                                    \
    X("C24", "5.4", "Tensor ids made of names and indices collide and corrupt every count.",                 \
      "A graph with repeated names; a file with repeated ids.", hw_claim_c24)                            \
    X("C25", "5.4", "Treating views as ordinary nodes shortens lifetimes wrongly.",                          \
      "Views on and off: error of the peak, and uses after the free that would follow.", hw_claim_c25)   \
    X("C26", "5.4", "Constants in the live set waste the scheduler's effort.",                               \
      "Constants counted as live against resident: order, peak and time.", hw_claim_c26)                 \
    X("C27", "1.2", "Freed blocks stay in the allocator's pool, so physical memory lags behind.",            \
      "An order replayed against a real allocator: resident size against what lives.", hw_claim_c27)     \
    X("C28", "4.4", "After fusion and ordering, look at what is worth recomputing.",                         \
      "Tensors alive at the peak, and the peak that dropping each would leave.", hw_claim_c28)           \
    X("C29", "1.1", "Memory freed only when a whole sub-graph has ended, instead of by counts, caused the out-of-memory.", \
      "Release by block against release by count: ratio of the peaks.", hw_claim_c29)
/* clang-format on */

#endif
