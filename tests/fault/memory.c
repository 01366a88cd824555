/*
 * Allocations: counted, failed, balanced.  See fault.h.
 *
 * All of the process count, those of its libraries and of the C library too:
 * whose block is missing makes no difference to what the program owes.  But for
 * two kinds that end the process before any of its code is asked: what a
 * library's initialisation wants while dlopen() loads it (OpenBLAS and OpenMP
 * end it, or crash), and the thread-local data that the loader lays out where
 * they are first touched (glibc ends it).  What dlopen() itself wants counts.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

fault_shared *fault_state;

static atomic_long counted; /* in this process, since it was forked */
static int depth;

bool fault_due(void)
{
    fault_shared *s = fault_state;
    if (!s || depth != s->depth)
        return false;
    long number = atomic_fetch_add(&counted, 1) + 1;
    if (number > atomic_load(&s->seen))
        atomic_store(&s->seen, number);
    if (s->at == 0 || (s->all ? number < s->at : number != s->at))
        return false;
    atomic_store(&s->fired, true);
    return true;
}

int fault_depth(void)
{
    return depth;
}

pid_t fork(void)
{
    static pid_t (*real)(void);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fork");
    pid_t pid = real();
    if (pid == 0 && fault_state) {
        depth++;
        atomic_store(&counted, 0);
    }
    return pid;
}

/* ---- Where live blocks are from: a table with open addressing. ---- */

enum { SLOTS = 1 << 20, FRAMES = 12 };

typedef struct slot {
    void *block;
    void *frame[FRAMES];
    int n;
} slot;

static slot *slots;
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool inside;

static size_t home(const void *block)
{
    return ((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 44;
}

static void remember(void *block)
{
    if (inside)
        return;
    inside = true;
    (void)pthread_mutex_lock(&slots_lock);
    if (!slots)
        slots = __libc_calloc(SLOTS, sizeof *slots);
    size_t at = home(block);
    while (slots[at].block && slots[at].block != (void *)1)
        at = (at + 1) % SLOTS;
    slots[at].block = block;
    slots[at].n = backtrace(slots[at].frame, FRAMES);
    (void)pthread_mutex_unlock(&slots_lock);
    inside = false;
}

static void forget(const void *block)
{
    if (inside || !slots)
        return;
    (void)pthread_mutex_lock(&slots_lock);
    for (size_t at = home(block); slots[at].block; at = (at + 1) % SLOTS)
        if (slots[at].block == block) {
            slots[at].block = (void *)1;
            break;
        }
    (void)pthread_mutex_unlock(&slots_lock);
}

static void show_crash(int number)
{
    void *frame[FRAMES];
    inside = true;
    int n = backtrace(frame, FRAMES);
    (void)dprintf(2, "signal %d in\n", number);
    backtrace_symbols_fd(frame + 2, n - 2, 2);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void fault_catch_crash(void)
{
    (void)signal(SIGSEGV, show_crash);
    (void)signal(SIGABRT, show_crash);
}

void fault_show_live(void)
{
    inside = true;
    for (size_t i = 0; slots && i < SLOTS; i++) {
        if ((uintptr_t)slots[i].block <= 1)
            continue;
        (void)dprintf(2, "live: %zu bytes from\n", malloc_usable_size(slots[i].block));
        backtrace_symbols_fd(slots[i].frame + 2, slots[i].n - 2, 2);
    }
    inside = false;
}

/* ---- The loader. ---- */

static uintptr_t loader_begin, loader_end;
static __thread bool loading; /* inside dlopen() */

static int find_loader(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (object->dlpi_addr != getauxval(AT_BASE))
        return 0;
    loader_begin = object->dlpi_addr;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && loader_begin + part->p_vaddr + part->p_memsz > loader_end)
            loader_end = loader_begin + part->p_vaddr + part->p_memsz;
    }
    return 1;
}

void fault_find_loader(void)
{
    (void)dl_iterate_phdr(find_loader, NULL);
}

void *dlopen(const char *name, int mode)
{
    static void *(*real)(const char *, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    loading = true;
    void *library = real(name, mode);
    loading = false;
    return library;
}

/* ---- In place of those of the C library. ---- */

static bool fails(const void *caller)
{
    if (!fault_state || !fault_state->memory || inside)
        return false;
    bool by_loader = (uintptr_t)caller >= loader_begin && (uintptr_t)caller < loader_end;
    if (loading != by_loader || !fault_due())
        return false;
    if (fault_state->trace) {
        void *frame[FRAMES];
        inside = true;
        int n = backtrace(frame, FRAMES);
        (void)dprintf(2, "failed: an allocation from\n");
        backtrace_symbols_fd(frame + 2, n - 2, 2);
        inside = false;
    }
    errno = ENOMEM;
    return true;
}

static void *came(void *block)
{
    fault_shared *s = fault_state;
    if (s && block && depth == 0) {
        atomic_fetch_add(&s->live, 1);
        if (s->trace)
            remember(block);
    }
    return block;
}

static void went(void *block)
{
    fault_shared *s = fault_state;
    if (s && block && depth == 0) {
        atomic_fetch_sub(&s->live, 1);
        if (s->trace)
            forget(block);
    }
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
    return fails(CALLER) ? NULL : came(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails(CALLER) ? NULL : came(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    if (fails(CALLER))
        return NULL;
    went(block);
    void *moved = __libc_realloc(block, size);
    if (!moved && size > 0)
        came(block);
    return came(moved);
}

void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return fails(CALLER) ? NULL : came(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block)
{
    went(block);
    __libc_free(block);
}
