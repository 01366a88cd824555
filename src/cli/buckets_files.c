/* Regret and buckets as JSON, CSV and order files.  See buckets_report.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/buckets_report.h"
#include "core/text_stream.h"
#include "io/folder.h"

/* ---- JSON. ---- */

static void put_cost(hw_json_out *j, const char *key, hw_bucket_cost cost)
{
    char total[HW_COST_TEXT];
    hw_json_open(j, key, '{');
    hw_json_put_real(j, "percent", 100.0 * (hw_ratio_value(cost.ratio) - 1));
    hw_json_put_u64_or_null(j, "peak", cost.bytes > 0, cost.ratio.over);
    hw_json_put_u64_or_null(j, "best", cost.bytes > 0, cost.ratio.under);
    hw_json_put_u64(j, "bytes", cost.bytes);
    hw_json_put_digits(j, "total_bytes", hw_cost_text(cost.total, total));
    hw_json_close(j, '}');
}

static void put_sizes(hw_json_out *j, const hw_buckets_report *b)
{
    const hw_regret *r = b->regret;
    hw_json_open(j, "sizes", '[');
    for (size_t i = 0; i < r->n_sizes; i++) {
        const hw_size_answer *s = &r->size[i];
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "value", s->value);
        hw_json_put_u64(j, "best", s->best);
        hw_json_put_string(j, "status", hw_status_name(s->status));
        hw_json_put_u64(j, "bound", s->bound);
        hw_json_put_u64(j, "order", s->order);
        hw_json_put_bool(j, "searched", s->searched);
        hw_json_put_bool(j, "adopted", s->adopted);
        hw_json_put_bool(j, "proportional", s->proportional);
        hw_json_put_u64_or_null(j, "rescheduled", s->has_again, s->again_peak);
        if (b->times) {
            hw_json_put_real(j, "seconds", s->seconds);
            if (s->has_again)
                hw_json_put_real(j, "rescheduling_seconds", s->again_seconds);
        }
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
}

static void put_orders(hw_json_out *j, const hw_buckets_report *b)
{
    const hw_regret *r = b->regret;
    const hw_graph *g = hw_sweep_first(b->sweep);
    hw_json_open(j, "orders", '[');
    for (size_t o = 0; o < r->n_orders; o++) {
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "found_at", r->size[r->found_at[o]].value);
        hw_json_open(j, "peaks", '[');
        for (size_t i = 0; i < r->n_sizes; i++)
            hw_json_put_u64(j, NULL, hw_regret_peak(r, o, i));
        hw_json_close(j, ']');
        hw_json_open(j, "order", '[');
        for (uint32_t v = 0; v < r->n_nodes; v++)
            hw_json_put_u64(j, NULL, hw_node_id(g, r->order[o][v]));
        hw_json_close(j, ']');
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
}

static void put_cuts(hw_json_out *j, const hw_regret *r, const char *key, const hw_cuts *cuts)
{
    hw_json_open(j, key, '{');
    hw_json_put_u64(j, "buckets", cuts->n_buckets);
    put_cost(j, "regret", cuts->cost);
    hw_json_open(j, "ranges", '[');
    for (size_t i = 0; i < cuts->n_buckets; i++) {
        const hw_bucket *k = &cuts->bucket[i];
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "first", r->size[k->first].value);
        hw_json_put_u64(j, "last", r->size[k->last].value);
        hw_json_put_u64(j, "order", k->order);
        put_cost(j, "regret", k->cost);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

static void put_rules(hw_json_out *j, const hw_buckets_report *b)
{
    const hw_regret *r = b->regret;
    size_t k = hw_buckets_chosen(b)->n_buckets;
    put_cost(j, "nearest_of_even", hw_buckets_even(r, k, HW_RULE_NEAREST, NULL));
    put_cost(j, "next_of_even", hw_buckets_even(r, k, HW_RULE_NEXT, NULL));
    put_cost(j, "least_suited", hw_buckets_unlucky(r));
    if (r->has_again)
        put_cost(j, "rescheduled", hw_buckets_again(r));
}

hw_code hw_buckets_json(const hw_buckets_report *b, FILE *out, hw_error *err)
{
    const hw_regret *r = b->regret;
    hw_json_out j = hw_json_on(out);
    (void)err;
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", b->name);
    hw_json_put_u64(&j, "nodes", r->n_nodes);
    hw_json_put_string(&j, "accounting", hw_accounting_name(b->memory->accounting));
    hw_json_put_bool(&j, "pin_inputs", b->memory->pin_inputs);
    hw_json_put_bool(&j, "with_resident", b->memory->with_resident);
    hw_json_open(&j, "dimensions", '[');
    for (size_t i = 0; i < b->axis->n_names; i++)
        hw_json_put_string(&j, NULL, b->axis->name[i]);
    hw_json_close(&j, ']');
    hw_json_put_string(&j, "solver", b->solver);
    hw_json_put_string(&j, "reschedule", b->again);
    hw_json_put_bool(&j, "stopped", r->cut);
    put_sizes(&j, b);
    put_orders(&j, b);
    hw_json_put_string(&j, "minimize", hw_bucket_goal_name(b->goal));
    hw_json_open(&j, "by_buckets", '[');
    for (size_t k = 0; k < b->table->n; k++)
        put_cuts(&j, r, NULL, &b->table->row[k]);
    hw_json_close(&j, ']');
    hw_json_put_u64(&j, "buckets_without_regret", b->table->least_free);
    put_cuts(&j, r, "chosen", hw_buckets_chosen(b));
    put_rules(&j, b);
    hw_json_close(&j, '}');
    hw_json_line(&j);
    return HW_OK;
}

/* ---- Files. ---- */

static double percent(hw_bucket_cost cost)
{
    return 100.0 * (hw_ratio_value(cost.ratio) - 1);
}

/* A field of CSV in quotes, where a quote is doubled and a line break a space. */
static void put_quoted(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
    }
    (void)fputc('"', out);
}

