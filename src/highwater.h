/*
 * highwater: orders of computation graphs whose peak of memory is least.
 *
 * The whole public interface.  A first program:
 *
 *     hw_error err;
 *     hw_graph *g = NULL;
 *     hw_model *m = NULL;
 *     if (hw_graph_load("net.json", &g, &err) == HW_OK &&
 *         hw_model_new(g, HW_ALLOC_FIRST, false, &m, &err) == HW_OK) {
 *         hw_param_value values[HW_PARAM_LIMIT];
 *         const hw_solver_row *row;
 *         hw_answer answer;
 *         if (hw_solver_parse("greedy", &row, values, &err) == HW_OK) {
 *             hw_request request = {.params = values};
 *             if (hw_solve(m, row, &request, &answer, &err) == HW_OK) {
 *                 ... answer.order, answer.peak, answer.status ...
 *                 hw_answer_clear(&answer);
 *             }
 *         }
 *     }
 *     hw_model_free(m);
 *     hw_graph_free(g);
 *
 * Compile with the flags of `pkg-config highwater`.
 */
#ifndef HW_HIGHWATER_H
#define HW_HIGHWATER_H

#include "arena/arena.h"
#include "core/error.h"
#include "core/json_out.h"
#include "core/params.h"
#include "core/rng.h"
#include "gen/family.h"
#include "import/import.h"
#include "io/io.h"
#include "io/timeline_plot.h"
#include "model/builder.h"
#include "model/check.h"
#include "model/graph.h"
#include "model/log.h"
#include "model/model.h"
#include "model/sim.h"
#include "model/structure.h"
#include "solve/solution.h"
#include "solve/solver.h"

#endif
