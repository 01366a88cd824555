/*
 * All small acyclic graphs: as many as there are, each once, by four routes:
 * known counts; the number of all graphs with a source order; the least code of
 * every matrix without canonical forms; and nauty where it is there.  Their
 * automorphisms and the orbits of sizes agree with BLISS.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "census/canon.h"
#include "census/census_dag.h"

/* Counts of OEIS A003087, and by hand up to 3. */
static const size_t known[HW_DAGS_MOST + 1] = {1, 1, 2, 6, 31, 302, 5984, 243668};

enum { LINE_BYTES = 256 };

static uint32_t *make_list(uint32_t n)
{
    uint32_t *codes;
    size_t count;
    hw_error err = {0};
    if (hw_dags_make(n, &codes, &count, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(count, known[n]);
    return codes;
}

static hw_numberings numberings_of(uint32_t n, uint32_t code)
{
    hw_dag d = hw_dag_of_code(n, code);
    hw_numberings all;
    assert_int_equal(hw_dag_code(&d), code);
    assert_int_equal(hw_numberings_make(&d, &all, NULL), HW_OK);
    return all;
}

/* Every upper triangular matrix is a numbering of one graph of the list. */
static void every_matrix_is_met_once(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++) {
        size_t matrices = (size_t)1 << (n * (n - 1) / 2), met = 0;
        uint32_t *codes = make_list(n);
        unsigned char *seen = calloc(matrices, 1);
        assert_non_null(seen);
        for (size_t i = 0; i < known[n]; i++) {
            hw_numberings all = numberings_of(n, codes[i]);
            assert_int_equal(all.numbering[0].code, codes[i]); /* the least stands for it */
            for (uint32_t v = 0; v < n; v++) {
                assert_int_equal(all.numbering[0].place[v], v);
                assert_int_equal(all.automorphism[0].place[v], v);
            }
            for (size_t k = 0; k < all.n_numberings; k++) {
                assert_false(seen[all.numbering[k].code]);
                seen[all.numbering[k].code] = 1;
                met++;
            }
            hw_numberings_free(&all);
        }
        assert_int_equal(met, matrices);
        free(seen);
        free(codes);
    }
}

static void few_edges_come_first(void **state)
{
    (void)state;
    uint32_t *codes = make_list(6);
    for (size_t i = 1; i < known[6]; i++) {
        int before = __builtin_popcount(codes[i - 1]), now = __builtin_popcount(codes[i]);
        assert_true(before < now || (before == now && codes[i - 1] < codes[i]));
    }
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[known[6] - 1], (1 << 15) - 1);
    free(codes);
}

static void each_numbering_is_the_graph_renamed(void **state)
{
    (void)state;
    uint32_t *codes = make_list(5);
    for (size_t i = 0; i < known[5]; i++) {
        hw_dag d = hw_dag_of_code(5, codes[i]);
        hw_numberings all = numberings_of(5, codes[i]);
        for (size_t k = 0; k < all.n_numberings; k++) {
            const uint8_t *place = all.numbering[k].place;
            hw_dag other = hw_dag_of_code(5, all.numbering[k].code);
            for (uint32_t v = 0; v < 5; v++)
                for (uint32_t u = 0; u < 5; u++)
                    assert_int_equal(d.parents[v] >> u & 1,
                                     other.parents[place[v]] >> place[u] & 1);
        }
        hw_numberings_free(&all);
    }
    free(codes);
}

/* ---- Against BLISS. ---- */

static int compare_forms(const void *a, const void *b)
{
    return hw_canon_compare(a, b);
}

static void the_group_has_the_order_that_bliss_finds(void **state)
{
    (void)state;
    hw_canon_maker *maker;
    assert_int_equal(hw_canon_begin(&maker, NULL), HW_OK);
    for (uint32_t n = 1; n <= 6; n++) {
        uint32_t *codes = make_list(n);
        for (size_t i = 0; i < known[n]; i++) {
            hw_dag d = hw_dag_of_code(n, codes[i]);
            hw_numberings all = numberings_of(n, codes[i]);
            hw_canon form;
            uint64_t order = 0;
            assert_int_equal(hw_canon_form(maker, n, d.parents, NULL, &form, &order, NULL), HW_OK);
            assert_int_equal(order, all.n_automorphisms);
            hw_numberings_free(&all);
        }
        free(codes);
    }
    hw_canon_end(maker);
}

