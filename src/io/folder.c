/* Entries of folders.  See folder.h. */
#include "io/folder.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

hw_code hw_folder_next(DIR *folder, const char *name, const struct dirent **entry, hw_error *err)
{
    errno = 0; /* alone tells the end from a failure */
    *entry = readdir(folder);
    if (*entry || errno == 0)
        return HW_OK;
    return hw_fail(err, HW_IO, "%s: cannot read the folder: %s", name, strerror(errno));
}
