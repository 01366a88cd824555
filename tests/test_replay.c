/*
 * Orders replayed by a process of their own.  This program is the process too:
 * its main() begins with hw_replay_child().
 *
 * Resident memory is compared with an independent count of pages.  It is not a
 * matter of time, so that a busy machine changes nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"
#include "replay/replay.h"
#include "replay/replay_internal.h"
#include "tests/support_draft.h"
#include "tests/support_lines.h"
#include "tests/support_sanitized.h"

#define SELF "/proc/self/exe"

/* Pages that the process may touch for itself between two moments: stack, tables of the C library.
 */
enum { SLACK_PAGES = 8 };

static uint64_t page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

typedef struct run {
    hw_graph *graph;
    hw_model *model;
    hw_log *log;
    hw_replay_plan *plan;
    hw_replay_result result;
    hw_error err;
} run;

static void run_start(run *r, hw_graph *g, hw_accounting accounting, const uint32_t *order,
                      bool with_resident)
{
    memset(r, 0, sizeof *r);
    r->graph = g;
    assert_int_equal(hw_model_new(g, accounting, false, &r->model, &r->err), HW_OK);
    if (hw_log_new(r->model, order, with_resident, &r->log, &r->err) != HW_OK ||
        hw_replay_plan_new(r->log, &r->plan, &r->err) != HW_OK)
        fail_msg("%s", r->err.message);
}

static void run_end(run *r)
{
    hw_replay_result_clear(&r->result);
    hw_replay_plan_free(r->plan);
    hw_log_free(r->log);
    hw_model_free(r->model);
    hw_graph_free(r->graph);
}

static hw_code replayed(run *r, const hw_replay_request *request)
{
    hw_replay_result_clear(&r->result);
    hw_code code = hw_replay_run(r->plan, request, &r->result, &r->err);
    int status;
    assert_int_equal(waitpid(-1, &status, WNOHANG), -1); /* no child is left */
    assert_int_equal(errno, ECHILD);
    return code;
}

static void expect_replayed(run *r, const hw_replay_request *request)
{
    if (replayed(r, request) != HW_OK)
        fail_msg("%s", r->err.message);
    assert_int_equal(r->result.n_moments, r->plan->n_moments);
    assert_int_equal(r->result.n_samples, r->plan->n_moments * request->passes);
}

/* A hundred blocks of odd sizes up to 300 KiB, reads at random, a kept output. */
static hw_graph *wide_graph(uint64_t seed, uint32_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (uint32_t t = 0; t < n; t++)
        (void)fprintf(out, "t %u %u %c;", t, (unsigned)(1 + draft_below(&seed, 300000)),
                      t + 1 == n ? 'o' : 'a');
    for (uint32_t v = 0; v < n; v++) {
        (void)fprintf(out, "v %u ", v);
        if (v == 0)
            (void)fputc('-', out);
        else
            (void)fprintf(out, "%u", v - 1);
        if (v > 1)
            (void)fprintf(out, ",%u", (unsigned)draft_below(&seed, v - 1));
        (void)fprintf(out, " > %u workspace=%u;", v, (unsigned)draft_below(&seed, 50000));
    }
    assert_int_equal(fclose(out), 0);
    text[size - 1] = '\0'; /* the last ';' */
    hw_graph *g = lines_graph(text);
    free(text);
    return g;
}

static void start_wide(run *r, uint32_t n, hw_accounting accounting)
{
    uint32_t order[256];
    assert_true(n <= 256);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    run_start(r, wide_graph(n, n), accounting, order, false);
}

/* Pages of the blocks held at each moment, counted from the lifetimes alone. */
static uint64_t pages_at(const hw_replay_plan *plan, size_t moment)
{
    const hw_log *log = plan->log;
    int64_t step;
    bool running = hw_replay_runs(plan, moment, &step);
    uint64_t page = page_bytes(), pages = 0;
    for (uint32_t i = 0; moment + 1 < plan->n_moments && i < log->n_lives; i++) {
        const hw_lifetime *life = &log->life[i];
        if (running ? hw_log_holds(log, life, step) : life->birth <= step && life->death > step)
            pages += (life->size + page - 1) / page;
    }
    if (running)
        pages += (hw_workspace(log->model, log->order[step]) + page - 1) / page;
    return pages;
}

