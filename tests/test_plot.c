/*
 * gnuplot from outside: every terminal, every failure, nothing left behind;
 * and the picture of a run.  Skipped where gnuplot is missing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "io/timeline_plot.h"
#include "tests/support_draft.h"
#include "tests/support_io.h"
#include "tests/support_lines.h"

static int make(void **state)
{
    *state = make_folder();
    return *state ? 0 : -1;
}

static int drop(void **state)
{
    remove_folder(*state);
    return 0;
}

static void need_gnuplot(const char *folder)
{
    char *path = path_in(folder, "probe.svg");
    hw_error err = {0};
    hw_code code = hw_gnuplot_render("plot 0\n", 300, 200, path, &err);
    (void)unlink(path);
    free(path);
    if (code != HW_OK && strstr(err.message, "not installed")) {
        print_message("skip: gnuplot is not installed\n");
        skip();
    }
}

/* How many entries the folder holds. */
static size_t files(const char *folder)
{
    char **paths = folder_files(folder, "");
    size_t n = 0;
    while (paths && paths[n])
        n++;
    free_paths(paths);
    return n;
}

static hw_code render(const char *folder, const char *script, const char *name, hw_error *err)
{
    char *path = path_in(folder, name);
    assert_non_null(path);
    hw_code code = hw_gnuplot_render(script, 400, 300, path, err);
    free(path);
    return code;
}

static void expect_file(const char *folder, const char *name, const char *begin, const char *part)
{
    char *path = path_in(folder, name);
    size_t n_bytes = 0;
    char *bytes = file_bytes(path, &n_bytes);
    assert_non_null(bytes);
    assert_true(n_bytes > 500);
    assert_memory_equal(bytes, begin, strlen(begin));
    if (part)
        assert_non_null(strstr(bytes, part));
    free(bytes);
    free(path);
}

static void every_terminal(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    size_t before = files(folder);
    assert_int_equal(render(folder, "plot x title 'top_k'\n", "a.svg", NULL), HW_OK);
    assert_int_equal(render(folder, "plot x\n", "a.png", NULL), HW_OK);
    assert_int_equal(render(folder, "plot x\n", "a.pdf", NULL), HW_OK);
    expect_file(folder, "a.svg", "<?xml", "top_k");
    expect_file(folder, "a.png", "\x89PNG", NULL);
    expect_file(folder, "a.pdf", "%PDF", NULL);
    assert_int_equal(files(folder), before + 3);
}

static void a_drawing_is_as_readable_as_any_new_file(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    char *path = path_in(folder, "b.svg");
    struct stat file;
    mode_t mask = umask(027);
    hw_code code = hw_gnuplot_render("plot x\n", 400, 300, path, NULL);
    (void)umask(mask);
    assert_int_equal(code, HW_OK);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0640);
    free(path);
}

static void equal_scripts_draw_equal_files(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    char *path[2] = {path_in(folder, "c.svg"), path_in(folder, "d.svg")};
    char *bytes[2];
    size_t n[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hw_gnuplot_render("plot x**2\n", 400, 300, path[i], NULL), HW_OK);
        bytes[i] = file_bytes(path[i], &n[i]);
        assert_non_null(bytes[i]);
    }
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    for (int i = 0; i < 2; i++) {
        free(bytes[i]);
        free(path[i]);
    }
}

/* cairo writes the time, to the second, into a PDF. */
static void a_pdf_does_not_tell_the_time(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    char *path[3] = {path_in(folder, "t.pdf"), path_in(folder, "u.pdf"), path_in(folder, "v.pdf")};
    char *bytes[3];
    size_t n[3];
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    for (int i = 0; i < 3; i++) {
        if (i == 1) {
            struct timespec second = {1, 50000000};
            (void)nanosleep(&second, NULL);
            assert_int_equal(setenv("TZ", "Asia/Tokyo", 1), 0);
        }
        if (i == 2)
            assert_int_equal(setenv("SOURCE_DATE_EPOCH", "86399", 1), 0);
        assert_int_equal(hw_gnuplot_render("plot x**2\n", 400, 300, path[i], NULL), HW_OK);
        bytes[i] = file_bytes(path[i], &n[i]);
        assert_non_null(bytes[i]);
    }
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    assert_int_equal(unsetenv("TZ"), 0);
    assert_int_equal(n[0], n[1]);
    assert_memory_equal(bytes[0], bytes[1], n[0]);
    static const char epoch[] = "D:19700101000000", day_end[] = "D:19700101235959";
    bool found[2] = {false, false};
    for (size_t i = 0; i + sizeof epoch <= n[0]; i++)
        found[0] = found[0] || memcmp(bytes[0] + i, epoch, sizeof epoch - 1) == 0;
    for (size_t i = 0; i + sizeof day_end <= n[2]; i++)
        found[1] = found[1] || memcmp(bytes[2] + i, day_end, sizeof day_end - 1) == 0;
    assert_true(found[0] && found[1]);
    for (int i = 0; i < 3; i++) {
        free(bytes[i]);
        free(path[i]);
    }
}

