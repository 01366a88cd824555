/*
 * What /proc tells about memory.  See replay.h and replay_internal.h.
 *
 * Nothing here uses the heap: the first two functions run in the child, whose
 * heap is what is measured, so files are read into a buffer on the stack.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "replay/replay_internal.h"

enum { TEXT_BYTES = 4096 };

/* The beginning of a file as a text; false: it cannot be read. */
static bool read_text(const char *path, char text[TEXT_BYTES])
{
    size_t used = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    for (;;) {
        ssize_t n = read(file, text + used, TEXT_BYTES - 1 - used);
        if (n <= 0)
            break;
        used += (size_t)n;
    }
    (void)close(file);
    text[used] = '\0';
    return used > 0;
}

/* A number in plain digits after blanks; false: there is none, or it passes 2^64 - 1. */
static bool read_number(const char *at, uint64_t *value)
{
    uint64_t number = 0;
    at += strspn(at, " \t");
    if (*at < '0' || *at > '9')
        return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *value = number;
    return true;
}

/* The number on the line that begins with `key`, in KiB there, as bytes. */
static bool read_kib(const char *text, const char *key, uint64_t *bytes)
{
    uint64_t kib;
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0)
            return read_number(line + length, &kib) && kib <= UINT64_MAX / 1024 &&
                   (*bytes = kib * 1024, true);
    }
    return false;
}

bool hw_replay_read_proc(hw_replay_sample *s, bool *exact)
{
    char text[TEXT_BYTES];
    *s = (hw_replay_sample){0};
    *exact =
        read_text("/proc/self/smaps_rollup", text) && read_kib(text, "Anonymous:", &s->resident);
    if (!*exact &&
        (!read_text("/proc/self/status", text) || !read_kib(text, "RssAnon:", &s->resident)))
        return false;
    if (!read_kib(text, *exact ? "Swap:" : "VmSwap:", &s->swapped))
        s->swapped = 0;
    return true;
}

uint64_t hw_replay_read_data_bytes(void)
{
    char text[TEXT_BYTES];
    uint64_t bytes = 0;
    return read_text("/proc/self/status", text) && read_kib(text, "VmData:", &bytes) ? bytes : 0;
}

/* What a control group may take beside what it has; UINT64_MAX: there is no limit. */
static uint64_t group_free(const char *limit_path, const char *usage_path)
{
    char text[TEXT_BYTES];
    uint64_t limit, usage;
    if (!read_text(limit_path, text) || !read_number(text, &limit) ||
        !read_text(usage_path, text) || !read_number(text, &usage))
        return UINT64_MAX;
    return limit > usage ? limit - usage : 0;
}

uint64_t hw_replay_free_bytes(void)
{
    char text[TEXT_BYTES];
    uint64_t bytes = 0;
    if (!read_text("/proc/meminfo", text) || !read_kib(text, "MemAvailable:", &bytes))
        return 0;
    uint64_t first = group_free("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    uint64_t second = group_free("/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                 "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    first = second < first ? second : first;
    return first < bytes ? first : bytes;
}
