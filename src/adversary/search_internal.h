/* Between the files of the search's folder. */
#ifndef HW_ADVERSARY_SEARCH_INTERNAL_H
#define HW_ADVERSARY_SEARCH_INTERNAL_H

#include "adversary/search_store.h"

/* "FOLDER/000012.json", the caller's; NULL: no memory. */
char *hw_store_graph_path(const hw_store *store, uint64_t lane);

/* The line of found.jsonl, with its end.  hash: of the graph, NULL where none was found. */
void hw_lane_record_write(const hw_lane_record *record, const char *hash, FILE *out);

#endif
