/*
 * The lifetime log of one order: what each step uses, creates and frees.
 *
 * The things that are born and die are storages (highwater-model(7)): each is named by
 * its root tensor.  A view creates nothing, so its outputs appear nowhere; a
 * view that is an output shows as its root living to the end.  A dead output
 * is born and dies in one step.  Constants and inputs that nobody consumes
 * (unless pinned) are never in memory and have no row.
 */
#ifndef HW_MODEL_LOG_H
#define HW_MODEL_LOG_H

#include "core/json_out.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One storage: in memory from step `birth` to step `death`, both included. */
typedef struct hw_lifetime {
    uint32_t tensor; /* index of the root tensor                */
    int64_t birth;   /* -1: before step 0                       */
    int64_t death;   /* freed after that step; n_steps: kept    */
    uint64_t size;   /* bytes                                   */
} hw_lifetime;

/* The run of one order, released by hw_log_free(). */
typedef struct hw_log {
    const hw_model *model;     /* the caller's, must outlive the log */
    uint32_t n_steps, n_lives; /* how many steps and lifetimes */
    uint32_t *order;           /* nodes, by step                          */
    uint64_t *usage;           /* of every step                           */
    uint64_t *live;            /* after every step                        */
    hw_lifetime *life;         /* by birth, then by index of the tensor   */
    uint32_t *first_born;      /* n_steps + 2: see hw_log_born()          */
    hw_rows died;              /* by step: indices of life[], ascending   */
    uint64_t live_empty;       /* before step 0                           */
    uint64_t peak;             /* greatest usage, at least live_empty     */
    int64_t peak_step;         /* first step that reaches it; -1: none    */
    uint64_t resident_bytes;   /* constants                              */
    bool with_resident;        /* they are part of every figure above     */
} hw_log;

/*
 * Log the run of an order of n_nodes node indices.  with_resident adds the
 * constants to usage, live and peak.  HW_CHECK_FAILED: the order is illegal,
 * with the reason.  HW_INTERNAL: fast simulator, independent checker and
 * lifetimes disagree.  HW_NO_MEMORY.  O(tensors + inputs) beside the checker.
 */
hw_code hw_log_new(const hw_model *m, const uint32_t *order, bool with_resident, hw_log **out,
                   hw_error *err);

/* Release it; NULL is allowed. */
void hw_log_free(hw_log *log);

/* What step `step` creates: life[*begin .. *end); -1: what lives before step 0. */
static inline void hw_log_born(const hw_log *log, int64_t step, uint32_t *begin, uint32_t *end)
{
    *begin = log->first_born[step + 1];
    *end = log->first_born[step + 2];
}

/*
 * Is the storage in memory while step `step` is measured (-1: before step 0)?
 * Under free-first what dies in a step is gone by then, but for what it makes.
 */
static inline bool hw_log_holds(const hw_log *log, const hw_lifetime *life, int64_t step)
{
    if (life->birth > step || life->death < step)
        return false;
    bool freed_first = log->model->accounting == HW_FREE_FIRST && life->death == step;
    return !freed_first || life->birth == step;
}

/*
 * A table: a row a step with node, usage, live total, born and died tensors
 * (ids of the file), the step of the peak marked; with_live_set adds the
 * tensors alive after each step.  Write errors stay in the stream.
 */
hw_code hw_log_print(const hw_log *log, bool with_live_set, FILE *out, hw_error *err);

/*
 * The same as fields of an open JSON object: accounting, pin_inputs,
 * with_resident, peak, peak_step, resident, live_before, initial (tensor ids)
 * and steps, an array of {step, node, usage, live, born, died} and live_set on request.
 */
hw_code hw_log_json(const hw_log *log, bool with_live_set, hw_json_out *j, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
