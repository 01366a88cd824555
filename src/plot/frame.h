/*
 * The frame of a picture: title, caption, legend, and panels in rows.
 *
 * Its maker fills the first part, hw_frame_lay_out() the second; then
 * hw_frame_begin(), the axes, for each panel hw_frame_panel() and a command
 * `plot`, and hw_frame_end().  Everything is in pixels (96 to the inch).
 */
#ifndef HW_PLOT_FRAME_H
#define HW_PLOT_FRAME_H

#include <stdbool.h>
#include <stdio.h>

/*
 * What a picture is made for.  On a page of paper it has no title and no
 * caption: those are set by who includes it.
 */
typedef enum hw_plot_size {
    HW_PLOT_WEB,   /* 960 pixels wide                                     */
    HW_PLOT_PAGE,  /* 6.5 inches wide, text of 7.5 points                 */
    HW_PLOT_COLUMN /* 3.3 inches wide, one large panel or two small a row */
} hw_plot_size;

/* An entry of the legend. */
typedef struct hw_frame_key {
    const char *name;
    size_t style;     /* of a line, from 1 on                           */
    const char *look; /* in place of the style; NULL: as the style says */
} hw_frame_key;

typedef struct hw_frame {
    FILE *out;
    hw_plot_size size;
    const char *title, *caption, *x_label, *y_label;
    const char *y_format; /* of the tics of panels at the left; others have none */
    const hw_frame_key *keys;
    size_t n_keys, n_panels;
    unsigned names;        /* pixels for names on the y axis, 0: numbers   */
    unsigned beside;       /* pixels at the right of every panel           */
    unsigned right;        /* and at the right of all                      */
    unsigned panel_height; /* 0: as suits the size                         */
    unsigned least_width;  /* of a panel: more go into the next row; 0: as suits the size */
    bool own_scale;        /* every panel has tics of its own at its y axis */
    bool no_panel_titles;

    unsigned width, height, font;
    unsigned panel_width, columns, rows;
    unsigned left, top, across, down; /* first panel; from one panel to the next */
    unsigned key_width, key_columns, key_top;
} hw_frame;

void hw_frame_lay_out(hw_frame *f);

/* Title, caption and legend; afterwards axes are as the style has them. */
void hw_frame_begin(const hw_frame *f);

/* Margins, title and labels of panel i; `title` comes from a file. */
void hw_frame_panel(const hw_frame *f, size_t i, const char *title);

void hw_frame_end(const hw_frame *f);

/* A text that was read from a file, in quotes in which gnuplot runs nothing. */
void hw_frame_put_name(FILE *out, const char *name);
void hw_frame_put_tic(FILE *out, const char *name); /* the same for the label of a tic */

/* Pixels that a text takes at most, as long as a name is drawn. */
unsigned hw_frame_text_width(const char *text, unsigned font);

#endif
