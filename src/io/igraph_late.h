/*
 * igraph, loaded where it is first needed.
 *
 * It brings twenty other libraries with it, which take longer to start than all
 * else of the program; most commands want none of them.  So it is no library
 * that the program is linked with: hw_igraph_load() opens it, and the names
 * below stand for the functions found there.  Include this in place of
 * igraph.h.  Where the build knows no shared igraph (HW_IGRAPH_LIBRARY is not
 * defined), the functions are those that the program is linked with.
 */
#ifndef HW_IO_IGRAPH_LATE_H
#define HW_IO_IGRAPH_LATE_H

#include <igraph/igraph.h>

#include "core/error.h"

/* All that is called of igraph: X(name without "igraph_"). */
#define HW_IGRAPH_FUNCTIONS(X)                                                                     \
    X(barabasi_game)                                                                               \
    X(canonical_permutation)                                                                       \
    X(cattribute_EAS)                                                                              \
    X(cattribute_EAS_set)                                                                          \
    X(cattribute_GAS)                                                                              \
    X(cattribute_GAS_set)                                                                          \
    X(cattribute_VAS)                                                                              \
    X(cattribute_VAS_set)                                                                          \
    X(cattribute_has_attr)                                                                         \
    X(cattribute_list)                                                                             \
    X(create)                                                                                      \
    X(destroy)                                                                                     \
    X(ecount)                                                                                      \
    X(erdos_renyi_game_gnp)                                                                        \
    X(fatal_handler_abort)                                                                         \
    X(free)                                                                                        \
    X(read_graph_graphml)                                                                          \
    X(rng_default)                                                                                 \
    X(rng_init)                                                                                    \
    X(rng_set_default)                                                                             \
    X(set_attribute_table)                                                                         \
    X(set_error_handler)                                                                           \
    X(set_fatal_handler)                                                                           \
    X(set_warning_handler)                                                                         \
    X(strvector_destroy)                                                                           \
    X(strvector_get)                                                                               \
    X(strvector_init)                                                                              \
    X(strvector_size)                                                                              \
    X(vcount)                                                                                      \
    X(vector_int_clear)                                                                            \
    X(vector_int_destroy)                                                                          \
    X(vector_int_init)                                                                             \
    X(vector_int_push_back)                                                                        \
    X(vector_int_resize)                                                                           \
    X(version)                                                                                     \
    X(watts_strogatz_game)                                                                         \
    X(write_graph_graphml)

typedef int (*hw_xml_get_memory)(void (**release)(void *), void *(**allocate)(size_t),
                                 void *(**resize)(void *, size_t), char *(**copy)(const char *));
typedef int (*hw_xml_set_memory)(void (*release)(void *), void *(*allocate)(size_t),
                                 void *(*resize)(void *, size_t), char *(*copy)(const char *));
typedef void (*hw_gmp_get_memory)(void *(**allocate)(size_t),
                                  void *(**resize)(void *, size_t, size_t),
                                  void (**release)(void *, size_t));
typedef void (*hw_gmp_set_memory)(void *(*allocate)(size_t),
                                  void *(*resize)(void *, size_t, size_t),
                                  void (*release)(void *, size_t));

typedef struct hw_igraph_functions {
/* A member takes no parentheses. */
// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member
#define HW_IGRAPH_MEMBER(name) __typeof__(&igraph_##name) name; /* NOLINT */
    HW_IGRAPH_FUNCTIONS(HW_IGRAPH_MEMBER)
#undef HW_IGRAPH_MEMBER
    __typeof__(&IGRAPH_FINALLY_CLEAN) finally_clean;
    __typeof__(&IGRAPH_FINALLY_FREE) finally_free;
    __typeof__(&IGRAPH_FINALLY_STACK_SIZE) finally_stack_size;
    const igraph_attribute_table_t *attributes; /* igraph_cattribute_table */
    /* Of what igraph brings along; NULL: it is built without. */
    hw_xml_get_memory xml_get_memory; /* xmlMemGet() of libxml2              */
    hw_xml_set_memory xml_set_memory; /* xmlMemSetup()                       */
    hw_gmp_get_memory gmp_get_memory; /* mp_get_memory_functions() of GNU MP */
    hw_gmp_set_memory gmp_set_memory; /* mp_set_memory_functions()           */
    void *(*gmp_allocate)(size_t);    /* what it uses where nobody set any   */
} hw_igraph_functions;

/* Addresses alone, the same for all threads; there from the first hw_igraph_load() on. */
extern hw_igraph_functions hw_igraph;

/*
 * Before any of them is called; again costs nothing, and threads may call it at
 * once.  HW_IO: igraph is not there, or another one.
 */
hw_code hw_igraph_load(hw_error *err);

#ifndef HW_IGRAPH_DIRECT
#define igraph_barabasi_game         hw_igraph.barabasi_game
#define igraph_canonical_permutation hw_igraph.canonical_permutation
#define igraph_cattribute_EAS        hw_igraph.cattribute_EAS
#define igraph_cattribute_EAS_set    hw_igraph.cattribute_EAS_set
#define igraph_cattribute_GAS        hw_igraph.cattribute_GAS
#define igraph_cattribute_GAS_set    hw_igraph.cattribute_GAS_set
#define igraph_cattribute_VAS        hw_igraph.cattribute_VAS
#define igraph_cattribute_VAS_set    hw_igraph.cattribute_VAS_set
#define igraph_cattribute_has_attr   hw_igraph.cattribute_has_attr
#define igraph_cattribute_list       hw_igraph.cattribute_list
#define igraph_create                hw_igraph.create
#define igraph_destroy               hw_igraph.destroy
#define igraph_ecount                hw_igraph.ecount
#define igraph_erdos_renyi_game_gnp  hw_igraph.erdos_renyi_game_gnp
#define igraph_fatal_handler_abort   hw_igraph.fatal_handler_abort
#define igraph_free                  hw_igraph.free
#define igraph_read_graph_graphml    hw_igraph.read_graph_graphml
#define igraph_rng_default           hw_igraph.rng_default
#define igraph_rng_init              hw_igraph.rng_init
#define igraph_rng_set_default       hw_igraph.rng_set_default
#define igraph_set_attribute_table   hw_igraph.set_attribute_table
#define igraph_set_error_handler     hw_igraph.set_error_handler
#define igraph_set_fatal_handler     hw_igraph.set_fatal_handler
#define igraph_set_warning_handler   hw_igraph.set_warning_handler
#define igraph_strvector_destroy     hw_igraph.strvector_destroy
#define igraph_strvector_get         hw_igraph.strvector_get
#define igraph_strvector_init        hw_igraph.strvector_init
#define igraph_strvector_size        hw_igraph.strvector_size
#define igraph_vcount                hw_igraph.vcount
#define igraph_vector_int_clear      hw_igraph.vector_int_clear
#define igraph_vector_int_destroy    hw_igraph.vector_int_destroy
#define igraph_vector_int_init       hw_igraph.vector_int_init
#define igraph_vector_int_push_back  hw_igraph.vector_int_push_back
#define igraph_vector_int_resize     hw_igraph.vector_int_resize
#define igraph_version               hw_igraph.version
#define igraph_watts_strogatz_game   hw_igraph.watts_strogatz_game
#define igraph_write_graph_graphml   hw_igraph.write_graph_graphml
#define IGRAPH_FINALLY_CLEAN         hw_igraph.finally_clean
#define IGRAPH_FINALLY_FREE          hw_igraph.finally_free
#define IGRAPH_FINALLY_STACK_SIZE    hw_igraph.finally_stack_size
#endif

#endif
