/*
 * The changes of a graph: which node runs again, for which of its users.
 *
 * All sets of late users that are closed under "runs after" where a node has
 * few users; otherwise those that run last in the order at hand.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/search_internal.h"
#include "core/memory.h"
#include "model/sim.h"

enum {
    MOST_USERS = 10,   /* sets of more are not listed           */
    MOST_SPLITS = 64,  /* by place in the order, of such a node */
    MOST_NODES = 4096, /* reachability takes n^2 / 8 bytes      */
    MOST_CHANGES = 1 << 20
};

void change_list_clear(change_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->change[i].order);
    free(list->change);
    free(list->pool);
    memset(list, 0, sizeof *list);
}

typedef struct listing {
    const hw_model *m;
    const hw_again *base;
    const hw_users *users;
    change_list *list;
    uint32_t index;
    uint32_t *place; /* of every node in the order */
    uint64_t *reach; /* words a node: what runs after it in every order; NULL: not known */
    size_t words;
    int64_t peak_step;
    uint32_t *user; /* of one node, by place in the order */
} listing;

/* ---- What runs after what. ---- */

static bool reaches(const listing *l, uint32_t from, uint32_t to)
{
    return l->reach[from * l->words + to / 64] >> (to % 64) & 1;
}

static hw_code find_reach(listing *l, hw_error *err)
{
    const hw_graph *g = l->base->graph;
    const uint32_t n = g->n_nodes;
    l->words = ((size_t)n + 63) / 64;
    if (n > MOST_NODES)
        return HW_OK;
    l->reach = HW_NEW0(uint64_t, n * l->words);
    if (!l->reach)
        return hw_fail_memory(err, "what runs after what");
    for (uint32_t i = n; i-- > 0;) {
        uint32_t v = l->base->order[i];
        uint64_t *row = l->reach + v * l->words;
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++) {
            uint32_t w = g->succs.item[k];
            const uint64_t *other = l->reach + w * l->words;
            row[w / 64] |= UINT64_C(1) << (w % 64);
            for (size_t x = 0; x < l->words; x++)
                row[x] |= other[x];
        }
    }
    return HW_OK;
}

/* ---- One change. ---- */

/* When nobody uses v's results, once the late users are served anew. */
typedef struct pause {
    uint32_t last, first; /* steps of the last early and of the first late use */
} pause;

/* Bytes of v that the pause keeps out of the step of the peak. */
static uint64_t score(const listing *l, uint32_t v, pause p)
{
    bool over = p.last < l->peak_step && l->peak_step < p.first;
    return over ? l->m->new_bytes[v] - l->m->dead_bytes[v] : 0;
}

static hw_code add(const listing *l, uint32_t v, const uint32_t *late, uint32_t n_late, pause p,
                   hw_error *err)
{
    change_list *list = l->list;
    if (list->n >= MOST_CHANGES) {
        list->every = false;
        return HW_OK;
    }
    if (!hw_grow((void **)&list->change, &list->room, list->n + 1, sizeof *list->change) ||
        !hw_grow((void **)&list->pool, &list->pool_room, list->n_pool + n_late + 1,
                 sizeof *list->pool))
        return hw_fail_memory(err, "changes of a graph");
    list->change[list->n++] = (change){.base = l->index,
                                       .node = v,
                                       .late = list->n_pool,
                                       .n_late = n_late,
                                       .score = score(l, v, p),
                                       .bytes = l->base->bytes + l->users->bytes[v],
                                       .known = UINT64_MAX};
    memcpy(list->pool + list->n_pool, late, n_late * sizeof *late);
    list->n_pool += n_late;
    return HW_OK;
}

/* ---- The changes of one node, whose users stand in user[0 .. k). ---- */

/* A user that must overwrite what it reads. */
static bool has_overwriter(const listing *l, uint32_t k)
{
    for (uint32_t a = 0; a < k; a++)
        if (l->base->graph->node_flags[l->user[a]] & HW_NODE_INPLACE_REQUIRED)
            return true;
    return false;
}

