/*
 * Hill climbing with restarts: a change is kept unless it makes the graph
 * better for the solver, so that the climb walks along plateaus.
 *
 * A climb that has not risen for a while begins anew, every other time at
 * random and otherwise from the best graph of the lane, well shaken: graphs
 * on which a rule fails lie near each other (iterated local search: Lourenço,
 * Martin and Stützle, 2003).
 */
#include "adversary/search_lane.h"

enum {
    PATIENCE = 80, /* evaluations without a rise, a node */
    SHAKES = 4     /* changes before a climb from the best */
};

static bool begin(hw_lane *lane, uint64_t climb, hw_genome *g)
{
    if (climb % 2 == 0 || !lane->any)
        return hw_lane_begin(lane, climb > 0, g);
    *g = lane->best.genome;
    for (int i = 0; i < SHAKES; i++)
        (void)hw_lane_change(lane, g);
    return true;
}

void hw_lane_climb(hw_lane *lane)
{
    hw_genome now, next;
    hw_ratio here, there;
    for (uint64_t climb = 0; begin(lane, climb, &now) && hw_lane_rate(lane, &now, &here); climb++) {
        uint64_t patience = (uint64_t)PATIENCE * now.n;
        for (uint64_t idle = 0; idle < patience && hw_lane_open(lane); idle++) {
            next = now;
            if (!hw_lane_change(lane, &next))
                continue;
            if (!hw_lane_rate(lane, &next, &there))
                return;
            int rise = hw_ratio_compare(there, here);
            if (rise > 0)
                idle = 0;
            if (rise >= 0) {
                now = next;
                here = there;
            }
        }
    }
}
