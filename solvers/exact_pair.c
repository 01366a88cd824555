/*
 * Turns ahead of time.  See exact_pair.h.
 *
 * The thread takes no signals and looks at no stop flag: the caller does, and
 * tells.  It runs its engine in slices, which changes nothing, and looks between
 * them whether it is still wanted.
 */
#include "solvers/exact_pair.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "core/memory.h"

enum { SLICE_STATES = 512, LOOK_EVERY_NS = 20 * 1000 * 1000 };

typedef enum stage { IDLE, ASKED, QUIT } stage;

typedef struct finished_turn {
    exact_outcome outcome;
    int progress;
    uint64_t states;
} finished_turn;

struct exact_pair {
    pthread_t thread;
    bool runs;            /* of the caller alone */
    pthread_mutex_t lock; /* guards what follows; the engine is the thread's while ASKED */
    pthread_cond_t changed;
    stage stage;
    bool unwanted;
    exact_engine *engine;
    uint64_t budget, unit;
    finished_turn *turn;
    size_t capacity, n_turns, n_taken;
};

static bool is_unwanted(exact_pair *p)
{
    (void)pthread_mutex_lock(&p->lock);
    bool unwanted = p->unwanted;
    (void)pthread_mutex_unlock(&p->lock);
    return unwanted;
}

/* One turn, in slices. */
static finished_turn take_turn(exact_pair *p, exact_engine *e, uint64_t budget, uint64_t share)
{
    static const hw_request no_limits = {.has_budget = false};
    hw_meter meter;
    hw_meter_start(&meter, &no_limits);
    exact_outcome outcome = EXACT_PAUSED;
    while (share && outcome == EXACT_PAUSED) {
        uint64_t slice = share < SLICE_STATES ? share : SLICE_STATES;
        if (is_unwanted(p)) {
            outcome = EXACT_OVER;
            break;
        }
        outcome = exact_engine_run(e, budget, slice, &meter);
        share -= slice;
    }
    int progress = outcome == EXACT_PAUSED ? exact_engine_progress(e) : 0;
    return (finished_turn){outcome, progress, meter.states};
}

/* Turns until one decides or nobody wants more; called and left with the lock held. */
static void take_turns(exact_pair *p)
{
    exact_engine *e = p->engine;
    uint64_t budget = p->budget, unit = p->unit;
    finished_turn turn = {EXACT_PAUSED, 0, 0};
    while (turn.outcome == EXACT_PAUSED) {
        (void)pthread_mutex_unlock(&p->lock);
        turn = take_turn(p, e, budget, unit);
        (void)pthread_mutex_lock(&p->lock);
        void *array = p->turn;
        if (!hw_grow(&array, &p->capacity, p->n_turns + 1, sizeof *p->turn))
            break; /* as if stopped: the caller sees EXACT_OVER */
        p->turn = array;
        p->turn[p->n_turns++] = turn;
        (void)pthread_cond_broadcast(&p->changed);
    }
    p->stage = IDLE;
    (void)pthread_cond_broadcast(&p->changed);
}

static void *work(void *context)
{
    exact_pair *p = context;
    (void)pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->stage == IDLE)
            (void)pthread_cond_wait(&p->changed, &p->lock);
        if (p->stage == QUIT)
            break;
        take_turns(p);
    }
    (void)pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Lock and condition, on the clock that nobody sets. */
static bool init_lock(exact_pair *p)
{
    pthread_condattr_t attributes;
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return false;
    bool made = pthread_condattr_init(&attributes) == 0;
    if (made) {
        made = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
               pthread_cond_init(&p->changed, &attributes) == 0;
        (void)pthread_condattr_destroy(&attributes);
    }
    if (!made)
        (void)pthread_mutex_destroy(&p->lock);
    return made;
}

static bool start_thread(exact_pair *p)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&p->thread, NULL, work, p);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !failed;
}

exact_pair *exact_pair_new(void)
{
    exact_pair *p = HW_NEW0(exact_pair, 1);
    if (!p || !init_lock(p)) {
        free(p);
        return NULL;
    }
    if (start_thread(p))
        return p;
    (void)pthread_cond_destroy(&p->changed);
    (void)pthread_mutex_destroy(&p->lock);
    free(p);
    return NULL;
}

void exact_pair_free(exact_pair *p)
{
    if (!p)
        return;
    exact_pair_stop(p);
    (void)pthread_mutex_lock(&p->lock);
    p->stage = QUIT;
    (void)pthread_cond_broadcast(&p->changed);
    (void)pthread_mutex_unlock(&p->lock);
    (void)pthread_join(p->thread, NULL);
    (void)pthread_cond_destroy(&p->changed);
    (void)pthread_mutex_destroy(&p->lock);
    free(p->turn);
    free(p);
}

void exact_pair_begin(exact_pair *p, exact_engine *e, uint64_t budget, uint64_t unit)
{
    (void)pthread_mutex_lock(&p->lock);
    p->engine = e;
    p->budget = budget;
    p->unit = unit;
    p->n_turns = p->n_taken = 0;
    p->unwanted = false;
    p->stage = ASKED;
    p->runs = true;
    (void)pthread_cond_broadcast(&p->changed);
    (void)pthread_mutex_unlock(&p->lock);
}

bool exact_pair_runs(const exact_pair *p)
{
    return p && p->runs;
}

/* When to look at clock and stop flag again. */
static struct timespec next_look(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_nsec += LOOK_EVERY_NS;
    if (at.tv_nsec >= 1000000000) {
        at.tv_nsec -= 1000000000;
        at.tv_sec++;
    }
    return at;
}

exact_outcome exact_pair_take(exact_pair *p, uint64_t turns, hw_meter *meter, int *progress)
{
    exact_outcome outcome = EXACT_PAUSED;
    (void)pthread_mutex_lock(&p->lock);
    while (turns && outcome == EXACT_PAUSED) {
        while (p->n_taken == p->n_turns && p->stage == ASKED && !hw_meter_look(meter)) {
            struct timespec at = next_look();
            (void)pthread_cond_timedwait(&p->changed, &p->lock, &at);
        }
        if (p->n_taken == p->n_turns) {
            outcome = EXACT_OVER;
            break;
        }
        const finished_turn *turn = &p->turn[p->n_taken++];
        outcome = turn->outcome;
        *progress = turn->progress;
        (void)hw_meter_count(meter, turn->states);
        turns--;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return outcome;
}

bool exact_pair_has_proof(exact_pair *p)
{
    (void)pthread_mutex_lock(&p->lock);
    bool proof = p->n_turns && p->turn[p->n_turns - 1].outcome == EXACT_NONE;
    (void)pthread_mutex_unlock(&p->lock);
    return proof;
}

void exact_pair_stop(exact_pair *p)
{
    (void)pthread_mutex_lock(&p->lock);
    p->unwanted = true;
    while (p->stage == ASKED)
        (void)pthread_cond_wait(&p->changed, &p->lock);
    p->runs = false;
    (void)pthread_mutex_unlock(&p->lock);
}
