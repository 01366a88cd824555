/*
 * Threads that work on different objects at once, as libhighwater(3) allows:
 * each gets what one alone gets.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/family.h"
#include "io/io.h"
#include "solve/solver.h"
#include "support_sanitized.h"

enum { THREADS = 4, ROUNDS = FEWER(40), RESULT = HW_HASH_TEXT + 32 };

/* What a thread does, and what comes of it: a text that tells. */
typedef struct task {
    const char *family, *solver; /* NULL: the graph alone */
    hw_format format;            /* it goes out and comes back in it */
} task;

static const task tasks[] = {
    {"randwire:n=24", NULL, HW_FORMAT_JSON},
    {"layered:n=24", "portfolio", HW_FORMAT_GRAPHML},
    {"nets:net=mlp", "exact", HW_FORMAT_LINE},
    {"erdos:n=20", "lns", HW_FORMAT_JSON},
    {"randwire:n=20,model=ba", "beam", HW_FORMAT_GRAPHML},
    {"tree:n=20", "exact:direction=forward", HW_FORMAT_LINE},
};
enum { TASKS = sizeof tasks / sizeof tasks[0] };

static hw_code there_and_back(const hw_graph *g, hw_format format, hw_graph **back, hw_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return HW_NO_MEMORY;
    hw_code code = hw_graph_write(g, format, out, err);
    (void)fclose(out);
    if (code == HW_OK)
        code = hw_graph_parse(text, size, "text", back, err);
    free(text);
    return code;
}

static hw_code solve(const hw_graph *g, const char *spec, hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row = NULL;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_model *m = NULL;
    hw_code code = hw_solver_parse(spec, &row, values, err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    hw_request request = {.params = values, .limits = {.states = 3000}};
    if (code == HW_OK)
        code = hw_solve(m, row, &request, answer, err);
    hw_model_free(m);
    return code;
}

static void work(const task *t, char result[RESULT])
{
    const hw_family_row *row = NULL;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_graph *g = NULL, *back = NULL;
    hw_answer answer = {0};
    hw_error err = {.code = HW_OK};
    char hash[HW_HASH_TEXT] = "";
    hw_code code = hw_family_parse(t->family, &row, values, &err);
    if (code == HW_OK)
        code = hw_generate(row, values, HW_DEFAULT_SEED, 0, &g, &err);
    if (code == HW_OK)
        code = there_and_back(g, t->format, &back, &err);
    if (code == HW_OK)
        code = hw_graph_hash(back, hash, &err);
    if (code == HW_OK && t->solver)
        code = solve(back, t->solver, &answer, &err);
    if (code == HW_OK)
        (void)snprintf(result, RESULT, "%s %llu", hash, (unsigned long long)answer.peak);
    else
        (void)snprintf(result, RESULT, "%.*s", RESULT - 1, err.message);
    hw_answer_clear(&answer);
    hw_graph_free(back);
    hw_graph_free(g);
}

typedef struct worker {
    pthread_t thread;
    size_t first;
    char wrong[2 * RESULT + 8]; /* what came, and should have; "": all was right */
} worker;

static char expected[TASKS][RESULT];

static void *work_all(void *context)
{
    worker *w = context;
    for (size_t i = 0; i < (size_t)TASKS * ROUNDS && !w->wrong[0]; i++) {
        size_t k = (w->first + i) % TASKS;
        char result[RESULT];
        work(&tasks[k], result);
        if (strcmp(result, expected[k]) != 0)
            (void)snprintf(w->wrong, sizeof w->wrong, "%s, not %s", result, expected[k]);
    }
    return NULL;
}

static void different_objects_at_once(void **state)
{
    (void)state;
    worker workers[THREADS] = {{.first = 0}};
    for (size_t k = 0; k < TASKS; k++) {
        work(&tasks[k], expected[k]);
        if (strlen(expected[k]) < HW_HASH_TEXT || strspn(expected[k], "0123456789abcdef") != 64)
            fail_msg("%s: %s", tasks[k].family, expected[k]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        workers[i].first = i;
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work_all, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    for (size_t i = 0; i < THREADS; i++)
        if (workers[i].wrong[0])
            fail_msg("%s", workers[i].wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(different_objects_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
