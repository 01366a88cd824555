/* The entries of a folder, one by one. */
#ifndef HW_IO_FOLDER_H
#define HW_IO_FOLDER_H

#include <dirent.h>

#include "core/error.h"

/*
 * The next entry of an open folder, `name` in messages, into *entry; NULL at the
 * end.  HW_IO: the folder cannot be read to its end.
 */
hw_code hw_folder_next(DIR *folder, const char *name, const struct dirent **entry, hw_error *err);

#endif
