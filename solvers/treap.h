/*
 * An ordered set of nodes: a search tree that stays shallow by random ranks.
 *
 * For list-scheduling rules whose order of the ready nodes is not one number
 * that a heap could hold.  The links are part of the caller's array of node
 * records, `stride` bytes apart, so that one cache line serves the tree and the
 * rule.  A rule may keep a summary of each subtree in its records, which pull()
 * makes anew from a node and its two children.
 *
 * Ranks are a fixed mixing of the node index: the same tree on every machine,
 * and no order of a graph file can be expected to be bad for it.  Insertion and
 * removal take O(log count) expected.  Only insertion compares, each time with
 * the node inserted.
 *
 * Source: C. Aragon, R. Seidel, Randomized search trees, FOCS 1989,
 * 10.1109/SFCS.1989.63531.
 */
#ifndef HW_SOLVERS_TREAP_H
#define HW_SOLVERS_TREAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/graph.h"

#define HW_TREAP_OUT (UINT32_MAX - 1) /* parent of a node outside the tree */

typedef struct hw_treap_link {
    uint32_t left, right, parent, rank; /* HW_NONE: no such node */
} hw_treap_link;

/* What is the same for all trees of a rule. */
typedef struct hw_treap_kind {
    size_t stride; /* bytes from the link of a node to that of the next */
    /* Is a before b?  A strict total order. */
    bool (*before)(const void *records, uint32_t a, uint32_t b);
    /* Make the summary of v; did it change?  NULL: no summaries. */
    bool (*pull)(void *records, uint32_t v);
} hw_treap_kind;

typedef struct hw_treap {
    char *links;   /* the link of node 0                */
    void *records; /* handed to the functions of a kind */
    uint32_t root, count;
} hw_treap;

static inline hw_treap_link *hw_treap_at(const hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    return (hw_treap_link *)(void *)(t->links + (size_t)v * k->stride);
}

/* An empty tree; all nodes are outside. */
static inline void hw_treap_open(hw_treap *t, const hw_treap_kind *k, void *links, void *records,
                                 uint32_t n)
{
    *t = (hw_treap){.links = links, .records = records, .root = HW_NONE};
    for (uint32_t v = 0; v < n; v++)
        hw_treap_at(t, k, v)->parent = HW_TREAP_OUT;
}

static inline bool hw_treap_holds(const hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    return hw_treap_at(t, k, v)->parent != HW_TREAP_OUT;
}

/* Where the tree keeps v: the root, or a side of its parent. */
static inline uint32_t *hw_treap_slot(hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    uint32_t p = hw_treap_at(t, k, v)->parent;
    if (p == HW_NONE)
        return &t->root;
    hw_treap_link *link = hw_treap_at(t, k, p);
    return link->left == v ? &link->left : &link->right;
}

/* Make the summaries from v upwards, until one stays as it was. */
static inline void hw_treap_pull_up(hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    if (k->pull)
        while (v != HW_NONE && k->pull(t->records, v))
            v = hw_treap_at(t, k, v)->parent;
}

/* Turn the edge from v up to its parent round. */
static inline void hw_treap_rotate(hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    hw_treap_link *x = hw_treap_at(t, k, v);
    uint32_t p = x->parent, moved;
    hw_treap_link *y = hw_treap_at(t, k, p);
    *hw_treap_slot(t, k, p) = v;
    if (y->left == v) {
        moved = y->left = x->right;
        x->right = p;
    } else {
        moved = y->right = x->left;
        x->left = p;
    }
    if (moved != HW_NONE)
        hw_treap_at(t, k, moved)->parent = p;
    x->parent = y->parent;
    y->parent = v;
    if (k->pull)
        (void)k->pull(t->records, p);
}

/* Add v, which is outside. */
static inline void hw_treap_insert(hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    uint32_t *slot = &t->root, parent = HW_NONE, mix = v;
    hw_treap_link *link = hw_treap_at(t, k, v);
    mix = (mix ^ mix >> 16) * UINT32_C(0x7feb352d);
    mix = (mix ^ mix >> 15) * UINT32_C(0x846ca68b);
    mix ^= mix >> 16;
    while (*slot != HW_NONE) {
        parent = *slot;
        hw_treap_link *above = hw_treap_at(t, k, parent);
        slot = k->before(t->records, v, parent) ? &above->left : &above->right;
    }
    *slot = v;
    *link = (hw_treap_link){HW_NONE, HW_NONE, parent, mix};
    t->count++;
    while (link->parent != HW_NONE && hw_treap_at(t, k, link->parent)->rank < mix)
        hw_treap_rotate(t, k, v);
    if (k->pull) {
        (void)k->pull(t->records, v);
        hw_treap_pull_up(t, k, link->parent);
    }
}

/*
 * Take out v, which is inside: its two subtrees become one, top down along
 * their inner borders; the summaries on the way are then made from below.
 */
static inline void hw_treap_remove(hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    hw_treap_link *link = hw_treap_at(t, k, v);
    uint32_t l = link->left, r = link->right, lowest = link->parent;
    uint32_t *slot = hw_treap_slot(t, k, v);
    while (l != HW_NONE && r != HW_NONE) {
        hw_treap_link *a = hw_treap_at(t, k, l), *b = hw_treap_at(t, k, r);
        if (a->rank > b->rank) {
            *slot = l;
            a->parent = lowest;
            lowest = l;
            slot = &a->right;
            l = a->right;
        } else {
            *slot = r;
            b->parent = lowest;
            lowest = r;
            slot = &b->left;
            r = b->left;
        }
    }
    uint32_t rest = l == HW_NONE ? r : l;
    *slot = rest;
    if (rest != HW_NONE)
        hw_treap_at(t, k, rest)->parent = lowest;
    if (k->pull) {
        for (; lowest != link->parent; lowest = hw_treap_at(t, k, lowest)->parent)
            (void)k->pull(t->records, lowest);
        hw_treap_pull_up(t, k, link->parent);
    }
    link->parent = HW_TREAP_OUT;
    t->count--;
}

/* The first node, the one after v; HW_NONE: there is none. */
static inline uint32_t hw_treap_first(const hw_treap *t, const hw_treap_kind *k)
{
    uint32_t v = t->root;
    while (v != HW_NONE && hw_treap_at(t, k, v)->left != HW_NONE)
        v = hw_treap_at(t, k, v)->left;
    return v;
}

static inline uint32_t hw_treap_next(const hw_treap *t, const hw_treap_kind *k, uint32_t v)
{
    uint32_t next = hw_treap_at(t, k, v)->right;
    if (next != HW_NONE) {
        while (hw_treap_at(t, k, next)->left != HW_NONE)
            next = hw_treap_at(t, k, next)->left;
        return next;
    }
    for (next = hw_treap_at(t, k, v)->parent; next != HW_NONE;
         next = hw_treap_at(t, k, next)->parent) {
        if (hw_treap_at(t, k, next)->left == v)
            return next;
        v = next;
    }
    return HW_NONE;
}

#endif
