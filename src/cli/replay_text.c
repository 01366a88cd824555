/* Reports of replays.  See replay_text.h. */
#include "cli/replay_text.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_COLUMNS = 24 };

static const char *const touches[] = {"every page written", "every page read", "pages untouched"};
static const char *const touch_words[] = {"write", "read", "none"};

/* ---- Places. ---- */

static uint32_t node_at(const hw_replay_report *r, int64_t step)
{
    return r->plan->log->order[step];
}

enum { PLACE_BYTES = 96 };

/* "at step 7 (node 12)", "after step 3 of pass 2": where a summary's moment is. */
static const char *place_of(const hw_replay_report *r, int64_t at, char text[PLACE_BYTES])
{
    size_t moments = r->plan->n_moments, moment = at < 0 ? 0 : (size_t)at % moments;
    size_t pass = at < 0 ? 0 : (size_t)at / moments;
    int64_t step;
    char of_pass[32] = "";
    bool running = hw_replay_runs(r->plan, moment, &step);
    if (pass > 0)
        (void)snprintf(of_pass, sizeof of_pass, " of pass %zu", pass);
    if (moment + 1 == moments)
        (void)snprintf(text, PLACE_BYTES, "at the end%s", of_pass);
    else if (step < 0)
        (void)snprintf(text, PLACE_BYTES, "before step 0%s", of_pass);
    else
        (void)snprintf(text, PLACE_BYTES, "%s step %" PRId64 " (node %" PRIu32 ")%s",
                       running ? "at" : "after", step, hw_node_id(r->graph, node_at(r, step)),
                       of_pass);
    return text;
}

static hw_replay_summary summary_of(const hw_replay_report *r, const hw_replay_trial *t)
{
    hw_replay_summary s;
    hw_replay_summarize(r->plan, &t->result, 0, t->result.passes, &s);
    return s;
}

/* Resident by logical peak; 0 where there is none. */
static double ratio_of(const hw_replay_summary *s)
{
    return s->logical_peak ? (double)s->resident_peak / (double)s->logical_peak : 0;
}

/* ---- Text. ---- */

static void put_head(const hw_replay_report *r, FILE *out)
{
    char name[HW_SHOWN_TEXT], order[HW_SHOWN_TEXT], bytes[HW_BYTES_TEXT];
    const hw_log *log = r->plan->log;
    (void)fprintf(out, "%s, order %s, %s%s", hw_cli_graph_name(r->graph, name),
                  hw_cli_shown(r->order_name, order), hw_accounting_name(log->model->accounting),
                  log->model->pin_inputs ? ", pinned inputs" : "");
    if (log->with_resident)
        (void)fputs(", constants in memory", out);
    if (r->scale > 1)
        (void)fprintf(out, "; sizes divided by %" PRIu64 " and rounded up to whole bytes",
                      r->scale);
    hw_bytes_text(hw_replay_peak(r->plan), bytes);
    (void)fprintf(out, "\nlogical peak %s; %s\n", bytes, touches[r->touch]);
}

static void put_trial(const hw_replay_trial *t, FILE *out)
{
    const hw_replay_result *result = &t->result;
    char bytes[HW_BYTES_TEXT];
    char name[HW_SHOWN_TEXT];
    (void)fputs(hw_cli_shown(t->contender.name, name), out);
    if (t->contender.way == HW_REPLAY_MALLOC && result->served_by[0])
        (void)fprintf(out, ", malloc() of %s", result->served_by);
    if (t->contender.way == HW_REPLAY_ARENA) {
        hw_bytes_text(t->height, bytes);
        (void)fprintf(out, ", %s high by %s", bytes, t->contender.allocator->name);
    }
    (void)fprintf(out, "; %" PRIu32 " pass%s; resident bytes %s, less %" PRIu64 " before the run\n",
                  result->passes, result->passes == 1 ? "" : "es",
                  result->exact ? "exact" : "as the kernel keeps them, roughly",
                  result->before.resident);
}

static void put_row(const hw_replay_report *r, const hw_replay_trial *t, uint32_t step, FILE *out)
{
    const hw_replay_result *result = &t->result;
    size_t runs = 2 * (size_t)step + 1;
    uint32_t v = node_at(r, step);
    char name[HW_SHOWN_TEXT];
    (void)fprintf(out, "%7" PRIu32 "  %6" PRIu32 "  %-*.*s  %12" PRIu64 "  %12" PRIu64, step,
                  hw_node_id(r->graph, v), NAME_COLUMNS, NAME_COLUMNS,
                  hw_cli_shown(hw_node_name(r->graph, v), name), r->plan->logical[runs],
                  hw_replay_resident(result, runs));
    (void)fprintf(out, "  %12" PRIu64 "  %12" PRIu64 "  %12" PRId64, r->plan->logical[runs + 1],
                  hw_replay_resident(result, runs + 1), hw_replay_lag(r->plan, result, runs + 1));
    if (result->has_own)
        (void)fprintf(out, "  %12" PRIu64 "  %12" PRIu64, result->sample[runs + 1].held,
                      result->sample[runs + 1].pooled);
    (void)fputc('\n', out);
}

