/* Regret and buckets as text.  See buckets_report.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "cli/buckets_report.h"
#include "core/memory.h"

enum { MATRIX_SIZES = 12, LABEL = 46 };

static double percent(hw_ratio ratio)
{
    return 100.0 * (hw_ratio_value(ratio) - 1);
}

static int by_seconds(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

hw_code hw_buckets_time(const hw_regret *r, bool again, hw_buckets_times *out, hw_error *err)
{
    double *seconds = HW_NEW(double, r->n_sizes);
    *out = (hw_buckets_times){0};
    if (!seconds)
        return hw_fail_memory(err, "times");
    for (size_t i = 0; i < r->n_sizes; i++) {
        if (!(again ? r->size[i].has_again : r->size[i].searched))
            continue;
        seconds[out->runs] = again ? r->size[i].again_seconds : r->size[i].seconds;
        out->total += seconds[out->runs++];
    }
    qsort(seconds, out->runs, sizeof *seconds, by_seconds);
    if (out->runs)
        out->median = (seconds[(out->runs - 1) / 2] + seconds[out->runs / 2]) / 2;
    free(seconds);
    return HW_OK;
}

static void put_head(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    char name[HW_SHOWN_TEXT], dimension[HW_SHOWN_TEXT];
    (void)fprintf(out, "%s: %" PRIu32 " nodes, %s%s%s, ", hw_cli_shown(b->name, name), r->n_nodes,
                  hw_accounting_name(b->memory->accounting),
                  b->memory->pin_inputs ? ", pinned inputs" : "",
                  b->memory->with_resident ? ", with constants" : "");
    for (size_t i = 0; i < b->axis->n_names; i++)
        (void)fprintf(out, "%s%s", i ? ", " : "", hw_cli_shown(b->axis->name[i], dimension));
    (void)fprintf(out, " %" PRIu64 " to %" PRIu64 " (%zu sizes), solver %s\n", r->size[0].value,
                  r->size[r->n_sizes - 1].value, r->n_sizes, b->solver);
    size_t searched = 0;
    for (size_t i = 0; i < r->n_sizes; i++)
        searched += r->size[i].searched;
    if (r->cut)
        (void)fprintf(out, "stopped after %zu of %zu sizes: the others run the orders of these\n",
                      searched, r->n_sizes);
}

/* The largest regret of a size's order, and where. */
static hw_bucket_cost everywhere(const hw_regret *r, size_t order, size_t *worst)
{
    hw_bucket_cost cost = hw_bucket_no_cost();
    *worst = 0;
    for (size_t b = 0; b < r->n_sizes; b++) {
        hw_bucket_cost here = hw_bucket_cost_at(r, order, b);
        if (hw_ratio_compare(here.ratio, cost.ratio) > 0)
            *worst = b;
        cost = hw_bucket_cost_join(cost, here);
    }
    return cost;
}

static void put_sizes(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    (void)fprintf(out, "\n%12s %22s  %-26s %s\n", "size", "best peak (bytes)", "proof",
                  "its order elsewhere, at worst");
    for (size_t i = 0; i < r->n_sizes; i++) {
        const hw_size_answer *s = &r->size[i];
        char proof[64];
        size_t worst;
        hw_bucket_cost cost = everywhere(r, s->order, &worst);
        if (s->status == HW_OPTIMAL)
            (void)snprintf(proof, sizeof proof, "optimal");
        else
            (void)snprintf(proof, sizeof proof, "bound %" PRIu64, s->bound);
        (void)fprintf(out, "%12" PRIu64 " %22" PRIu64 "  %-26s ", s->value, s->best, proof);
        if (cost.bytes == 0)
            (void)fputs("no regret", out);
        else
            (void)fprintf(out, "%.2f %% at %" PRIu64 ", %" PRIu64 " bytes at most",
                          percent(cost.ratio), r->size[worst].value, cost.bytes);
        if (s->adopted)
            (void)fprintf(out, " (found at %" PRIu64 ")", r->size[r->found_at[s->order]].value);
        (void)fputc('\n', out);
    }
}

/* Small ones whole; larger ones are for --matrix and --draw. */
static void put_matrix(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    if (r->n_sizes > MATRIX_SIZES)
        return;
    (void)fputs("\nregret in % (row: the order of that size; column: run at that size)\n", out);
    (void)fprintf(out, "%10s", "");
    for (size_t i = 0; i < r->n_sizes; i++)
        (void)fprintf(out, " %8" PRIu64, r->size[i].value);
    (void)fputc('\n', out);
    for (size_t a = 0; a < r->n_sizes; a++) {
        (void)fprintf(out, "%10" PRIu64, r->size[a].value);
        for (size_t i = 0; i < r->n_sizes; i++)
            (void)fprintf(out, " %8.2f", percent(hw_bucket_cost_at(r, r->size[a].order, i).ratio));
        (void)fputc('\n', out);
    }
}

