/*
 * The folder of a search: one process at a time from its first moment on, and
 * no line whose figures were changed is believed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adversary/search_run.h"

static hw_search plain_search(void)
{
    hw_error err;
    hw_search s = {.methods = 7, .seed = 5, .label = "test"};
    assert_int_equal(hw_goal_parse("greedy", NULL, false, &s.goal, &err), HW_OK);
    s.space = (hw_space){.least_nodes = 6,
                         .most_nodes = 6,
                         .most_edges = 2016,
                         .most_in = 64,
                         .most_out = 64,
                         .low = 1,
                         .high = 100};
    return s;
}

static int make_folder(void **state)
{
    char name[] = "/tmp/highwater-store-XXXXXX";
    return (*state = mkdtemp(name) ? strdup(name) : NULL) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    int rc = system(command); /* NOLINT(cert-env33-c): a name of mkdtemp() */
    free(*state);
    return rc;
}

/* ---- Beginning together. ---- */

enum { TOGETHER = 6, TRIES = 100 };

/* Open the folder once `start` ends; say whether that went well; keep it until `end` ends. */
static void open_in_child(const char *folder, int start, int said, int end)
{
    hw_search s = plain_search();
    hw_store store;
    hw_error err;
    char word;
    (void)!read(start, &word, 1);
    word = hw_store_open(&store, folder, &s, "test", true, &err) == HW_OK ? 'y' : 'n';
    (void)!write(said, &word, 1);
    (void)!read(end, &word, 1);
    _exit(0);
}

static unsigned open_together(const char *folder)
{
    int start[2], said[2], end[2];
    char word[TOGETHER];
    unsigned opened = 0;
    assert_int_equal(pipe(start) | pipe(said) | pipe(end), 0);
    for (int i = 0; i < TOGETHER; i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            (void)close(start[1]);
            (void)close(end[1]);
            open_in_child(folder, start[0], said[1], end[0]);
        }
    }
    (void)close(start[1]);
    for (int i = 0; i < TOGETHER; i++) {
        assert_int_equal(read(said[0], word, 1), 1);
        opened += word[0] == 'y';
    }
    (void)close(end[1]);
    for (int i = 0; i < TOGETHER; i++)
        assert_true(wait(NULL) > 0);
    (void)close(start[0]);
    (void)close(said[0]);
    (void)close(said[1]);
    (void)close(end[0]);
    return opened;
}

static void one_of_those_that_begin_together(void **state)
{
    for (int i = 0; i < TRIES; i++) {
        char folder[128];
        (void)snprintf(folder, sizeof folder, "%s/%d", (const char *)*state, i);
        assert_int_equal(open_together(folder), 1);
    }
}

/* ---- Changed figures. ---- */

/* Each digit of `key` in found.jsonl, one by one, becomes another. */
static unsigned change_each(const char *path, const char *lines, const char *key,
                            const hw_search *s, const hw_search_options *o)
{
    unsigned changed = 0;
    for (const char *at = lines; (at = strstr(at, key)) != NULL;) {
        for (at += strlen(key); *at >= '0' && *at <= '9'; at++) {
            hw_search_state out;
            hw_error err = {.code = HW_OK};
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            char other = *at == '9' ? '1' : (char)(*at + 1);
            (void)fwrite(lines, 1, (size_t)(at - lines), file);
            (void)fputc(other, file);
            (void)fputs(at + 1, file);
            assert_int_equal(fclose(file), 0);
            assert_int_equal(hw_search_run(s, o, &out, &err), HW_BAD_INPUT);
            assert_non_null(strstr(err.message, "remove "));
            changed++;
        }
    }
    return changed;
}

static void changed_figures_are_seen(void **state)
{
    char path[128], best[128];
    static char lines[1 << 14];
    const char *folder = *state;
    hw_search s = plain_search();
    hw_search_options o = {
        .evaluations = 8000, .jobs = 1, .folder = folder, .command = "test", .resume = true};
    hw_search_state out;
    hw_error err;
    (void)snprintf(path, sizeof path, "%s/found.jsonl", folder);
    (void)snprintf(best, sizeof best, "%s/best.json", folder);
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    lines[fread(lines, 1, sizeof lines - 1, file)] = '\0';
    (void)fclose(file);
    assert_in_range(change_each(path, lines, "\"over\":", &s, &o), 6, 100);
    assert_in_range(change_each(path, lines, "\"under\":", &s, &o), 6, 100);
    assert_in_range(change_each(path, lines, "\"file\":\"", &s, &o), 6, 100);
    file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(lines, file);
    assert_int_equal(fclose(file), 0);
    file = fopen(best, "w"); /* a graph of somebody else */
    assert_non_null(file);
    (void)fputs("p highwater 1 1 1 0 other\nt 0 5 o\nv 0 - > 0\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(hw_search_run(&s, &o, &out, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "best.json"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_those_that_begin_together, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(changed_figures_are_seen, make_folder, remove_folder),
    };
    return cmocka_run_group_tests_name("search_store", tests, NULL, NULL) != 0;
}
