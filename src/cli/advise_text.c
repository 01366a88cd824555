/* Advice for a person.  See advise_text.h. */
#include "cli/advise_text.h"

#include <inttypes.h>
#include <string.h>

#include "cli/shared.h"
#include "core/ratio.h"

enum {
    NAME_TEXT = HW_SHOWN_TEXT + 16,
    MOST_SET = 12,    /* tensors of a set that are named */
    MOST_COPIES = 12, /* copies that are named, and readers of each */
    AGAIN_TEXT = 96
};

static const char *item_text(uint32_t id, const char *name, char text[NAME_TEXT])
{
    char shown[HW_SHOWN_TEXT];
    if (*name)
        (void)snprintf(text, NAME_TEXT, "%" PRIu32 " (%s)", id, hw_cli_shown(name, shown));
    else
        (void)snprintf(text, NAME_TEXT, "%" PRIu32, id);
    return text;
}

static const char *node_text(const hw_graph *g, uint32_t v, char text[NAME_TEXT])
{
    const char *name = *hw_node_name(g, v) ? hw_node_name(g, v) : hw_node_op(g, v);
    return item_text(hw_node_id(g, v), name, text);
}

static const char *tensor_text(const hw_graph *g, uint32_t t, char text[NAME_TEXT])
{
    return item_text(hw_tensor_id(g, t), hw_tensor_name(g, t), text);
}

static void put_percent(FILE *out, uint64_t peak, uint64_t from)
{
    if (peak < from)
        (void)fprintf(out, ", %.1f %% less", (1 - hw_ratio_value((hw_ratio){peak, from})) * 100);
    else if (peak > from && from > 0)
        (void)fprintf(out, ", %.1f %% more", (hw_ratio_value((hw_ratio){peak, from}) - 1) * 100);
}

/* ---- The peak. ---- */

static void put_peak(const hw_advised *d, FILE *out)
{
    const hw_advice *a = d->advice;
    const hw_log *log = a->log;
    char bytes[HW_BYTES_TEXT], text[NAME_TEXT];
    hw_bytes_text(log->peak + d->added, bytes);
    if (d->order_name)
        (void)fprintf(out, "  peak %s in the order %s", bytes, hw_cli_shown(d->order_name, text));
    else
        (void)fprintf(out, "  peak %s in the best order%s", bytes,
                      a->best.status == HW_OPTIMAL ? "" : " found");
    if (log->peak_step < 0)
        (void)fputs(", before step 0\n", out);
    else
        (void)fprintf(out, ", at step %" PRId64 " of %" PRIu32 ", node %s\n", log->peak_step,
                      log->n_steps, node_text(a->m->graph, log->order[log->peak_step], text));
    (void)fprintf(out, "  %zu step%s it; the most of any other is %" PRIu64 "\n",
                  a->gaps.n_peak_steps, a->gaps.n_peak_steps == 1 ? " reaches" : "s reach",
                  a->gaps.next_usage + d->added);
}

/* ---- What is alive there. ---- */

static const char *again_text(const hw_advised *d, const hw_held *h, char text[AGAIN_TEXT])
{
    static const char *const why[] = {[HW_CHAIN_UNKNOWN] = "-",
                                      [HW_CHAIN_FOUND] = "",
                                      [HW_CHAIN_GIVEN] = "given",
                                      [HW_CHAIN_FIXED] = "fixed",
                                      [HW_CHAIN_ILLEGAL] = "illegal"};
    const hw_chain *c = &h->chain;
    if (c->state != HW_CHAIN_FOUND)
        (void)snprintf(text, AGAIN_TEXT, "%14s %5s %14s", why[c->state], "-", "-");
    else
        (void)snprintf(text, AGAIN_TEXT, "%14" PRIu64 " %5" PRIu32 " %14" PRIu64,
                       c->peak + d->added, c->n_nodes, c->bytes);
    return text;
}

static void put_held(const hw_advised *d, const hw_held *h, FILE *out)
{
    static const char *const states[] = {[HW_HELD_IDLE] = "",
                                         [HW_HELD_USED] = "read now",
                                         [HW_HELD_MADE] = "made now",
                                         [HW_HELD_PINNED] = "pinned"};
    const hw_advice *a = d->advice;
    const hw_log *log = a->log;
    char name[NAME_TEXT], again[AGAIN_TEXT], next[24] = "-", moved[24] = "-", age[24] = "given";
    if (h->life->birth >= 0)
        (void)snprintf(age, sizeof age, "%" PRId64, log->peak_step - h->life->birth);
    if (h->gap) {
        if (h->gap->to < (int64_t)log->n_steps)
            (void)snprintf(next, sizeof next, "%" PRId64, h->gap->to - log->peak_step);
        else
            (void)snprintf(next, sizeof next, "end");
        (void)snprintf(moved, sizeof moved, "%" PRIu64, h->moved_bytes);
        (void)fprintf(out, "  %14" PRIu64 " %14" PRIu64, h->dropped + d->added,
                      log->peak - h->dropped);
    } else {
        (void)fprintf(out, "  %14s %14s", states[h->state], "-");
    }
    (void)fprintf(out, " %14" PRIu64 " %6s %6s %14s %s  %s\n", h->life->size, age, next, moved,
                  again_text(d, h, again), tensor_text(a->m->graph, h->life->tensor, name));
}

