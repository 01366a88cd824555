/* Writing a certificate.  See proof.h. */
#include "proof/proof.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/io.h"

static hw_code check_stream(const hw_proof *p, hw_error *err)
{
    if (ferror(p->out))
        return hw_fail(err, HW_IO,
                       "the proof cannot be written: %s: choose another file or make "
                       "room",
                       strerror(errno));
    return HW_OK;
}

hw_code hw_proof_begin(hw_proof *p, FILE *out, const hw_model *m, uint64_t claim, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    *p = (hw_proof){.out = out, .m = m};
    p->mark = HW_NEW0(uint32_t, m->n_nodes);
    p->last = HW_NEW(uint32_t, m->n_nodes);
    p->toggle = HW_NEW(uint32_t, m->n_nodes);
    if (!p->mark || !p->last || !p->toggle) {
        hw_proof_free(p);
        return hw_fail_memory(err, "a proof");
    }
    hw_code code = hw_graph_hash(m->graph, hash, err);
    if (code == HW_OK) {
        (void)fprintf(
            out, "highwater-proof 1\ngraph %s\naccounting %s\ninputs %s\nclaim %" PRIu64 "\n", hash,
            hw_accounting_name(m->accounting), m->pin_inputs ? "pinned" : "freed", claim);
        code = check_stream(p, err);
    }
    if (code != HW_OK)
        hw_proof_free(p);
    return code;
}

void hw_proof_free(hw_proof *p)
{
    free(p->mark);
    free(p->last);
    free(p->toggle);
    p->mark = p->last = p->toggle = NULL;
}

hw_code hw_proof_write_bound(hw_proof *p, hw_proof_bound kind, uint32_t node, hw_error *err)
{
    static const char *const names[] = {"live-empty", "live-full", "node", "before"};
    (void)fprintf(p->out, "bound %s", names[kind]);
    if (kind == HW_PROOF_NODE || kind == HW_PROOF_BEFORE)
        (void)fprintf(p->out, " %" PRIu32, hw_node_id(p->m->graph, node));
    (void)fputc('\n', p->out);
    (void)fflush(p->out);
    return check_stream(p, err);
}

static void put_end(const hw_proof *p, hw_proof_end end, uint32_t node)
{
    if (end == HW_PROOF_WHOLE)
        (void)fputs(" whole", p->out);
    else
        (void)fprintf(p->out, " %s:%" PRIu32, end == HW_PROOF_BEFORE_CUT ? "before" : "after",
                      hw_node_id(p->m->graph, node));
}

hw_code hw_proof_search(hw_proof *p, bool reverse, hw_proof_end low, uint32_t low_node,
                        hw_proof_end high, uint32_t high_node, bool safe, bool macros,
                        const uint32_t *nodes, uint32_t n, hw_error *err)
{
    (void)fprintf(p->out, "search %s", reverse ? "reverse" : "forward");
    put_end(p, low, low_node);
    put_end(p, high, high_node);
    (void)fprintf(p->out, " safe=%d macros=%d\n", safe, macros);
    p->turn = 1; /* the first prefix is told apart from the whole block */
    p->n_last = n;
    for (uint32_t i = 0; i < n; i++) {
        p->mark[nodes[i]] = p->turn;
        p->last[i] = nodes[i];
    }
    return check_stream(p, err);
}

/* Seven bits a byte, the lowest first; the top bit says that more follow. */
static void put_number(const hw_proof *p, uint64_t value)
{
    for (; value > 127; value >>= 7)
        (void)putc((int)(value & 127) | 128, p->out);
    (void)putc((int)value, p->out);
}

static int by_index(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void put_gaps(const hw_proof *p, const uint32_t *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        put_number(p, i ? nodes[i] - nodes[i - 1] - 1 : nodes[i]);
}

void hw_proof_prefix(hw_proof *p, const uint32_t *nodes, uint32_t n, hw_proof_step step,
                    const uint32_t *macro, uint32_t n_macro)
{
    uint32_t count = 0, turn = p->turn + 1;
    for (uint32_t i = 0; i < n; i++) {
        if (p->mark[nodes[i]] != p->turn)
            p->toggle[count++] = nodes[i];
        p->mark[nodes[i]] = turn;
    }
    for (uint32_t i = 0; i < p->n_last; i++)
        if (p->mark[p->last[i]] != turn)
            p->toggle[count++] = p->last[i];
    if (n)
        memcpy(p->last, nodes, n * sizeof *nodes);
    p->n_last = n;
    p->turn = turn;
    if (turn == UINT32_MAX) { /* start the marks anew */
        memset(p->mark, 0, p->m->n_nodes * sizeof *p->mark);
        p->turn = 1;
        for (uint32_t i = 0; i < n; i++)
            p->mark[nodes[i]] = 1;
    }
    qsort(p->toggle, count, sizeof *p->toggle, by_index);
    put_number(p, ((uint64_t)count << 2 | step) + 1); /* 0 ends the list */
    put_gaps(p, p->toggle, count);
    if (step == HW_PROOF_COMMIT) {
        put_number(p, n_macro);
        for (uint32_t i = 0; i < n_macro; i++)
            put_number(p, macro[i]);
    }
    p->states++;
}

hw_code hw_proof_end_search(hw_proof *p, hw_error *err)
{
    put_number(p, 0);
    (void)fflush(p->out);
    return check_stream(p, err);
}
