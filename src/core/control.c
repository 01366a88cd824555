/* Texts of unknown content on a terminal.  See control.h. */
#include "core/control.h"

size_t hw_control_tame(const char *text, char *out, size_t size)
{
    size_t n = 0;
    const char *p = text;
    while (*p && n + 1 < size) {
        size_t control = hw_control_bytes(p);
        out[n++] = (char)(control ? '?' : *p);
        p += control ? control : 1;
    }
    out[n] = '\0';
    return (size_t)(p - text);
}

void hw_control_put(FILE *out, const char *text)
{
    while (*text) {
        size_t control = hw_control_bytes(text);
        (void)fputc(control ? '?' : *text, out);
        text += control ? control : 1;
    }
}
