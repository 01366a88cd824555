/*
 * Which nodes of a stretch are set apart, to be merged anew with the rest
 * (lns_merge.h): the rules by which a neighbourhood is drawn.
 */
#ifndef HW_SOLVERS_LNS_PARTS_H
#define HW_SOLVERS_LNS_PARTS_H

#include "core/rng.h"
#include "solvers/local_order.h"

typedef enum lns_rule {
    LNS_ANCESTORS,   /* some ancestors of a node, nearest ones first: move makers   */
    LNS_DESCENDANTS, /* some descendants: move consumers                            */
    LNS_CONE,        /* both                                                        */
    LNS_NEIGHBOURS,  /* nodes that hang together, whatever the way                  */
    LNS_BLOCK,       /* a block of the order; of one node: an insertion             */
    LNS_SCATTERED,   /* nodes drawn one by one                                      */
    LNS_N_RULES
} lns_rule;

/*
 * Set side[] to 0 for the chosen nodes of the stretch low .. high - 1 and to 1
 * for all others: at most `most` nodes (a cone: twice as many) around the
 * position `seed` of the stretch.  queue[] is work space as long as the
 * stretch.  O(stretch + edges of the chosen).
 */
void lns_part_draw(const local_order *l, lns_rule rule, uint32_t low, uint32_t high, uint32_t seed,
                   uint32_t most, gsl_rng *rng, uint32_t *queue, uint8_t *side);

/*
 * Shorten the stretch *low .. *high - 1, and side[] with it, to the positions
 * where merging may change anything: an end that is all of one part stays
 * unless a node of the other part may move there.  False: nothing may change.
 */
bool lns_part_trim(const local_order *l, uint8_t *side, uint32_t *low, uint32_t *high);

#endif
