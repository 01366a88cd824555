/* Pictures drawn by other programs.  See drawing.h. */
#include "io/drawing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/folder.h"

const char *hw_drawing_ending(const char *path)
{
    const char *name = strrchr(path, '/'), *ending = strrchr(name ? name : path, '.');
    return ending ? ending : "";
}

hw_code hw_drawing_check_ending(const char *path, hw_error *err)
{
    const char *ending = hw_drawing_ending(path);
    if (strcmp(ending, ".svg") == 0 || strcmp(ending, ".png") == 0 || strcmp(ending, ".pdf") == 0)
        return HW_OK;
    return hw_fail(err, HW_USAGE,
                   "%s: a plot is written as .svg, .pdf or .png: give the file such an ending",
                   path);
}

FILE *hw_drawing_scratch(hw_error *err)
{
    FILE *file = tmpfile();
    if (file)
        (void)fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    else
        (void)hw_fail(err, HW_IO, "cannot write a temporary file: %s", strerror(errno));
    return file;
}

static hw_code cannot_write(const char *path, int cause, hw_error *err)
{
    return hw_fail(err, HW_IO, "%s: cannot write: %s", path, strerror(cause));
}

/*
 * Did the drawing reach the disk to its end?  the programs do not look
 * whether their writes succeed, so a full disk shows only here.
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

static hw_code draw(const hw_drawer *drawer, FILE *script, int drawing, FILE *complaints,
                    const char *path, hw_error *err)
{
    const char *program = drawer->argument[0];
    int status = 0;
    bool killed = false;
    struct stat drawn;
    if (fflush(script) != 0 || ferror(script) || lseek(fileno(script), 0, SEEK_SET) != 0)
        return hw_fail(err, HW_IO, "cannot write a temporary file: %s", strerror(errno));
    const int files[3] = {fileno(script), drawing, fileno(complaints)};
    hw_code code = hw_program_run_watched(drawer->argument, drawer->package, files, drawer->watch,
                                          &status, &killed, err);
    if (code != HW_OK)
        return code;
    if (killed)
        return hw_fail(err, HW_LIMIT, "%s: %s was ended before it was done", path, program);
    if (fstat(drawing, &drawn) != 0)
        return cannot_write(path, errno, err);
    if (WIFSIGNALED(status))
        return hw_fail(err, HW_IO, "%s: %s was ended by signal %d", path, program,
                       WTERMSIG(status));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || drawn.st_size == 0) {
        char why[HW_COMPLAINT_BYTES];
        drawer->read_complaint(complaints, why);
        return hw_fail(err, HW_IO, "%s: %s failed: %s", path, program,
                       *why ? why : "it gave no reason");
    }
    if (!is_whole(drawing))
        return hw_fail(err, HW_IO, "%s: the drawing was cut short: is the disk full?", path);
    return drawer->finish ? drawer->finish(drawing, path, err) : HW_OK;
}

static hw_code draw_and_rename(const hw_drawer *drawer, FILE *script, FILE *complaints,
                               const char *path, hw_error *err)
{
    char *temporary;
    int drawing = hw_folder_fresh(path, &temporary);
    if (drawing < 0)
        return errno == ENOMEM ? hw_fail_memory(err, "a drawing") : cannot_write(path, errno, err);
    hw_code code = draw(drawer, script, drawing, complaints, path, err);
    if (close(drawing) != 0 && code == HW_OK)
        code = cannot_write(path, errno, err);
    if (code == HW_OK && rename(temporary, path) != 0)
        code = cannot_write(path, errno, err);
    if (code != HW_OK)
        (void)unlink(temporary);
    free(temporary);
    return code;
}

hw_code hw_drawing_make(const hw_drawer *drawer, FILE *script, const char *path, hw_error *err)
{
    FILE *complaints = hw_drawing_scratch(err);
    if (!complaints)
        return HW_IO;
    hw_code code = draw_and_rename(drawer, script, complaints, path, err);
    (void)fclose(complaints);
    return code;
}
