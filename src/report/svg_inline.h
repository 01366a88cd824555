/* A drawing from a file as part of a page. */
#ifndef HW_REPORT_SVG_INLINE_H
#define HW_REPORT_SVG_INLINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/*
 * Write the SVG document of n bytes as an element of a page, with `label` for
 * those who cannot see it; every id gets `prefix` before it, here and where it
 * is referred to, for gnuplot gives all its drawings the same ones.
 *
 * The file is not trusted: elements and attributes that only draw pass, by
 * name; scripts, styles, links, event handlers and every reference outside of
 * the document stay out, and *left_out counts them.  HW_BAD_INPUT: no
 * well-formed SVG, with the byte at which it is not; the caller drops what was
 * written by then.  Write errors stay in the stream.  O(n).
 */
hw_code hw_svg_inline(const char *text, size_t n, const char *prefix, const char *label, FILE *out,
                      uint64_t *left_out, hw_error *err);

#endif
