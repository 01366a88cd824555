/*
 * Put before each file of highwater-check (-include), this turns what ends the
 * program, its memory, files and output into calls of check_inside.c.  The
 * sources stay as they are.
 */
#include "tests/fuzz/check_calls.h"

#define main    check_main
#define exit    check_exit
#define malloc  check_malloc
#define calloc  check_calloc
#define realloc check_realloc
#define free    check_free
#define fopen   check_fopen
#define fclose  check_fclose
#define getline check_getline
#undef stdout
#undef stderr
#define stdout      check_out
#define stderr      check_out
#define printf(...) fprintf(check_out, __VA_ARGS__)
