/* Patterns of fusion: what may follow what.  See patterns.h. */
#include "transform/patterns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "transform/patterns_internal.h"

hw_patterns *hw_patterns_new(void)
{
    return HW_NEW0(hw_patterns, 1);
}

void hw_patterns_free(hw_patterns *p)
{
    for (size_t i = 0; p && i < p->n; i++)
        free(p->row[i].text);
    if (p)
        free(p->row);
    free(p);
}

size_t hw_patterns_count(const hw_patterns *p)
{
    return p->n;
}

const char *hw_pattern_name(const hw_patterns *p, size_t pattern)
{
    return p->row[pattern].text;
}

/* Is `op` one of the words "a|b|c"? */
static bool one_of(const char *words, const char *op)
{
    size_t length = strlen(op);
    for (const char *word = words;; word++) {
        size_t n = strcspn(word, "|");
        if (n == length && strncasecmp(word, op, n) == 0)
            return true;
        word += n;
        if (!*word)
            return false;
    }
}

uint32_t hw_pattern_fits(const hw_patterns *p, size_t pattern, const char *op, unsigned traits,
                         bool only_constants)
{
    const pattern_row *row = &p->row[pattern];
    uint32_t fits = 0;
    for (uint32_t i = 0; i < row->n_items; i++) {
        const pattern_item *item = &row->item[i];
        bool fit = item->words
                       ? one_of(row->text + item->words, op)
                       : (traits & item->traits || item->any) && (!item->bias || only_constants);
        fits |= (uint32_t)fit << i;
    }
    return fits;
}

/* Items from `i` on that can be next, those that may be left out passed over. */
static uint32_t from(const pattern_row *row, uint32_t i)
{
    uint32_t next = 0;
    for (; i < row->n_items; i++) {
        next |= UINT32_C(1) << i;
        if (!row->item[i].optional)
            break;
    }
    return next;
}

uint32_t hw_pattern_first(const hw_patterns *p, size_t pattern)
{
    return from(&p->row[pattern], 0);
}

uint32_t hw_pattern_after(const hw_patterns *p, size_t pattern, uint32_t items)
{
    const pattern_row *row = &p->row[pattern];
    uint32_t next = 0;
    for (uint32_t i = 0; i < row->n_items; i++)
        if (items >> i & 1)
            next |= from(row, i + 1) | (uint32_t)row->item[i].repeats << i;
    return next;
}

bool hw_pattern_ends(const hw_patterns *p, size_t pattern, uint32_t items)
{
    const pattern_row *row = &p->row[pattern];
    for (uint32_t i = row->n_items; i-- > 0;) {
        if (items >> i & 1)
            return true;
        if (!row->item[i].optional)
            break;
    }
    return false;
}
