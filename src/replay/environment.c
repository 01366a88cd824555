/* The environment of a replay's child.  See environment_internal.h. */
#include "replay/environment_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "replay/replay_internal.h"

extern char **environ;

/* Allocators that Debian has, by the name that people use. */
static const struct {
    const char *name, *file, *package;
} libraries[] = {
    {"mimalloc", "libmimalloc.so.2", "libmimalloc2.0"},
    {"jemalloc", "libjemalloc.so.2", "libjemalloc2"},
    {"tcmalloc", "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4"},
};

bool hw_replay_library(const char *name, const char **file, const char **package)
{
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (strcmp(name, libraries[i].name) == 0) {
            *file = libraries[i].file;
            *package = libraries[i].package;
            return true;
        }
    return false;
}

/* Does the variable "NAME=VALUE" steer an allocator, or set what a setting sets? */
static bool left_out(const hw_replay_request *request, const char *variable)
{
    static const char *const heads[] = {"MALLOC_", "MIMALLOC_",
                                        "GLIBC_TUNABLES=", "LD_PRELOAD=", HW_REPLAY_CHILD_MARK};
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        if (strncmp(variable, heads[i], strlen(heads[i])) == 0)
            return true;
    for (size_t i = 0; i < request->n_settings; i++) {
        size_t name = strcspn(request->setting[i], "=");
        if (strncmp(variable, request->setting[i], name) == 0 && variable[name] == '=')
            return true;
    }
    return false;
}

void hw_replay_environment_free(hw_replay_environment *e)
{
    free((void *)e->variable);
    free(e->preload);
    *e = (hw_replay_environment){0};
}

hw_code hw_replay_environment_make(hw_replay_environment *e, const hw_replay_request *request,
                                   hw_error *err)
{
    static const char head[] = "LD_PRELOAD=";
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    *e = (hw_replay_environment){0};
    e->variable = HW_NEW(const char *, n + request->n_settings + 3);
    size_t preload_bytes = request->preload ? sizeof head + strlen(request->preload) : 0;
    if (request->preload)
        e->preload = HW_NEW(char, preload_bytes);
    if (!e->variable || (request->preload && !e->preload)) {
        hw_replay_environment_free(e);
        return hw_fail_memory(err, "the environment of a replay");
    }
    for (size_t i = 0; i < n; i++)
        if (!left_out(request, environ[i]))
            e->variable[kept++] = environ[i];
    for (size_t i = 0; i < request->n_settings; i++)
        e->variable[kept++] = request->setting[i];
    if (e->preload) {
        (void)snprintf(e->preload, preload_bytes, "%s%s", head, request->preload);
        e->variable[kept++] = e->preload;
    }
    e->variable[kept++] = HW_REPLAY_CHILD_MARK "=1";
    e->variable[kept] = NULL;
    return HW_OK;
}
