/* Lists of lists, for what makes a graph of a draft. */
#ifndef HW_IMPORT_DRAFT_ROWS_H
#define HW_IMPORT_DRAFT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"

/* Rows of n lists: item[offset[i] .. offset[i + 1]). */
typedef struct hw_draft_rows {
    size_t *offset;
    uint32_t *item;
} hw_draft_rows;

static inline void hw_draft_rows_free(hw_draft_rows *r)
{
    free(r->offset);
    free(r->item);
    *r = (hw_draft_rows){0};
}

/* Room for `total` items in n rows, offsets cleared; false: out of memory. */
static inline bool hw_draft_rows_new(hw_draft_rows *r, size_t n, size_t total)
{
    r->offset = HW_NEW0(size_t, n + 2);
    r->item = HW_NEW(uint32_t, total);
    return r->offset && r->item;
}

/*
 * Rows are filled in two passes over the same items: pass 0 counts at row + 2
 * and, after hw_draft_rows_sum(), pass 1 places at row + 1, which leaves
 * offsets where they belong.
 */
static inline void hw_draft_rows_put(hw_draft_rows *r, int pass, size_t row, uint32_t item)
{
    if (pass == 0)
        r->offset[row + 2]++;
    else
        r->item[r->offset[row + 1]++] = item;
}

static inline void hw_draft_rows_sum(hw_draft_rows *r, size_t n)
{
    for (size_t i = 2; i < n + 2; i++)
        r->offset[i] += r->offset[i - 1];
}

#endif
