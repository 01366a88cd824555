/* Where everything stands in a picture.  See frame.h. */
#include "plot/frame.h"

#include <string.h>

#include "io/gnuplot_text.h"

/* By size: pixels of the whole, of text, of a panel. */
static const struct {
    unsigned width, font, title, panel_height, least_width;
} sizes[] = {
    [HW_PLOT_WEB] = {960, 12, 17, 320, 300},
    [HW_PLOT_PAGE] = {624, 10, 12, 210, 230},
    [HW_PLOT_COLUMN] = {320, 10, 12, 190, 200},
};

enum { EDGE = 14, KEY_LINE = 34, NAME_COLUMNS = 40 };

/* Sans-serif letters are 0.6 of their height wide on the average, at most. */
unsigned hw_frame_text_width(const char *text, unsigned font)
{
    size_t characters = hw_gnuplot_characters(text);
    if (characters > NAME_COLUMNS)
        characters = NAME_COLUMNS;
    return (unsigned)(characters * font * 6 / 10);
}

static bool has_title(const hw_frame *f)
{
    return f->size == HW_PLOT_WEB && f->title && *f->title;
}

/* Bytes of the caption up to where a line of `columns` characters ends. */
static size_t line_end(const char *text, size_t columns)
{
    size_t end = 0, last = 0, seen = 0;
    while (text[end] && seen <= columns) {
        if (text[end] == ' ')
            last = end;
        seen += (text[end] & 0xc0) != 0x80;
        end++;
    }
    return text[end] && last ? last : end;
}

static size_t caption_columns(const hw_frame *f)
{
    return (size_t)(f->width - 2 * EDGE) * 10 / ((f->font - 1) * 11 / 2);
}

static unsigned caption_lines(const hw_frame *f)
{
    unsigned lines = 0;
    const char *at = has_title(f) && f->caption ? f->caption : "";
    for (; *at; lines++) {
        at += line_end(at, caption_columns(f));
        at += *at == ' ';
    }
    return lines;
}

static void lay_out_keys(hw_frame *f)
{
    unsigned widest = 0, room = f->width - 2 * EDGE;
    for (size_t i = 0; i < f->n_keys; i++) {
        unsigned wide = hw_frame_text_width(f->keys[i].name, f->font);
        widest = wide > widest ? wide : widest;
    }
    f->key_width = widest + KEY_LINE + 18;
    f->key_columns = room / f->key_width ? room / f->key_width : 1;
    if (f->key_columns > f->n_keys)
        f->key_columns = f->n_keys ? (unsigned)f->n_keys : 1;
    /* Rows of equal length look better than a last one with a single name. */
    unsigned rows = ((unsigned)f->n_keys + f->key_columns - 1) / f->key_columns;
    if (rows > 1)
        f->key_columns = ((unsigned)f->n_keys + rows - 1) / rows;
}

static unsigned key_rows(const hw_frame *f)
{
    return ((unsigned)f->n_keys + f->key_columns - 1) / f->key_columns;
}

void hw_frame_lay_out(hw_frame *f)
{
    unsigned panels = f->n_panels ? (unsigned)f->n_panels : 1;
    f->width = sizes[f->size].width;
    f->font = sizes[f->size].font;
    unsigned line = f->font + 4, axis = f->font * 13 / 2;
    unsigned least = f->least_width ? f->least_width : sizes[f->size].least_width;
    if (!f->panel_height)
        f->panel_height = sizes[f->size].panel_height;
    /* Tics with units ("100 ms") are longer than gnuplot takes them for. */
    f->left = f->names ? f->names : axis + (f->y_format ? f->font : 0);
    unsigned between = f->own_scale ? axis : f->font + 6;
    for (f->columns = panels; f->columns > 1; f->columns--)
        if (f->left + f->columns * (least + f->beside) + (f->columns - 1) * between + EDGE +
                f->right <=
            f->width)
            break;
    f->rows = (panels + f->columns - 1) / f->columns;
    f->columns = (panels + f->rows - 1) / f->rows;
    f->panel_width =
        (f->width - f->left - f->right - EDGE - (f->columns - 1) * between) / f->columns -
        f->beside;
    f->across = f->panel_width + f->beside + between;
    unsigned title = f->no_panel_titles ? f->font / 2 : line + 10;
    f->down = f->panel_height + title + 5 * line / 2 + 2;
    lay_out_keys(f);
    f->key_top = has_title(f) ? 38 + line * caption_lines(f) + 6 : 6;
    f->top = f->key_top + (key_rows(f) ? key_rows(f) * (line + 2) + 8 : 4) + title;
    f->height = f->top + (f->rows - 1) * f->down + f->panel_height + 3 * line + 4;
}

/* ---- Texts. ---- */

static void put_quoted(FILE *out, const char *text, size_t columns)
{
    (void)fputc('\'', out);
    hw_gnuplot_put_text(out, text, columns);
    (void)fputc('\'', out);
}

void hw_frame_put_name(FILE *out, const char *name)
{
    put_quoted(out, name, NAME_COLUMNS);
}

void hw_frame_put_tic(FILE *out, const char *name)
{
    (void)fputc('\'', out);
    hw_gnuplot_put_tic(out, name, NAME_COLUMNS);
    (void)fputc('\'', out);
}

