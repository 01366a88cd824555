/*
 * Running gnuplot.  See gnuplot.h.
 *
 * gnuplot reads the script from an unnamed temporary file and draws to its
 * standard output, which is a temporary file beside `path`: no name passes
 * through the script, so none needs quoting, and no pipe can fill up.
 */
#include "io/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/program.h"

enum { COMPLAINT_BYTES = 300 };

/* ---- The script: terminal first. ---- */

static const char *ending_of(const char *path)
{
    const char *name = strrchr(path, '/'), *ending = strrchr(name ? name : path, '.');
    return ending ? ending : "";
}

hw_code hw_gnuplot_check_ending(const char *path, hw_error *err)
{
    const char *ending = ending_of(path);
    if (strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0 || strcmp(ending, ".pdf") == 0)
        return HW_OK;
    return hw_fail(err, HW_USAGE,
                   "%s: a plot is written as .svg, .pdf or .png: give the file such an ending",
                   path);
}

/*
 * gnuplot's cairo terminals count points of 1/72 inch at 72 dots an inch, svg
 * counts pixels; the sizes below make text equally large in all three.
 */
static hw_code write_terminal(FILE *script, unsigned width_px, unsigned height_px, const char *path,
                              hw_error *err)
{
    const char *ending = ending_of(path);
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
    (void)fputs("set encoding utf8\nif (GPVAL_VERSION >= 5.4) set micro\n", script);
    return HW_OK;
}

/* ---- The process. ---- */

/* Run `gnuplot -d -` between three open files; its wait status into *status. */
static hw_code run(int script, int drawing, int complaints, int *status, hw_error *err)
{
    const char *const arguments[] = {"gnuplot", "-d", "-", NULL};
    const int files[3] = {script, drawing, complaints};
    return hw_program_run(arguments, "gnuplot-nox", files, status, err);
}

/*
 * The line of gnuplot's complaint that tells the cause: the first that begins
 * with "line N:"; before it stand an echo of the script and a caret.
 */
static void read_complaint(FILE *complaints, char *text)
{
    char line[COMPLAINT_BYTES];
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
    if (!*text)
        (void)snprintf(text, COMPLAINT_BYTES, "it gave no reason");
}

/* ---- The file. ---- */

static hw_code cannot_write(const char *path, int cause, hw_error *err)
{
    return hw_fail(err, HW_IO, "%s: cannot be written: %s", path, strerror(cause));
}

/*
 * Did the drawing reach the disk to its end?  gnuplot does not look whether
 * its writes succeed, so a full disk shows only here.
 */
static bool is_whole(int drawing)
{
    enum { TAIL = 16 };
    static const char *const endings[] = {"</svg>", "%%EOF", "IEND"};
    char tail[TAIL];
    off_t size = lseek(drawing, 0, SEEK_END);
    if (size < TAIL || pread(drawing, tail, TAIL, size - TAIL) != TAIL)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        for (size_t at = 0, length = strlen(endings[i]); at + length <= TAIL; at++)
            if (memcmp(tail + at, endings[i], length) == 0)
                return true;
    return false;
}

static hw_code draw(FILE *script, int drawing, FILE *complaints, const char *path, hw_error *err)
{
    int status = 0;
    struct stat drawn;
    if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
        return hw_fail(err, HW_IO, "cannot write a temporary file: %s", strerror(errno));
    hw_code code = run(fileno(script), drawing, fileno(complaints), &status, err);
    if (code != HW_OK)
        return code;
    if (fstat(drawing, &drawn) != 0)
        return cannot_write(path, errno, err);
    if (WIFSIGNALED(status))
        return hw_fail(err, HW_IO, "%s: gnuplot was ended by signal %d", path, WTERMSIG(status));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawn.st_size == 0) {
        char why[COMPLAINT_BYTES];
        read_complaint(complaints, why);
        return hw_fail(err, HW_IO, "%s: gnuplot failed: %s", path, why);
    }
    if (!is_whole(drawing))
        return hw_fail(err, HW_IO, "%s: the drawing was cut short: is the disk full?", path);
    return HW_OK;
}

/* A fresh file beside `path` with the mode of any new file; -1 and errno. */
static int open_beside(const char *path, char *temporary, size_t size)
{
    enum { ATTEMPTS = 100 };
    int drawing = -1;
    for (int i = 0; drawing < 0 && i < ATTEMPTS; i++) {
        (void)snprintf(temporary, size, "%s.%ld-%d", path, (long)getpid(), i);
        drawing = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (drawing < 0 && errno != EEXIST)
            break;
    }
    return drawing;
}

static hw_code draw_and_rename(FILE *script, FILE *complaints, const char *path, hw_error *err)
{
    size_t size = strlen(path) + 40; /* room for process and attempt */
    char *temporary = HW_NEW(char, size);
    if (!temporary)
        return hw_fail_memory(err, "a file name");
    int drawing = open_beside(path, temporary, size);
    if (drawing < 0) {
        hw_code code = cannot_write(path, errno, err);
        free(temporary);
        return code;
    }
    hw_code code = draw(script, drawing, complaints, path, err);
    if (close(drawing) != 0 && code == HW_OK)
        code = cannot_write(path, errno, err);
    if (code == HW_OK && rename(temporary, path) != 0)
        code = cannot_write(path, errno, err);
    if (code != HW_OK)
        (void)unlink(temporary);
    free(temporary);
    return code;
}

static hw_code no_temporary_file(hw_error *err)
{
    return hw_fail(err, HW_IO, "cannot make a temporary file: %s", strerror(errno));
}

hw_code hw_gnuplot_render(const char *script, unsigned width_px, unsigned height_px,
                          const char *path, hw_error *err)
{
    FILE *file = tmpfile();
    if (!file)
        return no_temporary_file(err);
    FILE *complaints = tmpfile();
    if (!complaints) {
        (void)fclose(file);
        return no_temporary_file(err);
    }
    (void)fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    (void)fcntl(fileno(complaints), F_SETFD, FD_CLOEXEC);
    hw_code code = write_terminal(file, width_px, height_px, path, err);
    if (code == HW_OK && fputs(script, file) == EOF)
        code = no_temporary_file(err);
    if (code == HW_OK)
        code = draw_and_rename(file, complaints, path, err);
    (void)fclose(file);
    (void)fclose(complaints);
    return code;
}
