/*
 * Ratios of two peaks, compared exactly: no floating point decides which of
 * two graphs is worse.
 *
 * Two empty peaks count as equal: 0 / 0 is 1.  over / 0 with over > 0 is
 * greater than every finite ratio.
 */
#ifndef HW_CORE_RATIO_H
#define HW_CORE_RATIO_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hw_ratio {
    uint64_t over, under;
} hw_ratio;

/* Below, equal to or above zero as a is less than, equal to or greater than b.  O(1). */
static inline int hw_ratio_compare(hw_ratio a, hw_ratio b)
{
    if (a.over == 0 && a.under == 0)
        a = (hw_ratio){1, 1};
    if (b.over == 0 && b.under == 0)
        b = (hw_ratio){1, 1};
    if (a.under == 0 || b.under == 0)
        return (a.under == 0) - (b.under == 0);
    __extension__ typedef unsigned __int128 wide;
    wide left = (wide)a.over * b.under, right = (wide)b.over * a.under;
    return (left > right) - (left < right);
}

/* For people and statistics only. */
static inline double hw_ratio_value(hw_ratio r)
{
    return r.over == r.under ? 1 : (double)r.over / (double)r.under;
}

/*
 * Read "3", "1.5" or "p/q", exactly, into lowest terms.  False: it is none of
 * these, q is 0, or a figure passes 2^64 - 1; *out is then as it was.
 */
bool hw_ratio_read(const char *text, hw_ratio *out);

/* The same ratio by the smallest figures; 0/0 stays.  O(log). */
hw_ratio hw_ratio_lowest(hw_ratio r);

#endif
