/* Folders: that they are there, their entries one by one, fresh files in them. */
#ifndef HW_IO_FOLDER_H
#define HW_IO_FOLDER_H

#include <dirent.h>

#include "core/error.h"

/*
 * The next entry of an open folder, `name` in messages, into *entry; NULL at the
 * end.  HW_IO: the folder cannot be read to its end.
 */
hw_code hw_folder_next(DIR *folder, const char *name, const struct dirent **entry, hw_error *err);

/* "FOLDER/NAME", the caller's; NULL: no memory. */
char *hw_folder_path(const char *folder, const char *name);

/* Is the folder of which `path` is or would be an entry there, and may one write in it?  HW_IO. */
hw_code hw_folder_above(const char *path, hw_error *err);

/*
 * Is `path` (NULL: nothing is asked) a folder in which one may write, or can one
 * be made there?  HW_IO: neither.
 */
hw_code hw_folder_check(const char *path, hw_error *err);

/* Make a folder where there is none.  HW_IO: there is none to write in then, either. */
hw_code hw_folder_make(const char *path, hw_error *err);

/*
 * Make a file beside `path` that will take its place, PATH.PID-N.tmp, with the
 * permissions of any new one, and open it to read and write; its name, the
 * caller's, into *name.  -1: errno says why, and *name is NULL.
 */
int hw_folder_fresh(const char *path, char **name);

/*
 * Open a file to append to it, made if need be, that the program names in a
 * folder which others may have filled: what stands there has to be an ordinary
 * file, no link or pipe.  HW_IO.
 */
hw_code hw_folder_append(const char *path, int *file, hw_error *err);

#endif
