/* The certificate of the exact solver.  See exact_proof.h. */
#include "solvers/exact_proof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/mincut.h"
#include "model/sim.h"
#include "proof/proof.h"
#include "solvers/exact_search.h"

/* A bound that reaches the claim on its own. */
static hw_code find_bound(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                          hw_proof_bound *kind, uint32_t *node, bool *found, hw_error *err)
{
    *found = true;
    *node = HW_NONE;
    *kind = HW_PROOF_LIVE;
    if (m->live_empty >= claim || m->live_full >= claim)
        return HW_OK;
    hw_sim s;
    hw_mincut *c = hw_mincut_new(m);
    hw_code code = c ? hw_sim_init(&s, m, err) : hw_fail_memory(err, "a proof");
    if (code != HW_OK) {
        hw_mincut_free(c);
        return code;
    }
    *found = false;
    for (uint32_t i = 0; i < m->n_nodes && !*found; i++) {
        uint32_t v = order[i];
        uint64_t before = s.live, usage = hw_sim_step(&s, v);
        /* In a legal order no bound of v is larger than what v has there. */
        if ((!legal || before >= claim) && hw_mincut_before(c, v, claim - 1) >= claim) {
            *found = true;
            *kind = HW_PROOF_BEFORE;
        } else if ((!legal || usage >= claim) && hw_mincut_node(c, v, claim - 1) >= claim) {
            *found = true;
            *kind = HW_PROOF_NODE;
        }
        *node = v;
    }
    hw_sim_free(&s);
    hw_mincut_free(c);
    return HW_OK;
}

typedef struct writing {
    hw_proof *proof;
    const exact_problem *p;
    uint32_t *nodes;
} writing;

static void write_dead(void *context, const exact_walk *w, exact_how how, const uint32_t *path,
                       uint32_t n_path)
{
    static const hw_proof_step steps[] = {HW_PROOF_RULES, HW_PROOF_COMMIT, HW_PROOF_PLAIN};
    const writing *c = context;
    uint32_t n = 0;
    for (uint32_t v = 0; v < c->p->n; v++)
        if (exact_has(w->done, v) != w->reverse)
            c->nodes[n++] = c->p->node[v];
    hw_proof_prefix(c->proof, c->nodes, n, steps[how]);
    for (uint32_t i = 0; i < n_path; i++)
        c->nodes[i] = c->p->node[path[i]];
    if (how == EXACT_HOW_COMMIT)
        hw_proof_path(c->proof, c->nodes, n_path);
}

/* How a search has to end. */
static hw_code tell(exact_outcome outcome, uint64_t budget, hw_error *err)
{
    if (outcome == EXACT_NONE)
        return HW_OK;
    if (outcome == EXACT_FOUND)
        return hw_fail(err, HW_INTERNAL,
                       "writing a proof, an order within %" PRIu64
                       " was found, which was said not to exist: please report this graph",
                       budget);
    if (outcome == EXACT_FAILED)
        return hw_fail_memory(err, "a proof");
    return hw_fail(err, HW_STOPPED, "a limit ended the writing of the proof");
}

static const exact_rules all_rules = {true, true, true, true, true};

/* The direction in which a search ends soonest. */
static hw_code find_direction(const exact_problem *p, uint64_t budget, uint64_t memory_bytes,
                              hw_meter *meter, bool *reverse, hw_error *err)
{
    const exact_options options = {.rules = all_rules,
                                   .direction = EXACT_BOTH,
                                   .beam = 0, /* there is nothing to be found */
                                   .memory_bytes = memory_bytes};
    exact_search s;
    uint32_t *local = HW_NEW(uint32_t, p->n);
    hw_code code = local ? exact_search_init(&s, p, &options, err) : hw_fail_memory(err, "a proof");
    if (code == HW_OK) {
        exact_outcome outcome = exact_search_decide(&s, budget, meter, local);
        *reverse = s.proved_by == 1;
        code = tell(outcome, budget, err);
        exact_search_free(&s);
    }
    free(local);
    return code;
}

/* Search in the direction that is known to end, and tell of every dead prefix. */
static hw_code write_search(hw_proof *proof, const exact_problem *p, bool reverse, uint64_t budget,
                            uint64_t memory_bytes, hw_meter *meter, hw_error *err)
{
    exact_engine e;
    writing c = {.proof = proof, .p = p, .nodes = HW_NEW(uint32_t, p->n)};
    hw_code code = c.nodes ? exact_engine_init(&e, p, reverse, &all_rules, memory_bytes, err)
                           : hw_fail_memory(err, "a proof");
    if (code == HW_OK) {
        code = hw_proof_search(proof, reverse, p->node, p->n, err);
        e.on_dead = write_dead;
        e.context = &c;
        if (code == HW_OK)
            code = tell(exact_engine_run(&e, budget, UINT64_MAX / 2, meter), budget, err);
        exact_engine_free(&e);
    }
    free(c.nodes);
    return code == HW_OK ? hw_proof_end_search(proof, err) : code;
}

static hw_code write_any_search(hw_proof *proof, const uint32_t *order, uint64_t budget,
                                uint64_t memory_bytes, const hw_request *request, hw_error *err)
{
    const hw_model *m = proof->m;
    exact_map map;
    exact_problem *p = NULL;
    hw_meter meter;
    bool reverse = false;
    hw_meter_start(&meter, request);
    hw_code code = exact_map_init(&map, m, err);
    if (code != HW_OK)
        return code;
    code = exact_problem_new(m, order, 0, m->n_nodes, m->live_empty, memory_bytes, &map, &p, err);
    exact_map_free(&map);
    if (code == HW_OK)
        code = find_direction(p, budget, memory_bytes, &meter, &reverse, err);
    if (code == HW_OK)
        code = write_search(proof, p, reverse, budget, memory_bytes, &meter, err);
    exact_problem_free(p);
    return code;
}

hw_code exact_proof(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                    uint64_t memory_bytes, const hw_request *request, hw_proof_state *state,
                    hw_error *err)
{
    hw_proof proof;
    hw_proof_bound kind;
    uint32_t node;
    bool found;
    hw_code code = hw_proof_begin(&proof, request->proof, m, claim, err);
    if (code != HW_OK)
        return code;
    code = find_bound(m, order, legal, claim, &kind, &node, &found, err);
    if (code == HW_OK && found)
        code = hw_proof_write_bound(&proof, kind, node, err);
    else if (code == HW_OK)
        code = write_any_search(&proof, order, claim - 1, memory_bytes, request, err);
    hw_proof_free(&proof);
    *state = code == HW_OK ? HW_PROOF_COMPLETE : HW_PROOF_CUT;
    return code == HW_STOPPED || code == HW_NO_MEMORY ? HW_OK : code;
}
