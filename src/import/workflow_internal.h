/* A workflow as its file tells it, between the reader (workflow_read.c) and the graph. */
#ifndef HW_IMPORT_WORKFLOW_INTERNAL_H
#define HW_IMPORT_WORKFLOW_INTERNAL_H

#include <jansson.h>

#include "import/draft.h"
#include "import/import.h"
#include "import/names.h"

typedef struct hw_wf_task {
    const char *name, *op; /* the JSON's */
    size_t op_length;
} hw_wf_task;

typedef struct hw_wf_file {
    uint64_t size;
    uint32_t reader, writer; /* last task that mentioned it so, HW_NONE: none yet */
    uint32_t n_versions;     /* tasks that write it                               */
    uint32_t raw;            /* tensor of what was there before, HW_NONE: none    */
    bool has_size, written_size, is_raw;
} hw_wf_file;

/* A task names a file. */
typedef struct hw_wf_link {
    uint32_t task, file;
    uint32_t tensor; /* a writer's */
    bool writes;
} hw_wf_link;

typedef struct hw_wf_pair {
    uint32_t parent, child;
} hw_wf_pair;

typedef struct hw_workflow {
    const char *path; /* of the file, for messages */
    json_t *root;
    const char *name, *version; /* the JSON's; NULL: not told */

    hw_names ids, file_ids; /* of tasks, of files */
    hw_wf_task *task;       /* as `ids` has them */
    hw_wf_file *file;       /* as `file_ids` has them */
    hw_wf_link *link;       /* tasks in order, of each the reads and then the writes */
    hw_wf_pair *pair;       /* parents and children, as both tell them */
    size_t task_room, file_room, n_links, link_room, n_pairs, pair_room;
    uint32_t n_unlike; /* files whose mentions differ in size */
} hw_workflow;

void hw_workflow_clear(hw_workflow *w);

/* Fill w->* from w->root.  HW_BAD_INPUT, HW_NO_MEMORY. */
hw_code hw_workflow_read(hw_workflow *w, hw_error *err);

/* What a task reads: its link, and the writer's; HW_NONE: what was there before the workflow. */
typedef struct hw_wf_source {
    uint32_t reader, writer;
} hw_wf_source;

typedef struct hw_wf_sources {
    hw_wf_source *source; /* in the order of the readers' links; released by free() */
    size_t n_sources, room;
} hw_wf_sources;

/*
 * Who reads which version of each file; counts the versions.  The pairs are sorted by
 * hw_wf_pairs_unique().  HW_NO_MEMORY.  O((links + pairs) log links), and what the least of
 * parents and writers adds for files of several writers.
 */
hw_code hw_workflow_sources(hw_workflow *w, hw_wf_sources *out, hw_error *err);

/* Pairs by child, then parent; sort them so and drop repeats, returning how many are left. */
int hw_wf_by_child(const void *a, const void *b);
size_t hw_wf_pairs_unique(hw_wf_pair *pair, size_t n);

/* The graph in the making, with notes of what was decided.  HW_BAD_INPUT, HW_NO_MEMORY. */
hw_code hw_workflow_draft(hw_workflow *w, bool stage_in, hw_draft *d, hw_import_report *report,
                          hw_error *err);

#endif
