/*
 * The folder of a search (highwater-formats(5)): what it is, a line for each
 * lane in the order of the lanes, the graphs of the record lanes, the best one.
 */
#ifndef HW_ADVERSARY_SEARCH_STORE_H
#define HW_ADVERSARY_SEARCH_STORE_H

#include "adversary/search.h"
#include "io/io.h"

/* What a finished lane leaves. */
typedef struct hw_lane_record {
    hw_lane_plan plan;
    uint64_t used;
    bool any; /* a graph that counts was found, the best of them in find */
    hw_find find;
    bool best; /* better than those of all lanes before: its graph is kept */
} hw_lane_record;

typedef struct hw_store {
    char *folder;
    char *run, *lines, *best; /* names of the files in it      */
    int file;                 /* of lines, for appending; -1: closed */
    int lock;                 /* on run: one process a folder; -1: closed */
} hw_store;

/*
 * Open a folder, made if need be, for the search that `command` names (the
 * command line that repeats it, without folder, jobs and time).  HW_USAGE: it
 * holds a search and not `resume`; it holds another search or other things;
 * another process is at work in it.  HW_IO, HW_BAD_INPUT, HW_NO_MEMORY.
 */
hw_code hw_store_open(hw_store *store, const char *folder, const hw_search *s, const char *command,
                      bool resume, hw_error *err);

/*
 * The lines that are there, in order: `plan` says what lane i must be, or false
 * where no such lane is to be; `take` gets each record, whose find has a
 * genome if it is marked best.  A torn last line is cut off.  HW_BAD_INPUT: a
 * line is broken or tells of another lane, or a graph is not the one of its line.
 */
typedef struct hw_store_reader {
    bool (*plan)(void *context, hw_lane_plan *plan);
    void (*take)(void *context, const hw_lane_record *record);
    void *context;
} hw_store_reader;
hw_code hw_store_read(hw_store *store, const hw_store_reader *reader, hw_error *err);

/* Append a record; where it is marked best, its graph comes first.  HW_IO: nothing of the line
 * stays. */
hw_code hw_store_add(hw_store *store, const hw_lane_record *record, const hw_graph *graph,
                     hw_error *err);

/* Put the best graph in place of the one that was best before. */
hw_code hw_store_best(hw_store *store, const hw_graph *graph, hw_error *err);

/* The best graph of an earlier run, with the words of where it was found in
 * *graph->source; *graph is NULL where there is none. */
hw_code hw_store_load_best(hw_store *store, hw_graph **graph, hw_error *err);

hw_code hw_store_close(hw_store *store, hw_error *err);

#endif
