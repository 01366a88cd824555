/* Files and formats, for tests.  See support_io.h. */
#include "tests/support_io.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *file_bytes(const char *path, size_t *n_bytes)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return NULL;
    char *bytes = NULL;
    size_t size = 0, n = 0;
    for (;;) {
        if (n + 1 >= size) {
            size = size ? 2 * size : 4096;
            char *more = realloc(bytes, size);
            if (!more) {
                free(bytes);
                (void)fclose(in);
                return NULL;
            }
            bytes = more;
        }
        size_t got = fread(bytes + n, 1, size - n - 1, in);
        if (got == 0)
            break;
        n += got;
    }
    (void)fclose(in);
    bytes[n] = '\0';
    *n_bytes = n;
    return bytes;
}

char *graph_bytes(const hw_graph *g, hw_format format, size_t *n_bytes)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, n_bytes);
    if (!out)
        return NULL;
    hw_error err = {0};
    hw_code code = hw_graph_write(g, format, out, &err);
    (void)fclose(out);
    if (code == HW_OK)
        return bytes;
    (void)fprintf(stderr, "writing: %s\n", err.message);
    free(bytes);
    return NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **folder_files(const char *folder, const char *ending)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return NULL;
    size_t n = 0, end = strlen(ending);
    char **paths = calloc(1, sizeof *paths);
    for (struct dirent *entry; paths && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        if (length <= end || strcmp(entry->d_name + length - end, ending) != 0)
            continue;
        char **more = realloc(paths, (n + 2) * sizeof *paths);
        if (!more)
            break;
        paths = more;
        paths[n++] = path_in(folder, entry->d_name);
        paths[n] = NULL;
    }
    (void)closedir(dir);
    if (paths)
        qsort(paths, n, sizeof *paths, by_text);
    return paths;
}

void free_paths(char **paths)
{
    for (size_t i = 0; paths && paths[i]; i++)
        free(paths[i]);
    free(paths);
}

char *path_in(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

char *make_folder(void)
{
    char *folder = path_in("/tmp", "highwater-test-XXXXXX");
    if (folder && !mkdtemp(folder)) {
        free(folder);
        return NULL;
    }
    return folder;
}

void remove_folder(char *folder)
{
    if (!folder)
        return;
    char **paths = folder_files(folder, "");
    for (size_t i = 0; paths && paths[i]; i++)
        (void)unlink(paths[i]); /* refuses "." and ".." */
    free_paths(paths);
    (void)rmdir(folder);
    free(folder);
}

char *text_put(void (*put)(FILE *out, const char *text, size_t columns), const char *text,
               size_t columns)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);
    if (!out)
        return NULL;
    put(out, text, columns);
    if (fclose(out) == 0)
        return written;
    free(written);
    return NULL;
}

bool write_text(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    bool written = fwrite(text, 1, strlen(text), out) == strlen(text);
    return fclose(out) == 0 && written;
}

hw_code parse_text(const char *text, hw_graph **out, hw_error *err)
{
    return hw_graph_parse(text, strlen(text), "text", out, err);
}
