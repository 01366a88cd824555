/*
 * Partitions of two copies of a graph against refinement as it is defined:
 * round after round, by the colours of all neighbours, until none is added.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/exact_partition.h"
#include "tests/support_random.h"

enum { MOST = 12, EDGES = MOST * MOST, GRAPHS = 3000 };

/* A graph with edges either way between any two nodes, perhaps the same twice over. */
typedef struct sample {
    uint32_t n, kind[MOST];
    bool edge[MOST][MOST];
    uint32_t out_offset[MOST + 1], in_offset[MOST + 1], out_item[EDGES], in_item[EDGES];
    hw_rows out, in;
} sample;

static void lay_rows(sample *s)
{
    for (uint32_t v = 0; v < s->n; v++) {
        s->out_offset[v + 1] = s->out_offset[v];
        s->in_offset[v + 1] = s->in_offset[v];
        for (uint32_t w = 0; w < s->n; w++) {
            if (s->edge[v][w])
                s->out_item[s->out_offset[v + 1]++] = w;
            if (s->edge[w][v])
                s->in_item[s->in_offset[v + 1]++] = w;
        }
    }
    s->out = (hw_rows){.offset = s->out_offset, .item = s->out_item};
    s->in = (hw_rows){.offset = s->in_offset, .item = s->in_item};
}

/* Cycles of several lengths: all alike to their neighbours, and not to a map. */
static void draw_cycles(sample *s, uint64_t *state)
{
    memset(s, 0, sizeof *s);
    for (uint32_t length; s->n + 2 <= MOST; s->n += length) {
        length = 2 + random_below(state, 3);
        length = s->n + length > MOST ? MOST - s->n : length;
        for (uint32_t v = 0; v < length; v++)
            s->edge[s->n + v][s->n + (v + 1) % length] = true;
    }
    lay_rows(s);
}

/* Half of the time several copies of a small one, so that there is symmetry. */
static void draw(sample *s, uint64_t *state)
{
    if (random_chance(state, 0.1)) {
        draw_cycles(s, state);
        return;
    }
    uint32_t copies = 1 + random_below(state, 4), each = 1 + random_below(state, MOST / copies);
    uint32_t kinds = 1 + random_below(state, 2);
    memset(s, 0, sizeof *s);
    s->n = copies * each;
    for (uint32_t v = 0; v < each; v++) {
        uint32_t kind = s->n > 1 ? random_below(state, kinds) : 0;
        for (uint32_t k = 0; k < copies; k++)
            s->kind[k * each + v] = kind;
        for (uint32_t w = 0; w < each; w++) {
            bool edge = v != w && random_chance(state, 0.3);
            for (uint32_t k = 0; k < copies; k++)
                s->edge[k * each + v][k * each + w] = edge;
        }
    }
    if (random_chance(state, 0.3))
        s->edge[0][s->n - 1] = s->n > 1;
    lay_rows(s);
}

/* Vertices with a neighbour, one way, of a colour. */
static uint32_t neighbours(const sample *s, const uint32_t *colour, uint32_t x, uint32_t of,
                           bool out)
{
    uint32_t count = 0, copy = x < s->n ? 0 : s->n, v = x - copy;
    for (uint32_t w = 0; w < s->n; w++)
        count += (out ? s->edge[v][w] : s->edge[w][v]) && colour[copy + w] == of;
    return count;
}

static bool alike(const sample *s, const uint32_t *colour, uint32_t x, uint32_t y)
{
    bool same = colour[x] == colour[y];
    for (uint32_t z = 0; z < 2 * s->n && same; z++)
        same = neighbours(s, colour, x, colour[z], true) ==
                   neighbours(s, colour, y, colour[z], true) &&
               neighbours(s, colour, x, colour[z], false) ==
                   neighbours(s, colour, y, colour[z], false);
    return same;
}

