/* Running gnuplot.  See gnuplot.h. */
#include "io/gnuplot.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "io/drawing.h"

/* ---- The script: terminal first. ---- */

hw_code hw_gnuplot_check_ending(const char *path, hw_error *err)
{
    return hw_drawing_check_ending(path, err);
}

/*
 * gnuplot's cairo terminals count points of 1/72 inch at 72 dots an inch, svg
 * counts pixels; the sizes below make text equally large in all three.
 */
static hw_code write_terminal(FILE *script, unsigned width_px, unsigned height_px, const char *path,
                              hw_error *err)
{
    const char *ending = hw_drawing_ending(path);
    hw_code code = hw_gnuplot_check_ending(path, err);
    if (code != HW_OK)
        return code;
    if (strcmp(ending, ".svg") == 0) {
        (void)fprintf(script,
                      "set terminal svg size %u,%u fixed font 'sans,12' noenhanced "
                      "background '#ffffff'\n",
                      width_px, height_px);
    } else if (strcmp(ending, ".png") == 0) {
        (void)fprintf(script,
                      "set terminal pngcairo size %u,%u font 'sans,12' fontscale 0.75 noenhanced "
                      "background '#ffffff'\n",
                      width_px, height_px);
    } else {
        double width_in = width_px / 96.0, height_in = height_px / 96.0;
        (void)fprintf(script,
                      "if (strstrt(GPVAL_TERMINALS, ' pdfcairo ')) {\n"
                      "set terminal pdfcairo size %.4fin,%.4fin font 'sans,12' fontscale 0.57 "
                      "noenhanced\n} else {\n"
                      "set terminal pdf size %.4fin,%.4fin font 'Helvetica,9' noenhanced\n}\n",
                      width_in, height_in, width_in, height_in);
    }
    hw_gnuplot_put_style(script);
    return HW_OK;
}

/* ---- Dates. ---- */

/* "20260131235959": of SOURCE_DATE_EPOCH (reproducible-builds.org), else the epoch. */
static bool date_of_files(char digits[16])
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    struct tm date;
    errno = 0;
    long long seconds = given ? strtoll(given, &end, 10) : 0;
    time_t when = (time_t)seconds;
    if (given && (errno || end == given || *end || seconds < 0))
        when = 0;
    return gmtime_r(&when, &date) && strftime(digits, 16, "%Y%m%d%H%M%S", &date) == 14;
}

/*
 * cairo writes the time into a PDF and has no way to leave it out.  It is
 * overwritten by as many digits, since the file counts its own bytes.
 */
static hw_code settle_date(int drawing, const char *path, hw_error *err)
{
    static const char key[] = "/CreationDate (D:";
    enum { WINDOW = 4096, KEY = sizeof key - 1, DATE = 14 };
    char window[WINDOW], digits[16];
    off_t at = 0;
    ssize_t got;
    if (!date_of_files(digits))
        return HW_OK;
    while ((got = pread(drawing, window, WINDOW, at)) >= KEY) {
        for (ssize_t i = 0; i + KEY <= got; i++)
            if (memcmp(window + i, key, KEY) == 0 &&
                pwrite(drawing, digits, DATE, at + i + KEY) != DATE)
                return hw_fail(err, HW_IO, "%s: cannot write: %s", path, strerror(errno));
        at += got - (KEY - 1); /* a key across the edge is seen by the next window */
    }
    return HW_OK;
}

/* ---- The process. ---- */

/*
 * The line of gnuplot's complaint that tells the cause: the first that begins
 * with "line N:"; before it stand an echo of the script and a caret.
 */
static void read_complaint(FILE *complaints, char text[HW_COMPLAINT_BYTES])
{
    char line[HW_COMPLAINT_BYTES];
    text[0] = '\0';
    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        const char *start = line + strspn(line, " \t");
        const char *place = strstr(start, "line ");
        bool tells = place && strchr(place, ':');
        if (strstr(start, "iconv failed")) /* the C locale has no degree sign; nor have plots */
            continue;
        if ((*start && *start != '^' && !*text) || tells) {
            size_t length = strlen(start);
            memcpy(text, start, length + 1);
        }
        if (tells)
            return;
    }
}

hw_code hw_gnuplot_render(const char *script, unsigned width_px, unsigned height_px,
                          const char *path, hw_error *err)
{
    static const char *const arguments[] = {"gnuplot", "-d", "-", NULL};
    const hw_drawer drawer = {.argument = arguments,
                              .package = "gnuplot-nox",
                              .read_complaint = read_complaint,
                              .finish = settle_date};
    FILE *file = hw_drawing_scratch(err);
    if (!file)
        return HW_IO;
    hw_code code = write_terminal(file, width_px, height_px, path, err);
    if (code == HW_OK && fputs(script, file) == EOF)
        code = hw_fail(err, HW_IO, "cannot write a temporary file: %s", strerror(errno));
    if (code == HW_OK)
        code = hw_drawing_make(&drawer, file, path, err);
    (void)fclose(file);
    return code;
}
