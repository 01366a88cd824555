/* The file that the two processes of a replay share.  See replay_internal.h. */
#include "replay/replay_internal.h"

#define ALIGNED 16

/* Append count items of item_bytes at *end, and say where; false: too large. */
static bool append(uint64_t *end, uint64_t count, uint64_t item_bytes, uint64_t *at)
{
    const uint64_t most = (uint64_t)1 << 46;
    *at = (*end + ALIGNED - 1) / ALIGNED * ALIGNED;
    if (*at > most || count > (most - *at) / item_bytes)
        return false;
    *end = *at + count * item_bytes;
    return true;
}

size_t hw_replay_share_lay(hw_replay_head *head)
{
    uint64_t end = sizeof *head;
    if (head->passes && head->n_moments > UINT64_MAX / head->passes)
        return 0;
    uint64_t samples = head->n_moments * head->passes;
    if (!append(&end, head->n_events, sizeof(hw_replay_event), &head->events_at) ||
        !append(&end, head->n_blocks, sizeof(uint64_t), &head->address_at) ||
        !append(&end, head->n_blocks, sizeof(uint64_t), &head->size_at) ||
        !append(&end, head->n_blocks, sizeof(uint64_t), &head->offset_at) ||
        !append(&end, samples, sizeof(hw_replay_sample), &head->samples_at))
        return 0;
    head->total_bytes = end;
    return (size_t)end;
}

bool hw_replay_share_open(void *memory, size_t bytes, hw_replay_share *s)
{
    hw_replay_head *head = memory;
    if (bytes < sizeof *head || head->magic != HW_REPLAY_MAGIC)
        return false;
    hw_replay_head expected = *head;
    if (hw_replay_share_lay(&expected) == 0 || expected.total_bytes != bytes ||
        expected.total_bytes != head->total_bytes || expected.events_at != head->events_at ||
        expected.samples_at != head->samples_at || head->page_bytes == 0)
        return false;
    char *start = memory;
    *s = (hw_replay_share){.head = head,
                           .event = (void *)(start + expected.events_at),
                           .address = (void *)(start + expected.address_at),
                           .size = (void *)(start + expected.size_at),
                           .offset = (void *)(start + expected.offset_at),
                           .sample = (void *)(start + expected.samples_at)};
    return true;
}
