/*
 * Arenas as CSV files, in the form of MiniMalloc (Moffitt, ASPLOS 2023,
 * github.com/google/minimalloc).
 *
 * The head line names the columns, in any order: id (also buffer, buffer_id),
 * lower (start, begin), upper, size, and where wanted alignment, gaps, offset,
 * hint.  Ticks are half-open; a column `end` in place of `upper` counts the
 * last tick in, and so do the gaps then.  `gaps` holds FIRST-END pairs with
 * blanks between; FIRST-END@0:N leaves the first N bytes in use.  `offset` is
 * the place that the buffer must have.  `hint` is left out.
 */
#include "arena/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/csv_internal.h"
#include "core/control.h"
#include "core/memory.h"
#include "io/text.h"

static const struct {
    const char *name;
    column column;
    bool last_tick_in;
} NAMES[] = {
    {"id", COLUMN_ID, false},        {"buffer", COLUMN_ID, false},
    {"buffer_id", COLUMN_ID, false}, {"lower", COLUMN_LOWER, false},
    {"start", COLUMN_LOWER, false},  {"begin", COLUMN_LOWER, false},
    {"upper", COLUMN_UPPER, false},  {"end", COLUMN_UPPER, true},
    {"size", COLUMN_SIZE, false},    {"alignment", COLUMN_ALIGNMENT, false},
    {"gaps", COLUMN_GAPS, false},    {"offset", COLUMN_OFFSET, false},
    {"hint", COLUMN_HINT, false},
};

static const char *const REQUIRED[] = {"id", "lower", "upper", "size"};

static hw_code at_line(const csv *c, hw_code code)
{
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s:%" PRIu64 ": ", c->in->name, c->in->line);
    return code;
}

hw_code csv_fail(const csv *c, const char *what, const char *text, const char *cure)
{
    char quoted[HW_QUOTE_BYTES];
    (void)at_line(c, hw_fail(c->err, HW_BAD_INPUT, "%s \"%s\": %s", what,
                             hw_quote(text, strlen(text), quoted), cure));
    return HW_BAD_INPUT; /* in sight of analysers */
}

/* Cut the line at its commas; blanks around a field go.  The fields point into it. */
static hw_code cut(csv *c, char *line, size_t length)
{
    if (memchr(line, '\0', length))
        return at_line(c, hw_fail(c->err, HW_BAD_INPUT, "a NUL byte: this is no text"));
    line[length] = '\0';
    c->n_fields = 0;
    for (char *p = line; p;) {
        char *comma = strchr(p, ','), *end = comma ? comma : p + strlen(p);
        if (c->n_fields == CSV_FIELDS)
            return at_line(c, hw_fail(c->err, HW_BAD_INPUT, "more than %d columns: leave some out",
                                      CSV_FIELDS));
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        *end = '\0';
        c->field[c->n_fields++] = p;
        p = comma ? comma + 1 : NULL;
    }
    return HW_OK;
}

static hw_code head_column(csv *c, size_t at)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(c->field[at], NAMES[i].name) != 0)
            continue;
        if (c->at[NAMES[i].column] != CSV_NONE)
            return csv_fail(c, "a second column", c->field[at], "each column may stand once");
        c->at[NAMES[i].column] = at;
        c->last_tick_in |= NAMES[i].last_tick_in;
        return HW_OK;
    }
    return HW_OK; /* columns of other names are not looked at */
}

/* Of other names, too, none stands twice; that none at all is known comes first. */
static hw_code check_head(const csv *c)
{
    bool known = false;
    for (size_t i = 0; i < N_COLUMNS; i++)
        known = known || c->at[i] != CSV_NONE;
    if (!known)
        return at_line(c, hw_fail(c->err, HW_BAD_INPUT,
                                  "the head line names none of the columns id, lower, upper, size "
                                  "and offset: is this the right file?"));
    for (size_t at = 1; at < c->n_fields; at++)
        for (size_t i = 0; i < at; i++)
            if (strcmp(c->field[i], c->field[at]) == 0)
                return csv_fail(c, "a second column", c->field[at], "each column may stand once");
    return HW_OK;
}

/* The next line that is not empty, cut into fields; false in *more at the end. */
static hw_code next_line(csv *c, bool *more)
{
    char *line;
    size_t length;
    do {
        hw_code code = hw_input_line(c->in, &line, &length, c->err);
        if (code != HW_OK)
            return code;
        if (line && c->in->line == 1 && length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
            line += 3; /* a byte order mark, as spreadsheets write it */
            length -= 3;
        }
    } while (line && length == 0);
    *more = line != NULL;
    return line ? cut(c, line, length) : HW_OK;
}