/* Nobody outside the set runs after one of it. */
static bool is_closed(const listing *l, uint32_t set, uint32_t k)
{
    for (uint32_t a = 0; a < k; a++)
        for (uint32_t b = 0; b < k; b++)
            if ((set >> a & 1) && !(set >> b & 1) && reaches(l, l->user[a], l->user[b]))
                return false;
    return true;
}

static hw_code add_sets(const listing *l, uint32_t v, uint32_t k, bool to_end, hw_error *err)
{
    uint32_t late[MOST_USERS];
    hw_code code = HW_OK;
    bool any = has_overwriter(l, k); /* who waits for it, waits no more on the other side */
    for (uint32_t set = to_end ? 0 : 1; set + 1 < UINT32_C(1) << k && code == HW_OK; set++) {
        uint32_t n = 0;
        pause p = {l->place[v], l->m->n_nodes};
        if (!any && !is_closed(l, set, k))
            continue;
        for (uint32_t a = 0; a < k; a++) {
            uint32_t at = l->place[l->user[a]];
            if (!(set >> a & 1)) {
                p.last = at;
                continue;
            }
            p.first = n == 0 ? at : p.first;
            late[n++] = l->user[a];
        }
        code = add(l, v, late, n, p, err);
    }
    return code;
}

/* The late users are the n that run last; of many such sets, some and what is over the peak. */
static hw_code add_last(const listing *l, uint32_t v, uint32_t k, bool to_end, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t n = to_end ? 0 : 1; n < k && code == HW_OK; n++) {
        const pause p = {l->place[l->user[k - n - 1]],
                         n ? l->place[l->user[k - n]] : l->m->n_nodes};
        if (n <= MOST_SPLITS || score(l, v, p))
            code = add(l, v, l->user + (k - n), n, p, err);
    }
    return code;
}

static int by_place(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_users(const listing *l, uint32_t v, uint32_t k)
{
    const uint32_t *item = l->users->rows.item + l->users->rows.offset[v];
    for (uint32_t i = 0; i < k; i++)
        l->user[i] = l->place[item[i]];
    qsort(l->user, k, sizeof *l->user, by_place);
    for (uint32_t i = 0; i < k; i++)
        l->user[i] = l->base->order[l->user[i]];
}

static hw_code add_node(listing *l, uint32_t v, hw_error *err)
{
    const hw_users *users = l->users;
    uint32_t k = users->rows.offset[v + 1] - users->rows.offset[v];
    bool to_end = users->to_end[v];
    if (!users->may[v] || hw_users_count(users, v) < 2)
        return HW_OK;
    sort_users(l, v, k);
    if (l->m->new_bytes[v] == 0 && !has_overwriter(l, k)) /* nothing to free, nobody to wait for */
        return HW_OK;
    if (l->reach && k <= MOST_USERS)
        return add_sets(l, v, k, to_end, err);
    l->list->every = false;
    return add_last(l, v, k, to_end, err);
}

static hw_code find_step(listing *l, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, l->m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < l->m->n_nodes; i++)
        (void)hw_sim_step(&s, l->base->order[i]);
    l->peak_step = s.peak_step;
    hw_sim_free(&s);
    return HW_OK;
}

hw_code changes_of(const hw_model *m, const hw_again *base, const hw_users *users, uint32_t index,
                   change_list *list, hw_error *err)
{
    const uint32_t n = m->n_nodes;
    listing l = {.m = m,
                 .base = base,
                 .users = users,
                 .list = list,
                 .index = index,
                 .place = HW_NEW(uint32_t, n),
                 .user = HW_NEW(uint32_t, n)};
    hw_code code =
        l.place && l.user ? find_step(&l, err) : hw_fail_memory(err, "changes of a graph");
    if (code == HW_OK)
        code = find_reach(&l, err);
    if (code == HW_OK)
        hw_order_positions(base->order, n, l.place);
    if (m->graph->node_window) /* where the copy stands in the source moves windows: see search.h */
        list->every = false;
    for (uint32_t v = 0; v < n && code == HW_OK; v++)
        code = add_node(&l, v, err);
    free(l.place);
    free(l.reach);
    free(l.user);
    return code;
}