/* Vectors are one orbit if and only if their coloured forms are one. */
static void check_orbits(hw_canon_maker *maker, uint32_t n, uint32_t m, uint32_t code)
{
    hw_dag dag = hw_dag_of_code(n, code);
    hw_census_dag d;
    assert_int_equal(hw_census_dag_make(&dag, m, &d, NULL), HW_OK);
    hw_canon *form = calloc(d.n_vectors, sizeof *form);
    assert_non_null(form);
    size_t orbits = 0, distinct = 0;
    for (uint32_t i = 0; i < d.n_vectors; i++) {
        uint64_t sizes[HW_DAGS_MOST];
        uint8_t colour[HW_DAGS_MOST];
        hw_census_sizes(n, m, i, sizes);
        for (uint32_t v = 0; v < n; v++)
            colour[v] = (uint8_t)sizes[v];
        assert_int_equal(hw_canon_form(maker, n, dag.parents, colour, &form[i], NULL, NULL), HW_OK);
        assert_true(d.least[i] <= i);
        assert_int_equal(hw_canon_compare(&form[i], &form[d.least[i]]), 0);
        orbits += d.least[i] == i;
    }
    qsort(form, d.n_vectors, sizeof *form, compare_forms);
    for (uint32_t i = 0; i < d.n_vectors; i++)
        distinct += i == 0 || hw_canon_compare(&form[i - 1], &form[i]) != 0;
    assert_int_equal(orbits, distinct);
    free(form);
    hw_census_dag_free(&d);
}

static void sizes_fall_into_the_classes_of_coloured_forms(void **state)
{
    (void)state;
    hw_canon_maker *maker;
    assert_int_equal(hw_canon_begin(&maker, NULL), HW_OK);
    for (uint32_t n = 1; n <= 5; n++) {
        uint32_t *codes = make_list(n);
        for (size_t i = 0; i < known[n]; i++)
            check_orbits(maker, n, n == 5 ? 2 : 3, codes[i]);
        free(codes);
    }
    hw_canon_end(maker);
}

/* ---- Against nauty. ---- */

/* "n arcs u v u v ..." as parents of each node. */
static bool read_dag(FILE *in, uint32_t n, uint8_t *parents)
{
    char line[LINE_BYTES];
    if (!fgets(line, sizeof line, in))
        return false;
    char *at = line;
    assert_int_equal(strtoul(at, &at, 10), n);
    memset(parents, 0, n);
    for (unsigned long arcs = strtoul(at, &at, 10); arcs > 0; arcs--) {
        unsigned long u = strtoul(at, &at, 10), v = strtoul(at, &at, 10);
        assert_true(u < n && v < n);
        parents[v] |= (uint8_t)(1U << u);
    }
    return true;
}

static void compare_with_nauty(hw_canon_maker *maker, uint32_t n)
{
    char command[128];
    hw_canon *own = calloc(known[n], sizeof *own), *other = calloc(known[n], sizeof *other);
    uint32_t *codes = make_list(n);
    assert_non_null(own);
    assert_non_null(other);
    for (size_t i = 0; i < known[n]; i++) {
        hw_dag d = hw_dag_of_code(n, codes[i]);
        assert_int_equal(hw_canon_form(maker, n, d.parents, NULL, &own[i], NULL, NULL), HW_OK);
    }
    (void)snprintf(command, sizeof command, "nauty-geng -q %" PRIu32 " | nauty-directg -q -o -a -T",
                   n);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    size_t count = 0;
    for (uint8_t parents[HW_CANON_MOST]; read_dag(in, n, parents); count++) {
        assert_true(count < known[n]);
        assert_int_equal(hw_canon_form(maker, n, parents, NULL, &other[count], NULL, NULL), HW_OK);
    }
    assert_int_equal(pclose(in), 0);
    assert_int_equal(count, known[n]);
    qsort(own, count, sizeof *own, compare_forms);
    qsort(other, count, sizeof *other, compare_forms);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(hw_canon_compare(&own[i], &other[i]), 0);
    free(own);
    free(other);
    free(codes);
}

static void nauty_has_the_same_graphs(void **state)
{
    (void)state;
    if (system("command -v nauty-geng >/dev/null 2>&1 && "
               "command -v nauty-directg >/dev/null 2>&1") != 0) {
        print_message("skip: nauty-geng and nauty-directg are missing (package nauty)\n");
        skip();
    }
    hw_canon_maker *maker;
    assert_int_equal(hw_canon_begin(&maker, NULL), HW_OK);
    for (uint32_t n = 2; n <= 6; n++)
        compare_with_nauty(maker, n);
    hw_canon_end(maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_matrix_is_met_once),
        cmocka_unit_test(few_edges_come_first),
        cmocka_unit_test(each_numbering_is_the_graph_renamed),
        cmocka_unit_test(the_group_has_the_order_that_bliss_finds),
        cmocka_unit_test(sizes_fall_into_the_classes_of_coloured_forms),
        cmocka_unit_test(nauty_has_the_same_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
