/*
 * Segments: stretches of an order whose steps change live bytes by fixed
 * amounts, and sets of them that keep a best order while they are composed in
 * series and in parallel.
 *
 * A segment climbs by `rise` from live at its start to its hill and falls by
 * `fall` from there to live at its end.  Where the costs of all steps are
 * fixed (fixed_steps.h) the peak of an order is live(empty) plus the hill of
 * all its steps joined.  Turned round, a segment is (fall, rise).
 *
 * The order of segments.  Let a come before b when
 *     a falls (fall > rise) and b does not; or
 *     both fall and a.rise < b.rise; or
 *     neither falls and a.fall > b.fall.
 * This is a total preorder, turning round reverses it, and it says which of
 * two neighbours is better first: unless b comes before a, (a, b) has no
 * higher hill than (b, a), wherever they stand.  (Both fall: b's hill is seen
 * from no higher, a's is the lower one.  Only a falls: b's from lower, a's
 * would be from no lower.  Neither: turn round.)
 *
 * Theorem.  Let M be a set of nodes such that each other node is before all of
 * M, after all of M or independent of all of M.  Let M be kept as a sorted
 * chain of segments so that every order of the graph can be changed, without
 * a higher peak and moving no node outside M relative to another, into one in
 * which the segments stay whole and come in the order of the chain.  This can
 * be kept up
 *   in parallel (M = A and B, independent): sort both chains into one.  If c
 *     of B stands before b of A with only outside nodes u between, and b comes
 *     before c: either u does not come after c, and (u, c, b) is no worse, or
 *     b comes before u, too, and (c, b, u) is no worse; then swap b and c;
 *   in series (A before B): while the first segment b of B does not come after
 *     the last, a, of A, join them into one.  Of (a, u, b), u outside and so
 *     independent of both, either (u, a, b) or (a, b, u) is no worse, since u
 *     cannot at once come after a and before b.
 * So composing single nodes gives a best order of every series-parallel
 * partial order, in-trees and out-trees among them.
 *
 * Sources: Liu 1987, doi:10.1137/0608031 (trees; his hills and valleys are
 * what a chain passes through); Abdel-Wahab and Kameda 1978,
 * doi:10.1287/opre.26.1.141, and Monma and Sidney 1979,
 * doi:10.1287/moor.4.3.215 (series-parallel orders, costs of both signs, the
 * preorder above).  Liu's own segments all rise: he needs no other half,
 * because his trees begin with nothing in memory.  A chain here need not be
 * split where it passes a hill: segments that stand in the right order never
 * have to be joined, and which of them are the hills of the whole makes no
 * difference to composing it further.
 *
 * A segment is known by its first node; its nodes are linked, so that joining
 * moves none of them.  A set is a pairing heap for each of its ends that is
 * kept (Fredman, Sedgewick, Sleator and Tarjan 1986), without recursion:
 * parallel takes O(1), series O(log n) amortised and O(log n) for each segment
 * that disappears; n nodes O(n log n) in all, whatever the shape.
 */
#ifndef HW_SOLVERS_SEGMENTS_H
#define HW_SOLVERS_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "model/graph.h"

typedef struct hw_segment {
    uint64_t rise, fall; /* bytes */
} hw_segment;

/* Does a come before b?  False both ways: either may be first. */
bool hw_segment_before(hw_segment a, hw_segment b);

/*
 * First a, then b.  No sum overflows where both are parts of one legal order:
 * rise and fall are differences of bytes that are in memory together.
 */
hw_segment hw_segment_join(hw_segment a, hw_segment b);

/* A segment and who it belongs to. */
typedef struct hw_segment_item {
    hw_segment segment;
    uint32_t node;
} hw_segment_item;

/* Sort items in the order of segments; those that may stand either way by node. */
void hw_segments_sort(hw_segment_item *item, size_t count);

typedef enum hw_segment_end { HW_SEGMENT_FIRST = 0, HW_SEGMENT_LAST = 1 } hw_segment_end;

/* A set: its extreme segment at each kept end; HW_NONE: empty, or not kept. */
typedef struct hw_segment_set {
    uint32_t root[2];
} hw_segment_set;

#define HW_SEGMENT_SET_EMPTY ((hw_segment_set){{HW_NONE, HW_NONE}})

typedef struct hw_segment_link {
    uint32_t child, next, before; /* before: the sibling on that side, or the parent */
} hw_segment_link;

/* Room for the segments of n nodes; every segment is in one set at most. */
typedef struct hw_segments {
    uint32_t n;
    hw_segment *segment; /* by first node                               */
    uint32_t *last;      /* by first node; HW_NONE: no segment (any more) */
    uint32_t *next;      /* by node: what follows it in its segment     */
    hw_segment_link *link[2];
} hw_segments;

/*
 * Room for n nodes, n < HW_NONE, no segment yet.  Which ends are kept decides
 * which series can be composed: hw_segments_series(a, b) looks at the last
 * segment of a and the first one of b.  An end that is not kept is known only
 * for sets of one segment, which is enough for in-trees (LAST) and out-trees
 * (FIRST).  HW_NO_MEMORY; released by hw_segments_close() in any case.  O(n).
 */
hw_code hw_segments_open(hw_segments *s, uint32_t n, bool keep_first, bool keep_last,
                         hw_error *err);
void hw_segments_close(hw_segments *s);

/*
 * Instead of a copy of each step: *step, n of them, becomes s->segment, and
 * *step NULL.  For single nodes pass s->segment[node].
 */
void hw_segments_take_steps(hw_segments *s, hw_segment **step);

/* The set of one node that is in no set yet.  O(1). */
hw_segment_set hw_segments_node(hw_segments *s, uint32_t node, hw_segment step);

/* a and b, independent; both are used up.  Either may be empty.  O(1). */
hw_segment_set hw_segments_parallel(hw_segments *s, hw_segment_set a, hw_segment_set b);

/*
 * All of a before all of b; both are used up.  Either may be empty.  O(log n)
 * amortised for each segment that is looked at, of which all but three disappear.
 */
hw_segment_set hw_segments_series(hw_segments *s, hw_segment_set a, hw_segment_set b);

/*
 * The nodes of all segments, of whatever set, in the order of segments, into
 * order[0 .. nodes in sets); all steps joined into *whole.  For the whole
 * graph: sets that are left apart count as parallel.  Segments that may stand
 * either way stand by first node.  O(n log n).  HW_NO_MEMORY.
 */
hw_code hw_segments_lay(const hw_segments *s, uint32_t *order, hw_segment *whole, hw_error *err);

#endif
