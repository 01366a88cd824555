/*
 * Settings of igraph around our calls.  See graphml.h.
 *
 * igraph hands its message to a handler without context, so the last one is
 * kept in a variable of the thread, between begin and end alone.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "io/graphml.h"

static _Thread_local char complaint[256];

static void keep_message(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)file;
    (void)line;
    (void)code;
    size_t n = 0;
    for (; n < sizeof complaint - 1 && reason[n] && reason[n] != '\n'; n++) {
        unsigned char byte = (unsigned char)reason[n];
        complaint[n] = byte < 0x20 || byte >= 0x7f ? '?' : reason[n];
    }
    while (n > 0 && (complaint[n - 1] == '.' || complaint[n - 1] == ' '))
        n--;
    complaint[n] = '\0';
    IGRAPH_FINALLY_FREE();
}

static void keep_quiet(const char *reason, const char *file, int line)
{
    (void)reason;
    (void)file;
    (void)line;
}

/* ---- Lacks of memory that come back as something else, or not at all. ---- */

static _Thread_local jmp_buf *way_out; /* NULL: no call is guarded */
static _Thread_local bool lacked;      /* since it began           */

/* igraph 0.10 clears up arrays that it failed to make, and asserts that they are whole. */
static void leave(const char *reason, const char *file, int line)
{
    if (way_out)
        longjmp(*way_out, 1);
    igraph_fatal_handler_abort(reason, file, line);
}

static void *noted(void *block)
{
    lacked = lacked || !block;
    return block;
}

static void *noting_malloc(size_t size)
{
    return noted(malloc(size));
}

static void *noting_realloc(void *block, size_t size)
{
    return noted(realloc(block, size));
}

static char *noting_strdup(const char *text)
{
    return noted(strdup(text));
}

/* GNU MP, which counts symmetries for igraph, ends the program where memory runs out. */
static void *gmp_block(void *block)
{
    if (!block)
        leave("GNU MP: no memory", __FILE__, __LINE__);
    return block;
}

static void *gmp_malloc(size_t size)
{
    return gmp_block(malloc(size));
}

static void *gmp_realloc(void *block, size_t old_size, size_t size)
{
    (void)old_size;
    return gmp_block(realloc(block, size));
}

static void gmp_free(void *block, size_t size)
{
    (void)size;
    free(block);
}

/*
 * For the whole process, and for good: so only where blocks come from malloc()
 * as ours do, and not where the program around us has functions of its own,
 * whose blocks ours could not release.
 */
static void watch_gmp(void)
{
    const hw_igraph_functions *f = &hw_igraph;
    void *(*allocate)(size_t) = NULL;
    if (!f->gmp_get_memory || !f->gmp_set_memory || !f->gmp_allocate)
        return;
    f->gmp_get_memory(&allocate, NULL, NULL);
    if (allocate == f->gmp_allocate)
        f->gmp_set_memory(gmp_malloc, gmp_realloc, gmp_free);
}

/* The same. */
static void watch_xml(void)
{
    const hw_igraph_functions *f = &hw_igraph;
    void *(*allocate)(size_t) = NULL;
    if (f->xml_get_memory && f->xml_set_memory &&
        f->xml_get_memory(NULL, &allocate, NULL, NULL) == 0 && allocate == malloc)
        (void)f->xml_set_memory(free, noting_malloc, noting_realloc, noting_strdup);
}

static void note_failures(void)
{
    watch_gmp();
    watch_xml();
}

igraph_error_t hw_igraph_guarded(hw_igraph_call call, igraph_t *graph, void *context)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, note_failures);
    jmp_buf here;
    lacked = false;
    if (setjmp(here) != 0) {
        way_out = NULL;
        while (IGRAPH_FINALLY_STACK_SIZE() > 0) /* not to be called: one of them is broken */
            IGRAPH_FINALLY_CLEAN(1);
        return IGRAPH_ENOMEM;
    }
    way_out = &here;
    igraph_error_t code = call(graph, context);
    way_out = NULL;
    return lacked ? IGRAPH_ENOMEM : code;
}

/* ---- Settings. ---- */

static pthread_mutex_t turn; /* of the thread that may call igraph */

static void make_turn(void)
{
    pthread_mutexattr_t again;
    (void)pthread_mutexattr_init(&again);
    (void)pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    (void)pthread_mutex_init(&turn, &again);
    (void)pthread_mutexattr_destroy(&again);
}

hw_code hw_igraph_begin(hw_igraph_guard *guard, hw_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    hw_code code = hw_igraph_load(err);
    complaint[0] = '\0';
    if (code != HW_OK)
        return code;
    (void)pthread_once(&once, make_turn);
    (void)pthread_mutex_lock(&turn);
    guard->error_handler = igraph_set_error_handler(keep_message);
    guard->warning_handler = igraph_set_warning_handler(keep_quiet);
    guard->fatal_handler = igraph_set_fatal_handler(leave);
    guard->attributes = igraph_set_attribute_table(hw_igraph.attributes);
    return HW_OK;
}

void hw_igraph_end(const hw_igraph_guard *guard)
{
    (void)igraph_set_error_handler(guard->error_handler);
    (void)igraph_set_warning_handler(guard->warning_handler);
    (void)igraph_set_fatal_handler(guard->fatal_handler);
    (void)igraph_set_attribute_table(guard->attributes);
    (void)pthread_mutex_unlock(&turn);
}

const char *hw_igraph_complaint(void)
{
    return complaint;
}
