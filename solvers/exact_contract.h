/*
 * Contraction: pairs of nodes of a piece that may run one right after the
 * other become one node, again and again (chains down to their hills and
 * valleys; Liu 1987).
 *
 * Figures of a node v, which runs after prefix S of the piece:
 *   net(v) = new - dead,  add(v) = new + workspace,  freed(v|S), reuse(v|S);
 *   live(S + v) = live(S) + net(v) - freed(v|S);
 *   usage(S, v) = live(S) + add(v) - reuse(v|S)   alloc-first
 *               = live(S) + add(v) - freed(v|S)   free-first.
 * Where one user of a buffer is an ancestor of another it never frees it: such
 * uses are left out.  Then v frees b always (b is its alone), or in some orders
 * only.  So freed(v|S) lies between alone(v), the sizes of the buffers that are
 * v's alone, and all(v), those of all its buffers; freed - reuse does not fall
 * as S grows either, for a buffer that comes to be freed saves at most its
 * size.
 *
 * F (forwards).  Let u precede v, and all other predecessors of v be ancestors
 * of u.  After u, v is ready.  If live does not rise by v, net(v) <= alone(v),
 * and its step needs no more than that of u, then v is a safe move (R1,
 * exact_engine.c) in every prefix with u and at every budget at which u ran:
 * let it follow u.  The step of v needs no more after every S when it does not
 * after the ancestors of u, as usage(S, u) - usage(S + u, v) never falls:
 *   alloc-first  workspace(u) + dead(u) + (freed - reuse)(u) >= add(v) - reuse(v)
 *   free-first   workspace(u) + dead(u) + freed(v)           >= add(v)
 * with the least freed and reuse of both nodes.
 *
 * B (backwards).  Let all other successors of u be descendants of v.  If live
 * never falls by u, net(u) >= all(u), and its step never needs more than that
 * of v (the same inequalities turned round, with the most freed and reuse),
 * then u is a safe move backwards (R1') from every prefix that ends in front of
 * v, at every budget at which v runs: let it run right before v.
 *
 * The usage of the pair is that of u (F) or of v (B) after u.  It has to be the
 * usage of one ordinary node:
 *   F  alloc-first  live(S) + add(u) - reuse(u|S)
 *      free-first   live(S) + add(u) - freed(u|S): the pair frees what v frees
 *                   as well, which must be the same in all orders: alone(v)
 *   B  alloc-first  live(S) + net(u) - freed(u|S) + add(v) - reuse(v|S+u):
 *                   freed(u|S) must be alone(u)
 *      free-first   live(S) + net(u) + add(v) - freed(u|S) - freed(v|S + u)
 * Pairs of nodes found together do not touch each other, and what holds in all
 * orders holds in those that are left, so they are contracted at once; then
 * all is looked at again.
 *
 * Folding.  A buffer that is v's alone is freed by v in every order: take as
 * much as net(v) allows from both net(v) and its size.  With no buffer of its
 * own left, or net = 0, a pair has add >= net (its usage is at least live after
 * it), so that workspace = add - net is a number of bytes: an ordinary node.  A
 * node whose one in-place pair overwrites a buffer of its own always saves the
 * same: that goes into add.  Nodes with other in-place pairs are not folded.
 *
 * Windows count steps: there nothing is contracted.
 */
#ifndef HW_SOLVERS_EXACT_CONTRACT_H
#define HW_SOLVERS_EXACT_CONTRACT_H

#include "solvers/exact_problem.h"

typedef struct exact_contraction {
    exact_problem *small; /* NULL: nothing could be contracted, use the piece itself */
    /* Node i of `small` stands for nodes member[offset[i] .. offset[i + 1]) of
     * the piece, in the order in which they run. */
    uint32_t *offset, *member;
} exact_contraction;

/*
 * Contract a piece.  An order of c->small has the peak of the order of p that
 * it stands for, and the least peak of both is the same.  c->small->node holds
 * the first member's node.  Takes as much memory again as p, twice for a time.
 * O((n + edges) n / 64) a round; chains take about log(length) rounds.
 * HW_NO_MEMORY.
 */
hw_code exact_contract(const exact_problem *p, exact_contraction *c, hw_error *err);
void exact_contract_free(exact_contraction *c);

/* An order of c->small as the order of the piece: into expanded[0 .. n). */
void exact_contract_expand(const exact_contraction *c, const uint32_t *order, uint32_t *expanded);

#endif