/* Refine colours, each named by the first vertex that has it. */
static void refine(const sample *s, uint32_t *colour)
{
    for (bool more = true; more;) {
        uint32_t next[2 * MOST] = {0};
        for (uint32_t x = 0; x < 2 * s->n; x++)
            for (next[x] = 0; !alike(s, colour, x, next[x]); next[x]++)
                ;
        more = false;
        for (uint32_t x = 0; x < 2 * s->n; x++) {
            more = more || (next[x] == x) != (colour[x] == x);
        }
        memcpy(colour, next, sizeof next);
    }
}

static void name_by_first(const sample *s, uint32_t *colour)
{
    uint32_t named[2 * MOST] = {0};
    for (uint32_t x = 0; x < 2 * s->n; x++)
        for (named[x] = 0; colour[named[x]] != colour[x]; named[x]++)
            ;
    memcpy(colour, named, sizeof named);
}

static bool balanced(const sample *s, const uint32_t *colour)
{
    for (uint32_t of = 0; of < 2 * s->n; of++) {
        uint32_t left = 0, all = 0;
        for (uint32_t x = 0; x < 2 * s->n; x++) {
            all += colour[x] == of;
            left += colour[x] == of && x < s->n;
        }
        if (2 * left != all)
            return false;
    }
    return true;
}

/* The cells are the colours, and the arrays say the same of them. */
static void expect(const sample *s, const exact_partition *p, const uint32_t *colour)
{
    for (uint32_t x = 0; x < 2 * s->n; x++) {
        uint32_t cell = p->cell[x], left = 0;
        assert_int_equal(p->item[p->place[x]], x);
        assert_true(p->place[x] >= cell && p->place[x] < cell + p->size[cell]);
        for (uint32_t i = cell; i < cell + p->size[cell]; i++) {
            assert_int_equal(p->cell[p->item[i]], cell);
            left += p->item[i] < s->n;
        }
        assert_int_equal(p->left[cell], left);
        for (uint32_t y = 0; y < x; y++)
            assert_true((p->cell[y] == cell) == (colour[y] == colour[x]));
    }
}

static uint64_t n_misfits; /* pairs that no map has */

/* Pair one left vertex after the other until each has one partner, or none fits; then go back. */
static void pair_all(const sample *s, exact_partition *p, uint32_t *colour, uint64_t *state)
{
    uint32_t x = 0, before[2 * MOST], mark = p->n_trail;
    while (x < s->n && exact_partition_single(p, x))
        x++;
    if (x == s->n) {
        for (x = 0; x < s->n; x++) {
            uint32_t y = exact_partition_image(p, x);
            assert_true(colour[s->n + y] == colour[x] && exact_partition_source(p, y) == x);
        }
        return;
    }
    uint32_t y = random_below(state, s->n);
    while (colour[s->n + y] != colour[x])
        y = (y + 1) % s->n;
    memcpy(before, colour, sizeof before);
    colour[x] = colour[s->n + y] = 2 * s->n;
    name_by_first(s, colour);
    refine(s, colour);
    bool fits = balanced(s, colour);
    n_misfits += !fits;
    assert_true(exact_partition_pair(p, x, y) == fits);
    assert_true(p->balanced == fits);
    if (fits) {
        expect(s, p, colour);
        pair_all(s, p, colour, state);
    }
    exact_partition_undo(p, mark);
    assert_true(p->balanced);
    expect(s, p, before);
    memcpy(colour, before, sizeof before);
}

static void refined_as_defined(void **unused)
{
    (void)unused;
    uint64_t paired = 0;
    for (uint64_t i = 0; i < GRAPHS; i++) {
        uint64_t state = i;
        sample s;
        exact_partition p;
        uint32_t colour[2 * MOST];
        draw(&s, &state);
        for (uint32_t v = 0; v < s.n; v++)
            colour[v] = colour[s.n + v] = s.kind[v];
        name_by_first(&s, colour);
        refine(&s, colour);
        assert_int_equal(exact_partition_init(&p, s.n, &s.out, &s.in, s.kind, NULL), HW_OK);
        assert_true(p.balanced);
        expect(&s, &p, colour);
        paired += !exact_partition_single(&p, 0);
        pair_all(&s, &p, colour, &state);
        exact_partition_free(&p);
    }
    assert_true(paired * 4 > GRAPHS && n_misfits > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refined_as_defined)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
