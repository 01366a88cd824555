/* The formats by name and by the ending of a file name.  See io.h. */
#include <string.h>

#include "core/params.h"
#include "io/io.h"

static const char *const names[] = {"json", "line", "graphml", "dot"};
static const char *const endings[] = {".json", ".hwl", ".graphml", ".dot"};
enum { N_FORMATS = sizeof names / sizeof *names };

hw_code hw_format_parse(const char *name, hw_format *format, hw_error *err)
{
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *format = (hw_format)i;
            return HW_OK;
        }
    }
    const char *near = hw_nearest_name(name, names, N_FORMATS);
    return hw_fail(err, HW_USAGE,
                   "no format is named '%.40s'%s%s%s choose json, line, graphml or dot", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":");
}

hw_format hw_format_of_name(const char *path, hw_format otherwise)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < N_FORMATS; i++) {
        size_t n = strlen(endings[i]);
        if (length > n && strcmp(path + length - n, endings[i]) == 0)
            return (hw_format)i;
    }
    return otherwise;
}