static void put_alive(const hw_advised *d, FILE *out)
{
    const hw_advice *a = d->advice;
    uint64_t bytes = 0;
    size_t idle = 0;
    for (size_t i = 0; i < a->n_held; i++) {
        bytes += a->held[i].life->size;
        idle += a->held[i].gap != NULL;
    }
    (void)fprintf(out, "alive at the peak: %zu tensor%s of %" PRIu64 " bytes, %zu of them idle\n",
                  a->n_held, a->n_held == 1 ? "" : "s", bytes, idle);
    if (a->n_held == 0)
        return;
    (void)fprintf(out, "  %14s %14s %14s %6s %6s %14s %14s %5s %14s  tensor\n", "dropped: peak",
                  "saves", "size", "age", "next", "spilled: moves", "again: peak", "nodes",
                  "moves");
    for (size_t i = 0; i < a->n_held && i < d->top; i++)
        put_held(d, &a->held[i], out);
    if (a->n_held > d->top)
        (void)fprintf(out, "  and %zu more: --top shows them\n", a->n_held - d->top);
}

static void put_set(const hw_advised *d, FILE *out)
{
    const hw_advice *a = d->advice;
    const hw_log *log = a->log;
    char name[NAME_TEXT];
    if (a->n_set == 0) {
        if (a->stuck >= 0)
            (void)fprintf(out,
                          "no drop lowers the peak: step %" PRId64
                          ", node %s, reaches it all the same\n",
                          a->stuck, node_text(a->m->graph, log->order[a->stuck], name));
        else
            (void)fputs("no drop lowers the peak: it stands before step 0\n", out);
        return;
    }
    if (a->n_set == 1)
        return;
    (void)fprintf(out,
                  "no one drop lowers all %zu steps of the peak; these %zu together leave "
                  "%" PRIu64 ":\n",
                  a->gaps.n_peak_steps, a->n_set, a->set_peak + d->added);
    for (size_t i = 0; i < a->n_set && i < MOST_SET; i++) {
        const hw_gap *gap = &a->gaps.gap[a->set[i]];
        (void)fprintf(out, "  %14" PRIu64 " bytes, steps %" PRId64 " to %" PRId64 ", tensor %s\n",
                      gap->size, gap->unborn ? -1 : gap->from + !gap->frees, gap->to - 1,
                      tensor_text(a->m->graph, log->life[gap->life].tensor, name));
    }
    if (a->n_set > MOST_SET)
        (void)fprintf(out, "  and %zu more: --json shows them\n", a->n_set - MOST_SET);
}

/* ---- How low it can go. ---- */

static void put_least(const hw_advised *d, FILE *out, const char *what, uint64_t peak,
                      uint64_t bound, bool compare)
{
    char bytes[HW_BYTES_TEXT];
    hw_bytes_text(peak + d->added, bytes);
    (void)fprintf(out, "  %-31s %s", what, bytes);
    if (compare)
        put_percent(out, peak + d->added, d->advice->best.peak + d->added);
    if (bound < peak)
        (void)fprintf(out, ", at least %" PRIu64, bound + d->added);
    else
        (void)fputs(", proven", out);
}

static void put_rules(const hw_advised *d, FILE *out)
{
    const hw_advice *a = d->advice;
    put_least(d, out, "by order alone", a->level[0].peak, a->level[0].bound, false);
    (void)fputc('\n', out);
    for (int kind = 0; kind < HW_IF_KINDS; kind++) {
        const hw_other_rule *r = &a->rule[kind];
        if (!r->has || !r->has_order)
            continue;
        put_least(d, out, hw_what_if_text((hw_what_if)kind), r->peak, r->bound, true);
        (void)fprintf(out, "; %" PRIu32 " %s%s %s\n", r->changed,
                      kind == HW_IF_NO_VIEWS ? "view" : "pair", r->changed == 1 ? "" : "s",
                      kind == HW_IF_NO_VIEWS      ? "less"
                      : kind == HW_IF_ALL_INPLACE ? "more"
                                                  : "less");
    }
}

/* Who reads what copy v makes. */
static void put_readers(const hw_graph *g, uint32_t v, FILE *out)
{
    uint32_t shown = 0;
    bool kept = false;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        kept = kept || g->tensor_kind[g->outputs.item[i]] == HW_OUTPUT;
    for (uint32_t w = 0; w < g->n_nodes; w++) {
        bool reads = false;
        for (uint32_t i = g->inputs.offset[w]; i < g->inputs.offset[w + 1]; i++)
            reads = reads || g->tensor_producer[g->inputs.item[i]] == v;
        if (!reads)
            continue;
        if (shown++ < MOST_COPIES)
            (void)fprintf(out, "%s%" PRIu32, shown == 1 ? "" : ", ", hw_node_id(g, w));
    }
    if (shown > MOST_COPIES)
        (void)fprintf(out, " and %" PRIu32 " more", shown - MOST_COPIES);
    if (kept)
        (void)fputs(shown ? " and the end" : "the end", out);
}

