/*
 * One run of any solver, step by step.
 *
 *     open, then step by so many ticks again and again, looking at the best
 *     order and the bound in between, until it is done or one has enough
 *
 * Ticks are what the solver counts (`counts` in its row).  A step ends exactly
 * when they have been counted, or the solver is done; where a solver counts
 * several at once, at the first count that reaches them.  So every solver can
 * be stopped anywhere, and a run in steps is the run in one piece: same orders,
 * same ticks.
 *
 * The solver runs in a thread of its own, which sleeps between the steps.  One
 * thread at a time may use a session.
 */
#ifndef HW_SOLVE_SESSION_H
#define HW_SOLVE_SESSION_H

#include "solve/solver.h"

typedef struct hw_session hw_session;

/*
 * Prepare a run; nothing happens before the first step.  m, row and what
 * `request` points to, but for its parameters, must outlive the session;
 * request->stop and ->pause are not looked at.  HW_USAGE: graph larger than the solver takes.
 * HW_NO_MEMORY: no memory, no thread.
 */
hw_code hw_session_open(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                        hw_session **out, hw_error *err);

/* Stop and release; NULL is allowed. */
void hw_session_close(hw_session *s);

/*
 * Let it count `ticks` more; *done (NULL: not wanted) tells whether it has
 * ended.  When it has, a further step changes nothing.  Fails as hw_solve().
 */
hw_code hw_session_step(hw_session *s, uint64_t ticks, bool *done, hw_error *err);

/* Ticks so far, as the solver counted them. */
uint64_t hw_session_ticks(const hw_session *s);

/* The best lower bound so far. */
uint64_t hw_session_bound(const hw_session *s);

/* The peak of the best order so far as the solver counts it; false: there is none. */
bool hw_session_peak(const hw_session *s, uint64_t *peak);

/*
 * The best order so far, n_nodes entries of the session's that stand until its
 * next step, and its peak, recomputed by the independent checker; NULL in *order
 * while there is none.  HW_INTERNAL: the checker disagrees.  HW_NO_MEMORY.
 * O(n + uses) and what the checker takes.
 */
hw_code hw_session_best(const hw_session *s, const uint32_t **order, uint64_t *peak, hw_error *err);

/*
 * End the run and settle its answer as hw_solve() does; release that by
 * hw_answer_clear().  A session ends once: afterwards only hw_session_close().
 */
hw_code hw_session_finish(hw_session *s, hw_answer *answer, hw_error *err);

#endif
