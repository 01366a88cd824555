/* What makes a graph easy or hard.  See structure.h. */
#include "model/structure.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/set_table.h"
#include "model/width.h"

__extension__ typedef unsigned __int128 count_t;

/* Sets of very large graphs are wide: no more words than these are counted, so
 * that two levels stay within 256 MiB. */
static const uint64_t most_words = UINT64_C(1) << 25;

const char *hw_count_text(uint64_t high, uint64_t low, char text[HW_COUNT_TEXT])
{
    char digit[HW_COUNT_TEXT];
    size_t n = 0;
    count_t rest = (count_t)high << 64 | low;
    do {
        digit[n++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest);
    for (size_t i = 0; i < n; i++)
        text[i] = digit[n - 1 - i];
    text[n] = '\0';
    return text;
}

/*
 * The down-sets of one size.  A row: the set, the nodes ready after it, and the
 * number of orders of the set as two words, high and low.
 */
typedef struct level {
    uint64_t *row; /* 2 * words + 2 each */
    size_t count, row_words;
} level;

typedef struct counting {
    const hw_graph *g;
    size_t words;
    level current, next;
    hw_set_table table;
    uint64_t *child;
    uint64_t total, most; /* down-sets counted, and where to end */
    bool overflow;        /* the number of orders passed 2^128 - 1 */
} counting;

static bool ready(const counting *c, const uint64_t *set, uint32_t v)
{
    const hw_rows *preds = &c->g->preds;
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (!hw_bits_have(set, preds->item[i]))
            return false;
    return true;
}

static uint64_t *row_of(const level *l, size_t words, size_t i)
{
    return l->row + i * (2 * words + 2);
}

/* A row more in the next level: c->child, which is set `parent` and v. */
static bool append(counting *c, size_t parent, uint32_t v)
{
    level *next = &c->next;
    const size_t words = c->words;
    if (next->count >= UINT32_MAX - 1 ||
        !hw_grow((void **)&next->row, &next->row_words, (next->count + 1) * (2 * words + 2),
                 sizeof *next->row))
        return false;
    uint64_t *set = row_of(next, words, next->count++), *after = set + words;
    memcpy(set, c->child, words * sizeof *set);
    memcpy(after, row_of(&c->current, words, parent) + words, words * sizeof *after);
    hw_bits_remove(after, v);
    for (uint32_t i = c->g->succs.offset[v]; i < c->g->succs.offset[v + 1]; i++)
        if (ready(c, set, c->g->succs.item[i]))
            hw_bits_add(after, c->g->succs.item[i]);
    set[2 * words] = set[2 * words + 1] = 0;
    return true;
}

/* The current level's set `parent`, and v after it.  False: no memory. */
static bool count_step(counting *c, size_t parent, uint32_t v)
{
    const size_t words = c->words;
    const uint64_t *from = row_of(&c->current, words, parent);
    memcpy(c->child, from, words * sizeof *c->child);
    hw_bits_add(c->child, v);
    uint64_t hash = hw_bits_hash(c->child, words);
    size_t at = 0;
    uint32_t number =
        hw_set_table_find(&c->table, c->next.row, 2 * words + 2, words, c->child, hash, &at);
    if (number == UINT32_MAX) {
        number = (uint32_t)c->next.count;
        if (!append(c, parent, v))
            return false;
        hw_set_table_put(&c->table, at, hash, number);
        if (!hw_set_table_grow(&c->table, c->next.count + 1))
            return false;
    }
    uint64_t *to = row_of(&c->next, words, number) + 2 * words;
    count_t before = (count_t)to[0] << 64 | to[1];
    count_t after = before + ((count_t)from[2 * words] << 64 | from[2 * words + 1]);
    c->overflow = c->overflow || after < before;
    to[0] = (uint64_t)(after >> 64);
    to[1] = (uint64_t)after;
    return true;
}

/* All levels; *complete is false when the limit came first.  False: no memory. */
static bool count_levels(counting *c, bool *complete)
{
    const size_t words = c->words;
    *complete = false;
    for (uint32_t k = 0; k < c->g->n_nodes; k++) {
        c->next.count = 0;
        if (!hw_set_table_reset(&c->table, c->current.count + 1))
            return false;
        for (size_t i = 0; i < c->current.count; i++) {
            for (size_t w = 0; w < words; w++) {
                uint64_t bits = row_of(&c->current, words, i)[words + w];
                /* Ask after each set: one set of a wide graph may have millions of next ones. */
                for (; bits && c->total + c->next.count <= c->most; bits &= bits - 1)
                    if (!count_step(c, i, (uint32_t)(64 * w) + hw_lowest_bit(bits)))
                        return false;
            }
            if (c->total + c->next.count > c->most) {
                c->total = c->most;
                return true;
            }
        }
        c->total += c->next.count;
        level done = c->current;
        c->current = c->next;
        c->next = done;
    }
    *complete = true;
    return true;
}

static hw_code count_down_sets(const hw_graph *g, uint64_t most, hw_structure *out, hw_error *err)
{
    if (most == 0)
        return HW_OK;
    counting c = {.g = g, .words = hw_words(g->n_nodes), .total = 1, .most = most};
    const size_t row = 2 * c.words + 2;
    if (c.most > most_words / row)
        c.most = most_words / row;
    bool complete = false;
    c.current.row = HW_NEW0(uint64_t, row);
    c.child = HW_NEW(uint64_t, c.words);
    bool good = c.current.row && c.child;
    if (good) {
        c.current.count = 1;
        c.current.row_words = row;
        c.current.row[row - 1] = 1;
        for (uint32_t v = 0; v < g->n_nodes; v++)
            if (g->preds.offset[v] == g->preds.offset[v + 1])
                hw_bits_add(c.current.row + c.words, v);
        good = count_levels(&c, &complete);
    }
    out->has_down_sets = complete;
    out->down_sets = c.total;
    const uint64_t *full = good && complete ? c.current.row : NULL;
    if (full && !c.overflow) {
        out->has_orders = true;
        out->orders_high = full[row - 2];
        out->orders_low = full[row - 1];
    }
    free(c.current.row);
    free(c.next.row);
    free(c.child);
    hw_set_table_free(&c.table);
    return good ? HW_OK : hw_fail_memory(err, "counting down-sets");
}

static hw_code find_depth(const hw_graph *g, const uint32_t *order, hw_structure *out,
                          hw_error *err)
{
    uint32_t *depth = HW_NEW0(uint32_t, g->n_nodes);
    if (!depth)
        return hw_fail_memory(err, "the depth of a graph");
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = order[i];
        uint32_t begin = g->preds.offset[v], end = g->preds.offset[v + 1];
        out->sources += begin == end;
        out->sinks += g->succs.offset[v] == g->succs.offset[v + 1];
        for (uint32_t k = begin; k < end; k++)
            if (depth[g->preds.item[k]] > depth[v])
                depth[v] = depth[g->preds.item[k]];
        depth[v]++;
        if (depth[v] > out->depth)
            out->depth = depth[v];
    }
    free(depth);
    return HW_OK;
}

hw_code hw_structure_find(const hw_graph *g, hw_structure_limits limits, hw_structure *out,
                          hw_error *err)
{
    memset(out, 0, sizeof *out);
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    if (!order)
        return hw_fail_memory(err, "the structure of a graph");
    hw_code code = hw_graph_level_order(g, order, err);
    if (code == HW_OK)
        code = find_depth(g, order, out, err);
    if (code == HW_OK && g->n_nodes <= limits.width_nodes) {
        code = hw_find_width(g, order, &out->width, err);
        out->has_width = code == HW_OK;
    }
    if (code == HW_OK)
        code = count_down_sets(g, limits.down_sets, out, err);
    free(order);
    return code;
}