static void put_copies(const hw_advised *d, FILE *out)
{
    const hw_again *best = &d->applied->level->best;
    const hw_graph *g = d->applied->graph;
    char name[NAME_TEXT];
    uint32_t shown = 0, views = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        if (!best->node_copied[v])
            continue;
        if (g->node_flags[v] & HW_NODE_VIEW) {
            views++;
            continue;
        }
        if (shown++ >= MOST_COPIES)
            continue;
        (void)fprintf(out, "    node %s again, as %" PRIu32 ", for ",
                      node_text(d->advice->m->graph, best->node_origin[v], name), hw_node_id(g, v));
        put_readers(g, v, out);
        (void)fputc('\n', out);
    }
    if (shown > MOST_COPIES)
        (void)fprintf(out, "    and %" PRIu32 " more: --json shows them\n", shown - MOST_COPIES);
    if (views)
        (void)fprintf(out, "    with %" PRIu32 " view%s of what they make\n", views,
                      views == 1 ? "" : "s");
    (void)fprintf(out, "    they read and write %" PRIu64 " bytes\n", best->bytes);
}

static void put_levels(const hw_advised *d, FILE *out)
{
    const hw_advice *a = d->advice;
    char what[48];
    for (uint32_t k = 1; k <= a->copies; k++) {
        const hw_level *l = &a->level[k];
        (void)snprintf(what, sizeof what,
                       k == 1 ? "one node run again" : "up to %" PRIu32 " nodes run again", k);
        put_least(d, out, what, l->peak, l->bound, true);
        if (l->changes)
            (void)fprintf(out, "; %s%" PRIu64 " changed graphs, %" PRIu64 " settled\n",
                          l->every ? "all " : "", l->changes, l->settled);
        else
            (void)fputc('\n', out);
        if (d->applied->level == l)
            put_copies(d, out);
    }
}

static void put_limits(const hw_advised *d, FILE *out)
{
    static const char *const text[] = {
        [HW_LIMIT_ORDER] = "by order alone", [HW_LIMIT_AGAIN] = "by recomputing too"};
    const hw_graph *g = d->advice->m->graph;
    char bytes[HW_BYTES_TEXT], name[NAME_TEXT];
    (void)fputs("it cannot go below\n", out);
    for (int kind = HW_LIMIT_KINDS; kind-- > 0;) {
        const hw_limit *l = &d->advice->limit[kind];
        hw_bytes_text(l->bytes + d->added, bytes);
        (void)fprintf(out, "  %-31s %s", text[kind], bytes);
        if (l->node == HW_NONE)
            (void)fputs(": what is there before the first step or after the last", out);
        else
            (void)fprintf(
                out, ": node %s, inputs %" PRIu64 ", outputs %" PRIu64 ", workspace %" PRIu64,
                node_text(g, l->node, name), l->own.inputs, l->own.outputs, l->own.workspace);
        (void)fprintf(out, "%s\n", l->whole ? "" : " (a limit ended the search)");
    }
}

void hw_advise_text(const hw_advised *d, FILE *out)
{
    const hw_model *m = d->advice->m;
    char name[HW_SHOWN_TEXT];
    (void)fprintf(out, "%s: %" PRIu32 " nodes, %s%s", hw_cli_graph_name(m->graph, name), m->n_nodes,
                  hw_accounting_name(m->accounting), m->pin_inputs ? ", pinned inputs" : "");
    if (m->resident_bytes)
        (void)fprintf(out, ", resident %" PRIu64 " %s", m->resident_bytes,
                      d->added ? "counted" : "beside it");
    (void)fputc('\n', out);
    put_peak(d, out);
    put_alive(d, out);
    put_set(d, out);
    (void)fputs("how low it can go\n", out);
    put_rules(d, out);
    put_levels(d, out);
    put_limits(d, out);
    if (d->advice->stopped)
        (void)fputs("ended early: by a signal or --time-limit\n", out);
}

/* ---- On the way. ---- */

void hw_advise_show(void *context, const hw_again_progress *p)
{
    hw_advise_line *line = context;
    double seconds = hw_wall_seconds();
    if (line->shown && seconds - line->shown_seconds < 0.2)
        return;
    line->shown_seconds = seconds;
    line->shown = true;
    (void)fprintf(stderr, "\r\033[K%s", p->what);
    if (p->copies)
        (void)fprintf(stderr, ", %" PRIu32 " run again: %" PRIu64 " of %" PRIu64, p->copies,
                      p->done, p->of);
    if (p->peak)
        (void)fprintf(stderr, ", peak %" PRIu64, p->peak);
    (void)fflush(stderr);
}

void hw_advise_show_end(hw_advise_line *line)
{
    if (line->shown)
        (void)fputc('\n', stderr);
}
