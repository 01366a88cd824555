/* The order that a program of the user's wrote.  See external_answer.h. */
#include "solvers/external_answer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/idmap.h"
#include "core/memory.h"
#include "io/io.h"
#include "io/text.h"
#include "model/check.h"
#include "model/sim.h"

typedef struct reading {
    const hw_model *m;
    external_answer *out;
    hw_idmap map;
    bool *seen;
    uint32_t n;
    uint64_t line;
    hw_error *err;
} reading;

static const char parting[] = " \t\r,[]";

/* Digits alone, below 2^64. */
static bool read_number(const char *word, size_t length, uint64_t *value)
{
    enum { BASE = 10 };
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(word[i] - '0');
        if (*value > (UINT64_MAX - digit) / BASE)
            return false;
        *value = *value * BASE + digit;
    }
    return length > 0;
}

static hw_code take_node(reading *r, const char *word, size_t length)
{
    uint64_t id;
    char quoted[HW_QUOTE_BYTES];
    if (!read_number(word, length, &id))
        return hw_fail(r->err, HW_CHECK_FAILED,
                       "not an order: line %" PRIu64 ": %s is no id of a node", r->line,
                       hw_quote(word, length, quoted));
    uint32_t v = hw_idmap_find(&r->map, id);
    if (v == HW_NONE)
        return hw_fail(r->err, HW_CHECK_FAILED,
                       "not an order: line %" PRIu64 ": the graph has no node %" PRIu64, r->line,
                       id);
    if (r->seen[v])
        return hw_fail(r->err, HW_CHECK_FAILED,
                       "not an order: line %" PRIu64 ": node %" PRIu64 " a second time", r->line,
                       id);
    r->seen[v] = true;
    r->out->order[r->n++] = v;
    return HW_OK;
}

/* "peak N": what the program thinks of its order. */
static hw_code take_claim(reading *r, const char *at, const char *end)
{
    char quoted[HW_QUOTE_BYTES];
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (r->out->has_claim)
        return hw_fail(r->err, HW_CHECK_FAILED, "not an order: line %" PRIu64 ": a second peak",
                       r->line);
    if (!read_number(at, (size_t)(end - at), &r->out->claim))
        return hw_fail(r->err, HW_CHECK_FAILED,
                       "not an order: line %" PRIu64 ": %s is no peak in bytes", r->line,
                       hw_quote(at, (size_t)(end - at), quoted));
    r->out->has_claim = true;
    return HW_OK;
}

static hw_code take_line(reading *r, const char *at, const char *end)
{
    static const char claim[] = "peak";
    while (at < end && strchr(parting, *at) && *at)
        at++;
    if (at == end || *at == '#')
        return HW_OK;
    size_t n = sizeof claim - 1;
    if ((size_t)(end - at) > n && memcmp(at, claim, n) == 0 && (at[n] == ' ' || at[n] == '\t'))
        return take_claim(r, at + n, end);
    hw_code code = HW_OK;
    while (code == HW_OK && at < end) {
        const char *word = at;
        while (at < end && !(*at && strchr(parting, *at)))
            at++;
        code = take_node(r, word, (size_t)(at - word));
        while (at < end && *at && strchr(parting, *at))
            at++;
    }
    return code;
}

static hw_code take_lines(reading *r, const char *text, size_t n)
{
    const char *end = text + n;
    hw_code code = HW_OK;
    while (code == HW_OK && text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        r->line++;
        code = take_line(r, text, stop ? stop : end);
        text = stop ? stop + 1 : end;
    }
    if (code != HW_OK || r->n == r->m->n_nodes)
        return code;
    if (r->n == 0)
        return hw_fail(r->err, HW_CHECK_FAILED, "no order: it ended well and wrote no node");
    uint32_t v = 0;
    while (r->seen[v])
        v++;
    return hw_fail(r->err, HW_CHECK_FAILED,
                   "incomplete order: %" PRIu32 " of %" PRIu32 " nodes, node %" PRIu32
                   " is missing",
                   r->n, r->m->n_nodes, hw_node_id(r->m->graph, v));
}

static hw_code read_plain(reading *r, const char *text, size_t n)
{
    const hw_graph *g = r->m->graph;
    r->seen = HW_NEW0(bool, g->n_nodes);
    hw_code code = r->seen ? HW_OK : hw_fail_memory(r->err, "an order");
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        if (hw_idmap_add(&r->map, hw_node_id(g, v)) != HW_IDMAP_NEW)
            code = hw_fail_memory(r->err, "an order");
    if (code == HW_OK)
        code = take_lines(r, text, n);
    hw_idmap_clear(&r->map);
    free(r->seen);
    return code;
}

/* An order file (highwater-formats(5)). */
static hw_code read_file(reading *r, const char *text, size_t n)
{
    hw_code code = hw_order_parse(text, n, "not an order", r->m->graph, r->out->order, r->err);
    if (code == HW_BAD_INPUT && r->err)
        r->err->code = HW_CHECK_FAILED;
    return code == HW_BAD_INPUT ? HW_CHECK_FAILED : code;
}

static hw_code check(const hw_model *m, external_answer *out, hw_error *err)
{
    hw_check found;
    char what[256];
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                  out->order, m->n_nodes, &found, err);
    if (code != HW_OK)
        return code;
    if (found.verdict != HW_ORDER_LEGAL) {
        hw_check_message(m->graph, &found, what, sizeof what);
        return hw_fail(err, HW_CHECK_FAILED, "illegal order: %s", what);
    }
    code = hw_peak(m, out->order, &out->peak, err);
    if (code == HW_OK && out->has_claim && out->claim != out->peak)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "wrong peak: it claims %" PRIu64 ", its order has %" PRIu64, out->claim,
                       out->peak);
    return code;
}

hw_code external_read(const hw_model *m, const char *text, size_t n, external_answer *out,
                      hw_error *err)
{
    reading r = {.m = m, .out = out, .err = err};
    size_t blank = strspn(text, " \t\r\n");
    out->has_claim = false;
    hw_code code = text[blank] == '{' ? read_file(&r, text, n) : read_plain(&r, text, n);
    return code == HW_OK ? check(m, out, err) : code;
}
