/* Order files, output that appears whole or not at all, and dumps of bugs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/folder.h"
#include "io/program.h"
#include "solve/dump.h"
#include "tests/support_io.h"

typedef struct fixture {
    char *folder, *path;
    hw_graph *g;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->folder = make_folder();
    f->path = path_in(f->folder, "file");
    *state = f;
    return parse_text("p highwater 1 3 3 0\nt 0 8 a\nt 1 8 a\nt 2 8 a\n"
                      "v 40 - > 0\nv 10 0 > 1\nv 30 0 > 2\n",
                      &f->g, NULL) == HW_OK
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    hw_graph_free(f->g);
    free(f->path);
    remove_folder(f->folder);
    free(f);
    return 0;
}

static size_t files_in(const char *folder)
{
    char **paths = folder_files(folder, "");
    size_t n = 0;
    while (paths && paths[n])
        n++;
    free_paths(paths);
    return n - 2; /* without "." and ".." */
}

static void test_order_round_trip(void **state)
{
    const fixture *f = *state;
    const uint32_t order[3] = {2, 0, 1}; /* not legal: that is the checker's to say */
    uint32_t back[3] = {9, 9, 9};
    hw_output o;
    hw_error err = {0};
    assert_int_equal(hw_output_open(f->path, &o, &err), HW_OK);
    assert_int_equal(hw_order_write(f->g, order, o.stream, &err), HW_OK);
    assert_int_equal(hw_output_commit(&o, &err), HW_OK);
    if (hw_order_load(f->path, f->g, back, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_memory_equal(order, back, sizeof order);
    char hash[HW_HASH_TEXT], expected[256];
    assert_int_equal(hw_graph_hash(f->g, hash, NULL), HW_OK);
    (void)snprintf(expected, sizeof expected,
                   "{\"format\":\"highwater-order\",\"version\":1,\"graph\":\"%s\","
                   "\"order\":[30,40,10]}\n",
                   hash);
    size_t n_bytes = 0;
    char *bytes = file_bytes(f->path, &n_bytes);
    assert_string_equal(bytes, expected);
    free(bytes);
}

static void test_bad_orders(void **state)
{
    const fixture *f = *state;
#define HEAD "{\"format\":\"highwater-order\",\"version\":1,"
    static const struct {
        const char *text, *word;
    } bad[] = {
        {"", "line 1: the file is empty: it should hold an object"},
        {" \n\n", "line 1: the file is empty"},
        {HEAD, "ends in the middle"},
        {"\n 40 10 30\n", "line 2: begins with '40', and JSON with {: is this the right file?"},
        {"\xef\xbb\xbfhighwater-proof 3\n", "line 1: begins with 'highwater-proof'"},
        {"\177ELF\002\001\001", "is this the right file?"},
        {HEAD "\"order\":[40,10,30]}\n{}", "here begins another; is this the right file?"},
        {HEAD "\"order\":[40,10,30]}}", "remove what follows it"},
        {"{\"order\":[40,10,30]}", "no key 'format': is this the right file? Then write"},
        {"[40,10,30]", "top level is an array"},
        {"{\"format\":\"highwater-graph\",\"version\":1}", "is not 'highwater-order'"},
        {"{\"format\":\"highwater-order\",\"version\":2}", "version 2 is newer"},
        {HEAD "\"x\":1}", "no key 'order'"},
        {HEAD "\"order\":3}", "order is an integer"},
        {HEAD "\"order\":[40,10]}", "lists 2 nodes, the graph has 3"},
        {HEAD "\"order\":[40,10,10]}", "order[2] names node 10 a second time"},
        {HEAD "\"order\":[40,10,11]}", "order[2] names node 11"},
        {HEAD "\"order\":[40,10,-1]}", "order[2] is negative"},
        {HEAD "\"order\":[40,10,\"30\"]}", "order[2] is a string"},
        {HEAD "\"graph\":\"00ff\",\"order\":[40,10,30]}", "belongs to graph 00ff"},
        {HEAD "\"graph\":7,\"order\":[40,10,30]}", "graph is an integer"},
    };
    uint32_t order[3];
    hw_error err = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(write_text(f->path, bad[i].text));
        hw_code code = hw_order_load(f->path, f->g, order, &err);
        if (code != HW_BAD_INPUT || !strstr(err.message, bad[i].word) ||
            !strstr(err.message, f->path))
            fail_msg("%s: code %d, %s", bad[i].text, (int)code, err.message);
    }
    assert_true(write_text(f->path, HEAD "\"order\":[40,30,10]}"));
    assert_int_equal(hw_order_load(f->path, f->g, order, &err), HW_OK);
    assert_int_equal(order[1], 2);
    assert_int_equal(hw_order_load(f->folder, f->g, order, &err), HW_IO);
}

static void test_output_whole_or_not(void **state)
{
    const fixture *f = *state;
    hw_output o;
    hw_error err = {0};
    size_t n_bytes = 0;
    assert_int_equal(hw_output_open(f->path, &o, &err), HW_OK);
    (void)fputs("first", o.stream);
    assert_int_not_equal(access(f->path, F_OK), 0); /* not before commit */
    assert_int_equal(hw_output_commit(&o, &err), HW_OK);
    assert_int_equal(files_in(f->folder), 1);

    assert_int_equal(chmod(f->path, 0640), 0);
    assert_int_equal(hw_output_open(f->path, &o, &err), HW_OK);
    (void)fputs("abandoned", o.stream);
    hw_output_abandon(&o);
    char *bytes = file_bytes(f->path, &n_bytes);
    assert_string_equal(bytes, "first");
    free(bytes);
    assert_int_equal(files_in(f->folder), 1);

    char *link_path = path_in(f->folder, "link"); /* a link stays one */
    assert_int_equal(symlink(f->path, link_path), 0);
    assert_int_equal(hw_output_open(link_path, &o, &err), HW_OK);
    (void)fputs("second", o.stream);
    assert_int_equal(hw_output_commit(&o, &err), HW_OK);
    struct stat about;
    assert_int_equal(lstat(link_path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(f->path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640); /* permissions of the file it replaced */
    bytes = file_bytes(f->path, &n_bytes);
    assert_string_equal(bytes, "second");
    free(bytes);

    /* But not under a name that the program gave: what is behind it stays. */
    assert_int_equal(hw_output_open_inside(link_path, &o, &err), HW_OK);
    (void)fputs("third", o.stream);
    assert_int_equal(hw_output_commit(&o, &err), HW_OK);
    assert_int_equal(lstat(link_path, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    bytes = file_bytes(f->path, &n_bytes);
    assert_string_equal(bytes, "second");
    free(bytes);
    free(link_path);
    assert_int_equal(files_in(f->folder), 2);
    assert_int_equal(hw_output_open_inside(f->folder, &o, &err), HW_IO);
}

/* What can be known before the work: of folders, and of files in them. */
static void test_checked_before(void **state)
{
    const fixture *f = *state;
    hw_error err = {0};
    char *new_folder = path_in(f->folder, "new"), *link_path = path_in(f->folder, "link");
    assert_true(write_text(f->path, "first"));
    assert_int_equal(hw_folder_check(NULL, &err), HW_OK);
    assert_int_equal(hw_folder_check(new_folder, &err), HW_OK);
    assert_int_equal(files_in(f->folder), 1); /* asked, not made */
    assert_int_equal(hw_folder_make(new_folder, &err), HW_OK);
    assert_int_equal(hw_folder_make(new_folder, &err), HW_OK); /* it is there */
    assert_int_equal(hw_folder_make(f->path, &err), HW_IO);
    assert_non_null(strstr(err.message, "is no folder"));
    char *slashed = path_in(f->folder, "other/");
    assert_int_equal(hw_output_check(slashed, &err), HW_IO);
    assert_non_null(strstr(err.message, "other/: is no folder: name a file"));
    free(slashed);
    assert_int_equal(symlink("nowhere", link_path), 0);
    assert_int_equal(hw_folder_check(link_path, &err), HW_IO);
    assert_int_equal(hw_folder_make(link_path, &err), HW_IO);
    assert_non_null(strstr(err.message, "is a link to no folder"));
    assert_int_equal(unlink(link_path), 0);

    /* access(2) asks for the user who runs the program, whom root is here. */
    bool root = getuid() == 0;
    const uid_t nobody = 65534;
    assert_int_equal(symlink("new/kept", link_path), 0);
    char *kept = path_in(new_folder, "kept");
    assert_true(write_text(kept, "kept"));
    assert_int_equal(chmod(f->folder, 0755), 0);
    assert_int_equal(chmod(new_folder, 0555), 0);
    assert_int_equal(root ? setreuid(nobody, 0) : 0, 0);
    hw_code folder = hw_folder_check(new_folder, &err), file = hw_output_check(kept, &err),
            linked = hw_output_check(link_path, &err);
    assert_int_equal(root ? setreuid(0, 0) : 0, 0);
    assert_int_equal(chmod(new_folder, 0755), 0);
    assert_int_equal(folder, HW_IO);
    assert_int_equal(file, HW_IO);
    assert_int_equal(linked, HW_IO);
    assert_non_null(strstr(err.message, "cannot write in the folder"));
    assert_int_equal(hw_output_check(kept, &err), HW_OK);
    assert_int_equal(hw_output_check(link_path, &err), HW_OK);
    free(kept);
    free(new_folder);
    free(link_path);
}

/* Somebody else lays links under the name, again and again: no write goes through one. */
static void test_links_meanwhile(void **state)
{
    enum { ROUNDS = 3000 };
    const fixture *f = *state;
    char *victim = path_in(f->folder, "victim"), *other = path_in(f->folder, "other");
    hw_error err = {0};
    hw_output o;
    assert_true(write_text(victim, "mine"));
    assert_true(write_text(f->path, "theirs"));
    pid_t pid = fork();
    while (pid == 0) { /* it is ended below */
        (void)symlink(victim, other);
        (void)rename(other, f->path);
        (void)write_text(other, "theirs");
        (void)rename(other, f->path);
    }
    assert_true(pid > 0);
    for (int i = 0; i < ROUNDS; i++)
        if (hw_output_open_inside(f->path, &o, &err) == HW_OK) {
            (void)fputs("ours", o.stream);
            (void)hw_output_commit(&o, &err);
        }
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    size_t n_bytes = 0;
    char *bytes = file_bytes(victim, &n_bytes);
    assert_string_equal(bytes, "mine");
    free(bytes);
    free(victim);
    free(other);
}

static void test_output_refused(void **state)
{
    const fixture *f = *state;
    hw_output o;
    hw_error err = {0};
    assert_int_equal(hw_output_open(f->folder, &o, &err), HW_IO);
    assert_non_null(strstr(err.message, "is a folder"));
    assert_int_equal(hw_output_open("/no-such-folder/file", &o, &err), HW_IO);
    assert_non_null(strstr(err.message, "/no-such-folder/file: cannot write"));
    assert_int_equal(hw_output_open("-", &o, &err), HW_OK);
    assert_ptr_equal(o.stream, stdout);
    assert_int_equal(hw_output_commit(&o, &err), HW_OK);
}

/* A device is written in place, and its errors are seen in every format. */
static void test_full_disk(void **state)
{
    const fixture *f = *state;
    hw_output o;
    hw_error err = {0};
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full here\n");
        skip();
    }
    const uint32_t order[3] = {0, 1, 2};
    for (int format = HW_FORMAT_JSON; format <= HW_FORMAT_DOT; format++) {
        assert_int_equal(hw_output_open("/dev/full", &o, &err), HW_OK);
        err.message[0] = '\0';
        assert_int_equal(hw_graph_write(f->g, (hw_format)format, o.stream, &err), HW_IO);
        assert_non_null(strstr(err.message, "cannot write"));
        hw_output_abandon(&o);
    }
    assert_int_equal(hw_output_open("/dev/full", &o, &err), HW_OK);
    assert_int_equal(hw_order_write(f->g, order, o.stream, &err), HW_IO);
    assert_non_null(strstr(err.message, "No space left"));
    hw_output_abandon(&o);
    assert_int_equal(hw_output_open("/dev/full", &o, &err), HW_OK);
    (void)fputs("text", o.stream);
    assert_int_equal(hw_output_commit(&o, &err), HW_IO);
    assert_non_null(strstr(err.message, "/dev/full: cannot write: No space left"));
    struct stat about;
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
}

static void test_closed_pipe(void **state)
{
    const fixture *f = *state;
    int ends[2];
    void (*kept)(int) = signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    (void)close(ends[0]);
    FILE *out = fdopen(ends[1], "w");
    hw_error err = {0};
    hw_code code = hw_graph_write(f->g, HW_FORMAT_LINE, out, &err);
    (void)fclose(out);
    (void)signal(SIGPIPE, kept);
    assert_int_equal(code, HW_IO);
    assert_non_null(strstr(err.message, "Broken pipe"));
}

/* A program can be asked to end, whatever the thread that runs it blocks. */
static void test_signals_of_programs(void **state)
{
    (void)state;
    const char *const argument[] = {"sed", "-n", "s/^SigBlk:[ \t]*//p", "/proc/self/status", NULL};
    char text[64] = "";
    int status;
    sigset_t all, before;
    hw_error err = {0};
    FILE *out = tmpfile();
    assert_non_null(out);
    const int file[3] = {0, fileno(out), 2};
    (void)sigfillset(&all);
    assert_int_equal(sigprocmask(SIG_BLOCK, &all, &before), 0);
    hw_code code = hw_program_run(argument, "sed", file, &status, &err);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(code, HW_OK);
    assert_int_equal(status, 0);
    rewind(out);
    assert_non_null(fgets(text, sizeof text, out));
    assert_string_equal(text, "0000000000000000\n");
    assert_int_equal(fclose(out), 0);
}

/* The dump of a disagreement is a graph that can be loaded, with the story. */
static void test_dump(void **state)
{
    const fixture *f = *state;
    hw_model *m = NULL;
    assert_int_equal(hw_model_new(f->g, HW_FREE_FIRST, true, &m, NULL), HW_OK);
    uint32_t order[3] = {0, 7, 1};
    hw_answer answer = {.status = HW_OPTIMAL,
                        .has_order = true,
                        .order = order,
                        .peak = 16,
                        .has_bound = true,
                        .bound = 12};
    hw_error err = {0};
    char *here = getcwd(NULL, 0);
    assert_int_equal(chdir(f->folder), 0);
    hw_code code = hw_dump_disagreement(m, "liar", &answer, "the peak is 24", &err);
    assert_int_equal(chdir(here), 0);
    free(here);
    hw_model_free(m);
    assert_int_equal(code, HW_INTERNAL);
    assert_non_null(strstr(err.message, "liar"));
    assert_non_null(strstr(err.message, "the peak is 24"));
    char **paths = folder_files(f->folder, ".txt");
    assert_non_null(paths[0]);
    assert_null(paths[1]);
    assert_non_null(strstr(err.message, strrchr(paths[0], '/') + 1));
    size_t n_bytes = 0;
    char *bytes = file_bytes(paths[0], &n_bytes);
    static const char *const lines[] = {
        "c solver: liar\n",
        "c accounting: free-first, inputs pinned\n",
        "c claim: status optimal, peak 16, bound 12, states 0\n",
        "c finding: the peak is 24\n",
        "c order: 40 (no node: 7) 10\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(bytes, lines[i]))
            fail_msg("no '%s' in %s", lines[i], bytes);
    hw_graph *g = NULL;
    char hash[2][HW_HASH_TEXT];
    assert_int_equal(hw_graph_load(paths[0], &g, &err), HW_OK);
    assert_int_equal(hw_graph_hash(g, hash[0], NULL), HW_OK);
    assert_int_equal(hw_graph_hash(f->g, hash[1], NULL), HW_OK);
    assert_string_equal(hash[0], hash[1]);
    hw_graph_free(g);
    free(bytes);
    free_paths(paths);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_order_round_trip),    TEST(test_bad_orders),      TEST(test_output_whole_or_not),
        TEST(test_checked_before),      TEST(test_links_meanwhile), TEST(test_output_refused),
        TEST(test_full_disk),           TEST(test_closed_pipe),     TEST(test_dump),
        TEST(test_signals_of_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
