/* Memory of the libraries that igraph brings along, which the program around may have set. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "io/igraph_late.h"
#include "tests/support_generate.h"

static void *own_allocate(size_t n)
{
    return malloc(n);
}

static void *own_resize(void *block, size_t before, size_t n)
{
    (void)before;
    return realloc(block, n);
}

static void own_release(void *block, size_t n)
{
    (void)n;
    free(block);
}

/* GNU MP for Python does so.  Blocks of its functions are held, which no others could release. */
static void functions_of_the_program_stay(void **state)
{
    (void)state;
    void *(*gmp_allocate)(size_t);
    void *(*xml_allocate)(size_t);
    const hw_igraph_functions *f = &hw_igraph;
    assert_int_equal(hw_igraph_load(NULL), HW_OK);
    if (!f->gmp_set_memory || !f->gmp_get_memory || !f->xml_set_memory || !f->xml_get_memory) {
        print_message("skipped: igraph comes without GNU MP or libxml2 here\n");
        skip();
    }
    f->gmp_set_memory(own_allocate, own_resize, own_release);
    assert_int_equal(f->xml_set_memory(free, own_allocate, realloc, strdup), 0);
    hw_graph_free(test_instance("randwire:n=20", 0));
    f->gmp_get_memory(&gmp_allocate, NULL, NULL);
    assert_int_equal(f->xml_get_memory(NULL, &xml_allocate, NULL, NULL), 0);
    assert_true(gmp_allocate == own_allocate);
    assert_true(xml_allocate == own_allocate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_of_the_program_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
