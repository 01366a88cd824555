/*
 * A program that uses the library may have a locale with a decimal comma: what
 * the library reads and writes for programs keeps its point.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/json_out.h"
#include "core/real.h"
#include "support_io.h"
#include "support_solve.h"
#include "tests/support_generate.h"

/* Run a program to its end, whatever comes of it. */
static void run(char *const argument[])
{
    pid_t pid = fork();
    if (pid == 0) {
        (void)freopen("/dev/null", "w", stderr);
        (void)execvp(argument[0], argument);
        _exit(127);
    }
    (void)waitpid(pid, NULL, 0);
}

/* A locale of the kind, made for this test where the system has what it takes. */
static int set_comma(void **state)
{
    char *folder = make_folder(), *path = path_in(folder, "de_DE.UTF-8");
    *state = folder;
    char make[] = "localedef", input[] = "--inputfile=de_DE", charmap[] = "--charmap=UTF-8";
    run((char *[]){make, input, charmap, path, NULL});
    free(path);
    (void)setenv("LOCPATH", folder, 1);
    (void)setlocale(LC_ALL, "de_DE.UTF-8");
    return 0;
}

static int set_back(void **state)
{
    (void)setlocale(LC_ALL, "C");
    (void)unsetenv("LOCPATH");
    char *folder = *state, rm[] = "rm", all[] = "-r";
    run((char *[]){rm, all, folder, NULL});
    free(folder);
    return 0;
}

static void skip_without_comma(void)
{
    if (strcmp(localeconv()->decimal_point, ",") != 0) {
        print_message("skipped: no locale with a decimal comma can be made here\n");
        skip();
    }
}

static void parameters_and_instances(void **state)
{
    (void)state;
    skip_without_comma();
    hw_graph *g = test_instance("erdos:n=9,workspace=0.3,inplace=0.25", 0);
    assert_string_equal(g->source,
                        "highwater family erdos:n=9,workspace=0.3,inplace=0.25, campaign "
                        "seed 20240229, instance 0");
    char with_comma[HW_HASH_TEXT], with_point[HW_HASH_TEXT];
    assert_int_equal(hw_graph_hash(g, with_comma, NULL), HW_OK);
    hw_graph_free(g);
    assert_non_null(setlocale(LC_ALL, "C"));
    g = test_instance("erdos:n=9,workspace=0.3,inplace=0.25", 0);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_int_equal(hw_graph_hash(g, with_point, NULL), HW_OK);
    hw_graph_free(g);
    assert_string_equal(with_comma, with_point);
}

static void json(void **state)
{
    (void)state;
    skip_without_comma();
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '[');
    hw_json_put_real(&j, NULL, 0.1);
    hw_json_put_real(&j, NULL, -1e300);
    hw_json_put_real(&j, NULL, 2.0 / 3.0);
    hw_json_close(&j, ']');
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "[0.1,-1e+300,0.6666666666666666]");
    free(text);
}

/* What a scheduler is told, and what stands around it. */
static void programs(void **state)
{
    (void)state;
    skip_without_comma();
    hw_graph *g = test_instance("tree:n=5", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer answer = {0};
    hw_error err;
    assert_int_equal(
        hw_solver_parse("external:command=sh -c 'echo $HIGHWATER_TIME_LIMIT >&2; exit 1'", &row,
                        values, &err),
        HW_OK);
    hw_request request = {.params = values, .limits = {.seconds = 2.5}};
    assert_int_equal(hw_solve(m, row, &request, &answer, &err), HW_CRASHED);
    assert_non_null(strstr(err.message, "it said: 2.5"));
    hw_model_free(m);
    hw_graph_free(g);
    char own[16];
    (void)snprintf(own, sizeof own, "%.1f", 2.5); /* the program's own numbers are as they were */
    assert_string_equal(own, "2,5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_and_instances),
                                       cmocka_unit_test(json), cmocka_unit_test(programs)};
    return cmocka_run_group_tests(tests, set_comma, set_back) != 0;
}