static int64_t pages_over_baseline(const hw_replay_result *r, size_t sample)
{
    return ((int64_t)r->sample[sample].resident - (int64_t)r->before.resident) /
           (int64_t)page_bytes();
}

static void expect_pages(const run *r, bool touched)
{
    for (size_t i = 0; i < r->result.n_samples; i++) {
        size_t moment = i % r->result.n_moments;
        int64_t counted = touched ? (int64_t)pages_at(r->plan, moment) : 0;
        int64_t resident = pages_over_baseline(&r->result, i);
        if (resident < counted || resident > counted + SLACK_PAGES)
            fail_msg("moment %zu: %lld pages are resident, not %lld", moment, (long long)resident,
                     (long long)counted);
    }
}

/* ---- A mapping a block. ---- */

static void resident_is_what_is_mapped(void **state)
{
    (void)state;
    for (int accounting = 0; accounting < 2; accounting++) {
        run r;
        start_wide(&r, 60, (hw_accounting)accounting);
        hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MMAP, .passes = 2};
        expect_replayed(&r, &q);
        assert_true(r.result.exact);
        if (!SANITIZED) /* whose shadow memory is resident too */
            expect_pages(&r, true);
        run_end(&r);
    }
}

static void pages_that_are_only_read_are_not_resident(void **state)
{
    (void)state;
    run r;
    start_wide(&r, 40, HW_ALLOC_FIRST);
    for (hw_replay_touch touch = HW_REPLAY_READ; touch <= HW_REPLAY_LEAVE; touch++) {
        hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MMAP, .passes = 1, .touch = touch};
        expect_replayed(&r, &q);
        if (!SANITIZED)
            expect_pages(&r, false);
    }
    run_end(&r);
}

/* Blocks that grow and shrink where they are, and a dead output in one of them. */
static void in_place_blocks_keep_what_they_hold(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1, 2, 3, 4};
    for (hw_replay_way way = HW_REPLAY_MALLOC; way <= HW_REPLAY_MMAP; way++) {
        run r;
        run_start(&r,
                  lines_graph("t 0 100000 a; t 1 5000000 a; t 2 5000000 a; t 3 70000 a; t 4 9 a; "
                              "v 0 - > 0; v 1 0 > 1 inplace=0:1; v 2 1 > 2 inplace=1:2; "
                              "v 3 2 > 3 inplace=2:3; v 4 3 > 4 inplace=3:4"),
                  HW_ALLOC_FIRST, in_turn, false);
        hw_replay_request q = {.program = SELF, .way = way, .passes = 3};
        expect_replayed(&r, &q);
        if (way == HW_REPLAY_MMAP && !SANITIZED) {
            const int64_t bytes[] = {0,       100000,  100000, 5000000, 5000000, 5000000,
                                     5000000, 5000000, 70000,  70000,   0,       0};
            for (size_t i = 0; i < r.result.n_samples; i++) {
                int64_t page = (int64_t)page_bytes();
                int64_t counted = (bytes[i % 12] + page - 1) / page;
                int64_t resident = pages_over_baseline(&r.result, i);
                assert_true(resident >= counted && resident <= counted + SLACK_PAGES);
            }
        }
        run_end(&r);
    }
}

/* ---- malloc. ---- */

/* Whatever is live is resident, but for what a block ends with on a page of its neighbour. */
static void resident_is_no_less_than_live(void **state)
{
    (void)state;
    run r;
    start_wide(&r, 100, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MALLOC, .passes = 2};
    expect_replayed(&r, &q);
    for (size_t i = 0; !SANITIZED && i < r.result.n_samples; i++) {
        /* The heap that the process has before may take a few blocks. */
        uint64_t room = 64 * page_bytes();
        uint64_t logical = r.plan->logical[i % r.plan->n_moments];
        assert_true(r.result.sample[i].resident - r.result.before.resident + room >= logical);
    }
    if (r.result.has_own) {
        const hw_replay_sample *s = &r.result.sample[r.plan->n_moments / 2];
        assert_true(s->held - s->pooled >= r.plan->logical[r.plan->n_moments / 2]);
    }
    run_end(&r);
}

