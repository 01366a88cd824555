/* What highwater-check calls in place of the C library, as a function (check_program.h). */
#ifndef HW_TESTS_FUZZ_CHECK_CALLS_H
#define HW_TESTS_FUZZ_CHECK_CALLS_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

int check_main(int argc, char **argv); /* its main() */

_Noreturn void check_exit(int status);
void *check_malloc(size_t size);
void *check_calloc(size_t count, size_t size);
void *check_realloc(void *old, size_t size);
void check_free(void *old);
FILE *check_fopen(const char *path, const char *mode);
int check_fclose(FILE *file);
ssize_t check_getline(char **line, size_t *room, FILE *in);
extern FILE *check_out; /* both streams */

#endif
