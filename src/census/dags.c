/* All small acyclic graphs, once each.  See dags.h. */
#include "census/dags.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "census/canon.h"
#include "core/memory.h"

const size_t hw_dags_count[HW_DAGS_MOST + 1] = {1, 1, 2, 6, 31, 302, 5984, 243668};

uint32_t hw_dag_code(const hw_dag *d)
{
    uint32_t code = 0;
    for (uint32_t v = 1; v < d->n; v++)
        code = code << v | d->parents[v];
    return code;
}

hw_dag hw_dag_of_code(uint32_t n, uint32_t code)
{
    hw_dag d = {.n = n};
    for (uint32_t v = n; v-- > 1; code >>= v)
        d.parents[v] = (uint8_t)(code & ((UINT32_C(1) << v) - 1));
    return d;
}

/* ---- The list. ---- */

typedef struct candidate {
    hw_canon form;
    uint32_t code;
} candidate;

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_candidates(const void *x, const void *y)
{
    const candidate *a = x, *b = y;
    int d = hw_canon_compare(&a->form, &b->form);
    return d ? d : compare_numbers(a->code, b->code);
}

static int compare_codes(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;
    int d = __builtin_popcount(*a) - __builtin_popcount(*b);
    return d ? d : compare_numbers(*a, *b);
}

/* All graphs that a sink makes of those on n-1 nodes. */
static hw_code add_sinks(uint32_t n, const uint32_t *smaller, size_t n_smaller,
                         hw_canon_maker *maker, candidate *out, hw_error *err)
{
    uint32_t sets = UINT32_C(1) << (n - 1);
    for (size_t i = 0; i < n_smaller; i++)
        for (uint32_t parents = 0; parents < sets; parents++, out++) {
            out->code = smaller[i] << (n - 1) | parents;
            hw_dag d = hw_dag_of_code(n, out->code);
            hw_code code = hw_canon_form(maker, n, d.parents, NULL, &out->form, NULL, err);
            if (code != HW_OK)
                return code;
        }
    return HW_OK;
}

/* From the list for n-1 nodes to that for n; *codes is replaced. */
static hw_code grow(uint32_t n, hw_canon_maker *maker, uint32_t **codes, size_t *count,
                    hw_error *err)
{
    size_t most = *count << (n - 1), kept = 0;
    candidate *all = HW_NEW(candidate, most);
    hw_code code = all ? add_sinks(n, *codes, *count, maker, all, err)
                       : hw_fail_memory(err, "the list of all small graphs");
    if (code == HW_OK) {
        qsort(all, most, sizeof *all, compare_candidates);
        for (size_t i = 0; i < most; i++)
            if (i == 0 || hw_canon_compare(&all[i - 1].form, &all[i].form) != 0)
                all[kept++].code = all[i].code; /* its form is not looked at again */
        uint32_t *grown = HW_NEW(uint32_t, kept);
        for (size_t i = 0; grown && i < kept; i++)
            grown[i] = all[i].code;
        if (grown) {
            qsort(grown, kept, sizeof *grown, compare_codes);
            free(*codes);
            *codes = grown;
            *count = kept;
        } else {
            code = hw_fail_memory(err, "the list of all small graphs");
        }
    }
    free(all);
    return code;
}

hw_code hw_dags_make(uint32_t n, uint32_t **codes, size_t *count, hw_error *err)
{
    hw_canon_maker *maker = NULL;
    hw_code code = hw_canon_begin(&maker, err);
    *count = 1;
    *codes = code == HW_OK ? HW_NEW0(uint32_t, 1) : NULL;
    if (code == HW_OK && !*codes)
        code = hw_fail_memory(err, "the list of all small graphs");
    for (uint32_t k = 2; code == HW_OK && k <= n; k++)
        code = grow(k, maker, codes, count, err);
    hw_canon_end(maker);
    if (code == HW_OK && *count != hw_dags_count[n])
        code = hw_fail(err, HW_INTERNAL,
                       "%zu acyclic graphs on %" PRIu32 " nodes were made, there are %zu", *count,
                       n, hw_dags_count[n]);
    if (code != HW_OK) {
        free(*codes);
        *codes = NULL;
    }
    return code;
}

/* ---- Numberings. ---- */

typedef struct lister {
    const hw_dag *d;
    hw_numbering *found, now;
    size_t n_found, capacity;
    bool full; /* no memory */
} lister;

/* Number the ready nodes in turn; `from` of them are numbered. */
static void number_from(lister *l, uint32_t from, uint32_t done, uint32_t code)
{
    const hw_dag *d = l->d;
    if (from == d->n) {
        void *found = l->found;
        l->now.code = code;
        l->full = l->full || !hw_grow(&found, &l->capacity, l->n_found + 1, sizeof *l->found);
        l->found = found;
        if (!l->full)
            l->found[l->n_found++] = l->now;
        return;
    }
    for (uint32_t v = 0; v < d->n; v++) {
        if ((done >> v & 1) || (d->parents[v] & ~done))
            continue;
        uint32_t parents = 0;
        for (uint32_t u = 0; u < d->n; u++)
            if (d->parents[v] >> u & 1)
                parents |= UINT32_C(1) << l->now.place[u];
        l->now.place[v] = (uint8_t)from;
        number_from(l, from + 1, done | UINT32_C(1) << v, code << from | parents);
    }
}

/* By code; the identity before all of its code, since it has the least places. */
static int compare_numberings(const void *x, const void *y)
{
    const hw_numbering *a = x, *b = y;
    int d = compare_numbers(a->code, b->code);
    return d ? d : memcmp(a->place, b->place, sizeof a->place);
}

hw_code hw_numberings_make(const hw_dag *d, hw_numberings *out, hw_error *err)
{
    lister l = {.d = d};
    *out = (hw_numberings){0};
    number_from(&l, 0, 0, 0);
    out->automorphism = HW_NEW(hw_numbering, l.n_found);
    if (l.full || !l.found || !out->automorphism) {
        free(out->automorphism);
        out->automorphism = NULL;
        free(l.found);
        return hw_fail_memory(err, "the numberings of a graph");
    }
    qsort(l.found, l.n_found, sizeof *l.found, compare_numberings);
    uint32_t own = hw_dag_code(d);
    out->numbering = l.found;
    for (size_t i = 0; i < l.n_found; i++) {
        if (l.found[i].code == own)
            out->automorphism[out->n_automorphisms++] = l.found[i];
        if (i == 0 || l.found[i].code != out->numbering[out->n_numberings - 1].code)
            out->numbering[out->n_numberings++] = l.found[i];
    }
    return HW_OK;
}

void hw_numberings_free(hw_numberings *n)
{
    free(n->numbering);
    free(n->automorphism);
    *n = (hw_numberings){0};
}
