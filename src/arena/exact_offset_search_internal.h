/* The state of the search, for its two files.  See exact_offset_search.h. */
#ifndef HW_ARENA_EXACT_OFFSET_SEARCH_INTERNAL_H
#define HW_ARENA_EXACT_OFFSET_SEARCH_INTERNAL_H

#include "arena/exact_offset_search.h"

/* What the rules know of a section, over its open items. */
typedef struct section_state {
    uint64_t sum;    /* needs */
    uint64_t lowest; /* smallest `least`; NEVER: no open item */
    uint64_t second; /* the next one, of another item */
    uint32_t at;     /* the item that has lowest */
    uint32_t may;    /* items that may come next: least <= lowest + slack */
} section_state;

/* Greater than any capacity; sums of two stay below 2^64. */
#define NEVER ((uint64_t)1 << 62)

typedef struct change {
    uint64_t low, passed_at;
    uint32_t item;
} change;

/*
 * A component: items[begin .. end) in sections [first, last).  Once an item is laid it is
 * items[end - 1], and the rest, split in parts, is searched from `next` on.
 */
typedef struct frame {
    uint32_t begin, end, first, last;
    uint32_t laid;      /* OFFSET_NONE: none at present */
    uint32_t next_item; /* parts: where the next one begins */
    uint32_t next_section;
    size_t mark, laid_mark; /* of the trail: on entry, before laying */
    bool forced;
} frame;

struct offset_search {
    const offset_problem *p;
    offset_rules rules;
    offset_look *look;
    void *context;

    uint64_t capacity;
    const offset_strategy *strategy;
    const uint32_t *weight;

    uint32_t *items;     /* open items of a component stand together */
    uint32_t *scratch;   /* n_items */
    uint64_t *low;       /* of open items */
    uint64_t *passed_at; /* passed: passed_at == low */
    uint64_t *least;
    bool *laid;
    uint64_t *offset;     /* the outcome */
    uint32_t *borders;    /* open items that live on both sides of section s and s + 1 */
    uint32_t *part;       /* of a section, while a component is split */
    uint32_t *part_start; /* n_sections + 2 */
    uint64_t *end_lowest; /* of sections: smallest least + need */
    section_state *section;

    change *trail;
    size_t n_trail, trail_room;
    frame *frames;
    uint32_t n_frames;
};

static inline bool offset_passed(const offset_search *s, uint32_t item)
{
    return s->passed_at[item] == s->low[item];
}

static inline uint64_t offset_round_up(uint64_t x, uint64_t alignment)
{
    if (alignment == 1)
        return x;
    uint64_t rest = x % alignment;
    return rest ? x + (alignment - rest) : x;
}

typedef enum offset_verdict { VERDICT_DEAD, VERDICT_LAY, VERDICT_BRANCH } offset_verdict;

/*
 * Apply the rules to a component that has an open item.  VERDICT_LAY: *item is
 * laid without a branch; VERDICT_BRANCH: *item is the candidate to branch on.
 */
offset_verdict offset_infer(offset_search *s, const frame *f, uint32_t *item);

#endif
