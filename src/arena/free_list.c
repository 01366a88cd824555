/*
 * free-list: a malloc that serves requests in order of time.
 *
 * Free places are holes in a list by address.  A request takes a hole by the
 * policy, splits it, and grows the arena at the top where none is large enough.
 * A hole that touches the top is taken, and grown, only then: malloc keeps its
 * wilderness (dlmalloc).  What is given back joins the
 * holes beside it.  Each block may have a header, and sizes are rounded up,
 * as in malloc of C libraries (glibc: header=8,round=16).
 * O(holes) a request.  Source: Knuth 1968, 2.5; policies as in Wilson et al.,
 * Dynamic Storage Allocation: A Survey, 1995.
 */
#include <stdlib.h>
#include <string.h>

#include "arena/allocators.h"
#include "arena/turns.h"
#include "core/memory.h"

typedef struct hole {
    uint64_t begin, end;
} hole;

enum { FIRST, BEST, NEXT, WORST };

typedef struct list {
    const hw_arena *a;
    int64_t policy;
    uint64_t header, round;
    uint64_t top; /* where the arena ends: it never shrinks */

    hole *holes; /* by address, apart from one another */
    size_t n, room, roving;
    uint64_t *begin, *end; /* of the block of each buffer that is out */
} list;

/* Where in the hole the buffer would lie, its header before it; false: it does not fit. */
static bool fits(const list *l, const hole *h, const hw_buffer *b, uint64_t *offset, uint64_t *end)
{
    *offset = hw_arena_align(h->begin + l->header, b->alignment);
    *end = hw_arena_align(*offset + b->size, l->round);
    return *end <= h->end;
}

static size_t choose(const list *l, const hw_buffer *b)
{
    size_t chosen = SIZE_MAX, n = l->n;
    n -= n > 0 && l->holes[n - 1].end == l->top;
    uint64_t chosen_left = 0, offset, end;
    for (size_t k = 0; k < n; k++) {
        size_t i = l->policy == NEXT ? (l->roving + k) % n : k;
        if (!fits(l, &l->holes[i], b, &offset, &end))
            continue;
        if (l->policy == FIRST || l->policy == NEXT)
            return i;
        uint64_t left = l->holes[i].end - end;
        if (chosen == SIZE_MAX || (l->policy == BEST ? left < chosen_left : left > chosen_left)) {
            chosen = i;
            chosen_left = left;
        }
    }
    return chosen;
}

/* The hole at the top, made if there is none, grown so that the buffer fits. */
static bool grow(list *l, const hw_buffer *b)
{
    uint64_t offset, end;
    if (l->n == 0 || l->holes[l->n - 1].end != l->top) {
        if (!hw_grow((void **)&l->holes, &l->room, l->n + 1, sizeof *l->holes))
            return false;
        l->holes[l->n++] = (hole){l->top, l->top};
    }
    hole *h = &l->holes[l->n - 1];
    if (!fits(l, h, b, &offset, &end))
        h->end = l->top = end;
    return true;
}

static hw_code take(void *state, uint32_t buffer, uint64_t *offset, hw_error *err)
{
    list *l = state;
    const hw_buffer *b = &l->a->buffer[buffer];
    uint64_t end;
    size_t i = choose(l, b);
    if (i == SIZE_MAX) {
        if (!grow(l, b))
            return hw_fail_memory(err, "the list of free places");
        i = l->n - 1;
    }
    hole *h = &l->holes[i];
    fits(l, h, b, offset, &end);
    /* What alignment leaves before the block stays with it, as in malloc. */
    l->begin[buffer] = h->begin;
    l->end[buffer] = end;
    h->begin = end;
    l->roving = i;
    if (h->begin == h->end) {
        memmove(h, h + 1, (l->n - i - 1) * sizeof *h);
        l->n--;
    }
    if (l->roving >= l->n)
        l->roving = 0;
    return HW_OK;
}

static hw_code give(void *state, uint32_t buffer, uint64_t offset, hw_error *err)
{
    list *l = state;
    (void)offset;
    hole block = {l->begin[buffer], l->end[buffer]};
    size_t i = 0;
    if (block.begin == block.end)
        return HW_OK;
    while (i < l->n && l->holes[i].begin < block.begin)
        i++;
    if (i > 0 && l->holes[i - 1].end == block.begin) {
        l->holes[i - 1].end = block.end;
        if (i < l->n && l->holes[i].begin == block.end) {
            l->holes[i - 1].end = l->holes[i].end;
            memmove(&l->holes[i], &l->holes[i + 1], (l->n - i - 1) * sizeof *l->holes);
            l->n--;
            l->roving -= l->roving >= i && l->roving > 0;
        }
    } else if (i < l->n && l->holes[i].begin == block.end) {
        l->holes[i].begin = block.begin;
    } else {
        if (!hw_grow((void **)&l->holes, &l->room, l->n + 1, sizeof *l->holes))
            return hw_fail_memory(err, "the list of free places");
        memmove(&l->holes[i + 1], &l->holes[i], (l->n - i) * sizeof *l->holes);
        l->holes[i] = block;
        l->n++;
        l->roving += l->roving >= i && l->n > 1;
    }
    if (l->roving >= l->n)
        l->roving = 0;
    return HW_OK;
}

static hw_code place(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                     hw_error *err)
{
    list l = {.a = a,
              .policy = request->params[0].i,
              .header = (uint64_t)request->params[1].i,
              .round = (uint64_t)request->params[2].i,
              .begin = HW_NEW(uint64_t, a->n_buffers),
              .end = HW_NEW(uint64_t, a->n_buffers)};
    const hw_server server = {&l, take, give};
    hw_code code = hw_arena_room(a, l.header + l.round - 1, 1, err);
    if (code == HW_OK && (!l.begin || !l.end))
        code = hw_fail_memory(err, "the blocks of a free list");
    if (code == HW_OK)
        code = hw_serve(a, request, "free-list", &server, out, err);
    if (code == HW_OK && l.top > out->height)
        out->height = l.top; /* the end of the last block */
    free(l.begin);
    free(l.end);
    free(l.holes);
    return code;
}

static const hw_param_row PARAMS[] = {
    {"policy", HW_PARAM_CHOICE, 0, 0, FIRST, "first|best|next|worst",
     "hole taken: the lowest, the tightest, the next after the last one taken, the largest"},
    {"header", HW_PARAM_INT, 0, 65536, 0, NULL, "bytes before each block"},
    {"round", HW_PARAM_INT, 1, 1048576, 1, NULL, "blocks end at multiples of this"},
};

const hw_allocator hw_allocator_free_list = {
    .name = "free-list",
    .help = "a malloc: splits and joins free places, grows at the top, knows nothing of later",
    .source = "Knuth 1968, 2.5; Wilson et al., Dynamic Storage Allocation, 1995",
    .params = PARAMS,
    .n_params = 3,
    .in_time_order = true,
    .place = place,
};
