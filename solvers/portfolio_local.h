/*
 * Local search in turns, for portfolio: one run of lns goes on from turn to turn;
 * when it has long found nothing it is given up for another, from other orders
 * and with another seed, since how far such a search comes depends on both.
 */
#ifndef HW_SOLVERS_PORTFOLIO_LOCAL_H
#define HW_SOLVERS_PORTFOLIO_LOCAL_H

#include "solve/session.h"

typedef struct portfolio_local {
    const hw_model *m;
    const hw_request *request;             /* of the portfolio: seed, budget, memory */
    hw_param_value values[HW_PARAM_LIMIT]; /* of its solver              */
    hw_session *session;                   /* NULL: none is begun                    */
    uint32_t *start;                       /* where it began, if with an order       */
    uint64_t n_begun;
    uint64_t gained;  /* its ticks when its best order was found    */
    uint64_t fetched; /* ... and when that was last looked for      */
    uint64_t peak;    /* of its best order; UINT64_MAX: none yet    */
    bool done;        /* it has ended by itself                     */
} portfolio_local;

/* A first run will begin with the answer's order, as it is now.  HW_NO_MEMORY. */
hw_code portfolio_local_open(portfolio_local *l, const hw_model *m, const hw_request *request,
                             const hw_answer *answer, hw_error *err);
void portfolio_local_close(portfolio_local *l);

/*
 * Go on for `ticks`, in steps after each of which the meter counts them and
 * better orders and bounds go into the answer.  Ends early when the meter does,
 * or at an order of a peak not above `enough`.
 */
hw_code portfolio_local_go_on(portfolio_local *l, uint64_t ticks, uint64_t enough, hw_meter *meter,
                              hw_answer *answer, hw_error *err);

#endif
