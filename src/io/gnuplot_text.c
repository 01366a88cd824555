/* Names inside gnuplot scripts.  See gnuplot_text.h. */
#include "io/gnuplot_text.h"

#include "io/drawn_text.h"

size_t hw_gnuplot_characters(const char *text)
{
    return hw_drawn_characters(text);
}

static void put_character(FILE *out, const char *character, size_t length)
{
    if (*character == '\'')
        (void)fputs("\xe2\x80\x99", out);
    else
        (void)fwrite(character, 1, length, out);
}

static void put_tic_character(FILE *out, const char *character, size_t length)
{
    if (*character == '%')
        (void)fputc('%', out);
    put_character(out, character, length);
}

void hw_gnuplot_put_tic(FILE *out, const char *text, size_t columns)
{
    hw_drawn_put(out, text, columns, put_tic_character);
}

void hw_gnuplot_put_text(FILE *out, const char *text, size_t columns)
{
    hw_drawn_put(out, text, columns, put_character);
}
