/* Colour refinement of two copies of a graph.  See exact_partition.h. */
#include "solvers/exact_partition.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void exact_partition_free(exact_partition *p)
{
    free(p->item);
    free(p->place);
    free(p->cell);
    free(p->size);
    free(p->left);
    free(p->trail);
    free(p->count);
    free(p->hits);
    free(p->queue);
    free(p->splitter);
    free(p->touched);
    free(p->sorting);
    free(p->pending);
    memset(p, 0, sizeof *p);
}

static void put(exact_partition *p, uint32_t place, uint32_t vertex)
{
    p->item[place] = vertex;
    p->place[vertex] = place;
}

static void swap_to(exact_partition *p, uint32_t vertex, uint32_t place)
{
    uint32_t other = p->item[place];
    put(p, p->place[vertex], other);
    put(p, place, vertex);
}

static void enqueue(exact_partition *p, uint32_t cell)
{
    if (!p->pending[cell]) {
        p->pending[cell] = true;
        p->queue[p->n_queue++] = cell;
    }
}

/* Cut the last `size` vertices of a cell off as a cell of their own. */
static uint32_t cut(exact_partition *p, uint32_t cell, uint32_t size)
{
    uint32_t start = cell + p->size[cell] - size, left = 0;
    for (uint32_t i = start; i < start + size; i++) {
        p->cell[p->item[i]] = start;
        left += p->item[i] < p->n;
    }
    p->size[start] = size;
    p->left[start] = left;
    p->size[cell] -= size;
    p->left[cell] -= left;
    p->trail[p->n_trail++] = start;
    if (2 * left != size)
        p->balanced = false;
    return start;
}