hw_code csv_start(csv *c, hw_input *in, hw_error *err)
{
    bool more;
    memset(c, 0, sizeof *c);
    c->in = in;
    c->err = err;
    for (size_t i = 0; i < N_COLUMNS; i++)
        c->at[i] = CSV_NONE;
    hw_code code = next_line(c, &more);
    if (code == HW_OK && !more)
        code =
            hw_fail(err, HW_BAD_INPUT,
                    "%s is empty: a head line such as id,lower,upper,size is expected", in->name);
    for (size_t i = 0; code == HW_OK && i < c->n_fields; i++)
        code = head_column(c, i);
    c->n_columns = c->n_fields;
    return code == HW_OK ? check_head(c) : code;
}

hw_code csv_requires(const csv *c, column wanted)
{
    if (c->at[wanted] != CSV_NONE)
        return HW_OK;
    const char *name = wanted == COLUMN_OFFSET ? "offset" : REQUIRED[wanted];
    return at_line(c, hw_fail(c->err, HW_BAD_INPUT,
                              "no column %s: the head line has to name it, as in "
                              "id,lower,upper,size%s",
                              name, wanted == COLUMN_OFFSET ? ",offset" : ""));
}

hw_code csv_next(csv *c, bool *more)
{
    hw_code code = next_line(c, more);
    if (code != HW_OK || !*more)
        return code;
    if (c->n_fields != c->n_columns)
        return at_line(c, hw_fail(c->err, HW_BAD_INPUT,
                                  "%zu fields, but the head line names %zu columns: give as many",
                                  c->n_fields, c->n_columns));
    const char *id = csv_text(c, COLUMN_ID);
    for (const char *p = id; *p; p++)
        if (hw_control_bytes(p))
            return csv_fail(c, "a control byte in id", id, "leave it out");
    if (!*id)
        return at_line(c, hw_fail(c->err, HW_BAD_INPUT, "an empty id: name the buffer"));
    return HW_OK;
}

const char *csv_text(const csv *c, column wanted)
{
    return c->at[wanted] == CSV_NONE ? "" : c->field[c->at[wanted]];
}

