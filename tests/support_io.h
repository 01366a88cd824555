/* Files and formats, for tests.  Everything returned is the caller's. */
#ifndef HW_TESTS_SUPPORT_IO_H
#define HW_TESTS_SUPPORT_IO_H

#include "io/io.h"

/* The bytes of a file with a NUL after them, or NULL. */
char *file_bytes(const char *path, size_t *n_bytes);

/* The graph in a format, as bytes with a NUL after them, or NULL. */
char *graph_bytes(const hw_graph *g, hw_format format, size_t *n_bytes);

/*
 * Paths of the files of a folder with an ending, sorted, ended by NULL; one
 * block released by free_paths().  NULL: no such folder.
 */
char **folder_files(const char *folder, const char *ending);
void free_paths(char **paths);

/* A fresh folder for temporary files, and its removal with what is in it. */
char *make_folder(void);
void remove_folder(char *folder);

/* folder/name, released by free(). */
char *path_in(const char *folder, const char *name);

/* What `put` makes of a text of so many columns; NULL: it cannot be had. */
char *text_put(void (*put)(FILE *out, const char *text, size_t columns), const char *text,
               size_t columns);

/* Write text to a file; false when that fails. */
bool write_text(const char *path, const char *text);

/* Parse a NUL-terminated text. */
hw_code parse_text(const char *text, hw_graph **out, hw_error *err);

#endif
