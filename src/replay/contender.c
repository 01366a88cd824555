/* Reading contenders.  See contender.h. */
#include "replay/contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"

const char *hw_contender_default_allocator(void)
{
    return "greedy-by-size";
}

void hw_contender_clear(hw_contender *c)
{
    free((void *)c->setting);
    free(c->name);
    free(c->text);
    *c = (hw_contender){0};
}

static hw_code read_arena(hw_contender *c, const char *spec, hw_error *err)
{
    enum { MOST_NAMES = 32 };
    const char *names[MOST_NAMES];
    size_t n = hw_n_allocators < MOST_NAMES ? hw_n_allocators : MOST_NAMES;
    c->way = HW_REPLAY_ARENA;
    c->allocator = hw_allocator_find(spec, strcspn(spec, ":"));
    for (size_t i = 0; i < n; i++)
        names[i] = hw_allocators[i]->name;
    if (!c->allocator)
        return hw_fail_no_such("allocator", "allocators", spec, names, n, err);
    return hw_params_of_spec("allocator", c->allocator->params, c->allocator->n_params, spec,
                             c->params, err);
}

static hw_code read_word(hw_contender *c, const char *word, hw_error *err)
{
    if (strcmp(word, "malloc") == 0 || hw_replay_library(word, &c->preload, &c->package)) {
        c->way = HW_REPLAY_MALLOC;
        return HW_OK;
    }
    if (strcmp(word, "mmap") == 0) {
        c->way = HW_REPLAY_MMAP;
        return HW_OK;
    }
    if (strcmp(word, "arena") == 0)
        return read_arena(c, hw_contender_default_allocator(), err);
    if (strncmp(word, "arena:", 6) == 0)
        return read_arena(c, word + 6, err);
    return hw_fail(err, HW_USAGE,
                   "'%.200s' is no allocator to replay with: give malloc, mmap, arena or "
                   "arena:ALLOCATOR, or mimalloc, jemalloc or tcmalloc where they are installed",
                   word);
}

/* The library of a well-known name, or the path or name that it is. */
static void set_library(hw_contender *c, const char *library)
{
    if (!hw_replay_library(library, &c->preload, &c->package))
        c->preload = library;
}

/* "NAME=VALUE" of the environment, the name in capitals; the loader's are not for here. */
static bool is_setting(const char *part)
{
    size_t name = strspn(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return name > 0 && part[name] == '=' && strncmp(part, "LD_", 3) != 0;
}

static hw_code read_part(hw_contender *c, char *part, hw_error *err)
{
    bool is_malloc = c->way == HW_REPLAY_MALLOC;
    if (is_malloc && strcmp(part, "trim") == 0) {
        c->trim = true;
    } else if (c->way == HW_REPLAY_ARENA && strcmp(part, "release") == 0) {
        c->release = true;
    } else if (is_malloc && !c->preload && strncmp(part, "preload=", 8) == 0) {
        set_library(c, part + 8);
    } else if (is_malloc && is_setting(part)) {
        c->setting[c->n_settings++] = part;
    } else {
        return hw_fail(err, HW_USAGE,
                       "'%.200s': '%.200s' is nothing that belongs to this allocator: after malloc "
                       "may come trim, preload=LIB and NAME=VALUE of the environment, after arena "
                       "release",
                       c->name, part);
    }
    return HW_OK;
}

hw_code hw_contender_parse(const char *text, hw_contender *c, hw_error *err)
{
    size_t size = strlen(text) + 1, parts = 1;
    *c = (hw_contender){0};
    for (const char *p = text; *p; p++)
        parts += *p == '+';
    c->name = hw_copy(text, size, 1);
    c->text = hw_copy(text, size, 1);
    c->setting = HW_NEW(const char *, parts);
    if (!c->name || !c->text || !c->setting)
        return hw_fail_memory(err, "an allocator to replay with");
    char *rest = strchr(c->text, '+');
    if (rest)
        *rest++ = '\0';
    hw_code code = read_word(c, c->text, err);
    while (code == HW_OK && rest) {
        char *part = rest;
        rest = strchr(part, '+');
        if (rest)
            *rest++ = '\0';
        code = read_part(c, part, err);
    }
    return code;
}

hw_code hw_contender_add(hw_contender *c, const char *library, bool trim, bool release,
                         hw_error *err)
{
    bool is_malloc = c->way == HW_REPLAY_MALLOC;
    bool loads = library && is_malloc && !c->preload;
    bool trims = trim && is_malloc && !c->trim;
    bool releases = release && c->way == HW_REPLAY_ARENA && !c->release;
    size_t size = strlen(c->name) + (loads ? strlen(library) : 0) + sizeof "+preload=+trim+release";
    char *name = HW_NEW(char, size);
    if (!name)
        return hw_fail_memory(err, "an allocator to replay with");
    (void)snprintf(name, size, "%s%s%s%s%s", c->name, loads ? "+preload=" : "",
                   loads ? library : "", trims ? "+trim" : "", releases ? "+release" : "");
    free(c->name);
    c->name = name;
    if (loads)
        set_library(c, library);
    c->trim |= trims;
    c->release |= releases;
    return HW_OK;
}

/* ---- How much room it takes. ---- */

hw_code hw_replay_need(const hw_replay_plan *plan, const hw_replay_request *request,
                       uint64_t *bytes, hw_error *err)
{
    /* Heads of blocks, and what a heap of many sizes does not use of itself. */
    const uint64_t head = 64, share = 8;
    long page = sysconf(_SC_PAGESIZE);
    *bytes = 0;
    if (request->touch != HW_REPLAY_WRITE)
        return HW_OK;
    if (request->way == HW_REPLAY_ARENA) {
        *bytes = request->height;
        return HW_OK;
    }
    if (request->way == HW_REPLAY_MMAP)
        return hw_replay_paged_peak(plan, page > 0 ? (uint64_t)page : 1, bytes, err);
    uint64_t peak = hw_replay_peak(plan);
    if (!hw_add_u64(peak, peak / share, bytes) || !hw_add_u64(*bytes, head * plan->n_blocks, bytes))
        *bytes = UINT64_MAX;
    return HW_OK;
}
