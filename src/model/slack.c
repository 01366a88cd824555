/*
 * Windows step by step.  See slack.h.
 *
 * The nodes left are unit jobs for the positions step .. n-1, with windows
 * tightened along the edges, so that precedence may be forgotten (windows.c).
 * By Hall's theorem for intervals they fit if and only if, for all a <= b, the
 * jobs that must stand within a .. b are at most b - a + 1.  Suppose they fit
 * and v, released, takes position `step`.  For intervals that begin after
 * step + 1 nothing changes.  For a = step + 1 all jobs count that are due by
 * b: before, v included, they were at most b - step + 1; now they must be at
 * most b - step.  That holds if v was among them.  So v may run if and only if
 * no b < latest(v) is tight, that is, has as many jobs due by b as positions
 * step .. b: v must be due by the first tight b.  (b = n-1 is always tight.)
 *
 * Positions less due jobs are summed up to b in a tree whose nodes hold the
 * sum and the least prefix sum of their leaves.  Positions before `step` are
 * used up and no job left is due there, so sums may start at `step`.
 */
#include "model/slack.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void join(hw_slack *s, uint32_t i)
{
    uint32_t left = 2 * i, right = left + 1;
    s->sum[i] = s->sum[left] + s->sum[right];
    s->low[i] = least(s->low[left], s->sum[left] + s->low[right]);
}

static void add(hw_slack *s, uint32_t position, int32_t change)
{
    uint32_t i = s->leaves + position;
    s->sum[i] += change;
    s->low[i] = s->sum[i];
    for (i /= 2; i; i /= 2)
        join(s, i);
}

/* The first position from `step` on up to which the sum is 0. */
static void find_tight(hw_slack *s)
{
    uint32_t i = s->leaves + s->step;
    int32_t before = 0;
    if (s->step >= s->n)
        return;
    for (;;) { /* the largest subtree that begins here */
        while (i % 2 == 0)
            i /= 2;
        if (before + s->low[i] <= 0)
            break;
        before += s->sum[i];
        i++;
    }
    while (i < s->leaves) {
        i *= 2;
        if (before + s->low[i] > 0)
            before += s->sum[i++];
    }
    s->tight = i - s->leaves;
}

void hw_slack_reset(hw_slack *s)
{
    memset(s->sum, 0, 2 * (size_t)s->leaves * sizeof *s->sum);
    for (uint32_t v = 0; v < s->n; v++) {
        s->sum[s->leaves + v]++;
        s->sum[s->leaves + s->latest[v]]--;
    }
    memcpy(s->low + s->leaves, s->sum + s->leaves, s->leaves * sizeof *s->low);
    for (uint32_t i = s->leaves - 1; i; i--)
        join(s, i);
    s->step = 0;
    find_tight(s);
}

bool hw_slack_init(hw_slack *s, uint32_t n, const uint32_t *earliest, const uint32_t *latest)
{
    *s = (hw_slack){.n = n, .earliest = earliest, .latest = latest, .leaves = 1};
    while (s->leaves < n && s->leaves <= UINT32_MAX / 4)
        s->leaves *= 2;
    s->sum = HW_NEW(int32_t, 2 * (size_t)s->leaves);
    s->low = HW_NEW(int32_t, 2 * (size_t)s->leaves);
    if (s->leaves < n || !s->sum || !s->low)
        return false;
    hw_slack_reset(s);
    return true;
}

void hw_slack_free(hw_slack *s)
{
    free(s->sum);
    free(s->low);
    memset(s, 0, sizeof *s);
}

void hw_slack_run(hw_slack *s, uint32_t v)
{
    add(s, s->step++, -1);
    add(s, s->latest[v], 1);
    find_tight(s);
}

void hw_slack_undo(hw_slack *s, uint32_t v)
{
    add(s, s->latest[v], -1);
    add(s, --s->step, 1);
    find_tight(s);
}
