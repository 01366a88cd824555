/*
 * Valley splits: a prefix T that is a least-live one of a piece [A, Z] splits
 * it exactly.  The piece can be run within B if and only if [A, T] and [T, Z]
 * can, whatever B.
 *
 * Proof.  `live` is submodular on prefixes.  Let A = U0, ..., Uk = Z be an
 * order within B.  Run U_i n T (node by node, as i grows) up to T, then U_i u
 * T up to Z.
 *   Second half: live(U u T) <= live(U) + live(T) - live(U n T) <= live(U).
 *   Prefixes have grown, so reuse has not fallen: no step's usage rises.
 *   First half: live(U n T) <= live(U) + live(T) - live(U u T) <= live(U).
 *   Under free-first this is all (usage is live after the step, dead outputs
 *   and workspace).  Under alloc-first a step v in T may lose the reuse of
 *   buffers X whose other users lie partly in U \ T.  All users of an x in X
 *   lie in U + v: inside U u T, but neither inside U (v is missing) nor inside
 *   T.  Counting buffers by where their users lie,
 *     live(U) + live(T) - live(U u T) - live(U n T) = size of all buffers with
 *     users inside U u T, but neither inside U nor inside T  >= size(X),
 *   so live(U n T) <= live(U) - size(X): what the step loses is paid for.
 *
 * This covers single-tensor articulations and more: a tensor alone alive
 * between two halves is cheaper than everything around it, or it is no place
 * to pass through.  It is a property of the sizes, not of the graph's shape.
 *
 * All least-live prefixes form a lattice (Picard and Queyranne 1980): one
 * maximum flow finds the whole of it, and a longest chain of them splits the
 * piece into parts that have none left inside.  Such a part falls strictly to
 * its end, rises strictly from its beginning, or lies above both.
 */
#ifndef HW_SOLVERS_EXACT_VALLEY_H
#define HW_SOLVERS_EXACT_VALLEY_H

#include "solvers/exact_problem.h"

/*
 * The part of every node of the piece, 0 .. *n_parts - 1, never falling along
 * an edge: between two neighbouring parts lies a least-live prefix.  One part:
 * there is none inside.  Not under windows.  One flow over nodes and buffers;
 * HW_NO_MEMORY.
 */
hw_code exact_valley_parts(const exact_problem *p, uint32_t *part, uint32_t *n_parts,
                           hw_error *err);

#endif
