/* What fuzz targets share.  See fuzz.h. */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/text.h"

_Noreturn void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("fault: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    abort();
}

const char *fuzz_file(unsigned slot, const void *bytes, size_t n)
{
    static struct {
        int fd; /* 0: not made yet */
        char path[32];
    } files[FUZZ_FILES];
    if (files[slot].fd == 0) {
        files[slot].fd = memfd_create("fuzz", MFD_CLOEXEC);
        (void)snprintf(files[slot].path, sizeof files[slot].path, "/proc/self/fd/%d",
                       files[slot].fd);
    }
    int fd = files[slot].fd;
    if (fd <= 0 || ftruncate(fd, 0) != 0 || pwrite(fd, bytes, n, 0) != (ssize_t)n)
        fuzz_fail("a file in memory cannot be written");
    return files[slot].path;
}

bool fuzz_ended_well(hw_code code, const hw_error *err)
{
    if (code == HW_OK)
        return true;
    if (code != HW_BAD_INPUT && code != HW_USAGE && code != HW_CHECK_FAILED && code != HW_LIMIT)
        fuzz_fail("code %d: %s", (int)code, err->message);
    if (err->code != code)
        fuzz_fail("code %d, and the message is for %d: %s", (int)code, (int)err->code,
                  err->message);
    if (err->message[0] == '\0')
        fuzz_fail("a refusal without a word");
    return false;
}

uint8_t fuzz_byte(fuzz_draws *d)
{
    if (d->left == 0)
        return 0;
    d->left--;
    return *d->at++;
}

uint32_t fuzz_below(fuzz_draws *d, uint32_t bound)
{
    return fuzz_byte(d) % bound;
}

fuzz_draws fuzz_part(fuzz_draws *d)
{
    static const char line[] = "\n---\n";
    const uint8_t *end = d->left ? memmem(d->at, d->left, line, sizeof line - 1) : NULL;
    fuzz_draws part = {d->at, end ? (size_t)(end + 1 - d->at) : d->left};
    size_t used = end ? part.left + sizeof line - 2 : part.left;
    if (used) { /* no step from a null pointer */
        d->at += used;
        d->left -= used;
    }
    return part;
}