/* From the heap alone, with no trimming, the pool keeps what it once had; trimmed it does not. */
static void what_is_freed_stays_in_the_pool(void **state)
{
    (void)state;
    static const char *const heap_alone[] = {"MALLOC_MMAP_MAX_=0",
                                             "MALLOC_TRIM_THRESHOLD_=1000000000"};
    run r;
    start_wide(&r, 100, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF,
                           .way = HW_REPLAY_MALLOC,
                           .passes = 1,
                           .setting = heap_alone,
                           .n_settings = 2};
    expect_replayed(&r, &q);
    if (!r.result.has_own) { /* sanitizers bring their own malloc() */
        run_end(&r);
        skip();
    }
    uint64_t peak = hw_replay_peak(r.plan);
    const hw_replay_sample *end = &r.result.sample[r.result.n_samples - 1];
    assert_true(end->pooled >= peak);
    assert_true(end->resident - r.result.before.resident >= peak - 64 * page_bytes());
    q.trim = true;
    expect_replayed(&r, &q);
    end = &r.result.sample[r.result.n_samples - 1];
    assert_true(end->resident - r.result.before.resident <= 64 * page_bytes());
    run_end(&r);
}

/* What the caller's environment has for allocators does not reach the child. */
static void the_callers_environment_stays_outside(void **state)
{
    (void)state;
    run r;
    start_wide(&r, 100, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MALLOC, .passes = 1};
    assert_int_equal(setenv("MALLOC_MMAP_MAX_", "0", 1), 0);
    assert_int_equal(setenv("MALLOC_TRIM_THRESHOLD_", "1000000000", 1), 0);
    expect_replayed(&r, &q);
    assert_int_equal(unsetenv("MALLOC_MMAP_MAX_"), 0);
    assert_int_equal(unsetenv("MALLOC_TRIM_THRESHOLD_"), 0);
    if (r.result.has_own) /* as in the test above it would be the peak */
        assert_true(r.result.sample[r.result.n_samples - 1].held < hw_replay_peak(r.plan) / 2);
    run_end(&r);
}

/* ---- An arena. ---- */

/* Blocks one after another: as high as all of them, and none spoils another. */
static uint64_t stack_up(const hw_replay_plan *plan, uint64_t *offset)
{
    uint64_t height = 0;
    for (uint32_t b = 0; b < plan->n_blocks; b++) {
        offset[b] = height;
        height += plan->block[b].size;
    }
    return height;
}

static void an_arena_is_never_higher_than_it_is(void **state)
{
    (void)state;
    run r;
    start_wide(&r, 60, HW_ALLOC_FIRST);
    uint64_t *offset = HW_NEW(uint64_t, r.plan->n_blocks), page = page_bytes();
    assert_non_null(offset);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_ARENA, .passes = 2, .offset = offset};
    q.height = stack_up(r.plan, offset);
    expect_replayed(&r, &q);
    for (size_t i = 0; !SANITIZED && i < r.result.n_samples; i++)
        assert_true(pages_over_baseline(&r.result, i) <=
                    (int64_t)((q.height + page - 1) / page) + SLACK_PAGES);
    if (!SANITIZED) /* each page has been written to by the end, and stays */
        assert_true(pages_over_baseline(&r.result, r.result.n_samples - 1) >=
                    (int64_t)(q.height / page));
    q.release = true;
    expect_replayed(&r, &q);
    for (size_t i = 0; !SANITIZED && i < r.result.n_samples; i++) {
        uint64_t logical = r.plan->logical[i % r.plan->n_moments];
        /* Pages that a block shares with others are not released: two a block. */
        assert_true(r.result.sample[i].resident - r.result.before.resident <=
                    logical + page * (2 * (uint64_t)r.plan->n_blocks + SLACK_PAGES));
    }
    free(offset);
    run_end(&r);
}

/* Two blocks alive at once at one address: the replay finds out. */
static void overlapping_blocks_are_found(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1, 2};
    static const uint64_t offset[] = {0, 4096, 20000};
    run r;
    run_start(&r,
              lines_graph("t 0 10000 a; t 1 10000 a; t 2 10 o; v 0 - > 0; v 1 - > 1; v 2 0,1 > 2"),
              HW_ALLOC_FIRST, in_turn, false);
    hw_replay_request q = {
        .program = SELF, .way = HW_REPLAY_ARENA, .passes = 1, .offset = offset, .height = 20010};
    assert_int_equal(replayed(&r, &q), HW_CHECK_FAILED);
    assert_non_null(strstr(r.err.message, "at step 2 (node 2), at a block of 10000 bytes"));
    q.touch = HW_REPLAY_READ; /* nothing is written, so nothing is lost */
    assert_int_equal(replayed(&r, &q), HW_OK);
    run_end(&r);
}

