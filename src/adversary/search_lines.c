/* The lines of found.jsonl, written and read.  See search_store.h. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adversary/search_internal.h"
#include "bench/flat_json.h"
#include "core/json_out.h"
#include "io/input.h"

enum { MOST_FIELDS = 32 };

/* As it is written: rounded, so that no compiler's last digit shows. */
static double shown_ratio(hw_ratio ratio)
{
    return round(hw_ratio_value(ratio) * 1e6) / 1e6;
}

void hw_lane_record_write(const hw_lane_record *record, const char *hash, FILE *out)
{
    const hw_rating *r = &record->find.rating;
    const hw_genome *g = &record->find.genome;
    char file[32];
    (void)snprintf(file, sizeof file, "%06" PRIu64 ".json", record->plan.number);
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_u64(&j, "lane", record->plan.number);
    hw_json_put_string(&j, "method", hw_search_method_name(record->plan.method));
    hw_json_put_hex(&j, "seed", record->plan.seed);
    hw_json_put_u64(&j, "budget", record->plan.budget);
    hw_json_put_u64(&j, "evaluations", record->used);
    hw_json_put_u64_or_null(&j, "evaluation", record->any, record->find.evaluation);
    hw_json_put_real(&j, "ratio", record->any ? shown_ratio(r->ratio) : (double)NAN);
    hw_json_put_u64_or_null(&j, "over", record->any, r->ratio.over);
    hw_json_put_u64_or_null(&j, "under", record->any, r->ratio.under);
    hw_json_put_u64_or_null(&j, "states", record->any, r->states);
    hw_json_put_u64_or_null(&j, "nodes", record->any, g->n);
    hw_json_put_u64_or_null(&j, "edges", record->any, record->any ? hw_genome_edges(g) : 0);
    hw_json_put_string(&j, "hash", hash);
    hw_json_put_string(&j, "file", record->best ? file : NULL);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

/* ---- Reading. ---- */

typedef struct lines {
    hw_store *store;
    const hw_store_reader *reader;
    uint64_t number; /* of the line */
    bool any;        /* a line before tells of a graph: the worst of them */
    hw_ratio worst;
    hw_error *err;
} lines;

static hw_code broken(const lines *l, const char *what)
{
    return hw_fail(l->err, HW_BAD_INPUT,
                   "%s: line %" PRIu64 ": %s: remove this line and those behind it, and --resume "
                   "does them again",
                   l->store->lines, l->number, what);
}

static const hw_flat_field *field(const hw_flat_field *fields, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(fields[i].key, key) == 0)
            return &fields[i];
    return NULL;
}

static bool text_is(const hw_flat_field *fields, size_t n, const char *key, const char *text)
{
    const hw_flat_field *f = field(fields, n, key);
    return f && f->type == HW_FLAT_STRING && strcmp(f->text, text) == 0;
}

/* A plain number below 2^64. */
static bool number_of(const hw_flat_field *fields, size_t n, const char *key, uint64_t *value)
{
    const hw_flat_field *f = field(fields, n, key);
    if (!f || f->type != HW_FLAT_NUMBER || strspn(f->text, "0123456789") != strlen(f->text))
        return false;
    errno = 0;
    *value = strtoull(f->text, NULL, 10);
    return errno == 0;
}

static bool same_plan(const hw_flat_field *fields, size_t n, const hw_lane_plan *plan)
{
    char seed[32];
    uint64_t lane, budget, used;
    (void)snprintf(seed, sizeof seed, "0x%" PRIx64, plan->seed);
    return number_of(fields, n, "lane", &lane) && lane == plan->number &&
           number_of(fields, n, "budget", &budget) && budget == plan->budget &&
           number_of(fields, n, "evaluations", &used) && used <= plan->limit &&
           text_is(fields, n, "method", hw_search_method_name(plan->method)) &&
           text_is(fields, n, "seed", seed);
}

/* Does the graph say that it is from this lane and evaluation? */
static bool says_where(const hw_graph *g, const hw_lane_record *record)
{
    char where[64];
    (void)snprintf(where, sizeof where, " --lane %" PRIu64 ", evaluation %" PRIu64,
                   record->plan.number, record->find.evaluation);
    size_t length = strlen(g->source), tail = strlen(where);
    return length >= tail && strcmp(g->source + length - tail, where) == 0;
}