/* Digits at *p up to a byte that is none. */
static bool read_u64(const char **p, uint64_t *out)
{
    const char *from = *p;
    uint64_t number = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++) {
        uint64_t digit = (uint64_t)(**p - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return *p > from;
}

static bool read_tick(const char **p, int64_t *out)
{
    bool negative = **p == '-';
    *p += negative;
    uint64_t number;
    if (!read_u64(p, &number) || number > (uint64_t)HW_ARENA_TICKS)
        return false;
    *out = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

hw_code csv_u64(const csv *c, column wanted, uint64_t *out)
{
    const char *text = csv_text(c, wanted), *p = text;
    if (!read_u64(&p, out) || *p)
        return csv_fail(c, "no number from 0 to 2^64-1:", text, "plain digits are expected");
    return HW_OK;
}

static hw_code tick(const csv *c, column wanted, int64_t *out)
{
    const char *text = csv_text(c, wanted), *p = text;
    if (!read_tick(&p, out) || *p)
        return csv_fail(c, "no tick from -2^62 to 2^62:", text, "plain digits are expected");
    return HW_OK;
}

/* One gap "FIRST-END" or "FIRST-END@0:N" at *p: what is left in use there. */
static hw_code one_gap(const csv *c, const char **p, hw_span *gap)
{
    const char *from = *p;
    uint64_t low = 0;
    gap->size = 0;
    bool good = read_tick(p, &gap->first) && **p == '-';
    *p += good;
    good = good && read_tick(p, &gap->end);
    if (good && **p == '@') {
        ++*p;
        good = read_u64(p, &low) && **p == ':';
        *p += good;
        good = good && read_u64(p, &gap->size);
    }
    if (!good || (**p && **p != ' '))
        return csv_fail(c, "no gap:", from, "FIRST-END or FIRST-END@0:BYTES is expected");
    if (low != 0)
        return csv_fail(c, "a gap that leaves bytes from the middle in use:", from,
                        "only those from the first byte on can be kept: FIRST-END@0:BYTES");
    return HW_OK;
}

static hw_code add_span(csv *c, int64_t first, int64_t end, uint64_t size)
{
    if (first >= end)
        return HW_OK;
    if (!hw_grow((void **)&c->span, &c->span_room, c->n_spans + 1, sizeof *c->span))
        return hw_fail_memory(c->err, "the gaps of a buffer");
    c->span[c->n_spans++] = (hw_span){first, end, size};
    return HW_OK;
}

/* The spans that a line tells: the life, cut by its gaps. */
static hw_code spans(csv *c)
{
    int64_t lower = 0, upper = 0;
    uint64_t size = 0;
    hw_code code = tick(c, COLUMN_LOWER, &lower);
    if (code == HW_OK)
        code = tick(c, COLUMN_UPPER, &upper);
    if (code == HW_OK)
        code = csv_u64(c, COLUMN_SIZE, &size);
    if (code != HW_OK)
        return code;
    upper += c->last_tick_in;
    c->n_spans = 0;
    if (lower >= upper)
        return csv_fail(c, "no tick between lower and upper of", csv_text(c, COLUMN_ID),
                        "upper has to be greater than lower");
    int64_t at = lower;
    for (const char *p = csv_text(c, COLUMN_GAPS); code == HW_OK && *p;) {
        hw_span gap;
        if (*p == ' ') {
            p++;
            continue;
        }
        code = one_gap(c, &p, &gap);
        if (code != HW_OK)
            return code;
        gap.end += c->last_tick_in;
        if (gap.first < at || gap.end > upper || gap.first >= gap.end || gap.size > size)
            return csv_fail(c, "gaps of", csv_text(c, COLUMN_ID),
                            "they have to lie within the life, in order, apart, and to keep no "
                            "more than its size");
        code = add_span(c, at, gap.first, size);
        if (code == HW_OK)
            code = add_span(c, gap.first, gap.end, gap.size);
        at = gap.end;
    }
    return code == HW_OK ? add_span(c, at, upper, size) : code;
}

static hw_code add_line(csv *c, hw_arena *a)
{
    uint64_t alignment = 1, fixed = HW_ARENA_FREE;
    hw_code code = spans(c);
    if (code == HW_OK && c->at[COLUMN_ALIGNMENT] != CSV_NONE)
        code = csv_u64(c, COLUMN_ALIGNMENT, &alignment);
    if (code == HW_OK && *csv_text(c, COLUMN_OFFSET)) {
        code = csv_u64(c, COLUMN_OFFSET, &fixed);
        if (code == HW_OK && fixed == HW_ARENA_FREE) /* would say: any */
            code = csv_fail(c, "no place for a buffer at", csv_text(c, COLUMN_OFFSET),
                            "it may pass 2^64-1 there: make it smaller");
    }
    if (code != HW_OK)
        return code;
    return at_line(c, hw_arena_add(a, csv_text(c, COLUMN_ID), c->span, (uint32_t)c->n_spans,
                                   alignment, fixed, c->err));
}

void csv_end(csv *c)
{
    free(c->span);
}

/* Two buffers of one name could not be told apart in a file of offsets. */
static hw_code names_differ(const csv *c, const hw_arena *a)
{
    csv_name *names = NULL;
    hw_code code = csv_names(a, &names, c->err);
    for (uint32_t i = 1; code == HW_OK && i < a->n_buffers; i++)
        if (strcmp(names[i - 1].label, names[i].label) == 0) {
            char quoted[HW_QUOTE_BYTES];
            code = hw_fail(c->err, HW_BAD_INPUT, "%s: two buffers have the id \"%s\": rename one",
                           c->in->name, hw_quote(names[i].label, strlen(names[i].label), quoted));
        }
    free(names);
    return code;
}

hw_code hw_arena_read_input(hw_input *in, hw_arena **out, hw_error *err)
{
    csv c;
    bool more = true;
    *out = NULL;
    hw_code code = csv_start(&c, in, err);
    for (column k = COLUMN_ID; code == HW_OK && k <= COLUMN_SIZE; k++)
        code = csv_requires(&c, k);
    hw_arena *a = NULL;
    if (code == HW_OK)
        code = hw_arena_start(in->name, &a, err);
    while (code == HW_OK) {
        code = csv_next(&c, &more);
        if (code != HW_OK || !more)
            break;
        code = add_line(&c, a);
    }
    if (code == HW_OK)
        code = names_differ(&c, a);
    if (code == HW_OK)
        code = hw_arena_finish(a, err);
    csv_end(&c);
    if (code != HW_OK) {
        hw_arena_free(a);
        return code;
    }
    *out = a;
    return HW_OK;
}

hw_code hw_arena_read(const char *path, hw_arena **out, hw_error *err)
{
    hw_input in;
    *out = NULL;
    hw_code code = hw_input_open(&in, path, err);
    if (code != HW_OK)
        return code;
    code = hw_arena_read_input(&in, out, err);
    hw_input_close(&in);
    return code;
}