hw_code hw_buckets_summary(const hw_buckets_report *b, FILE *out, hw_error *err)
{
    const hw_regret *r = b->regret;
    const hw_cuts *one = &b->table->row[0], *chosen = hw_buckets_chosen(b);
    size_t proven = 0, proportional = 0, searched = 0, k = chosen->n_buckets;
    hw_buckets_times first, again;
    hw_code code = hw_buckets_time(r, false, &first, err);
    if (code == HW_OK)
        code = hw_buckets_time(r, true, &again, err);
    if (code != HW_OK)
        return code;
    for (size_t i = 0; i < r->n_sizes; i++) {
        proven += r->size[i].status == HW_OPTIMAL;
        proportional += r->size[i].proportional;
        searched += r->size[i].searched;
    }
    hw_bucket_cost worst = hw_buckets_unlucky(r);
    (void)fputs("graph,dimension,first,last,sizes,searched,accounting,nodes,proven,proportional,"
                "orders,least_suited_percent,least_suited_bytes,one_percent,one_bytes,buckets,"
                "buckets_percent,buckets_bytes,without_regret,nearest_percent,next_percent,"
                "rescheduled_percent",
                out);
    (void)fprintf(out, "%s\n", b->times ? ",solver_seconds,solver_median,again_median" : "");
    put_quoted(out, b->name);
    (void)fputc(',', out);
    put_quoted(out, b->axis->name[0]);
    (void)fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%zu,%zu,%s,%" PRIu32 ",%zu,%zu,%zu",
                  r->size[0].value, r->size[r->n_sizes - 1].value, r->n_sizes, searched,
                  hw_accounting_name(b->memory->accounting), r->n_nodes, proven, proportional,
                  r->n_orders);
    (void)fprintf(out, ",%.6f,%" PRIu64 ",%.6f,%" PRIu64 ",%zu,%.6f,%" PRIu64 ",%zu,%.6f,%.6f,",
                  percent(worst), worst.bytes, percent(one->cost), one->cost.bytes, k,
                  percent(chosen->cost), chosen->cost.bytes, b->table->least_free,
                  percent(hw_buckets_even(r, k, HW_RULE_NEAREST, NULL)),
                  percent(hw_buckets_even(r, k, HW_RULE_NEXT, NULL)));
    if (r->has_again)
        (void)fprintf(out, "%.6f", percent(hw_buckets_again(r)));
    if (b->times)
        (void)fprintf(out, ",%.6f,%.6f,", first.total, first.median);
    if (b->times && again.runs)
        (void)fprintf(out, "%.6f", again.median);
    (void)fputc('\n', out);
    return HW_OK;
}

hw_code hw_buckets_matrix(const hw_buckets_report *b, const char *path, hw_error *err)
{
    const hw_regret *r = b->regret;
    hw_output o;
    hw_code code = hw_cli_open(path, &o, err);
    if (code != HW_OK)
        return code;
    (void)fputs("order_of,size,peak,best,regret,percent\n", o.stream);
    for (size_t a = 0; a < r->n_sizes; a++)
        for (size_t i = 0; i < r->n_sizes; i++) {
            hw_bucket_cost cost = hw_bucket_cost_at(r, r->size[a].order, i);
            (void)fprintf(o.stream,
                          "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f\n",
                          r->size[a].value, r->size[i].value, cost.ratio.over, cost.ratio.under,
                          cost.bytes, 100.0 * (hw_ratio_value(cost.ratio) - 1));
        }
    return hw_cli_commit(&o, err);
}

/* Letters, digits, '.', '_' and '-' of a name; others become '-'. */
static void put_name(FILE *out, const char *text)
{
    for (; *text; text++) {
        char c = *text;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '.' || c == '_';
        (void)fputc(plain ? c : '-', out);
    }
}

static hw_code write_order(const hw_buckets_report *b, const char *folder, size_t i, hw_error *err)
{
    const hw_size_answer *s = &b->regret->size[i];
    char *path = NULL;
    size_t size = 0;
    hw_graph *g = NULL;
    hw_output o;
    FILE *text = hw_text_stream(&path, &size);
    if (!text)
        return hw_fail_memory(err, "the name of a file");
    (void)fprintf(text, "%s/", folder);
    for (size_t k = 0; k < b->axis->n_names; k++) {
        put_name(text, b->axis->name[k]);
        (void)fputc('-', text);
    }
    (void)fprintf(text, "%" PRIu64 ".json", s->value);
    hw_code code = fclose(text) == 0 ? hw_sweep_graph(b->sweep, i, &g, err)
                                     : hw_fail_memory(err, "the name of a file");
    if (code == HW_OK)
        code = hw_cli_open_inside(path, &o, err);
    if (code == HW_OK) {
        code = hw_order_write(g, b->regret->order[s->order], o.stream, err);
        if (code == HW_OK)
            code = hw_cli_commit(&o, err);
        else
            hw_cli_abandon(&o);
    }
    hw_graph_free(g);
    free(path);
    return code;
}

hw_code hw_buckets_orders(const hw_buckets_report *b, const char *folder, hw_error *err)
{
    hw_code code = hw_folder_make(folder, err);
    for (size_t i = 0; i < b->regret->n_sizes && code == HW_OK; i++)
        code = write_order(b, folder, i, err);
    return code;
}
