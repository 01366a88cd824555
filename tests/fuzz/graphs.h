/* Graphs in fuzz targets: read, drawn, and what has to hold for each. */
#ifndef HW_TESTS_FUZZ_GRAPHS_H
#define HW_TESTS_FUZZ_GRAPHS_H

#include "import/import.h"
#include "model/model.h"
#include "tests/fuzz/fuzz.h"

/* Read bytes as a graph or several of our own formats, and look at each. */
void fuzz_read_graphs(const uint8_t *data, size_t size);

/* The same of any format, with these options and the built-in table of operators. */
void fuzz_import_graphs(const uint8_t *data, size_t size, hw_import_options options);

/*
 * Every format gives the graph back, and in its source order, where it is
 * legal, checker and simulator agree under all four settings.
 */
void fuzz_look_at_graph(const hw_graph *g);

/* Most nodes of a graph that is drawn. */
enum { FUZZ_NODES = 12 };

/*
 * A graph of up to `most` nodes with all that the model knows.  NULL: what was
 * drawn is refused.  Released by hw_graph_free().
 */
hw_graph *fuzz_draw_graph(fuzz_draws *d, uint32_t most);

/* The model; NULL: pinned inputs forbid it.  Released by hw_model_free(). */
hw_model *fuzz_model(const hw_graph *g, hw_accounting accounting, bool pin_inputs);

#endif
