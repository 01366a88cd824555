/* The rules at a state of the search, and the choice of the next item.  See exact_offset_search.h.
 */
#include "arena/exact_offset_search_internal.h"

/* ---- supports and twins: lower bounds of offsets. ---- */

/* The open twin before it, above which it has to lie; OFFSET_NONE. */
static uint32_t open_twin(const offset_search *s, uint32_t item)
{
    uint32_t twin = s->rules.twins ? s->p->item[item].twin : OFFSET_NONE;
    return twin != OFFSET_NONE && !s->laid[twin] ? twin : OFFSET_NONE;
}

static void find_ends(offset_search *s, const frame *f)
{
    for (uint32_t t = f->first; t < f->last; t++)
        s->end_lowest[t] = NEVER;
    for (uint32_t i = f->begin; i < f->end; i++) {
        const offset_item *x = &s->p->item[s->items[i]];
        uint64_t least = s->least[s->items[i]];
        if (least >= NEVER)
            continue;
        for (uint32_t j = x->first_span; j < x->end_span; j++) {
            const offset_span *span = &s->p->span[j];
            uint64_t end = least + span->need;
            for (uint32_t t = span->first; t < span->end; t++)
                s->end_lowest[t] = end < s->end_lowest[t] ? end : s->end_lowest[t];
        }
    }
}

/* The lowest place upon an open item that it meets; its own end is above its `least`. */
static uint64_t lowest_support(const offset_search *s, const offset_item *x)
{
    uint64_t lowest = NEVER;
    for (uint32_t j = x->first_span; j < x->end_span; j++)
        for (uint32_t t = s->p->span[j].first; t < s->p->span[j].end; t++)
            lowest = s->end_lowest[t] < lowest ? s->end_lowest[t] : lowest;
    return lowest < NEVER ? offset_round_up(lowest, x->alignment) : NEVER;
}

/*
 * Down from NEVER to the one solution; what is above the capacity is as good
 * as NEVER.  Need in a section stands for the distance, which is the greatest
 * of them: for items of several spans the bound is weaker, never wrong.
 */
static void settle(offset_search *s, const frame *f)
{
    bool changed = true;
    while (changed) {
        changed = false;
        find_ends(s, f);
        for (uint32_t i = f->begin; i < f->end; i++) {
            uint32_t item = s->items[i], twin = open_twin(s, item);
            bool passed = offset_passed(s, item);
            if (!passed && twin == OFFSET_NONE)
                continue;
            const offset_item *x = &s->p->item[item];
            uint64_t least = passed ? lowest_support(s, x) : s->low[item];
            if (twin != OFFSET_NONE) {
                uint64_t above = s->least[twin] < NEVER
                                     ? offset_round_up(s->least[twin] + x->size, x->alignment)
                                     : NEVER;
                least = above > least ? above : least;
            }
            if (least > s->capacity)
                least = NEVER;
            if (least < s->least[item]) {
                s->least[item] = least;
                changed = true;
            }
        }
    }
}

/* False: an item does not fit any more. */
static bool find_least(offset_search *s, const frame *f)
{
    bool waits = false;
    uint64_t lowest = NEVER;
    for (uint32_t i = f->begin; i < f->end; i++) {
        uint32_t item = s->items[i];
        bool passed = offset_passed(s, item), bound;
        if (passed && s->p->item[item].fixed != OFFSET_FREE)
            return false;
        bound = passed || open_twin(s, item) != OFFSET_NONE;
        if (!bound && s->low[item] < lowest)
            lowest = s->low[item];
        s->least[item] = bound ? NEVER : s->low[item];
        waits |= bound;
    }
    if (waits && s->rules.supports) {
        settle(s, f);
    } else if (waits) {
        for (uint32_t i = f->begin; i < f->end; i++) {
            uint32_t item = s->items[i];
            if (s->least[item] == NEVER)
                s->least[item] = s->low[item] > lowest ? s->low[item] : lowest;
        }
    }
    for (uint32_t i = f->begin; i < f->end; i++) {
        uint32_t item = s->items[i];
        uint64_t size = s->p->item[item].size;
        if (size > s->capacity || s->least[item] > s->capacity - size)
            return false;
    }
    return true;
}

