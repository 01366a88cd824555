/* The writers of each format, behind hw_graph_write() (write.c). */
#ifndef HW_IO_WRITE_H
#define HW_IO_WRITE_H

#include "io/text.h"
#include "model/graph.h"

/* Failed writes are kept by the sink. */
void hw_json_put(const hw_graph *g, hw_sink *s);

/* HW_NO_MEMORY. */
hw_code hw_dot_put(const hw_graph *g, hw_sink *s, hw_error *err);

/*
 * Lines.  canonical: without names, operator types, source and unit, tensors
 * by ascending id, in-place pairs sorted and without repeats.  HW_NO_MEMORY.
 */
hw_code hw_line_put(const hw_graph *g, bool canonical, hw_sink *s, hw_error *err);

#endif
