/* A file of results, read whole. */
#ifndef HW_BENCH_RESULTS_H
#define HW_BENCH_RESULTS_H

#include "bench/record.h"

typedef struct hw_results {
    char *text; /* what the records point into */
    hw_record *records;
    size_t n_records;     /* record i has a line of its own: records[i].line */
    uint64_t n_broken;    /* lines left out                         */
    hw_error broken;      /* what was wrong with the first of them  */
    uint64_t broken_line; /* its number                             */
    hw_error broken_why;  /* the cause alone                        */
    bool torn_end;        /* the last line has no end: it was cut   */
    bool torn_broken;     /* and what there is of it is broken      */
    bool foreign;         /* the first line is broken and does not begin as results do */
    uint64_t whole_bytes; /* up to the end of the last whole line */
} hw_results;

/*
 * Read a file of results; "-" is standard input.  *out is released by
 * hw_results_free().  A broken line is HW_BAD_INPUT with file, line, cause and
 * cure; with skip_broken it is left out and counted.  HW_IO, HW_NO_MEMORY.
 * O(size of the file).
 */
hw_code hw_results_load(const char *path, bool skip_broken, hw_results **out, hw_error *err);
void hw_results_free(hw_results *results);

/*
 * What to do about a line that is none of results, for the end of a message;
 * static.  torn: it has no end.  A first line that does not even begin as those
 * of results do is perhaps that of another file.
 */
const char *hw_results_cure(const char *line, size_t length, uint64_t number, bool torn);

/* The bytes of a file, to be freed, with room for one more.  HW_IO, HW_NO_MEMORY. */
hw_code hw_results_text(const char *path, char **text, size_t *size, hw_error *err);

#endif
