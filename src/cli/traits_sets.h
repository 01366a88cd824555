/* The graphs that `highwater traits` looks at: drawn ones, and those of files. */
#ifndef HW_CLI_TRAITS_SETS_H
#define HW_CLI_TRAITS_SETS_H

#include "traits/traits.h"
#include "cli/cli.h"

/* Names of the groups of one grouping. */
typedef struct traits_names {
    char **name;
    uint32_t n;
    size_t capacity;
} traits_names;

/* Graphs of one origin, never thrown together with others: they were not drawn alike. */
typedef struct traits_set {
    const char *title;
    hw_trait_sample sample; /* what is asked for is set by the caller */
    traits_names names[HW_TRAIT_GROUPINGS];
    size_t asked;     /* graphs that there would be without a signal */
    size_t no_graphs; /* files of folders that hold no graph */
    size_t again;     /* graphs that came before: their hash did */
    char (*hashes)[HW_HASH_TEXT];
    size_t n_hashes, hash_capacity;
    hw_trait_report report;
} traits_set;

void traits_set_clear(traits_set *s);

typedef struct traits_draw {
    uint64_t count;
    uint64_t least_nodes, most_nodes;
    uint64_t seed;
} traits_draw;

/*
 * `count` graphs of the families of --family or the preset ones, in turn, of
 * least_nodes .. most_nodes nodes, in turn.  Groups: family; law of sizes,
 * where the families are the preset ones.  A signal ends it early, with HW_OK.
 * HW_USAGE: an unknown family, one without a parameter n.
 */
hw_code traits_draw_all(hw_cli *c, const traits_draw *draw, traits_set *s, hw_error *err);

/*
 * The graphs of all files among the arguments, and of the files in the folders
 * among them, by name, at any depth; files there that are no graphs are passed
 * over and counted, and so are graphs that came before (the best of a search is
 * in its folder twice).  Groups: argument.
 */
hw_code traits_read_all(hw_cli *c, traits_set *s, hw_error *err);

/* How far it is, on a terminal; at the end, with done == 0, the line is wiped. */
void traits_progress(const hw_cli *c, size_t done, size_t of);

#endif
