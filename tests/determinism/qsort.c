/*
 * A qsort for LD_PRELOAD that turns round what its comparison calls equal:
 * glibc's keeps the order of equal elements up to 2.36, later ones and other
 * systems do not, and no result may rest on it.  Merge sort, O(n log n), that
 * takes the later of two equal elements first.
 */
#include <stdlib.h>
#include <string.h>

typedef int (*compare)(const void *, const void *);

/* Merge the sorted halves [0, half) and [half, n) of from into to; of equals the later first. */
static void merge(const char *from, char *to, size_t half, size_t n, size_t size, compare order)
{
    size_t a = 0, b = half;
    for (size_t k = 0; k < n; k++) {
        size_t *next =
            b < n && (a == half || order(from + b * size, from + a * size) <= 0) ? &b : &a;
        memcpy(to + k * size, from + *next * size, size);
        ++*next;
    }
}

static void sort(char *at, char *other, size_t n, size_t size, compare order)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    sort(at, other, half, size, order);
    sort(at + half * size, other, n - half, size, order);
    merge(at, other, half, n, size, order);
    memcpy(at, other, n * size);
}

void qsort(void *base, size_t n, size_t size, compare order)
{
    char *other = n > 1 && size > 0 ? malloc(n * size) : NULL;
    if (n > 1 && size > 0 && !other)
        abort();
    if (other)
        sort(base, other, n, size, order);
    free(other);
}
