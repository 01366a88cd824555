/* What the two processes of a replay share.  See replay.h. */
#ifndef HW_REPLAY_INTERNAL_H
#define HW_REPLAY_INTERNAL_H

#include "replay/replay.h"

#define HW_REPLAY_CHILD_WORD "--replay-child"

/* Set in the child's environment: a program that was started as one and does not hand over to
 * hw_replay_child() would otherwise start itself again and again. */
#define HW_REPLAY_CHILD_MARK "HIGHWATER_REPLAY_CHILD"

typedef enum hw_replay_state {
    HW_REPLAY_STARTED = 0, /* nothing done yet                       */
    HW_REPLAY_RUNNING,
    HW_REPLAY_FINISHED,
    HW_REPLAY_NOT_LOADED, /* the library to preload is not there       */
    HW_REPLAY_NO_MALLOC,  /* it is, but malloc() is not from it        */
    HW_REPLAY_NO_TRIM,    /* the allocator has no call to give back    */
    HW_REPLAY_NO_PROC,    /* /proc tells nothing                    */
    HW_REPLAY_REFUSED,    /* no memory for a block: `cause`         */
    HW_REPLAY_SPOILED,    /* a block lost what was written          */
} hw_replay_state;

/*
 * The head of the shared file.  Behind it, each at its offset: the events,
 * then by block its address, its size now and its offset in the arena; then
 * the samples.
 */
typedef struct hw_replay_head {
    uint64_t magic, total_bytes;
    uint64_t events_at, address_at, size_at, offset_at, samples_at;
    uint64_t n_events, n_setup, n_moments, n_blocks;
    uint64_t height, limit, page_bytes;
    uint32_t way, touch, passes;
    uint8_t trim, release, huge_pages;
    char preload[HW_REPLAY_NAME_BYTES]; /* "": none */

    /* Written by the child. */
    uint8_t exact, has_own;
    int32_t cause;           /* errno */
    volatile uint32_t state; /* hw_replay_state */
    volatile uint32_t pass;
    volatile uint64_t event; /* at work; n_events: all given back */
    volatile uint64_t n_samples;
    hw_replay_sample before;
    char served_by[HW_REPLAY_NAME_BYTES];
} hw_replay_head;

#define HW_REPLAY_MAGIC UINT64_C(0x6877207265706c79)

/* The parts of a shared file. */
typedef struct hw_replay_share {
    hw_replay_head *head;
    hw_replay_event *event;
    uint64_t *address, *size, *offset;
    hw_replay_sample *sample;
} hw_replay_share;

/* Point at the parts; false: the head does not fit a file of that size. */
bool hw_replay_share_open(void *memory, size_t bytes, hw_replay_share *s);

/*
 * Lay out the head and return the bytes that the whole takes; 0: too many.
 * n_* and passes of the head are set.
 */
size_t hw_replay_share_lay(hw_replay_head *head);

/* ---- In the child: what /proc and the allocator say, without using the heap. ---- */

/*
 * Resident and swapped bytes of anonymous memory into *s, the rest of it 0.
 * *exact: tried and set, see replay.h.  False: /proc tells nothing.
 */
bool hw_replay_read_proc(hw_replay_sample *s, bool *exact);

/* Bytes of private writable memory that the process maps; 0: unknown. */
uint64_t hw_replay_read_data_bytes(void);

#endif
