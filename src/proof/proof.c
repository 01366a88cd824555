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
                       "cannot write the proof: %s: choose another file or make "
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
    p->flip = HW_NEW(uint32_t, m->n_nodes);
    if (!p->mark || !p->last || !p->flip) {
        hw_proof_free(p);
        return hw_fail_memory(err, "a proof");
    }
    hw_code code = hw_graph_hash(m->graph, hash, err);
    if (code == HW_OK) {
        (void)fprintf(
            out, "highwater-proof 3\ngraph %s\naccounting %s\ninputs %s\nclaim %" PRIu64 "\n", hash,
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
    free(p->flip);
    p->mark = p->last = p->flip = NULL;
}

hw_code hw_proof_write_bound(hw_proof *p, hw_proof_bound kind, uint32_t node, hw_error *err)
{
    static const char *const names[] = {"live", "node", "before"};
    (void)fprintf(p->out, "bound %s", names[kind]);
    if (kind != HW_PROOF_LIVE)
        (void)fprintf(p->out, " %" PRIu32, node);
    (void)fputc('\n', p->out);
    (void)fflush(p->out);
    return check_stream(p, err);
}

hw_code hw_proof_write_crowd(hw_proof *p, uint32_t from, uint32_t to, hw_error *err)
{
    (void)fprintf(p->out, "bound windows %" PRIu32 " %" PRIu32 "\n", from, to);
    (void)fflush(p->out);
    return check_stream(p, err);
}

hw_code hw_proof_search(hw_proof *p, bool reverse, const uint32_t *nodes, uint32_t n, hw_error *err)
{
    (void)fprintf(p->out, "search %s\n", reverse ? "reverse" : "forward");
    p->turn = 1;
    p->n_last = reverse ? n : 0;
    for (uint32_t i = 0; i < p->n_last; i++) {
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

void hw_proof_prefix(hw_proof *p, const uint32_t *nodes, uint32_t n, hw_proof_step step)
{
    /* Out from the top, then in from the bottom: prefixes all the way. */
    uint32_t count = 0, old = p->turn, new = old + 1;
    if (new == UINT32_MAX) { /* start the marks anew */
        memset(p->mark, 0, p->m->n_nodes * sizeof *p->mark);
        for (uint32_t i = 0; i < p->n_last; i++)
            p->mark[p->last[i]] = 1;
        old = 1;
        new = 2;
    }
    for (uint32_t i = 0; i < n; i++)
        if (p->mark[nodes[i]] == old)
            p->mark[nodes[i]] = new;
    for (uint32_t i = p->n_last; i-- > 0;)
        if (p->mark[p->last[i]] == old)
            p->flip[count++] = p->last[i];
    for (uint32_t i = 0; i < n; i++)
        if (p->mark[nodes[i]] != new) {
            p->mark[nodes[i]] = new;
            p->flip[count++] = nodes[i];
        }
    if (n)
        memcpy(p->last, nodes, n * sizeof *nodes);
    p->n_last = n;
    p->turn = new;
    put_number(p, 3 * (uint64_t)count + step + 1); /* 0 ends the list */
    for (uint32_t i = 0; i < count; i++)
        put_number(p, p->flip[i]);
    p->states++;
}

void hw_proof_path(const hw_proof *p, const uint32_t *nodes, uint32_t n)
{
    put_number(p, n);
    for (uint32_t i = 0; i < n; i++)
        put_number(p, nodes[i]);
}

hw_code hw_proof_end_search(hw_proof *p, hw_error *err)
{
    put_number(p, 0);
    (void)fflush(p->out);
    return check_stream(p, err);
}
