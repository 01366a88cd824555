/* Error codes and the error context.  See error.h. */
#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

hw_code hw_fail(hw_error *err, hw_code code, const char *format, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, format);
        err->code = code;
        (void)vsnprintf(err->message, sizeof err->message, format, ap);
        va_end(ap);
    }
    return code;
}

void hw_note_memory(hw_error *err, const char *what)
{
    (void)hw_fail(err, HW_NO_MEMORY,
                  "out of memory for %s: free memory or take a smaller graph or limit", what);
}

void hw_error_prefix(hw_error *err, const char *format, ...)
{
    if (!err)
        return;
    char old[HW_MESSAGE_BYTES];
    memcpy(old, err->message, sizeof old);
    va_list ap;
    va_start(ap, format);
    int used = vsnprintf(err->message, sizeof err->message, format, ap);
    va_end(ap);
    if (used < 0 || (size_t)used >= sizeof err->message)
        return;
    size_t room = sizeof err->message - (size_t)used;
    size_t length = strnlen(old, sizeof old - 1);
    if (length >= room)
        length = room - 1;
    memcpy(err->message + used, old, length);
    err->message[(size_t)used + length] = '\0';
}

int hw_exit_status(hw_code code)
{
    switch (code) {
    case HW_OK:
        return 0;
    case HW_CHECK_FAILED:
    case HW_CRASHED:
        return 1;
    case HW_USAGE:
        return 2;
    case HW_BAD_INPUT:
    case HW_IO:
        return 3;
    case HW_LIMIT:
    case HW_NO_MEMORY:
    case HW_STOPPED:
        return 4;
    case HW_INTERNAL:
        return 5;
    }
    return 5;
}
