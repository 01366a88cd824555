/* CSV files of buffers: what they say, what is refused, and round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"
#include "support_arena.h"
#include "support_io.h"
#include "support_random.h"

#define HEAD "id,lower,upper,size\n"

static void refused_with_file_line_and_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "is empty"},
        {"id,lower,size\n", "text:1: no column upper"},
        {"id,lower,upper,size,size\n", "a second column \"size\""},
        {"id,lower,upper,size,x,x\n", "a second column \"x\""},
        {"id,lower,upper,size,end\n", "a second column \"end\""},
        {HEAD "a,0,1\n", "text:2: 3 fields, but the head line names 4 columns"},
        {HEAD "a,0,1,2,3\n", "text:2: 5 fields"},
        {HEAD ",0,1,2\n", "an empty id"},
        {HEAD "a,0,1,-2\n", "no number from 0 to 2^64-1: \"-2\""},
        {HEAD "a,0,1,1.5\n", "\"1.5\""},
        {HEAD "a,0,1,18446744073709551616\n", "\"18446744073709551616\""},
        {HEAD "a,0,1,18446744073709551615\n", "may pass 2^64-1 in sum"},
        {HEAD "a,0,1,9223372036854775808\nb,1,2,9223372036854775807\n", "text:3: with buffer b"},
        {HEAD "a,x,1,2\n", "no tick from -2^62 to 2^62: \"x\""},
        {HEAD "a,0,4611686018427387905,2\n", "no tick"},
        {HEAD "a,3,3,2\n", "no tick between lower and upper of \"a\""},
        {HEAD "a,3,2,2\n", "no tick between"},
        {HEAD "a,0,1,2\nb,0,1,2\na,0,1,2\n", "two buffers have the id \"a\""},
        {HEAD "a,0,1,2", "ends in the middle of a line"},
        {HEAD "a\tb,0,1,2\n", "a control byte in id"},
        {"id,lower,upper,size,alignment\na,0,1,2,0\n", "alignment 0 is 0 or does not divide"},
        {"id,lower,upper,size,alignment,offset\na,0,1,2,4,6\n", "does not divide the fixed offset"},
        {"id,lower,upper,size,alignment\na,0,1,2,18446744073709551615\n", "may pass 2^64-1"},
        {"id,lower,upper,size,offset\na,0,1,2,18446744073709551614\n", "may pass 2^64-1"},
        {"id,lower,upper,size,offset\na,0,1,2,18446744073709551615\n", "may pass 2^64-1"},
        {"id,lower,upper,size,offset\na,0,2,2,0\nb,1,2,2,1\n", "a and b have fixed offsets that"},
        {"id,lower,upper,size,gaps\na,0,9,2,1\n", "no gap: \"1\""},
        {"id,lower,upper,size,gaps\na,0,9,2,1-2@1:2\n", "from the middle"},
        {"id,lower,upper,size,gaps\na,0,9,2,1-3 2-4\n", "within the life, in order, apart"},
        {"id,lower,upper,size,gaps\na,0,9,2,8-10\n", "within the life"},
        {"id,lower,upper,size,gaps\na,0,9,2,1-3@0:3\n", "no more than its size"},
        {"id,lower,upper,size,gaps\na,0,9,2,1-2x\n", "no gap"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hw_input in;
        hw_arena *a = NULL;
        hw_error err = {0};
        assert_int_equal(hw_input_memory(&in, cases[i].text, strlen(cases[i].text), "text", &err),
                         HW_OK);
        if (hw_arena_read_input(&in, &a, &err) != HW_BAD_INPUT)
            fail_msg("case %zu is taken", i);
        if (!strstr(err.message, cases[i].message))
            fail_msg("case %zu: %s", i, err.message);
        hw_input_close(&in);
    }
    hw_input in;
    hw_arena *a = NULL;
    hw_error err = {0};
    static const char nul[] = HEAD "a\0b,0,1,2\n";
    assert_int_equal(hw_input_memory(&in, nul, sizeof nul - 1, "text", &err), HW_OK);
    assert_int_equal(hw_arena_read_input(&in, &a, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "NUL"));
    hw_input_close(&in);
}

static void columns_stand_in_any_order_and_have_other_names(void **state)
{
    (void)state;
    hw_arena *a = text_arena("\xef\xbb\xbf"
                             "hint,size,end,start,buffer_id,more\r\n"
                             "-1,5,3,-2,x,y\r\n\r\n");
    assert_int_equal(a->n_buffers, 1);
    assert_int_equal(a->buffer[0].lower, -2);
    assert_int_equal(a->buffer[0].upper, 4); /* the last tick counts in a column `end` */
    assert_int_equal(a->buffer[0].size, 5);
    assert_int_equal(a->buffer[0].alignment, 1);
    assert_true(a->buffer[0].fixed == HW_ARENA_FREE);
    assert_string_equal(a->label[0], "x");
    hw_arena_free(a);
}

