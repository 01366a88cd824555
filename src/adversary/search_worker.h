/* One lane in a process of its own, which tells of it through a pipe. */
#ifndef HW_ADVERSARY_SEARCH_WORKER_H
#define HW_ADVERSARY_SEARCH_WORKER_H

#include <sys/types.h>

#include "adversary/search.h"

typedef enum hw_lane_news_kind {
    HW_LANE_TICK,  /* so many evaluations                     */
    HW_LANE_FOUND, /* a graph better than all before          */
    HW_LANE_DONE,  /* the lane is over: its outcome           */
    HW_LANE_DIED   /* made by the parent: no outcome will come */
} hw_lane_news_kind;

typedef struct hw_lane_news {
    hw_lane_news_kind kind;
    bool any;
    uint64_t used;
    hw_find find;
    hw_error err; /* DONE and DIED: code HW_OK or why not */
} hw_lane_news;

typedef struct hw_lane_worker {
    bool busy;
    hw_lane_plan plan;
    pid_t pid;
    int pipe; /* read end */
    uint64_t used;
    bool done; /* HW_LANE_DONE was read */
    size_t filled;
    hw_lane_news news;
} hw_lane_worker;

/* HW_IO. */
hw_code hw_lane_worker_start(hw_lane_worker *w, const hw_search *s, const hw_lane_plan *plan,
                             hw_error *err);

/* Read from the pipe; true: w->news is whole and new.  After DIED, or once the
 * pipe has ended behind DONE, the worker is not busy any more. */
bool hw_lane_worker_read(hw_lane_worker *w);

/* End it: asked first, so that nothing of a solver stays on disk, then killed. */
void hw_lane_worker_abandon(hw_lane_worker *w);

#endif
