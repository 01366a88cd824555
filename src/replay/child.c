/*
 * The child of a replay: executes the events and samples.  See replay.h.
 *
 * From the baseline on it calls nothing that allocates but the allocator under
 * test: addresses, sizes and samples are in the shared file, whose pages are no
 * anonymous memory, and /proc is read into the stack.
 */
#define _GNU_SOURCE /* dladdr, mremap, MADV_DONTNEED, RTLD_DEFAULT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "replay/replay_internal.h"

typedef struct child {
    hw_replay_share share;
    hw_replay_head *head;
    unsigned char *arena;
    void (*collect)(bool force); /* mimalloc's mi_collect, or NULL */
} child;

/* ---- Pages. ---- */

/* What block b writes to its pages: neighbours write something else. */
static unsigned char mark_of(uint32_t block)
{
    return (unsigned char)(((uint64_t)block * 0x9E3779B97F4A7C15U) >> 56);
}

static void touch(const child *c, uint32_t block, volatile unsigned char *at, uint64_t size)
{
    unsigned char mark = mark_of(block);
    if (c->head->touch == HW_REPLAY_LEAVE)
        return;
    for (uint64_t i = 0; i < size; i += c->head->page_bytes) {
        if (c->head->touch == HW_REPLAY_WRITE)
            at[i] = mark;
        else
            (void)at[i];
    }
    if (c->head->touch == HW_REPLAY_WRITE) /* its last page may begin before the last stride */
        at[size - 1] = mark;
    else
        (void)at[size - 1];
}

/* Is the mark still on every page of the first `size` bytes? */
static bool intact(const child *c, uint32_t block, const volatile unsigned char *at, uint64_t size)
{
    unsigned char mark = mark_of(block);
    for (uint64_t i = 0; c->head->touch == HW_REPLAY_WRITE && i < size; i += c->head->page_bytes)
        if (at[i] != mark)
            return false;
    return true;
}

static uint64_t whole_pages(const child *c, uint64_t size)
{
    uint64_t page = c->head->page_bytes;
    return size > UINT64_MAX - page ? 0 : (size + page - 1) / page * page;
}

