/* The precedence relation of a graph as rows of bits. */
#ifndef HW_TRAITS_PRECEDENCE_H
#define HW_TRAITS_PRECEDENCE_H

#include "core/bitset.h"
#include "model/graph.h"

typedef struct hw_precedence {
    uint32_t n;
    size_t words;     /* of a row                                      */
    uint32_t *order;  /* one topological order                         */
    uint64_t *after;  /* row v: the nodes that v precedes              */
    uint64_t *before; /* row v: the nodes that precede v               */
} hw_precedence;

/* HW_NO_MEMORY; may be closed in any case.  O(n edges / 64) words. */
hw_code hw_precedence_open(hw_precedence *p, const hw_graph *g, hw_error *err);
void hw_precedence_close(hw_precedence *p);

static inline const uint64_t *hw_after(const hw_precedence *p, uint32_t v)
{
    return p->after + v * p->words;
}

static inline const uint64_t *hw_before(const hw_precedence *p, uint32_t v)
{
    return p->before + v * p->words;
}

static inline bool hw_unordered(const hw_precedence *p, uint32_t u, uint32_t v)
{
    return u != v && !hw_bits_have(hw_after(p, u), v) && !hw_bits_have(hw_after(p, v), u);
}

#endif
