/* The lifetime log as a text table and as JSON.  See log.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/control.h"
#include "core/memory.h"
#include "model/log.h"

/* ---- The live set, walked step by step in order of birth. ---- */

typedef struct live_set {
    uint32_t *next, *previous; /* over lives; slot n_lives is the head of a ring */
    uint32_t head;
} live_set;

static hw_code live_set_start(live_set *set, const hw_log *log, hw_error *err)
{
    set->head = log->n_lives;
    set->next = HW_NEW(uint32_t, (size_t)log->n_lives + 1);
    set->previous = HW_NEW(uint32_t, (size_t)log->n_lives + 1);
    if (!set->next || !set->previous)
        return hw_fail_memory(err, "the live sets of a log");
    set->next[set->head] = set->previous[set->head] = set->head;
    return HW_OK;
}

/* From the set before step `step` to the set after it. */
static void live_set_step(live_set *set, const hw_log *log, int64_t step)
{
    uint32_t begin, end;
    hw_log_born(log, step, &begin, &end);
    for (uint32_t k = begin; k < end; k++) {
        uint32_t tail = set->previous[set->head];
        set->next[tail] = k;
        set->previous[k] = tail;
        set->next[k] = set->head;
        set->previous[set->head] = k;
    }
    if (step < 0)
        return;
    for (uint32_t i = log->died.offset[step]; i < log->died.offset[step + 1]; i++) {
        uint32_t k = log->died.item[i];
        set->next[set->previous[k]] = set->next[k];
        set->previous[set->next[k]] = set->previous[k];
    }
}

static void live_set_end(live_set *set)
{
    free(set->next);
    free(set->previous);
}

static uint32_t id_of(const hw_log *log, uint32_t life)
{
    return hw_tensor_id(log->model->graph, log->life[life].tensor);
}

/* ---- Text. ---- */

enum { NAME_COLUMNS = 28 };

/* A name as the terminal can show it: printable, cut to `columns`, "" for none. */
static void shown_name(const char *name, char *text, size_t columns)
{
    size_t n = 0, used = 0;
    for (const char *p = name; *p; p++) {
        size_t control = hw_control_bytes(p);
        bool starts = ((unsigned char)*p & 0xc0) != 0x80; /* a UTF-8 character begins */
        if (starts && n++ == columns)
            break;
        if (used + 1 < 4 * columns + 1)
            text[used++] = control ? '?' : *p;
        p += control ? control - 1 : 0;
    }
    text[used] = '\0';
}

