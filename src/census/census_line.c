/* Lines of a census: out by hand, in by jansson.  See census_file.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "census/census_file.h"
#include "core/json_out.h"
#include "core/memory.h"
#include "io/json_parse.h"

static const char format[] = "highwater-census";
enum { VERSION = 2, SHORT_CELL = 5, LONG_CELL = 10 };

#define SEAL "%016" PRIx64
enum { SEAL_BYTES = 17 };

/* ---- Out. ---- */

void hw_census_put_head(const hw_census_plan *plan, FILE *out)
{
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "format", format);
    hw_json_put_u64(&j, "version", VERSION);
    hw_json_open(&j, "nodes", '[');
    hw_json_put_u64(&j, NULL, plan->least_nodes);
    hw_json_put_u64(&j, NULL, plan->most_nodes);
    hw_json_close(&j, ']');
    hw_json_put_u64(&j, "sizes", plan->most_size);
    hw_json_put_string(&j, "numberings", plan->all_numberings ? "all" : "one");
    hw_json_put_string(&j, "fails", plan->all_fails ? "all" : "first");
    hw_json_open(&j, "part", '[');
    hw_json_put_u64(&j, NULL, plan->part);
    hw_json_put_u64(&j, NULL, plan->parts);
    hw_json_close(&j, ']');
    hw_json_open(&j, "solvers", '[');
    for (size_t i = 0; i < plan->n_solvers; i++)
        hw_json_put_string(&j, NULL, plan->solver[i].spec);
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static void put_figures(hw_json_out *j, const char *key, const uint64_t *figure, uint32_t n)
{
    hw_json_open(j, key, '[');
    for (uint32_t k = 0; k < n; k++)
        hw_json_put_u64(j, NULL, figure[k]);
    hw_json_close(j, ']');
}

static void put_worst(hw_json_out *j, const hw_census_plan *plan, uint32_t n,
                      const hw_census_worst *worst)
{
    hw_genome g;
    char digits[HW_DAGS_MOST + 1] = "";
    hw_census_genome(plan, n, worst, &g);
    for (uint32_t v = 0; v < n; v++)
        digits[v] = (char)('0' + g.size[v]);
    hw_json_put_u64(j, NULL, worst->ratio.over);
    hw_json_put_u64(j, NULL, worst->ratio.under);
    hw_json_put_u64(j, NULL, worst->dag);
    hw_json_put_u64(j, NULL, worst->code);
    hw_json_put_string(j, NULL, digits);
}