/* ---- Constants. ---- */

static void constants_stay_through_all_passes(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1};
    run r;
    run_start(&r, lines_graph("t 0 1000000 c; t 1 500000 a; t 2 9 o; v 0 0 > 1; v 1 1 > 2"),
              HW_ALLOC_FIRST, in_turn, true);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MMAP, .passes = 3};
    expect_replayed(&r, &q);
    for (size_t i = 0; !SANITIZED && i < r.result.n_samples; i++)
        assert_true(pages_over_baseline(&r.result, i) >= (int64_t)(1000000 / page_bytes()));
    assert_int_equal(r.plan->logical[r.plan->n_moments - 1], 1000000);
    run_end(&r);
}

/* ---- What goes wrong. ---- */

static void memory_that_is_refused(void **state)
{
    (void)state;
    static const uint32_t in_turn[] = {0, 1};
    run r;
    if (SANITIZED)
        skip();
    run_start(&r, lines_graph("t 0 9000 a; t 1 9000000000000000000 o; v 5 - > 0; v 6 0 > 1"),
              HW_ALLOC_FIRST, in_turn, false);
    for (hw_replay_way way = HW_REPLAY_MALLOC; way <= HW_REPLAY_MMAP; way++) {
        hw_replay_request q = {.program = SELF, .way = way, .passes = 1};
        assert_int_equal(replayed(&r, &q), HW_LIMIT);
        assert_non_null(strstr(r.err.message,
                               "at step 1 (node 6), at a block of 9000000000000000000 "
                               "bytes"));
        assert_int_equal(r.result.n_samples, 3); /* what was seen before it */
    }
    run_end(&r);
}

static void a_limit_of_the_child(void **state)
{
    (void)state;
    run r;
    if (SANITIZED)
        skip();
    start_wide(&r, 60, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MMAP, .passes = 1};
    uint64_t paged;
    assert_int_equal(hw_replay_paged_peak(r.plan, page_bytes(), &paged, NULL), HW_OK);
    q.limit = paged + 64 * page_bytes();
    expect_replayed(&r, &q);
    q.limit = paged - 64 * page_bytes();
    assert_int_equal(replayed(&r, &q), HW_LIMIT);
    assert_true(r.result.n_samples < r.plan->n_moments);
    run_end(&r);
}

static void a_stop_kills_the_child(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    run r;
    start_wide(&r, 200, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MMAP, .passes = 10000, .stop = &stop};
    assert_int_equal(replayed(&r, &q), HW_STOPPED);
    assert_true(r.result.n_samples < r.plan->n_moments * 10000);
    run_end(&r);
}

static void programs_that_are_none(void **state)
{
    (void)state;
    run r;
    start_wide(&r, 10, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = "/no/such/program", .way = HW_REPLAY_MMAP, .passes = 1};
    assert_int_equal(replayed(&r, &q), HW_IO);
    assert_string_equal(r.err.message, "cannot start /no/such/program: No such file or directory");
    q.program = "/bin/true";
    assert_int_equal(replayed(&r, &q), HW_IO);
    assert_non_null(strstr(r.err.message, "/bin/true does not know"));
    q.program = "/bin/false";
    assert_int_equal(replayed(&r, &q), HW_IO);
    assert_non_null(strstr(r.err.message, "exit status 1"));
    q.program = SELF;
    q.passes = UINT32_MAX;
    assert_int_equal(replayed(&r, &q), HW_USAGE);
    run_end(&r);
}

static void libraries_that_are_none(void **state)
{
    (void)state;
    run r;
    if (SANITIZED) /* which want to come before any other library */
        skip();
    start_wide(&r, 10, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MALLOC, .passes = 1};
    q.preload = "libno-such-allocator.so.1";
    assert_int_equal(replayed(&r, &q), HW_USAGE);
    assert_non_null(strstr(r.err.message, "libno-such-allocator.so.1 cannot be preloaded"));
    q.preload = "libm.so.6";
    assert_int_equal(replayed(&r, &q), HW_USAGE);
    assert_non_null(strstr(r.err.message, "malloc() is still from"));
    q.preload = "a b";
    assert_int_equal(replayed(&r, &q), HW_USAGE);
    run_end(&r);
}