static void put_cost(FILE *out, hw_bucket_cost cost)
{
    char total[HW_COST_TEXT];
    (void)fprintf(out, "%9.2f %% %20" PRIu64 " %22s", percent(cost.ratio), cost.bytes,
                  hw_cost_text(cost.total, total));
}

static void put_table(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    (void)fprintf(out, "\n%-8s %11s %20s %22s  %s\n", "buckets", "worst", "worst (bytes)",
                  "total (bytes)", "each begins at");
    for (size_t k = 0; k < b->table->n; k++) {
        const hw_cuts *row = &b->table->row[k];
        (void)fprintf(out, "%-8zu ", row->n_buckets);
        put_cost(out, row->cost);
        (void)fputc(' ', out);
        for (size_t i = 0; i < row->n_buckets; i++)
            (void)fprintf(out, " %" PRIu64, r->size[row->bucket[i].first].value);
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "without any regret: %zu bucket%s\n", b->table->least_free,
                  b->table->least_free == 1 ? "" : "s");
}

static void put_chosen(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    const hw_cuts *cuts = hw_buckets_chosen(b);
    (void)fprintf(out, "\n%zu bucket%s of least %s regret\n", cuts->n_buckets,
                  cuts->n_buckets == 1 ? "" : "s",
                  b->goal == HW_GOAL_TOTAL_BYTES   ? "total"
                  : b->goal == HW_GOAL_WORST_BYTES ? "worst (bytes)"
                                                   : "worst");
    for (size_t i = 0; i < cuts->n_buckets; i++) {
        const hw_bucket *k = &cuts->bucket[i];
        (void)fprintf(out, "%12" PRIu64 " to %-12" PRIu64 " by the order of %-12" PRIu64,
                      r->size[k->first].value, r->size[k->last].value,
                      r->size[r->found_at[k->order]].value);
        put_cost(out, k->cost);
        (void)fputc('\n', out);
    }
}

static void put_rule(FILE *out, const char *label, hw_bucket_cost cost)
{
    (void)fprintf(out, "%-*s", (int)LABEL, label);
    put_cost(out, cost);
    (void)fputc('\n', out);
}

static void put_rules(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    const hw_cuts *cuts = hw_buckets_chosen(b);
    size_t k = cuts->n_buckets;
    char label[128], shown[HW_SHOWN_TEXT];
    (void)fprintf(out, "\n%-*s%11s %20s %22s\n", (int)LABEL, "a size runs the order of", "worst",
                  "worst (bytes)", "total (bytes)");
    put_rule(out, "its bucket", cuts->cost);
    (void)snprintf(label, sizeof label, "the nearest of %zu evenly spread sizes", k);
    put_rule(out, label, hw_buckets_even(r, k, HW_RULE_NEAREST, NULL));
    (void)snprintf(label, sizeof label, "the next of %zu evenly spread sizes", k);
    put_rule(out, label, hw_buckets_even(r, k, HW_RULE_NEXT, NULL));
    put_rule(out, "the size that suits it least", hw_buckets_unlucky(r));
    if (r->has_again) {
        (void)snprintf(label, sizeof label, "%s, anew for it", hw_cli_shown(b->again, shown));
        put_rule(out, label, hw_buckets_again(r));
    }
}

static void put_proportional(const hw_buckets_report *b, FILE *out)
{
    const hw_regret *r = b->regret;
    size_t same = 0;
    for (size_t i = 0; i < r->n_sizes; i++)
        same += r->size[i].proportional;
    if (same == r->n_sizes)
        (void)fputs(
            "\nall tensors are scaled alike: every peak is that at the first size times one "
            "factor, so an order that is best at one size is best at all\n",
            out);
    else if (same > 1)
        (void)fprintf(out,
                      "\nat %zu of %zu sizes all tensors are those of the first times one factor: "
                      "the same orders are best at these\n",
                      same, r->n_sizes);
}

static hw_code put_times(const hw_buckets_report *b, FILE *out, hw_error *err)
{
    hw_buckets_times first, again;
    hw_code code = hw_buckets_time(b->regret, false, &first, err);
    if (code == HW_OK)
        code = hw_buckets_time(b->regret, true, &again, err);
    if (code != HW_OK)
        return code;
    (void)fprintf(out, "\nscheduling by %s: %.6f s in all, median %.6f s a size\n", b->solver,
                  first.total, first.median);
    if (b->again && again.runs)
        (void)fprintf(out, "scheduling by %s: %.6f s in all, median %.6f s a size\n", b->again,
                      again.total, again.median);
    return HW_OK;
}

hw_code hw_buckets_text(const hw_buckets_report *b, FILE *out, hw_error *err)
{
    put_head(b, out);
    put_sizes(b, out);
    put_matrix(b, out);
    put_table(b, out);
    put_chosen(b, out);
    put_rules(b, out);
    put_proportional(b, out);
    return b->times ? put_times(b, out, err) : HW_OK;
}
