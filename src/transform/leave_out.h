/* Parts of the model left out, beside views and in-place pairs (hw_graph_strip). */
#ifndef HW_TRANSFORM_LEAVE_OUT_H
#define HW_TRANSFORM_LEAVE_OUT_H

#include "model/graph.h"

/* g without windows, without locks.  Errors of hw_builder_finish().  O(size of g). */
hw_code hw_strip_ties(const hw_graph *g, bool windows, bool locks, hw_graph **out, hw_error *err);

/*
 * What a scheduler sees that takes a view for an ordinary node which makes
 * nothing: no node is a view, and what was an image of another tensor has no
 * bytes.  So a tensor dies before its images are read for the last time.
 * Errors of hw_builder_finish().  O(size of g).
 */
hw_code hw_empty_views(const hw_graph *g, hw_graph **out, hw_error *err);

#endif
