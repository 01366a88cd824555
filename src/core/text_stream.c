/* Texts built by the functions of stdio.  See text_stream.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie() */
#endif
#include "core/text_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct text_stream {
    char **text;
    size_t *size, room;
    bool failed;
} text_stream;

/* How many bytes were taken; less than n is an error to stdio. */
static ssize_t append(void *cookie, const char *bytes, size_t n)
{
    text_stream *s = cookie;
    size_t used = *s->size;
    s->failed =
        s->failed || n >= SIZE_MAX - used || !hw_grow((void **)s->text, &s->room, used + n + 1, 1);
    if (s->failed) {
        errno = ENOMEM;
        return 0;
    }
    memcpy(*s->text + used, bytes, n);
    (*s->text)[used + n] = '\0';
    *s->size = used + n;
    return (ssize_t)n;
}

static int end(void *cookie)
{
    text_stream *s = cookie;
    bool failed = s->failed;
    free(s);
    if (failed)
        errno = ENOMEM;
    return failed ? -1 : 0;
}

FILE *hw_text_stream(char **text, size_t *size)
{
    text_stream *s = HW_NEW(text_stream, 1);
    *text = s ? HW_NEW0(char, 1) : NULL;
    *size = 0;
    FILE *stream = NULL;
    if (*text) {
        *s = (text_stream){.text = text, .size = size, .room = 1};
        const cookie_io_functions_t functions = {.write = append, .close = end};
        stream = fopencookie(s, "w", functions);
    }
    if (!stream) {
        free(*text);
        *text = NULL;
        free(s);
    }
    return stream;
}