static void expect_failure(const char *folder, const char *script, const char *name, hw_code code,
                           const char *word)
{
    hw_error err = {0};
    size_t before = files(folder);
    assert_int_equal(render(folder, script, name, &err), code);
    if (!strstr(err.message, word))
        fail_msg("%s", err.message);
    assert_int_equal(files(folder), before);
}

static void failures(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    expect_failure(folder, "plot x\n", "a.gif", HW_USAGE, ".svg");
    expect_failure(folder, "plot x\n", "plot", HW_USAGE, ".svg");
    expect_failure(folder, "plot sinn(x)\n", "e.svg", HW_IO, "undefined function: sinn");
    expect_failure(folder, "plot 'missing'\n", "e.png", HW_IO, "missing");
    expect_failure(folder, "unset key\n", "e.svg", HW_IO, "no reason");
    expect_failure(folder, "plot x\n", "no/such/e.svg", HW_IO, "no/such/e.svg");
    expect_failure(folder, "system 'kill -9 $PPID'\n", "e.svg", HW_IO, "signal 9");
}

static void a_failure_leaves_the_old_file(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    char *path = path_in(folder, "f.svg");
    assert_true(write_text(path, "old"));
    assert_int_equal(hw_gnuplot_render("plot (\n", 400, 300, path, NULL), HW_IO);
    size_t n = 0;
    char *bytes = file_bytes(path, &n);
    assert_non_null(bytes);
    assert_string_equal(bytes, "old");
    free(bytes);
    free(path);
}

