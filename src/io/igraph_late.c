/* igraph, loaded where it is first needed.  See igraph_late.h. */
#define HW_IGRAPH_DIRECT /* the names are igraph's own here */
#include "io/igraph_late.h"

#ifdef HW_IGRAPH_LIBRARY

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

hw_igraph_functions hw_igraph;

static struct {
    pthread_once_t once;
    bool loaded, no_memory;
    char missing[64]; /* the name that it lacks, "" where it is not there at all */
    char cause[256];  /* why that is so                                          */
} state = {.once = PTHREAD_ONCE_INIT};

/* A function or object into *to, which has room for its address (POSIX lets dlsym() give both). */
static bool find(void *library, const char *name, void *to)
{
    void *address = dlsym(library, name);
    memcpy(to, &address, sizeof address);
    if (!address)
        (void)strncpy(state.missing, name, sizeof state.missing - 1);
    return address != NULL;
}

/* The library stays to the end: its functions may be called as long as the program runs. */
static void load(void)
{
    errno = 0;
    void *library = dlopen(HW_IGRAPH_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool all = library != NULL;
    const int error = errno; /* the words alone do not always tell a lack of memory */
    const char *cause = all ? NULL : dlerror();
    if (cause)
        (void)strncpy(state.cause, cause, sizeof state.cause - 1);
    state.no_memory = !all && (error == ENOMEM || (cause && strstr(cause, strerror(ENOMEM))));
#define FIND(name) all = all && find(library, "igraph_" #name, &hw_igraph.name);
    HW_IGRAPH_FUNCTIONS(FIND)
#undef FIND
    all = all && find(library, "IGRAPH_FINALLY_FREE", &hw_igraph.finally_free);
    all = all && find(library, "igraph_cattribute_table", &hw_igraph.attributes);
    all = all && find(library, "IGRAPH_FINALLY_CLEAN", &hw_igraph.finally_clean);
    all = all && find(library, "IGRAPH_FINALLY_STACK_SIZE", &hw_igraph.finally_stack_size);
    if (all) {
        (void)find(library, "xmlMemGet", &hw_igraph.xml_get_memory);
        (void)find(library, "xmlMemSetup", &hw_igraph.xml_set_memory);
        (void)find(library, "__gmp_get_memory_functions", &hw_igraph.gmp_get_memory);
        (void)find(library, "__gmp_set_memory_functions", &hw_igraph.gmp_set_memory);
        (void)find(library, "__gmp_default_allocate", &hw_igraph.gmp_allocate);
    }
    state.loaded = all;
}

hw_code hw_igraph_load(hw_error *err)
{
    (void)pthread_once(&state.once, load);
    if (state.loaded)
        return HW_OK;
    if (state.no_memory)
        return hw_fail_memory(err, "the library igraph");
    if (state.missing[0])
        return hw_fail(err, HW_IO,
                       "%s is not the igraph that highwater was built with: it has no %s; install "
                       "that one",
                       HW_IGRAPH_LIBRARY, state.missing);
    return hw_fail(err, HW_IO, "%s cannot be loaded: %s: install igraph (package libigraph3)",
                   HW_IGRAPH_LIBRARY, state.cause);
}

#else

/* Weak: igraph may be built without them. */
extern int xmlMemGet(void (**release)(void *), void *(**allocate)(size_t),
                     void *(**resize)(void *, size_t), char *(**copy)(const char *))
    __attribute__((weak));
extern int xmlMemSetup(void (*release)(void *), void *(*allocate)(size_t),
                       void *(*resize)(void *, size_t), char *(*copy)(const char *))
    __attribute__((weak));
extern void *__gmp_default_allocate(size_t size) __attribute__((weak));
extern void __gmp_get_memory_functions(void *(**allocate)(size_t),
                                       void *(**resize)(void *, size_t, size_t),
                                       void (**release)(void *, size_t)) __attribute__((weak));
extern void __gmp_set_memory_functions(void *(*allocate)(size_t),
                                       void *(*resize)(void *, size_t, size_t),
                                       void (*release)(void *, size_t)) __attribute__((weak));

#define LINKED(name) .name = igraph_##name,
hw_igraph_functions hw_igraph = {.finally_clean = IGRAPH_FINALLY_CLEAN,
                                 .finally_stack_size = IGRAPH_FINALLY_STACK_SIZE,
                                 .xml_get_memory = xmlMemGet,
                                 .xml_set_memory = xmlMemSetup,
                                 .gmp_get_memory = __gmp_get_memory_functions,
                                 .gmp_set_memory = __gmp_set_memory_functions,
                                 .gmp_allocate = __gmp_default_allocate,
                                 .finally_free = IGRAPH_FINALLY_FREE,
                                 .attributes = &igraph_cattribute_table,
                                 HW_IGRAPH_FUNCTIONS(LINKED)};
#undef LINKED

hw_code hw_igraph_load(hw_error *err)
{
    (void)err;
    return HW_OK;
}

#endif