void exact_partition_undo(exact_partition *p, uint32_t mark)
{
    while (p->n_trail > mark) {
        uint32_t start = p->trail[--p->n_trail], into = p->cell[p->item[start - 1]];
        for (uint32_t i = start; i < start + p->size[start]; i++)
            p->cell[p->item[i]] = into;
        p->size[into] += p->size[start];
        p->left[into] += p->left[start];
    }
    p->balanced = true; /* choices are only made from balanced partitions */
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/*
 * Part a cell whose last `hits` vertices have counts, the others none.  All
 * parts but a largest one are queued: counts in the whole cell are the same
 * for all vertices of any other cell already.
 */
static void part(exact_partition *p, uint32_t cell, uint32_t hits)
{
    uint32_t from = cell + p->size[cell] - hits;
    for (uint32_t i = 0; i < hits; i++)
        p->sorting[i] = (uint64_t)p->count[p->item[from + i]] << 32 | p->item[from + i];
    qsort(p->sorting, hits, sizeof *p->sorting, compare);
    for (uint32_t i = 0; i < hits; i++)
        put(p, from + i, (uint32_t)p->sorting[i]);
    bool was_pending = p->pending[cell];
    uint32_t largest = cell, first = p->n_trail;
    for (uint32_t end = hits; end > 0;) {
        uint32_t begin = end - 1;
        while (begin > 0 && p->sorting[begin - 1] >> 32 == p->sorting[end - 1] >> 32)
            begin--;
        if (from + begin == cell)
            break; /* the first part keeps the name */
        (void)cut(p, cell, end - begin);
        end = begin;
    }
    for (uint32_t i = first; i < p->n_trail; i++)
        if (p->size[p->trail[i]] > p->size[largest])
            largest = p->trail[i];
    if (first == p->n_trail)
        return;
    for (uint32_t i = first; i < p->n_trail; i++)
        if (was_pending || p->trail[i] != largest)
            enqueue(p, p->trail[i]);
    if (was_pending || cell != largest)
        enqueue(p, cell);
}

/* Part all cells by the number of neighbours in `splitter`. */
static void split_by(exact_partition *p, const hw_rows *rows, uint32_t n_splitter)
{
    uint32_t n_touched = 0;
    for (uint32_t i = 0; i < n_splitter; i++) {
        uint32_t base = p->splitter[i] < p->n ? 0 : p->n, x = p->splitter[i] - base;
        p->work += rows->offset[x + 1] - rows->offset[x];
        for (uint32_t k = rows->offset[x]; k < rows->offset[x + 1]; k++) {
            uint32_t y = rows->item[k] + base, cell = p->cell[y];
            if (p->count[y]++)
                continue;
            if (p->hits[cell] == 0)
                p->touched[n_touched++] = cell;
            swap_to(p, y, cell + p->size[cell] - ++p->hits[cell]);
        }
    }
    for (uint32_t i = 0; i < n_touched; i++) {
        uint32_t cell = p->touched[i], size = p->size[cell], hits = p->hits[cell];
        p->hits[cell] = 0;
        part(p, cell, hits);
        for (uint32_t k = cell + size - hits; k < cell + size; k++)
            p->count[p->item[k]] = 0;
    }
}

static void refine(exact_partition *p)
{
    while (p->n_queue && p->balanced) {
        uint32_t cell = p->queue[--p->n_queue], n = p->size[cell];
        p->pending[cell] = false;
        memcpy(p->splitter, p->item + cell, n * sizeof *p->splitter);
        split_by(p, p->out, n);
        split_by(p, p->in, n);
    }
    while (p->n_queue)
        p->pending[p->queue[--p->n_queue]] = false;
}

bool exact_partition_pair(exact_partition *p, uint32_t x, uint32_t y)
{
    uint32_t cell = p->cell[x], end = cell + p->size[cell];
    swap_to(p, x, end - 1);
    swap_to(p, p->n + y, end - 2);
    enqueue(p, cut(p, cell, 2));
    refine(p);
    return p->balanced;
}

static bool allocate(exact_partition *p)
{
    size_t all = 2 * (size_t)p->n + 1;
    p->item = HW_NEW(uint32_t, all);
    p->place = HW_NEW(uint32_t, all);
    p->cell = HW_NEW(uint32_t, all);
    p->size = HW_NEW0(uint32_t, all);
    p->left = HW_NEW0(uint32_t, all);
    p->trail = HW_NEW(uint32_t, all);
    p->count = HW_NEW0(uint32_t, all);
    p->hits = HW_NEW0(uint32_t, all);
    p->queue = HW_NEW(uint32_t, all);
    p->splitter = HW_NEW(uint32_t, all);
    p->touched = HW_NEW(uint32_t, all);
    p->sorting = HW_NEW(uint64_t, all);
    p->pending = HW_NEW0(bool, all);
    return p->item && p->place && p->cell && p->size && p->left && p->trail && p->count &&
           p->hits && p->queue && p->splitter && p->touched && p->sorting && p->pending;
}

hw_code exact_partition_init(exact_partition *p, uint32_t n, const hw_rows *out, const hw_rows *in,
                             const uint32_t *kind, hw_error *err)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->out = out;
    p->in = in;
    p->balanced = true;
    if (!allocate(p)) {
        exact_partition_free(p);
        return hw_fail_memory(err, "a partition");
    }
    /* Counting sort by kind; then each kind is a cell. */
    for (uint32_t x = 0; x < n; x++)
        p->hits[kind[x]] += 2;
    for (uint32_t k = 0, sum = 0; k < n; k++) {
        if (p->hits[k]) {
            p->size[sum] = p->hits[k];
            p->left[sum] = p->hits[k] / 2;
            enqueue(p, sum);
        }
        p->splitter[k] = sum;
        sum += p->hits[k];
        p->hits[k] = 0;
    }
    for (uint32_t x = 0; x < n; x++) {
        uint32_t start = p->splitter[kind[x]];
        p->cell[x] = p->cell[n + x] = start;
        put(p, start + p->hits[kind[x]]++, x);
        put(p, start + p->hits[kind[x]]++, n + x);
    }
    memset(p->hits, 0, n * sizeof *p->hits);
    refine(p);
    p->n_trail = 0; /* nothing before this can be taken back */
    return HW_OK;
}
