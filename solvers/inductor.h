/*
 * The rules of PyTorch Inductor's torch/_inductor/memory.py, each in a file of
 * its own, for the solvers of that name and for the choice among them.
 */
#ifndef HW_SOLVERS_INDUCTOR_H
#define HW_SOLVERS_INDUCTOR_H

#include "solvers/order_rule.h"

/* hw_order_rule each; see lpmf.c, inductor_bfs.c, inductor_dfs.c. */
hw_code hw_inductor_lpmf(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                         bool *done, hw_error *err);
hw_code hw_inductor_bfs(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                        bool *done, hw_error *err);
hw_code hw_inductor_dfs(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                        bool *done, hw_error *err);

#endif