/* Pages that lie whole within the bytes at `at` go back to the kernel. */
static void release(const child *c, unsigned char *at, uint64_t size)
{
    uint64_t page = c->head->page_bytes;
    uintptr_t begin = ((uintptr_t)at + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)at + size) / page * page;
    if (begin < end)
        (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

/* ---- The three ways to get memory; NULL with errno: none. ---- */

static void *take(const child *c, uint32_t block, uint64_t size)
{
    if (c->head->way == HW_REPLAY_ARENA)
        return c->arena + c->share.offset[block];
    if (c->head->way == HW_REPLAY_MALLOC)
        return malloc(size);
    void *at = mmap(NULL, whole_pages(c, size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void *resize(const child *c, void *at, uint64_t from, uint64_t to)
{
    if (c->head->way == HW_REPLAY_ARENA) {
        if (to < from && c->head->release)
            release(c, (unsigned char *)at + to, from - to);
        return at;
    }
    if (c->head->way == HW_REPLAY_MALLOC)
        return realloc(at, to);
    void *moved = mremap(at, whole_pages(c, from), whole_pages(c, to), MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? NULL : moved;
}

static void drop(const child *c, void *at, uint64_t size)
{
    if (c->head->way == HW_REPLAY_MALLOC)
        free(at);
    else if (c->head->way == HW_REPLAY_MMAP)
        (void)munmap(at, whole_pages(c, size));
    else if (c->head->release)
        release(c, at, size);
}

/* ---- Samples. ---- */

/* What glibc says of itself: heaps and single mappings, and what is free in the heaps. */
static void ask_allocator(const child *c, hw_replay_sample *s)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    if (!c->head->has_own)
        return;
    struct mallinfo2 info = mallinfo2();
    s->held = info.arena + info.hblkhd;
    s->pooled = info.fordblks;
#else
    (void)c;
    (void)s;
#endif
}

static bool look(const child *c, hw_replay_sample *s)
{
    bool exact;
    if (!hw_replay_read_proc(s, &exact))
        return false;
    ask_allocator(c, s);
    return true;
}

static void trim(const child *c)
{
    if (c->collect)
        c->collect(true);
#ifdef __GLIBC__
    else
        (void)malloc_trim(0);
#endif
}

/* ---- Events. ---- */

static hw_replay_state do_block(child *c, const hw_replay_event *e)
{
    uint32_t b = e->block;
    void *at = (void *)(uintptr_t)c->share.address[b];
    uint64_t had = c->share.size[b];
    if (e->kind != HW_REPLAY_TAKE) {
        uint64_t kept = e->kind == HW_REPLAY_RESIZE && e->size < had ? e->size : had;
        if (!intact(c, b, at, kept))
            return HW_REPLAY_SPOILED;
    }
    if (e->kind == HW_REPLAY_DROP) {
        drop(c, at, had);
        at = NULL;
    } else {
        at = e->kind == HW_REPLAY_TAKE ? take(c, b, e->size) : resize(c, at, had, e->size);
        if (!at) {
            c->head->cause = errno;
            return HW_REPLAY_REFUSED;
        }
        if (e->kind == HW_REPLAY_TAKE || e->size > had)
            touch(c, b, at, e->size);
    }
    c->share.address[b] = (uint64_t)(uintptr_t)at;
    c->share.size[b] = e->size;
    return HW_REPLAY_RUNNING;
}

static hw_replay_state do_moment(child *c)
{
    hw_replay_head *h = c->head;
    uint64_t moment = h->n_samples % h->n_moments;
    if (h->trim && (moment % 2 == 0 || moment + 1 == h->n_moments)) /* blocks were given back */
        trim(c);
    if (!look(c, &c->share.sample[h->n_samples]))
        return HW_REPLAY_NO_PROC;
    h->n_samples++;
    return HW_REPLAY_RUNNING;
}

static hw_replay_state run_events(child *c)
{
    hw_replay_head *h = c->head;
    hw_replay_state state = HW_REPLAY_RUNNING;
    for (h->pass = 0; h->pass < h->passes; h->pass++) {
        for (h->event = h->pass ? h->n_setup : 0; h->event < h->n_events; h->event++) {
            const hw_replay_event *e = &c->share.event[h->event];
            state = e->kind == HW_REPLAY_MOMENT ? do_moment(c) : do_block(c, e);
            if (state != HW_REPLAY_RUNNING)
                return state;
        }
    }
    return HW_REPLAY_FINISHED;
}

/* Whatever is still held, after the last sample. */
static void give_back_all(const child *c)
{
    for (uint64_t b = 0; b < c->head->n_blocks; b++)
        if (c->share.size[b] > 0)
            drop(c, (void *)(uintptr_t)c->share.address[b], c->share.size[b]);
    if (c->arena)
        (void)munmap(c->arena, whole_pages(c, c->head->height));
}

/* ---- Before the baseline. ---- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Whose malloc() is it, and what can be asked of it? */
static hw_replay_state find_allocator(child *c)
{
    hw_replay_head *h = c->head;
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, "malloc"), *mimalloc = dlsym(RTLD_DEFAULT, "mi_collect");
    const char *name = "";
    if (address && dladdr(address, &info) != 0 && info.dli_fname) {
        strncpy(h->served_by, info.dli_fname, HW_REPLAY_NAME_BYTES - 1);
        name = last_part(info.dli_fname);
    }
    if (h->preload[0] && strcmp(name, last_part(h->preload)) != 0)
        return dlopen(h->preload, RTLD_LAZY | RTLD_NOLOAD) ? HW_REPLAY_NO_MALLOC
                                                           : HW_REPLAY_NOT_LOADED;
    h->has_own = h->way == HW_REPLAY_MALLOC && strncmp(name, "libc.so", 7) == 0;
    if (mimalloc) /* a function, to which C cannot cast */
        memcpy(&c->collect, &mimalloc, sizeof mimalloc);
    return h->trim && !c->collect && !h->has_own ? HW_REPLAY_NO_TRIM : HW_REPLAY_RUNNING;
}

static hw_replay_state set_limit(const child *c)
{
    uint64_t now = hw_replay_read_data_bytes();
    if (c->head->limit == 0)
        return HW_REPLAY_RUNNING;
    if (now == 0 || now > UINT64_MAX - c->head->limit)
        return HW_REPLAY_NO_PROC;
    struct rlimit limit = {now + c->head->limit, now + c->head->limit};
    return setrlimit(RLIMIT_DATA, &limit) == 0 ? HW_REPLAY_RUNNING : HW_REPLAY_NO_PROC;
}

static hw_replay_state map_arena(child *c)
{
    hw_replay_head *h = c->head;
    if (h->way != HW_REPLAY_ARENA || h->height == 0)
        return HW_REPLAY_RUNNING;
    void *at = mmap(NULL, whole_pages(c, h->height), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    h->cause = errno;
    if (at == MAP_FAILED)
        return HW_REPLAY_REFUSED;
    c->arena = at;
    return HW_REPLAY_RUNNING;
}

/* The second look is the baseline: the first has touched the pages that looking needs. */
static hw_replay_state take_baseline(child *c)
{
    hw_replay_sample warm;
    bool exact = false;
    if (!look(c, &warm) || !look(c, &c->head->before) || !hw_replay_read_proc(&warm, &exact))
        return HW_REPLAY_NO_PROC;
    c->head->exact = exact;
    return HW_REPLAY_RUNNING;
}

static hw_replay_state prepare(child *c)
{
    hw_replay_state state = find_allocator(c);
    if (state == HW_REPLAY_RUNNING)
        state = set_limit(c);
    if (state == HW_REPLAY_RUNNING)
        state = map_arena(c);
    return state == HW_REPLAY_RUNNING ? take_baseline(c) : state;
}

/* When memory runs short this process shall go, not one that someone needs. */
static void volunteer(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t written = write(file, "1000", 4);
    (void)written;
    (void)close(file);
}

static int serve(int file)
{
    child c = {0};
    struct stat about;
    if (fstat(file, &about) != 0 || about.st_size <= 0)
        return 2;
    size_t bytes = (size_t)about.st_size;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED || !hw_replay_share_open(memory, bytes, &c.share))
        return 2;
    c.head = c.share.head;
    (void)signal(SIGHUP, SIG_IGN); /* the parent decides what ends */
    (void)signal(SIGINT, SIG_IGN);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!c.head->huge_pages)
        (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    volunteer();
    hw_replay_state state = prepare(&c);
    if (state == HW_REPLAY_RUNNING) {
        c.head->state = state;
        state = run_events(&c);
    }
    give_back_all(&c);
    c.head->state = state;
    return 0;
}

bool hw_replay_child(int argc, char **argv, int *status)
{
    if (argc != 3 || strcmp(argv[1], HW_REPLAY_CHILD_WORD) != 0)
        return false;
    char *end = NULL;
    errno = 0;
    long file = strtol(argv[2], &end, 10);
    bool number = end != argv[2] && *end == '\0' && errno == 0 && file >= 0 && file <= 1 << 20;
    *status = number ? serve((int)file) : 2;
    return true;
}
