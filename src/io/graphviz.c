/* Running dot.  See graphviz.h. */
#include "io/graphviz.h"

#include <errno.h>
#include <string.h>

#include "io/drawing.h"
#include "io/drawn_text.h"

/* The first line that is an error, else the first one. */
static void read_complaint(FILE *complaints, char text[HW_COMPLAINT_BYTES])
{
    char line[HW_COMPLAINT_BYTES];
    text[0] = '\0';
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        bool is_error = strncmp(line, "Error", 5) == 0;
        if (!*text || is_error)
            memcpy(text, line, strlen(line) + 1);
        if (is_error)
            return;
    }
}

hw_code hw_graphviz_render(const char *script, const char *path, const hw_program_watch *watch,
                           hw_error *err)
{
    static const char *const svg[] = {"dot", "-Tsvg", NULL};
    static const char *const pdf[] = {"dot", "-Tpdf", NULL};
    static const char *const png[] = {"dot", "-Tpng", NULL};
    hw_drawer drawer = {
        .argument = svg, .package = "graphviz", .read_complaint = read_complaint, .watch = watch};
    hw_code code = hw_drawing_check_ending(path, err);
    if (code != HW_OK)
        return code;
    if (strcmp(hw_drawing_ending(path), ".pdf") == 0)
        drawer.argument = pdf;
    else if (strcmp(hw_drawing_ending(path), ".png") == 0)
        drawer.argument = png;
    FILE *file = hw_drawing_scratch(err);
    if (!file)
        return HW_IO;
    if (fputs(script, file) == EOF)
        code = hw_fail(err, HW_IO, "cannot write a temporary file: %s", strerror(errno));
    if (code == HW_OK)
        code = hw_drawing_make(&drawer, file, path, err);
    (void)fclose(file);
    return code;
}

static void put_character(FILE *out, const char *character, size_t length)
{
    switch (*character) {
    case '&':
        (void)fputs("&amp;", out);
        break;
    case '<':
        (void)fputs("&lt;", out);
        break;
    case '>':
        (void)fputs("&gt;", out);
        break;
    case '"':
        (void)fputs("&quot;", out);
        break;
    case '\\': /* \N and its like mean something here too, a doubled one itself */
        (void)fputs("\\\\", out);
        break;
    default:
        (void)fwrite(character, 1, length, out);
    }
}

void hw_graphviz_put_text(FILE *out, const char *text, size_t columns)
{
    hw_drawn_put(out, text, columns, put_character);
}
