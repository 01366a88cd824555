/* How runs get on.  See solve_trace.h. */
#include "cli/solve_trace.h"

#include <inttypes.h>
#include <math.h>

#include "core/json_out.h"
#include "solve/called.h"

static void write_line(const hw_solve_trace *t, const hw_progress *p, const char *status)
{
    hw_json_out j = hw_json_on(t->file);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", t->m->graph->name);
    hw_json_put_string(&j, "hash", t->hash);
    hw_json_put_string(&j, "accounting", hw_accounting_name(t->m->accounting));
    hw_json_put_bool(&j, "pin_inputs", t->m->pin_inputs);
    hw_json_put_string(&j, "solver", t->spec);
    hw_json_put_u64(&j, "ticks", p->states);
    hw_json_put_real(&j, "seconds", round(p->seconds * 1e9) / 1e9);
    hw_json_put_u64_or_null(&j, "best", p->has_order, p->peak + t->added_bytes);
    hw_json_put_u64(&j, "bound", p->bound + t->added_bytes);
    hw_json_put_string(&j, "status", status);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static void hear(void *context, const hw_progress *p)
{
    hw_solve_trace *t = context;
    if (t->file)
        write_line(t, p, NULL);
    if (!t->tell || !p->has_order)
        return;
    t->told = true;
    char name[HW_FOREIGN_NAME];
    hw_cli_note(t->c, "%s: peak %" PRIu64 ", bound %" PRIu64 ", %" PRIu64 " states, %.3f s",
                hw_solver_short(t->row, t->values, name), p->peak + t->added_bytes,
                p->bound + t->added_bytes, p->states, p->seconds);
}

void hw_solve_trace_begin(hw_solve_trace *t, const hw_model *m, const char *hash,
                          const hw_solver_row *row, const hw_param_value *values,
                          uint64_t added_bytes, hw_request *request)
{
    t->m = m;
    t->row = row;
    t->values = values;
    t->hash = hash;
    t->added_bytes = added_bytes;
    t->told = false;
    (void)hw_params_spec(row->name, row->params, row->n_params, values, t->spec, sizeof t->spec);
    request->trace = t->tell || t->file ? hear : NULL;
    request->trace_context = t;
}

void hw_solve_trace_end(hw_solve_trace *t, const hw_answer *answer)
{
    hw_progress p = {.states = answer->states,
                     .seconds = answer->seconds,
                     .has_order = answer->has_order,
                     .peak = answer->peak,
                     .bound = answer->has_bound ? answer->bound : t->m->simple_bound};
    /* An order that was there before any solver was asked. */
    if (t->tell && !t->told && answer->has_order) {
        FILE *file = t->file;
        t->file = NULL;
        hear(t, &p);
        t->file = file;
    }
    if (t->file)
        write_line(t, &p, hw_status_name(answer->status));
}
