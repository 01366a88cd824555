/*
 * A command as one line of text: its words, and a digest of the files that it
 * names.  No shell: no variables, no patterns, no escapes.
 */
#ifndef HW_IO_COMMAND_H
#define HW_IO_COMMAND_H

#include "core/error.h"

/*
 * The words of `text`: parted by blanks and tabs; what stands between '...' or
 * "..." is taken as it is.  *out ends with NULL and is released by one free().
 * HW_USAGE: no word, a quote that is not closed.  HW_NO_MEMORY.  O(length).
 */
hw_code hw_command_split(const char *text, char ***out, hw_error *err);

enum { HW_COMMAND_DIGEST = 13 };

/*
 * The first 12 hexadecimal digits of SHA-256 over the contents of all words
 * that name regular files as they stand ("./rule", "rule.py", not "python3",
 * which PATH finds); "" where none does.  HW_IO: one cannot be read.
 * HW_NO_MEMORY.  O(bytes of the files).
 */
hw_code hw_command_digest(char *const *words, char digest[HW_COMMAND_DIGEST], hw_error *err);

#endif