/* Before the first step and when all is given back. */
static void put_edge(const hw_replay_report *r, const hw_replay_trial *t, size_t moment,
                     const char *what, FILE *out)
{
    const hw_replay_result *result = &t->result;
    (void)fprintf(out, "%7s  %6s  %-*s  %12s  %12s  %12" PRIu64 "  %12" PRIu64 "  %12" PRId64, "-",
                  "-", NAME_COLUMNS, what, "", "", r->plan->logical[moment],
                  hw_replay_resident(result, moment), hw_replay_lag(r->plan, result, moment));
    if (result->has_own)
        (void)fprintf(out, "  %12" PRIu64 "  %12" PRIu64, result->sample[moment].held,
                      result->sample[moment].pooled);
    (void)fputc('\n', out);
}

static void put_steps(const hw_replay_report *r, const hw_replay_trial *t, FILE *out)
{
    (void)fprintf(out, "%7s  %6s  %-*s  %12s  %12s  %12s  %12s  %12s%s\n", "step", "node",
                  NAME_COLUMNS, "name", "usage", "resident", "live after", "resident", "lag",
                  t->result.has_own ? "          held        pooled" : "");
    put_edge(r, t, 0, "(before)", out);
    for (uint32_t i = 0; i < r->plan->log->n_steps; i++)
        put_row(r, t, i, out);
    put_edge(r, t, r->plan->n_moments - 1, "(all given back)", out);
}

static void put_conclusion(const hw_replay_report *r, const hw_replay_trial *t, FILE *out)
{
    hw_replay_summary s = summary_of(r, t);
    char bytes[HW_BYTES_TEXT], place[PLACE_BYTES];
    hw_bytes_text(s.resident_peak, bytes);
    (void)fprintf(out, "resident peak %s %s, %.3f of the logical peak; ", bytes,
                  place_of(r, s.resident_at, place), ratio_of(&s));
    (void)fprintf(out, "greatest lag %" PRId64 " %s; lag at the end %" PRId64 "\n", s.greatest_lag,
                  place_of(r, s.lag_at, place), s.end_lag);
    if (s.most_swapped > t->result.before.swapped)
        (void)fprintf(out, "up to %" PRIu64 " bytes had gone to swap: resident bytes are too low\n",
                      s.most_swapped);
}

/* Several allocators: a row each. */
static void put_comparison(const hw_replay_report *r, FILE *out)
{
    size_t width = strlen("allocator");
    for (size_t i = 0; i < r->n_trials; i++) {
        size_t length = strlen(r->trial[i].contender.name);
        width = length > width ? length : width;
    }
    (void)fprintf(out, "%-*s  %14s  %7s  %14s  %14s  %14s\n", (int)width, "allocator",
                  "resident peak", "ratio", "greatest lag", "lag at end", "arena height");
    for (size_t i = 0; i < r->n_trials; i++) {
        const hw_replay_trial *t = &r->trial[i];
        hw_replay_summary s = summary_of(r, t);
        (void)fprintf(out, "%-*s  %14" PRIu64 "  %7.3f  %14" PRId64 "  %14" PRId64, (int)width,
                      t->contender.name, s.resident_peak, ratio_of(&s), s.greatest_lag, s.end_lag);
        if (t->contender.way == HW_REPLAY_ARENA)
            (void)fprintf(out, "  %14" PRIu64 "\n", t->height);
        else
            (void)fprintf(out, "  %14s\n", "-");
    }
}

void hw_replay_put_text(const hw_replay_report *r, FILE *out)
{
    put_head(r, out);
    if (r->n_trials > 1) {
        put_comparison(r, out);
        return;
    }
    put_trial(&r->trial[0], out);
    put_steps(r, &r->trial[0], out);
    put_conclusion(r, &r->trial[0], out);
}

/* ---- CSV. ---- */

/* Within double quotes, which are doubled inside. */
static void put_quoted(const char *text, FILE *out)
{
    (void)fputc('"', out);
    for (; *text; text++)
        (void)fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    (void)fputc('"', out);
}

