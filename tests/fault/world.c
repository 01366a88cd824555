/* The folder that a run works in: filled, read, compared.  See fault.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "fault.h"

#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s%s%s", folder, *folder ? "/" : "", name) < 0)
        err(99, "no memory for a path");
    return path;
}

static void read_file(const char *path, fault_file *file)
{
    FILE *in = fopen(path, "re");
    if (!in)
        err(99, "%s", path);
    size_t room = 0, got;
    do {
        room = room ? 2 * room : 8192;
        if (!(file->text = realloc(file->text, room + 1)))
            err(99, "no memory for %s", path);
        got = fread(file->text + file->size, 1, room - file->size, in);
        file->size += got;
    } while (file->size == room);
    file->text[file->size] = '\0';
    (void)fclose(in);
}

static void walk(const char *top, const char *below, fault_world *world)
{
    char *folder = join(top, below);
    DIR *dir = opendir(folder);
    if (!dir)
        err(99, "%s", folder);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (world->n == world->room) {
            world->room = world->room ? 2 * world->room : 16;
            world->file = realloc(world->file, world->room * sizeof *world->file);
            if (!world->file)
                err(99, "no memory for a folder");
        }
        fault_file *file = &world->file[world->n++];
        *file = (fault_file){.path = join(below, entry->d_name)};
        char *path = join(top, file->path);
        struct stat is;
        if (lstat(path, &is) != 0)
            err(99, "%s", path);
        file->mode = is.st_mode;
        if (S_ISREG(is.st_mode))
            read_file(path, file);
        else if (S_ISDIR(is.st_mode)) {
            char *name = strdup(file->path);
            walk(top, name, world);
            free(name);
        }
        free(path);
    }
    (void)closedir(dir);
    free(folder);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const fault_file *)a)->path, ((const fault_file *)b)->path);
}

void fault_world_read(const char *folder, fault_world *world)
{
    *world = (fault_world){0};
    size_t length = strlen(folder);
    char *top = strndup(folder, length);
    walk(top, "", world);
    free(top);
    if (world->n)
        qsort(world->file, world->n, sizeof *world->file, by_path);
}

void fault_world_clear(fault_world *world)
{
    for (size_t i = 0; i < world->n; i++) {
        free(world->file[i].path);
        free(world->file[i].text);
    }
    free(world->file);
    *world = (fault_world){0};
}

static int remove_one(const char *path, const struct stat *is, int type, struct FTW *at)
{
    (void)is;
    (void)type;
    if (at->level > 0)
        (void)remove(path);
    return 0;
}

void fault_world_write(const char *folder, const fault_world *world)
{
    (void)nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < world->n; i++) {
        const fault_file *file = &world->file[i];
        char *path = join(folder, file->path);
        if (S_ISDIR(file->mode)) {
            if (mkdir(path, file->mode & 0777) != 0)
                err(99, "%s", path);
        } else {
            int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file->mode & 0777);
            if (fd < 0 || write(fd, file->text, file->size) != (ssize_t)file->size)
                err(99, "%s", path);
            (void)close(fd);
        }
        free(path);
    }
}

const fault_file *fault_world_find(const fault_world *world, const char *path)
{
    fault_file key = {.path = (char *)(uintptr_t)path};
    return world->n ? bsearch(&key, world->file, world->n, sizeof key, by_path) : NULL;
}

bool fault_world_same(const fault_world *a, const fault_world *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->file[i].path, b->file[i].path) != 0 || a->file[i].size != b->file[i].size ||
            a->file[i].mode != b->file[i].mode ||
            (a->file[i].size && memcmp(a->file[i].text, b->file[i].text, a->file[i].size) != 0))
            return false;
    return true;
}