/* The graph that a line names: in a file of the lane's number, with the line's hash. */
static hw_code read_graph(const lines *l, const hw_flat_field *fields, size_t n,
                          hw_lane_record *record)
{
    hw_graph *g = NULL;
    char hash[HW_HASH_TEXT];
    char *path = hw_store_graph_path(l->store, record->plan.number);
    if (!path)
        return hw_fail_memory(l->err, "a file name");
    hw_code code = hw_graph_load(path, &g, l->err);
    if (code == HW_OK)
        code = hw_graph_hash(g, hash, l->err);
    if (code == HW_OK && !(text_is(fields, n, "hash", hash) && says_where(g, record)))
        code = hw_fail(l->err, HW_BAD_INPUT,
                       "%s: is not the graph of line %" PRIu64 " of %s: its hash, lane or "
                       "evaluation is another: remove that line and those behind it, and --resume "
                       "does them again",
                       path, l->number, l->store->lines);
    if (code == HW_OK) {
        code = hw_genome_of_graph(g, &record->find.genome, l->err);
        if (code == HW_USAGE)
            hw_error_prefix(l->err, "%s: ", path);
    }
    hw_graph_free(g);
    free(path);
    return code;
}

static hw_code read_record(const lines *l, const hw_flat_field *fields, size_t n,
                           hw_lane_record *record)
{
    hw_rating *r = &record->find.rating;
    const hw_flat_field *file = field(fields, n, "file");
    const hw_flat_field *over = field(fields, n, "over");
    if (!number_of(fields, n, "evaluations", &record->used) || !file || !over)
        return broken(l, "lacks evaluations, file or over");
    record->best = file->type == HW_FLAT_STRING;
    record->any = over->type != HW_FLAT_NULL;
    if (record->any && (!number_of(fields, n, "over", &r->ratio.over) ||
                        !number_of(fields, n, "under", &r->ratio.under) ||
                        !number_of(fields, n, "states", &r->states) ||
                        !number_of(fields, n, "evaluation", &record->find.evaluation)))
        return broken(l, "over, under, states or evaluation is no whole number");
    r->counts = record->any;
    return HW_OK;
}

/* Do the figures of a line agree among themselves and with the lines before? */
static bool fits(const lines *l, const hw_flat_field *fields, size_t n,
                 const hw_lane_record *record)
{
    const hw_ratio ratio = record->find.rating.ratio;
    const hw_flat_field *shown = field(fields, n, "ratio");
    char file[32];
    (void)snprintf(file, sizeof file, "%06" PRIu64 ".json", record->plan.number);
    if (!shown || (record->best && !text_is(fields, n, "file", file)))
        return false;
    double value = shown_ratio(ratio);
    bool number = record->any && isfinite(value); /* else null */
    if ((shown->type == HW_FLAT_NUMBER) != number ||
        (number && fabs(strtod(shown->text, NULL) - value) > 1e-9 * value))
        return false;
    return record->best == (record->any && (!l->any || hw_ratio_compare(ratio, l->worst) > 0));
}

static hw_code read_line(lines *l, char *line, size_t length)
{
    hw_flat_field fields[MOST_FIELDS];
    size_t n;
    hw_error why;
    if (hw_flat_parse(line, length, fields, MOST_FIELDS, &n, &why) != HW_OK)
        return broken(l, why.message);
    hw_lane_record record = {.any = false};
    if (!l->reader->plan(l->reader->context, &record.plan) || !same_plan(fields, n, &record.plan))
        return broken(l, "is no lane of this search, or not in its place");
    hw_code code = read_record(l, fields, n, &record);
    if (code == HW_OK && !fits(l, fields, n, &record))
        code = broken(l, "ratio, over, under and file do not agree, or not with the lines before");
    if (code == HW_OK && record.best) {
        code = read_graph(l, fields, n, &record);
        l->any = true;
        l->worst = record.find.rating.ratio;
    }
    if (code == HW_OK)
        l->reader->take(l->reader->context, &record);
    return code;
}

hw_code hw_store_read(hw_store *store, const hw_store_reader *reader, hw_error *err)
{
    lines l = {.store = store, .reader = reader, .err = err};
    char *line = NULL;
    size_t size = 0;
    off_t whole = 0;
    hw_code code = HW_OK;
    FILE *in = fopen(store->lines, "r");
    if (!in)
        return hw_fail(err, HW_IO, "%s: cannot read: %s", store->lines, strerror(errno));
    for (ssize_t length; code == HW_OK && (length = getline(&line, &size, in)) > 0;) {
        if (line[length - 1] != '\n')
            break; /* torn: written only in part */
        l.number++;
        whole += length;
        code = read_line(&l, line, (size_t)length - 1);
    }
    if (code == HW_OK)
        code = hw_input_ended(in, store->lines, err);
    if (code == HW_OK && ftruncate(store->file, whole) != 0)
        code = hw_fail(err, HW_IO, "%s: cannot cut it after its last whole line: %s", store->lines,
                       strerror(errno));
    free(line);
    (void)fclose(in);
    return code;
}
