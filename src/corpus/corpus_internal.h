/* What the files of the corpus share. */
#ifndef HW_CORPUS_CORPUS_INTERNAL_H
#define HW_CORPUS_CORPUS_INTERNAL_H

#include "corpus/corpus.h"
#include "solve/called.h"

#define HW_ENTRY_FORMAT "highwater-adversarial"

/* CORPUS/NAME/FILE, CORPUS/NAME where file is ""; the caller's.  NULL: no memory. */
char *hw_entry_path(const char *corpus, const char *name, const char *file);

/* Goal and texts of an entry of `graph`, which it takes over. */
hw_code hw_entry_start(hw_entry *e, hw_graph *graph, const char *solver, const char *found,
                       hw_error *err);

/* All the rest, from the graph, the goal and, where it is at hand, the optimum. */
hw_code hw_entry_compute(hw_entry *e, hw_error *err);

/* What messages and folders call the solver: the name that it was given, else what was written. */
const char *hw_entry_solver(const hw_entry *e, char given[HW_FOREIGN_NAME]);

#endif
