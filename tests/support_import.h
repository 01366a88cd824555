/* Files of other formats, for tests. */
#ifndef HW_TESTS_SUPPORT_IMPORT_H
#define HW_TESTS_SUPPORT_IMPORT_H

#include "import/import.h"

/* A row by its name; an unknown one fails the running test. */
const hw_importer *importer_named(const char *name);

/* The row that tells the bytes, NULL: none; told as a head of the file or as all of it. */
const hw_importer *importer_of(const char *bytes, size_t n, bool whole);

/* n bytes at a row, as the file "test"; options: NULL, nothing is asked for.  report: may be NULL.
 */
hw_code import_bytes(const hw_importer *importer, const char *bytes, size_t n,
                     const hw_import_options *options, hw_import_report *report, hw_graph **out,
                     hw_error *err);

/* The graph of a text; a refusal fails the running test. */
hw_graph *import_text(const char *name, const char *text);

/* Do the notes of a report have one with these words? */
bool has_note(const hw_import_report *report, const char *words);

#endif
