/*
 * highwater-check as a function.  See check_inside.h.
 *
 * The program holds what it allocates to its end and leaves by exit(): here
 * every block and every file is noted, exit() jumps back, and what is left is
 * released.
 */
#define _GNU_SOURCE /* tdestroy */
#include "tests/fuzz/check_inside.h"

#include <jansson.h>
#include <search.h>
#include <setjmp.h>
#include <stdint.h>

#include "tests/fuzz/check_calls.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_FILES = 4 };

static struct {
    void *blocks; /* a tree of tsearch() */
    FILE *file[MOST_FILES];
    jmp_buf back;
    int status;
} run;

FILE *check_out;

_Noreturn void check_exit(int status)
{
    run.status = status;
    longjmp(run.back, 1);
}

/* ---- Memory. ---- */

static int by_address(const void *a, const void *b)
{
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static void *noted(void *block)
{
    if (block && !tsearch(block, &run.blocks, by_address))
        fuzz_fail("no memory to note a block");
    return block;
}

static void forgotten(void *block)
{
    if (block)
        (void)tdelete(block, &run.blocks, by_address);
}

void *check_malloc(size_t size)
{
    return noted(calloc(1, size)); /* gcc: what tsearch() looks at has a value */
}

void *check_calloc(size_t count, size_t size)
{
    return noted(calloc(count, size));
}

void *check_realloc(void *old, size_t size)
{
    forgotten(old);
    void *block = realloc(old, size);
    if (!block && size)
        fuzz_fail("out of memory");
    return noted(block);
}

void check_free(void *old)
{
    forgotten(old); /* or a block of the C library's, never noted */
    free(old);
}

ssize_t check_getline(char **line, size_t *room, FILE *in)
{
    forgotten(*line);
    ssize_t n = getline(line, room, in);
    (void)noted(*line);
    return n;
}

/* ---- Files. ---- */

FILE *check_fopen(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    for (size_t i = 0; file && i < MOST_FILES; i++)
        if (!run.file[i])
            return run.file[i] = file;
    if (file)
        fuzz_fail("more files than are to be expected");
    return NULL;
}

int check_fclose(FILE *file)
{
    for (size_t i = 0; i < MOST_FILES; i++)
        if (run.file[i] == file)
            run.file[i] = NULL;
    return fclose(file);
}

/* ---- One run. ---- */

static void called(char **argument)
{
    if (setjmp(run.back) == 0)
        run.status = check_main(4, argument);
}

int check_inside(const char *graph, const char *order, const char *proof, char text[CHECK_TEXT])
{
    /* main() takes arguments that it may change, and does not. */
    char *argument[] = {(char *)"highwater-check", (char *)graph, (char *)order, (char *)proof,
                        NULL};
    json_malloc_t before;
    json_free_t before_free;
    text[0] = '\0';
    check_out = fmemopen(text, CHECK_TEXT, "w");
    if (!check_out)
        fuzz_fail("no stream for what it says");
    json_get_alloc_funcs(&before, &before_free);
    json_set_alloc_funcs(check_malloc, check_free);
    called(argument);
    json_set_alloc_funcs(before, before_free);
    (void)fclose(check_out);
    text[CHECK_TEXT - 1] = '\0';
    for (size_t i = 0; i < MOST_FILES; i++)
        if (run.file[i])
            (void)check_fclose(run.file[i]);
    tdestroy(run.blocks, free);
    run.blocks = NULL;
    return run.status;
}
