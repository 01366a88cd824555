/* A merge at work: shared by the files of this folder. */
#ifndef HW_MERGE_MERGE_INTERNAL_H
#define HW_MERGE_MERGE_INTERNAL_H

#include "bench/plan.h"
#include "bench/unit.h"
#include "merge/merge.h"
#include "merge/part.h"

/* Where the line of a run is, and what it says in short. */
typedef struct hw_slot {
    uint64_t offset, line; /* in the file; the number for messages      */
    uint64_t key;          /* content key, as a number                  */
    uint64_t answer;       /* hash of what the run answered             */
    uint64_t text;         /* hash of the line                          */
    uint32_t length;       /* without its newline                       */
    uint32_t part;         /* file, from 1; 0: the run has no line      */
    bool cut_short;
} hw_slot;

struct hw_merge {
    const hw_suite *suite;
    hw_merge_options options;
    hw_plan *plan;
    hw_part *part;
    size_t n_parts;
    uint64_t bytes, bytes_read;
    hw_slot *slot;     /* of each run, by its position in the plan */
    uint32_t *n_nodes; /* of each unit; 0: no line tells           */
    hw_merge_counts counts;
    char *version; /* of the first line */
    uint64_t version_line;
    const char *version_path;
    uint64_t n_contradictions;

    size_t graph_unit; /* the last unit with a graph */
    char graph[HW_HASH_TEXT];

    /* The unit handed out last. */
    hw_unit_verdict verdict;
    hw_merged_run *run;
    char *lines, *scratch; /* its lines; the same again, for the records to point into */
    size_t run_capacity, lines_capacity, scratch_capacity;
};

uint64_t hw_hash_bytes(uint64_t hash, const void *bytes, size_t n);
#define HW_HASH_START UINT64_C(0xcbf29ce484222325)

/* A hash of what a run answered: status, peaks, bound, effort. */
uint64_t hw_answer_hash(const hw_record *r);

/*
 * Compare two lines of one run, or of one content key, whose answers differ.
 * False: they contradict each other; `why` tells the column and both values.
 * True: one was cut short, and nothing that one proves denies the other; *first
 * is better then, or the second.
 */
bool hw_answers_agree(const hw_record *a, const hw_record *b, bool *first_is_better, char *why,
                      size_t size);

/* Where a line stands: "a.jsonl:12". */
void hw_slot_place(const hw_merge *m, const hw_slot *slot, char *text, size_t size);

/* Count a contradiction and pass it on. */
void hw_merge_contradict(hw_merge *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The line of a slot parsed; *text is to be freed and holds the record's strings. */
hw_code hw_slot_record(const hw_merge *m, const hw_slot *slot, char **text, hw_record *r,
                       hw_error *err);

/* Hold the runs of each content key against each other.  O(runs). */
hw_code hw_merge_cross(hw_merge *m, hw_error *err);

/* The number of solvers of a unit. */
static inline const hw_suite_section *hw_section_of_unit(const hw_suite *suite, size_t unit)
{
    return &suite->sections[suite->sources[suite->units[unit].source].section];
}

/* "greedy on layered:n=6#0 under alloc-first", cut to size. */
void hw_run_name(const hw_suite *suite, size_t unit, size_t solver, char *text, size_t size);

/* Is a run without a line one that the suite leaves out (most-nodes)?  HW_NO_MEMORY. */
hw_code hw_run_is_left_out(hw_merge *m, size_t unit, size_t solver, bool *left_out, hw_error *err);

#endif
