/*
 * The one style of all plots: colours, lines, marks, axes, texts.  See
 * gnuplot.h; `highwater plot --style` prints it for scripts of one's own.
 *
 * Colours are those of Okabe and Ito (2008), told apart by all common kinds of
 * colour vision.  In grey the dashes and marks of a line say what its colour
 * says; the palette of heat maps gets darker all the way.  The ground is white
 * and opaque, so that a picture reads the same on light and dark pages.
 */
#include "io/gnuplot.h"

static const char *const style =
    "# Colours by what they stand for: memory that lives, that a step uses, and the rest.\n"
    "paper = '#ffffff'\n"
    "ink = '#202020'\n"
    "faint = '#505050'\n"
    "frame = '#404040'\n"
    "rule = '#d8d8d8'\n"
    "other = '#808080'\n"
    "mark = '#d55e00'\n"
    "area = '#d9e8f4'\n"
    "live = '#0072b2'\n"
    "usage = '#d55e00'\n"
    "usage_area = '#f0a36b'\n" /* light enough for names on it */
    "other_area = '#9cc9e3'\n"
    "other_text = '#3c82ab'\n" /* the same hue, dark enough to read */
    "shared_band = '#eeeeee'\n"
    "wrong_band = '#f6cdb3'\n"
    "right_band = '#bfe8dc'\n"
    "target = '#00694d'\n"
    "# Lines 1 to 96: the colours in turn, with dashes and marks of their own.\n"
    "colours = '#0072b2 #d55e00 #009e73 #cc79a7 #000000 #e69f00 #56b4e9 #8a6d00'\n"
    "marks = '7 5 9 11 13 6 4 8 10 12 1 2'\n"
    "set dashtype 12 (9,3)\n"
    "set dashtype 13 (3,3)\n"
    "set dashtype 14 (9,3,2,3)\n"
    "dash(i) = i % 4 == 1 ? 1 : 11 + (i - 1) % 4\n"
    "do for [i = 1:96] {\n"
    "    set style line i linecolor rgb word(colours, (i - 1) % 8 + 1) linewidth 1.6 "
    "dashtype dash(i + (i - 1) / 8) pointtype int(word(marks, (i - 1) % 12 + 1)) pointsize 0.7\n"
    "}\n"
    "set style line 100 linecolor rgb rule linewidth 0.6 dashtype 1\n"
    "set style line 101 linecolor rgb frame linewidth 0.8 dashtype 1\n"
    "# Light to dark.\n"
    "set palette defined (0 '#f4f8fb', 1 '#c9dff0', 2 '#7fb6da', 3 '#3182b8', 4 '#0b4f86', "
    "5 '#04264a')\n"
    "# Axes, grid, key, boxes of text.\n"
    "set encoding utf8\n"
    "if (GPVAL_VERSION >= 5.4) set micro\n"
    "set border 3 linestyle 101\n"
    "set tics nomirror out scale 0.6 textcolor rgb ink\n"
    "set grid xtics ytics linestyle 100\n"
    "set key Left reverse samplen 2.4 spacing 1.15 textcolor rgb ink\n"
    "set style textbox opaque fillcolor rgb paper noborder margins 0.3,0.1\n"
    "set style fill solid 1 noborder\n";

void hw_gnuplot_put_style(FILE *out)
{
    (void)fputs(style, out);
}