/* A limit on the size of files stands in for a full disk. */
static void a_drawing_cut_short_is_no_drawing(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    char *path = path_in(folder, "g.svg");
    struct rlimit old, tight;
    hw_error err = {0};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = (struct rlimit){4096, old.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    hw_code code = hw_gnuplot_render("plot x\n", 400, 300, path, &err);
    (void)setrlimit(RLIMIT_FSIZE, &old);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(code, HW_IO);
    assert_non_null(strstr(err.message, "cut short"));
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
}

static void gnuplot_may_be_missing(void **state)
{
    char *path = getenv("PATH"), *kept = path ? strdup(path) : NULL;
    hw_error err = {0};
    assert_int_equal(setenv("PATH", *state, 1), 0);
    hw_code code = render(*state, "plot x\n", "h.svg", &err);
    if (kept)
        (void)setenv("PATH", kept, 1);
    free(kept);
    assert_int_equal(code, HW_IO);
    assert_non_null(strstr(err.message, "install it"));
}

static void expect_text(const char *text, size_t columns, const char *expected)
{
    char *written = text_put(hw_gnuplot_put_text, text, columns);
    assert_non_null(written);
    assert_string_equal(written, expected);
    free(written);
}

static void texts_inside_quotes(void **state)
{
    (void)state;
    expect_text("plain", 9, "plain");
    expect_text("", 9, "");
    expect_text("'it's", 9, "\xe2\x80\x99it\xe2\x80\x99s");
    expect_text("a\nb\tc\x7f", 9, "a?b?c?");
    expect_text("\xc3\xa9\xff\xe4\xb8\x96", 9, "\xc3\xa9?\xe4\xb8\x96");
    expect_text("\xe4\xb8", 9, "??");
    expect_text("\xf5\x80\x80\x80", 9, "????");
    expect_text("0123456789", 10, "0123456789");
    expect_text("0123456789a", 10,
                "01234\xe2\x80\xa6"
                "789a");
    assert_int_equal(hw_gnuplot_characters("\xc3\xa9\xff\xe4\xb8\x96z"), 4);
}

/* ---- The picture of a run. ---- */

static void draw(const char *folder, const hw_graph *g, unsigned setting, bool with_resident,
                 const uint32_t *order, const char *name)
{
    hw_model *m = lines_model(g, (hw_accounting)(setting & 1), setting >> 1);
    char *path = path_in(folder, name);
    hw_log *log = NULL;
    hw_error err = {0};
    if (hw_log_new(m, order, with_resident, &log, &err) != HW_OK ||
        hw_timeline_plot(log, "source", path, &err) != HW_OK)
        fail_msg("%s", err.message);
    free(path);
    hw_log_free(log);
    hw_model_free(m);
}

static void the_picture_tells_the_cause(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    hw_graph *g = lines_graph("t 0 100 i; t 1 40 o; t 2 9 o; t 3 64 c; "
                              "v 0 0,3 > 1 inplace=0:1 workspace=25 name=mul; v 1 1 > 2");
    const uint32_t order[] = {0, 1};
    draw(folder, g, 0, false, order, "cause.svg");
    expect_file(folder, "cause.svg", "<?xml", "lines: memory while the source order runs");
    expect_file(folder, "cause.svg", "<?xml",
                "Peak 125 B at step 0 (mul) = 2 storages of 140 B + workspace 25 B \xe2\x88\x92 "
                "reused in place 40 B");
    expect_file(folder, "cause.svg", "<?xml", "tensor #0  100 B");
    draw(folder, g, 3, true, order, "resident.svg");
    expect_file(folder, "resident.svg", "<?xml", "+ workspace 25 B + constants 64 B");
    expect_file(folder, "resident.svg", "<?xml", "inputs pinned");
    hw_graph_free(g);
}

static void names_are_shown_and_never_run(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    hw_graph *g = lines_graph("t 0 99999 o '`kill%20$$`\"@x<&>\\n; v 0 - > 0 name='`exit`%0a");
    draw(folder, g, 0, false, (const uint32_t[]){0}, "names.svg");
    expect_file(folder, "names.svg", "<?xml",
                "\xe2\x80\x99`kill $$`\"@x&lt;&amp;>\\n #0  97.7 KiB");
    expect_file(folder, "names.svg", "<?xml", "0 \xe2\x80\x99`exit`?");
    hw_graph_free(g);
}

#define HUGE_SIZES "t 0 9223372036854775807 i; t 1 9223372036854775807 o; v 0 0 > 1 workspace=1"

static void any_graph_can_be_drawn(void **state)
{
    const char *folder = *state;
    need_gnuplot(folder);
    const char *const corners[] = {"",          "t 0 5 i", "t 0 0 o; v 0 - > 0",
                                   "v 0 - > -", "t 0 5 c", HUGE_SIZES};
    const uint32_t first[] = {0};
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++) {
        hw_graph *g = lines_graph(corners[i]);
        for (unsigned setting = 0; setting < 4; setting++)
            draw(folder, g, setting, setting & 1, first, "corner.svg");
        hw_graph_free(g);
    }
    for (uint64_t seed = 1; seed <= 6; seed++) {
        hw_graph *g = draft_graph(seed, 10 * seed, DRAW_RICH & ~(unsigned)DRAW_REQUIRED);
        assert_non_null(g);
        hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
        uint32_t order[DRAFT_NODES];
        uint64_t draws = seed;
        assert_true(draft_order(m, &draws, order));
        draw(folder, g, seed & 3, false, order, "random.svg");
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_terminal, make, drop),
        cmocka_unit_test_setup_teardown(a_drawing_is_as_readable_as_any_new_file, make, drop),
        cmocka_unit_test_setup_teardown(equal_scripts_draw_equal_files, make, drop),
        cmocka_unit_test_setup_teardown(a_pdf_does_not_tell_the_time, make, drop),
        cmocka_unit_test_setup_teardown(failures, make, drop),
        cmocka_unit_test_setup_teardown(a_failure_leaves_the_old_file, make, drop),
        cmocka_unit_test_setup_teardown(a_drawing_cut_short_is_no_drawing, make, drop),
        cmocka_unit_test_setup_teardown(gnuplot_may_be_missing, make, drop),
        cmocka_unit_test(texts_inside_quotes),
        cmocka_unit_test_setup_teardown(the_picture_tells_the_cause, make, drop),
        cmocka_unit_test_setup_teardown(names_are_shown_and_never_run, make, drop),
        cmocka_unit_test_setup_teardown(any_graph_can_be_drawn, make, drop),
    };
    return cmocka_run_group_tests_name("plot", tests, NULL, NULL) != 0;
}
