/* The certificate of the exact solver.  See exact_proof.h. */
#include "solvers/exact_proof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/mincut.h"
#include "model/sim.h"
#include "proof/proof.h"
#include "solvers/exact_narrow.h"
#include "solvers/exact_symmetry.h"

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

/* Search the piece again, in the direction that is known to prove it. */
static hw_code write_search(hw_proof *proof, const exact_problem *p, bool reverse, uint64_t claim,
                            uint64_t memory_bytes, hw_meter *meter, hw_error *err)
{
    static const exact_rules rules = {true, true, true, true, true};
    exact_engine e;
    writing c = {.proof = proof, .p = p, .nodes = HW_NEW(uint32_t, p->n)};
    if (!c.nodes)
        return hw_fail_memory(err, "a proof");
    hw_code code = exact_engine_init(&e, p, reverse, &rules, memory_bytes, err);
    if (code == HW_OK) {
        e.on_dead = write_dead;
        e.context = &c;
        exact_outcome outcome = exact_engine_run(&e, claim - 1, UINT64_MAX / 2, meter);
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

/* Write the way to the piece, and its search. */
static hw_code write_piece(hw_proof *proof, const hw_model *m, const exact_narrow *piece,
                           uint64_t claim, uint64_t memory_bytes, hw_meter *meter, hw_error *err)
{
    exact_map map;
    exact_problem *p = NULL;
    hw_code code = exact_map_init(&map, m, err);
    if (code != HW_OK)
        return code;
    code = exact_problem_new(m, piece->order, piece->low, piece->high, piece->live, memory_bytes,
                             &map, &p, err);
    exact_map_free(&map);
    if (code == HW_OK)
        code = exact_narrow_write(piece, proof, err);
    if (code == HW_OK)
        code = hw_proof_search(proof, piece->reverse, p->node, p->n, err);
    if (code == HW_OK)
        code = write_search(proof, p, piece->reverse, claim, memory_bytes, meter, err);
    exact_problem_free(p);
    return code;
}

static hw_code write_symmetry(hw_proof *proof, const exact_symmetry *s, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; i < s->n_maps && code == HW_OK; i++) {
        size_t end = i + 1 < s->n_maps ? s->map[i + 1].first : s->n_pairs;
        code = hw_proof_symmetry(proof, s->map[i].chain, s->pair + s->map[i].first,
                                 end - s->map[i].first, err);
        if (code == HW_OK && (i + 1 == s->n_maps || s->map[i + 1].round != s->map[i].round))
            code = hw_proof_end_round(proof, err);
    }
    return code;
}

/* A search of the instance with symmetries; *done: there are some, and it is written. */
static hw_code search_symmetric(hw_proof *proof, const hw_model *m, const uint32_t *order,
                                uint64_t claim, uint64_t memory_bytes, hw_meter *meter, bool *done,
                                hw_error *err)
{
    exact_symmetry s;
    exact_narrow piece;
    uint32_t *sorted = HW_NEW(uint32_t, m->n_nodes);
    if (!sorted)
        return hw_fail_memory(err, "a proof");
    hw_code code = exact_symmetry_find(m, EXACT_SYMMETRY_ALL, &s, err);
    if (code != HW_OK) {
        free(sorted);
        return code;
    }
    *done = s.n_edges > 0;
    if (*done)
        code = exact_symmetry_sort(&s, order, sorted, err);
    if (*done && code == HW_OK)
        code =
            exact_narrow_find(&s.model, sorted, true, claim - 1, memory_bytes, meter, &piece, err);
    if (*done && code == HW_OK) {
        code = write_symmetry(proof, &s, err);
        if (code == HW_OK)
            code = write_piece(proof, &s.model, &piece, claim, memory_bytes, meter, err);
        exact_narrow_free(&piece);
    }
    exact_symmetry_free(&s);
    free(sorted);
    return code;
}

static hw_code write_any_search(hw_proof *proof, const uint32_t *order, bool legal, uint64_t claim,
                                uint64_t plain_states, uint64_t memory_bytes,
                                const hw_request *request, hw_error *err)
{
    const hw_model *m = proof->m;
    hw_meter meter, plain;
    exact_narrow piece;
    hw_request limits = *request;
    bool limited = plain_states && legal && !m->earliest &&
                   (!request->limits.states || plain_states < request->limits.states);
    if (limited)
        limits.limits.states = plain_states;
    hw_meter_start(&meter, request);
    hw_meter_start(&plain, &limits);
    hw_code code = exact_narrow_find(m, order, legal, claim - 1, memory_bytes, &plain, &piece, err);
    if (code == HW_STOPPED && limited && !hw_meter_look(&meter)) {
        bool done = false;
        code = search_symmetric(proof, m, order, claim, memory_bytes, &meter, &done, err);
        if (code != HW_OK || done)
            return code;
        code = exact_narrow_find(m, order, legal, claim - 1, memory_bytes, &meter, &piece, err);
    }
    if (code == HW_OK) {
        code = write_piece(proof, m, &piece, claim, memory_bytes, &meter, err);
        exact_narrow_free(&piece);
    }
    return code;
}

hw_code exact_proof(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                    uint64_t plain_states, uint64_t memory_bytes, const hw_request *request,
                    hw_proof_state *state, hw_error *err)
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
        code =
            write_any_search(&proof, order, legal, claim, plain_states, memory_bytes, request, err);
    hw_proof_free(&proof);
    *state = code == HW_OK ? HW_PROOF_COMPLETE : HW_PROOF_CUT;
    return code == HW_STOPPED || code == HW_NO_MEMORY ? HW_OK : code;
}
