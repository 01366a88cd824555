/* Runs step by step.  See session.h. */
#include "solve/session.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/check.h"
#include "solve/dump.h"

/* Whose turn it is.  Only the one whose turn it is touches the rest. */
typedef enum turn { CALLER, SOLVER, DONE } turn;

struct hw_session {
    const hw_model *m;
    const hw_solver_row *row;
    hw_request request;
    hw_param_value values[HW_PARAM_LIMIT]; /* its parameters */
    hw_pause pause;                        /* stands at the end of the step */
    volatile sig_atomic_t stop;
    uint64_t ticks;
    hw_answer answer;
    hw_error err; /* with `code`, when DONE */
    hw_code code;
    bool started, finished;
    pthread_t thread;
    pthread_mutex_t lock; /* of `turn` */
    pthread_cond_t changed;
    turn turn;
};

static void give_turn(hw_session *s, turn to)
{
    (void)pthread_mutex_lock(&s->lock);
    s->turn = to;
    (void)pthread_cond_broadcast(&s->changed);
    (void)pthread_mutex_unlock(&s->lock);
}

static void await_turn(hw_session *s, turn mine)
{
    (void)pthread_mutex_lock(&s->lock);
    while (s->turn != mine && s->turn != DONE)
        (void)pthread_cond_wait(&s->changed, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
}

/* In the solver's thread, out of its meter. */
static void wait_for_step(hw_pause *pause, uint64_t states)
{
    hw_session *s = (hw_session *)((char *)pause - offsetof(hw_session, pause));
    if (s->stop)
        return;
    s->ticks = states;
    give_turn(s, CALLER);
    await_turn(s, SOLVER);
}

static void *run(void *context)
{
    hw_session *s = context;
    await_turn(s, SOLVER);
    s->code = hw_solve(s->m, s->row, &s->request, &s->answer, &s->err);
    if (s->code == HW_OK)
        s->ticks = s->answer.states;
    give_turn(s, DONE);
    return NULL;
}

hw_code hw_session_open(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                        hw_session **out, hw_error *err)
{
    *out = NULL;
    hw_code code = hw_solver_takes(row, m, err);
    if (code != HW_OK)
        return code;
    hw_session *s = HW_NEW0(hw_session, 1);
    if (!s)
        return hw_fail_memory(err, "a run in steps");
    *s = (hw_session){.m = m, .row = row, .request = *request, .pause = {.wait = wait_for_step}};
    if (row->n_params)
        memcpy(s->values, request->params, row->n_params * sizeof *s->values);
    s->request.params = s->values;
    s->request.stop = &s->stop;
    s->request.pause = &s->pause;
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return hw_fail_memory(err, "a run in steps");
    }
    if (pthread_cond_init(&s->changed, NULL) != 0) {
        (void)pthread_mutex_destroy(&s->lock);
        free(s);
        return hw_fail_memory(err, "a run in steps");
    }
    *out = s;
    return HW_OK;
}

/* Signals are for the threads of the program around us. */
static hw_code start(hw_session *s, hw_error *err)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool failed = pthread_create(&s->thread, NULL, run, s) != 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        return hw_fail(err, HW_NO_MEMORY, "no thread can be started for a run in steps");
    s->started = true;
    return HW_OK;
}

static hw_code outcome(const hw_session *s, hw_error *err)
{
    if (s->code != HW_OK && err)
        *err = s->err;
    return s->code;
}

hw_code hw_session_step(hw_session *s, uint64_t ticks, bool *done, hw_error *err)
{
    hw_code code = s->started ? HW_OK : start(s, err);
    if (code != HW_OK)
        return code;
    if (s->turn != DONE) {
        s->pause.at = ticks < UINT64_MAX - s->ticks ? s->ticks + ticks : UINT64_MAX;
        give_turn(s, SOLVER);
        await_turn(s, CALLER);
    }
    if (done)
        *done = s->turn == DONE;
    return s->turn == DONE ? outcome(s, err) : HW_OK;
}

uint64_t hw_session_ticks(const hw_session *s)
{
    return s->ticks;
}

uint64_t hw_session_bound(const hw_session *s)
{
    return s->answer.has_bound && s->answer.bound > s->m->simple_bound ? s->answer.bound
                                                                       : s->m->simple_bound;
}

bool hw_session_peak(const hw_session *s, uint64_t *peak)
{
    if (s->answer.has_order)
        *peak = s->answer.peak;
    return s->answer.has_order;
}

hw_code hw_session_best(const hw_session *s, const uint32_t **order, uint64_t *peak, hw_error *err)
{
    const hw_answer *a = &s->answer;
    const hw_model *m = s->m;
    *order = NULL;
    if (!a->has_order)
        return HW_OK;
    hw_check check;
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, a->order,
                                  m->n_nodes, &check, err);
    if (code != HW_OK)
        return code;
    if (check.verdict != HW_ORDER_LEGAL || check.peak != a->peak)
        return hw_dump_disagreement(m, s->row->name, a, "its best order in the middle of a run",
                                    err);
    *order = a->order;
    *peak = a->peak;
    return HW_OK;
}

/* Let the solver run to its end. */
static void end(hw_session *s)
{
    if (!s->started)
        return;
    if (s->turn != DONE) {
        s->pause.at = UINT64_MAX;
        give_turn(s, SOLVER);
        await_turn(s, DONE);
    }
    (void)pthread_join(s->thread, NULL);
    s->started = false;
}

hw_code hw_session_finish(hw_session *s, hw_answer *answer, hw_error *err)
{
    memset(answer, 0, sizeof *answer);
    hw_code code = s->started || s->turn == DONE ? HW_OK : start(s, err);
    if (code != HW_OK)
        return code;
    s->stop = 1;
    end(s);
    code = outcome(s, err);
    if (code != HW_OK)
        return code;
    *answer = s->answer;
    memset(&s->answer, 0, sizeof s->answer);
    return HW_OK;
}

void hw_session_close(hw_session *s)
{
    if (!s)
        return;
    s->stop = 1;
    end(s);
    hw_answer_clear(&s->answer);
    (void)pthread_cond_destroy(&s->changed);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}
