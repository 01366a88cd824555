/* Parts of parallel compositions, and unordered blocks.  See branches.h. */
#include <stdlib.h>

#include "traits/branches_internal.h"

/*
 * One after the other the sets that are still to be taken apart, as rows of
 * bits on a heap of rows.  All at hand are disjoint, so there are never more
 * than nodes.
 */
typedef struct sets {
    uint64_t *row;
    uint32_t n;
} sets;

/*
 * The piece of v in `left` where two nodes are joined if they are ordered
 * (or, with `unordered`, if they are not) into `piece`, and out of `left`.
 */
static void take_piece(pieces *x, uint64_t *left, uint32_t v, bool unordered, uint64_t *piece)
{
    const hw_precedence *p = x->p;
    uint32_t n = 0;
    for (size_t w = 0; w < p->words; w++)
        piece[w] = 0;
    hw_bits_remove(left, v);
    x->stack[n++] = v;
    while (n > 0) {
        v = x->stack[--n];
        hw_bits_add(piece, v);
        for (size_t w = 0; w < p->words; w++) {
            uint64_t ordered = hw_after(p, v)[w] | hw_before(p, v)[w];
            uint64_t joined = left[w] & (unordered ? ~ordered : ordered);
            left[w] &= ~joined;
            for (; joined; joined &= joined - 1)
                x->stack[n++] = (uint32_t)(w * 64) + hw_lowest_bit(joined);
        }
    }
}

static hw_branch weigh(const pieces *x, const uint64_t *set)
{
    hw_branch b = {.group = x->out->n_groups};
    for (size_t w = 0; w < x->p->words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1)
            pieces_weigh(x, (uint32_t)(w * 64) + hw_lowest_bit(rest), &b);
    return b;
}

/* Lay the pieces of x->left behind s; their number. */
static uint32_t lay(pieces *x, sets *s, bool unordered)
{
    size_t words = x->p->words;
    uint32_t laid = 0;
    for (size_t w = 0; w < words; w++)
        while (x->left[w]) {
            uint32_t v = (uint32_t)(w * 64) + hw_lowest_bit(x->left[w]);
            take_piece(x, x->left, v, unordered, s->row + (s->n + laid++) * words);
        }
    return laid;
}

static bool take_apart(pieces *x, sets *s)
{
    size_t words = x->p->words;
    while (s->n > 0) {
        uint64_t *top = s->row + --s->n * words;
        for (int unordered = 0; unordered < 2; unordered++) {
            /* The first piece is laid over the set; a lone one is the set again. */
            for (size_t w = 0; w < words; w++)
                x->left[w] = top[w];
            uint32_t laid = lay(x, s, unordered);
            if (laid < 2)
                continue;
            size_t begin = x->out->n;
            for (uint32_t i = 0; i < laid && !unordered; i++)
                if (!pieces_add(x, weigh(x, top + i * words)))
                    return false;
            if (!unordered)
                pieces_end_group(x, begin);
            s->n += laid;
            break;
        }
    }
    return true;
}

hw_code hw_branches_of_parts(const hw_precedence *p, const hw_blocks *b, hw_branches *out,
                             hw_error *err)
{
    pieces x;
    hw_code code = pieces_open(&x, p, b, out, err);
    sets s = {.row = HW_NEW0(uint64_t, (p->n + 1) * p->words)};
    bool fine = code == HW_OK && s.row;
    if (fine && p->n > 0) {
        for (uint32_t v = 0; v < p->n; v++)
            hw_bits_add(s.row, v);
        s.n = 1;
        fine = take_apart(&x, &s);
    }
    free(s.row);
    pieces_close(&x);
    return code == HW_OK && !fine ? hw_fail_memory(err, "the parts of a graph") : code;
}

/* ---- Unordered blocks. ---- */

/* Of an augmenting path: a place, and the place after the one tried as its next. */
typedef struct step {
    uint32_t place, next;
} step;

typedef struct chains {
    const hw_precedence *p;
    const hw_blocks *b;
    const uint32_t *large; /* blocks */
    uint32_t n;
    uint32_t *next_of; /* by place in `large`: who has it as next; HW_NONE: nobody */
    uint32_t *seen;    /* by place: round that saw it; rounds count from 1         */
    step *way;         /* room for n + 1 */
} chains;

/* Block a before block b: by their makers; of one maker by their numbers, so that they are no pair.
 */
static bool precedes(const chains *c, uint32_t a, uint32_t b)
{
    uint32_t u = c->b->block[a].maker, v = c->b->block[b].maker;
    if (u == v)
        return a < b;
    return u == HW_NONE || (v != HW_NONE && hw_bits_have(hw_after(c->p, u), v));
}

/*
 * An augmenting path from a place, depth first; as each place is seen once, its
 * length is at most n.
 */
static bool extend(chains *c, uint32_t place, uint32_t round)
{
    uint32_t length = 1;
    c->way[0] = (step){place, 0};
    while (length > 0) {
        step *last = &c->way[length - 1];
        uint32_t k = last->next;
        while (k < c->n &&
               (c->seen[k] == round || !precedes(c, c->large[last->place], c->large[k])))
            k++;
        if (k == c->n) {
            length--;
            continue;
        }
        c->seen[k] = round;
        last->next = k + 1;
        if (c->next_of[k] != HW_NONE) {
            c->way[length++] = (step){c->next_of[k], 0};
            continue;
        }
        while (length-- > 0)
            c->next_of[c->way[length].next - 1] = c->way[length].place;
        return true;
    }
    return false;
}

/* Least number of chains that cover the large blocks: places less matched pairs. */
static uint32_t count_chains(chains *c)
{
    uint32_t matched = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        c->next_of[i] = HW_NONE;
        c->seen[i] = 0;
    }
    for (uint32_t i = 0; i < c->n; i++)
        matched += extend(c, i, i + 1);
    return c->n - matched;
}

hw_code hw_blocks_likeness(const hw_precedence *p, const hw_blocks *b, double least,
                           hw_likeness *out, hw_error *err)
{
    *out = (hw_likeness){0};
    uint32_t *large = HW_NEW(uint32_t, b->n);
    chains c = {.p = p, .b = b, .large = large};
    c.next_of = HW_NEW(uint32_t, b->n);
    c.seen = HW_NEW(uint32_t, b->n);
    c.way = HW_NEW(step, (size_t)b->n + 1);
    hw_code code = HW_OK;
    if (!large || !c.next_of || !c.seen || !c.way)
        code = hw_fail_memory(err, "the unordered blocks of a graph");
    for (uint32_t i = 0; i < b->n && code == HW_OK; i++)
        if ((double)b->block[i].bytes >= least)
            large[c.n++] = i;
    if (code == HW_OK)
        out->most = count_chains(&c);
    for (uint32_t i = 0; i < c.n && code == HW_OK; i++)
        for (uint32_t k = i + 1; k < c.n; k++) {
            uint32_t u = b->block[large[i]].maker, v = b->block[large[k]].maker;
            if (u == HW_NONE || v == HW_NONE || !hw_unordered(p, u, v))
                continue;
            double balance = hw_balance_of(b->block[large[i]].bytes, b->block[large[k]].bytes);
            if (balance > out->balance)
                out->balance = balance;
        }
    free(large);
    free(c.next_of);
    free(c.seen);
    free(c.way);
    return code;
}