static void put_caption(const hw_frame *f)
{
    enum { MOST_BYTES = 512 };
    char line[MOST_BYTES];
    unsigned y = 38 + f->font;
    for (const char *at = f->caption ? f->caption : ""; *at; y += f->font + 4) {
        size_t length = line_end(at, caption_columns(f));
        size_t kept = length < MOST_BYTES ? length : MOST_BYTES - 1;
        memcpy(line, at, kept);
        line[kept] = '\0';
        (void)fputs("set label ", f->out);
        put_quoted(f->out, line, MOST_BYTES);
        (void)fprintf(f->out, " at %d,%u left font ',%u' textcolor rgb faint\n", EDGE,
                      f->height - y, f->font - 1);
        at += length;
        at += *at == ' ';
    }
}

/* ---- The legend: a piece of line, a mark and a name each. ---- */

static void put_keys(const hw_frame *f)
{
    for (size_t i = 0; i < f->n_keys; i++) {
        unsigned x = EDGE + (unsigned)(i % f->key_columns) * f->key_width;
        unsigned row = (unsigned)(i / f->key_columns);
        unsigned y = f->height - f->key_top - row * (f->font + 6) - (f->font + 6) / 2;
        (void)fprintf(f->out, "$key%zu << EOD\n%u %u\n%u %u\n%u %u\nEOD\n", i, x, y,
                      x + KEY_LINE / 2 - 3, y, x + KEY_LINE - 6, y);
        (void)fputs("set label ", f->out);
        hw_frame_put_name(f->out, f->keys[i].name);
        (void)fprintf(f->out, " at %u,%u left font ',%u' textcolor rgb ink\n", x + KEY_LINE, y,
                      f->font);
    }
}

void hw_frame_begin(const hw_frame *f)
{
    (void)fprintf(f->out,
                  "set multiplot\nset lmargin at screen 0\nset rmargin at screen 1\n"
                  "set tmargin at screen 1\nset bmargin at screen 0\n"
                  "unset border\nunset tics\nunset grid\nunset key\n"
                  "set xrange [0:%u]\nset yrange [0:%u]\n",
                  f->width, f->height);
    if (has_title(f)) {
        (void)fputs("set label ", f->out);
        put_quoted(f->out, f->title, 200);
        (void)fprintf(f->out, " at %d,%u left font ',%u' textcolor rgb ink\n", EDGE, f->height - 22,
                      sizes[f->size].title);
        put_caption(f);
    }
    put_keys(f);
    (void)fputs("plot -1 with lines linecolor rgb paper notitle", f->out);
    for (size_t i = 0; i < f->n_keys; i++) {
        if (f->keys[i].look) {
            (void)fprintf(f->out, ", \\\n $key%zu %s notitle", i, f->keys[i].look);
            continue;
        }
        (void)fprintf(f->out,
                      ", \\\n $key%zu using 1:2 with lines linestyle %zu notitle, "
                      "'' every ::1::1 using 1:2 with points linestyle %zu notitle",
                      i, f->keys[i].style, f->keys[i].style);
    }
    (void)fprintf(
        f->out,
        "\nunset label\nset border 3 linestyle 101\n"
        "set xtics nomirror out scale 0.6 autofreq textcolor rgb ink font ',%u' offset 0,%s\n"
        "set ytics nomirror out scale 0.6 autofreq textcolor rgb ink font ',%u'\n"
        "set grid xtics ytics linestyle 100\nset xrange [*:*]\nset yrange [*:*]\n",
        f->font - 1, f->size == HW_PLOT_WEB ? "0" : "0.3", f->font - 1);
}

void hw_frame_panel(const hw_frame *f, size_t i, const char *title)
{
    size_t column = i % f->columns, row = i / f->columns;
    double left = f->left + (double)column * f->across, top = f->top + (double)row * f->down;
    (void)fprintf(f->out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  left / f->width, (left + f->panel_width) / f->width, 1 - top / f->height,
                  1 - (top + f->panel_height) / f->height);
    if (!f->no_panel_titles) {
        (void)fputs("set title ", f->out);
        hw_frame_put_name(f->out, title);
        (void)fprintf(f->out, " font ',%u' offset 0,-0.4 textcolor rgb ink\n", f->font + 1);
    }
    if (column == 0 || f->own_scale) {
        (void)fputs("set ylabel ", f->out);
        put_quoted(f->out, column == 0 && f->y_label ? f->y_label : "", 200);
        (void)fprintf(f->out, " font ',%u' offset 0.6 textcolor rgb ink\nset format y '%s'\n",
                      f->font, f->y_format ? f->y_format : "%g");
    } else {
        (void)fputs("unset ylabel\nset format y ''\n", f->out);
    }
    if (i + f->columns >= f->n_panels && f->x_label) {
        (void)fputs("set xlabel ", f->out);
        put_quoted(f->out, f->x_label, 200);
        (void)fprintf(f->out, " font ',%u' offset 0,%s textcolor rgb ink\n", f->font,
                      f->size == HW_PLOT_WEB ? "0.4" : "1");
    } else {
        (void)fputs("unset xlabel\n", f->out);
    }
}

void hw_frame_end(const hw_frame *f)
{
    (void)fputs("unset multiplot\n", f->out);
}
