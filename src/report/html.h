/*
 * Text as HTML: everything that comes out of a file is escaped here.
 *
 * Graphs, suites and folders name things as they like; no name may become
 * markup, script or a reference.  Write errors stay in the stream.
 */
#ifndef HW_REPORT_HTML_H
#define HW_REPORT_HTML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * n bytes as text of an element or of a quoted attribute: & < > " ' as
 * references; control bytes but for tab and newline, and bytes that are not
 * UTF-8, as U+FFFD.  O(n).
 */
void hw_html_bytes(FILE *out, const char *text, size_t n);

/* The same up to the NUL; NULL is written as nothing. */
void hw_html_text(FILE *out, const char *text);

/* A whole number with commas: "24,000". */
void hw_html_count(FILE *out, uint64_t value);

/*
 * n bytes of JSON as the content of a script element of a data type: each <, >
 * and & as \u003c and its like.  In JSON these stand in strings alone.  O(n).
 */
void hw_html_json(FILE *out, const char *json, size_t n);

#endif
