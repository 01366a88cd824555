/*
 * Running another program: an argument vector, never a shell.
 */
#ifndef HW_IO_PROGRAM_H
#define HW_IO_PROGRAM_H

#include <stdbool.h>

#include "core/error.h"

/* Is there an executable file of this name in PATH?  O(folders of PATH). */
bool hw_program_present(const char *name);

/*
 * That file, released by free(); a name with a slash stands for itself.  NULL:
 * none, or (errno is ENOMEM) no memory.
 */
char *hw_program_in_path(const char *name);

/*
 * The file of a program that belongs to highwater: beside the program that
 * runs, in ../libexec/highwater or ../lib/highwater from there, in the folder
 * above (where tests run); in the same places as seen from the shared library;
 * in the libexecdir of the build; or in PATH.  So whatever was installed finds
 * it after a move too.  Released by free(); NULL: none, or (errno is ENOMEM) no
 * memory.
 */
char *hw_program_find(const char *name);

/*
 * Run argument[0], looked up in PATH unless it names a folder, with its standard
 * input, output and error on three open files, LC_ALL=C, TZ=UTC0, GNUTERM unset
 * and no signal blocked, and wait for its end; *status is as waitpid() gives it.
 * The program is killed when the thread that runs it ends before.  argument[]
 * ends with NULL.  `package` is what a message tells to install when the program
 * is missing.  HW_IO: missing, or cannot be started.  HW_NO_MEMORY.
 */
hw_code hw_program_run(const char *const *argument, const char *package, const int file[3],
                       int *status, hw_error *err);

/* Asked every few milliseconds while a program runs: shall it end? */
typedef struct hw_program_watch {
    bool (*over)(void *context);
    void *context;
} hw_program_watch;

/*
 * The same, but killed as soon as the watch says so; then *killed is true and
 * *status tells of the signal.  watch may be NULL.
 */
hw_code hw_program_run_watched(const char *const *argument, const char *package, const int file[3],
                               const hw_program_watch *watch, int *status, bool *killed,
                               hw_error *err);

#endif
