/* The search over states by depth, with a stack of its own.  See exact_offset_search.h. */
#include "arena/exact_offset_search.h"

#include <stdlib.h>
#include <string.h>

#include "arena/exact_offset_search_internal.h"
#include "core/memory.h"

enum { LOOK_EVERY = 16 };

void offset_search_free(offset_search *s)
{
    if (!s)
        return;
    free(s->items);
    free(s->scratch);
    free(s->low);
    free(s->passed_at);
    free(s->least);
    free(s->laid);
    free(s->offset);
    free(s->borders);
    free(s->part);
    free(s->part_start);
    free(s->end_lowest);
    free(s->section);
    free(s->trail);
    free(s->frames);
    free(s);
}

hw_code offset_search_new(const offset_problem *p, const offset_rules *rules, offset_look *look,
                          void *context, offset_search **out, hw_error *err)
{
    offset_search *s = HW_NEW0(offset_search, 1);
    *out = NULL;
    if (!s)
        return hw_fail_memory(err, "the search");
    s->p = p;
    s->rules = *rules;
    s->look = look;
    s->context = context;
    s->items = HW_NEW(uint32_t, p->n_items);
    s->scratch = HW_NEW(uint32_t, p->n_items);
    s->low = HW_NEW(uint64_t, p->n_items);
    s->passed_at = HW_NEW(uint64_t, p->n_items);
    s->least = HW_NEW(uint64_t, p->n_items);
    s->laid = HW_NEW(bool, p->n_items);
    s->offset = HW_NEW0(uint64_t, p->n_items);
    s->borders = HW_NEW(uint32_t, p->n_sections);
    s->part = HW_NEW(uint32_t, p->n_sections);
    s->part_start = HW_NEW(uint32_t, (size_t)p->n_sections + 2);
    s->end_lowest = HW_NEW(uint64_t, p->n_sections);
    s->section = HW_NEW(section_state, p->n_sections);
    s->frames = HW_NEW(frame, (size_t)p->n_items + 2);
    if (!s->items || !s->scratch || !s->low || !s->passed_at || !s->least || !s->laid ||
        !s->offset || !s->borders || !s->part || !s->part_start || !s->end_lowest || !s->section ||
        !s->frames) {
        offset_search_free(s);
        return hw_fail_memory(err, "the search");
    }
    *out = s;
    return HW_OK;
}

const uint64_t *offset_search_offsets(const offset_search *s)
{
    return s->offset;
}

/* ---- Changes and their undoing. ---- */

static bool note(offset_search *s, uint32_t item)
{
    if (!hw_grow((void **)&s->trail, &s->trail_room, s->n_trail + 1, sizeof *s->trail))
        return false;
    s->trail[s->n_trail++] = (change){s->low[item], s->passed_at[item], item};
    return true;
}

static void undo(offset_search *s, size_t mark)
{
    while (s->n_trail > mark) {
        const change *c = &s->trail[--s->n_trail];
        s->low[c->item] = c->low;
        s->passed_at[c->item] = c->passed_at;
    }
}

/* ---- Parts. ---- */

/* Sort items[begin .. end) by the parts of the sections that they live in.  O(items + sections). */
static void group(offset_search *s, uint32_t begin, uint32_t end, uint32_t first, uint32_t last)
{
    uint32_t parts = 0;
    for (uint32_t t = first; t < last; t++) {
        s->part[t] = parts;
        parts += t + 1 < last && s->borders[t] == 0;
    }
    if (parts == 0)
        return;
    uint32_t *start = s->part_start;
    memset(start, 0, ((size_t)parts + 2) * sizeof *start);
    for (uint32_t i = begin; i < end; i++)
        start[s->part[s->p->item[s->items[i]].first] + 1]++;
    for (uint32_t part = 0; part <= parts; part++)
        start[part + 1] += start[part];
    memcpy(s->scratch, s->items + begin, (end - begin) * sizeof *s->items);
    for (uint32_t i = 0; i < end - begin; i++)
        s->items[begin + start[s->part[s->p->item[s->scratch[i]].first]]++] = s->scratch[i];
}

/* Whether the border from section t on to the next one is closed by nobody. */
static bool open_border(const offset_search *s, uint32_t t)
{
    return s->rules.cuts && s->borders[t] == 0;
}

/* Push the next part of the frame that has items; false: there is none. */
static bool push_part(offset_search *s, frame *f, uint32_t end)
{
    while (f->next_section < f->last) {
        uint32_t first = f->next_section, begin = f->next_item, t = first;
        while (t + 1 < f->last && !open_border(s, t))
            t++;
        f->next_section = t + 1;
        while (f->next_item < end && s->p->item[s->items[f->next_item]].first <= t)
            f->next_item++;
        if (f->next_item == begin)
            continue;
        s->frames[s->n_frames++] = (frame){.begin = begin,
                                           .end = f->next_item,
                                           .first = first,
                                           .last = t + 1,
                                           .laid = OFFSET_NONE,
                                           .mark = s->n_trail};
        return true;
    }
    return false;
}

/* ---- Laying an item. ---- */

static void count_borders(offset_search *s, uint32_t item, int by)
{
    const offset_item *x = &s->p->item[item];
    for (uint32_t t = x->first; t + 1 < x->end; t++)
        s->borders[t] += (uint32_t)by;
}

