/*
 * A log of lifetimes against the rule that decides whether it is right, from
 * the tensors and nodes as they stand in the graph: nothing of model.h, sim.h
 * or log.c is used.
 */
#ifndef HW_CLAIMS_LIFETIMES_H
#define HW_CLAIMS_LIFETIMES_H

#include "model/log.h"

/* What has to vanish at its last consumer. */
typedef enum hw_lifetime_rule {
    HW_RULE_STORAGES, /* a tensor with all its views, as highwater-model(7) has it */
    HW_RULE_TENSORS   /* each tensor by itself, as the article has it: its own readers  */
} hw_lifetime_rule;

/*
 * How many of life[0 .. n) are not born when their tensor is made, or do not
 * die after the last node that reads what the rule says (kept outputs: at the
 * end; what nobody reads: at once).  HW_NO_MEMORY.  O(n + nodes + inputs listed).
 */
hw_code hw_lifetimes_wrong(const hw_graph *g, const uint32_t *order, const hw_lifetime *life,
                           uint32_t n, hw_lifetime_rule rule, uint32_t *wrong, hw_error *err);

/*
 * The peak that a simulator tells which has these lifetimes in place of those of
 * the log, whose accounting and steps it has.  O(n steps).
 */
uint64_t hw_lifetimes_peak(const hw_log *log, const hw_lifetime *life);

/* What reads memory that is gone. */
typedef struct hw_dangling {
    uint32_t nodes; /* that read an image of a storage which was freed */
    uint64_t bytes; /* of such storages                                */
} hw_dangling;

/*
 * Who would read freed memory in an order, were every storage freed after the
 * last node that reads its root itself, and not those that read views of it?
 * Constants and roots that are outputs are never freed.  HW_NO_MEMORY.
 */
hw_code hw_lifetimes_dangling(const hw_graph *g, const uint32_t *order, hw_dangling *out,
                              hw_error *err);

/* ---- Faults: life[0 .. log->n_lives), a copy of the log's, is spoiled. ---- */

/*
 * Each picks by `draw`, any number, and returns false where there is nothing
 * to spoil or nothing changes.
 */
bool hw_lifetimes_free_late(const hw_log *log, uint64_t draw, hw_lifetime *life);
bool hw_lifetimes_free_early(const hw_log *log, uint64_t draw, hw_lifetime *life);

/* Two tensors share one name, by which consumers are counted and blocks are kept. */
bool hw_lifetimes_clash(const hw_log *log, uint64_t draw, hw_lifetime *life);

/* Views are ordinary nodes: every storage dies after the last reader of its root itself.  HW_OK
 * with *changed, or HW_NO_MEMORY. */
hw_code hw_lifetimes_forget_views(const hw_log *log, hw_lifetime *life, bool *changed,
                                  hw_error *err);

#endif