static void mimalloc_serves_when_preloaded(void **state)
{
    (void)state;
    const char *file = NULL, *package = NULL;
    run r;
    if (SANITIZED)
        skip();
    assert_true(hw_replay_library("mimalloc", &file, &package));
    assert_false(hw_replay_library("no-such", &file, &package));
    start_wide(&r, 60, HW_ALLOC_FIRST);
    hw_replay_request q = {
        .program = SELF, .way = HW_REPLAY_MALLOC, .passes = 2, .preload = file, .trim = true};
    expect_replayed(&r, &q);
    assert_non_null(strstr(r.result.served_by, "libmimalloc.so.2"));
    assert_false(r.result.has_own);
    run_end(&r);
}

/* What a program is told that runs its own work as a child: or it would start itself for ever. */
static void a_child_starts_no_child(void **state)
{
    (void)state;
    run r;
    start_wide(&r, 10, HW_ALLOC_FIRST);
    hw_replay_request q = {.program = SELF, .way = HW_REPLAY_MALLOC, .passes = 1};
    assert_int_equal(setenv(HW_REPLAY_CHILD_MARK, "1", 1), 0);
    assert_int_equal(replayed(&r, &q), HW_USAGE);
    assert_non_null(strstr(r.err.message, "hw_replay_child()"));
    assert_int_equal(unsetenv(HW_REPLAY_CHILD_MARK), 0);
    assert_int_equal(replayed(&r, &q), HW_OK);
    run_end(&r);
}

/* ---- A head that does not fit its file. ---- */

static void a_broken_head_is_refused(void **state)
{
    (void)state;
    hw_replay_head head = {.magic = HW_REPLAY_MAGIC,
                           .n_events = 3,
                           .n_moments = 2,
                           .n_blocks = 1,
                           .passes = 1,
                           .page_bytes = 4096};
    hw_replay_share share;
    size_t bytes = hw_replay_share_lay(&head);
    char *memory = calloc(1, bytes);
    assert_non_null(memory);
    memcpy(memory, &head, sizeof head);
    assert_true(hw_replay_share_open(memory, bytes, &share));
    assert_false(hw_replay_share_open(memory, bytes - 1, &share));
    assert_false(hw_replay_share_open(memory, 8, &share));
    head.n_events = UINT64_MAX;
    memcpy(memory, &head, sizeof head);
    assert_false(hw_replay_share_open(memory, bytes, &share));
    assert_int_equal(hw_replay_share_lay(&head), 0);
    free(memory);
}

static void free_memory_is_known(void **state)
{
    (void)state;
    uint64_t bytes = hw_replay_free_bytes();
    assert_true(bytes > 0);
    assert_true(bytes / page_bytes() <= (uint64_t)sysconf(_SC_PHYS_PAGES));
}

int main(int argc, char **argv)
{
    int status;
    if (hw_replay_child(argc, argv, &status))
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resident_is_what_is_mapped),
        cmocka_unit_test(pages_that_are_only_read_are_not_resident),
        cmocka_unit_test(in_place_blocks_keep_what_they_hold),
        cmocka_unit_test(resident_is_no_less_than_live),
        cmocka_unit_test(what_is_freed_stays_in_the_pool),
        cmocka_unit_test(the_callers_environment_stays_outside),
        cmocka_unit_test(an_arena_is_never_higher_than_it_is),
        cmocka_unit_test(overlapping_blocks_are_found),
        cmocka_unit_test(constants_stay_through_all_passes),
        cmocka_unit_test(memory_that_is_refused),
        cmocka_unit_test(a_limit_of_the_child),
        cmocka_unit_test(a_stop_kills_the_child),
        cmocka_unit_test(programs_that_are_none),
        cmocka_unit_test(libraries_that_are_none),
        cmocka_unit_test(mimalloc_serves_when_preloaded),
        cmocka_unit_test(a_child_starts_no_child),
        cmocka_unit_test(a_broken_head_is_refused),
        cmocka_unit_test(free_memory_is_known),
    };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL) != 0;
}