static void gaps_alignments_and_fixed_offsets_are_read(void **state)
{
    (void)state;
    hw_arena *a = text_arena("id,lower,upper,size,alignment,gaps,offset\n"
                             "x,0,10,8,4,2-3 5-7@0:3,12\n"
                             "y,2,3,20,1,,\n");
    assert_int_equal(a->buffer[0].n_spans, 4);
    assert_int_equal(a->buffer[0].fixed, 12);
    assert_true(a->buffer[1].fixed == HW_ARENA_FREE);
    assert_int_equal(a->load, 20);
    assert_int_equal(a->load_at, 2);
    assert_int_equal(a->bound, 20); /* as the fixed one does: 12 + 8 */
    assert_int_equal(hw_arena_distance(a, 0, 1), 0);
    hw_arena_free(a);
}

static char *written(const hw_arena *a, const uint64_t *offset)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hw_arena_write(a, offset, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void what_is_written_reads_the_same(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int round = 0; round < 2000; round++) {
        const arena_shape shape = {
            1 + random_below(&seed, 8), 1 + random_below(&seed, 9), 9,
            random_chance(&seed, 0.5),  random_chance(&seed, 0.5),  random_chance(&seed, 0.5)};
        hw_arena *a = random_arena(&seed, &shape);
        if (!a)
            continue;
        char *text = written(a, NULL);
        hw_arena *b = text_arena(text);
        assert_int_equal(a->n_buffers, b->n_buffers);
        assert_int_equal(a->n_spans, b->n_spans);
        assert_int_equal(a->load, b->load);
        for (uint32_t i = 0; i < a->n_buffers; i++) {
            assert_int_equal(a->buffer[i].size, b->buffer[i].size);
            assert_int_equal(a->buffer[i].alignment, b->buffer[i].alignment);
        }
        for (uint32_t i = 0; i < a->n_spans; i++)
            assert_memory_equal(&a->span[i], &b->span[i], sizeof *a->span);
        char *again = written(b, NULL);
        assert_string_equal(text, again);
        free(text);
        free(again);
        hw_arena_free(a);
        hw_arena_free(b);
    }
}

static void offsets_are_read_by_id(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"offset,id\n7,b\n3,a\n", NULL},
        {"id,offset\na,1\n", "no offset for buffer b"},
        {"id,offset\na,1\nc,2\n", "no buffer has the id \"c\""},
        {"id,offset\na,1\na,2\n", "a second offset for \"a\""},
        {"id,offset\na,1\nb,\n", "no number"},
        {"id,lower\na,1\n", "no column offset"},
        {"offset\n1\n", "no column id"},
    };
    hw_arena *a = text_arena(HEAD "a,0,1,2\nb,0,1,2\n");
    char *folder = make_folder(), *path = path_in(folder, "offsets.csv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t offset[2];
        hw_error err = {0};
        assert_true(write_text(path, cases[i].text));
        hw_code code = hw_arena_read_offsets(path, a, offset, &err);
        assert_int_equal(code, cases[i].message ? HW_BAD_INPUT : HW_OK);
        if (cases[i].message && !strstr(err.message, cases[i].message))
            fail_msg("case %zu: %s", i, err.message);
        if (!cases[i].message)
            assert_true(offset[0] == 3 && offset[1] == 7);
    }
    free(path);
    remove_folder(folder);
    hw_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_with_file_line_and_reason),
        cmocka_unit_test(columns_stand_in_any_order_and_have_other_names),
        cmocka_unit_test(gaps_alignments_and_fixed_offsets_are_read),
        cmocka_unit_test(what_is_written_reads_the_same),
        cmocka_unit_test(offsets_are_read_by_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