static size_t characters(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static int digits(uint64_t value)
{
    int n = 1;
    for (; value >= 10; value /= 10)
        n++;
    return n;
}

typedef struct table {
    const hw_log *log;
    FILE *out;
    int step, node, name, usage, live, born; /* widths of the columns */
} table;

static int wider(int a, int b)
{
    return a > b ? a : b;
}

static int list_width(const hw_log *log, uint32_t begin, uint32_t end)
{
    int width = end > begin ? (int)(end - begin) - 1 : 0;
    for (uint32_t k = begin; k < end; k++)
        width += digits(id_of(log, k));
    return width;
}

static void measure(table *t)
{
    const hw_log *log = t->log;
    const hw_graph *g = log->model->graph;
    uint64_t most_live = log->live_empty;
    uint32_t begin, end;
    hw_log_born(log, -1, &begin, &end);
    t->step = wider(4, digits(log->n_steps));
    t->node = 4;
    t->name = 4;
    t->born = wider(4, list_width(log, begin, end));
    for (uint32_t i = 0; i < log->n_steps; i++) {
        char name[4 * NAME_COLUMNS + 1];
        shown_name(hw_node_name(g, log->order[i]), name, NAME_COLUMNS);
        t->name = wider(t->name, (int)characters(name));
        t->node = wider(t->node, digits(hw_node_id(g, log->order[i])));
        hw_log_born(log, i, &begin, &end);
        t->born = wider(t->born, list_width(log, begin, end));
        if (log->live[i] > most_live)
            most_live = log->live[i];
    }
    t->usage = wider(5, digits(log->peak));
    t->live = wider(4, digits(most_live));
    t->born = t->born > 32 ? 32 : t->born; /* longer lists push the rest aside */
}

static int put_id(const hw_log *log, uint32_t life, bool first, FILE *out)
{
    return fprintf(out, "%s%" PRIu32, first ? "" : ",", id_of(log, life));
}

static void put_born(const table *t, int64_t step)
{
    uint32_t begin, end;
    int width = 0;
    hw_log_born(t->log, step, &begin, &end);
    for (uint32_t k = begin; k < end; k++)
        width += put_id(t->log, k, k == begin, t->out);
    if (begin == end)
        width = fprintf(t->out, "-");
    (void)fprintf(t->out, "%*s  ", width < t->born ? t->born - width : 0, "");
}

static void put_died_and_live(const table *t, int64_t step, const live_set *set)
{
    const hw_rows *died = &t->log->died;
    uint32_t begin = step < 0 ? 0 : died->offset[step], end = step < 0 ? 0 : died->offset[step + 1];
    for (uint32_t i = begin; i < end; i++)
        (void)put_id(t->log, died->item[i], i == begin, t->out);
    if (begin == end)
        (void)fputc('-', t->out);
    if (set) {
        (void)fputs("  live:", t->out);
        for (uint32_t k = set->next[set->head]; k != set->head; k = set->next[k])
            (void)fprintf(t->out, " %" PRIu32, id_of(t->log, k));
    }
    (void)fputc('\n', t->out);
}

static void put_row(const table *t, uint32_t i, const live_set *set)
{
    const hw_log *log = t->log;
    const hw_graph *g = log->model->graph;
    char name[4 * NAME_COLUMNS + 1];
    shown_name(hw_node_name(g, log->order[i]), name, NAME_COLUMNS);
    int padding = t->name - (int)characters(name);
    (void)fprintf(t->out, "%c %*" PRIu32 "  %*" PRIu32 "  %s%*s  %*" PRIu64 "  %*" PRIu64 "  ",
                  log->peak_step == (int64_t)i ? '>' : ' ', t->step, i, t->node,
                  hw_node_id(g, log->order[i]), name, padding > 0 ? padding : 0, "", t->usage,
                  log->usage[i], t->live, log->live[i]);
    put_born(t, i);
    put_died_and_live(t, i, set);
}

static void put_summary(const table *t)
{
    const hw_log *log = t->log;
    const hw_model *m = log->model;
    if (log->peak_step < 0)
        (void)fprintf(t->out, "peak %" PRIu64 " bytes, before step 0", log->peak);
    else
        (void)fprintf(t->out,
                      "peak %" PRIu64 " bytes, first at step %" PRId64 " (node %" PRIu32 ")",
                      log->peak, log->peak_step, hw_node_id(m->graph, log->order[log->peak_step]));
    (void)fprintf(t->out, "; %s%s; resident %" PRIu64 " bytes, %s\n",
                  hw_accounting_name(m->accounting), m->pin_inputs ? ", inputs pinned" : "",
                  log->resident_bytes, log->with_resident ? "included" : "not included");
}

hw_code hw_log_print(const hw_log *log, bool with_live_set, FILE *out, hw_error *err)
{
    table t = {.log = log, .out = out};
    live_set set = {0};
    hw_code code = with_live_set ? live_set_start(&set, log, err) : HW_OK;
    if (code == HW_OK) {
        const live_set *shown = with_live_set ? &set : NULL;
        measure(&t);
        (void)fprintf(out, "  %*s  %*s  %-*s  %*s  %*s  %-*s  %s\n", t.step, "step", t.node, "node",
                      t.name, "name", t.usage, "usage", t.live, "live", t.born, "born", "died");
        if (with_live_set)
            live_set_step(&set, log, -1);
        (void)fprintf(out, "%c %*s  %*s  %-*s  %*s  %*" PRIu64 "  ", log->peak_step < 0 ? '>' : ' ',
                      t.step, "-", t.node, "-", t.name, "", t.usage, "", t.live, log->live_empty);
        put_born(&t, -1);
        put_died_and_live(&t, -1, shown);
        for (uint32_t i = 0; i < log->n_steps; i++) {
            if (with_live_set)
                live_set_step(&set, log, i);
            put_row(&t, i, shown);
        }
        put_summary(&t);
    }
    live_set_end(&set);
    return code;
}

/* ---- JSON. ---- */

static void json_born(const hw_log *log, const char *key, int64_t step, hw_json_out *j)
{
    uint32_t begin, end;
    hw_log_born(log, step, &begin, &end);
    hw_json_open(j, key, '[');
    for (uint32_t k = begin; k < end; k++)
        hw_json_put_u64(j, NULL, id_of(log, k));
    hw_json_close(j, ']');
}

static void json_step(const hw_log *log, uint32_t i, const live_set *set, hw_json_out *j)
{
    hw_json_open(j, NULL, '{');
    hw_json_put_u64(j, "step", i);
    hw_json_put_u64(j, "node", hw_node_id(log->model->graph, log->order[i]));
    hw_json_put_u64(j, "usage", log->usage[i]);
    hw_json_put_u64(j, "live", log->live[i]);
    json_born(log, "born", i, j);
    hw_json_open(j, "died", '[');
    for (uint32_t k = log->died.offset[i]; k < log->died.offset[i + 1]; k++)
        hw_json_put_u64(j, NULL, id_of(log, log->died.item[k]));
    hw_json_close(j, ']');
    if (set) {
        hw_json_open(j, "live_set", '[');
        for (uint32_t k = set->next[set->head]; k != set->head; k = set->next[k])
            hw_json_put_u64(j, NULL, id_of(log, k));
        hw_json_close(j, ']');
    }
    hw_json_close(j, '}');
}

hw_code hw_log_json(const hw_log *log, bool with_live_set, hw_json_out *j, hw_error *err)
{
    live_set set = {0};
    hw_code code = with_live_set ? live_set_start(&set, log, err) : HW_OK;
    if (code == HW_OK) {
        hw_json_put_string(j, "accounting", hw_accounting_name(log->model->accounting));
        hw_json_put_bool(j, "pin_inputs", log->model->pin_inputs);
        hw_json_put_bool(j, "with_resident", log->with_resident);
        hw_json_put_u64(j, "peak", log->peak);
        hw_json_put_i64(j, "peak_step", log->peak_step);
        hw_json_put_u64(j, "resident", log->resident_bytes);
        hw_json_put_u64(j, "live_before", log->live_empty);
        json_born(log, "initial", -1, j);
        if (with_live_set)
            live_set_step(&set, log, -1);
        hw_json_open(j, "steps", '[');
        for (uint32_t i = 0; i < log->n_steps; i++) {
            if (with_live_set)
                live_set_step(&set, log, i);
            json_step(log, i, with_live_set ? &set : NULL, j);
        }
        hw_json_close(j, ']');
    }
    live_set_end(&set);
    return code;
}