void hw_census_put_block(const hw_census_plan *plan, uint32_t n, size_t block,
                         const hw_census_tally *tally, FILE *out)
{
    hw_json_out j = hw_json_on(out);
    char seal[SEAL_BYTES];
    hw_json_open(&j, NULL, '{');
    hw_json_put_u64(&j, "n", n);
    hw_json_put_u64(&j, "block", block);
    put_figures(&j, "graphs", tally->graphs, plan->most_size);
    put_figures(&j, "cases", tally->cases, plan->most_size);
    hw_json_put_u64(&j, "runs", tally->runs);
    hw_json_open(&j, "cells", '[');
    for (size_t s = 0; s <= plan->n_solvers; s++)
        for (uint64_t a = 0; a < 2; a++)
            for (uint32_t k = 0; k < plan->most_size; k++) {
                const hw_census_cell *cell = &tally->cell[a][k][s];
                if (!cell->taken)
                    continue;
                hw_json_open(&j, NULL, '[');
                hw_json_put_u64(&j, NULL, s);
                hw_json_put_u64(&j, NULL, a);
                hw_json_put_u64(&j, NULL, k + 1);
                hw_json_put_u64(&j, NULL, cell->taken);
                hw_json_put_u64(&j, NULL, cell->fails);
                if (cell->worst.found)
                    put_worst(&j, plan, n, &cell->worst);
                hw_json_close(&j, ']');
            }
    hw_json_close(&j, ']');
    (void)snprintf(seal, sizeof seal, SEAL, hw_census_seal(plan, n, block, tally));
    hw_json_put_string(&j, "seal", seal);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

/* ---- In. ---- */

static bool number_of(const json_t *value, uint64_t low, uint64_t high, uint64_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *out = (uint64_t)json_integer_value(value);
    return *out >= low && *out <= high;
}

static bool number_at(const json_t *array, size_t i, uint64_t low, uint64_t high, uint64_t *out)
{
    return number_of(json_array_get(array, i), low, high, out);
}

/* The string under a key, which is one of two; *second tells which. */
static bool one_of(const json_t *object, const char *key, const char *a, const char *b,
                   bool *second)
{
    const char *text = json_string_value(json_object_get(object, key));
    *second = text && strcmp(text, b) == 0;
    return text && (*second || strcmp(text, a) == 0);
}

static bool figures_of(const json_t *object, const char *key, uint32_t n, uint64_t *out)
{
    const json_t *array = json_object_get(object, key);
    if (json_array_size(array) != n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!number_at(array, k, 0, INT64_MAX, &out[k]))
            return false;
    return true;
}

/* The object of a line, released by json_decref(). */
static hw_code parse(const char *line, size_t length, const char *cure, json_t **out, hw_error *err)
{
    json_error_t problem;
    bool lacked;
    json_t *object = hw_json_load(line, length, &problem, &lacked);
    if (lacked)
        return hw_fail_memory(err, "a line of a census");
    if (!json_is_object(object)) {
        json_decref(object);
        return hw_fail(err, HW_BAD_INPUT, "this is no line of a census: %s: %s",
                       object ? "it is no JSON object" : problem.text, cure);
    }
    *out = object;
    return HW_OK;
}

static const char right_file[] = "is this the right file?";

static hw_code read_solvers(const json_t *specs, hw_census_plan *plan, hw_error *err)
{
    const char *spec[HW_CENSUS_SOLVERS];
    size_t n = json_array_size(specs);
    if (n == 0 || n > HW_CENSUS_SOLVERS)
        return hw_fail(err, HW_BAD_INPUT, "\"solvers\" has to be a list of 1 to %d",
                       HW_CENSUS_SOLVERS);
    for (size_t i = 0; i < n; i++) {
        spec[i] = json_string_value(json_array_get(specs, i));
        if (!spec[i])
            return hw_fail(err, HW_BAD_INPUT, "\"solvers\" has to be a list of names");
    }
    hw_code code = hw_census_solvers(plan, spec, n, err);
    return code == HW_USAGE ? hw_fail(err, HW_BAD_INPUT, "%s", err->message) : code;
}

bool hw_census_begun(const char *line, size_t length)
{
    char head[sizeof format + 16];
    int n = snprintf(head, sizeof head, "{\"format\":\"%s\"", format);
    return n > 0 && memcmp(line, head, length < (size_t)n ? length : (size_t)n) == 0;
}

hw_code hw_census_read_head(const char *line, size_t length, hw_census_plan *plan, hw_error *err)
{
    hw_error cause = {0};
    *plan = (hw_census_plan){0};
    json_t *head = NULL;
    hw_code code = parse(line, length, right_file, &head, err);
    if (code != HW_OK)
        return code;
    const char *name = json_string_value(json_object_get(head, "format"));
    bool all = false, all_fails = false;
    const json_t *nodes = json_object_get(head, "nodes"), *part = json_object_get(head, "part");
    uint64_t version, least = 1, most = 1, sizes = 1, i = 1, of = 1;
    if (!name || strcmp(name, format) != 0)
        code = hw_fail(err, HW_BAD_INPUT, "this is no census, whose format is '%s': %s", format,
                       right_file);
    else if (!number_of(json_object_get(head, "version"), VERSION, VERSION, &version))
        code = hw_fail(err, HW_BAD_INPUT, "this is no census of version %d: take it anew", VERSION);
    else if (!number_at(nodes, 0, 1, HW_DAGS_MOST, &least) ||
             !number_at(nodes, 1, least, HW_DAGS_MOST, &most) ||
             !number_of(json_object_get(head, "sizes"), 1, HW_CENSUS_SIZES, &sizes) ||
             !number_at(part, 1, 1, UINT32_MAX, &of) || !number_at(part, 0, 1, of, &i) ||
             !one_of(head, "numberings", "one", "all", &all) ||
             !one_of(head, "fails", "first", "all", &all_fails))
        code = hw_fail(err, HW_BAD_INPUT,
                       "the head of the census is broken: \"nodes\", \"sizes\", \"numberings\", "
                       "\"fails\" or \"part\"");
    if (code == HW_OK) {
        *plan = (hw_census_plan){.least_nodes = (uint32_t)least,
                                 .most_nodes = (uint32_t)most,
                                 .most_size = (uint32_t)sizes,
                                 .all_numberings = all,
                                 .all_fails = all_fails,
                                 .part = (uint32_t)i,
                                 .parts = (uint32_t)of};
        code = read_solvers(json_object_get(head, "solvers"), plan, &cause);
        if (code != HW_OK)
            code = hw_fail(err, code, "%s", cause.message);
    }
    json_decref(head);
    return code;
}

/* The case of a long cell. */
static bool read_worst(const hw_census_plan *plan, uint32_t n, const json_t *cell,
                       hw_census_worst *out)
{
    uint64_t peak = 0, optimum = 0, dag = 0, code = 0;
    const char *digits = json_string_value(json_array_get(cell, 9));
    if (!number_at(cell, 5, 1, UINT32_MAX, &peak) || !number_at(cell, 6, 1, peak, &optimum) ||
        !number_at(cell, 7, 0, hw_dags_count[n] - 1, &dag) ||
        !number_at(cell, 8, 0, (UINT64_C(1) << (n * (n - 1) / 2)) - 1, &code) || !digits ||
        strlen(digits) != n)
        return false;
    *out = (hw_census_worst){
        .found = true, .ratio = {peak, optimum}, .dag = (uint32_t)dag, .code = (uint32_t)code};
    for (uint32_t v = 0; v < n; v++) {
        if (digits[v] < '1' || digits[v] > (char)('0' + plan->most_size))
            return false;
        out->vector = out->vector * plan->most_size + (uint32_t)(digits[v] - '1');
    }
    return true;
}

static bool read_cell(const hw_census_plan *plan, uint32_t n, const json_t *cell,
                      hw_census_tally *tally)
{
    uint64_t solver = 0, accounting = 0, size = 0;
    size_t length = json_array_size(cell);
    if ((length != SHORT_CELL && length != LONG_CELL) ||
        !number_at(cell, 0, 0, plan->n_solvers, &solver) ||
        !number_at(cell, 1, 0, 1, &accounting) || !number_at(cell, 2, 1, plan->most_size, &size))
        return false;
    hw_census_cell *out = &tally->cell[accounting][size - 1][solver];
    return number_at(cell, 3, 1, INT64_MAX, &out->taken) &&
           number_at(cell, 4, 0, out->taken, &out->fails) &&
           (length == SHORT_CELL || read_worst(plan, n, cell, &out->worst));
}

static bool read_block(const hw_census *c, const json_t *line, uint32_t *n, size_t *block,
                       hw_census_tally *tally)
{
    uint64_t nodes = 0, number = 0;
    const json_t *cells = json_object_get(line, "cells");
    if (!number_of(json_object_get(line, "n"), c->plan.least_nodes, c->plan.most_nodes, &nodes) ||
        !number_of(json_object_get(line, "block"), 0, c->n_blocks[nodes] - 1, &number) ||
        !figures_of(line, "graphs", c->plan.most_size, tally->graphs) ||
        !figures_of(line, "cases", c->plan.most_size, tally->cases) ||
        !number_of(json_object_get(line, "runs"), 0, INT64_MAX, &tally->runs) ||
        !json_is_array(cells))
        return false;
    *n = (uint32_t)nodes;
    *block = number;
    for (size_t i = 0; i < json_array_size(cells); i++)
        if (!read_cell(&c->plan, *n, json_array_get(cells, i), tally))
            return false;
    return true;
}

static bool is_sealed(const hw_census *c, const json_t *line, uint32_t n, size_t block,
                      const hw_census_tally *tally)
{
    char seal[SEAL_BYTES];
    const char *text = json_string_value(json_object_get(line, "seal"));
    (void)snprintf(seal, sizeof seal, SEAL, hw_census_seal(&c->plan, n, block, tally));
    return text && strcmp(text, seal) == 0;
}

hw_code hw_census_take_block(hw_census *c, const char *text, size_t length, hw_error *err)
{
    uint32_t n = 0;
    size_t block = 0;
    json_t *line = NULL;
    hw_code code = parse(text, length, "remove it, and --resume counts the block anew", &line, err);
    if (code != HW_OK)
        return code;
    hw_census_tally *tally = HW_NEW0(hw_census_tally, 1);
    if (!tally)
        code = hw_fail_memory(err, "a block of a census");
    else if (!read_block(c, line, &n, &block, tally))
        code = hw_fail(err, HW_BAD_INPUT, "the block is broken, or of another census");
    else if (!is_sealed(c, line, n, block, tally))
        code = hw_fail(err, HW_BAD_INPUT,
                       "the seal does not fit: the block, or the first line of the file, is not as "
                       "it was written; remove the line, and --resume counts the block anew");
    else if (c->done[n][block])
        code =
            hw_fail(err, HW_BAD_INPUT,
                    "block %zu of %" PRIu32 " nodes is there twice: give each part once", block, n);
    if (code == HW_OK) {
        hw_census_add(&c->plan, c->tally[n], tally);
        c->done[n][block] = true;
        c->n_done[n]++;
    }
    free(tally);
    json_decref(line);
    return code;
}