/* Raise the open items that it meets; false: one does not fit any more, or no memory. */
static bool lift(offset_search *s, uint32_t item, bool *memory)
{
    for (size_t i = s->p->first_meeting[item]; i < s->p->first_meeting[item + 1]; i++) {
        const offset_meeting *m = &s->p->meeting[i];
        const offset_item *y = &s->p->item[m->other];
        if (s->laid[m->other])
            continue;
        uint64_t low = offset_round_up(s->low[item] + m->above, y->alignment);
        if (low <= s->low[m->other])
            continue;
        if (y->fixed != OFFSET_FREE || low > s->capacity || y->size > s->capacity - low)
            return false;
        if (!note(s, m->other)) {
            *memory = false;
            return false;
        }
        s->low[m->other] = low;
    }
    return true;
}

/* Lay an item at its low; false: that leads nowhere. */
static bool lay(offset_search *s, frame *f, uint32_t item, bool *memory)
{
    uint32_t at = f->begin;
    while (s->items[at] != item)
        at++;
    s->items[at] = s->items[f->end - 1];
    s->items[f->end - 1] = item;
    f->laid = item;
    f->laid_mark = s->n_trail;
    f->next_item = f->begin;
    f->next_section = f->first;
    s->laid[item] = true;
    s->offset[item] = s->low[item];
    count_borders(s, item, -1);
    if (!lift(s, item, memory))
        return false;
    if (s->rules.cuts)
        group(s, f->begin, f->end - 1, f->first, f->last);
    return true;
}

static void take_up(offset_search *s, frame *f)
{
    undo(s, f->laid_mark);
    s->laid[f->laid] = false;
    count_borders(s, f->laid, 1);
    f->laid = OFFSET_NONE;
}

/* ---- The run. ---- */

static void begin(offset_search *s)
{
    const offset_problem *p = s->p;
    s->n_trail = 0;
    s->n_frames = 0;
    for (uint32_t t = 0; t < p->n_sections; t++)
        s->borders[t] = 0;
    for (uint32_t i = 0; i < p->n_items; i++) {
        s->items[i] = i;
        s->laid[i] = false;
        s->low[i] = p->item[i].fixed != OFFSET_FREE ? p->item[i].fixed : 0;
        s->passed_at[i] = NEVER;
        count_borders(s, i, 1);
    }
    if (s->rules.cuts)
        group(s, 0, p->n_items, 0, p->n_sections);
}

typedef struct run {
    uint64_t steps, limit;
    bool cut, memory; /* memory: there was enough */
} run;

static bool over(const offset_search *s, const run *r)
{
    return (r->limit && r->steps >= r->limit) ||
           (r->steps % LOOK_EVERY == 0 && s->look && s->look(s->context));
}

static bool mark_passed(offset_search *s, uint32_t item, run *r)
{
    if (!note(s, item)) {
        r->memory = false;
        return false;
    }
    s->passed_at[item] = s->low[item];
    return true;
}

/* Items of the frame are laid until one leads on; false: none does. */
static bool advance(offset_search *s, frame *f, run *r)
{
    for (;;) {
        uint32_t item;
        if (over(s, r)) {
            r->cut = true;
            return false;
        }
        offset_verdict verdict = offset_infer(s, f, &item);
        if (verdict == VERDICT_DEAD)
            return false;
        r->steps++;
        f->forced = verdict == VERDICT_LAY;
        if (lay(s, f, item, &r->memory))
            return true;
        take_up(s, f);
        if (f->forced || !r->memory || !mark_passed(s, item, r))
            return false;
    }
}

/* What the laid item led to has failed: it is passed over; false: that leads nowhere. */
static bool retreat(offset_search *s, frame *f, run *r)
{
    uint32_t item = f->laid;
    take_up(s, f);
    return !f->forced && mark_passed(s, item, r);
}

/*
 * Frames are entered with no item laid.  `good` tells whether the part that was
 * searched last has its place: then the next part of the frame below follows.
 */
static offset_outcome search(offset_search *s, run *r)
{
    const offset_problem *p = s->p;
    frame root = {.last = p->n_sections};
    bool good = true;
    while (push_part(s, &root, p->n_items)) {
        uint32_t base = s->n_frames - 1;
        bool fresh = true;
        while (s->n_frames > base) {
            frame *f = &s->frames[s->n_frames - 1];
            if (!fresh && good && push_part(s, f, f->end - 1)) {
                fresh = true;
                continue;
            }
            if (!fresh && good) {
                take_up(s, f);
                undo(s, f->mark);
                s->n_frames--;
                continue;
            }
            good = (fresh || retreat(s, f, r)) && advance(s, f, r);
            fresh = false;
            if (!good) {
                undo(s, f->mark);
                s->n_frames--;
            }
            if (!r->memory)
                return OFFSET_NO_MEMORY;
            if (r->cut)
                return OFFSET_CUT_SHORT;
        }
        if (!good)
            return OFFSET_IMPOSSIBLE;
    }
    return OFFSET_FOUND;
}

offset_outcome offset_search_run(offset_search *s, uint64_t capacity,
                                 const offset_strategy *strategy, const uint32_t *weight,
                                 uint64_t steps, uint64_t *used)
{
    run r = {.limit = steps, .memory = true};
    s->capacity = capacity;
    s->strategy = strategy;
    s->weight = weight;
    begin(s);
    offset_outcome outcome = search(s, &r);
    *used = r.steps;
    return outcome;
}