void hw_replay_put_csv(const hw_replay_report *r, FILE *out)
{
    const size_t moments = r->plan->n_moments;
    (void)fputs("allocator,pass,step,node,moment,logical,resident,held,pooled\n", out);
    for (size_t i = 0; i < r->n_trials; i++) {
        const hw_replay_result *result = &r->trial[i].result;
        for (size_t k = 0; k < result->n_samples; k++) {
            int64_t step;
            bool running = hw_replay_runs(r->plan, k % moments, &step);
            bool ended = k % moments + 1 == moments;
            put_quoted(r->trial[i].contender.name, out);
            (void)fprintf(out, ",%zu,", k / moments);
            if (step >= 0 && !ended)
                (void)fprintf(out, "%" PRId64 ",%" PRIu32 ",%s", step,
                              hw_node_id(r->graph, node_at(r, step)), running ? "run" : "after");
            else
                (void)fprintf(out, ",,%s", ended ? "end" : "before");
            (void)fprintf(out, ",%" PRIu64 ",%" PRIu64, r->plan->logical[k % moments],
                          hw_replay_resident(result, k));
            if (result->has_own)
                (void)fprintf(out, ",%" PRIu64 ",%" PRIu64 "\n", result->sample[k].held,
                              result->sample[k].pooled);
            else
                (void)fputs(",,\n", out);
        }
    }
}

/* ---- JSON. ---- */

static void json_moment(const hw_replay_report *r, const hw_replay_trial *t, size_t sample,
                        const char *key, hw_json_out *j)
{
    const hw_replay_result *result = &t->result;
    hw_json_open(j, key, '{');
    hw_json_put_u64(j, "logical", r->plan->logical[sample % r->plan->n_moments]);
    hw_json_put_u64(j, "resident", hw_replay_resident(result, sample));
    hw_json_put_u64_or_null(j, "held", result->has_own, result->sample[sample].held);
    hw_json_put_u64_or_null(j, "pooled", result->has_own, result->sample[sample].pooled);
    hw_json_close(j, '}');
}

static void json_pass(const hw_replay_report *r, const hw_replay_trial *t, uint32_t pass,
                      hw_json_out *j)
{
    size_t first = pass * r->plan->n_moments;
    hw_json_open(j, NULL, '{');
    json_moment(r, t, first, "before", j);
    hw_json_open(j, "steps", '[');
    for (uint32_t i = 0; i < r->plan->log->n_steps; i++) {
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "step", i);
        hw_json_put_u64(j, "node", hw_node_id(r->graph, node_at(r, i)));
        json_moment(r, t, first + 2 * (size_t)i + 1, "run", j);
        json_moment(r, t, first + 2 * (size_t)i + 2, "after", j);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
    json_moment(r, t, first + r->plan->n_moments - 1, "end", j);
    hw_json_close(j, '}');
}

static void json_trial(const hw_replay_report *r, const hw_replay_trial *t, hw_json_out *j)
{
    hw_replay_summary s = summary_of(r, t);
    bool is_arena = t->contender.way == HW_REPLAY_ARENA;
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "allocator", t->contender.name);
    hw_json_put_string(j, "served_by",
                       t->contender.way == HW_REPLAY_MALLOC && t->result.served_by[0]
                           ? t->result.served_by
                           : NULL);
    hw_json_put_u64_or_null(j, "height", is_arena, t->height);
    hw_json_put_bool(j, "exact", t->result.exact);
    hw_json_put_u64(j, "baseline", t->result.before.resident);
    hw_json_put_u64(j, "resident_peak", s.resident_peak);
    hw_json_put_real(j, "ratio", ratio_of(&s));
    hw_json_put_i64(j, "greatest_lag", s.greatest_lag);
    hw_json_put_i64(j, "end_lag", s.end_lag);
    hw_json_put_u64(j, "swapped", s.most_swapped);
    hw_json_open(j, "passes", '[');
    for (uint32_t pass = 0; pass < t->result.passes; pass++)
        json_pass(r, t, pass, j);
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

hw_code hw_replay_put_json(const hw_replay_report *r, FILE *out, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(r->graph, hash, err);
    if (code != HW_OK)
        return code;
    const hw_log *log = r->plan->log;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", r->graph->name);
    hw_json_put_string(&j, "hash", hash);
    hw_json_put_string(&j, "order", r->order_name);
    hw_json_put_string(&j, "accounting", hw_accounting_name(log->model->accounting));
    hw_json_put_bool(&j, "pin_inputs", log->model->pin_inputs);
    hw_json_put_bool(&j, "with_resident", log->with_resident);
    hw_json_put_u64(&j, "scale", r->scale);
    hw_json_put_string(&j, "touch", touch_words[r->touch]);
    hw_json_put_u64(&j, "logical_peak", hw_replay_peak(r->plan));
    hw_json_open(&j, "allocators", '[');
    for (size_t i = 0; i < r->n_trials; i++)
        json_trial(r, &r->trial[i], &j);
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
    return HW_OK;
}
