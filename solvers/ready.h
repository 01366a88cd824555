/*
 * What list-scheduling heuristics share: the gate that windows put before a
 * ready node, and scheduling by keys that never change.
 */
#ifndef HW_SOLVERS_READY_H
#define HW_SOLVERS_READY_H

#include "core/heap.h"
#include "model/slack.h"
#include "solve/solver.h"

/*
 * The gate: under windows a node whose predecessors have run is ready only if
 * the rest can still be completed.  Without windows it is always open and
 * costs one test.
 */
enum { HW_GATE_ASIDE = 32 };
typedef struct hw_gate {
    bool windows; /* otherwise the gate is open and holds nothing */
    hw_slack slack;
    uint32_t *earliest, *latest;
    hw_key aside[HW_GATE_ASIDE]; /* keys that the gate turned away */
} hw_gate;

/*
 * A gate before the first step.  With `backwards` all is mirrored: step 0
 * decides who runs last, node v goes by the number n - 1 - v, and predecessors
 * are successors.  HW_NO_MEMORY; a gate that failed to open may be closed.
 */
hw_code hw_gate_open(hw_gate *gate, const hw_model *m, bool backwards, hw_error *err);
void hw_gate_close(hw_gate *gate);

static inline bool hw_gate_allows(const hw_gate *gate, uint32_t v)
{
    return !gate->windows || hw_slack_allows(&gate->slack, v);
}

static inline void hw_gate_pass(hw_gate *gate, uint32_t v)
{
    if (gate->windows)
        hw_slack_run(&gate->slack, v);
}

/* Take back the last pass, which was v's. */
static inline void hw_gate_back(hw_gate *gate, uint32_t v)
{
    if (gate->windows)
        hw_slack_undo(&gate->slack, v);
}

/* Back to before the first step. */
static inline void hw_gate_reset(hw_gate *gate)
{
    if (gate->windows)
        hw_slack_reset(&gate->slack);
}

/*
 * Take the least key that the gate lets through and account for its node; 0
 * when there is none, which windows that some order fits exclude.
 */
hw_key hw_gate_pop(hw_gate *gate, hw_heap *heap);

/*
 * The same where something is pushed next, most of the time: true when a hole
 * was left in the heap (see hw_heap_open).
 */
static inline bool hw_gate_take(hw_gate *gate, hw_heap *heap, hw_key *key)
{
    *key = gate->windows ? hw_gate_pop(gate, heap) : hw_heap_open(heap);
    return !gate->windows;
}

/* The error for a gate that lets nobody through. */
hw_code hw_gate_stuck(const hw_gate *gate, hw_error *err);

/*
 * Run at each step the ready node of least rank; ties by source position.
 * `rank` is asked once a node, when its predecessors have run; `arrival`
 * counts the nodes asked about before.  Ranks stay below 2^97.
 * Fills answer->order; answer->limit_reached when the meter ended it early.
 * O((nodes + edges) log nodes), with windows at most the number of ready nodes
 * more for each step.
 */
typedef hw_key (*hw_rank_function)(const hw_model *m, uint32_t v, uint32_t arrival);
hw_code hw_schedule_by_rank(const hw_model *m, const hw_request *request, hw_rank_function rank,
                            hw_answer *answer, hw_error *err);

/* Measure the complete order in answer->order and let it stand. */
hw_code hw_answer_finish(const hw_model *m, hw_answer *answer, hw_error *err);

/* Number of predecessors of each node into waiting[0 .. n_nodes). */
void hw_count_preds(const hw_model *m, uint32_t *waiting);

#endif
