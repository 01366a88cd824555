/* The certificate of the exact solver.  See exact_proof.h. */
#include "solvers/exact_proof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/mincut.h"
#include "model/sim.h"

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

static void write_dead(void *context, const exact_walk *w, exact_how how, const exact_move *commit)
{
    static const hw_proof_step steps[] = {HW_PROOF_RULES, HW_PROOF_COMMIT, HW_PROOF_PLAIN};
    const writing *c = context;
    uint32_t n = 0;
    (void)commit; /* the checker finds it again */
    for (uint32_t v = 0; v < c->p->n; v++)
        if (exact_has(w->done, v) != w->reverse)
            c->nodes[n++] = c->p->node[v];
    hw_proof_prefix(c->proof, c->nodes, n, steps[how]);
}

static hw_code write_search(hw_proof *proof, const exact_problem *p, bool reverse, uint64_t claim,
                            uint64_t memory_bytes, const hw_request *request, hw_error *err)
{
    static const exact_rules rules = {true, true, true, true};
    exact_engine e;
    hw_meter meter;
    hw_meter_start(&meter, request);
    writing c = {.proof = proof, .p = p};
    c.nodes = HW_NEW(uint32_t, p->n);
    hw_code code = c.nodes ? HW_OK : hw_fail_memory(err, "a proof");
    if (code == HW_OK)
        code = exact_engine_init(&e, p, reverse, &rules, memory_bytes, err);
    if (code == HW_OK) {
        e.on_dead = write_dead;
        e.context = &c;
        exact_outcome outcome = exact_engine_run(&e, claim - 1, UINT64_MAX / 2, &meter);
        if (outcome == EXACT_FOUND)
            code = hw_fail(err, HW_INTERNAL,
                           "writing the proof, an order below the bound %" PRIu64
                           " was found: please report this graph",
                           claim);
        else if (outcome == EXACT_FAILED)
            code = hw_fail_memory(err, "a proof");
        else if (outcome != EXACT_NONE)
            code = hw_fail(err, HW_STOPPED, "a limit ended the writing of the proof");
        exact_engine_free(&e);
    }
    free(c.nodes);
    return code == HW_OK ? hw_proof_end_search(proof, err) : code;
}

static hw_code search_again(hw_proof *proof, const uint32_t *order, uint64_t claim,
                            const exact_proof_block *b, uint64_t memory_bytes,
                            const hw_request *request, exact_map *map, hw_error *err)
{
    exact_problem *p;
    hw_code code =
        exact_problem_new(proof->m, order, b->low, b->high, b->live, memory_bytes, map, &p, err);
    if (code != HW_OK)
        return code;
    code = hw_proof_search(proof, b->reverse, b->low, b->high, p->node, p->n, err);
    if (code == HW_OK)
        code = write_search(proof, p, b->reverse, claim, memory_bytes, request, err);
    exact_problem_free(p);
    return code;
}

hw_code exact_proof(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                    const exact_proof_block *block, uint64_t memory_bytes,
                    const hw_request *request, exact_map *map, hw_proof_state *state, hw_error *err)
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
    else if (code == HW_OK && block)
        code = search_again(&proof, order, claim, block, memory_bytes, request, map, err);
    else if (code == HW_OK)
        code = hw_fail(err, HW_INTERNAL, "nothing at hand proves the bound %" PRIu64, claim);
    hw_proof_free(&proof);
    *state = code == HW_OK ? HW_PROOF_COMPLETE : HW_PROOF_CUT;
    return code == HW_STOPPED || code == HW_NO_MEMORY ? HW_OK : code;
}