/* ---- sections and heads. ---- */

/* Greatest `least` first.  Few of a component move between two states. */
static void sort(offset_search *s, const frame *f)
{
    for (uint32_t i = f->begin + 1; i < f->end; i++) {
        uint32_t item = s->items[i], j = i;
        for (; j > f->begin && s->least[s->items[j - 1]] < s->least[item]; j--)
            s->items[j] = s->items[j - 1];
        s->items[j] = item;
    }
}

static bool fits(const offset_search *s, uint64_t least, uint64_t sum)
{
    return sum <= s->capacity && least <= s->capacity - sum;
}

static bool fill_sections(offset_search *s, const frame *f)
{
    bool heads = s->rules.sections && s->rules.heads;
    for (uint32_t t = f->first; t < f->last; t++)
        s->section[t] = (section_state){0, NEVER, NEVER, OFFSET_NONE, 0};
    for (uint32_t i = f->begin; i < f->end; i++) {
        uint32_t item = s->items[i];
        const offset_item *x = &s->p->item[item];
        uint64_t least = s->least[item];
        for (uint32_t j = x->first_span; j < x->end_span; j++) {
            const offset_span *span = &s->p->span[j];
            for (uint32_t t = span->first; t < span->end; t++) {
                section_state *w = &s->section[t];
                w->sum += span->need;
                w->second = w->lowest;
                w->lowest = least;
                w->at = item;
                if (heads && !fits(s, least, w->sum))
                    return false;
            }
        }
    }
    for (uint32_t t = f->first; s->rules.sections && !heads && t < f->last; t++)
        if (s->section[t].at != OFFSET_NONE && !fits(s, s->section[t].lowest, s->section[t].sum))
            return false;
    return true;
}

/* ---- holes. ---- */

/* Whether all open items that it meets lie above the place that ends at low + need. */
static bool has_hole(const offset_search *s, uint32_t item)
{
    const offset_item *x = &s->p->item[item];
    for (uint32_t j = x->first_span; j < x->end_span; j++) {
        const offset_span *span = &s->p->span[j];
        uint64_t end = s->low[item] + span->need;
        for (uint32_t t = span->first; t < span->end; t++) {
            const section_state *w = &s->section[t];
            if ((w->at == item ? w->second : w->lowest) < end)
                return false;
        }
    }
    return true;
}

/* ---- The choice. ---- */

__extension__ typedef unsigned __int128 wide;

static wide key_of(const offset_search *s, uint32_t item, char key)
{
    const offset_item *x = &s->p->item[item];
    wide value = 0;
    switch (key) {
    case 'A':
        value = (wide)x->life * x->size;
        break;
    case 'W':
        value = x->life;
        break;
    case 'Z':
        value = x->size;
        break;
    case 'O':
        value = s->p->first_meeting[item + 1] - s->p->first_meeting[item];
        break;
    case 'T':
        value = x->load;
        break;
    default:
        for (uint32_t j = x->first_span; j < x->end_span; j++)
            for (uint32_t t = s->p->span[j].first; t < s->p->span[j].end; t++)
                if (s->section[t].sum > value)
                    value = s->section[t].sum;
    }
    if (!s->weight)
        return value;
    return value > ~(wide)0 / s->weight[item] ? ~(wide)0 : value * s->weight[item];
}

/* x before y, by `least`, keys, index. */
static bool before(const offset_search *s, uint32_t x, uint32_t y)
{
    if (s->least[x] != s->least[y])
        return s->least[x] < s->least[y];
    for (const char *key = s->strategy->keys; *key; key++) {
        wide p = key_of(s, x, *key), q = key_of(s, y, *key);
        if (p != q)
            return p > q;
    }
    return x < y;
}

