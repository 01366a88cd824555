/* Leaving columns out of lines of results.  See strip.h. */
#include "merge/strip.h"

#include <stdlib.h>
#include <string.h>

#include "bench/flat_json.h"
#include "core/json_out.h"
#include "core/memory.h"

enum { MOST_FIELDS = 64, LEAST_SHARE_OF_TIME = 10 };

static const char *const of_the_machine[] = {
    "wall_seconds", "cpu_seconds", "repeats", "peak_memory_bytes", "seal", "version", "compiler"};
static const char *const of_the_key[] = {"key"};
static const char *const of_the_unit[] = {"optimum",    "optimum_by",        "gap_percent",
                                          "best_bound", "gap_bound_percent", "conflict"};

static bool is_among(const char *key, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}
#define IS_AMONG(key, names) is_among(key, names, sizeof(names) / sizeof *(names))

static bool is_left_out(const char *key, unsigned what)
{
    return IS_AMONG(key, of_the_machine) || ((what & HW_STRIP_KEY) && IS_AMONG(key, of_the_key)) ||
           ((what & HW_STRIP_VERDICT) && IS_AMONG(key, of_the_unit));
}

static void put_field(hw_json_out *j, const hw_flat_field *f)
{
    switch (f->type) {
    case HW_FLAT_NULL:
        hw_json_put_null(j, f->key);
        return;
    case HW_FLAT_BOOL:
        hw_json_put_bool(j, f->key, f->truth);
        return;
    case HW_FLAT_NUMBER:
        hw_json_put_digits(j, f->key, f->text);
        return;
    case HW_FLAT_STRING:
        hw_json_put_string(j, f->key, f->text);
        return;
    }
}

/*
 * A line as results are written: no blanks between what it holds, no escapes.
 * Its fields then are stretches of the line, and need not be put together anew.
 */
static bool is_plain(const char *line, size_t length)
{
    bool inside = false;
    for (size_t i = 0; i < length; i++) {
        inside = inside != (line[i] == '"');
        if (line[i] == '\\' || (unsigned char)line[i] < ' ' || (unsigned char)line[i] > '~' ||
            (!inside && line[i] == ' '))
            return false;
    }
    return true;
}

typedef struct all_fields {
    hw_flat_field field[MOST_FIELDS];
    size_t n;
} all_fields;

/* The same as put_fields(), from a copy of the line that was not cut. */
static void copy_fields(const all_fields *all, const char *line, const char *copy, size_t length,
                        unsigned what, FILE *out)
{
    char mark = '{';
    for (size_t i = 0; i < all->n; i++) {
        if (is_left_out(all->field[i].key, what))
            continue;
        /* From the quote before the key to the comma behind the value, or the brace. */
        size_t first = (size_t)(all->field[i].key - line) - 1;
        size_t end = i + 1 < all->n ? (size_t)(all->field[i + 1].key - line) - 2 : length - 1;
        (void)fputc(mark, out);
        (void)fwrite(copy + first, 1, end - first, out);
        mark = ',';
    }
    (void)fputs(mark == '{' ? "{}\n" : "}\n", out);
}

static void put_fields(const all_fields *all, unsigned what, FILE *out)
{
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    for (size_t i = 0; i < all->n; i++)
        if (!is_left_out(all->field[i].key, what))
            put_field(&j, &all->field[i]);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

hw_code hw_strip_line(char *line, size_t length, unsigned what, FILE *out, hw_error *err)
{
    all_fields all;
    char *copy = is_plain(line, length) ? hw_copy(line, length, 1) : NULL;
    hw_code code = hw_flat_parse(line, length, all.field, MOST_FIELDS, &all.n, err);
    if (code == HW_OK && copy)
        copy_fields(&all, line, copy, length, what, out);
    else if (code == HW_OK)
        put_fields(&all, what, out);
    free(copy);
    return code;
}

bool hw_record_cut_short(const hw_record *r)
{
    static const char *const from_outside[] = {"timeout", "out-of-memory", "crashed", "error"};
    if (IS_AMONG(r->status, from_outside))
        return true;
    bool by_states = r->state_limit && r->states.known && r->states.value >= r->state_limit;
    return r->limit_reached && r->time_limit > 0 && !by_states &&
           (r->wall_seconds < 0 || r->wall_seconds * LEAST_SHARE_OF_TIME >= r->time_limit);
}
