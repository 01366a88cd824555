/* GraphML out (graphml_write.c); reading stands in reader.h. */
#ifndef HW_IO_GRAPHML_H
#define HW_IO_GRAPHML_H

#include <stdio.h>

#include "io/igraph_late.h"
#include "model/graph.h"

/* Names of the attributes; all of them are strings, so that no size passes
 * through a floating-point number. */
#define HW_XML_ROLE   "role" /* vertex: tensor, node; edge: input, output, control */
#define HW_XML_NUMBER "number"
#define HW_XML_SLOT   "slot"

/* igraph's settings as they stood before our calls. */
typedef struct hw_igraph_guard {
    igraph_error_handler_t *error_handler;
    igraph_warning_handler_t *warning_handler;
    igraph_fatal_handler_t *fatal_handler;
    const igraph_attribute_table_t *attributes;
} hw_igraph_guard;

/*
 * Between begin and end, which is of the same thread, igraph returns its errors
 * instead of aborting, keeps quiet, and holds attributes.  It is not thread-safe:
 * other threads wait in begin.  Fails as hw_igraph_load(); there is nothing to
 * end then.
 */
hw_code hw_igraph_begin(hw_igraph_guard *guard, hw_error *err);
void hw_igraph_end(const hw_igraph_guard *guard);

/* What igraph said last since begin, or "". */
const char *hw_igraph_complaint(void);

/*
 * Between begin and end: what `call` returns, or IGRAPH_ENOMEM where memory ran
 * out in a way that igraph does not return from, or that the XML parser which it
 * uses takes for bad XML.  What igraph held then is lost where it cannot be
 * released.
 */
typedef igraph_error_t (*hw_igraph_call)(igraph_t *graph, void *context);
igraph_error_t hw_igraph_guarded(hw_igraph_call call, igraph_t *graph, void *context);

hw_code hw_graphml_write(const hw_graph *g, FILE *out, hw_error *err);

#endif