static uint32_t lowest(const offset_search *s, const frame *f)
{
    uint32_t best = OFFSET_NONE;
    for (uint32_t i = f->end; i-- > f->begin;) {
        uint32_t item = s->items[i];
        if (best != OFFSET_NONE && s->least[item] > s->least[best])
            break;
        if (offset_passed(s, item) || s->least[item] != s->low[item] ||
            open_twin(s, item) != OFFSET_NONE)
            continue;
        if (best == OFFSET_NONE || before(s, item, best))
            best = item;
    }
    return best;
}

static bool lives_in(const offset_search *s, uint32_t item, uint32_t section)
{
    const offset_item *x = &s->p->item[item];
    for (uint32_t j = x->first_span; j < x->end_span; j++)
        if (section >= s->p->span[j].first && section < s->p->span[j].end)
            return true;
    return false;
}

/* Count for each section the items that may lie lowest in it. */
static void count_next(offset_search *s, const frame *f)
{
    for (uint32_t i = f->begin; i < f->end; i++) {
        uint32_t item = s->items[i];
        const offset_item *x = &s->p->item[item];
        for (uint32_t j = x->first_span; j < x->end_span; j++)
            for (uint32_t t = s->p->span[j].first; t < s->p->span[j].end; t++) {
                section_state *w = &s->section[t];
                w->may += s->least[item] <= s->capacity - w->sum;
            }
    }
}

static bool tighter(const offset_search *s, const section_state *x, const section_state *y)
{
    switch (s->strategy->chooser) {
    case OFFSET_FULLEST:
        return x->sum > y->sum;
    case OFFSET_RELATIVE:
        return (wide)x->may * y->sum < (wide)y->may * x->sum;
    default:
        return x->may < y->may;
    }
}

/*
 * From the first item of the tightest section on, always to the lowest one
 * that the item meets, until none is lower: that is a candidate, as a passed or
 * second-twin item has a lower one below it.
 */
static uint32_t tightest(offset_search *s, const frame *f)
{
    uint32_t section = OFFSET_NONE, item = OFFSET_NONE;
    count_next(s, f);
    for (uint32_t t = f->first; t < f->last; t++)
        if (s->section[t].at != OFFSET_NONE &&
            (section == OFFSET_NONE || tighter(s, &s->section[t], &s->section[section])))
            section = t;
    for (uint32_t i = f->begin; i < f->end; i++)
        if (lives_in(s, s->items[i], section) &&
            (item == OFFSET_NONE || before(s, s->items[i], item)))
            item = s->items[i];
    for (bool moved = true; moved;) {
        const offset_item *x = &s->p->item[item];
        uint32_t lower = item;
        for (uint32_t j = x->first_span; j < x->end_span; j++)
            for (uint32_t t = s->p->span[j].first; t < s->p->span[j].end; t++) {
                uint32_t at = s->section[t].at;
                if (s->section[t].lowest < s->least[item] && before(s, at, lower))
                    lower = at;
            }
        moved = lower != item;
        item = lower;
    }
    return item;
}

offset_verdict offset_infer(offset_search *s, const frame *f, uint32_t *item)
{
    if (!find_least(s, f))
        return VERDICT_DEAD;
    sort(s, f);
    if (!fill_sections(s, f))
        return VERDICT_DEAD;
    for (uint32_t i = f->end; s->rules.holes && i-- > f->begin;) {
        uint32_t x = s->items[i];
        if (!has_hole(s, x))
            continue;
        if (offset_passed(s, x) || s->least[x] > s->low[x])
            return VERDICT_DEAD;
        *item = x;
        return VERDICT_LAY;
    }
    bool tight = s->strategy->chooser != OFFSET_LOWEST && s->rules.supports && s->rules.sections &&
                 s->rules.heads;
    *item = tight ? tightest(s, f) : lowest(s, f);
    return VERDICT_BRANCH;
}
